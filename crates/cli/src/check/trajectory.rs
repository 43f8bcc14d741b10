//! Every configuration of a trajectory: a table with a column for each joint and a row for each configuration.

use super::found::{FoundPair, Side, status_name};
use crate::output::{progress_bar, write_whole};
use anyhow::{Context, Result};
use std::io::{self, Write};
use std::path::Path;
use superovoid_robot::scene::{RobotScene, SceneOptions};
use superovoid_robot::{CollisionStatus, Configuration, Robot};

/// The rows of a trajectory that are checked between two steps of the progress bar.
const TOGETHER: usize = 1024;

/// Returns the closest pair of every configuration; `None` where there is none within a distance.
pub fn check(
    scene: &RobotScene,
    configurations: &[Configuration],
    max_distance: f64,
) -> Result<Vec<Option<FoundPair>>> {
    let bar = progress_bar(configurations.len(), "configurations")?;
    let options = SceneOptions::default().with_max_distance(max_distance);
    let mut found = Vec::new();
    for part in configurations.chunks(TOGETHER) {
        let closest = scene.map(part, 0, |scene, configuration| {
            let found = scene.closest(configuration, &options)?;
            Ok::<_, superovoid_robot::scene::RobotSceneError>(
                found.map(|of| FoundPair::of(scene, &of)),
            )
        });
        for (k, closest) in closest.into_iter().enumerate() {
            let row = found.len() - found.len() % TOGETHER + k + 1;
            found.push(closest.with_context(|| format!("row {row}"))?);
        }
        bar.inc(part.len() as u64);
    }
    bar.finish_and_clear();
    Ok(found)
}

/// Writes a row for every configuration.
pub fn write(path: &Path, robot: &Robot, found: &[Option<FoundPair>]) -> Result<()> {
    write_whole(path, |out| {
        writeln!(out, "row,status,distance,lower,upper,a,b")?;
        for (row, pair) in (1..).zip(found) {
            match pair {
                None => writeln!(out, "{row},{},,,,,", unopposed(robot))?,
                Some(pair) => write_row(out, robot, row, pair)?,
            }
        }
        Ok(())
    })
}

/// Returns the status of a configuration in which no pair is compared.
fn unopposed(robot: &Robot) -> &'static str {
    if robot.unchecked().is_empty() {
        "free"
    } else {
        "unchecked"
    }
}

fn write_row(out: &mut dyn Write, robot: &Robot, row: usize, pair: &FoundPair) -> io::Result<()> {
    let status = match pair.status() {
        CollisionStatus::Free => unopposed(robot),
        status => status_name(status),
    };
    let contact = &pair.contact;
    let (a, b) = (Side::Link(pair.a.0, pair.a.1), &pair.b);
    let [a, b] = [a.label(robot), b.label(robot)].map(|name| crate::fit_options::quoted(&name));
    let (distance, lower, upper) = (contact.distance, contact.lower, contact.upper);
    writeln!(
        out,
        "{row},{status},{distance:.16e},{lower:.16e},{upper:.16e},{a},{b}"
    )
}

/// Returns a line about all configurations.
pub fn summary(robot: &Robot, found: &[Option<FoundPair>]) -> String {
    let with = |status| {
        let pairs = found.iter().flatten();
        pairs.filter(|pair| pair.status() == status).count()
    };
    let (collisions, undecided) = (
        with(CollisionStatus::Collision),
        with(CollisionStatus::Undecided),
    );
    let rest = found.len() - collisions - undecided;
    let mut parts = Vec::new();
    if collisions > 0 {
        parts.push(format!("{collisions} IN COLLISION"));
    }
    if undecided > 0 {
        parts.push(format!("{undecided} UNDECIDED"));
    }
    if rest > 0 {
        let status = if unopposed(robot) == "free" {
            "free"
        } else {
            "NOT CHECKED"
        };
        parts.push(format!("{rest} {status}"));
    }
    format!(
        "{}: of {} configurations {}{}\n",
        robot.name(),
        found.len(),
        parts.join(", "),
        super::report::left_out(robot)
    )
}
