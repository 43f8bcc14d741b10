//! The meshes that peers are given: the convex hull of the library's tessellation.
//!
//! The papers' meshes have 290 vertices. 24 edges around a ring give 266, the nearest; the hull may leave out some
//! where the faces are flat.

use anyhow::{Result, anyhow};
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;
use superovoid::Superovoid;

/// Edges around a ring.
const SEGMENTS: usize = 24;

/// Vertices and triangles, three numbers each.
pub struct Mesh {
    pub vertices: Vec<[f64; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// # Errors
    /// What makes parry give up.
    pub fn hull(shape: &Superovoid) -> Result<Mesh> {
        Mesh::coarse_hull(shape, SEGMENTS)
    }

    /// The hull of a tessellation of `segments` edges around a ring, for engines that take fewer vertices.
    ///
    /// # Errors
    /// What makes parry give up.
    pub fn coarse_hull(shape: &Superovoid, segments: usize) -> Result<Mesh> {
        let surface = shape.tessellate(segments);
        let points: Vec<Vector> = surface
            .vertices
            .iter()
            .map(|x| Vector::new(x.x, x.y, x.z))
            .collect();
        let (points, triangles) =
            try_convex_hull(&points).map_err(|error| anyhow!("convex hull: {error}"))?;
        Ok(Mesh {
            vertices: points.iter().map(|x| [x.x, x.y, x.z]).collect(),
            triangles,
        })
    }

    /// As parry has them.
    pub fn points(&self) -> Vec<Vector> {
        self.vertices
            .iter()
            .map(|&[x, y, z]| Vector::new(x, y, z))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_has_about_290_vertices_and_is_closed() {
        for e in [[0.3, 1.1], [1.0, 1.0], [0.9, 0.4]] {
            let shape = Superovoid::superellipsoid([1.0; 3], e).expect("valid");
            let mesh = Mesh::hull(&shape).expect("a hull");
            assert!(
                (200..=266).contains(&mesh.vertices.len()),
                "{}",
                mesh.vertices.len()
            );
            // Euler's formula of a closed surface of triangles.
            assert_eq!(mesh.triangles.len(), 2 * mesh.vertices.len() - 4);
        }
    }
}
