//! Boxes of bodies that move, behind the bounding-volume hierarchy of parry3d.
//!
//! A leaf is a little larger than its body's box, so that small steps do not touch the tree. A box
//! that leaves its leaf widens the nodes above it at once: the tree always holds its bodies. When as
//! many leaves have been widened as there are, the nodes are fitted and part of the tree is rebuilt.

use crate::Aabb;
use parry3d_f64::bounding_volume::Aabb as Box3;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhNode, BvhWorkspace, TraversalAction};
use std::cell::Cell;

#[derive(Clone, Default)]
pub(super) struct Hierarchy {
    bvh: Bvh,
    workspace: BvhWorkspace,
    /// Leaves that were widened since the nodes were fitted.
    widened: u32,
}

/// How much larger a leaf is than its box on each side, as a share of the box's longest edge.
const LOOSE: f64 = 0.05;
/// Coordinates beyond this (metres) count as this, so that no volume overflows. Two boxes are no
/// farther apart for it.
const FARTHEST: f64 = 1e90;

impl Hierarchy {
    /// Puts a leaf there, or moves it there.
    pub fn put(&mut self, leaf: u32, bounds: &Aabb) {
        let clamped = |x: f64| x.clamp(-FARTHEST, FARTHEST);
        let vector = |x: [f64; 3]| Vector::new(x[0], x[1], x[2]);
        let (min, max) = (bounds.min.map(clamped), bounds.max.map(clamped));
        let tight = Box3::new(vector(min.into()), vector(max.into()));
        let inside = |node: &BvhNode| node.contains_aabb(&tight);
        if self.bvh.leaf_node(leaf).is_some_and(inside) {
            return;
        }
        let loose = Vector::splat(LOOSE * (max - min).amax());
        let bounds = Box3::new(tight.mins - loose, tight.maxs + loose);
        self.bvh.insert(bounds, leaf);
        self.widened += 1;
        if self.widened > self.bvh.leaf_count() {
            self.bvh.refit(&mut self.workspace);
            self.bvh.optimize_incremental(&mut self.workspace);
            self.widened = 0;
        }
    }

    pub fn remove(&mut self, leaf: u32) {
        self.bvh.remove(leaf);
    }

    /// Every pair of leaves, smaller index first, that may be within a distance that `visit` may
    /// lessen meanwhile.
    pub fn pairs(&self, within: &Cell<f64>, mut visit: impl FnMut(u32, u32)) {
        let near = |a: &BvhNode, b: &BvhNode| are_near(a, b, within.get());
        // The tree against itself: every pair is met in both orders.
        let pairs = self.bvh.leaf_pairs(&self.bvh, near);
        for (a, b) in pairs.filter(|(a, b)| a < b) {
            visit(a, b);
        }
    }

    /// The same for a leaf of this tree and one of another.
    pub fn pairs_with(
        &self,
        other: &Hierarchy,
        within: &Cell<f64>,
        mut visit: impl FnMut(u32, u32),
    ) {
        let near = |a: &BvhNode, b: &BvhNode| are_near(a, b, within.get());
        for (a, b) in self.bvh.leaf_pairs(&other.bvh, near) {
            visit(a, b);
        }
    }

    /// Every leaf.
    pub fn leaves(&self, mut visit: impl FnMut(u32)) {
        self.bvh.traverse(|node| {
            if let Some(leaf) = node.leaf_data() {
                visit(leaf);
            }
            TraversalAction::Continue
        });
    }
}

/// Whether two boxes are no farther apart than a distance.
fn are_near(a: &BvhNode, b: &BvhNode, within: f64) -> bool {
    let gap = (b.mins() - a.maxs())
        .max(a.mins() - b.maxs())
        .max(Vector::ZERO);
    // Leaves are loose by far more than the rounding of this.
    gap.length_squared() <= within * within
}
