//! The boxes of a hierarchy.

use crate::surface::bounds::Aabb;
use nalgebra::{Isometry3, Point3, Vector3};
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhNode};

pub(super) fn point(v: Vector) -> Point3<f64> {
    Point3::new(v.x, v.y, v.z)
}

/// Returns the box along the axes of the frame that holds all leaves.
pub(super) fn bounds(bvh: &Bvh) -> Aabb {
    let bounds = bvh.root_aabb();
    Aabb {
        min: point(bounds.mins),
        max: point(bounds.maxs),
    }
}

/// Returns the corner of a box that is farthest along a direction.
pub(super) fn corner_along(around: &Aabb, n: &Vector3<f64>) -> Vector3<f64> {
    let Aabb { min, max } = around;
    Vector3::from_fn(|i, _| if n[i] > 0.0 { max[i] } else { min[i] })
}

/// Returns a box of one frame along the axes of another, extended by more than its rounding; both poses are in the world.
pub(super) fn box_in(around: &Aabb, pose: &Isometry3<f64>, other: &Isometry3<f64>) -> Aabb {
    let in_other = other.inv_mul(pose);
    let center = in_other * nalgebra::center(&around.min, &around.max);
    let axes = in_other.rotation.to_rotation_matrix().into_inner().abs();
    let half = axes * ((around.max - around.min) * (0.5 + 1e-14));
    let far = pose.translation.vector.norm() + other.translation.vector.norm();
    let corner = around.min.coords.norm() + around.max.coords.norm();
    let half = half.add_scalar(1e-14 * (far + 2.0 * center.coords.norm() + corner));
    Aabb {
        min: center - half,
        max: center + half,
    }
}

/// Returns a lower bound of the signed distance of the contents of two boxes: their distance, or minus their overlap
/// along the axis where it is least.
pub(super) fn least_distance(a: &Aabb, node: &BvhNode) -> f64 {
    let b = Aabb {
        min: point(node.mins()),
        max: point(node.maxs()),
    };
    let apart = a.distance(&b);
    if apart > 0.0 {
        return apart;
    }
    let overlap = |i: usize| (a.max[i] - b.min[i]).min(b.max[i] - a.min[i]);
    -overlap(0).min(overlap(1)).min(overlap(2))
}

/// Returns the distance of a point from a node's box.
pub(super) fn distance_to_node(p: &Point3<f64>, node: &BvhNode) -> f64 {
    let (min, max) = (point(node.mins()), point(node.maxs()));
    (p - p.sup(&min).inf(&max)).norm()
}
