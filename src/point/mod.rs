//! The point query: signed distance, nearest surface point and normal of a body and a point, the
//! vertex of a cloth or mesh.
//!
//! [`vertex_contact`] answers for one point, [`vertex_contact_batch`] for a slice of them. The answer is a
//! [`Contact`] with the body as A and the point as B: `normal` points out of the surface, `distance` is
//! negative inside, and `point_b = point_a + distance · normal` is the point itself to rounding.
//!
//! # What is proven
//!
//! | point | bracket | outcome |
//! | --- | --- | --- |
//! | outside a convex body | closed at the tolerance | [`Outcome::Certified`] |
//! | outside a body that is not convex | closed at the tolerance, where the slabs of the pair query close it | `Certified`, otherwise [`Outcome::Converged`] |
//! | inside a convex body | closed at the tolerance, unless 512 directions do not suffice, with [`DepthMode::Certified`] 2048 | `Certified`, nearly always |
//! | inside a body that is not convex | true, open | `Converged` |
//!
//! A bracket is one of the least distance over the whole surface. A converged answer is a stationary
//! point, the nearest of those that Newton's method found from several starts.
//!
//! Points in planes of symmetry and at the centre can have several nearest surface points; which one is
//! returned is deterministic but otherwise unspecified.
//!
//! Exponents within 1e-6 of 0 or 2 are accepted but never certified, as for pairs.
//!
//! ```
//! use nalgebra::{Isometry3, Point3};
//! use superovoid::{VertexOptions, Superovoid, vertex_contact};
//!
//! let body = Superovoid::superellipsoid([1.0, 1.0, 0.5], [0.5, 0.5])?;
//! let (pose, point) = (Isometry3::translation(0.0, 0.0, 2.0), Point3::new(0.0, 0.0, 3.0));
//! let answer = vertex_contact(&body, &pose, &point, &VertexOptions::default())?;
//! assert!((answer.distance - 0.5).abs() < 1e-12);
//! assert!((answer.point_a - Point3::new(0.0, 0.0, 2.5)).norm() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
pub(crate) mod bracket;
mod exact;
mod inside;
pub(crate) mod newton;
mod octant;
mod plain;
pub(crate) mod query;
mod stationary;
mod together;

#[cfg(doc)]
use crate::Outcome;
use crate::Superovoid;
use crate::pair::chain::Answer;
use crate::pair::{Contact, DepthMode, QueryError, balls, validate_lengths, validate_pose};
pub use batch::vertex_contact_batch;
#[cfg(feature = "capi")]
pub(crate) use batch::{GROUP, PlacedBody};
use nalgebra::{Isometry3, Point3};
use query::Query;

/// What a point query is asked for. `VertexOptions::default()` suits nearly everyone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexOptions {
    /// Widest bracket, in metres, of an answer that counts as certified; `0` (the default) means 1e-10 of
    /// the largest semi-axis.
    pub tolerance: f64,
    /// Iterations of Newton's method from one start; the default is 50. More than 1000 count as 1000.
    pub max_iterations: u32,
    /// Stop as soon as the point is proven to be farther away than this (metres); default infinity.
    pub max_distance: f64,
    /// How long the depth of points inside convex bodies is searched for: certified in 2048 directions
    /// instead of 512, where its bracket does not close before.
    pub depth: DepthMode,
}

impl Default for VertexOptions {
    fn default() -> Self {
        VertexOptions {
            tolerance: 0.0,
            max_iterations: 50,
            max_distance: f64::INFINITY,
            depth: DepthMode::Fast,
        }
    }
}

/// Signed distance between `shape` at `pose` and a point (world frame, metres), with the nearest surface
/// point, the outward normal and a bracket: see the [module](self) for what is proven when.
///
/// # Errors
/// A pose or point that is not finite, an option out of its domain, or a distance that exceeds the number
/// range.
pub fn vertex_contact(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
) -> Result<Contact, QueryError> {
    validate(pose, options)?;
    solve(shape, pose, point, options, 0)
}

pub(crate) fn validate(pose: &Isometry3<f64>, options: &VertexOptions) -> Result<(), QueryError> {
    validate_pose('A', pose)?;
    validate_lengths(options.tolerance, options.max_distance)
}

/// The default tolerance of the exact query, relative to the largest semi-axis.
pub(crate) const EXACT_TOLERANCE: f64 = 1e-10;

/// The query of a valid pose and valid options; `index` is for the error message.
fn solve(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
    index: usize,
) -> Result<Contact, QueryError> {
    let exactly = |query: &Query, iterations: &mut u32| exact::answer(query, options, iterations);
    solve_by(shape, pose, point, options, EXACT_TOLERANCE, index, exactly)
}

/// The query of a valid pose and valid options by `method`, which is given the query and counts its
/// iterations. `default_tolerance` is relative to the largest semi-axis; `index` is for the error message.
#[inline(always)]
pub(crate) fn solve_by(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
    default_tolerance: f64,
    index: usize,
    method: impl FnOnce(&Query, &mut u32) -> Answer,
) -> Result<Contact, QueryError> {
    if !point.iter().all(|x| x.is_finite()) {
        return Err(QueryError::NonFinitePoint { index });
    }
    if let Some(contact) = balls::point_beyond(shape, pose, point, options.max_distance) {
        return Ok(contact);
    }
    let query = query_of(shape, pose, point, options, default_tolerance);
    let mut iterations = 0;
    let answer = query
        .seen_from_afar()
        .unwrap_or_else(|| method(&query, &mut iterations));
    query.finish(answer, pose, iterations)
}

fn query_of(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
    default_tolerance: f64,
) -> Query {
    Query::new(
        shape,
        pose,
        point,
        options.tolerance,
        default_tolerance,
        options.max_distance,
    )
}
