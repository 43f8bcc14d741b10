//! Verification of the answers of local methods.
//!
//! Nothing is repaired here: the two points are bounded, tested and labelled. Points of the bodies bound the distance
//! from above, and the gap g(n) along any unit n bounds it from below.

use crate::narrowphase::convex_pair::ConvexPair;
use crate::pair::answer::{assemble_answer, axis};
use crate::pair::problem::PairProblem;
use crate::query::answer::{Answer, beyond_answer};
use crate::query::contact::Outcome;
use crate::query::units::NEARLY_TOUCHING;
use crate::surface::circles::Circles;
use crate::surface::primal_dual::SurfaceState;
use nalgebra::Vector3;

/// The bounds of a pair that all attempts have given.
pub(super) struct Evidence<'a> {
    problem: &'a PairProblem,
    /// The largest gap met, its direction, and A's support point in that direction.
    lower: f64,
    direction: Vector3<f64>,
    support: Vector3<f64>,
    /// The least distance of two points of the bodies; 0 if a common point was proven.
    upper: f64,
    /// The points of the last attempt.
    points: [Vector3<f64>; 2],
}

impl<'a> Evidence<'a> {
    /// The spheres of the bodies, and their centres.
    pub fn new(problem: &'a PairProblem) -> Self {
        let [lower, upper] = problem.sphere_bracket();
        let direction = axis(problem);
        Evidence {
            problem,
            lower,
            direction,
            support: direction * problem.a.outer_radius,
            upper,
            points: [Vector3::zeros(), problem.center],
        }
    }

    /// Returns the gap along a unit direction, a lower bound of the distance.
    fn gap(&mut self, n: &Vector3<f64>) -> f64 {
        let support = self.problem.support_pair(n);
        let lower = support.gap - self.problem.rounding;
        if lower > self.lower {
            (self.lower, self.direction, self.support) = (lower, *n, support.xa);
        }
        support.gap
    }

    /// Returns the answer that the bodies are farther apart than `max_distance`, if that is proven.
    pub fn beyond(&self, max_distance: f64) -> Option<Answer> {
        (self.lower > max_distance).then(|| beyond_answer(self.direction, self.support, self.lower))
    }

    /// Returns an answer from two surface points, if it is verified.
    pub fn assess(&mut self, circles: &[Circles; 2]) -> Option<Answer> {
        let problem = self.problem;
        let xa = circles[0].point(&problem.a);
        let xb = problem.rotation * circles[1].point(&problem.b) + problem.center;
        let na = circles[0].normal(&problem.a).normalize();
        let nb = problem.rotation * circles[1].normal(&problem.b).normalize();
        let d = xb - xa;
        let length = d.norm();
        let finite = length.is_finite() && na.x.is_finite() && nb.x.is_finite();
        if !finite {
            return None;
        }
        self.points = [xa, xb];
        let mean = (na - nb).try_normalize(1e-3)?;
        let states = [
            SurfaceState::of(&problem.a, &circles[0]),
            SurfaceState::of(&problem.b, &circles[1]),
        ];
        // This makes both inside tests, and that of the midpoint.
        if d.dot(&mean) < 0.0 && problem.witnesses_prove_overlap(&xa, &xb) {
            self.upper = self
                .upper
                .min(problem.overlap_upper_bound(&[0.5 * (xa + xb), xa, xb]));
            let mismatch = (na + nb).norm();
            return self.overlap(&mean, mismatch, [xa, xb], states);
        }
        self.upper = self.upper.min(length + problem.rounding);
        self.separated(&mean, [xa, xb], states)
    }

    /// Returns the distance of the points, if the slab between the bodies is as wide: along their difference, or, for
    /// points that nearly touch, along the mean normal. A slab along another direction certifies the bracket too, but
    /// not that the points face each other.
    fn separated(
        &mut self,
        mean: &Vector3<f64>,
        [xa, xb]: [Vector3<f64>; 2],
        states: [SurfaceState; 2],
    ) -> Option<Answer> {
        let problem = self.problem;
        let d = xb - xa;
        let length = d.norm();
        let upper = length + problem.rounding;
        let aligned = (d - mean * d.dot(mean)).norm() <= problem.tolerance;
        let along = (length > NEARLY_TOUCHING).then(|| d / length);
        for normal in along.into_iter().chain(aligned.then_some(*mean)) {
            let lower = self.gap(&normal) - problem.rounding;
            let answer = self.certificate(normal, [xa, xb], lower, upper, states);
            if answer.is_some() {
                return answer;
            }
        }
        // This is another bound for the bracket.
        self.gap(mean);
        None
    }

    /// Returns a certified answer, if the bracket is still closed when the points are lined up.
    fn certificate(
        &self,
        normal: Vector3<f64>,
        [xa, xb]: [Vector3<f64>; 2],
        lower: f64,
        upper: f64,
        states: [SurfaceState; 2],
    ) -> Option<Answer> {
        let tolerance = self.problem.tolerance;
        if upper - lower > tolerance {
            return None;
        }
        let answer = assemble_answer(
            self.problem,
            normal,
            [xa, xb],
            [lower, upper],
            tolerance,
            Outcome::NotConverged,
            Some(states),
        );
        (answer.outcome == Outcome::Certified).then_some(answer)
    }

    /// Returns the answer of bodies with a common point: stationary, and the least of the depths along a few cheap
    /// directions. The points of convex bodies are then support points, as d·n is the gap; for other bodies the
    /// normals are compared instead.
    fn overlap(
        &mut self,
        normal: &Vector3<f64>,
        mismatch: f64,
        [xa, xb]: [Vector3<f64>; 2],
        states: [SurfaceState; 2],
    ) -> Option<Answer> {
        let problem = self.problem;
        let tolerance = problem.tolerance;
        let convex = problem.both_convex();
        let d = xb - xa;
        let along = d.dot(normal);
        let gap = self.gap(normal);
        let aligned = (d - normal * along).norm() <= tolerance;
        let opposed = if convex {
            along - gap <= tolerance
        } else {
            mismatch <= tolerance
        };
        if !(aligned && opposed) {
            return None;
        }
        for n in self.cheap_directions() {
            if self.gap(&n) > along + tolerance {
                return None;
            }
        }
        let lower = gap - problem.rounding;
        let upper = problem.overlap_upper_bound(&[0.5 * (xa + xb), xa, xb]);
        if convex && upper - lower <= tolerance {
            return self.certificate(*normal, [xa, xb], lower, upper, states);
        }
        if upper > 0.0 {
            return None;
        }
        let answer = assemble_answer(
            problem,
            *normal,
            [xa, xb],
            [lower, upper],
            tolerance,
            Outcome::Converged,
            Some(states),
        );
        // Under a wide tolerance, points that deviate far from the normal may be apart once lined up.
        (answer.distance <= 0.0).then_some(answer)
    }

    /// Returns the centre line and the axes of both bodies, in both directions.
    fn cheap_directions(&self) -> impl Iterator<Item = Vector3<f64>> + use<> {
        let rotation = self.problem.rotation;
        let line = axis(self.problem);
        let axes = (0..3).flat_map(move |i| [Vector3::ith(i, 1.0), rotation.column(i).into()]);
        axes.chain([line]).flat_map(|n| [n, -n])
    }

    /// Returns the answer without a verification: the bracket, and the last iterate. While 0 is in the bracket the
    /// distance is the largest gap met, with its direction: moving B by it along that direction separates the hulls
    /// of the bodies.
    pub fn not_converged(&self) -> Answer {
        let [xa, xb] = self.points;
        let d = xb - xa;
        let length = d.norm();
        let (lower, upper) = (self.lower, self.upper.max(self.lower));
        let free = lower > 0.0 && length > NEARLY_TOUCHING;
        let (normal, xa, distance) = if free {
            (d / length, xa, length)
        } else {
            (self.direction, self.support, lower)
        };
        let outcome = Outcome::NotConverged;
        Answer {
            distance,
            normal,
            xa,
            lower: lower.min(distance),
            upper: upper.max(distance),
            outcome,
            states: None,
        }
    }
}
