//! The stages of a convex query: cutting planes; of overlapping cores a branch and bound over directions.

use crate::convex::problem::ConvexProblem;
use crate::narrowphase::branch_and_bound::{self, InitialPenetration};
use crate::narrowphase::convex_pair::{ConvexPair, Penetration};
use crate::narrowphase::cutting_planes::CuttingPlanesResult;
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
        let mut answer = self.find();
        if !answer.is_finite() {
            // Sizes or distances near the limits of the number range leave no finite answer.
            answer = self.unknown();
        }
        if !self.problem.provable {
            answer.revoke(self.problem.ball_bracket());
        }
        answer.report_conservatively();
        answer.xa += self.problem.center_a;
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
        let mut best = self.nearest(found);
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

    /// Continues from the cutting planes by GJK until the direction of the witnesses is the normal that proves them,
    /// far below the tolerance where that is possible: witnesses off the normal by ε widen the bracket by only ε²/2.
    fn nearest(&mut self, found: &CuttingPlanesResult) -> Penetration {
        const QUERIES: usize = 40;
        const ALIGNED: f64 = 1e-3;
        let problem = self.problem;
        let mut simplex = found.simplex;
        let [mut xa, mut xb] = found.witnesses;
        let mut best = Penetration {
            normal: found.normal,
            gap: found.lower,
            xa,
            xb,
        };
        let mut width = f64::INFINITY;
        for _ in 0..QUERIES {
            let v = xb - xa;
            let Some(normal) = v.try_normalize(1e-7 * problem.tolerance) else {
                break;
            };
            self.iterations += 1;
            let support = problem.support_pair(&normal);
            let open = v.norm() - support.gap;
            if open < width && open <= problem.tolerance {
                width = open;
                best = Penetration {
                    normal,
                    gap: support.gap,
                    xa,
                    xb,
                };
            }
            let point = CsoPoint {
                z: support.z(),
                xa: support.xa,
            };
            if width <= ALIGNED * problem.tolerance
                || !simplex.add(point)
                || simplex.encloses_origin
            {
                break;
            }
            [xa, xb] = simplex.witnesses();
        }
        best
    }

    /// Replaces the witnesses by two that face each other along the normal, as far as the cores have them: those of the
    /// CSO point nearest to the depth along the normal. Where that is off, the normal is no local maximum of g yet: a
    /// plane that keeps the CSO from the point, or the line of the witnesses, gives a better one.
    fn face(&mut self, p: &mut Penetration) {
        const ROUNDS: usize = 10;
        const FACING: f64 = 0.5;
        let problem = self.problem;
        for left in (0..ROUNDS).rev() {
            let aim = p.normal * p.gap;
            let simplex = self.towards(&aim, &p.normal);
            let (nearest, off) = (simplex.nearest(), p.xb - p.xa - aim);
            // Nearly zero where the simplex encloses the aim.
            if nearest.norm() < off.norm() {
                let [xa, xb] = simplex.witnesses();
                (p.xa, p.xb) = (xa, xb + aim);
            }
            let done = nearest.norm().min(off.norm()) <= FACING * problem.tolerance;
            if done || left == 0 || !self.turn(p, [nearest, p.xb - p.xa]) {
                break;
            }
            // An ascent may have ended too early on a ridge, and leads on from there.
            let (further, _) = ascent::ascend(problem, &p.normal, &mut self.iterations);
            if further.gap > p.gap {
                *p = further;
            }
        }
    }

    /// Returns the simplex of CSO points less `aim` that is nearest to the origin, by GJK from a direction.
    fn towards(&mut self, aim: &Vector3<f64>, direction: &Vector3<f64>) -> Simplex {
        const QUERIES: usize = 60;
        let problem = self.problem;
        let mut direction = *direction;
        let mut simplex = Simplex::new();
        for _ in 0..QUERIES {
            self.iterations += 1;
            let support = problem.support_pair(&direction);
            let found = CsoPoint {
                z: support.z() - aim,
                xa: support.xa,
            };
            let progressed = simplex.add(found);
            let v = simplex.nearest();
            if !progressed || simplex.encloses_origin || v.norm() <= 1e-4 * problem.tolerance {
                break;
            }
            direction = v.normalize();
        }
        simplex
    }

    /// Turns the normal to the best of some vectors, or their opposites. Returns false if none is better.
    fn turn(&mut self, p: &mut Penetration, vectors: [Vector3<f64>; 2]) -> bool {
        let mut better = false;
        for vector in vectors {
            let Some(normal) = vector.try_normalize(0.0) else {
                continue;
            };
            let normal = normal * 1_f64.copysign(normal.dot(&p.normal));
            self.iterations += 1;
            let gap = self.problem.support_pair(&normal).gap;
            if gap > p.gap {
                (p.normal, p.gap, better) = (normal, gap, true);
            }
        }
        better
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
        self.face(&mut p);
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
        // What the witnesses are beside the line along the normal is shared.
        let beside = (p.xb - p.xa) - p.normal * p.normal.dot(&(p.xb - p.xa));
        let xa = p.xa + beside * 0.5 + p.normal * self.on_surface();
        let (lower, upper) = (lower.min(distance) + shift, upper.max(distance) + shift);
        let outcome = if upper - lower <= tolerance {
            Outcome::Certified
        } else if upper <= 0.0 {
            Outcome::Converged
        } else {
            Outcome::NotConverged
        };
        Answer {
            distance: distance + shift,
            normal: p.normal,
            xa,
            lower,
            upper,
            outcome,
            states: None,
        }
    }

    /// Assembles the answer that has only the bracket by balls.
    fn unknown(&self) -> Answer {
        let [lower, upper] = self.problem.ball_bracket();
        let normal = center_line(self.problem.center());
        Answer {
            distance: upper,
            normal,
            xa: Vector3::zeros(),
            lower,
            upper,
            outcome: Outcome::NotConverged,
            states: None,
        }
    }
}
