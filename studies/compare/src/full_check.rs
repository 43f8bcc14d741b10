//! The full check of both hands: the distance of every pair of bodies that are not adjacent, per configuration.
//!
//! Nobody culls: each pair's distance is asked for. Ours begins with the configuration, and so with the forward
//! kinematics; the peers are given the poses. Meshes have no depth, and so no least clearance in a collision.

use crate::peer::{Answer, Engines, Peer, full_check_peers};
use crate::reference;
use crate::statistics::spread;
use crate::threads;
use crate::workload::{Hands, Scene};
use anyhow::{Context, Result};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::time::Instant;
use superovoid_robot::ClearanceOptions;
use superovoid_robot::scene::{RobotScene, SceneOptions};

/// Who was asked, and what came of it.
pub struct Row {
    pub name: String,
    /// Microseconds of each configuration, the fastest of the rounds.
    pub times: Vec<f64>,
    /// Mean microseconds over the configurations in each round.
    pub rounds: Vec<f64>,
    /// Least clearance of each configuration; −∞: a collision of unknown depth; NaN: not asked for.
    pub least: Vec<f64>,
    /// Pairs without an answer, of all configurations.
    pub failed: usize,
}

pub struct FullCheck {
    pub pairs: usize,
    /// The oracle's least clearance of each configuration.
    pub reference: Vec<f64>,
    /// The first is ours, cold.
    pub rows: Vec<Row>,
    pub missing: Vec<String>,
}

impl Row {
    pub fn mean(&self) -> f64 {
        self.times.iter().sum::<f64>() / self.times.len() as f64
    }

    pub fn spread(&self) -> f64 {
        spread(&self.rounds)
    }

    pub fn slowest(&self) -> f64 {
        self.times.iter().copied().fold(0.0, f64::max)
    }
}

impl FullCheck {
    /// Largest error of a least clearance, metres, and how many collisions are called free or the reverse.
    pub fn errors(&self, row: &Row) -> (f64, usize) {
        let (mut largest, mut wrong) = (f64::NAN, 0);
        for (found, exact) in row.least.iter().zip(&self.reference) {
            if found.is_nan() {
                continue;
            }
            wrong += usize::from((*found > 0.0) != (*exact > 0.0));
            if found.is_finite() {
                largest = (found - exact).abs().max(largest);
            }
        }
        (largest, wrong)
    }
}

/// One way to check a configuration by its place.
type Check<'a> = Box<dyn FnMut(usize) -> Result<Checked> + 'a>;

struct Checked {
    microseconds: f64,
    /// As in [`Row`].
    least: f64,
    /// Pairs without an answer.
    failed: usize,
}

impl Checked {
    /// Ours, begun at `start`: an answer to every pair, or an error.
    fn now(start: Instant, least: impl FnOnce() -> Option<f64>) -> Result<Checked> {
        let microseconds = microseconds(start);
        Ok(Checked {
            microseconds,
            least: least().context("no pairs")?,
            failed: 0,
        })
    }
}

/// Meshes take a fraction of a second, some even seconds: more rounds would take longer than all else.
const ROUNDS: usize = 3;

/// Steps of the progress bar.
pub fn steps(configurations: usize, rounds: usize) -> u64 {
    (configurations * rounds.min(ROUNDS)) as u64
}

pub fn run(
    configurations: usize,
    rounds: usize,
    engines: &Engines,
    progress: &ProgressBar,
) -> Result<FullCheck> {
    let rounds = rounds.min(ROUNDS);
    let hands = Hands::load()?;
    let scene = hands.scene(configurations)?;
    let pairs = hands.pairs.len();
    let least = |k| reference::least(&scene.workload, k * pairs..(k + 1) * pairs);
    let reference = threads::on_all(|| (0..configurations).into_par_iter().map(least).collect());
    let mut checks = ours(&hands, &scene)?;
    let mut missing = Vec::new();
    for (peer, name) in full_check_peers(&scene.workload, engines) {
        match peer {
            Ok(peer) => checks.push((name.to_owned(), every_pair(peer, pairs))),
            Err(why) => missing.push(format!("{name}: {why}")),
        }
    }
    let row = |(name, _): &(String, Check)| Row {
        name: name.clone(),
        times: vec![f64::INFINITY; configurations],
        rounds: vec![0.0; rounds],
        least: vec![f64::NAN; configurations],
        failed: 0,
    };
    let mut rows: Vec<Row> = checks.iter().map(row).collect();
    for round in 0..rounds {
        for k in 0..configurations {
            for turn in 0..checks.len() {
                let turn = (turn + round + k) % checks.len();
                let found = checks[turn].1(k)?;
                let row = &mut rows[turn];
                row.times[k] = row.times[k].min(found.microseconds);
                row.rounds[round] += found.microseconds / configurations as f64;
                row.least[k] = found.least;
                row.failed += if round == 0 { found.failed } else { 0 };
            }
            progress.inc(1);
        }
    }
    Ok(FullCheck {
        pairs,
        reference,
        rows,
        missing,
    })
}

/// A peer on all pairs of a configuration.
fn every_pair<'a>(mut peer: Box<dyn Peer + 'a>, pairs: usize) -> Check<'a> {
    let mut answers = vec![Answer::NONE; pairs];
    Box::new(move |k| {
        let start = Instant::now();
        peer.run(k * pairs..(k + 1) * pairs, &mut answers);
        let microseconds = microseconds(start);
        let known = answers.iter().filter(|answer| !answer.failed());
        let least = known.clone().map(|answer| answer.distance);
        Ok(Checked {
            microseconds,
            least: least.fold(f64::INFINITY, f64::min),
            failed: pairs - known.count(),
        })
    })
}

fn microseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
}

fn ours<'a>(hands: &'a Hands, scene: &'a Scene) -> Result<Vec<(String, Check<'a>)>> {
    let at = |k: usize| &scene.configurations[k];
    let before = |k: usize| &scene.before[k];
    let robot = &hands.robot;
    let mut cold = RobotScene::new(robot.clone())?;
    let mut warm = RobotScene::new(robot.clone())?;
    let mut closest = RobotScene::new(robot.clone())?;
    let mut collision = RobotScene::new(robot.clone())?;
    let all = SceneOptions::default();
    let asked = ClearanceOptions::default();
    let mut checks: Vec<(String, Check)> = Vec::new();
    checks.push((
        "superovoid, cold: Robot::clearances".to_owned(),
        Box::new(move |k| {
            let start = Instant::now();
            let found = robot.clearances(at(k), &asked)?;
            Checked::now(start, || found.pairs.first().map(|p| p.contact.distance))
        }),
    ));
    checks.push((
        "superovoid, cold: RobotScene::contacts".to_owned(),
        Box::new(move |k| {
            cold.clear_warm_starts();
            let start = Instant::now();
            let found = cold.contacts(at(k), &all)?;
            Checked::now(start, || found.first().map(|p| p.contact.distance))
        }),
    ));
    checks.push((
        "superovoid, warm (1 mm): RobotScene::contacts".to_owned(),
        Box::new(move |k| {
            warm.contacts(before(k), &all)?;
            let start = Instant::now();
            let found = warm.contacts(at(k), &all)?;
            Checked::now(start, || found.first().map(|p| p.contact.distance))
        }),
    ));
    checks.push((
        "superovoid, only the closest, warm: RobotScene::closest".to_owned(),
        Box::new(move |k| {
            closest.closest(before(k), &all)?;
            let start = Instant::now();
            let found = closest.closest(at(k), &all)?;
            Checked::now(start, || found.map(|p| p.contact.distance))
        }),
    ));
    checks.push((
        "superovoid, collision or not, warm: RobotScene::in_collision".to_owned(),
        Box::new(move |k| {
            collision.in_collision(before(k), &all)?;
            let start = Instant::now();
            collision.in_collision(at(k), &all)?;
            Checked::now(start, || Some(f64::NAN))
        }),
    ));
    Ok(checks)
}
