//! The frozen cloth: a mesh that does not move, scaled up.

use crate::error::TerrainError;
use crate::terrain::Terrain;
use nalgebra::Point3;
use superovoid::bvh::TriMesh;

/// How many times larger the frozen ground is than the cloth: 2 m become 16 m, a hill of 0.25 m one of 2 m.
pub const SCALE: f64 = 8.0;

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
        let mesh = TriMesh::new(vertices, self.triangles().to_vec());
        let mesh = mesh.map_err(|error| TerrainError::Scene(error.to_string()))?;
        Ok(Ground { mesh })
    }
}

impl Ground {
    /// Returns the vertices, metres.
    pub fn vertices(&self) -> &[Point3<f64>] {
        self.mesh.vertices()
    }

    /// Returns the vertices of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        self.mesh.triangles()
    }
}
