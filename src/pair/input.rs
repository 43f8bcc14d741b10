//! One pair of superovoids and what kind of pair it is.

use crate::Superovoid;
use nalgebra::Isometry3;

/// One pair of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// Body A…
    pub a: &'a Superovoid,
    /// …and its pose.
    pub pose_a: &'a Isometry3<f64>,
    /// Body B…
    pub b: &'a Superovoid,
    /// …and its pose.
    pub pose_b: &'a Isometry3<f64>,
}

/// Ellipsoids, but not two spheres: their method is [`ellipsoids`](crate::pair::ellipsoids).
#[inline(always)]
pub(crate) fn are_ellipsoids(pair: &Pair) -> bool {
    let (a, b) = (pair.a, pair.b);
    a.is_ellipsoid() && b.is_ellipsoid() && !a.traits.both(b.traits).sphere()
}

/// Whether the pair is one whose stationary points may prove its distance: see
/// [`crate::pair::pipeline::Pipeline`] for what becomes of others.
#[inline(always)]
pub(super) fn is_certifiable(a: &Superovoid, b: &Superovoid) -> bool {
    let both = a.traits.both(b.traits);
    both.convex() && both.provable() && !both.sphere()
}
