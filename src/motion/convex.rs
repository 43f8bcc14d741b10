//! Two moving convex bodies of any kind, by their support functions.

use super::answer::TimeOfImpact;
use super::entry::limits;
use super::moving_pair::MovingPair;
use super::rigid_motion::Motion;
use super::search::{Limits, first_contact};
use super::time_of_impact_options::TimeOfImpactOptions;
use crate::convex::{ConvexShape, convex_contact};
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use nalgebra::Isometry3;

/// Returns when `a`, which moves as `motion_a`, and `b`, which moves as `motion_b`, touch first in t ∈ [0, 1], or proves
/// that they do not: balls, boxes, cylinders, capsules, cones, hulls and superovoids, in any pair. The default tolerance is
/// relative to the larger body.
///
/// # Errors
/// The errors are those of [`time_of_impact`](super::time_of_impact).
///
/// ```
/// use nalgebra::{Isometry3, Vector3};
/// use superovoid::convex::ConvexShape;
/// use superovoid::motion::{Motion, TimeOfImpact, TimeOfImpactOptions, convex_time_of_impact};
///
/// let (pen, can) = (ConvexShape::capsule(0.005, 0.12)?, ConvexShape::cylinder(0.03, 0.1)?);
/// let thrown = Motion::screw(Isometry3::translation(-1.0, 0.0, 0.0), 4.0 * Vector3::x(), Vector3::zeros())?;
/// let still = Motion::still(Isometry3::identity())?;
/// let found = convex_time_of_impact(&pen, &thrown, &can, &still, &TimeOfImpactOptions::default())?;
/// assert!(matches!(found, TimeOfImpact::Hit { safe, .. } if (safe - 0.965 / 4.0).abs() < 1e-8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn convex_time_of_impact(
    a: &ConvexShape,
    motion_a: &Motion,
    b: &ConvexShape,
    motion_b: &Motion,
    options: &TimeOfImpactOptions,
) -> Result<TimeOfImpact, QueryError> {
    let limits = limits(options, a.size().max(b.size()))?;
    convex_first_contact(a, motion_a, b, motion_b, [0.0, 1.0], &limits)
}

/// Searches between two instants as [`convex_time_of_impact`] does.
pub(super) fn convex_first_contact(
    a: &ConvexShape,
    motion_a: &Motion,
    b: &ConvexShape,
    motion_b: &Motion,
    between: [f64; 2],
    limits: &Limits,
) -> Result<TimeOfImpact, QueryError> {
    let mut query = |pose_a: &Isometry3<f64>, pose_b: &Isometry3<f64>, tolerance: f64| {
        let options = QueryOptions {
            tolerance,
            ..QueryOptions::default()
        };
        convex_contact(a, pose_a, b, pose_b, &options)
    };
    let mut pair = MovingPair {
        bodies: [a.into(), b.into()],
        motions: [motion_a, motion_b],
        query: &mut query,
    };
    first_contact(&mut pair, between, limits)
}
