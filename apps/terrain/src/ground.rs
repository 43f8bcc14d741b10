//! The frozen cloth: a mesh that does not move, scaled up.

use crate::error::TerrainError;
use crate::limits::SCALE;
use crate::terrain::Terrain;
use nalgebra::Point3;
use superovoid::bvh::TriMesh;

/// The frozen ground: a mesh with two sides, metres, over the plane z = 0.
#[derive(Clone)]
pub struct Ground {
    pub(crate) mesh: TriMesh,
}

impl Terrain {
    /// Freezes the cloth as it is, [`SCALE`] times as large.
    ///
    /// # Errors
    /// The mesh is refused, which does not happen.
    pub fn freeze(&self) -> Result<Ground, TerrainError> {
        let scaled = |x: &[f64; 3]| Point3::from(x.map(|x| SCALE * x));
        let vertices = self.cloth().iter().map(scaled).collect();
        Ground::new(vertices, self.triangles().to_vec())
    }
}

impl Ground {
    /// A ground of vertices, metres, and the vertices of each triangle.
    ///
    /// # Errors
    /// There are no triangles, a vertex is not finite or an index is out of range.
    pub fn new(vertices: Vec<Point3<f64>>, triangles: Vec<[u32; 3]>) -> Result<Self, TerrainError> {
        let mesh = TriMesh::new(vertices, triangles);
        let mesh = mesh.map_err(|error| TerrainError::Scene(error.to_string()))?;
        Ok(Ground { mesh })
    }

    /// Returns the vertices, metres.
    pub fn vertices(&self) -> &[Point3<f64>] {
        self.mesh.vertices()
    }

    /// Returns the vertices of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        self.mesh.triangles()
    }
}
