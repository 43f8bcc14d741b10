//! Whether a penetration depth is attained along a second direction.
//!
//! A depth is the least over all directions, and differentiable where a single direction attains it. Ties come from
//! symmetry, so the directions that are tried are the images of the normal under the symmetries of both bodies
//! (reflections in their planes and half turns about their axes), the axes themselves, and the centre line: each that
//! might be as deep is followed to its own local maximum of g by Newton's method. A shallow depth, which the pair query
//! presumes to be the only one, is not searched.

use crate::narrowphase::convex_pair::ConvexPair;
use crate::pair::local_depth::presumed_global;
use crate::pair::problem::PairProblem;
use crate::query::options::DepthMode;
use crate::{Contact, Superovoid};
use nalgebra::{Isometry3, Vector3};

/// Depths that differ by less, in units, are the same.
const SAME_DEPTH: f64 = 1e-9;
/// Normals whose difference is less are the same.
const SAME_NORMAL: f64 = 1e-4;
/// A direction is followed if its own depth is at most this share of the inner radii greater.
const PROMISING: f64 = 0.05;

/// Whether the depth of an overlap may be attained along several directions: whether the pair query searches for it.
pub(super) fn may_tie(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    contact: &Contact,
) -> bool {
    let inner = a.inner_radius + b.inner_radius;
    let center_distance = (pose_b.translation.vector - pose_a.translation.vector).norm();
    let depth = -contact.distance;
    !presumed_global(DepthMode::Fast, a, b, inner, center_distance, depth)
}

/// Whether overlapping bodies are as deep along a direction other than the unit `normal` in A's frame, along which
/// their signed distance is `distance` (in units).
pub(super) fn has_a_tie(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    normal: &Vector3<f64>,
    distance: f64,
) -> bool {
    let problem = PairProblem::new(a, pose_a, b, pose_b, 0.0);
    let inner = problem.a.inner_radius + problem.b.inner_radius;
    candidates(&problem, normal).any(|m| ties(&problem, normal, distance, &m, inner))
}

fn candidates(problem: &PairProblem, n: &Vector3<f64>) -> impl Iterator<Item = Vector3<f64>> {
    let n = *n;
    let axes = problem.face_axes();
    let images = axes.into_iter().flat_map(move |axis| {
        let reflected = n - axis * (2.0 * n.dot(&axis));
        [reflected, -reflected, axis, -axis]
    });
    let line = problem.center.try_normalize(1e-9);
    images
        .chain([-n])
        .chain(line.into_iter().flat_map(|c| [c, -c]))
}

/// Whether the direction m leads to a depth that is the same, along another normal than n.
fn ties(
    problem: &PairProblem,
    n: &Vector3<f64>,
    distance: f64,
    m: &Vector3<f64>,
    inner: f64,
) -> bool {
    let other = |m: &Vector3<f64>| (m - n).norm() > SAME_NORMAL;
    if !other(m) {
        return false;
    }
    let gap = problem.support_pair(m).gap;
    if gap >= distance - SAME_DEPTH {
        return true;
    }
    let mut iterations = 0;
    gap >= distance - PROMISING * inner
        && problem
            .sharpen(m, gap, &mut iterations)
            .is_some_and(|p| p.gap >= distance - SAME_DEPTH && other(&p.normal))
}
