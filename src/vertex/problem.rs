//! One vertex and one body, in the units and the frame in which every method of the vertex query works.
//!
//! Lengths are divided by a power of two near the body's size, as in a pair query, and the frame is the body's.

use crate::Superovoid;
use crate::pair::problem::PairProblem;
use crate::query::answer::{Answer, beyond_answer, in_world};
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::units::{
    FAR_LIMIT, SHIFTED_BY_ROUNDING, center_line, power_of_two_below, rounding_error,
    wanted_tolerance,
};
use crate::vertex::newton::Foot;
use nalgebra::{Isometry3, Point3, Vector3};

/// The share of its distance below which the size of a body makes it a point.
pub(super) const AFAR: f64 = 0.1 * f64::EPSILON;

pub(crate) struct VertexProblem {
    pub shape: Superovoid,
    pub point: Vector3<f64>,
    /// The widest bracket that counts as closed; for the published iterative method the error at which it ends.
    pub tolerance: f64,
    /// The change of a bound that rounding of the inputs and of a few operations on them can cause.
    pub rounding: f64,
    /// The change of the support function that rounding of a normal can cause: the dual coordinates are powers P − 1
    /// of the primal ones, which amplifies their rounding as much.
    pub normal_rounding: f64,
    pub max_distance: f64,
    /// The number of metres per unit.
    pub unit: f64,
}

impl VertexProblem {
    /// Makes the problem; `tolerance` is in metres, and 0 stands for `default_tolerance` times the largest semi-axis.
    pub fn new(
        shape: &Superovoid,
        pose: &Isometry3<f64>,
        point: &Point3<f64>,
        tolerance: f64,
        default_tolerance: f64,
        max_distance: f64,
    ) -> VertexProblem {
        let (center, size) = (&pose.translation.vector, shape.size());
        // Halves are subtracted, so that coordinates of any finite size do not overflow.
        let half_offset = point.coords * 0.5 - center * 0.5;
        let unit = power_of_two_below(size.max(half_offset.amax() * FAR_LIMIT));
        let per_unit = 1.0 / unit;
        let shape = shape.scaled(per_unit);
        let offset = half_offset * per_unit * 2.0;
        let point = pose.rotation.inverse_transform_vector(&offset);
        let rounding = rounding_error(point.norm() + shape.outer_radius, unit);
        let wanted = wanted_tolerance(tolerance, size, default_tolerance) * per_unit;
        let largest = |x: [f64; 2]| x[0].max(x[1]);
        let power = largest(shape.p).max(largest(shape.q));
        VertexProblem {
            normal_rounding: 4.0 * f64::EPSILON * power * shape.outer_radius,
            shape,
            point,
            tolerance: wanted.max(4.0 * rounding),
            rounding,
            max_distance: max_distance * per_unit,
            unit,
        }
    }

    /// Answers without the surface where the vertex is beyond `max_distance`, or so far away that the body is a point
    /// as well.
    pub fn seen_from_afar(&self) -> Option<Answer> {
        let center_distance = self.point.norm();
        let lower = center_distance - self.shape.outer_radius - self.rounding;
        let direction = center_line(&self.point);
        if lower > self.max_distance {
            return Some(beyond_answer(
                direction,
                self.point - direction * lower,
                lower,
            ));
        }
        (self.shape.outer_radius < AFAR * center_distance).then(|| Answer {
            distance: center_distance,
            normal: direction,
            xa: Vector3::zeros(),
            lower,
            upper: center_distance + self.rounding,
            outcome: Outcome::Certified,
            states: None,
        })
    }

    /// Returns a lower bound of the signed distance, by the tangent plane of a surface point. A tangent plane of a
    /// convex body is a supporting one, `h(n̂) = n̂·x`; otherwise the support function of the hull is evaluated.
    pub fn lower_bound(&self, foot: &Foot) -> f64 {
        let slack = self.rounding + self.normal_rounding;
        if self.shape.is_convex() {
            foot.along - slack
        } else {
            foot.normal.dot(&self.point) - self.shape.support_circles(&foot.normal).0 - slack
        }
    }

    /// Returns the answer that a surface point gives outside (`inside` is false) or inside the body: along its normal
    /// if the point deviates from that by no more than rounding, otherwise on the line to the point.
    pub fn answer(&self, foot: &Foot, inside: bool, bracket: [f64; 2], outcome: Outcome) -> Answer {
        let (distance, normal) = if foot.offset <= SHIFTED_BY_ROUNDING {
            (foot.along, foot.normal)
        } else {
            let length = foot.d.norm().copysign(if inside { -1.0 } else { 1.0 });
            (length, foot.d / length)
        };
        let [lower, upper] = bracket;
        Answer {
            distance,
            normal,
            xa: self.point - normal * distance,
            lower: lower.min(distance),
            upper: upper.max(distance),
            outcome,
            states: None,
        }
    }

    /// Converts the answer to metres and the world frame, and revokes a certificate that rounding has spoilt.
    pub fn finish(
        &self,
        mut answer: Answer,
        pose: &Isometry3<f64>,
        iterations: u32,
    ) -> Result<Contact, QueryError> {
        if !self.shape.traits.provable() {
            let center_distance = self.point.norm();
            let lower = center_distance - self.shape.outer_radius - self.rounding;
            let upper = center_distance - self.shape.inner_radius + self.rounding;
            answer.revoke([lower, upper]);
        }
        let contact = in_world(&answer, self.unit, pose, iterations);
        if answer.is_finite() {
            contact.within_number_range()
        } else {
            Err(QueryError::Overflow)
        }
    }

    /// Returns the vertex as a pair: the pipeline of the pair query continues where Newton's method is not enough.
    pub fn as_pair(&self) -> PairProblem {
        PairProblem::with_point(
            &self.shape,
            &self.point,
            self.unit,
            self.tolerance,
            self.rounding,
        )
    }
}
