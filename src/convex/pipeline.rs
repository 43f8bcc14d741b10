//! The stages of a convex query: cutting planes; of overlapping cores a branch and bound over directions.

use crate::convex::facing;
use crate::convex::problem::ConvexProblem;
use crate::narrowphase::branch_and_bound::{self, InitialPenetration};
use crate::narrowphase::convex_pair::{ConvexPair, Penetration};
use crate::narrowphase::cutting_planes::CuttingPlanesResult;
use crate::narrowphase::gjk::gjk;
use crate::narrowphase::simplex::{CsoPoint, Simplex};
use crate::narrowphase::{ascent, cutting_planes};
use crate::query::answer::{Answer, beyond_answer};
use crate::query::contact::Outcome;
use crate::query::options::{DepthMode, QueryOptions};
use crate::query::units::{CERTIFIED_DEPTH, center_line};
use nalgebra::Vector3;

pub(super) struct ConvexPipeline<'a> {
    problem: &'a ConvexProblem<'a>,
    depth: DepthMode,
    /// The option `max_distance` in the problem's units.
    max_distance: f64,
    pub iterations: u32,
}

impl<'a> ConvexPipeline<'a> {
    pub fn new(problem: &'a ConvexProblem<'a>, options: &QueryOptions) -> Self {
        ConvexPipeline {
            problem,
            depth: options.depth,
            max_distance: options.max_distance / problem.unit,
            iterations: 0,
        }
    }

    /// Returns the answer in the problem's units and in A's frame.
    pub fn run(&mut self) -> Answer {
        let problem = self.problem;
        let bracket = || problem.ball_bracket();
        let found = self.find();
        let mut answer = found.finalized(problem.provable, bracket, || self.unknown());
        answer.xa += problem.center_a;
        answer
    }

    fn find(&mut self) -> Answer {
        let problem = self.problem;
        let [crude, _] = problem.ball_bracket();
        if crude > self.max_distance {
            return self.beyond(&center_line(problem.center()), crude);
        }
        let stop = self.max_distance - problem.shift();
        let found = cutting_planes::solve(problem, None, stop, &mut self.iterations);
        let lower = found.lower - problem.rounding + problem.shift();
        if lower > self.max_distance {
            return self.beyond(&found.normal, lower);
        }
        if let Some(answer) = self.flat_cores_apart(&found) {
            return answer;
        }
        if found.overlap {
            self.overlap(&found.normal, &found.witnesses[0])
        } else {
            self.apart(&found)
        }
    }

    fn beyond(&self, normal: &Vector3<f64>, lower: f64) -> Answer {
        let xa = self.problem.support_pair(normal).xa + normal * self.on_surface();
        beyond_answer(*normal, xa, lower)
    }

    /// Returns the way from the surface of the swept core to that of A, along the outward normal.
    fn on_surface(&self) -> f64 {
        self.problem.margins[0] - self.problem.sweep
    }

    fn apart(&mut self, found: &CuttingPlanesResult) -> Answer {
        let problem = self.problem;
        let [xa, xb] = found.witnesses;
        let further = (problem.sweep == 0.0).then(|| self.nearest(found.simplex));
        let mut best = further.flatten().unwrap_or(Penetration {
            normal: found.normal,
            gap: found.lower,
            xa,
            xb,
        });
        let mut upper = (best.xb - best.xa).norm();
        if upper - best.gap.max(found.lower) > 0.5 * problem.tolerance {
            let (local, _) = ascent::ascend(problem, &best.normal, &mut self.iterations);
            let apart = (local.xb - local.xa).norm();
            if local.gap >= best.gap && apart <= upper {
                (best, upper) = (local, apart);
            }
        }
        let open = upper - best.gap.max(found.lower);
        if upper <= problem.tolerance && open > problem.tolerance {
            // The witnesses coincide, so that they give no normal: the bodies touch, and the search for the least depth
            // finds it.
            return self.overlap(&best.normal, &best.xa);
        }
        let lower = best.gap.max(found.lower) - problem.rounding;
        let upper = upper + problem.rounding;
        let distance = best.normal.dot(&(best.xb - best.xa));
        self.answer(&best, distance, [lower, upper], problem.tolerance)
    }

    /// Returns the answer of flat cores that are apart, though A's, swept, may overlap B's: GJK finds their nearest points.
    fn flat_cores_apart(&mut self, found: &CuttingPlanesResult) -> Option<Answer> {
        let problem = self.problem;
        if problem.sweep == 0.0 {
            return None;
        }
        let mut simplex = Simplex::new();
        simplex.add(CsoPoint::of(&problem.core_pair(&found.normal)));
        let mut p = self.nearest(simplex)?;
        p.gap -= problem.sweep;
        p.xa += p.normal * problem.sweep;
        let distance = p.normal.dot(&(p.xb - p.xa));
        let bracket = [p.gap - problem.rounding, distance + problem.rounding];
        Some(self.answer(&p, distance, bracket, problem.tolerance))
    }

    /// Continues by GJK with the cores until the direction of the witnesses is the normal that proves them, far below
    /// the tolerance where that is possible: witnesses off the normal by ε widen the bracket by only ε²/2. Returns `None`
    /// if the bracket does not close.
    fn nearest(&mut self, mut simplex: Simplex) -> Option<Penetration> {
        const QUERIES: usize = 40;
        const ALIGNED: f64 = 1e-3;
        let problem = self.problem;
        let mut best = None;
        let mut width = f64::INFINITY;
        gjk(&mut simplex, QUERIES, |simplex| {
            let [xa, xb] = simplex.witnesses();
            let v = xb - xa;
            let normal = v.try_normalize(1e-7 * problem.tolerance)?;
            self.iterations += 1;
            let support = problem.core_pair(&normal);
            let open = v.norm() - support.gap;
            if open < width && open <= problem.tolerance {
                width = open;
                best = Some(Penetration {
                    normal,
                    gap: support.gap,
                    xa,
                    xb,
                });
            }
            if width <= ALIGNED * problem.tolerance {
                return None;
            }
            Some(CsoPoint::of(&support))
        });
        best
    }

    /// Returns the depth of overlapping cores, from a starting direction; `common` is a point of both to rounding.
    fn overlap(&mut self, n: &Vector3<f64>, common: &Vector3<f64>) -> Answer {
        let problem = self.problem;
        let (start, _) = ascent::ascend(problem, n, &mut self.iterations);
        let known = InitialPenetration::Local(start);
        let mut tolerance = problem.tolerance;
        let (best, upper) = if self.depth == DepthMode::Certified {
            let relative = CERTIFIED_DEPTH * problem.size();
            tolerance = tolerance.max(relative);
            branch_and_bound::certified(problem, known, 0.9 * tolerance, &mut self.iterations)
        } else {
            branch_and_bound::fast(problem, known, &mut self.iterations)
        };
        let (polished, _) = ascent::ascend(problem, &best.normal, &mut self.iterations);
        let mut p = if polished.gap >= best.gap {
            polished
        } else {
            best
        };
        facing::face(problem, &mut p, &mut self.iterations);
        let lower = p.gap - problem.rounding;
        if lower > 0.0 {
            // The cores touch to the tolerance only: the common point is one to rounding.
            let upper = (p.xb - p.xa).norm() + problem.rounding;
            return self.answer(&p, p.gap, [lower, upper], problem.tolerance);
        }
        let mut upper = upper.max(p.gap) + problem.rounding;
        if upper > 0.0 {
            upper = self.proven_overlap(&p, common, upper);
        }
        self.answer(&p, p.gap, [lower, upper], tolerance)
    }

    /// Returns an upper bound of the signed distance: 0 if a point is proven to be common, or less than 0 if a search
    /// of half the depth proves that; otherwise rounding.
    fn proven_overlap(&mut self, p: &Penetration, common: &Vector3<f64>, upper: f64) -> f64 {
        let problem = self.problem;
        let points = [*common, 0.5 * (p.xa + p.xb), p.xa, p.xb];
        if points.iter().any(|x| problem.shares(x)) {
            return 0.0;
        }
        if -p.gap > 16.0 * problem.rounding {
            let known = InitialPenetration::Local(*p);
            let half = -0.5 * p.gap;
            let (_, found) =
                branch_and_bound::certified(problem, known, half, &mut self.iterations);
            if found + problem.rounding <= 0.0 {
                return found + problem.rounding;
            }
        }
        upper.min(problem.rounding)
    }

    /// Assembles the answer of the bodies from that of the swept cores: `Certified` if the bracket is closed to
    /// `tolerance`; with an open bracket, `Converged` for a proven overlap.
    fn answer(
        &self,
        p: &Penetration,
        distance: f64,
        [lower, upper]: [f64; 2],
        tolerance: f64,
    ) -> Answer {
        let shift = self.problem.shift();
        // The offset of the witnesses perpendicular to the normal is split between both.
        let beside = (p.xb - p.xa) - p.normal * p.normal.dot(&(p.xb - p.xa));
        let xa = p.xa + beside * 0.5 + p.normal * self.on_surface();
        let (lower, upper) = (lower.min(distance) + shift, upper.max(distance) + shift);
        let outcome = Outcome::of_overlap([lower, upper], tolerance);
        Answer::new(distance + shift, p.normal, xa, [lower, upper], outcome)
    }

    /// Assembles the answer that has only the bracket by balls.
    fn unknown(&self) -> Answer {
        let bracket = self.problem.ball_bracket();
        let normal = center_line(self.problem.center());
        let outcome = Outcome::NotConverged;
        Answer::new(bracket[1], normal, Vector3::zeros(), bracket, outcome)
    }
}
