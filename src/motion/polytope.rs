//! A moving superovoid and a moving polytope: a segment, triangle, box or hull.

use super::answer::TimeOfImpact;
use super::entry::limits;
use super::moving_pair::{MovingBody, MovingPair};
use super::rigid_motion::Motion;
use super::search::{Limits, first_contact};
use super::time_of_impact_options::TimeOfImpactOptions;
use crate::Superovoid;
use crate::polytope::{Polytope, polytope_contact};
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::surface::support_map::Hull;
use nalgebra::Isometry3;

/// Returns when `shape`, which moves as `motion`, and a polytope, which moves as `polytope_motion`, touch first in
/// t ∈ [0, 1], or proves that they do not. The contact's body A is the superovoid.
///
/// # Errors
/// The errors are those of [`time_of_impact`](super::time_of_impact), and those of [`polytope_contact`].
///
/// ```
/// use nalgebra::{Isometry3, Vector3};
/// use superovoid::motion::{Motion, TimeOfImpact, TimeOfImpactOptions, polytope_time_of_impact};
/// use superovoid::{Superovoid, polytope::Cuboid};
///
/// let (ball, wall) = (Superovoid::sphere(0.1)?, Cuboid::new([0.01, 1.0, 1.0])?);
/// let thrown = Motion::screw(Isometry3::translation(-1.0, 0.0, 0.0), 4.0 * Vector3::x(), Vector3::zeros())?;
/// let still = Motion::still(Isometry3::identity())?;
/// let found = polytope_time_of_impact(&ball, &thrown, &wall, &still, &TimeOfImpactOptions::default())?;
/// assert!(matches!(found, TimeOfImpact::Hit { safe, .. } if (safe - 0.89 / 4.0).abs() < 1e-8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn polytope_time_of_impact(
    shape: &Superovoid,
    motion: &Motion,
    polytope: &(impl Polytope + ?Sized),
    polytope_motion: &Motion,
    options: &TimeOfImpactOptions,
) -> Result<TimeOfImpact, QueryError> {
    let limits = limits(options, shape.size())?;
    polytope_first_contact(
        shape,
        motion,
        polytope,
        polytope_motion,
        [0.0, 1.0],
        &limits,
    )
}

/// Searches between two instants as [`polytope_time_of_impact`] does.
pub(super) fn polytope_first_contact(
    shape: &Superovoid,
    motion: &Motion,
    polytope: &(impl Polytope + ?Sized),
    polytope_motion: &Motion,
    between: [f64; 2],
    limits: &Limits,
) -> Result<TimeOfImpact, QueryError> {
    let mut query = |pose: &Isometry3<f64>, polytope_pose: &Isometry3<f64>, tolerance: f64| {
        let query_options = QueryOptions {
            tolerance,
            ..QueryOptions::default()
        };
        polytope_contact(shape, pose, polytope, polytope_pose, &query_options)
    };
    let vertices = polytope.vertices();
    let farthest = vertices.iter().map(|p| p.coords.norm());
    let radius = farthest.fold(0.0, f64::max) * (1.0 + 4.0 * f64::EPSILON);
    let hull = Hull(vertices);
    let mut pair = MovingPair {
        bodies: [
            shape.into(),
            MovingBody::new(&hull, radius, 4.0 * f64::EPSILON),
        ],
        motions: [motion, polytope_motion],
        query: &mut query,
    };
    first_contact(&mut pair, between, limits)
}
