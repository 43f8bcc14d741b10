//! The distance of two convex bodies by GJK (Gilbert, Johnson, Keerthi 1988), with a lower bound that always holds.

use crate::narrowphase::convex_pair::SupportPair;
use crate::narrowphase::simplex::{CsoPoint, Simplex};
use nalgebra::Vector3;

/// Returns a lower bound of the distance of two convex bodies, its direction, and witness points.
///
/// GJK starts from the direction `n` and runs until the bracket is closed, or the distance is proven to exceed `stop`.
/// Wherever it ends, the bound holds.
pub(crate) fn hull_gap(
    support: impl Fn(&Vector3<f64>) -> SupportPair,
    n: Vector3<f64>,
    stop: f64,
    tolerance: f64,
    iterations: &mut u32,
) -> (f64, Vector3<f64>, [Vector3<f64>; 2]) {
    const QUERIES: usize = 60;
    let (mut lower, mut normal) = (f64::NEG_INFINITY, n);
    let mut simplex = Simplex::new();
    let mut n = n;
    for _ in 0..QUERIES {
        *iterations += 1;
        let found = support(&n);
        if found.gap > lower {
            (lower, normal) = (found.gap, n);
        }
        let progressed = simplex.add(CsoPoint::of(&found));
        let v = simplex.nearest();
        let length = v.norm();
        // No sharper than needed to tell whether, and where, to split.
        let needed = if stop.is_finite() {
            0.1 * (stop - length)
        } else {
            0.0
        };
        let closed = length - lower <= needed.max(0.3 * tolerance);
        if !progressed || simplex.encloses_origin || closed || lower > stop || length < 1e-14 {
            break;
        }
        n = v / length;
    }
    (lower, normal, simplex.witnesses())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrowphase::convex_pair::ConvexPair;
    use crate::narrowphase::test_bodies::{TOLERANCE, apart};

    #[test]
    fn distances_of_balls_and_boxes_are_bounded_from_below_and_met() {
        for (k, (pair, distance)) in apart().iter().enumerate() {
            let support = |n: &Vector3<f64>| pair.support_pair(n);
            let start = pair.center.normalize();
            let (lower, normal, [xa, xb]) =
                hull_gap(support, start, f64::INFINITY, TOLERANCE, &mut 0);
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
    fn it_ends_beyond_the_distance_that_is_asked_about() {
        let (pair, distance) = &apart()[0];
        let support = |n: &Vector3<f64>| pair.support_pair(n);
        let mut queries = 0;
        let (lower, ..) = hull_gap(
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
