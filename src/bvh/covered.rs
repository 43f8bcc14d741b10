//! A body of a query and, where it is not convex, the slabs or sectors that cover it.
//!
//! The hull of a body that is not convex may be much nearer to a part of a tree than the body itself. Where the planes of the
//! hull do not prove enough, each slab gets a bound of its own, and the least of these is a bound of the body.

use crate::Superovoid;
use crate::bvh::boxes::distance_to_node;
use crate::bvh::placed::Placed;
use crate::surface::bounds::Aabb;
use crate::surface::slab::Slab;
use crate::surface::support_map::SupportMap;
use nalgebra::{Isometry3, Point3, Vector3};
use parry3d_f64::partitioning::BvhNode;
use std::cell::Cell;
use std::f64::consts::PI;

/// The number of slabs.
pub(super) const SLABS: usize = 16;

/// Cuts a body that is not convex into slabs, which are thinner where the profile bends more.
pub(super) fn cut(shape: &Superovoid) -> [Slab<'_>; SLABS] {
    let height = |k: usize| -(PI * k as f64 / SLABS as f64).cos();
    std::array::from_fn(|k| Slab {
        shape,
        heights: [height(k), height(k + 1)],
    })
}

/// The slabs of a body.
pub(super) struct Slabs<'a> {
    placed: [Placed<'a>; SLABS],
    /// Whether the body counts as its hull where that overlaps.
    deep_as_hull: bool,
}

impl<'a> Slabs<'a> {
    /// Places the slabs of a body with their boxes. They take 20 KiB, which other bodies must not pay for.
    #[inline(never)]
    pub fn new<S: SupportMap>(
        slabs: &'a [S; SLABS],
        around: impl Fn(&S) -> Aabb,
        deep_as_hull: bool,
        pose: &Isometry3<f64>,
        tree_pose: &Isometry3<f64>,
    ) -> Self {
        let place = |slab: &'a S| Placed::new(slab, &around(slab), pose, tree_pose);
        Slabs {
            placed: slabs.each_ref().map(place),
            deep_as_hull,
        }
    }
}

/// A body in the tree's frame, with its slabs if it is not convex.
pub(super) struct Covered<'a> {
    hull: Placed<'a>,
    slabs: Option<&'a Slabs<'a>>,
    /// The slab that failed last, which is tried first: the next node or part is probably near the same slab.
    failed: Cell<usize>,
    /// A point of the body in the tree's frame. A node or part that is near this point cannot be proven to be far away.
    witness: Cell<Point3<f64>>,
}

impl<'a> Covered<'a> {
    pub fn new(
        shape: &'a dyn SupportMap,
        around: &Aabb,
        slabs: Option<&'a Slabs<'a>>,
        pose: &Isometry3<f64>,
        tree_pose: &Isometry3<f64>,
    ) -> Self {
        Covered {
            hull: Placed::new(shape, around, pose, tree_pose),
            slabs,
            failed: Cell::new(0),
            witness: Cell::new(Point3::from([f64::INFINITY; 3])),
        }
    }

    /// Keeps the planes of the best answer, from its normal.
    pub fn keep_best(&self, normal: Vector3<f64>) {
        self.hull.keep_best(normal);
    }

    /// Returns the origin of the body's frame in the tree's.
    pub fn center(&self) -> Point3<f64> {
        self.hull.origin.into()
    }

    /// Keeps a point of the body, in the tree's frame.
    pub fn keep_witness(&self, point: Point3<f64>) {
        self.witness.set(point);
    }

    /// Whether the body is covered by slabs.
    pub fn has_slabs(&self) -> bool {
        self.slabs.is_some()
    }

    /// Whether there is a plane of a best answer.
    pub fn has_best(&self) -> bool {
        self.hull.has_best()
    }

    /// Returns a lower bound of the signed distance from a node's box; `enough` is the one that is asked for.
    #[inline]
    pub fn least_to_node(&self, node: &BvhNode, enough: f64) -> f64 {
        let of_hull = self.hull.least_to_node(node, enough);
        let Some(slabs) = self.slabs else {
            return of_hull;
        };
        if of_hull >= enough || distance_to_node(&self.witness.get(), node) < enough {
            return of_hull;
        }
        self.by_slabs(slabs, enough, |slab| slab.least_to_node(node, enough))
            .unwrap_or(of_hull)
    }

    /// Returns a lower bound of the signed distance from the hull of points; `enough` is the one that is asked for.
    #[inline]
    pub fn least_to_points(&self, points: &[Point3<f64>], enough: f64) -> f64 {
        let Some(slabs) = self.slabs else {
            return self.hull.least_to_points(points, enough);
        };
        let witness = self.witness.get();
        if points.iter().any(|p| (p - witness).norm() < enough) {
            // No plane can prove enough; the kept planes still tell whether the points overlap the hull.
            return self.hull.least_to_points(points, 0.0);
        }
        let of_hull = self.hull.least_to_points(points, enough);
        if of_hull >= enough {
            return of_hull;
        }
        self.by_slabs(slabs, enough, |slab| slab.least_to_points(points, enough))
            .unwrap_or(of_hull)
    }

    /// Returns the least bound of the slabs, where all prove enough.
    fn by_slabs(&self, slabs: &Slabs, enough: f64, least: impl Fn(&Placed) -> f64) -> Option<f64> {
        if slabs.deep_as_hull && enough <= 0.0 {
            return None;
        }
        // What is free of the body is no deeper than anything.
        let enough = enough.max(0.0);
        let failed = self.failed.get();
        let mut all = f64::INFINITY;
        for k in (failed..SLABS).chain(0..failed) {
            all = all.min(least(&slabs.placed[k]));
            if all < enough {
                self.failed.set(k);
                return None;
            }
        }
        Some(all)
    }
}
