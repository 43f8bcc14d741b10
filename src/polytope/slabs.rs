//! A non-convex superovoid against a polytope: a branch and bound over slabs in height.
//!
//! As for [two superovoids](crate::pair), the hulls of slabs `ζ ∈ [low, high]` cover the body and approach it as the
//! slabs get thinner. The slab with the lowest bound is split until the bound meets the distance of the polytope from
//! a point of the true surface, or a common point is found.

use crate::narrowphase::convex_pair::{ConvexPair, SupportPair};
use crate::narrowphase::cover::{Cell, Cover};
use crate::narrowphase::gjk::{HullGap, hull_gap};
use crate::polytope::feature::vertex;
use crate::polytope::problem::PolytopeProblem;
use crate::query::units::center_line;
use crate::surface::slab::{Slab, split_height};
use crate::surface::support_map::SupportMap;
use nalgebra::Vector3;

/// The number of slabs held at once, and of splits before the bracket is returned open.
const MAX_SLABS: usize = 256;
const MAX_SPLITS: usize = 600;
/// The number of Newton steps to the true surface.
const NEWTON_STEPS: u32 = 15;

/// The result of the search over slabs.
pub(super) enum PolytopeSlab {
    /// The distance is at least `lower`; `witnesses` are the nearest points found.
    Apart {
        lower: f64,
        witnesses: [Vector3<f64>; 2],
    },
    /// The bodies overlap: a common point, and a direction in which the hull of its slab overlaps little.
    Overlap {
        normal: Vector3<f64>,
        common: Vector3<f64>,
    },
}

#[inline(never)]
pub(super) fn separate(problem: &PolytopeProblem, stop: f64, iterations: &mut u32) -> PolytopeSlab {
    let axis = center_line(problem.center());
    let whole = [-1.0, 1.0];
    let first = Cell {
        part: whole,
        gap: slab_gap(problem, whole, axis, f64::INFINITY, iterations),
    };
    let mut cells = [first; MAX_SLABS];
    let mut slabs = Cover::new(&mut cells);
    let support = problem.support_pair(&axis);
    let mut witnesses = [support.xa, problem.nearest_to(&support.xa, 0.0)];
    let mut upper = (witnesses[1] - witnesses[0]).norm();
    for _ in 0..MAX_SPLITS {
        let Some((lowest, cell)) = slabs.lowest() else {
            break;
        };
        let slab = cell.gap;
        if upper - slab.lower <= 0.9 * problem.tolerance || slab.lower > stop {
            break;
        }
        for x in slab.witnesses {
            if problem.gauge_a(&x) <= 1.0 && problem.is_in_polytope(&x) {
                return PolytopeSlab::Overlap {
                    normal: slab.normal,
                    common: x,
                };
            }
        }
        let [xa, xb] = slab.witnesses;
        let pair = match vertex(problem, &slab.normal, &xa, &xb, NEWTON_STEPS, iterations) {
            Some(found) => [found.xa, found.xb],
            // Newton's method may fail at a polytope far away, where its residual is rounding error.
            None => {
                let x = problem.a.circles_towards(&xa).point(&problem.a);
                [x, problem.nearest_to(&x, 0.0)]
            }
        };
        let length = (pair[1] - pair[0]).norm();
        if length < upper {
            (upper, witnesses) = (length, pair);
        }
        let Some(at) = split_height(cell.part, xa.z / problem.a.a[2]) else {
            break;
        };
        if slabs.is_full() {
            break;
        }
        let [low, high] = cell.part;
        let (halves, limit) = ([[low, at], [at, high]], upper - 0.5 * problem.tolerance);
        slabs.split(lowest, halves, limit, |half, n| {
            slab_gap(problem, half, n, upper, iterations)
        });
    }
    PolytopeSlab::Apart {
        lower: slabs.lower().min(upper) - problem.rounding,
        witnesses,
    }
}

fn slab_gap(
    problem: &PolytopeProblem,
    heights: [f64; 2],
    n: Vector3<f64>,
    stop: f64,
    iterations: &mut u32,
) -> HullGap {
    let shape = &problem.a;
    let slab = Slab { shape, heights };
    let support = |n: &Vector3<f64>| {
        let (h, xa) = slab.local_support(n);
        let xb = problem.lowest(n);
        SupportPair {
            gap: n.dot(&xb) - h,
            xa,
            xb,
        }
    };
    hull_gap(support, n, stop, problem.tolerance, iterations)
}
