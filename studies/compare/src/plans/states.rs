//! Whether states are free: the time of every checker, and our answers beside coal's.

use super::model::{Model, obstacles};
use super::problems::Problem;
use crate::planner::foreign::{Checker, Engine};
use anyhow::{Context, Result};
use std::time::Instant;
use superovoid_robot::Configuration;
use superovoid_robot::scene::{RobotScene, SceneOptions};

/// The distance, metres, within which a disagreement is one of rounding and of GJK's tolerance.
pub const TOUCHING: f64 = 1e-6;

/// The states of a block.
const BLOCK: usize = 8;

/// Our ways to ask.
pub const OURS: [&str; 3] = [
    "superovoid, all states of a problem in one batch",
    "superovoid, blocks of 8",
    "superovoid, one by one, warm",
];

/// What decides a state.
pub const STEPS: [&str; 5] = ["bounds", "directions", "hulls", "pieces", "contacts"];

/// Loops over pairs, and broad phases.
pub const WAYS: [&str; 2] = ["pairs whose boxes meet", "dynamic trees of boxes"];

/// States of all problems of a robot.
pub struct Tally {
    pub title: &'static str,
    pub states: usize,
    pub colliding: usize,
    /// Colliding by coal, free by us, and the reverse.
    pub wrong: [usize; 2],
    /// Of these, those that are within [`TOUCHING`] by both.
    pub touching: [usize; 2],
    /// Of the false alarms, those where a body lies wholly in a closed mesh, which is only a surface to coal.
    pub enclosed: usize,
    /// What they are, the first of them: coal's and our signed distance.
    pub told: Vec<String>,
    /// Answered differently in one batch, in blocks or one by one.
    pub differing: usize,
    /// Without an answer of coal.
    pub failed: usize,
    /// How many states each step of ours has decided, in the order of [`STEPS`].
    pub steps: [u64; STEPS.len()],
    /// Seconds of each checker: [`OURS`], then two of each engine.
    pub seconds: Vec<f64>,
}

/// The other engines with the bodies of a robot.
pub struct Peers<'a> {
    pub names: Vec<String>,
    checkers: Vec<Checker<'a>>,
}

impl<'a> Peers<'a> {
    /// # Errors
    /// What an engine cannot do.
    pub fn new(engines: &'a [(&'static str, Engine)], model: &Model) -> Result<Self> {
        let mut peers = Peers {
            names: Vec::new(),
            checkers: Vec::new(),
        };
        for (name, engine) in engines {
            for (way, what) in (0..).zip(WAYS) {
                peers.names.push(format!("{name}, {what}"));
                let checker = engine.scene(&model.bodies(), &model.pairs, way)?;
                peers.checkers.push(checker);
            }
        }
        Ok(peers)
    }

    /// # Errors
    /// What an engine cannot do.
    pub fn stand(&mut self, problem: &Problem) -> Result<()> {
        let obstacles = obstacles(problem);
        self.checkers
            .iter_mut()
            .try_for_each(|checker| checker.stand(&obstacles))
    }

    /// Whether states collide by coal in a loop over the pairs (NaN where it fails), and its nanoseconds.
    ///
    /// # Errors
    /// A configuration of another robot.
    pub fn collide(&mut self, model: &Model, states: &[Configuration]) -> Result<(Vec<f64>, f64)> {
        let mut answers = vec![f64::NAN; states.len()];
        let poses = model.poses(states)?;
        let first = self.checkers.first_mut().context("no engine")?;
        let nanoseconds = first.ask(&poses, 0, &mut answers);
        Ok((answers, nanoseconds))
    }
}

impl Tally {
    pub fn new(title: &'static str, peers: &Peers) -> Self {
        Tally {
            title,
            states: 0,
            colliding: 0,
            wrong: [0; 2],
            touching: [0; 2],
            enclosed: 0,
            told: Vec::new(),
            differing: 0,
            failed: 0,
            steps: [0; STEPS.len()],
            seconds: vec![0.0; OURS.len() + peers.names.len()],
        }
    }

    /// Microseconds a state.
    pub fn mean(&self, checker: usize) -> f64 {
        1e6 * self.seconds[checker] / self.states as f64
    }

    /// Asks all checkers about states among the obstacles of a problem, with which the peers stand already.
    ///
    /// # Errors
    /// What a scene refuses.
    pub fn ask(
        &mut self,
        (model, problem): (&Model, &Problem),
        scene: &RobotScene,
        peers: &mut Peers,
        states: &[Configuration],
        rounds: usize,
    ) -> Result<()> {
        if states.is_empty() {
            return Ok(());
        }
        let options = SceneOptions::default();
        let poses = model.poses(states)?;
        let mut theirs = vec![vec![f64::NAN; states.len()]; peers.checkers.len()];
        let mut fastest = vec![f64::INFINITY; self.seconds.len()];
        let mut ours = Vec::new();
        let mut others = [Vec::new(), Vec::new()];
        let mut scene = scene.clone();
        for _ in 0..rounds {
            let mut keep = |checker: usize, seconds: f64| {
                fastest[checker] = seconds.min(fastest[checker]);
            };
            let start = Instant::now();
            ours = scene.in_collision_batch(states, &options, 1)?;
            keep(0, start.elapsed().as_secs_f64());
            others.iter_mut().for_each(Vec::clear);
            let start = Instant::now();
            let before = steps(&scene);
            for block in states.chunks(BLOCK) {
                others[0].extend(scene.in_collision_batch(block, &options, 1)?);
            }
            keep(1, start.elapsed().as_secs_f64());
            for (k, after) in steps(&scene).into_iter().enumerate() {
                self.steps[k] += after - before[k];
            }
            scene.clear_warm_starts();
            let start = Instant::now();
            for state in states {
                others[1].push(scene.in_collision(state, &options)?);
            }
            keep(2, start.elapsed().as_secs_f64());
            let checkers = peers.checkers.iter_mut().zip(&mut theirs);
            for (k, (checker, answers)) in checkers.enumerate() {
                let nanoseconds = checker.ask(&poses, 0, answers);
                keep(OURS.len() + k, 1e-9 * nanoseconds);
            }
        }
        for (sum, fastest) in self.seconds.iter_mut().zip(&fastest) {
            *sum += fastest;
        }
        self.states += states.len();
        for other in &others {
            let pairs = ours.iter().zip(other);
            self.differing += pairs.filter(|(a, b)| a != b).count();
        }
        let coal = theirs.first().context("no engine")?;
        let numbers = poses.len() / states.len();
        for (k, (&ours, &theirs)) in ours.iter().zip(coal).enumerate() {
            self.failed += usize::from(theirs.is_nan());
            self.colliding += usize::from(theirs > 0.0);
            if theirs.is_nan() || ours == (theirs > 0.0) {
                continue;
            }
            let mut depth = [f64::NAN];
            peers.checkers[0].ask(&poses[numbers * k..][..numbers], 2, &mut depth);
            let closest = scene.closest(&states[k], &options)?;
            let own = closest.map_or(f64::INFINITY, |found| found.contact.distance);
            let kind = usize::from(ours);
            self.wrong[kind] += 1;
            self.touching[kind] += usize::from(depth[0].abs().max(own.abs()) <= TOUCHING);
            if ours && model.encloses(problem, &states[k])? {
                self.enclosed += 1;
                continue;
            }
            if self.told.len() < MOST_TOLD {
                let [verdict, place] = [["missed", "false alarm"][kind], &problem.scenario];
                let (index, depth) = (problem.index, depth[0]);
                self.told.push(format!(
                    "{verdict}: {place} {index}, {}: {depth:.2e} m by coal, {own:.2e} m by us{}",
                    self.title,
                    closest.map_or(String::new(), |found| format!(
                        " (link {} with {:?})",
                        model.scene.robot().links()[found.link].name,
                        found.with
                    )),
                ));
            }
        }
        Ok(())
    }
}

fn steps(scene: &RobotScene) -> [u64; STEPS.len()] {
    let found = scene.step_counts();
    [
        found.bounds,
        found.directions,
        found.hulls,
        found.pieces,
        found.contacts,
    ]
}

/// The disagreements of which a report tells.
const MOST_TOLD: usize = 5;
