//! Edges: what we prove of them, beside coal at many states.

use super::model::Model;
use super::problems::Problem;
use super::states::Peers;
use anyhow::Result;
use std::collections::BTreeMap;
use std::time::Instant;
use superovoid_robot::scene::{Counterpart, RobotScene};
use superovoid_robot::{EdgeOptions, EdgeStatus};

/// The greatest distance of the states by which coal judges an edge, radians.
const FINE: f64 = 1e-3;

/// Edges of all problems of a robot.
pub struct Edges {
    pub title: &'static str,
    /// Proven free, proven to touch, undecided.
    pub answers: [usize; 3],
    /// That touch in a state by coal.
    pub touching: usize,
    /// Proven free by us, and touching by coal: an error of one of us.
    pub contradicted: usize,
    /// Not proven free by us, and free in all states by coal.
    pub only_free_in_states: usize,
    /// Microseconds of our proofs: the fastest round, and the first, after others have had the caches.
    pub times: Vec<f64>,
    pub first: Vec<f64>,
    /// Microseconds of coal for all of its states, until one touches.
    pub coal: Vec<f64>,
    /// The links that are proven to touch each other, or an obstacle, and how often.
    pub pairs: BTreeMap<String, usize>,
    /// The edges that are contradicted.
    pub told: Vec<String>,
}

impl Edges {
    pub fn new(title: &'static str) -> Self {
        Edges {
            title,
            answers: [0; 3],
            touching: 0,
            contradicted: 0,
            only_free_in_states: 0,
            times: Vec::new(),
            first: Vec::new(),
            coal: Vec::new(),
            pairs: BTreeMap::new(),
            told: Vec::new(),
        }
    }

    /// Asks about an edge among the obstacles of a problem, with which the peers stand already; returns whether it is
    /// proven free.
    ///
    /// # Errors
    /// What a scene refuses.
    pub fn ask(
        &mut self,
        (model, problem): (&Model, &Problem),
        scene: &mut RobotScene,
        peers: &mut Peers,
        ends: [&[f64]; 2],
        rounds: usize,
    ) -> Result<bool> {
        let [from, to] = [model.configuration(ends[0])?, model.configuration(ends[1])?];
        let options = EdgeOptions::default().with_first_contact(false);
        let mut times = Vec::new();
        let mut answer = None;
        for _ in 0..rounds.max(1) {
            let start = Instant::now();
            answer = Some(scene.edge_free(&from, &to, &options)?);
            times.push(1e6 * start.elapsed().as_secs_f64());
        }
        let (status, contact) =
            answer.map_or((EdgeStatus::Undecided, None), |a| (a.status, a.contact));
        if let (EdgeStatus::Hit, Some(contact)) = (status, contact) {
            let name = |link: usize| &scene.robot().links()[link].name;
            let other = match contact.with {
                Counterpart::Link { link, .. } => name(link),
                _ => "an obstacle",
            };
            let pair = format!("{} with {other}", name(contact.link));
            *self.pairs.entry(pair).or_default() += 1;
        }
        self.first.push(times[0]);
        self.times
            .push(times.into_iter().fold(f64::INFINITY, f64::min));
        let (touches, microseconds) = touches(model, peers, ends)?;
        self.coal.push(microseconds);
        let answer = match status {
            EdgeStatus::Free => 0,
            EdgeStatus::Hit => 1,
            EdgeStatus::Undecided => 2,
        };
        self.answers[answer] += 1;
        self.touching += usize::from(touches);
        let free = answer == 0;
        self.only_free_in_states += usize::from(!free && !touches);
        if free && touches {
            self.contradicted += 1;
            let (scenario, index) = (&problem.scenario, problem.index);
            self.told.push(format!("{scenario} {index}: {ends:?}"));
        }
        Ok(free)
    }

    pub fn count(&self) -> usize {
        self.times.len()
    }
}

/// Whether an edge touches in a state by coal, and its microseconds.
///
/// # Errors
/// A configuration outside of the limits.
pub fn touches(model: &Model, peers: &mut Peers, ends: [&[f64]; 2]) -> Result<(bool, f64)> {
    /// The states that are asked at once.
    const CHUNK: usize = 256;
    let mut microseconds = 0.0;
    for states in model.line(ends, FINE)?.chunks(CHUNK) {
        let (answers, nanoseconds) = peers.collide(model, states)?;
        microseconds += 1e-3 * nanoseconds;
        // What has no answer counts as touching.
        if answers.iter().any(|answer| *answer != 0.0) {
            return Ok((true, microseconds));
        }
    }
    Ok((false, microseconds))
}
