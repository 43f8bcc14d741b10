//! GJK: the nearest point of a convex set to the origin, from its support points.
//!
//! E. G. Gilbert, D. W. Johnson, S. S. Keerthi, *A fast procedure for computing the distance between complex objects in
//! three-dimensional space* (1988). The set is the configuration space obstacle (CSO) of two bodies, or a hull less a point.
//! Callers differ in the direction of a query, in what they read from its support point, and in when they know enough.

use crate::narrowphase::convex_pair::{ConvexPair, Penetration, SupportPair};
use crate::narrowphase::newton::{self, Pieces};
use crate::narrowphase::simplex::{CsoPoint, Simplex};
use crate::query::answer::{Answer, beyond_answer};
use crate::query::contact::Outcome;
use nalgebra::Vector3;

/// Adds up to `queries` points to a simplex. `query` takes the simplex and returns the support point in the direction
/// against its nearest point, or `None` if the caller knows enough. The search ends as well where a support point is no
/// progress, or the simplex encloses the origin.
#[inline(always)]
pub(crate) fn gjk(
    simplex: &mut Simplex,
    queries: usize,
    mut query: impl FnMut(&Simplex) -> Option<CsoPoint>,
) {
    for _ in 0..queries {
        let Some(point) = query(simplex) else { return };
        if !simplex.add(point) || simplex.encloses_origin {
            return;
        }
    }
}

/// Returns the simplex of a convex set, less the point x, that is nearest to the origin: `lowest` returns the lowest point
/// of the set along a direction. The search ends where a lowest point z is at a height z·v of `enough(v)` over the nearest
/// point v: the square of the distance is at least z·v.
#[inline(always)]
pub(crate) fn nearest_to(
    x: &Vector3<f64>,
    start: Vector3<f64>,
    queries: usize,
    lowest: impl Fn(&Vector3<f64>) -> Vector3<f64>,
    enough: impl Fn(&Vector3<f64>) -> f64,
) -> Simplex {
    let mut simplex = Simplex::new();
    gjk(&mut simplex, queries, |simplex| {
        let v = simplex.nearest();
        let known = v.x.is_finite();
        let z = lowest(if known { &v } else { &start }) - x;
        let closed = known && z.dot(&v) >= enough(&v);
        (!closed).then_some(CsoPoint { z, xa: *x })
    });
    simplex
}

/// The number of times that Newton's method is tried: where it finds no nearer points it was not at the right pieces yet.
const TRIES: usize = 8;

/// What GJK says of two bodies.
pub(crate) enum Nearest {
    /// Witnesses and a normal that prove each other to the tolerance.
    Apart(Penetration),
    /// A normal along which the bodies are farther apart than was asked, and how far.
    Beyond(Vector3<f64>, f64),
    /// The simplex is about a common point, to rounding.
    Meeting,
    /// The simplex is the nearest that was found, without a normal that proves it.
    Open,
}

/// Runs GJK from a simplex, or with an empty one from the direction `start`, until the direction of the witnesses is the normal that
/// proves them, far below the tolerance where that is possible: witnesses off the normal by ε widen the bracket by only ε²/2. It
/// ends as soon as the bodies are proven to be farther apart than `stop`. The simplex is left at the nearest point that was found.
///
/// On curved surfaces its steps are many, so that after a few of them [Newton's method](newton) on the pieces found replaces the
/// simplex, and the next step proves it or goes on from there.
pub(crate) fn nearest(
    support: impl Fn(&Vector3<f64>) -> SupportPair,
    pieces: &impl Pieces,
    simplex: &mut Simplex,
    start: &Vector3<f64>,
    stop: f64,
    [tolerance, rounding]: [f64; 2],
    iterations: &mut u32,
) -> Nearest {
    const QUERIES: usize = 60;
    const ALIGNED: f64 = 1e-3;
    let mut tries = if pieces.are_curved() { TRIES } else { 0 };
    let mut aligned = None;
    let mut best = None;
    let mut width = f64::INFINITY;
    for _ in 0..QUERIES {
        let v = simplex.nearest_if_any();
        let length = v.map_or(f64::INFINITY, |v| v.norm());
        if length <= rounding {
            return Nearest::Meeting;
        }
        let normal = aligned.unwrap_or_else(|| v.map_or(*start, |v| v / length));
        aligned = None;
        *iterations += 1;
        let found = support(&normal);
        if found.gap > stop {
            return Nearest::Beyond(normal, found.gap);
        }
        let open = length - found.gap;
        if open < width && open <= tolerance {
            width = open;
            let [xa, xb] = simplex.witnesses();
            let gap = found.gap;
            let p = Penetration {
                normal,
                gap,
                xa,
                xb,
            };
            best = Some(p);
        }
        if width <= ALIGNED * tolerance || !simplex.add(CsoPoint::of(&found)) {
            break;
        }
        if simplex.encloses_origin {
            return Nearest::Meeting;
        }
        if tries > 0 && found.gap > 0.0 {
            tries -= 1;
            aligned = newton::align(pieces, simplex, ALIGNED * tolerance, rounding);
        }
    }
    best.map_or(Nearest::Open, Nearest::Apart)
}

/// What GJK says of whether two bodies overlap.
pub(crate) enum Meeting {
    /// The bodies overlap: the penetration of the least gap that was met, which separates them, and an upper bound of their signed
    /// distance.
    Proven(Penetration, f64),
    /// As in [`Nearest`].
    Beyond(Vector3<f64>, f64),
    /// Neither; the search may go on from the simplex.
    Open(Simplex),
}

impl Meeting {
    /// Returns the answer about a pair, with its rounding and tolerance, if there is one.
    pub fn answer(
        &self,
        pair: &impl ConvexPair,
        [rounding, tolerance]: [f64; 2],
    ) -> Option<Answer> {
        match self {
            Meeting::Proven(p, upper) => {
                let bracket = [p.gap - rounding, *upper];
                let outcome = Outcome::of_overlap(bracket, tolerance);
                Some(Answer::new(p.gap, p.normal, p.xa, bracket, outcome))
            }
            Meeting::Beyond(normal, gap) => {
                let xa = pair.support_pair(normal).xa;
                Some(beyond_answer(*normal, xa, gap - rounding))
            }
            Meeting::Open(_) => None,
        }
    }
}

/// Runs GJK from the direction `start` until one point is proven to belong to both bodies: `shares` proves one by the witnesses, which
/// are combinations of support points and thus of their bodies, or by other points; witnesses may be as near as `met`; or a
/// tetrahedron of CSO points encloses 0. It ends as soon as the bodies are proven to be farther apart than `stop`, or that `met` is
/// not reached.
///
/// All that is asked of a witness is on which side of a surface it is, so that a few support points suffice where the bodies overlap
/// by much: the tetrahedron needs four of them, and the least depth dozens.
#[inline(always)]
pub(crate) fn meeting(
    support: impl Fn(&Vector3<f64>) -> SupportPair,
    shares: impl Fn(&Simplex) -> bool,
    start: &Vector3<f64>,
    [met, stop]: [f64; 2],
    rounding: f64,
    iterations: &mut u32,
) -> Meeting {
    const QUERIES: usize = 60;
    let mut simplex = Simplex::new();
    let mut best: Option<Penetration> = None;
    let mut upper = None;
    gjk(&mut simplex, QUERIES, |simplex| {
        let normal = match simplex.nearest_if_any() {
            None => *start,
            Some(v) => {
                let length = v.norm();
                if length <= met {
                    upper = Some(length + rounding);
                } else if shares(simplex) {
                    upper = Some(0.0);
                }
                if upper.is_some() || length <= rounding {
                    return None;
                }
                v / length
            }
        };
        *iterations += 1;
        let found = support(&normal);
        if best.is_none_or(|best| found.gap > best.gap) {
            best = Some(Penetration::of_support_pair(&normal, &found));
        }
        (found.gap <= met.max(0.0)).then(|| CsoPoint::of(&found))
    });
    let Some(best) = best else {
        return Meeting::Open(simplex);
    };
    if best.gap > stop {
        return Meeting::Beyond(best.normal, best.gap);
    }
    if simplex.encloses_origin
        && let Some((depth, _)) = simplex.depth().filter(|(depth, _)| *depth > rounding)
    {
        upper = Some(rounding - depth);
    }
    match upper {
        Some(upper) => Meeting::Proven(best, upper),
        None => Meeting::Open(simplex),
    }
}

/// Two hulls: a lower bound of their distance, its direction, and witness points.
#[derive(Clone, Copy)]
pub(crate) struct HullGap {
    pub lower: f64,
    pub normal: Vector3<f64>,
    pub witnesses: [Vector3<f64>; 2],
}

/// Returns a lower bound of the distance of two convex bodies.
///
/// GJK starts from the direction `n` and runs until the bracket is closed, or the distance is proven to exceed `stop`.
/// Wherever it ends, the bound holds.
pub(crate) fn hull_gap(
    support: impl Fn(&Vector3<f64>) -> SupportPair,
    mut n: Vector3<f64>,
    stop: f64,
    tolerance: f64,
    iterations: &mut u32,
) -> HullGap {
    const QUERIES: usize = 60;
    let (mut lower, mut normal) = (f64::NEG_INFINITY, n);
    let mut simplex = Simplex::new();
    gjk(&mut simplex, QUERIES, |simplex| {
        if let Some(v) = simplex.nearest_if_any() {
            let length = v.norm();
            // No sharper than needed to tell whether, and where, to split.
            let needed = if stop.is_finite() {
                0.1 * (stop - length)
            } else {
                0.0
            };
            let closed = length - lower <= needed.max(0.3 * tolerance);
            if closed || lower > stop || length < 1e-14 {
                return None;
            }
            n = v / length;
        }
        *iterations += 1;
        let found = support(&n);
        if found.gap > lower {
            (lower, normal) = (found.gap, n);
        }
        Some(CsoPoint::of(&found))
    });
    HullGap {
        lower,
        normal,
        witnesses: simplex.witnesses(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrowphase::convex_pair::ConvexPair;
    use crate::narrowphase::test_bodies::{Body, BodyPair, TOLERANCE, apart};

    #[test]
    fn distances_of_balls_and_boxes_are_bounded_from_below_and_met() {
        for (k, (pair, distance)) in apart().iter().enumerate() {
            let support = |n: &Vector3<f64>| pair.support_pair(n);
            let start = pair.center.normalize();
            let found = hull_gap(support, start, f64::INFINITY, TOLERANCE, &mut 0);
            let (lower, normal, [xa, xb]) = (found.lower, found.normal, found.witnesses);
            assert!(lower <= distance + 1e-12, "{k}: {lower} > {distance}");
            assert!((normal.norm() - 1.0).abs() < 1e-12);
            let length = (xb - xa).norm();
            assert!(length >= distance - 1e-12, "{k}: {length} < {distance}");
            // Round bodies are approached step by step.
            assert!(
                distance - lower < 1e-4 && length - distance < 1e-4,
                "{k}: {lower} {length}"
            );
        }
    }

    #[test]
    fn bodies_meet_where_a_witness_is_in_the_other_one_or_a_tetrahedron_encloses_the_origin() {
        let ask = |pair: &BodyPair, by_witness: bool| {
            let shares = |simplex: &Simplex| {
                let [xa, xb] = simplex.witnesses();
                by_witness && (pair.gauge_b(&xa) < 1.0 || pair.gauge_a(&xb) < 1.0)
            };
            let start = pair.center.normalize();
            let support = |n: &Vector3<f64>| pair.support_pair(n);
            meeting(
                support,
                shares,
                &start,
                [f64::NEG_INFINITY, 0.0],
                1e-15,
                &mut 0,
            )
        };
        for center in [[0.9, 0.1, 0.2], [0.2, 0.3, -0.1], [1.3, 0.0, 0.3]] {
            let (a, b) = (Body::Ball(0.6), Body::Cuboid([0.8, 0.3, 0.5]));
            let center = Vector3::from(center);
            let pair = BodyPair { a, b, center };
            for by_witness in [true, false] {
                let Meeting::Proven(p, upper) = ask(&pair, by_witness) else {
                    panic!("{center:?} {by_witness}");
                };
                assert!(p.gap < 0.0 && upper <= 0.0 && p.gap <= upper);
                assert!((pair.support_pair(&p.normal).gap - p.gap).abs() < 1e-15);
            }
        }
        for (pair, distance) in apart() {
            let Meeting::Beyond(n, gap) = ask(&pair, true) else {
                panic!("{distance}");
            };
            assert!(gap > 0.0 && gap <= distance + 1e-12);
            assert!((pair.support_pair(&n).gap - gap).abs() < 1e-15);
        }
    }

    #[test]
    fn the_point_of_a_box_nearest_to_a_point_is_the_clamped_one() {
        let half = Vector3::new(1.0, 0.5, 2.0);
        let lowest = |n: &Vector3<f64>| -half.zip_map(n, |half: f64, n: f64| half.copysign(n));
        let enough = |v: &Vector3<f64>| v.norm_squared() - 1e-14 * v.norm();
        for k in 0..200 {
            let coordinate = |share: f64| 3.0 * (f64::from(k) * share).sin();
            let x = Vector3::new(coordinate(1.3), coordinate(2.1), coordinate(0.7));
            let right = x.zip_map(&half, |x: f64, half: f64| x.clamp(-half, half));
            let found = nearest_to(&x, Vector3::x(), 40, lowest, enough);
            let inside = right == x;
            assert!(!inside || found.encloses_origin || found.nearest().norm() < 1e-14);
            assert!(
                inside || (x + found.nearest() - right).norm() < 1e-13,
                "{k}"
            );
        }
    }

    #[test]
    fn it_ends_beyond_the_distance_that_is_asked_about() {
        let (pair, distance) = &apart()[0];
        let support = |n: &Vector3<f64>| pair.support_pair(n);
        let mut queries = 0;
        let HullGap { lower, .. } = hull_gap(
            support,
            pair.center.normalize(),
            1.0,
            TOLERANCE,
            &mut queries,
        );
        assert!(
            lower > 1.0 && lower <= *distance && queries == 1,
            "{lower} {queries}"
        );
    }
}
