//! The point query: signed distance, nearest surface point and normal of a body and a point, the
//! vertex of a cloth or mesh.
//!
//! [`vertex_contact`] answers for one point, [`vertex_contact_batch`] for a slice of them. The answer is a
//! [`Contact`] with the body as A and the point as B: `normal` points out of the surface, `distance` is
//! negative inside, and `point_b = point_a + distance · normal` is the point itself to rounding.
//!
//! # What is proven
//!
//! With [`VertexMethod::Exact`]:
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
mod exact;
mod inside;
mod iterative;
pub(crate) mod newton;
mod octant;
mod plain;
mod query;
mod radial;
mod stationary;
mod together;

#[cfg(doc)]
use crate::Outcome;
use crate::Superovoid;
use crate::pair::{Contact, DepthMode, QueryError, balls, validate_lengths, validate_pose};
pub use batch::vertex_contact_batch;
#[cfg(feature = "capi")]
pub(crate) use batch::{GROUP, PlacedBody};
use nalgebra::{Isometry3, Point3};
use query::Query;

/// How the surface point is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VertexMethod {
    /// The nearest surface point: Newton's method with a proof, and what proves more where that is
    /// not enough.
    #[default]
    Exact,
    /// The iterative geometric method for superellipsoids and vertices: from the radial surface point
    /// by weighted means of normals and directions, until the normal points to the point within the
    /// tolerance. Approximate: [`Outcome::Converged`] when it ended so, [`Outcome::NotConverged`] when
    /// it ran out of iterations. The bracket is true either way.
    Iterative,
    /// The surface point on the ray from the centre, whose direction is the answer's normal. An upper
    /// bound of distance and depth, no more: the outcome is always `NotConverged`, with a true
    /// bracket.
    Radial,
}

/// What a point query is asked for. `VertexOptions::default()` suits nearly everyone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexOptions {
    /// How the surface point is found.
    pub method: VertexMethod,
    /// Metres. Widest bracket of an answer that counts as certified; 0 (the default) means 1e-10 of
    /// the largest semi-axis. For the iterative method the error at which it ends,
    /// `|point_a + distance n − point|` with n the surface's normal, and 0 means 1e-3 of the largest
    /// semi-axis.
    pub tolerance: f64,
    /// Iterations of the iterative method, or of Newton's method from one start; default 50
    /// (the thesis that published the iterative method allowed 30). More than 1000 count as 1000.
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
            method: VertexMethod::Exact,
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

fn validate(pose: &Isometry3<f64>, options: &VertexOptions) -> Result<(), QueryError> {
    validate_pose('A', pose)?;
    validate_lengths(options.tolerance, options.max_distance)
}

/// The query of a valid pose and valid options; `index` is for the error message.
fn solve(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
    index: usize,
) -> Result<Contact, QueryError> {
    if !point.iter().all(|x| x.is_finite()) {
        return Err(QueryError::NonFinitePoint { index });
    }
    if let Some(contact) = balls::point_beyond(shape, pose, point, options.max_distance) {
        return Ok(contact);
    }
    let query = query_of(shape, pose, point, options);
    let mut iterations = 0;
    let answer = query
        .seen_from_afar()
        .unwrap_or_else(|| match options.method {
            VertexMethod::Exact => exact::answer(&query, options, &mut iterations),
            VertexMethod::Iterative => {
                iterative::answer(&query, options.max_iterations, &mut iterations)
            }
            VertexMethod::Radial => radial::answer(&query),
        });
    query.finish(answer, pose, iterations)
}

fn query_of(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
) -> Query {
    /// Default tolerances, relative to the largest semi-axis.
    const EXACT: f64 = 1e-10;
    const ITERATIVE: f64 = 1e-3;
    let default_tolerance = match options.method {
        VertexMethod::Exact | VertexMethod::Radial => EXACT,
        VertexMethod::Iterative => ITERATIVE,
    };
    Query::new(
        shape,
        pose,
        point,
        options.tolerance,
        default_tolerance,
        options.max_distance,
    )
}
