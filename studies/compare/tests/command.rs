//! The command, with few cases: every figure is there and ours are right.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

type Row = BTreeMap<String, String>;

fn run(arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
    let output = Command::new(env!("CARGO_BIN_EXE_superovoid-compare"))
        .args(arguments)
        .output()?;
    Ok(output)
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn rows(path: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut file = csv::Reader::from_path(path)?;
    Ok(file.deserialize().collect::<Result<_, _>>()?)
}

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap_or(f64::NAN)
}

#[test]
fn the_report_has_every_workload_and_our_answers_are_right() -> Result<(), Box<dyn Error>> {
    let folder = folder("report");
    let place = folder.to_str().ok_or("a path that is no text")?;
    let output = run(&[
        "--output",
        place,
        "--pairs",
        "30",
        "--rounds",
        "1",
        "--configurations",
        "0",
    ])?;
    let errors = String::from_utf8(output.stderr)?;
    assert!(output.status.success(), "{errors}");
    let text = std::fs::read_to_string(folder.join("comparison.md"))?;
    // What was not found is named, and nothing else is missing.
    for engine in ["FCL", "coal"] {
        let missing = errors.contains(&format!("not found: {engine}"));
        assert_eq!(
            text.contains(&format!("\n- {engine}: ")),
            missing,
            "{engine}"
        );
        assert_ne!(
            text.contains(&format!("| {engine}, injected")),
            missing,
            "{engine}"
        );
    }
    for picture in ["comparison_mean.svg", "comparison_tail.svg"] {
        assert!(std::fs::read_to_string(folder.join(picture))?.contains("</svg>"));
    }
    let rows = rows(&folder.join("comparison.csv"))?;
    let mut workloads = Vec::new();
    for row in rows.iter().filter(|row| row["side"] == "all") {
        let (workload, peer) = (&row["workload"], &row["peer"]);
        if workloads.last() != Some(workload) {
            workloads.push(workload.clone());
            // The first row of a workload is ours.
            assert!(peer.starts_with("superovoid"), "{row:?}");
            assert_eq!(number(row, "times_ours"), 1.0, "{row:?}");
        }
        assert!(number(row, "mean_us") > 0.0, "{row:?}");
        assert!(
            number(row, "p50_us") <= number(row, "slowest_us"),
            "{row:?}"
        );
        if peer.starts_with("superovoid") {
            assert_eq!(
                [number(row, "failed"), number(row, "wrong_side")],
                [0.0; 2],
                "{row:?}"
            );
            // Semi-axes of about 1; those of the hands are smaller. Bodies that are not convex have no reference.
            assert!(
                workload == "non-convex" || number(row, "error_largest_m") < 1e-8,
                "{row:?}"
            );
        }
    }
    assert_eq!(workloads.len(), 14, "{workloads:?}");
    Ok(())
}

#[test]
fn the_full_check_finds_the_least_clearance() -> Result<(), Box<dyn Error>> {
    let folder = folder("full-check");
    let place = folder.to_str().ok_or("a path that is no text")?;
    let output = run(&[
        "--output",
        place,
        "--pairs",
        "14",
        "--rounds",
        "1",
        "--configurations",
        "1",
    ])?;
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8(output.stderr)?
    );
    let rows = rows(&folder.join("comparison.csv"))?;
    let of_check = |row: &&Row| row["workload"] == "full-check";
    let ours = |row: &&Row| row["peer"].starts_with("superovoid");
    for row in rows.iter().filter(of_check).filter(ours) {
        // "In collision?" names no clearance.
        let error = number(row, "error_largest_m");
        assert!(error.is_nan() || error < 1e-9, "{row:?}");
    }
    let peers = rows
        .iter()
        .filter(of_check)
        .filter(|row| !ours(row))
        .count();
    assert!(peers >= 2, "{peers}");
    Ok(())
}

#[test]
fn engines_that_are_not_found_are_named() -> Result<(), Box<dyn Error>> {
    let folder = folder("no-engines");
    let output = Command::new(env!("CARGO_BIN_EXE_superovoid-compare"))
        .args([
            "--pairs",
            "14",
            "--rounds",
            "1",
            "--only",
            "ellipsoids-apart",
            "--output",
        ])
        .arg(&folder)
        .env_remove("SOVO_COAL_PREFIX")
        .env_remove("PKG_CONFIG_PATH")
        .env("PKG_CONFIG_LIBDIR", "/nowhere")
        .output()?;
    let errors = String::from_utf8(output.stderr)?;
    assert!(output.status.success(), "{errors}");
    let text = std::fs::read_to_string(folder.join("comparison.md"))?;
    for engine in ["FCL", "coal"] {
        assert!(errors.contains(&format!("not found: {engine}")), "{errors}");
        assert!(text.contains(&format!("\n- {engine}: ")), "{text}");
        assert!(
            text.contains(&format!("Not here: {engine}, injected")),
            "{text}"
        );
    }
    assert!(text.contains("| parry, injected |"), "{text}");
    Ok(())
}

#[test]
fn arguments_that_make_no_sense_are_refused() -> Result<(), Box<dyn Error>> {
    for (arguments, complaint) in [
        (&[][..], "--output"),
        (&["--output", "x", "--pairs", "0"], "--pairs"),
        (&["--output", "x", "--only", "nothing"], "nothing"),
        (&["instructions", "--queries", "0"], "--queries"),
        (&["instructions", "--path", "99"], "no such path"),
    ] {
        let output = run(arguments)?;
        assert!(!output.status.success(), "{arguments:?}");
        let errors = String::from_utf8(output.stderr)?;
        assert!(errors.contains(complaint), "{arguments:?}: {errors}");
    }
    Ok(())
}

/// The planner's questions to few configurations: ours are never wrong, and what is not installed is named.
#[test]
fn the_planner_is_answered_and_ours_are_right() -> Result<(), Box<dyn Error>> {
    let output = run(&["planner", "--configurations", "16", "--rounds", "1"])?;
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8(output.stderr)?
    );
    let text = String::from_utf8(output.stdout)?;
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| --- "))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let of = |name: &str| rows.iter().filter(|row| row[1].starts_with(name)).count();
    assert_eq!(of("superovoid"), 12);
    for row in rows.iter().filter(|row| row[1].starts_with("superovoid")) {
        // Nothing missed, no false alarm, no failure.
        assert_eq!(row[6..9], ["0", "0", "0"], "{row:?}");
        // The batches for the deepest pair are not asked the first question again.
        let is_asked = row[1] != "superovoid, batches, the deepest pair";
        assert_eq!(row[2] != "–", is_asked, "{row:?}");
        assert!(!is_asked || row[2].parse::<f64>()? > 0.0, "{row:?}");
        assert!(row[4].parse::<f64>()? > 0.0, "{row:?}");
    }
    for engine in ["coal", "FCL"] {
        let missing = text.contains(&format!("\nNot here: {engine}"));
        assert_eq!(of(engine), if missing { 0 } else { 12 }, "{engine}: {text}");
    }
    Ok(())
}
