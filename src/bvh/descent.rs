//! An upper bound of the distance of a body that is not convex from a tree, by nearest points in turn: the vertex of the tree
//! nearest to a point of the body, the point of the body nearest to that vertex, and so on.
//!
//! A step costs a hundredth of the exact answer for a part. A search that went from part to part, each a little nearer than
//! the one before, would need dozens of those.

use crate::Superovoid;
use crate::bvh::boxes::distance_to_node;
use crate::bvh::tree::PolytopeTree;
use crate::polytope::shapes::Polytope;
use crate::vertex::newton::{self, FootStart};
use nalgebra::{Isometry3, Point3};
use parry3d_f64::partitioning::BvhNode;

/// Returns the least distance found from a point near the body, with the body's point, both in the tree's frame; `None`
/// where nothing is found outside the body. The true distance is no greater, but for rounding.
pub(super) fn upper_bound(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    tree: &impl PolytopeTree,
    tree_pose: &Isometry3<f64>,
    from: Point3<f64>,
) -> Option<(f64, Point3<f64>)> {
    const STEPS: usize = 24;
    const NEWTON_STEPS: u32 = 15;
    /// A step that gains less than this part ends the descent.
    const GAIN: f64 = 1e-4;
    let in_tree = tree_pose.inv_mul(pose);
    let far = pose.translation.vector.norm() + tree_pose.translation.vector.norm();
    let (mut from, mut within) = (from, f64::MAX);
    let mut least: Option<(f64, Point3<f64>)> = None;
    for _ in 0..STEPS {
        let Some((_, _, vertex)) = nearest_vertex(tree, &from, within) else {
            break;
        };
        let p = in_tree.inverse_transform_point(&vertex).coords;
        let foot = newton::solve(shape, &p, FootStart::Guess, NEWTON_STEPS, &mut 0);
        let Some(foot) = foot.filter(|foot| foot.on_surface && foot.along > 0.0) else {
            break;
        };
        let distance = foot.d.norm() + 1e-14 * (far + vertex.coords.norm() + p.norm());
        let gained = least.is_none_or(|(least, _)| distance < (1.0 - GAIN) * least);
        if !gained {
            break;
        }
        from = in_tree * Point3::from(foot.x);
        within = distance;
        least = Some((distance, from));
    }
    least
}

/// Returns the vertex nearest to a point, of those nearer than `within`, with its distance and a part that has it.
pub(super) fn nearest_vertex(
    tree: &impl PolytopeTree,
    to: &Point3<f64>,
    within: f64,
) -> Option<(f64, u32, Point3<f64>)> {
    let bound = |node: &BvhNode, _: f64| distance_to_node(to, node);
    let ask = |index: u32, _: f64| {
        let part = tree.part(index);
        let near = part.vertices().iter().map(|p| ((p - to).norm(), *p));
        near.min_by(|p, q| p.0.total_cmp(&q.0))
    };
    let found = tree.bvh().find_best(within, bound, ask);
    found.map(|(part, (distance, vertex))| (distance, part, vertex))
}
