//! The searches of the branch and bound, by their tolerance and the memory that they take.

use crate::narrowphase::ascent;
use crate::narrowphase::branch_and_bound::initial_penetration::InitialPenetration;
use crate::narrowphase::branch_and_bound::precision::{Evaluate, Precision};
use crate::narrowphase::branch_and_bound::search::{Memory, Search, Signs};
use crate::narrowphase::convex_pair::{ConvexPair, Penetration};

/// Returns the best penetration and an upper bound of g over all directions, closed to `tolerance` unless 2048
/// directions were not enough. The search takes about 230 kB of stack.
#[inline(never)]
pub(crate) fn certified<P: ConvexPair>(
    problem: &P,
    found: InitialPenetration,
    tolerance: f64,
    iterations: &mut u32,
) -> (Penetration, f64) {
    let mut memory = Memory::<f64, 2048, 4096>::empty();
    Search::new(problem, memory.borrow(), found, tolerance).run(iterations)
}

/// Searches as [`certified`] does for B a point in A: in 512 directions and 60 kB of stack, and only over the octants
/// that can hold the least depth. A sign is given for each axis whose reflection maps A to itself: turned to the
/// point's side, n·x grows and h(n) stays.
#[inline(never)]
pub(crate) fn of_point<P: ConvexPair>(
    problem: &P,
    found: Penetration,
    signs: Signs,
    tolerance: f64,
    iterations: &mut u32,
) -> (Penetration, f64) {
    let mut memory = Memory::<f64, 512, 1024>::empty();
    let found = InitialPenetration::Local(found);
    let search = Search::new(problem, memory.borrow(), found, tolerance);
    search.within(signs).run(iterations)
}

/// Searches as [`of_point`] does, in 2048 directions and 230 kB of stack.
#[inline(never)]
pub(crate) fn of_point_to_the_end<P: ConvexPair>(
    problem: &P,
    found: Penetration,
    signs: Signs,
    tolerance: f64,
    iterations: &mut u32,
) -> (Penetration, f64) {
    let mut memory = Memory::<f64, 2048, 4096>::empty();
    let found = InitialPenetration::Local(found);
    let search = Search::new(problem, memory.borrow(), found, tolerance);
    search.within(signs).run(iterations)
}

/// The tolerance of fast searches, as a share of a body's size.
const COARSE: f64 = 1e-5;

/// Searches as [`certified`] does, with at most 512 directions and 60 kB of stack, to 1e-5 of the larger body, or to 2e-5
/// of the smaller one if it is less than half as large: it finds the least depth itself, to the accuracy of Newton's
/// method, whenever no other local one is that close.
#[inline(never)]
pub(crate) fn fast<P: ConvexPair>(
    problem: &P,
    found: InitialPenetration,
    iterations: &mut u32,
) -> (Penetration, f64) {
    let tolerance = COARSE * (2.0 * problem.smaller_size()).min(1.0);
    fast_to::<P, f64>(
        problem,
        found,
        tolerance.max(problem.tolerance()),
        iterations,
    )
}

/// Searches as [`fast`] does, in single precision, to 1e-5 of the larger body. About a body that is much smaller than the
/// other the local depths may all be that close: of those along faces the least is taken.
#[inline(never)]
pub(crate) fn fast_single<P: Evaluate<f32>>(
    problem: &P,
    found: InitialPenetration,
    iterations: &mut u32,
) -> (Penetration, f64) {
    let (best, upper) = fast_to::<P, f32>(problem, found, COARSE, iterations);
    if problem.smaller_size() >= 0.5 {
        return (best, upper);
    }
    let best = of_faces(problem, best, iterations);
    (best, upper.max(best.gap))
}

/// Returns a penetration along the face of a body, if there is one that is less deep by more than the tolerance, or else
/// this one.
fn of_faces<P: ConvexPair>(
    problem: &P,
    mut best: Penetration,
    iterations: &mut u32,
) -> Penetration {
    for axis in problem.face_axes() {
        for normal in [axis, -axis] {
            let enough = best.gap + problem.tolerance();
            let gap = problem.support_pair(&normal).gap;
            *iterations += 1;
            if gap > enough {
                let found = ascent::local_maximum(problem, &normal, gap, iterations);
                if found.gap > enough {
                    best = found;
                }
            }
        }
    }
    best
}

fn fast_to<P: Evaluate<T>, T: Precision>(
    problem: &P,
    found: InitialPenetration,
    tolerance: f64,
    iterations: &mut u32,
) -> (Penetration, f64) {
    // Few pairs need more than this, and less memory is cleared in less time.
    let mut memory = Memory::<T, 128, 256>::empty();
    let search = Search::new(problem, memory.borrow(), found, tolerance);
    match search.run_to_the_end(iterations) {
        Ok(found) => found,
        Err(found) => fast_and_large(problem, found, tolerance, iterations),
    }
}

#[inline(never)]
fn fast_and_large<P: Evaluate<T>, T: Precision>(
    problem: &P,
    found: InitialPenetration,
    tolerance: f64,
    iterations: &mut u32,
) -> (Penetration, f64) {
    let mut memory = Memory::<T, 512, 1024>::empty();
    Search::new(problem, memory.borrow(), found, tolerance).run(iterations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrowphase::convex_pair::Penetration;
    use crate::narrowphase::test_bodies::overlapping;
    use nalgebra::Vector3;

    #[test]
    fn least_depths_of_balls_and_boxes_are_found_from_any_direction_and_proven() {
        for (k, (pair, depth)) in overlapping().iter().enumerate() {
            for start in [[1.0, 0.0, 0.0], [-0.6, 0.0, 0.8], [0.0, 0.6, -0.8]] {
                let n = Vector3::from(start);
                let known = InitialPenetration::Any(Penetration::along(pair, &n));
                let (best, upper) = certified(pair, known, 1e-6, &mut 0);
                assert!((best.gap + depth).abs() < 2e-6, "{k}: {} {depth}", best.gap);
                assert!(
                    upper >= -depth - 1e-9 && upper - best.gap <= 1.1e-6,
                    "{k}: {upper}"
                );
                let (best, upper) = fast(pair, known, &mut 0);
                assert!(
                    (best.gap + depth).abs() < 2e-5 && upper >= -depth - 1e-9,
                    "{k}"
                );
            }
        }
    }
}
