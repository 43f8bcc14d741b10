//! The search for the best fit: many rough starts on few points, the best of them refined on more, the best of
//! all on all points.
//!
//! A least-squares fit has many local minima: axes in other roles, a square section for a pointed one
//! turned by 45°, a cone that ends too late. What the search finds depends on the starts; it is
//! deterministic.

use crate::FitError;
use crate::body::Body;
use crate::chart::{Chart, Line, Tapers, made_convex};
use crate::fit_options::{Family, Loss, Progress};
use crate::least_squares::minimise;
use crate::points::Cloud;
use crate::robust::{Scale, Weighted, distances, noise};
use crate::starts;
use nalgebra::Vector3;

/// A body with its loss.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub body: Body,
    pub loss: f64,
}

/// What is searched for. Lengths in units of the points' spread.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub family: Family,
    pub loss: Loss,
    pub line: Option<Line>,
    pub progress: Option<&'a dyn Fn(Progress) -> bool>,
}

/// One round: weights, then Levenberg-Marquardt.
#[derive(Clone, Copy)]
struct Round {
    evaluations: usize,
    /// Least noise to assume.
    floor: f64,
    /// Multiple of the noise that the loss's scale is.
    scale: f64,
}

/// A strict round, which finds its way through many outliers.
const fn strict(evaluations: usize, floor: f64) -> Round {
    Round {
        evaluations,
        floor,
        scale: 2.4,
    }
}

/// A lenient one, which gives up no part of the surface because most others fit well.
const fn lenient(evaluations: usize, floor: f64) -> Round {
    Round {
        evaluations,
        floor,
        scale: 6.0,
    }
}

/// A stage: how many points, how many of the bodies so far, the rounds, and the scale that ranks the results.
struct Stage {
    name: &'static str,
    points: usize,
    bodies: usize,
    rounds: &'static [Round],
    ranked_at: f64,
    /// Bodies whose losses differ by less than this part are taken for the same.
    alike: f64,
}

const ROUGH: Stage = Stage {
    name: "rough fits",
    points: 96,
    bodies: usize::MAX,
    rounds: &[strict(7, 0.1), strict(7, 0.05)],
    ranked_at: 0.12,
    alike: 1e-4,
};
const FINER: Stage = Stage {
    name: "finer fits",
    points: 96,
    bodies: 8,
    rounds: &[strict(8, 0.05), strict(8, 0.02)],
    ranked_at: 0.05,
    alike: 3e-3,
};
const FINE: Stage = Stage {
    name: "fine fits",
    points: 400,
    bodies: 3,
    rounds: &[
        strict(10, 0.02),
        lenient(10, 0.01),
        lenient(8, 0.005),
        lenient(8, 1e-3),
        lenient(8, 1e-4),
        lenient(8, 1e-6),
    ],
    ranked_at: 0.1,
    alike: 1e-4,
};
/// Relative change of the sum of squares, or of the unknowns, that ends a run of the solver.
const TOLERANCE: f64 = 1e-6;
/// Rounds after which the scale is that of the noise, and lower floors change nothing.
const SETTLED: usize = 3;
const LAST_EVALUATIONS: usize = 6;
/// Points beyond so many standard deviations are outliers; least distance of an outlier, round by round.
const OUTLIER: f64 = 6.0;
const OUTLIER_FLOORS: [f64; 6] = [1e-2, 3e-3, 1e-3, 1e-4, 1e-6, 1e-9];
/// Loss of a fit that needs no further search: distances of 1e-9.
const EXACT: f64 = 1e-18;

impl Search<'_> {
    /// The best bodies; the first is in the family and the best of all, the others are other minima.
    pub fn run(&self, cloud: &Cloud) -> Result<Vec<Candidate>, FitError> {
        let few = cloud.some(ROUGH.points);
        let mut best = self.stages(cloud, starts::usual(cloud, &few, self.line))?;
        if best.first().is_none_or(|b| b.loss > EXACT) {
            best.extend(self.stages(cloud, starts::unusual(cloud, &few, self.line))?);
            rank(&mut best);
            let leader = best.first().ok_or(FitError::NotFound)?;
            let variants = starts::variants(&leader.body);
            best.extend(self.stage(&FINE, cloud, variants)?);
            rank(&mut best);
        }
        best.truncate(FINE.bodies * self.width());
        // The best of them in the family need not be the best before.
        let polished = if self.width() > 1 {
            best.len()
        } else {
            best.len().min(1)
        };
        let rest = best.split_off(polished);
        for (done, candidate) in best.iter_mut().enumerate() {
            self.report("all points", done, polished)?;
            *candidate = self.polished_in_family(&candidate.body, &cloud.points)?;
        }
        rank(&mut best);
        if best.is_empty() {
            return Err(FitError::NotFound);
        }
        best.extend(rest);
        Ok(best)
    }

    /// How many times as many bodies are carried on where all points count and no superovoid may fit them well: the
    /// minima are then of similar depths.
    fn width(&self) -> usize {
        match self.loss {
            Loss::Robust => 1,
            Loss::Squares => 3,
        }
    }

    /// What the tapers may be on the way.
    fn tapers(&self) -> Tapers {
        match self.family {
            Family::Convex => Tapers::Limited,
            Family::Superellipsoid => Tapers::Zero,
            Family::Any => Tapers::Free,
        }
    }

    fn stages(&self, cloud: &Cloud, starts: Vec<Body>) -> Result<Vec<Candidate>, FitError> {
        let mut bodies = starts;
        for stage in [&ROUGH, &FINER] {
            let found = self.stage(stage, cloud, bodies)?;
            bodies = found.into_iter().map(|c| c.body).collect();
        }
        self.stage(&FINE, cloud, bodies)
    }

    /// The results of a stage, the best first.
    fn stage(
        &self,
        stage: &Stage,
        cloud: &Cloud,
        mut bodies: Vec<Body>,
    ) -> Result<Vec<Candidate>, FitError> {
        bodies.truncate(stage.bodies.saturating_mul(self.width()));
        let points = cloud.some(stage.points);
        let mut found = Vec::new();
        for (done, body) in bodies.iter().enumerate() {
            self.report(stage.name, done, bodies.len())?;
            let candidate = self.improve(body, &points, stage);
            let exact = candidate.loss < EXACT;
            found.push(candidate);
            if exact {
                break;
            }
        }
        rank(&mut found);
        // The same minimum need not be refined twice.
        found.dedup_by(|next, one| next.loss <= one.loss * (1.0 + stage.alike));
        Ok(found)
    }

    pub fn report(&self, stage: &'static str, done: usize, steps: usize) -> Result<(), FitError> {
        let progress = Progress { stage, done, steps };
        match self.progress {
            Some(tell) if !tell(progress) => Err(FitError::Cancelled),
            _ => Ok(()),
        }
    }

    fn improve(&self, body: &Body, points: &[Vector3<f64>], stage: &Stage) -> Candidate {
        let mut body = *body;
        let mut settled = 0;
        for round in stage.rounds {
            let scale = match self.loss {
                Loss::Squares => Scale::Infinite,
                Loss::Robust => {
                    let noise = noise(&distances(&body, points));
                    settled += usize::from(noise > round.floor);
                    Scale::Of(round.scale * noise.max(round.floor))
                }
            };
            let chart = Chart::around(&body, self.tapers(), self.line);
            let problem = Weighted::at(&body, points, chart, scale);
            let start = chart.unknowns_of(&body);
            body = chart.body(&minimise(&problem, start, round.evaluations, TOLERANCE).unknowns);
            if settled == SETTLED {
                break;
            }
        }
        let scale = match self.loss {
            Loss::Squares => Scale::Infinite,
            Loss::Robust => Scale::Of(stage.ranked_at),
        };
        let loss = scale.loss(&distances(&body, points));
        Candidate { body, loss }
    }

    /// The fit to all points, in the family.
    fn polished_in_family(
        &self,
        body: &Body,
        points: &[Vector3<f64>],
    ) -> Result<Candidate, FitError> {
        let unequal = is_convex(body) || body.e[1] > 1.0;
        let mut body = *body;
        if self.family != Family::Convex || unequal {
            let found = self.polished(&body, self.tapers(), points);
            if self.family != Family::Convex || is_convex(&found.body) {
                return Ok(found);
            }
            body = found.body;
        }
        let mut found = vec![self.polished(&body, Tapers::ConvexEqual, points)];
        if unequal {
            found.push(self.polished(&body, Tapers::ConvexUnequal, points));
        }
        rank(&mut found);
        let best = found.first().ok_or(FitError::NotFound)?;
        Ok(*best)
    }

    /// Least squares over the points that are no outliers, with the tapers given.
    pub fn polished(&self, body: &Body, tapers: Tapers, points: &[Vector3<f64>]) -> Candidate {
        let mut body = *body;
        let mut kept: Vec<Vector3<f64>> = Vec::new();
        for floor in OUTLIER_FLOORS {
            let distances = distances(&body, points);
            let limit = match self.loss {
                Loss::Squares => f64::INFINITY,
                Loss::Robust => (OUTLIER * noise(&distances)).max(floor),
            };
            let before = kept.len();
            let near = points.iter().zip(&distances).filter(|(_, d)| **d <= limit);
            kept = near.map(|(p, _)| *p).collect();
            let chart = Chart::around(&body, tapers, self.line);
            let problem = Weighted::at(&body, &kept, chart, Scale::Infinite);
            let start = chart.unknowns_of(&body);
            let found = minimise(&problem, start, LAST_EVALUATIONS, TOLERANCE);
            body = chart.body(&found.unknowns);
            let settled = kept.len() == before && limit > floor;
            let exact = kept.len() == points.len() && found.sum_of_squares < EXACT;
            if settled || exact {
                break;
            }
        }
        if matches!(tapers, Tapers::ConvexEqual | Tapers::ConvexUnequal) {
            body = made_convex(&body);
        }
        let all = distances(&body, points);
        let scale = match self.loss {
            Loss::Squares => Scale::Infinite,
            Loss::Robust => Scale::Of(FINE.ranked_at),
        };
        Candidate {
            body,
            loss: scale.loss(&all),
        }
    }
}

fn is_convex(body: &Body) -> bool {
    body.shape().is_ok_and(|shape| shape.is_convex())
}

fn rank(candidates: &mut Vec<Candidate>) {
    candidates.retain(|c| c.loss.is_finite());
    candidates.sort_by(|p, q| p.loss.total_cmp(&q.loss));
}
