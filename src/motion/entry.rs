//! The entries of the time of impact.

use super::answer::TimeOfImpact;
use super::moving_pair::{MovingBody, MovingPair};
use super::rigid_motion::Motion;
use super::search::{Limits, first_contact};
use super::time_of_impact_options::TimeOfImpactOptions;
use crate::Superovoid;
use crate::pair::{PairCache, contact};
use crate::plane::{HalfSpace, half_space_contact};
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::units::{RELATIVE_TOLERANCE, wanted_tolerance};
use crate::surface::support_map::{Hull, SupportMap};
use crate::vertex::{VertexOptions, vertex_contact};
use nalgebra::{Isometry3, Point3, Vector3};

/// Returns when `a`, which moves as `motion_a`, and `b`, which moves as `motion_b`, touch first in t ∈ [0, 1], or proves
/// that they do not. The [module](crate::motion) states what is proven when.
///
/// # Errors
/// The error names an option out of its domain, or says that a distance exceeds the number range.
///
/// ```
/// use nalgebra::{Isometry3, Vector3};
/// use superovoid::Superovoid;
/// use superovoid::motion::{Motion, TimeOfImpact, TimeOfImpactOptions, time_of_impact};
///
/// let ball = Superovoid::sphere(1.0)?;
/// let still = Motion::still(Isometry3::identity())?;
/// let thrown = Motion::screw(Isometry3::translation(4.0, 0.0, 0.0), -4.0 * Vector3::x(), Vector3::zeros())?;
/// let options = TimeOfImpactOptions::default();
/// match time_of_impact(&ball, &still, &ball, &thrown, &options)? {
///     TimeOfImpact::Hit { safe, touching, contact } => {
///         assert!(safe <= 0.5 && 0.5 <= touching && touching - safe < 1e-8);
///         assert!((contact.point_a.x - 1.0).abs() < 1e-8);
///     }
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn time_of_impact(
    a: &Superovoid,
    motion_a: &Motion,
    b: &Superovoid,
    motion_b: &Motion,
    options: &TimeOfImpactOptions,
) -> Result<TimeOfImpact, QueryError> {
    let size = a.size().max(b.size());
    let limits = limits(options, size)?;
    let mut cache = PairCache::default();
    let mut last = None;
    let mut query = |pose_a: &Isometry3<f64>, pose_b: &Isometry3<f64>, tolerance: f64| {
        let query_options = QueryOptions {
            tolerance,
            ..QueryOptions::default()
        };
        let poses = [*pose_a, *pose_b];
        if !last.is_some_and(|last| are_near(&last, &poses, size)) {
            cache = PairCache::default();
        }
        last = Some(poses);
        contact(a, pose_a, b, pose_b, &query_options, Some(&mut cache))
    };
    let mut pair = MovingPair {
        bodies: [a.into(), b.into()],
        motions: [motion_a, motion_b],
        query: &mut query,
    };
    first_contact(&mut pair, [0.0, 1.0], &limits)
}

/// The share of the larger semi-axis, and the radians, from which on a query does not start from the last answer: from
/// farther away it takes longer than a cold one (`studies/compare/examples/impact_times.rs`; any share from 0.003 to 0.3 serves as well).
const NEAR: f64 = 0.1;

/// Whether the bodies have hardly moved from some poses to others.
fn are_near(from: &[Isometry3<f64>; 2], to: &[Isometry3<f64>; 2], size: f64) -> bool {
    from.iter().zip(to).all(|(from, to)| {
        let moved = (to.translation.vector - from.translation.vector).norm();
        // A turn by the angle θ moves the quaternion by 2 sin(θ/4).
        let turned = 2.0 * (to.rotation.coords - from.rotation.coords).norm();
        moved <= NEAR * size && turned <= NEAR
    })
}

/// Returns when `shape`, which moves as `motion`, and a vertex, the origin of the frame that moves as `motion_of_vertex`,
/// touch first. The contact's body A is the shape, its body B the vertex.
///
/// # Errors
/// The errors are those of [`time_of_impact`].
pub fn vertex_time_of_impact(
    shape: &Superovoid,
    motion: &Motion,
    motion_of_vertex: &Motion,
    options: &TimeOfImpactOptions,
) -> Result<TimeOfImpact, QueryError> {
    let limits = limits(options, shape.size())?;
    let mut query = |pose: &Isometry3<f64>, vertex: &Isometry3<f64>, tolerance: f64| {
        let query_options = VertexOptions {
            tolerance,
            ..VertexOptions::default()
        };
        let point = Point3::from(vertex.translation.vector);
        vertex_contact(shape, pose, &point, &query_options)
    };
    let vertex = Hull(&[Point3::origin()]);
    let mut pair = MovingPair {
        bodies: [shape.into(), MovingBody::new(&vertex, 0.0, 0.0)],
        motions: [motion, motion_of_vertex],
        query: &mut query,
    };
    first_contact(&mut pair, [0.0, 1.0], &limits)
}

/// Returns when `shape`, which moves as `motion`, and a half-space that rests touch first. The contact's body A is the
/// shape, its body B the half-space.
///
/// # Errors
/// The errors are those of [`time_of_impact`].
pub fn half_space_time_of_impact(
    shape: &Superovoid,
    motion: &Motion,
    half_space: &HalfSpace,
    options: &TimeOfImpactOptions,
) -> Result<TimeOfImpact, QueryError> {
    let limits = limits(options, shape.size())?;
    let mut query = |pose: &Isometry3<f64>, _: &Isometry3<f64>, _: f64| {
        half_space_contact(shape, pose, half_space)
    };
    // The half-space rests, so that no bound depends on its radius but that of rounding.
    let radius = half_space.offset().abs();
    let mut pair = MovingPair {
        bodies: [
            shape.into(),
            MovingBody::new(half_space, radius, 4.0 * f64::EPSILON),
        ],
        motions: [motion, &Motion::still(Isometry3::identity())?],
        query: &mut query,
    };
    first_contact(&mut pair, [0.0, 1.0], &limits)
}

/// A half-space has one direction of support.
impl SupportMap for HalfSpace {
    fn local_support(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let normal = self.normal().into_inner();
        if *n == normal {
            (self.offset(), normal * self.offset())
        } else {
            (f64::INFINITY, n * f64::INFINITY)
        }
    }
}

/// Returns the limits of a search that the options describe; `size` is the largest semi-axis.
pub(crate) fn limits(options: &TimeOfImpactOptions, size: f64) -> Result<Limits, QueryError> {
    options.validate()?;
    Ok(Limits {
        min_separation: options.min_separation,
        tolerance: wanted_tolerance(options.tolerance, size, RELATIVE_TOLERANCE),
        max_queries: options.max_queries,
    })
}
