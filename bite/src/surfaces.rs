//! Two meshes as triangles only, as FCL took them for the paper: a distance apart, 0 where the surfaces cross.

use crate::BiteError;
use nalgebra::{Isometry3, Point3};
use parry3d_f64::math::Vector;
use parry3d_f64::query::PointQuery;
use superovoid::QueryOptions;
use superovoid::bvh::{TriMesh, trees_contact};

/// A triangle mesh behind a bounding-volume hierarchy.
pub struct Surfaces {
    tree: TriMesh,
    points: parry3d_f64::shape::TriMesh,
}

impl Surfaces {
    /// Makes it from vertices (metres) and triangles; `None` without triangles, or for vertices that are not finite.
    pub fn new(vertices: &[Point3<f64>], triangles: &[[u32; 3]]) -> Option<Self> {
        let tree = TriMesh::new(vertices.to_vec(), triangles.to_vec()).ok()?;
        let vertices = vertices.iter().map(vector).collect();
        let points = parry3d_f64::shape::TriMesh::new(vertices, triangles.to_vec()).ok()?;
        Some(Surfaces { tree, points })
    }

    /// Returns the distance (metres) of this surface from another one that moved by a pose, 0 where they cross.
    ///
    /// # Errors
    /// A pose that is not one, or a distance that exceeds the number range.
    pub fn distance(&self, other: &Surfaces, pose: &Isometry3<f64>) -> Result<f64, BiteError> {
        let (here, options) = (Isometry3::identity(), QueryOptions::default());
        let found = trees_contact(&self.tree, &here, &other.tree, pose, &options)?;
        Ok(found.map_or(f64::INFINITY, |parts| parts.contact.distance.max(0.0)))
    }

    /// Returns the distance (metres) of a point from the surface.
    pub fn point_distance(&self, point: &Point3<f64>) -> f64 {
        let point = vector(point);
        let nearest = self.points.project_local_point(point, false).point;
        (point - nearest).length()
    }
}

fn vector(p: &Point3<f64>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}
