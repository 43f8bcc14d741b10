//! Real files, read and compared with other readers.
//!
//! They are not part of the repository: `SUPEROVOID_URDF_DIR` names a folder that is searched with
//! all folders in it, for example what `pip download example-robot-data --no-deps` brings,
//! unpacked. Without it these tests say that they were skipped.

use crate::{peers, properties};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What is refused of `example-robot-data` 6.0.0, and why.
const REFUSED: [(&str, &str); 2] = [
    ("ur3.urdf", "<robot> lacks the attribute name"),
    // Its name is Left_index_q1 in this file.
    ("alex_psyonic_hands.urdf", "<mimic> has joint=\"index_q1\""),
];

/// Says so where it is seen: nobody sees what `eprintln!` prints in a test that passes.
fn skipped(test: &str, why: &str) {
    let line = format!("skipped: {test}: {why}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// The files; `None` if a test is skipped.
fn files(test: &str) -> Option<Vec<PathBuf>> {
    let Some(folder) = std::env::var_os("SUPEROVOID_URDF_DIR") else {
        skipped(
            test,
            "SUPEROVOID_URDF_DIR does not name a folder of URDF files",
        );
        return None;
    };
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{folder:?}: {e}")) {
            let entry = entry.unwrap();
            // Links are not followed, so that the search ends.
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else if entry
                .path()
                .extension()
                .is_some_and(|ending| ending == "urdf")
            {
                found.push(entry.path());
            }
        }
    }
    assert!(!found.is_empty(), "no .urdf file in SUPEROVOID_URDF_DIR");
    found.sort();
    Some(found)
}

fn name(file: &Path) -> &str {
    file.file_name().and_then(|name| name.to_str()).unwrap()
}

#[test]
fn real_files_load_and_survive_writing() {
    let Some(files) = files("real_files_load_and_survive_writing") else {
        return;
    };
    let mut wrong = Vec::new();
    let mut refused = 0;
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let expected = REFUSED.iter().find(|(refused, _)| *refused == name(file));
        match (properties::read(&text), expected) {
            (Ok(_), None) => {}
            (Err(error), Some((_, why))) if error.to_string().contains(why) => refused += 1,
            (Ok(_), Some(_)) => wrong.push(format!("{}: loads", file.display())),
            (Err(error), _) => wrong.push(format!("{}: {error}", file.display())),
        }
    }
    assert_eq!(wrong, [""; 0]);
    eprintln!("{} files: {refused} refused as expected", files.len());
}

#[test]
fn real_files_are_read_as_urdf_rs_reads_them() {
    let Some(files) = files("real_files_are_read_as_urdf_rs_reads_them") else {
        return;
    };
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut worst = 0.0_f64;
    let mut compared = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let Ok(robot) = superovoid_robot::Robot::from_urdf_str(&text) else {
            continue;
        };
        match peers::urdf_rs(&text) {
            Ok(peer) => {
                compared += 1;
                let difference = peers::compare(&robot, &peer, || rng.random());
                assert!(difference < 1e-9, "{}: {difference:e}", file.display());
                worst = worst.max(difference);
            }
            Err(error) => eprintln!("urdf-rs refuses {}: {error}", name(&file)),
        }
        // What is written, it reads too, and as the same robot.
        let written = peers::urdf_rs(&robot.to_urdf());
        let written = written.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let difference = peers::compare(&robot, &written, || rng.random());
        assert!(difference < 1e-9, "{}: {difference:e}", file.display());
    }
    eprintln!("urdf-rs: {compared} files compared, greatest difference {worst:e}");
}

#[test]
fn real_files_are_read_as_urdfdom_reads_them() {
    let test = "real_files_are_read_as_urdfdom_reads_them";
    let Some(files) = files(test) else { return };
    let program = match peers::urdfdom() {
        Ok(program) => program,
        Err(why) => return skipped(test, &why.to_string()),
    };
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut worst = 0.0_f64;
    let mut compared = 0;
    for file in files {
        let Ok(robot) = superovoid_robot::Robot::from_urdf_file(&file) else {
            continue;
        };
        match peers::read_with_urdfdom(&program, &file) {
            Ok(peer) => {
                compared += 1;
                let difference = peers::compare(&robot, &peer, || rng.random());
                assert!(difference < 1e-9, "{}: {difference:e}", file.display());
                worst = worst.max(difference);
            }
            Err(error) => eprintln!("urdfdom refuses {}: {}", name(&file), error.trim()),
        }
    }
    eprintln!("urdfdom: {compared} files compared, greatest difference {worst:e}");
}
