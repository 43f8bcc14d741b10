//! How well a body fits.

use crate::areas::areas;
use crate::{Fit, Mesh};
use nalgebra::{Isometry3, Point3};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::{TriMesh, TriMeshFlags};
use std::time::Duration;
use superovoid::{Contact, QueryError, Superovoid, VertexOptions, vertex_contact_batch};

/// Distances of points from a surface, without their sign, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distances {
    /// Root mean square.
    pub rms: f64,
    /// What 95 % of the surface are nearer than.
    pub p95: f64,
    /// The largest.
    pub max: f64,
}

/// How well a body fits a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// From the mesh (points spread evenly over it, for the largest also its vertices) to the body's surface.
    pub mesh_to_body: Distances,
    /// From the body's surface to the mesh.
    pub body_to_mesh: Distances,
    /// The body's volume over the mesh's, where that is closed and has one.
    pub volume_to_mesh: Option<f64>,
    /// The body's volume over that of the mesh's convex hull, where it has one.
    pub volume_to_hull: Option<f64>,
    /// How long the fit took.
    pub time: Duration,
}

/// Points on each side.
const SAMPLES: usize = 1000;
const SEGMENTS: usize = 48;

impl Fit {
    /// Distances of points from the body's surface, exact by
    /// [`vertex_contact_batch`](superovoid::vertex_contact_batch).
    ///
    /// # Errors
    /// A point that is not finite.
    pub fn distances(&self, points: &[Point3<f64>]) -> Result<Distances, QueryError> {
        let mut found = vec![Contact::default(); points.len()];
        let options = VertexOptions::default();
        vertex_contact_batch(&self.shape, &self.pose, points, &mut found, &options)?;
        let distances = found.iter().map(|c| (c.distance.abs(), 1.0));
        Ok(summary(distances.collect()))
    }

    /// From a mesh to the body's surface.
    pub(crate) fn distances_of(&self, mesh: &Mesh) -> Result<Distances, QueryError> {
        let mut distances = self.distances(&mesh.sample(SAMPLES))?;
        let step = mesh.vertices().len().div_ceil(SAMPLES);
        let vertices: Vec<Point3<f64>> = mesh.vertices().iter().step_by(step).copied().collect();
        distances.max = distances.max.max(self.distances(&vertices)?.max);
        Ok(distances)
    }

    /// Distances both ways between the body and a mesh, and their volumes.
    ///
    /// The mesh is what the body was meant to follow: for one convex body of a concave mesh that is
    /// [`Mesh::hull`].
    ///
    /// # Errors
    /// Distances that exceed the number range.
    pub fn report(&self, mesh: &Mesh) -> Result<Report, QueryError> {
        let ratio = |volume: f64| self.shape.volume() / volume;
        Ok(Report {
            mesh_to_body: self.distances_of(mesh)?,
            body_to_mesh: from_body(&self.shape, &self.pose, mesh),
            volume_to_mesh: mesh.volume().filter(|v| *v > 0.0).map(ratio),
            volume_to_hull: mesh.hull().and_then(|h| h.volume()).map(ratio),
            time: self.time,
        })
    }
}

/// Distances of the body's surface from a mesh.
fn from_body(shape: &Superovoid, pose: &Isometry3<f64>, mesh: &Mesh) -> Distances {
    let vector = |p: &Point3<f64>| Vector::new(p.x, p.y, p.z);
    let vertices = mesh.vertices().iter().map(vector).collect();
    let Ok(surface) =
        TriMesh::with_flags(vertices, mesh.triangles().to_vec(), TriMeshFlags::empty())
    else {
        // A mesh has triangles, which is all that this asks for.
        return Distances::default();
    };
    over_surface(shape, |p| {
        let point = vector(&(pose * p));
        let nearest = surface.project_point(&Pose::IDENTITY, point, false).point;
        (point - nearest).length()
    })
}

/// What `distance` gives of the body's surface points, in its own frame, each counted by the area around it.
pub(crate) fn over_surface(
    shape: &Superovoid,
    distance: impl Fn(&Point3<f64>) -> f64,
) -> Distances {
    let body = shape.tessellate(SEGMENTS);
    let points = body.vertices.iter();
    summary(points.map(&distance).zip(areas(&body)).collect())
}

/// Of distances with weights.
fn summary(mut distances: Vec<(f64, f64)>) -> Distances {
    distances.sort_by(|p, q| p.0.total_cmp(&q.0));
    let total: f64 = distances.iter().map(|(_, w)| w).sum();
    let squares: f64 = distances.iter().map(|(d, w)| w * d * d).sum();
    let mut so_far = 0.0;
    let within = distances.iter().find(|(_, w)| {
        so_far += w;
        so_far >= 0.95 * total
    });
    Distances {
        rms: (squares / total.max(f64::MIN_POSITIVE)).sqrt(),
        p95: within.map_or(0.0, |(d, _)| *d),
        max: distances.last().map_or(0.0, |(d, _)| *d),
    }
}
