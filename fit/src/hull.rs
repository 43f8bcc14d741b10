//! Convex hulls, by parry3d.

use nalgebra::{Point3, Vector3};
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;

/// Corners and triangles.
type Polyhedron = (Vec<Point3<f64>>, Vec<[u32; 3]>);

/// The hull of points; None where they have none.
pub(crate) fn of(points: &[Point3<f64>]) -> Option<Polyhedron> {
    let points: Vec<Vector> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
    let (corners, triangles) = try_convex_hull(&points).ok()?;
    let corners = corners.iter().map(|p| Point3::new(p.x, p.y, p.z));
    Some((corners.collect(), triangles))
}

/// The hull's corners only.
pub(crate) fn corners(points: &[Vector3<f64>]) -> Option<Vec<Vector3<f64>>> {
    let points: Vec<Point3<f64>> = points.iter().map(|p| Point3::from(*p)).collect();
    let (corners, _) = of(&points)?;
    Some(corners.into_iter().map(|p| p.coords).collect())
}
