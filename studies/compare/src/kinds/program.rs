//! A program of FCL as it is, and with one line added: `ffi-tests/fcl_program.cpp`.

use super::foreign::{flags_of_ours, root};
use crate::peer::driver;
use crate::report::number;
use anyhow::{Context, Result, bail};
use std::fmt::Write;
use std::process::Command;

/// Microseconds of *free or not* and of *distance*, and both answers of every pose.
type Answers = ([f64; 2], Vec<[f64; 2]>);

fn run(one_line: bool) -> Result<Answers> {
    let name = if one_line {
        "fcl_program_one_line"
    } else {
        "fcl_program"
    };
    let folder = std::env::current_exe()?.with_file_name("compare-peers");
    std::fs::create_dir_all(&folder)?;
    let (program, file) = (folder.join(name), folder.join(format!("{name}.txt")));
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let output = Command::new(&compiler)
        .args(["-std=c++17", "-O2", "-DNDEBUG"])
        .args(one_line.then_some("-DONE_LINE"))
        .arg("-o")
        .arg(&program)
        .arg(root().join("ffi-tests/fcl_program.cpp"))
        .args(flags_of_ours()?)
        .args(driver::flags("fcl", "Debian: libfcl-dev")?)
        .output()
        .with_context(|| format!("the compiler {compiler} does not run"))?;
    if !output.status.success() {
        bail!(
            "{compiler} fails:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let output = Command::new(&program).arg(&file).output()?;
    let text = String::from_utf8(output.stdout)?;
    let times = text
        .lines()
        .filter_map(|line| line.rsplit_once(": ")?.1.split_once(' ')?.0.parse().ok());
    let times: Vec<f64> = times.collect();
    let times = times
        .try_into()
        .ok()
        .context("two times of a program of FCL")?;
    let pair = |line: &str| -> Option<[f64; 2]> {
        let (verdict, distance) = line.split_once(' ')?;
        Some([verdict.parse().ok()?, distance.parse().ok()?])
    };
    let answers = std::fs::read_to_string(&file)?
        .lines()
        .filter_map(pair)
        .collect();
    Ok((times, answers))
}

/// The section.
///
/// # Errors
/// What is not installed, or does not compile.
pub fn section() -> Result<String> {
    let ((as_is, theirs), (added, ours)) = (run(false)?, run(true)?);
    let differ = |count: fn(&[f64; 2], &[f64; 2]) -> bool| {
        theirs
            .iter()
            .zip(&ours)
            .filter(|(a, b)| count(a, b))
            .count()
    };
    let differing = [
        differ(|a, b| a[0] != b[0]),
        differ(|a, b| (a[1] - b[1]).abs() > 1e-6),
    ];
    let mut text = format!(
        "\n## FCL program as it is, one line added\n\n\
         An arm of seven links before a shelf, in {} random poses, asked through FCL's managers and default callbacks\n\
         (`ffi-tests/fcl_program.cpp`); the line is an `#include` ([cpp.md](../guides/cpp.md)). The least of three passes.\n\
         *differ*: poses in which the two answer otherwise, distances by more than 1e-6 m.\n\n\
         | question | FCL program as it is, µs | one line added, µs | ratio | differ |\n| --- | ---: | ---: | ---: | ---: |\n",
        theirs.len()
    );
    for (k, question) in ["free or not", "distance"].iter().enumerate() {
        writeln!(
            text,
            "| {question} | {} | {} | {} | {} |",
            number(as_is[k]),
            number(added[k]),
            number(added[k] / as_is[k]),
            differing[k]
        )?;
    }
    Ok(text)
}
