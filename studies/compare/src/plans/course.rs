//! A robot and its problems: what is asked of them, and the section of the report.

use super::edges::Edges;
use super::model::Model;
use super::paths::GivenPath;
use super::problems::Problem;
use super::solve::Plans;
use super::states::{Peers, Tally};
use super::tables;
use crate::planner::foreign::Engine;
use crate::report::number;
use anyhow::Result;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;
use std::time::Duration;
use superovoid_plan::PlanOptions;
use superovoid_robot::Configuration;

/// The greatest distance of two states on a path, radians.
const SPACING: f64 = 1.0 / 32.0;

/// The random states of each problem.
const RANDOM: usize = 64;

/// How far random edges go along each joint.
const NEAR: f64 = 0.25;

/// A robot and the problems that are asked of it.
pub struct Course<'a> {
    pub model: Model,
    pub problems: Vec<Problem>,
    pub engines: &'a [(&'static str, Engine)],
    pub rounds: usize,
    pub seed: u64,
    pub max_time: Duration,
}

impl Course<'_> {
    /// States, edges and plans of the problems.
    pub fn measured(&self) -> Result<String> {
        let (model, rounds) = (&self.model, self.rounds);
        let mut peers = Peers::new(self.engines, model)?;
        let mut tallies =
            ["straight lines", "found paths", "random"].map(|t| Tally::new(t, &peers));
        let mut edges = ["of found paths", "at random near them"].map(Edges::new);
        let options = PlanOptions::default()
            .with_seed(self.seed)
            .with_max_samples(usize::MAX)
            .with_max_time(Some(self.max_time));
        let mut plans = [
            Plans::new("with proof", options),
            Plans::new("without proof", options.with_prove(false)),
        ];
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut outside = 0;
        for problem in &self.problems {
            let random = (0..RANDOM).map(|_| self.random(&mut rng));
            let random = random.collect::<Result<Vec<_>>>()?;
            let Ok(straight) = model.line([&problem.start, &problem.goal], SPACING) else {
                outside += 1;
                continue;
            };
            let place = (model, problem);
            let mut scene = model.among(problem)?;
            peers.stand(problem)?;
            let path = plans[0].solve(place, &scene, &mut peers, rounds)?;
            plans[1].solve(place, &scene, &mut peers, rounds)?;
            let on_path = self.states(&path)?;
            for (tally, states) in tallies.iter_mut().zip([straight, on_path, random]) {
                tally.ask(place, &scene, &mut peers, &states, rounds)?;
            }
            for ends in path.windows(2) {
                let ends = [&ends[0][..], &ends[1][..]];
                edges[0].ask(place, &mut scene, &mut peers, ends, rounds)?;
                let near = [ends[0], &self.near(ends[0], &mut rng)];
                edges[1].ask(place, &mut scene, &mut peers, near, rounds)?;
            }
        }
        let text = self.title(outside) + &tables::states(&tallies, &peers);
        Ok(text + &tables::edges(&edges) + &tables::plans(&plans))
    }

    /// Given paths, as far as they are of these problems and this robot.
    pub fn judged(&self, paths: &[GivenPath]) -> Result<String> {
        let model = &self.model;
        let mut peers = Peers::new(self.engines, model)?;
        let mut tally = [Tally::new("given paths", &peers)];
        let mut edges = [Edges::new("of given paths")];
        let (mut known, mut outside, mut proven, mut touching) = (0, 0, 0, 0);
        for given in paths {
            let of = |p: &&Problem| p.scenario == given.scenario && p.index == given.index;
            let Some(problem) = self.problems.iter().find(of) else {
                continue;
            };
            known += 1;
            let place = (model, problem);
            let mut scene = model.among(problem)?;
            peers.stand(problem)?;
            let Ok(states) = self.states(&given.points) else {
                outside += 1;
                continue;
            };
            tally[0].ask(place, &scene, &mut peers, &states, self.rounds)?;
            let (mut free, before) = (true, edges[0].touching);
            for ends in given.points.windows(2) {
                let ends = [&ends[0][..], &ends[1][..]];
                free &= edges[0].ask(place, &mut scene, &mut peers, ends, self.rounds)?;
            }
            proven += usize::from(free);
            touching += usize::from(edges[0].touching > before);
        }
        let mut text = self.title(0);
        let _ = writeln!(
            text,
            "\n{known} given paths, of which {outside} leave the limits of the joints; {touching} touch by coal at states 1e-3 rad apart, {proven} are proven free by us.",
        );
        Ok(text + &tables::states(&tally, &peers) + &tables::edges(&edges))
    }

    fn title(&self, outside: usize) -> String {
        let model = &self.model;
        let count = self.problems.len();
        let obstacles: usize = self.problems.iter().map(|p| p.obstacles.len()).sum();
        let mut text = format!(
            "\n## {}\n\n`{}`: {} bodies of {} triangles, {} pairs of them; {count} problems with {} obstacles on average",
            model.source.title,
            model.source.urdf,
            model.body_count(),
            model.triangles(),
            model.pairs.len(),
            number(obstacles as f64 / count as f64),
        );
        if outside > 0 {
            let _ = write!(
                text,
                ", {outside} with an end outside of the joints' limits"
            );
        }
        text + ".\n"
    }

    /// States along the edges of a path.
    fn states(&self, path: &[Vec<f64>]) -> Result<Vec<Configuration>> {
        let mut states = Vec::new();
        for ends in path.windows(2) {
            states.extend(self.model.line([&ends[0], &ends[1]], SPACING)?);
        }
        Ok(states)
    }

    fn random(&self, rng: &mut ChaCha8Rng) -> Result<Configuration> {
        let limits = self.model.limits.iter();
        let positions = limits.map(|&[lower, upper]| rng.random_range(lower..=upper));
        self.model.configuration(&positions.collect::<Vec<f64>>())
    }

    /// A point at most [`NEAR`] from another one along each joint.
    fn near(&self, point: &[f64], rng: &mut ChaCha8Rng) -> Vec<f64> {
        let moved = point.iter().zip(&self.model.limits);
        let moved = moved
            .map(|(q, [lower, upper])| (q + rng.random_range(-NEAR..=NEAR)).clamp(*lower, *upper));
        moved.collect()
    }
}
