//! Plans: whether a path is found, how long it takes, and what coal says of it.

use super::edges::touches;
use super::model::{Model, distance};
use super::problems::Problem;
use super::states::Peers;
use anyhow::Result;
use std::collections::BTreeMap;
use std::time::Instant;
use superovoid_plan::{Plan, PlanOptions, PlanProblem, Reason, plan};
use superovoid_robot::scene::RobotScene;

/// A plan of less than so many seconds is made again, as often as there are rounds.
const QUICK: f64 = 0.2;

/// The plans of all problems of a robot.
pub struct Plans {
    pub title: &'static str,
    options: PlanOptions,
    /// Milliseconds of those that found a path.
    pub times: Vec<f64>,
    /// Those of each scenario, and the number of its problems.
    pub scenarios: BTreeMap<String, (Vec<f64>, usize)>,
    /// Milliseconds of the proofs of these paths.
    pub proofs: Vec<f64>,
    pub start_collides: usize,
    pub goal_collides: usize,
    pub not_found: usize,
    /// Edges of the paths, and those that touch by coal.
    pub edges: [usize; 2],
    /// Radians.
    pub length: f64,
}

impl Plans {
    pub fn new(title: &'static str, options: PlanOptions) -> Self {
        Plans {
            title,
            options,
            times: Vec::new(),
            scenarios: BTreeMap::new(),
            proofs: Vec::new(),
            start_collides: 0,
            goal_collides: 0,
            not_found: 0,
            edges: [0; 2],
            length: 0.0,
        }
    }

    pub fn asked(&self) -> usize {
        self.times.len() + self.start_collides + self.goal_collides + self.not_found
    }

    /// Plans among the obstacles of a problem, with which the peers stand already. Returns the points of the path; none
    /// if there is none.
    ///
    /// # Errors
    /// An end outside of the limits, or what the plan refuses.
    pub fn solve(
        &mut self,
        (model, problem): (&Model, &Problem),
        scene: &RobotScene,
        peers: &mut Peers,
        rounds: usize,
    ) -> Result<Vec<Vec<f64>>> {
        let [start, goal] = [&problem.start, &problem.goal].map(|end| model.configuration(end));
        let asked = PlanProblem::new(start?, vec![goal?]).with_joints(model.source.joints.to_vec());
        let mut fastest = f64::INFINITY;
        let mut found = None;
        for _ in 0..rounds.max(1) {
            let mut scene = scene.clone();
            let start = Instant::now();
            found = Some(plan(&mut scene, &asked, &self.options)?);
            fastest = fastest.min(start.elapsed().as_secs_f64());
            if fastest > QUICK {
                break;
            }
        }
        let scenario = self.scenarios.entry(problem.scenario.clone()).or_default();
        scenario.1 += 1;
        let (path, statistics) = match found {
            Some(Plan::Found {
                path, statistics, ..
            }) => (path, statistics),
            Some(Plan::NotFound { reason, .. }) => {
                match reason {
                    Reason::StartInCollision(_) => self.start_collides += 1,
                    Reason::GoalsInCollision(_) => self.goal_collides += 1,
                    _ => self.not_found += 1,
                }
                return Ok(Vec::new());
            }
            None => return Ok(Vec::new()),
        };
        self.times.push(1e3 * fastest);
        scenario.0.push(1e3 * fastest);
        self.proofs.push(1e3 * statistics.proof.as_secs_f64());
        let points = path.iter().map(|point| model.positions(point));
        let points = points.collect::<Result<Vec<_>>>()?;
        for edge in points.windows(2) {
            let ends = [&edge[0][..], &edge[1][..]];
            self.length += distance(ends);
            self.edges[0] += 1;
            self.edges[1] += usize::from(touches(model, peers, ends)?.0);
        }
        Ok(points)
    }
}
