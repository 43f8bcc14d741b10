//! Two capsules: the nearest points of their axes, in closed form.
//!
//! C. Ericson, *Real-Time Collision Detection* (2005), section 5.1.9. The direction of the points' difference proves their
//! distance, or where the axes all but meet, the direction that is perpendicular to both; what neither proves to the
//! tolerance is left to the solver.

use crate::convex::core::Core;
use crate::convex::shape::ConvexShape;
use crate::query::answer::{Answer, beyond_answer, in_world};
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::units::{
    RELATIVE_TOLERANCE, largest, rounding_error, unit_of_length, wanted_tolerance,
};
use nalgebra::{Isometry3, Vector3};

/// Returns the contact of two capsules; `None` for other bodies and where rounding leaves it open. The poses are valid.
pub(super) fn contact_of_capsules(
    a: &ConvexShape,
    pose_a: &Isometry3<f64>,
    b: &ConvexShape,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Option<Result<Contact, QueryError>> {
    let (Core::Segment(half_a), Core::Segment(half_b)) = (&a.core, &b.core) else {
        return None;
    };
    // Halves are subtracted, so that coordinates of any finite size do not overflow.
    let half_offset = pose_b.translation.vector * 0.5 - pose_a.translation.vector * 0.5;
    let (size_a, size_b) = (half_a + a.margin, half_b + b.margin);
    let size = size_a.max(size_b);
    let unit = unit_of_length(size, largest(&half_offset).max(size));
    let k = 1.0 / unit;
    let (half_a, half_b) = (half_a * k, half_b * k);
    let to_a = pose_a.rotation.inverse();
    let center = to_a * (half_offset * k * 2.0);
    // The axis of B; that of A is z.
    let axis = (to_a * (pose_b.rotation * Vector3::z())).normalize();
    let across = axis.x * axis.x + axis.y * axis.y;
    // How far along their axes the nearest points are, each for that of the other one.
    let along_a = |u: f64| (center.z + u * axis.z).clamp(-half_a, half_a);
    let along_b = |s: f64| (s * axis.z - center.dot(&axis)).clamp(-half_b, half_b);
    let crossing = -(axis.x * center.x + axis.y * center.y) / across;
    let start = if across > 0.0 {
        crossing.clamp(-half_b, half_b)
    } else {
        0.0
    };
    let s = along_a(start);
    let u = along_b(s);
    let way = Vector3::new(
        center.x + u * axis.x,
        center.y + u * axis.y,
        center.z + u * axis.z - s,
    );
    let length = way.norm();
    let rounding = rounding_error(center.norm() + (size_a + size_b) * k, unit);
    let wanted = wanted_tolerance(options.tolerance, size, RELATIVE_TOLERANCE) * k;
    let tolerance = wanted.max(16.0 * rounding) - 2.0 * rounding;
    let gap = |n: &Vector3<f64>| n.dot(&center) - half_a * n.z.abs() - half_b * n.dot(&axis).abs();
    let proves = |lower: f64, width: f64| length - lower <= width;
    let mut normal = way / length;
    let mut lower = gap(&normal);
    if !proves(lower, 4.0 * rounding) && across > 0.0 {
        let perpendicular = Vector3::new(-axis.y, axis.x, 0.0) / across.sqrt();
        let perpendicular = perpendicular * 1.0_f64.copysign(perpendicular.dot(&way));
        let height = gap(&perpendicular);
        // Points that coincide have no direction.
        if height > lower || lower.is_nan() {
            (normal, lower) = (perpendicular, height);
        }
    }
    if !proves(lower, tolerance) {
        return None;
    }
    let margins = (a.margin + b.margin) * k;
    let distance = normal.dot(&way);
    let bracket = [
        lower.min(distance) - rounding - margins,
        length.max(distance) + rounding - margins,
    ];
    let xa = Vector3::z() * s + normal * (a.margin * k);
    let answer = if bracket[0] * unit > options.max_distance {
        beyond_answer(normal, xa, bracket[0])
    } else {
        Answer::new(distance - margins, normal, xa, bracket, Outcome::Certified)
    };
    Some(in_world(&answer, unit, pose_a, 0).within_number_range())
}
