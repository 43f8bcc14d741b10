//! The program that times the calls: that it runs, what its table says besides times, and that it reads
//! the files of the command line.

use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use superovoid_ffi_tests::{Program, skipped};

static PROGRAM: LazyLock<Program> =
    LazyLock::new(|| Program::new("ffi-tests/call_times.c", "c99").shared());

const HEADER: &str = "set,pairs,state,method,count,group,min_ns,mean_ns,p50_ns,p99_ns,max_ns,\
                      all_mean_ns,all_max_ns,errors,not_converged,open,wrong,not_least,missed,\
                      mean_error_m,max_error_m";

/// A file of a test, in the directory that cargo keeps for them.
fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The rows of a CSV file, by column.
fn rows(text: &str) -> Vec<HashMap<&str, &str>> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let row = |line| names.iter().copied().zip(str::split(line, ',')).collect();
    lines.map(row).collect()
}

#[test]
fn the_exact_method_has_no_failures_on_convex_sets() -> Result<(), Box<dyn Error>> {
    let csv = scratch("call_times.csv");
    let path = csv.to_str().ok_or("a path that is not UTF-8")?;
    let sets = "untapered,convex,boxes,ellipsoids,close,far";
    let arguments = [
        "--set", sets, "--count", "40", "--repeat", "1", "--csv", path,
    ];
    PROGRAM.run(&arguments)?;

    let text = std::fs::read_to_string(&csv)?;
    assert_eq!(text.lines().next(), Some(HEADER));
    let number = |row: &HashMap<&str, &str>, column: &str| -> Result<f64, Box<dyn Error>> {
        let value = row.get(column).ok_or(format!("no {column} in {row:?}"))?;
        Ok(value.parse().map_err(|_| format!("{column} in {row:?}"))?)
    };
    let mut seen = HashMap::new();
    for row in rows(&text) {
        assert_eq!(row.len(), HEADER.split(',').count(), "{row:?}");
        let times = ["min_ns", "p50_ns", "p99_ns", "max_ns"].map(|column| number(&row, column));
        let [min, p50, p99, max] = times;
        let (min, p50, p99, max) = (min?, p50?, p99?, max?);
        assert!(
            0.0 < min && min <= p50 && p50 <= p99 && p99 <= max,
            "{row:?}"
        );
        assert_eq!(number(&row, "errors")?, 0.0, "{row:?}");
        *seen.entry(row["method"].to_owned()).or_insert(0) += 1;
        if row["method"].starts_with("exact") {
            for failure in ["not_converged", "wrong", "missed"] {
                assert_eq!(number(&row, failure)?, 0.0, "{row:?}");
            }
            // 1e-6 of the larger semi-axis, at most 1.5 m, is what a certified depth promises.
            assert!(number(&row, "max_error_m")? <= 1.5e-6, "{row:?}");
        }
    }
    let methods = "exact,exact certified depth,oct-implicit,quad-implicit,quad-parametric,\
                   ntb-parametric,point,plane,half-space,segment,triangle,box,hull of 8,ray,\
                   support,inside-outside,AABB";
    for method in methods.split(',') {
        assert!(seen.contains_key(method), "{method} has no row");
    }
    Ok(())
}

/// One file serves this program and `superovoid pairs`. The two read and write decimals in their own ways,
/// so the last digits may differ.
#[test]
fn a_file_of_pairs_gives_the_distances_of_the_command_line() -> Result<(), Box<dyn Error>> {
    let (pairs, contacts) = (scratch("pairs.csv"), scratch("contacts.csv"));
    let pairs = pairs.to_str().ok_or("a path that is not UTF-8")?;
    let contacts = contacts.to_str().ok_or("a path that is not UTF-8")?;
    let write = ["--set", "battery", "--count", "20", "--write-pairs", pairs];
    PROGRAM.run(&write)?;
    PROGRAM.run(&["--pairs", pairs, "--repeat", "1", "--contacts", contacts])?;
    let ours = std::fs::read_to_string(contacts)?;

    let Some(command) = command_line()? else {
        skipped(
            "the comparison with `superovoid pairs`",
            "it has not been built",
        );
        return Ok(());
    };
    let output = Command::new(command).args(["pairs", pairs]).output()?;
    assert!(output.status.success(), "{output:?}");
    let theirs = String::from_utf8(output.stdout)?;
    assert_eq!(ours.lines().next(), theirs.lines().next());
    let (ours, theirs) = (rows(&ours), rows(&theirs));
    assert_eq!((ours.len(), theirs.len()), (20, 20));
    for (one, other) in ours.iter().zip(&theirs) {
        for column in ["distance", "lower", "upper", "ax", "by", "nz"] {
            let (x, y): (f64, f64) = (one[column].parse()?, other[column].parse()?);
            assert!((x - y).abs() <= 1e-12, "{column}: {one:?}, {other:?}");
        }
        assert_eq!(one["outcome"], other["outcome"]);
    }
    Ok(())
}

#[test]
fn files_that_are_none_of_pairs_are_refused() -> Result<(), Box<dyn Error>> {
    let path = scratch("bad_pairs.csv");
    let name = path.to_str().ok_or("a path that is not UTF-8")?;
    for (text, message) in [
        ("", "the file is empty"),
        ("a_a1,b_a1\n", "column a_a2 is missing"),
        ("a_a1,size\n", "unknown column \"size\""),
        ("a_a1,a_a1\n", "column a_a1 is there twice"),
    ] {
        std::fs::write(&path, text)?;
        let error = PROGRAM.run(&["--pairs", name]).err();
        let error = error.ok_or(format!("{text:?} was read"))?.to_string();
        assert!(error.contains(message), "{error}");
    }
    Ok(())
}

/// `superovoid`, where cargo has put it, if it has.
fn command_line() -> Result<Option<PathBuf>, Box<dyn Error>> {
    let test = std::env::current_exe()?;
    let directory = test.parent().and_then(Path::parent);
    let command = directory.ok_or("the test has no directory")?;
    let command = command.join(format!("superovoid{}", std::env::consts::EXE_SUFFIX));
    Ok(command.is_file().then_some(command))
}
