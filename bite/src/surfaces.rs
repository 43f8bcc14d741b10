//! Two meshes as triangles only, as FCL took them for the paper: a distance apart, 0 where the surfaces cross.

use nalgebra::{Isometry3, Point3};
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::{DefaultQueryDispatcher, PointQuery, QueryDispatcher};
use parry3d_f64::shape::TriMesh;

/// A triangle mesh behind parry's bounding-volume hierarchy.
pub struct Surfaces {
    mesh: TriMesh,
}

impl Surfaces {
    /// Makes it from vertices (metres) and triangles; `None` without triangles.
    pub fn new(vertices: &[Point3<f64>], triangles: &[[u32; 3]]) -> Option<Self> {
        let vertices = vertices.iter().map(vector).collect();
        let mesh = TriMesh::new(vertices, triangles.to_vec()).ok()?;
        Some(Surfaces { mesh })
    }

    /// Returns the distance (metres) of this surface from another one that moved by a pose, 0 where they cross; `None`
    /// where parry cannot tell.
    pub fn distance(&self, other: &Surfaces, pose: &Isometry3<f64>) -> Option<f64> {
        let (t, q) = (pose.translation.vector, pose.rotation.coords);
        let relative = Pose::from_parts(
            Vector::new(t.x, t.y, t.z),
            Rotation::from_xyzw(q.x, q.y, q.z, q.w),
        );
        let found = DefaultQueryDispatcher.distance(&relative, &self.mesh, &other.mesh);
        found.ok().map(|found| found.distance)
    }

    /// Returns the distance (metres) of a point from the surface.
    pub fn point_distance(&self, point: &Point3<f64>) -> f64 {
        let point = vector(point);
        let nearest = self.mesh.project_local_point(point, false).point;
        (point - nearest).length()
    }
}

fn vector(p: &Point3<f64>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}
