//! A robot from a URDF file, in the pose given on the command line.

use anyhow::{Context, Result, bail};
use nalgebra::Isometry3;
use std::path::Path;
use std::str::FromStr;
use superovoid::robot::Robot;

/// `--joint NAME=VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSetting {
    name: String,
    value: f64,
}

impl FromStr for JointSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The last `=`: a joint's name may hold one, a number cannot.
        let (name, value) = text
            .rsplit_once('=')
            .filter(|(name, _)| !name.is_empty())
            .ok_or("expected NAME=VALUE, for example elbow=0.5")?;
        let value = value
            .trim()
            .parse()
            .map_err(|_| format!("{value:?} is not a number (radians or metres)"))?;
        Ok(JointSetting {
            name: name.to_owned(),
            value,
        })
    }
}

/// Reads the robot and gives one pose per link in the frame of its root link, with joints that are
/// not mentioned in their neutral position.
pub fn load(path: &Path, joints: &[JointSetting]) -> Result<(Robot, Vec<Isometry3<f64>>)> {
    let robot = Robot::from_urdf_file(path)?;
    let mut configuration = robot.neutral();
    for (k, joint) in joints.iter().enumerate() {
        if joints[..k].iter().any(|earlier| earlier.name == joint.name) {
            bail!("--joint {}: given twice", joint.name);
        }
        configuration
            .set(&joint.name, joint.value)
            .with_context(|| format!("--joint {}={}", joint.name, joint.value))?;
    }
    let poses = robot.forward_kinematics(&configuration)?;
    Ok((robot, poses))
}
