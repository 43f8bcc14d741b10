//! `superovoid visual`, by the readers of MuJoCo and of ROS.

use super::readers::{compiled, lines_of, mujoco, skipped};
use super::{motion, robots};
use crate::common::superovoid;
use std::fs;
use std::path::Path;
use superovoid_robot::{Geometry, Robot};

fn hands() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../urdf/icub_hands.urdf");
    file.to_str().expect("a path that is text").to_owned()
}

#[test]
fn mujoco_imports_what_visual_writes() {
    let folder = tempfile::tempdir().unwrap();
    let run = superovoid(
        &["visual", &hands(), "-o", "hands.urdf", "--mujoco"],
        folder.path(),
    );
    assert!(run.status.success(), "{run:?}");
    let Some(told) = mujoco(&folder.path().join("hands.urdf"), "\n", &[]) else {
        skipped(
            "mujoco_imports_what_visual_writes",
            "SUPEROVOID_PYTHON is no Python with mujoco",
        );
        return;
    };
    let robot = Robot::from_urdf_file(hands()).unwrap();
    // With the world. Each of the 42 shapes has its fallback and its mesh.
    assert_eq!(told[0][1], (robot.links().len() + 1).to_string());
    assert_eq!([&*told[0][3], &told[0][5]], ["84", "42"]);
    let ours = robot.forward_kinematics(&robot.neutral()).unwrap();
    for (link, own) in robot.links().iter().zip(ours) {
        let found = told
            .iter()
            .find(|line| line[0] == "pose" && line[1] == link.name);
        let found = found.unwrap_or_else(|| panic!("{}", link.name));
        assert!(motion::difference(&motion::pose(&found[2..], 0), &own) < 1e-9);
    }
}

#[test]
fn urdfdom_finds_every_mesh_that_visual_writes() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("everything.urdf"), robots::EVERYTHING).unwrap();
    let Some(program) = compiled("urdfdom.cpp", "urdfdom") else {
        skipped(
            "urdfdom_finds_every_mesh_that_visual_writes",
            "liburdfdom-dev is not installed",
        );
        return;
    };
    for (robot, meshes) in [(&*hands(), 42), ("everything.urdf", 3)] {
        let run = superovoid(
            &["visual", robot, "-o", "shown.urdf", "--mujoco"],
            folder.path(),
        );
        assert!(run.status.success(), "{run:?}");
        let shown = folder.path().join("shown.urdf");
        let told = lines_of(&program, &shown);
        let robot = Robot::from_urdf_file(&shown).unwrap();
        let mut found = 0;
        for line in told {
            let link = robot.link_index(&line[0]).unwrap();
            let same = robot.links()[link].visuals.iter().any(|visual| {
                let named = matches!(&visual.geometry, Geometry::Mesh { filename, .. } if *filename == line[1]);
                named && motion::difference(&motion::pose(&line[2..], 3), &visual.origin.isometry()) < 1e-12
            });
            assert!(same && folder.path().join(&line[1]).is_file(), "{line:?}");
            found += 1;
        }
        assert_eq!(found, meshes);
    }
}
