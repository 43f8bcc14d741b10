//! The edges of a plan: their states at a spacing, their proofs, and when both have to end.

use super::answer::{PlanStatistics, Touching};
use super::error::PlanError;
use super::options::PlanOptions;
use super::prove::Proofs;
use super::space::{Space, distance};
use super::watch::Watch;
use superovoid_robot::scene::{RobotScene, SceneOptions};

pub(crate) struct Edges<'a> {
    scene: &'a mut RobotScene,
    pub space: Space,
    pub options: PlanOptions,
    pub statistics: PlanStatistics,
    pub watch: Watch<'a>,
    proofs: Proofs,
    /// The greatest distance of two states.
    spacing: f64,
    /// Whether every edge is proven as soon as its states are free.
    pub prove_each: bool,
}

/// The factor of the spacing where edges are proven: what passes between two states the proof refuses.
const BEFORE_PROOF: f64 = 2.0;

/// The number of states that are asked at once.
const MOST_STATES: usize = 4096;

impl<'a> Edges<'a> {
    pub fn new(
        scene: &'a mut RobotScene,
        space: Space,
        options: &PlanOptions,
        watch: Watch<'a>,
    ) -> Self {
        Edges {
            scene,
            space,
            options: *options,
            statistics: PlanStatistics::default(),
            watch,
            proofs: Proofs::default(),
            spacing: if options.prove {
                BEFORE_PROOF * options.spacing
            } else {
                options.spacing
            },
            prove_each: false,
        }
    }

    /// Returns the pair that keeps a point from being free.
    pub fn touching(&mut self, point: &[f64]) -> Result<Option<Touching>, PlanError> {
        let configuration = self.space.configuration(point)?;
        // Whether it is free is known far sooner than what is closest.
        let options = SceneOptions::default();
        let one = std::slice::from_ref(&configuration);
        if self.scene.find_collision(one, &options)?.is_none() {
            return Ok(None);
        }
        let touching = options.with_max_distance(0.0);
        let mut closest = self.scene.closest(&configuration, &touching)?;
        if closest.is_none() {
            // They touch within the tolerance.
            closest = self.scene.closest(&configuration, &options)?;
        }
        Ok(closest.map(|contact| Touching::of(self.scene, contact)))
    }

    /// Whether the plan has to end: the time is used up, or it was cancelled.
    pub fn is_over(&mut self) -> bool {
        self.watch.is_over(&self.statistics)
    }

    pub fn out_of_samples(&self) -> bool {
        self.statistics.samples >= self.options.max_samples
    }

    /// Whether the robot may take an edge whose first end is free, by its states or by its proof.
    pub fn is_free(&mut self, ends: [&[f64]; 2]) -> Result<bool, PlanError> {
        let [from, to] = ends;
        let refused = self.proofs.refused([from, to]) || self.proofs.refused([to, from]);
        if refused || !self.states_are_free(ends)? {
            return Ok(false);
        }
        Ok(!self.prove_each || self.prove(ends)?)
    }

    fn states_are_free(&mut self, [from, to]: [&[f64]; 2]) -> Result<bool, PlanError> {
        let count = (distance(from, to) / self.spacing).ceil().max(1.0) as usize;
        self.statistics.edges_checked += 1;
        // In parts, between which the plan may end.
        let (mut begin, mut end) = (from.to_vec(), from.to_vec());
        for first in (0..count).step_by(MOST_STATES) {
            let last = count.min(first + MOST_STATES);
            let states = &mut self.statistics.states_checked;
            *states = states.saturating_add(last - first);
            begin.clone_from(&end);
            let t = last as f64 / count as f64;
            self.space.between([from, to], t, &mut end);
            let [begin, end] = self.space.configurations([&begin, &end])?;
            let options = SceneOptions::default();
            let states = last - first;
            let found = self
                .scene
                .find_collision_between(begin, end, states, &options)?;
            if found.is_some() || self.is_over() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an edge is proven free.
    pub fn prove(&mut self, ends: [&[f64]; 2]) -> Result<bool, PlanError> {
        if let Some(known) = self.proofs.known(ends) {
            return Ok(known);
        }
        let [from, to] = self.space.configurations(ends)?;
        let (watch, statistics) = (&mut self.watch, &self.statistics);
        let mut stop = || watch.is_over(statistics);
        let proofs = &mut self.proofs;
        let free = proofs.prove(self.scene, ends, [from, to], &mut stop)?;
        if free {
            self.statistics.edges_proven += 1;
        } else {
            self.statistics.edges_refused += 1;
        }
        Ok(free)
    }
}
