//! The polytopes: segments, triangles, boxes and convex hulls of points.

use crate::query::error::QueryError;
use nalgebra::{Point3, Vector3};

/// A convex polytope, possibly flat: the hull of its vertices.
pub trait Polytope {
    /// Returns the vertices, at least one, in the polytope's own frame, metres.
    fn vertices(&self) -> &[Point3<f64>];

    /// Returns normals of faces on which a superovoid's flat sides may come to lie, of any length and either
    /// sign. They help to close the bracket there and are not needed elsewhere.
    fn face_normals(&self) -> [Vector3<f64>; 3] {
        [Vector3::x(), Vector3::y(), Vector3::z()]
    }
}

/// An error in the definition of a polytope.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolytopeError {
    /// The polytope has no vertices.
    #[error("a polytope needs at least one vertex")]
    Empty,
    /// A vertex holds NaN or infinity.
    #[error("vertex {index} is not finite: ({}, {}, {})", .vertex.x, .vertex.y, .vertex.z)]
    NonFiniteVertex {
        /// The index of the vertex, from 0.
        index: usize,
        /// The vertex that was rejected.
        vertex: Point3<f64>,
    },
    /// A half extent of a box is not finite and at least 0.
    #[error("half extent {axis} = {value}: it must be finite and at least 0")]
    HalfExtent {
        /// The axis, `'x'`, `'y'` or `'z'`.
        axis: char,
        /// The value that was rejected.
        value: f64,
    },
}

impl From<PolytopeError> for QueryError {
    fn from(error: PolytopeError) -> Self {
        match error {
            PolytopeError::Empty => QueryError::NoVertices,
            PolytopeError::NonFiniteVertex { index, .. } => QueryError::NonFiniteVertex { index },
            PolytopeError::HalfExtent { .. } => QueryError::Input {
                name: "half extent",
                requirement: "it must be finite and at least 0",
            },
        }
    }
}

/// Returns an error if there is no vertex, or for the first one that is not finite.
pub fn validate_vertices(vertices: &[Point3<f64>]) -> Result<(), PolytopeError> {
    let finite = |v: &Point3<f64>| v.iter().all(|x| x.is_finite());
    match vertices.iter().position(|v| !finite(v)) {
        Some(index) => Err(PolytopeError::NonFiniteVertex {
            index,
            vertex: vertices[index],
        }),
        None if vertices.is_empty() => Err(PolytopeError::Empty),
        None => Ok(()),
    }
}

/// A line segment. Its ends may coincide; then it is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    ends: [Point3<f64>; 2],
}

impl Segment {
    /// Makes a segment from its ends, metres.
    ///
    /// # Errors
    /// The error names an end that is not finite.
    pub fn new(from: Point3<f64>, to: Point3<f64>) -> Result<Self, PolytopeError> {
        let ends = [from, to];
        validate_vertices(&ends)?;
        Ok(Segment { ends })
    }
}

impl Polytope for Segment {
    fn vertices(&self) -> &[Point3<f64>] {
        &self.ends
    }
}

/// A two-sided triangle. It may be degenerate; then it is a segment or a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    corners: [Point3<f64>; 3],
}

impl Triangle {
    /// Makes a triangle from its corners, metres; their order does not matter.
    ///
    /// # Errors
    /// The error names a corner that is not finite.
    pub fn new(corners: [Point3<f64>; 3]) -> Result<Self, PolytopeError> {
        validate_vertices(&corners)?;
        Ok(Triangle::of_finite(corners))
    }

    /// Makes a triangle from corners that are known to be finite.
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

/// A box with its centre at the origin of its frame and edges along the axes; with a pose it is an oriented box. Half
/// extents may be 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    corners: [Point3<f64>; 8],
}

impl Cuboid {
    /// Makes a box from half its edge lengths along x, y and z, metres.
    ///
    /// # Errors
    /// The error names a half extent that is negative or not finite.
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

/// The convex hull of points. Every step of a query examines all of them: leave out points that are not corners of
/// the hull where speed matters.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexHull {
    points: Vec<Point3<f64>>,
}

impl ConvexHull {
    /// Makes the hull of the points, metres. Points inside the hull, duplicates and flat sets are allowed.
    ///
    /// # Errors
    /// The error names a point that is not finite, or says that there is no point.
    pub fn new(points: Vec<Point3<f64>>) -> Result<Self, PolytopeError> {
        validate_vertices(&points)?;
        Ok(ConvexHull { points })
    }
}

impl Polytope for ConvexHull {
    fn vertices(&self) -> &[Point3<f64>] {
        &self.points
    }
}
