//! Triangle meshes as plain data, and what makes one of vertices and indices.

use nalgebra::Point3;

/// A triangle mesh: that of a surface, which is closed, or any other.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleMesh {
    /// The vertices, metres.
    pub vertices: Vec<Point3<f64>>,
    /// The vertex indices of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Why vertices and triangles make no mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// There are no triangles.
    #[error("there are no triangles")]
    Empty,
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
    /// A triangle is too thin, or has no area, where it needs one.
    #[error("triangle {triangle} is degenerate")]
    Degenerate {
        /// The index of the triangle, from 0.
        triangle: usize,
    },
    /// No triangle has an area, where one needs it.
    #[error("no triangle has an area")]
    NoArea,
}

impl MeshError {
    /// Checks vertices and the vertex indices of triangles.
    ///
    /// # Errors
    /// The error names a vertex that is not finite or an index that is out of range, or says that there are no triangles.
    pub fn check(
        vertices: &[impl Copy + Into<Point3<f64>>],
        triangles: &[[u32; 3]],
    ) -> Result<(), MeshError> {
        let finite = |v: Point3<f64>| v.iter().all(|x| x.is_finite());
        if let Some(index) = vertices.iter().position(|v| !finite((*v).into())) {
            return Err(MeshError::NonFiniteVertex { index });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
                return Err(MeshError::VertexOutOfRange {
                    triangle,
                    vertex,
                    vertices: vertices.len(),
                });
            }
        }
        if triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        Ok(())
    }
}

impl TriangleMesh {
    /// Returns the signed volume, cubic metres (positive for a closed mesh that faces outwards): the sum of the
    /// tetrahedra over the origin.
    pub fn volume(&self) -> f64 {
        let corner = |i: u32| self.vertices[i as usize].coords;
        let tetrahedra = self.triangles.iter().map(|t| {
            let [a, b, c] = t.map(corner);
            a.dot(&b.cross(&c))
        });
        tetrahedra.sum::<f64>() / 6.0
    }

    /// Returns the mesh multiplied by a factor along each axis. An odd number of negative ones mirrors it: then its
    /// triangles are turned, so that they keep their outer side.
    #[must_use]
    pub fn scaled(&self, factors: [f64; 3]) -> Self {
        let mirrored = factors.iter().filter(|k| **k < 0.0).count() % 2 == 1;
        let turned = |&[a, b, c]: &[u32; 3]| if mirrored { [a, c, b] } else { [a, b, c] };
        let scaled = |v: &Point3<f64>| Point3::from([0, 1, 2].map(|i| v[i] * factors[i]));
        TriangleMesh {
            vertices: self.vertices.iter().map(scaled).collect(),
            triangles: self.triangles.iter().map(turned).collect(),
        }
    }
}
