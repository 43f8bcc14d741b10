//! One pair of superovoids and what kind of pair it is.

use crate::Superovoid;
use nalgebra::Isometry3;

/// One pair of superovoids at their poses, as a batch takes it.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// The superovoid A.
    pub a: &'a Superovoid,
    /// The pose of A.
    pub pose_a: &'a Isometry3<f64>,
    /// The superovoid B.
    pub b: &'a Superovoid,
    /// The pose of B.
    pub pose_b: &'a Isometry3<f64>,
}

/// Whether the bodies are ellipsoids, but not both spheres: [`ellipsoids`](crate::pair::newton::ellipsoids) has a
/// method for them.
#[inline(always)]
pub(crate) fn are_ellipsoids(pair: &Pair) -> bool {
    let (a, b) = (pair.a, pair.b);
    a.is_ellipsoid() && b.is_ellipsoid() && !a.traits.both(b.traits).sphere()
}

/// Whether stationary points may certify the distance of the pair. All other pairs go through the
/// [`pipeline`](crate::pair::pipeline).
#[inline(always)]
pub(super) fn is_certifiable(a: &Superovoid, b: &Superovoid) -> bool {
    let both = a.traits.both(b.traits);
    both.convex() && both.provable() && !both.sphere()
}
