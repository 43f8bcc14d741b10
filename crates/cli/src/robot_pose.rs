//! A robot from a URDF file, in the configuration given on the command line.

use anyhow::{Context, Result, anyhow, bail, ensure};
use nalgebra::Isometry3;
use std::path::Path;
use std::str::FromStr;
use superovoid_robot::{Configuration, JointPosition, Origin, Robot};

/// `--joint NAME=VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSetting {
    name: String,
    /// The value as written, for messages.
    value: String,
    position: JointPosition,
}

impl JointSetting {
    /// The joint.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl FromStr for JointSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The last `=`: a joint's name may hold one, a number cannot.
        let (name, value) = text
            .rsplit_once('=')
            .filter(|(name, _)| !name.is_empty())
            .ok_or("expected NAME=VALUE, for example elbow=0.5")?;
        Ok(JointSetting {
            name: name.to_owned(),
            value: value.trim().to_owned(),
            position: parse_position(value)?,
        })
    }
}

/// Reads one number, `X,Y,YAW` of a planar joint, or `X,Y,Z,ROLL,PITCH,YAW` of a floating one.
fn parse_position(text: &str) -> Result<JointPosition, String> {
    let parse = |word: &str| {
        let word = word.trim();
        word.parse()
            .map_err(|_| format!("{word:?} is not a number (radians or metres)"))
    };
    let numbers: Vec<f64> = text.split(',').map(parse).collect::<Result<_, _>>()?;
    match numbers[..] {
        [position] => Ok(position.into()),
        [x, y, yaw] => Ok([x, y, yaw].into()),
        [x, y, z, roll, pitch, yaw] => {
            let origin = Origin {
                xyz: [x, y, z],
                rpy: [roll, pitch, yaw],
            };
            Ok(origin.isometry().into())
        }
        _ => Err(format!(
            "{} numbers; expected 1, for a planar joint 3 (X,Y,YAW), for a floating one 6 \
             (X,Y,Z,ROLL,PITCH,YAW)",
            numbers.len()
        )),
    }
}

/// Reads the robot and sets its joints; all others are in their neutral
/// position.
pub fn configure(path: &Path, joints: &[JointSetting]) -> Result<(Robot, Configuration)> {
    let robot = Robot::from_urdf_file(path)?;
    let mut configuration = robot.neutral();
    for (k, joint) in joints.iter().enumerate() {
        if joints[..k].iter().any(|earlier| earlier.name == joint.name) {
            bail!("--joint {}: given twice", joint.name);
        }
        configuration
            .set(&joint.name, joint.position)
            .with_context(|| format!("--joint {}={}", joint.name, joint.value))?;
    }
    Ok((robot, configuration))
}

/// Reads as [`configure`] does, and returns one pose per link in the frame of the root link.
pub fn load(path: &Path, joints: &[JointSetting]) -> Result<(Robot, Vec<Isometry3<f64>>)> {
    let (robot, configuration) = configure(path, joints)?;
    let poses = robot.forward_kinematics(&configuration)?;
    Ok((robot, poses))
}

/// Reads a CSV table with a column for each joint and a row for each configuration; joints without a column stay as in `start`.
pub fn read_table(path: &Path, start: &Configuration) -> Result<Vec<Configuration>> {
    let file = path.display();
    let mut rows = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_path(path)
        .with_context(|| file.to_string())?;
    let joints = rows.headers().with_context(|| file.to_string())?.clone();
    for (k, joint) in joints.iter().enumerate() {
        let twice = joints.iter().take(k).any(|other| other == joint);
        ensure!(!twice, "{file}:1: joint {joint:?} has two columns");
    }
    let mut configurations = Vec::new();
    for row in rows.records() {
        let row = row.with_context(|| file.to_string())?;
        let line = row.position().map_or(0, csv::Position::line);
        let mut configuration = start.clone();
        for (joint, value) in joints.iter().zip(&row) {
            let position: f64 = value
                .parse()
                .map_err(|_| anyhow!("{file}:{line}: {joint}: {value:?} is not a number"))?;
            configuration
                .set(joint, position)
                .with_context(|| format!("{file}:{line}"))?;
        }
        configurations.push(configuration);
    }
    ensure!(!configurations.is_empty(), "{file}: there is no row in it");
    Ok(configurations)
}
