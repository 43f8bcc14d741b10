//! A closed mesh that does not deform, with what rays ask of it.

use crate::scene::{RayTree, VertexNormals};
use crate::soft::ray_contact::SurfaceAt;
use crate::soft::surface::{Surface, SurfaceError, VertexShapes};
use crate::soft::tree::Trees;
use nalgebra::Vector3;

/// A closed mesh in one place: its normals by angle, and its hierarchy.
#[derive(Clone, Debug)]
pub struct StillMesh {
    surface: Surface,
    x: Vec<Vector3<f64>>,
    shapes: VertexShapes,
    trees: Trees,
}

impl StillMesh {
    /// Prepares a mesh from its vertices, metres, and its triangles, counter-clockwise seen from outside.
    ///
    /// # Errors
    /// The error names the triangle, edge or vertex by which the mesh is not closed, or inside out.
    pub fn new(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self, SurfaceError> {
        let surface = Surface::new(vertices, triangles)?;
        let x: Vec<Vector3<f64>> = vertices.iter().map(|&v| v.into()).collect();
        let mut shapes = VertexShapes::default();
        shapes.update(&surface, &x, VertexNormals::Angle);
        let trees = Trees::new(&surface, &x, RayTree::Hierarchy);
        Ok(StillMesh {
            surface,
            x,
            shapes,
            trees,
        })
    }

    /// The mesh as rays see it.
    pub fn at(&self) -> SurfaceAt<'_> {
        SurfaceAt {
            surface: &self.surface,
            x: &self.x,
            shapes: &self.shapes,
            trees: &self.trees,
        }
    }
}
