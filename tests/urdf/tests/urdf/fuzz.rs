//! Random files. `SUPEROVOID_FUZZ_COUNT` says how many (2,000 by default) and
//! `SUPEROVOID_FUZZ_FIRST` the number of the first, so that a long run draws new ones and a failure
//! is repeated alone.

use crate::{peers, properties};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use superovoid_robot::Robot;

fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name}={text:?}: not a number")),
        Err(_) => default,
    }
}

pub fn first() -> u64 {
    setting("SUPEROVOID_FUZZ_FIRST", 0)
}

pub fn count() -> u64 {
    setting("SUPEROVOID_FUZZ_COUNT", 2_000)
}

#[test]
fn random_files_are_read_or_refused_with_a_reason() {
    judge(count());
}

#[test]
#[ignore = "10,000 files"]
fn random_files_are_read_or_refused_with_a_reason_long() {
    judge(count().max(10_000));
}

fn judge(count: u64) {
    let first = first();
    let [mut valid, mut spoiled_but_read, mut compared] = [0_u64; 3];
    let mut worst = 0.0_f64;
    for number in first..first + count {
        let case = superovoid_urdf_tests::case(number);
        let judged = catch_unwind(AssertUnwindSafe(|| {
            let robot = properties::read(&case.text);
            if !case.valid {
                spoiled_but_read += u64::from(robot.is_ok());
                return;
            }
            valid += 1;
            let robot = robot.unwrap_or_else(|error| panic!("a valid file is refused: {error}"));
            if let Ok(peer) = peers::urdf_rs(&case.text) {
                compared += 1;
                let mut at = 0.0;
                let difference = peers::compare(&robot, &peer, || {
                    at = (at + 0.618_033_988_75) % 1.0;
                    at
                });
                worst = worst.max(difference);
                assert!(difference < 1e-9, "urdf-rs differs by {difference:e}");
            }
        }));
        if let Err(panic) = judged {
            eprintln!("case {number}:\n{}", case.text);
            resume_unwind(panic);
        }
    }
    eprintln!(
        "{count} files: {valid} valid, of these {compared} compared with urdf-rs (greatest \
         difference {worst:e}); {spoiled_but_read} spoiled ones read all the same"
    );
}

/// Bytes that need not be text: in a file, where every error has a place too.
#[test]
fn random_bytes_in_a_file_are_read_or_refused_at_a_place() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bytes.urdf");
    for number in first()..first() + count() / 4 {
        let mut rng = ChaCha8Rng::seed_from_u64(number);
        let text = superovoid_urdf_tests::case(number).text;
        let mut bytes = text.clone().into_bytes();
        if rng.random_bool(0.1) {
            bytes = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        }
        for _ in 0..rng.random_range(0..4) {
            let at = rng.random_range(0..=bytes.len());
            bytes.insert(at, rng.random());
        }
        std::fs::write(&path, &bytes).unwrap();
        if let Err(error) = Robot::from_urdf_file(&path) {
            assert!(error.position.is_some(), "case {number}: {error}");
            assert_eq!(error.path.as_ref(), Some(&path), "case {number}: {error}");
        }
    }
}
