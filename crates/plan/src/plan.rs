//! The plan: search, shortcuts, proof, and the repair of what the proof refuses.
//!
//! States at a spacing are cheap, a proof is not, so that proofs are made last, as in the lazy planners of
//! R. Bohlin and L. E. Kavraki, "Path planning using lazy PRM", ICRA 2000. An edge that is refused is replaced by a path
//! between its ends; if none is found, all is searched anew. From then on every edge is proven before it is used, which takes
//! no longer than states so near to each other that they would refuse what the proof refuses.

use super::answer::{Plan, PlanStatistics, Reason};
use super::edges::Edges;
use super::error::PlanError;
use super::options::{PlanOptions, PlanProblem};
use super::rrt_connect::{Points, search};
use super::shortcut::shorten;
use super::space::Space;
use super::watch::{Progress, Watch};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};
use superovoid_robot::scene::RobotScene;

/// The samples after which the repair of one edge is given up.
const REPAIR_SAMPLES: usize = 500;

/// Searches a path from the start of a problem to one of its goals, among the obstacles of a scene.
///
/// # Errors
/// The error names what is wrong with the problem or an option, or is that of the scene. That no path is found is no
/// error, but [`Plan::NotFound`].
pub fn plan(
    scene: &mut RobotScene,
    problem: &PlanProblem,
    options: &PlanOptions,
) -> Result<Plan, PlanError> {
    planned(scene, problem, options, None)
}

/// Searches a path as [`plan`] does, and calls `progress` with the work so far: once at the beginning, then every 10 ms or, if a
/// single query takes longer, after it, during proofs too. As soon as it returns false the plan ends with
/// [`Reason::Cancelled`], whatever was found by then. The path does not depend on it.
///
/// # Errors
/// The errors are those of [`plan`].
pub fn plan_with_progress(
    scene: &mut RobotScene,
    problem: &PlanProblem,
    options: &PlanOptions,
    progress: &mut dyn FnMut(&PlanStatistics) -> bool,
) -> Result<Plan, PlanError> {
    planned(scene, problem, options, Some(progress))
}

fn planned<'a>(
    scene: &'a mut RobotScene,
    problem: &PlanProblem,
    options: &PlanOptions,
    progress: Option<Progress<'a>>,
) -> Result<Plan, PlanError> {
    options.validate()?;
    let space = Space::new(scene.robot(), problem)?;
    let count = scene.robot().unchecked().len();
    if options.prove && count > 0 {
        return Err(PlanError::NotProvable { count });
    }
    let mut planner = Planner {
        goals: Vec::new(),
        edges: Edges::new(
            scene,
            space,
            options,
            Watch::new(options.max_time, progress),
        ),
        rng: ChaCha8Rng::seed_from_u64(options.seed),
    };
    let answer = match planner.refused_ends()? {
        Some(reason) => Err(reason),
        None => planner.path()?,
    };
    let cancelled = planner.edges.watch.cancelled;
    planner.answer(if cancelled {
        Err(Reason::Cancelled)
    } else {
        answer
    })
}

struct Planner<'a> {
    edges: Edges<'a>,
    /// The goals that are free.
    goals: Vec<Vec<f64>>,
    rng: ChaCha8Rng,
}

impl Planner<'_> {
    /// Finds the goals that are free; returns the reason where there is none, or where the start is not free.
    fn refused_ends(&mut self) -> Result<Option<Reason>, PlanError> {
        let start = self.edges.space.start().to_vec();
        // The progress is told at the beginning, whatever comes.
        self.edges.is_over();
        if let Some(pair) = self.edges.touching(&start)? {
            return Ok(Some(Reason::StartInCollision(Box::new(pair))));
        }
        let mut pairs = Vec::new();
        for goal in self.edges.space.goals().to_vec() {
            if self.edges.is_over() && self.edges.watch.cancelled {
                return Ok(Some(Reason::Cancelled));
            }
            match self.edges.touching(&goal)? {
                Some(pair) => pairs.push(pair),
                None => self.goals.push(goal),
            }
        }
        let none = self.goals.is_empty();
        Ok(none.then_some(Reason::GoalsInCollision(pairs)))
    }

    /// Returns the path, proven if it is to be, or the reason why there is none.
    fn path(&mut self) -> Result<Result<Points, Reason>, PlanError> {
        let Some(mut path) = self.searched()? else {
            return Ok(Err(self.used_up()));
        };
        loop {
            self.shortened(&mut path)?;
            let refused = self.refused(&path)?;
            if refused.is_empty() {
                return Ok(Ok(path));
            }
            // A start that is a goal, and is not proven, has no other way.
            if self.edges.is_over() || path.len() == 1 {
                return Ok(Err(self.used_up()));
            }
            self.edges.prove_each = true;
            path = match self.repaired(path, &refused)? {
                Some(path) => path,
                None => match self.searched()? {
                    Some(path) => path,
                    None => return Ok(Err(self.used_up())),
                },
            };
        }
    }

    fn searched(&mut self) -> Result<Option<Points>, PlanError> {
        let began = Instant::now();
        let start = self.edges.space.start().to_vec();
        self.edges.statistics.rounds += 1;
        let found = search(
            &mut self.edges,
            &mut self.rng,
            &start,
            &self.goals,
            usize::MAX,
        );
        self.edges.statistics.search += began.elapsed();
        found
    }

    /// Returns the path with other ways in place of the edges that were refused, by the index of their first point.
    fn repaired(&mut self, path: Points, refused: &[usize]) -> Result<Option<Points>, PlanError> {
        let began = Instant::now();
        self.edges.statistics.rounds += 1;
        let mut whole = Points::new();
        for (k, point) in path.iter().enumerate() {
            whole.push(point.clone());
            if refused.contains(&k) {
                let end = path[(k + 1).min(path.len() - 1)].clone();
                let (edges, rng) = (&mut self.edges, &mut self.rng);
                let Some(way) = search(edges, rng, point, &[end], REPAIR_SAMPLES)? else {
                    self.edges.statistics.search += began.elapsed();
                    return Ok(None);
                };
                let between = 1..way.len().max(2) - 1;
                whole.extend(way.get(between).unwrap_or_default().iter().cloned());
            }
        }
        self.edges.statistics.search += began.elapsed();
        Ok(Some(whole))
    }

    fn shortened(&mut self, path: &mut Points) -> Result<(), PlanError> {
        let began = Instant::now();
        let done = shorten(&mut self.edges, path);
        self.edges.statistics.shortcutting += began.elapsed();
        done
    }

    /// Returns the edges of a path that are not proven, by the index of their first point; none if no proof is asked for.
    fn refused(&mut self, path: &Points) -> Result<Vec<usize>, PlanError> {
        let mut refused = Vec::new();
        if !self.edges.options.prove {
            return Ok(refused);
        }
        let began = Instant::now();
        for k in 0..path.len().max(2) - 1 {
            // A path of one point is proven as an edge that stays there.
            let end = &path[(k + 1).min(path.len() - 1)];
            if !self.edges.prove([&path[k], end])? {
                refused.push(k);
            }
            if self.edges.is_over() && k + 2 < path.len() {
                refused.push(k + 1);
                break;
            }
        }
        self.edges.statistics.proof += began.elapsed();
        Ok(refused)
    }

    fn used_up(&mut self) -> Reason {
        let refused = self.edges.statistics.edges_refused;
        if self.edges.is_over() {
            let seconds = self.edges.options.max_time.unwrap_or(Duration::ZERO);
            return Reason::Time {
                seconds: seconds.as_secs_f64(),
                refused,
            };
        }
        let samples = self.edges.statistics.samples;
        Reason::Samples { samples, refused }
    }

    fn answer(mut self, answer: Result<Points, Reason>) -> Result<Plan, PlanError> {
        let statistics = self.edges.statistics;
        let points = match answer {
            Ok(points) => points,
            Err(reason) => return Ok(Plan::NotFound { reason, statistics }),
        };
        let goals = self.edges.space.goals();
        let goal = goals.iter().position(|goal| Some(goal) == points.last());
        let path = points
            .iter()
            .map(|point| self.edges.space.configuration(point));
        Ok(Plan::Found {
            path: path.collect::<Result<_, _>>()?,
            goal: goal.unwrap_or(0),
            proven: self.edges.options.prove,
            statistics,
        })
    }
}
