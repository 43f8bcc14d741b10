//! Boxes of bodies that move, behind the bounding-volume hierarchy of parry3d.
//!
//! A leaf is a little larger than its body's box, so that small steps do not touch the tree. Boxes
//! that left their leaves wait until a query needs the tree: a few are put in one by one, many by
//! fitting all nodes at once. When there was enough change the tree is built anew.

use crate::Aabb;
use parry3d_f64::bounding_volume::Aabb as Box3;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace, TraversalAction};
use std::cell::Cell;

#[derive(Clone, Default)]
pub(super) struct Hierarchy {
    /// The boxes themselves, by leaf; none where there is no leaf.
    boxes: Vec<Option<Box3>>,
    /// Leaves whose box is not inside what the tree holds of it.
    outside: Vec<u32>,
    bvh: Bvh,
    workspace: BvhWorkspace,
    /// How much was put into the tree since it was built.
    changes: usize,
}

/// How much larger a leaf is than its box on each side, as a share of the box's longest edge.
const LOOSE: f64 = 0.05;
/// Coordinates beyond this (metres) count as this, so that no volume overflows. Two boxes are no
/// farther apart for it.
const FARTHEST: f64 = 1e90;
/// After so many changes for each leaf the tree is built anew.
const WORN: usize = 8;
/// So many moves spoil the tree as much as one new leaf.
const NEW: usize = 16;
/// If more than one in so many leaves moved, all nodes are fitted at once.
const FEW: usize = 8;

impl Hierarchy {
    /// Puts a leaf there, or moves it there.
    pub fn put(&mut self, leaf: u32, bounds: &Aabb) {
        let clamped = |x: f64| x.clamp(-FARTHEST, FARTHEST);
        let vector = |x: [f64; 3]| Vector::new(x[0], x[1], x[2]);
        let (min, max) = (bounds.min.map(clamped), bounds.max.map(clamped));
        let tight = Box3::new(vector(min.into()), vector(max.into()));
        let index = leaf as usize;
        if index >= self.boxes.len() {
            self.boxes.resize(index + 1, None);
        }
        self.boxes[index] = Some(tight);
        let inside = |node: &BvhNode| node.contains_aabb(&tight);
        if self.bvh.leaf_node(leaf).is_some_and(inside) {
            return;
        }
        self.outside.push(leaf);
    }

    /// Brings the tree up to date, before [`Hierarchy::pairs`] and [`Hierarchy::pairs_with`].
    pub fn fit(&mut self) {
        let count = self.bvh.leaf_count() as usize;
        let fit_all = self.outside.len() > count / FEW;
        for &leaf in &self.outside {
            // Removed meanwhile.
            let Some(tight) = self.boxes[leaf as usize] else {
                continue;
            };
            let loose = Vector::splat(LOOSE * (tight.maxs - tight.mins).max_element());
            let bounds = Box3::new(tight.mins - loose, tight.maxs + loose);
            let is_new = self.bvh.leaf_node(leaf).is_none();
            self.changes += if is_new { NEW } else { 1 };
            if fit_all {
                self.bvh.insert_or_update_partially(bounds, leaf, 0.0);
            } else {
                self.bvh.insert(bounds, leaf);
            }
        }
        let changed = !self.outside.is_empty();
        self.outside.clear();
        if self.changes > WORN * self.bvh.leaf_count() as usize {
            self.bvh
                .rebuild(&mut self.workspace, BvhBuildStrategy::Binned);
            self.changes = 0;
        } else if changed && fit_all {
            self.bvh.refit(&mut self.workspace);
        }
    }

    pub fn remove(&mut self, leaf: u32) {
        if let Some(place) = self.boxes.get_mut(leaf as usize) {
            *place = None;
        }
        self.bvh.remove(leaf);
    }

    /// Every pair of leaves, smaller index first, whose boxes are within a distance that `visit` may
    /// lessen meanwhile.
    pub fn pairs(&self, max_distance: &Cell<f64>, mut visit: impl FnMut(u32, u32)) {
        for (first, bounds) in self.leaves() {
            self.near(bounds, max_distance, |second| {
                if first < second {
                    visit(first, second);
                }
            });
        }
    }

    /// The same for a leaf of this hierarchy and one of another.
    pub fn pairs_with(
        &self,
        other: &Hierarchy,
        max_distance: &Cell<f64>,
        mut visit: impl FnMut(u32, u32),
    ) {
        for (first, bounds) in self.leaves() {
            other.near(bounds, max_distance, |second| visit(first, second));
        }
    }

    /// Every leaf and its box.
    pub fn leaves(&self) -> impl Iterator<Item = (u32, &Box3)> {
        let numbered = (0u32..).zip(&self.boxes);
        numbered.filter_map(|(leaf, bounds)| Some((leaf, bounds.as_ref()?)))
    }

    /// Every leaf whose box is within a distance of a box.
    fn near(&self, bounds: &Box3, max_distance: &Cell<f64>, mut visit: impl FnMut(u32)) {
        self.bvh.traverse(|node| {
            if gap_squared(bounds, node.mins(), node.maxs()) > squared(max_distance.get()) {
                return TraversalAction::Prune;
            }
            if let Some(leaf) = node.leaf_data()
                && let Some(tight) = &self.boxes[leaf as usize]
                && gap_squared(bounds, tight.mins, tight.maxs) <= squared(max_distance.get())
            {
                visit(leaf);
            }
            TraversalAction::Continue
        });
    }
}

/// A little more than the square.
fn squared(distance: f64) -> f64 {
    const ROUNDED_UP: f64 = 1.0 + 1e-14;
    distance * distance * ROUNDED_UP
}

fn gap_squared(a: &Box3, mins: Vector, maxs: Vector) -> f64 {
    let gap = (mins - a.maxs).max(a.mins - maxs).max(Vector::ZERO);
    gap.length_squared()
}
