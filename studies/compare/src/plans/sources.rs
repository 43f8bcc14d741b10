//! Where the robots of the problems are, and their problems.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Where the files of a robot are, and how it stands in the problems.
pub struct Source {
    /// The file of its problems is `robot.txt` or `robot.txt.gz`.
    pub robot: &'static str,
    pub title: &'static str,
    pub urdf: &'static str,
    pub srdf: &'static str,
    /// In the order of the problems.
    pub joints: &'static [&'static str],
    /// The joints that do not move.
    pub others: &'static [(&'static str, f64)],
    /// Height and yaw of the root link in the problems.
    pub base: [f64; 2],
}

const PANDA: [&str; 7] = [
    "panda_joint1",
    "panda_joint2",
    "panda_joint3",
    "panda_joint4",
    "panda_joint5",
    "panda_joint6",
    "panda_joint7",
];
const UR5: [&str; 6] = [
    "shoulder_pan_joint",
    "shoulder_lift_joint",
    "elbow_joint",
    "wrist_1_joint",
    "wrist_2_joint",
    "wrist_3_joint",
];
const FETCH: [&str; 8] = [
    "torso_lift_joint",
    "shoulder_pan_joint",
    "shoulder_lift_joint",
    "upperarm_roll_joint",
    "elbow_flex_joint",
    "forearm_roll_joint",
    "wrist_flex_joint",
    "wrist_roll_joint",
];
/// Open, metres: with 0.0325, as the problems say, the fingers of example-robot-data touch what they are about to grasp in
/// many goals. Those of vamp are fixed, 0.065 m from the middle.
const FINGER: f64 = 0.04;

/// The robots of example-robot-data, and those in `resources` of github.com/KavrakiLab/vamp, for which the problems were made.
pub const SOURCES: [Source; 5] = [
    Source {
        robot: "panda",
        title: "Panda (example-robot-data)",
        urdf: "panda_description/urdf/panda.urdf",
        srdf: "panda_description/srdf/panda.srdf",
        joints: &PANDA,
        others: &[
            ("panda_finger_joint1", FINGER),
            ("panda_finger_joint2", FINGER),
        ],
        base: [0.0, 0.0],
    },
    Source {
        robot: "panda",
        title: "Panda (vamp)",
        urdf: "panda/panda.urdf",
        srdf: "panda/panda.srdf",
        joints: &PANDA,
        others: &[
            ("panda_finger_joint1", FINGER),
            ("panda_finger_joint2", FINGER),
        ],
        base: [0.0, 0.0],
    },
    Source {
        robot: "ur5",
        title: "UR5 (example-robot-data)",
        urdf: "ur_description/urdf/ur5_robot.urdf",
        srdf: "ur_description/srdf/ur5.srdf",
        joints: &UR5,
        others: &[],
        base: [0.9144, 1.57],
    },
    Source {
        robot: "ur5",
        title: "UR5 (vamp)",
        urdf: "ur5/ur5.urdf",
        srdf: "ur5/ur5.srdf",
        joints: &UR5,
        others: &[],
        base: [0.0, 0.0],
    },
    Source {
        robot: "fetch",
        title: "Fetch (vamp)",
        urdf: "fetch/fetch.urdf",
        srdf: "fetch/fetch.srdf",
        joints: &FETCH,
        others: &[],
        base: [0.0, 0.0],
    },
];

/// The folder below `folder` in which a file has this path.
pub fn find(folder: &Path, file: &str) -> Option<PathBuf> {
    if folder.join(file).is_file() {
        return Some(folder.to_owned());
    }
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let mut folders: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    folders.iter().find_map(|folder| find(folder, file))
}

/// The problems of a robot in a folder: packed or not.
///
/// # Errors
/// That there is no such file.
pub fn problem_file(folder: &Path, robot: &str) -> Result<PathBuf> {
    let names = [format!("{robot}.txt"), format!("{robot}.txt.gz")];
    let mut paths = names.iter().map(|name| folder.join(name));
    let found = paths.find(|path| path.is_file());
    found.with_context(|| format!("no {} in {}", names[1], folder.display()))
}
