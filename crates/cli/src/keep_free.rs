//! The poses of `fit-robot --keep-free`, and what is told of the pairs of links in them.

use crate::fit_options::{label, table};
use crate::robot_pose;
use crate::robot_scene::with_meshes;
use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use std::path::{Path, PathBuf};
use superovoid_fit::{FittedRobot, KeepFree, KeptFree, PairDistance};
use superovoid_robot::scene::RobotScene;
use superovoid_robot::{Configuration, GroupState, Robot, Srdf};

/// A robot as it is, and the poses in which its pairs are compared.
pub struct Poses {
    scene: RobotScene,
    poses: Vec<(String, Configuration)>,
}

impl Poses {
    pub fn read(path: &Path, files: &[PathBuf], package_paths: &[PathBuf]) -> Result<Self> {
        let (robot, _) = with_meshes(Robot::from_urdf_file(path)?, path, package_paths)?;
        let mut scene = RobotScene::new(robot).with_context(|| path.display().to_string())?;
        let mut poses = Vec::new();
        for file in files {
            let name = file.display();
            match file.extension().and_then(|e| e.to_str()).unwrap_or("") {
                "srdf" => {
                    for warning in scene.apply_srdf(&Srdf::from_srdf_file(file)?) {
                        eprintln!("note: {name}: {warning}");
                    }
                    for state in GroupState::from_srdf_file(file)? {
                        let (line, column) = state.position;
                        let place =
                            || format!("{name}:{line}:{column}: group_state {:?}", state.name);
                        let configuration = state.configuration(scene.robot());
                        let configuration = configuration.with_context(place)?;
                        let title = format!("{:?} of {} in {name}", state.name, state.group);
                        poses.push((title, configuration));
                    }
                }
                "csv" => {
                    let rows = robot_pose::read_table(file, &scene.robot().neutral())?;
                    let named = (1..).zip(rows);
                    poses.extend(named.map(|(row, of)| (format!("row {row} of {name}"), of)));
                }
                _ => bail!("{name}: unknown ending; expected .srdf or .csv"),
            }
        }
        let files: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
        ensure!(
            !poses.is_empty(),
            "{}: there is no <group_state> in it, and no other pose to keep free",
            files.join(", ")
        );
        Ok(Poses { scene, poses })
    }

    pub fn keep(&self, most: u32) -> KeepFree<'_> {
        KeepFree::new(&self.scene, &self.poses).with_most(most)
    }

    /// The distances of the nearest pairs, and which pairs are not kept.
    pub fn for_people(&self, fitted: &FittedRobot, kept: &KeptFree) -> String {
        /// The nearest pairs that are listed.
        const LISTED: usize = 20;
        let name = |link: usize| fitted.robot.links()[link].name.as_str();
        let number = |metres: f64| format!("{:.3}", 1e3 * metres);
        let rows = kept.pairs.iter().take(LISTED).map(|pair| {
            vec![
                name(pair.links[0]).to_owned(),
                name(pair.links[1]).to_owned(),
                self.poses[pair.pose].0.clone(),
                number(pair.as_is),
                number(pair.fitted),
                number(pair.as_is - pair.fitted),
            ]
        });
        let header = [
            "link a",
            "link b",
            "pose",
            "as is/mm",
            "fitted/mm",
            "lost/mm",
        ];
        let mut text = match kept.pairs[..] {
            [] => String::new(),
            _ => table(&header, 3, rows.collect()),
        };
        let more = kept.pairs.len().saturating_sub(LISTED);
        if more > 0 {
            text += &format!("  … and {more} more pairs (--format json lists them)\n");
        }
        let poses = match self.poses.len() {
            1 => "1 pose".to_owned(),
            count => format!("{count} poses"),
        };
        text += &format!("kept free in {poses}");
        for raised in &kept.raised {
            let label = label(fitted, raised.link, raised.collision);
            text += &format!(
                "; {label}: {} bodies in place of {}",
                raised.bodies, raised.from
            );
        }
        for pair in &kept.colliding {
            let [a, b] = pair.links.map(name);
            let pose = &self.poses[pair.pose].0;
            text += &format!("; not kept, since it is not free as it is: {a} with {b} in {pose}");
        }
        text + "\n"
    }

    pub fn for_programs<'a>(&'a self, fitted: &'a FittedRobot, kept: &KeptFree) -> Kept<'a> {
        let link = |link: usize| fitted.robot.links()[link].name.as_str();
        let row = |pair: &PairDistance| PairRow {
            link_a: link(pair.links[0]),
            link_b: link(pair.links[1]),
            pose: &self.poses[pair.pose].0,
            as_is: pair.as_is,
            fitted: pair.fitted,
        };
        let raised = kept.raised.iter().map(|raised| RaisedRow {
            link: link(raised.link),
            collision: raised.collision,
            from: raised.from,
            bodies: raised.bodies,
        });
        Kept {
            poses: self.poses.len(),
            pairs: kept.pairs.iter().map(row).collect(),
            colliding: kept.colliding.iter().map(row).collect(),
            raised: raised.collect(),
        }
    }
}

#[derive(Serialize)]
pub struct Kept<'a> {
    poses: usize,
    /// The pairs that are near in a pose in which they are free, each in the pose in which its bodies are nearest.
    pairs: Vec<PairRow<'a>>,
    /// The pairs that collide as they are, each in the worst pose.
    colliding: Vec<PairRow<'a>>,
    raised: Vec<RaisedRow<'a>>,
}

/// Distances in metres; overlaps are negative.
#[derive(Serialize)]
struct PairRow<'a> {
    link_a: &'a str,
    link_b: &'a str,
    pose: &'a str,
    as_is: f64,
    fitted: f64,
}

#[derive(Serialize)]
struct RaisedRow<'a> {
    link: &'a str,
    /// The index among the collisions of the link as they were read, from 0.
    collision: usize,
    from: usize,
    bodies: usize,
}
