//! parry3d in the terms of this project.

use nalgebra::{Isometry3, Point3};
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::details::contact_support_map_support_map_with_params;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::shape::ConvexPolyhedron;

/// A pose.
pub fn pose(pose: &Isometry3<f64>) -> Pose {
    let (t, q) = (pose.translation.vector, pose.rotation.coords);
    Pose::from_parts(
        Vector::new(t.x, t.y, t.z),
        Rotation::from_xyzw(q.x, q.y, q.z, q.w),
    )
}

/// A point in parry's type.
pub fn vector(p: &Point3<f64>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

/// The signed distance of two convex polyhedra by GJK and, where they overlap, EPA; `relative` is the pose
/// of `b` in the frame of `a`. `None` where neither converges.
pub fn hull_distance(relative: &Pose, a: &ConvexPolyhedron, b: &ConvexPolyhedron) -> Option<f64> {
    hull_contact(relative, a, b).map(|[p, q, n]| (q - p).dot(n))
}

/// The nearest points of two convex polyhedra, and the normal from `a` to `b`, in the frame of `a`, as
/// [`hull_distance`].
pub fn hull_contact(
    relative: &Pose,
    a: &ConvexPolyhedron,
    b: &ConvexPolyhedron,
) -> Option<[Vector; 3]> {
    let simplex = &mut VoronoiSimplex::new();
    match contact_support_map_support_map_with_params(relative, a, b, f64::MAX, simplex, None) {
        GJKResult::ClosestPoints(p, q, n) => Some([p, q, n]),
        _ => None,
    }
}
