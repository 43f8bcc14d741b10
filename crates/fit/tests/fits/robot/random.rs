//! Random URDF files, right and spoiled, from the generator of the reader's tests.

use super::meshes::egg;
use super::{Folder, rough, text};
use superovoid_fit::FitRobotError;
use superovoid_robot::{Collision, Geometry, Robot};

#[test]
fn random_robots_keep_all_but_their_collisions() {
    let [fitted, meshes] = run(0..40);
    assert!(fitted > 10 && meshes > 1, "{fitted} {meshes}");
}

#[test]
#[ignore = "minutes"]
fn random_robots_keep_all_but_their_collisions_long() {
    let [fitted, meshes] = run(0..3000);
    eprintln!("{fitted} robots fitted, with {meshes} meshes");
}

/// How many of these robots are fitted, and how many meshes they have.
fn run(cases: std::ops::Range<u64>) -> [usize; 2] {
    let folder = Folder::new();
    // What the generator calls its mesh: a package beside the robot, and a way out of it that ends beside it.
    folder.write("a/b", "");
    folder.write("b c.dae", egg().dae(""));
    let options = rough();
    let [mut fitted, mut meshes] = [0; 2];
    for number in cases {
        let case = superovoid_urdf_tests::case(number);
        let before = Robot::from_urdf_str(&case.text);
        let found = match (folder.fit(&case.text, &options), &before) {
            (Ok(found), Ok(_)) => found,
            (Err(FitRobotError::Urdf(_)), Err(_)) => continue,
            // Sizes near the ends of the number range, and names of meshes that were spoiled.
            (Err(FitRobotError::Fit { .. } | FitRobotError::Path { .. }), Ok(_)) => continue,
            (Err(FitRobotError::Read { .. }), Ok(_)) => continue,
            (found, _) => panic!("case {number}: {found:?}\n{}", case.text),
        };
        let before = before.unwrap();
        let after = Robot::from_urdf_str(&found.urdf).unwrap();
        assert_eq!(
            text::around(&found.urdf),
            text::around(&case.text),
            "case {number}"
        );
        assert_eq!(before.joints(), after.joints(), "case {number}");
        for (old, new) in before.links().iter().zip(after.links()) {
            assert_eq!((&old.name, &old.inertial), (&new.name, &new.inertial));
            assert_eq!(old.visuals, new.visuals, "case {number}");
            assert_eq!(old.collisions.len(), new.collisions.len(), "case {number}");
            for (old, new) in old.collisions.iter().zip(&new.collisions) {
                judge(old, new);
                meshes += usize::from(matches!(old.geometry, Geometry::Mesh { .. }));
            }
        }
        fitted += 1;
    }
    [fitted, meshes]
}

fn judge(old: &Collision, new: &Collision) {
    assert_eq!(old.name, new.name);
    match (old.superovoid, &old.geometry) {
        (Some(_), _) | (None, Geometry::Capsule { .. }) => {
            assert_eq!(old, new);
        }
        (None, Geometry::Mesh { .. }) => {
            let is_mesh = matches!(new.geometry, Geometry::Mesh { .. });
            assert!(new.superovoid.is_some() && !is_mesh);
        }
        _ => {
            assert!(new.superovoid.is_some());
            assert_eq!((old.origin, &old.geometry), (new.origin, &new.geometry));
        }
    }
}
