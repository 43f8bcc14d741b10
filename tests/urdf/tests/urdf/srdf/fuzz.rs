//! Random SRDF; `SUPEROVOID_FUZZ_COUNT` and `SUPEROVOID_FUZZ_FIRST` as for URDF.

use super::{peer, read};
use crate::fuzz::{count, first};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use superovoid_robot::scene::{Counterpart, RobotScene, SceneOptions};
use superovoid_robot::{Collision, Geometry, Joint, JointKind, Link, Origin, Robot, Srdf};
use superovoid_urdf_tests::{LINKS, srdf_case};

/// A ball for each of the links, all at one place, none joined to another one directly.
pub fn balls() -> Robot {
    let mut links = vec![Link::new("root")];
    let mut joints = Vec::new();
    for name in LINKS {
        let mut link = Link::new(name);
        link.collisions.push(Collision {
            name: None,
            origin: Origin::default(),
            geometry: Geometry::Sphere { radius: 1.0 },
            superovoid: None,
        });
        links.push(link);
        joints.push(Joint::new(name, JointKind::Continuous, "root", name));
    }
    Robot::new("balls", links, joints, Vec::new()).unwrap()
}

/// Pairs of links that a scene compares after this file was applied.
fn compared(scene: &RobotScene, srdf: &Srdf) -> BTreeSet<[String; 2]> {
    let mut scene = scene.clone();
    scene.apply_srdf(srdf);
    let neutral = scene.robot().neutral();
    let contacts = scene.contacts(&neutral, &SceneOptions::default()).unwrap();
    let name = |link: usize| scene.robot().links()[link].name.clone();
    let pairs = contacts.iter().map(|contact| {
        let Counterpart::Link { link, .. } = contact.with else {
            panic!("no obstacles here");
        };
        let mut pair = [name(contact.link), name(link)];
        pair.sort();
        pair
    });
    pairs.collect()
}

/// The same by MoveIt's rules: a pair that is disabled is not compared, one that is enabled is, and of the
/// others those without a link that is disabled by default.
fn expected(srdf: &Srdf) -> BTreeSet<[String; 2]> {
    let mut said = HashMap::new();
    for (pairs, compared) in [(&srdf.enabled, true), (&srdf.disabled, false)] {
        for pair in pairs {
            let mut links = pair.links.clone();
            links.sort();
            said.insert(links, compared);
        }
    }
    let by_default = |name: &str| {
        srdf.disabled_by_default
            .iter()
            .any(|(link, _)| link == name)
    };
    let mut pairs = BTreeSet::new();
    for (i, a) in LINKS.iter().enumerate() {
        for b in &LINKS[..i] {
            let mut pair = [(*a).to_owned(), (*b).to_owned()];
            pair.sort();
            let default = !by_default(a) && !by_default(b);
            if *said.get(&pair).unwrap_or(&default) {
                pairs.insert(pair);
            }
        }
    }
    pairs
}

/// A warning for each name that the robot does not have, and one for its own.
fn expected_warnings(srdf: &Srdf) -> usize {
    let pairs = srdf.disabled.iter().chain(&srdf.enabled);
    let links = pairs.flat_map(|pair| &pair.links);
    let all = links.chain(srdf.disabled_by_default.iter().map(|(link, _)| link));
    let unknown = all.filter(|link| !LINKS.contains(&link.as_str()) && *link != "root");
    unknown.count() + usize::from(srdf.robot != "balls")
}

fn judge(numbers: std::ops::Range<u64>) {
    let robot = balls();
    let scene = RobotScene::new(robot.clone()).unwrap();
    let [mut valid, mut spoiled_but_read, mut statements] = [0_u64; 3];
    let count = numbers.end - numbers.start;
    for number in numbers {
        let case = srdf_case(number);
        let judged = catch_unwind(AssertUnwindSafe(|| {
            let srdf = read(&case.text, &robot);
            spoiled_but_read += u64::from(!case.valid && srdf.is_ok());
            if case.valid {
                valid += 1;
                assert!(srdf.is_ok(), "a valid file is refused: {srdf:?}");
            }
            let Ok(srdf) = srdf else { return };
            statements += (srdf.disabled.len() + srdf.enabled.len()) as u64;
            assert_eq!(srdf.warnings(&robot).len(), expected_warnings(&srdf));
            if number % 8 == 0 {
                // What the other reader finds, not what is tested.
                let peer = peer::read(&case.text).unwrap();
                assert_eq!(compared(&scene, &srdf), expected(&peer));
            }
        }));
        if let Err(panic) = judged {
            eprintln!("case {number}:\n{}", case.text);
            resume_unwind(panic);
        }
    }
    eprintln!(
        "{count} files: {valid} valid; {spoiled_but_read} spoiled ones read all the same; {statements} pairs"
    );
}

#[test]
fn random_files_are_read_as_another_reader_does_or_refused_with_a_reason() {
    judge(first()..first() + count());
}

#[test]
#[ignore = "a million files: a minute"]
fn a_million_random_files() {
    judge(1_000_000..2_000_000);
}

/// Bytes that need not be text: in a file, where every error has a place too.
#[test]
fn random_bytes_in_a_file_are_read_or_refused_at_a_place() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bytes.srdf");
    for number in 0..500 {
        let mut rng = ChaCha8Rng::seed_from_u64(number);
        let text = srdf_case(number).text;
        let mut bytes = text.clone().into_bytes();
        if rng.random_bool(0.1) {
            bytes = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        }
        for _ in 0..rng.random_range(0..4) {
            let at = rng.random_range(0..=bytes.len());
            bytes.insert(at, rng.random());
        }
        std::fs::write(&path, &bytes).unwrap();
        if let Err(error) = Srdf::from_srdf_file(&path) {
            assert!(error.position.is_some(), "case {number}: {error}");
            assert_eq!(
                error.path.as_deref(),
                Some(path.as_path()),
                "case {number}: {error}"
            );
        }
    }
}
