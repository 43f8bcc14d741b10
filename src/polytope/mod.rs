//! Superovoids against segments, triangles, boxes and hulls of points.
//!
//! [`polytope_contact`] answers as the [pair query](crate::pair) does: signed distance, witness
//! points, normal and a bracket. Body A is the superovoid and B the polytope, the convex hull of a
//! few vertices v. Its support function is `h_B(n) = max n·v`, and for a convex superovoid all that
//! follows from support functions holds unchanged: the signed distance is the largest value over
//! unit n of
//!
//! ```text
//! g(n) = min n·v − h_A(n),
//! ```
//!
//! found by cutting planes, or by branch and bound where the bodies overlap, and then sharpened on
//! the vertex, edge or face that is touched.
//!
//! A segment or triangle has no inside: its depth is the least translation that frees it, which
//! moves it out of the body to one of its own sides or past its border.
//!
//! | superovoid | bracket | outcome |
//! | --- | --- | --- |
//! | convex, apart or touching | closed at the tolerance | [`Certified`](Outcome::Certified) |
//! | convex, overlapping, [`DepthMode::Fast`] | true, open | [`Converged`](Outcome::Converged); `NotConverged`, the distance being the lower bound, where no witnesses were found at the depth (polytopes a million times as large as the superovoid) |
//! | convex, overlapping, [`DepthMode::Certified`] | closed at 1e-6 of the body, or at the tolerance if that is larger; open if 2048 directions did not suffice | `Certified` or `Converged` |
//! | not convex, apart | closed at the tolerance, of the true body; open if 600 slabs did not suffice (strong tapers of pointed or box-like bodies, polytopes a million times as large) | `Certified` or `NotConverged` |
//! | not convex, overlapping | true, open | `Converged`: the depth of the superovoid's hull, whose witness is on the true surface; [`NotConverged`](Outcome::NotConverged) where the hull spans a hollow there |
//!
//! The tolerance is relative to the superovoid: with the default, 1e-9 of its largest semi-axis, or
//! what rounding leaves of the coordinates if that is larger: 3e-14 of the distance between the
//! origins of the two frames and 6e-14 of the largest coordinate of a vertex in its own frame. So
//! a polytope 20,000 times as large as the superovoid, or as far from its frame's origin, has a
//! wider bracket. Nearly degenerate triangles within about 1e-8 of a pointed body can be left
//! `NotConverged`, with a true bracket.
//!
//! Where a face of the polytope lies on a nearly flat face of the superovoid the witnesses are one
//! facing pair of many.

mod feature;
mod problem;
mod query;
mod slabs;

use crate::Superovoid;
use crate::pair::{Contact, QueryError, QueryOptions, validate};
#[cfg(doc)]
use crate::{DepthMode, Outcome};
use nalgebra::{Isometry3, Point3, Vector3};

/// A convex polytope, possibly flat: the hull of its vertices.
pub trait Polytope {
    /// The vertices, in the polytope's own frame, metres. At least one.
    fn vertices(&self) -> &[Point3<f64>];

    /// Normals of faces that a superovoid's flat sides may come to lie on, of any length and either
    /// sign; they help to close the bracket there and are not needed elsewhere.
    fn face_normals(&self) -> [Vector3<f64>; 3] {
        [Vector3::x(), Vector3::y(), Vector3::z()]
    }
}

/// A polytope that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PolytopeError {
    /// No vertices at all.
    #[error("a polytope needs at least one vertex")]
    Empty,
    /// A vertex holds NaN or infinity.
    #[error("vertex {index} is not finite: ({}, {}, {})", .vertex.x, .vertex.y, .vertex.z)]
    NonFiniteVertex {
        /// Its index, from 0.
        index: usize,
        /// The vertex that was refused.
        vertex: Point3<f64>,
    },
    /// A half extent of a box is not finite and at least 0.
    #[error("half extent {axis} = {value}: it must be finite and at least 0")]
    HalfExtent {
        /// `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The value that was refused.
        value: f64,
    },
}

pub(crate) fn finite(vertices: &[Point3<f64>]) -> Result<(), PolytopeError> {
    let bad = |v: &Point3<f64>| v.iter().any(|x| !x.is_finite());
    match vertices.iter().position(bad) {
        Some(index) => Err(PolytopeError::NonFiniteVertex {
            index,
            vertex: vertices[index],
        }),
        None => Ok(()),
    }
}

/// A line segment. Its ends may coincide: then it is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    ends: [Point3<f64>; 2],
}

impl Segment {
    /// From its ends, metres.
    ///
    /// # Errors
    /// An end that is not finite.
    pub fn new(from: Point3<f64>, to: Point3<f64>) -> Result<Self, PolytopeError> {
        let ends = [from, to];
        finite(&ends)?;
        Ok(Segment { ends })
    }
}

impl Polytope for Segment {
    fn vertices(&self) -> &[Point3<f64>] {
        &self.ends
    }
}

/// A triangle, two-sided. It may be degenerate: then it is a segment or a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    corners: [Point3<f64>; 3],
}

impl Triangle {
    /// From its corners, metres; their order does not matter.
    ///
    /// # Errors
    /// A corner that is not finite.
    pub fn new(corners: [Point3<f64>; 3]) -> Result<Self, PolytopeError> {
        finite(&corners)?;
        Ok(Triangle::of_finite(corners))
    }

    /// From corners that are known to be finite.
    pub(crate) fn of_finite(corners: [Point3<f64>; 3]) -> Self {
        Triangle { corners }
    }
}

impl Polytope for Triangle {
    fn vertices(&self) -> &[Point3<f64>] {
        &self.corners
    }

    fn face_normals(&self) -> [Vector3<f64>; 3] {
        let [a, b, c] = self.corners;
        [(b - a).cross(&(c - a)); 3]
    }
}

/// A box with its centre at the origin of its frame and edges along the axes; with a pose, an
/// oriented box. Half extents may be 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    corners: [Point3<f64>; 8],
}

impl Cuboid {
    /// From half its edge lengths along x, y and z, metres.
    ///
    /// # Errors
    /// A half extent that is negative or not finite.
    pub fn new(half_extents: [f64; 3]) -> Result<Self, PolytopeError> {
        for (axis, value) in ['x', 'y', 'z'].into_iter().zip(half_extents) {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(PolytopeError::HalfExtent { axis, value });
            }
        }
        let sign = |corner: usize, axis: usize| f64::from((corner >> axis & 1) as u8) * 2.0 - 1.0;
        let corners = std::array::from_fn(|corner| {
            Point3::from(Vector3::from_fn(|axis, _| {
                half_extents[axis] * sign(corner, axis)
            }))
        });
        Ok(Cuboid { corners })
    }
}

impl Polytope for Cuboid {
    fn vertices(&self) -> &[Point3<f64>] {
        &self.corners
    }
}

/// The convex hull of points. Every query step looks at all of them: leave out those that are not
/// corners of the hull where speed matters.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexHull {
    points: Vec<Point3<f64>>,
}

impl ConvexHull {
    /// From the points, metres. Points inside the hull, duplicates and flat sets are allowed.
    ///
    /// # Errors
    /// No point, or one that is not finite.
    pub fn new(points: Vec<Point3<f64>>) -> Result<Self, PolytopeError> {
        if points.is_empty() {
            return Err(PolytopeError::Empty);
        }
        finite(&points)?;
        Ok(ConvexHull { points })
    }
}

impl Polytope for ConvexHull {
    fn vertices(&self) -> &[Point3<f64>] {
        &self.points
    }
}

/// Signed distance between the superovoid `shape` at `pose` (body A) and a polytope at its own pose
/// (body B), with witness points, normal and bracket: see the [module](self).
///
/// Of `options`, `tolerance`, `max_distance` and `depth` have the meaning of the pair query and
/// `max_iterations` limits Newton's steps on a touched vertex.
///
/// # Errors
/// A pose or vertex that is not finite, no vertices, an option out of its domain, or a distance
/// that exceeds the number range.
///
/// ```
/// use nalgebra::{Isometry3, Point3};
/// use superovoid::polytope::{Triangle, polytope_contact};
/// use superovoid::{Outcome, QueryOptions, Superovoid};
///
/// let ball = Superovoid::sphere(1.0)?;
/// let corner = |x: f64, y: f64| Point3::new(x, y, 3.0);
/// let triangle = Triangle::new([corner(-5.0, -5.0), corner(5.0, -5.0), corner(0.0, 5.0)])?;
/// let here = Isometry3::identity();
/// let answer = polytope_contact(&ball, &here, &triangle, &here, &QueryOptions::default())?;
/// assert_eq!(answer.outcome, Outcome::Certified);
/// assert!((answer.distance - 2.0).abs() < 1e-9);
/// assert!((answer.normal.z - 1.0).abs() < 1e-9); // from the ball to the triangle
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn polytope_contact(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    polytope: &(impl Polytope + ?Sized),
    polytope_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Contact, QueryError> {
    validate(pose, polytope_pose, options)?;
    query::solve(
        shape,
        pose,
        polytope.vertices(),
        &polytope.face_normals(),
        polytope_pose,
        options,
    )
}
