//! A bite as a robot and its trajectory: what checks, viewers and the studio read.
//!
//! The lower tooth is fixed to the jaw. The upper one hangs on a chain of a joint for each coordinate that changes:
//! x, y, z, yaw, pitch, roll from the jaw on, so that the chain turns by `Rz(yaw) Ry(pitch) Rx(roll)`, as the
//! roll-pitch-yaw angles of a pose do. Both teeth are neighbours of the jaw and not of each other, whose pair would not
//! be checked.

use crate::output::write_number;
use anyhow::Result;
use std::f64::consts::PI;
use std::io::{self, Write};
use superovoid_bite::{Path, Tooth};
use superovoid_robot::{Collision, Joint, JointKind, Limit, Link, Origin, Robot};

/// A coordinate of a pose, which a joint of the chain has.
struct Coordinate {
    joint: &'static str,
    kind: JointKind,
    axis: [f64; 3],
}

const COORDINATES: [Coordinate; 6] = [
    slide("x", [1.0, 0.0, 0.0]),
    slide("y", [0.0, 1.0, 0.0]),
    slide("z", [0.0, 0.0, 1.0]),
    turn("yaw", [0.0, 0.0, 1.0]),
    turn("pitch", [0.0, 1.0, 0.0]),
    turn("roll", [1.0, 0.0, 0.0]),
];

const fn slide(joint: &'static str, axis: [f64; 3]) -> Coordinate {
    let kind = JointKind::Prismatic;
    Coordinate { joint, kind, axis }
}

const fn turn(joint: &'static str, axis: [f64; 3]) -> Coordinate {
    let kind = JointKind::Revolute;
    Coordinate { joint, kind, axis }
}

/// A robot of both teeth, and a row of joint positions for each frame.
pub struct Bitten {
    robot: Robot,
    joints: Vec<usize>,
    rows: Vec<[f64; 6]>,
}

/// Makes the robot and its rows.
///
/// # Errors
/// A tooth with bodies that a robot cannot have.
pub fn bitten(lower: &Tooth, upper: &Tooth, path: &Path) -> Result<Bitten> {
    let rows: Vec<[f64; 6]> = path
        .poses()
        .iter()
        .map(|pose| {
            let Origin { xyz, rpy } = Origin::from_isometry(pose);
            [xyz[0], xyz[1], xyz[2], rpy[2], rpy[1], rpy[0]]
        })
        .collect();
    let moves = |k: &usize| rows.iter().any(|row| row[*k] != 0.0);
    let mut moving: Vec<usize> = (0..6).filter(moves).collect();
    if moving.is_empty() {
        // A tooth that stays where it is has a joint all the same.
        moving.push(2);
    }
    let mut links = vec![Link::new("jaw"), link("lower", lower)];
    let mut joints = vec![Joint::new("fixed", JointKind::Fixed, "jaw", "lower")];
    let mut parent = "jaw".to_owned();
    for (place, &k) in moving.iter().enumerate() {
        let Coordinate { joint, kind, axis } = &COORDINATES[k];
        let last = place + 1 == moving.len();
        let child = if last {
            "upper".to_owned()
        } else {
            format!("upper_{joint}")
        };
        links.push(if last {
            link("upper", upper)
        } else {
            Link::new(child.clone())
        });
        let mut made = Joint::new(*joint, *kind, parent, child.clone());
        made.axis = *axis;
        made.limit = Some(limit(*kind, rows.iter().map(|row| row[k])));
        joints.push(made);
        parent = child;
    }
    Ok(Bitten {
        robot: Robot::new("teeth", links, joints, Vec::new())?,
        joints: moving,
        rows,
    })
}

fn link(name: &str, tooth: &Tooth) -> Link {
    let mut link = Link::new(name);
    let collision = |body: &superovoid_bite::Body| {
        Collision::from_superovoid(body.shape, Origin::from_isometry(&body.pose))
    };
    link.collisions = tooth.bodies().iter().map(collision).collect();
    link
}

/// A turn is free; a slide reaches a tenth beyond what it does, so that a slider can leave the path.
fn limit(kind: JointKind, positions: impl Iterator<Item = f64>) -> Limit {
    let (least, most) = positions.fold((0.0_f64, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
    let beyond = 0.1 * (most - least).max(1e-3);
    let [lower, upper] = match kind {
        JointKind::Prismatic => [least - beyond, most + beyond],
        _ => [-PI, PI],
    };
    Limit {
        lower,
        upper,
        ..Limit::default()
    }
}

impl Bitten {
    /// Writes the robot.
    pub fn urdf(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", self.robot.to_urdf())
    }

    /// Writes the trajectory: a column for each joint, a row for each frame.
    pub fn trajectory(&self, out: &mut dyn Write) -> io::Result<()> {
        let names: Vec<_> = self.joints.iter().map(|&k| COORDINATES[k].joint).collect();
        writeln!(out, "{}", names.join(","))?;
        for row in &self.rows {
            for (place, &k) in self.joints.iter().enumerate() {
                if place > 0 {
                    write!(out, ",")?;
                }
                write_number(out, row[k])?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}
