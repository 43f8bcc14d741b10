//! Convex hulls, by parry3d.

use nalgebra::{Point3, Vector3};
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;
use std::cmp::Ordering;
use superovoid::TriangleMesh;

/// The hull of points, in whatever order they are; None where they have none.
pub(crate) fn of(points: &[Point3<f64>]) -> Option<TriangleMesh> {
    let mut points = points.to_vec();
    points.sort_by(before);
    let points: Vec<Vector> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
    let (corners, triangles) = try_convex_hull(&points).ok()?;
    let corners = corners.iter().map(|p| Point3::new(p.x, p.y, p.z));
    Some(TriangleMesh {
        vertices: corners.collect(),
        triangles,
    })
}

/// An order of points by their coordinates.
pub(crate) fn before(p: &Point3<f64>, q: &Point3<f64>) -> Ordering {
    let by = |k: usize| p[k].total_cmp(&q[k]);
    by(0).then_with(|| by(1)).then_with(|| by(2))
}

/// The hull's corners only.
pub(crate) fn corners(points: &[Vector3<f64>]) -> Option<Vec<Vector3<f64>>> {
    let points: Vec<Point3<f64>> = points.iter().map(|p| Point3::from(*p)).collect();
    let corners = of(&points)?.vertices;
    Some(corners.into_iter().map(|p| p.coords).collect())
}
