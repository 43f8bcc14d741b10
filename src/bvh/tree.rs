//! Polytopes in a common frame, behind a bounding-volume hierarchy.

use crate::bvh::boxes::point;
use crate::convex::ConvexShape;
use crate::polytope::shapes::{Polytope, Triangle};
use crate::surface::bounds::Aabb;
use nalgebra::Point3;
use parry3d_f64::bounding_volume::Aabb as Box3;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};

/// An error in the parts of a tree.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TreeError {
    /// There are no parts.
    #[error("there are no {parts}")]
    Empty {
        /// The kind of part, `"triangles"` or `"boxes"`.
        parts: &'static str,
    },
    /// There are more parts, or vertices, than a 32-bit index can count.
    #[error("{count} parts are more than can be indexed")]
    TooMany {
        /// The number of them.
        count: usize,
    },
    /// A vertex holds NaN or infinity.
    #[error("vertex {index} is not finite")]
    NonFiniteVertex {
        /// The index of the vertex, from 0.
        index: usize,
    },
    /// A triangle refers to a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}; there are {vertices} (from 0)")]
    VertexOutOfRange {
        /// The index of the triangle, from 0.
        triangle: usize,
        /// The vertex index that the triangle holds.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A box is not finite, or a smallest coordinate exceeds the largest.
    #[error("box {index} is not finite or has a smallest coordinate above its largest")]
    Box {
        /// The index of the box, from 0.
        index: usize,
    },
}

/// Polytopes in a common frame, behind a bounding-volume hierarchy.
pub trait PolytopeTree {
    /// The type of a part.
    type Part: Polytope;

    /// Returns the part with an index that is at most that of the last part.
    fn part(&self, index: u32) -> Self::Part;

    /// Returns the hierarchy over the boxes of the parts.
    fn bvh(&self) -> &Bvh;

    /// Returns the same part as a convex body.
    fn convex_part(&self, index: u32) -> ConvexShape {
        ConvexShape::of_points(self.part(index).vertices())
    }
}

/// A triangle mesh: its surface, two-sided, closed or not.
#[derive(Clone)]
pub struct TriMesh {
    vertices: Vec<Point3<f64>>,
    triangles: Vec<[u32; 3]>,
    bvh: Bvh,
}

impl TriMesh {
    /// Makes a mesh from vertices (metres, in the mesh's frame) and the vertex indices of the triangles.
    ///
    /// # Errors
    /// The error says that there are no triangles, or names a vertex that is not finite or an index that is out of
    /// range.
    pub fn new(vertices: Vec<Point3<f64>>, triangles: Vec<[u32; 3]>) -> Result<Self, TreeError> {
        let finite = |v: &Point3<f64>| v.iter().all(|x| x.is_finite());
        if let Some(index) = vertices.iter().position(|v| !finite(v)) {
            return Err(TreeError::NonFiniteVertex { index });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
                return Err(TreeError::VertexOutOfRange {
                    triangle,
                    vertex,
                    vertices: vertices.len(),
                });
            }
        }
        let boxes: Vec<Box3> = triangles
            .iter()
            .map(|t| around(&t.map(|v| vertices[v as usize])))
            .collect();
        let bvh = build(&boxes, "triangles")?;
        Ok(TriMesh {
            vertices,
            triangles,
            bvh,
        })
    }

    /// Returns the vertices, as given, metres.
    pub fn vertices(&self) -> &[Point3<f64>] {
        &self.vertices
    }

    /// Returns the box along the axes of the mesh's frame that holds it.
    pub fn aabb(&self) -> Aabb {
        let bounds = self.bvh.root_aabb();
        Aabb {
            min: point(bounds.mins),
            max: point(bounds.maxs),
        }
    }

    /// Returns the vertex indices of the triangles, as given.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }
}

impl std::fmt::Debug for TriMesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (vertices, triangles) = (self.vertices.len(), self.triangles.len());
        write!(f, "TriMesh({vertices} vertices, {triangles} triangles)")
    }
}

impl PolytopeTree for TriMesh {
    type Part = Triangle;

    fn part(&self, index: u32) -> Triangle {
        let corners = self.triangles[index as usize];
        Triangle::of_finite(corners.map(|v| self.vertices[v as usize]))
    }

    fn bvh(&self) -> &Bvh {
        &self.bvh
    }

    fn convex_part(&self, index: u32) -> ConvexShape {
        let corners = self.triangles[index as usize];
        ConvexShape::triangle(corners.map(|v| self.vertices[v as usize]))
    }
}

/// Solid boxes with faces along the axes of their common frame, for example the occupied cells of an octree. They may
/// touch or overlap.
#[derive(Clone)]
pub struct BoxSet {
    boxes: Vec<Aabb>,
    bvh: Bvh,
}

impl BoxSet {
    /// Makes a set from boxes, metres.
    ///
    /// # Errors
    /// The error says that there are no boxes, or names one that is not finite or turned inside out.
    pub fn new(boxes: Vec<Aabb>) -> Result<Self, TreeError> {
        let valid = |b: &Aabb| {
            (0..3).all(|i| b.min[i] <= b.max[i] && b.min[i].is_finite() && b.max[i].is_finite())
        };
        if let Some(index) = boxes.iter().position(|b| !valid(b)) {
            return Err(TreeError::Box { index });
        }
        let bounds: Vec<Box3> = boxes.iter().map(|b| around(&[b.min, b.max])).collect();
        let bvh = build(&bounds, "boxes")?;
        Ok(BoxSet { boxes, bvh })
    }

    /// Returns the boxes, as given.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }
}

impl PolytopeTree for BoxSet {
    type Part = Corners;

    fn part(&self, index: u32) -> Corners {
        let Aabb { min, max } = self.boxes[index as usize];
        let ends = [min, max];
        Corners(std::array::from_fn(|corner| {
            let end = |axis: usize| ends[corner >> axis & 1][axis];
            Point3::new(end(0), end(1), end(2))
        }))
    }

    fn bvh(&self) -> &Bvh {
        &self.bvh
    }
}

/// A box by its eight corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corners([Point3<f64>; 8]);

impl Polytope for Corners {
    fn vertices(&self) -> &[Point3<f64>] {
        &self.0
    }
}

fn vector(p: &Point3<f64>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

fn around(points: &[Point3<f64>]) -> Box3 {
    Box3::from_points(points.iter().map(vector))
}

fn build(boxes: &[Box3], parts: &'static str) -> Result<Bvh, TreeError> {
    if boxes.is_empty() {
        return Err(TreeError::Empty { parts });
    }
    if u32::try_from(boxes.len()).is_err() {
        return Err(TreeError::TooMany { count: boxes.len() });
    }
    Ok(Bvh::from_leaves(BvhBuildStrategy::Binned, boxes))
}
