//! The boxes of a hierarchy.

use crate::surface::bounds::Aabb;
use nalgebra::Point3;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::BvhNode;

pub(super) fn point(v: Vector) -> Point3<f64> {
    Point3::new(v.x, v.y, v.z)
}

/// Returns a lower bound of the signed distance of the contents of two boxes: their distance, or minus their overlap
/// along the axis where it is least.
pub(super) fn least_distance(a: &Aabb, node: &BvhNode) -> f64 {
    let (min, max) = (node.mins(), node.maxs());
    let b = Aabb {
        min: Point3::new(min.x, min.y, min.z),
        max: Point3::new(max.x, max.y, max.z),
    };
    let apart = a.distance(&b);
    if apart > 0.0 {
        return apart;
    }
    let overlap = |i: usize| (a.max[i] - b.min[i]).min(b.max[i] - a.min[i]);
    -overlap(0).min(overlap(1)).min(overlap(2))
}
