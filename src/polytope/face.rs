//! The face of a triangle proves its own answer, without a search, where A's support point lies over it.
//!
//! The normal n faces A's centre c, which is s above the plane, and x is A's support point towards n. The gap g of the
//! plane bounds the signed distance from below, because n is one of the directions of which that is the largest value.
//!
//! - **Apart**, g ≥ 0: if the foot of x is in the triangle, then the foot and x are as near as the planes are.
//! - **Overlapping**, depth d = −g: the translations by less than d leave x beyond the plane and, if d ≤ s, c before it.
//!   So the segment from x to c, which is A's, meets the plane, and that at less than d from the segment that begins at
//!   the foot of x and goes 2d/(s + d) of the way to the foot of c. If the triangle has all points within d of this
//!   segment, each of those translations leaves a common point, and no depth is less than d.
//!
//! A triangle has these points if both ends are at least d inside each of its sides.

use crate::narrowphase::convex_pair::{ConvexPair, Penetration};
use crate::polytope::problem::PolytopeProblem;
use nalgebra::Vector3;

/// What the plane of a triangle proves.
pub(super) enum Face {
    /// The answer, with a bracket as wide as two roundings.
    Proven(Penetration),
    /// A lower bound of the signed distance, with its direction.
    Bound(Penetration),
}

/// Asks the plane of a triangle; `None` for other polytopes and for triangles without a normal.
pub(super) fn ask(problem: &PolytopeProblem) -> Option<Face> {
    let [p, q, r] = problem.triangle()?;
    let m = (q - p).cross(&(r - p)).try_normalize(0.0)?;
    let n = if m.dot(&p) < 0.0 { -m } else { m };
    let heights = [p, q, r].map(|v| n.dot(&v));
    let (low, high) = heights
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| {
            (low.min(*h), high.max(*h))
        });
    let xa = problem.support_pair(&n).xa;
    let gap = low - n.dot(&xa);
    let found = Penetration {
        normal: n,
        gap,
        xa,
        xb: xa + n * gap,
    };
    let depth = (-gap).max(0.0);
    // A needle's normal may be too wrong for its plane to pass through the corners.
    let flat = high - low <= 4.0 * problem.rounding;
    let room = if gap < 0.0 {
        depth + problem.rounding
    } else {
        -problem.rounding
    };
    let way = -xa + n * n.dot(&xa);
    let end = found.xb + way * (2.0 * depth / (low + depth));
    let proven = flat
        && depth + problem.rounding <= low.max(problem.rounding)
        && is_inside(&[p, q, r], &m, [&found.xb, &end], room);
    Some(if proven {
        Face::Proven(found)
    } else {
        Face::Bound(found)
    })
}

/// Whether points of the plane are at least `room` inside all sides; m is the normal about which the corners turn.
fn is_inside(
    corners: &[Vector3<f64>; 3],
    m: &Vector3<f64>,
    points: [&Vector3<f64>; 2],
    room: f64,
) -> bool {
    (0..3).all(|i| {
        let (from, to) = (corners[i], corners[(i + 1) % 3]);
        let inwards = m.cross(&(to - from)).normalize();
        points.iter().all(|x| inwards.dot(&(*x - from)) >= room)
    })
}
