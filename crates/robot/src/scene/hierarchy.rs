//! The broad phase of a scene: a sweep along x over the boxes of a few bodies, and a dynamic bounding-volume hierarchy,
//! that of parry3d, over those of many.
//!
//! In the hierarchy a leaf is a little larger than its body's box, so that small steps do not change the tree. Boxes that
//! left their leaves wait until a query needs the tree: a few are inserted one by one, many by refitting all nodes at
//! once. After enough changes the tree is rebuilt.

use crate::broad_phase::sweep;
use parry3d_f64::bounding_volume::Aabb as Box3;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace, TraversalAction};
use std::cell::Cell;
use superovoid::Aabb;

#[derive(Clone, Default)]
pub(super) struct Hierarchy {
    /// The boxes themselves, by leaf; `None` where there is no leaf.
    boxes: Vec<Option<Box3>>,
    /// The leaves by the lower ends of their boxes along x, where there are few.
    sorted: Vec<u32>,
    /// The leaves whose box is not inside the box that the tree holds of it.
    outside: Vec<u32>,
    bvh: Bvh,
    workspace: BvhWorkspace,
    /// The number of insertions since the tree was built.
    changes: usize,
}

/// The margin of a leaf on each side of its box, as a share of the box's longest edge.
const LOOSE: f64 = 0.05;
/// The coordinate (metres) to which larger ones are clamped, so that no volume overflows. Clamping two boxes does not
/// increase their distance.
const FARTHEST: f64 = 1e90;
/// The number of changes per leaf after which the tree is rebuilt.
const WORN: usize = 8;
/// The number of moves that degrade the tree as much as one new leaf.
const NEW: usize = 16;
/// The number of leaves per moved leaf below which all nodes are refitted at once.
const FEW: usize = 8;
/// The number of places for leaves up to which there is no tree: their boxes are swept, or compared one by one. A scene
/// that had more keeps its tree.
const SWEPT: usize = 64;

impl Hierarchy {
    /// Inserts a leaf, or moves it.
    pub fn put(&mut self, leaf: u32, bounds: &Aabb) {
        let clamped = |x: f64| x.clamp(-FARTHEST, FARTHEST);
        let vector = |x: [f64; 3]| Vector::new(x[0], x[1], x[2]);
        let (min, max) = (bounds.min.map(clamped), bounds.max.map(clamped));
        let tight = Box3::new(vector(min.into()), vector(max.into()));
        let index = leaf as usize;
        if index >= self.boxes.len() {
            let swept = self.is_swept();
            self.boxes.resize(index + 1, None);
            if swept && !self.is_swept() {
                self.outside.extend(0..leaf);
            }
        }
        self.boxes[index] = Some(tight);
        if self.is_swept() {
            return;
        }
        let inside = |node: &BvhNode| node.contains_aabb(&tight);
        if self.bvh.leaf_node(leaf).is_some_and(inside) {
            return;
        }
        self.outside.push(leaf);
    }

    /// Whether the leaves are so few that there is no tree.
    fn is_swept(&self) -> bool {
        self.boxes.len() <= SWEPT
    }

    /// Whether boxes left the leaves of the tree since it was [fitted](Self::fit). The order is needed for
    /// [`Hierarchy::pairs`] only.
    pub fn has_moved(&self) -> bool {
        !self.outside.is_empty()
    }

    /// Updates the order or the tree, before [`Hierarchy::pairs`] and [`Hierarchy::pairs_with`].
    pub fn fit(&mut self) {
        if self.is_swept() {
            let boxes = &self.boxes;
            if self.sorted.len() != boxes.len() {
                self.sorted = (0..).take(boxes.len()).collect();
            }
            // A leaf that was removed comes last.
            let start = |leaf: u32| boxes[leaf as usize].map_or(f64::INFINITY, |b| b.mins.x);
            self.sorted.sort_by(|&a, &b| start(a).total_cmp(&start(b)));
            return;
        }
        let count = self.bvh.leaf_count() as usize;
        let fit_all = self.outside.len() > count / FEW;
        for &leaf in &self.outside {
            // The leaf was removed in the meantime.
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

    /// Visits every pair of leaves, smaller index first, whose boxes are within a distance that `visit` may decrease
    /// during the traversal.
    pub fn pairs(&self, max_distance: &Cell<f64>, mut visit: impl FnMut(u32, u32)) {
        if self.is_swept() {
            return self.sweep(max_distance, visit);
        }
        for (first, bounds) in self.leaves() {
            self.near(bounds, max_distance, |second| {
                if first < second {
                    visit(first, second);
                }
            });
        }
    }

    /// Visits those pairs in a sweep along x.
    fn sweep(&self, max_distance: &Cell<f64>, mut visit: impl FnMut(u32, u32)) {
        let range = |&leaf: &u32| match &self.boxes[leaf as usize] {
            Some(bounds) => [bounds.mins.x, bounds.maxs.x],
            None => [f64::INFINITY; 2],
        };
        for (&first, &second) in sweep(&self.sorted, range, || max_distance.get()) {
            if let [Some(a), Some(b)] = [first, second].map(|leaf| &self.boxes[leaf as usize])
                && gap_squared(a, b.mins, b.maxs) <= squared(max_distance.get())
            {
                visit(first.min(second), first.max(second));
            }
        }
    }

    /// Visits every such pair of a leaf of this hierarchy and one of another.
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

    /// Returns every leaf and its box.
    pub fn leaves(&self) -> impl Iterator<Item = (u32, &Box3)> {
        let numbered = (0u32..).zip(&self.boxes);
        numbered.filter_map(|(leaf, bounds)| Some((leaf, bounds.as_ref()?)))
    }

    /// Returns every leaf whose box is within a distance of a box.
    fn near(&self, bounds: &Box3, max_distance: &Cell<f64>, mut visit: impl FnMut(u32)) {
        if self.is_swept() {
            for (leaf, tight) in self.leaves() {
                if gap_squared(bounds, tight.mins, tight.maxs) <= squared(max_distance.get()) {
                    visit(leaf);
                }
            }
            return;
        }
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

/// Returns a little more than the square.
fn squared(distance: f64) -> f64 {
    const ROUNDED_UP: f64 = 1.0 + 1e-14;
    distance * distance * ROUNDED_UP
}

fn gap_squared(a: &Box3, mins: Vector, maxs: Vector) -> f64 {
    let gap = (mins - a.maxs).max(a.mins - maxs).max(Vector::ZERO);
    gap.length_squared()
}
