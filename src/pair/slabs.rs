//! Non-convex bodies: a branch and bound over slabs in height.
//!
//! The slices of a superovoid are convex, only their stacking is not. Cut into slabs `ζ ∈ [low, high]`, the body is
//! covered by the convex hulls of the slabs, which approach it as the slabs get thinner. Convex methods bound the
//! distance of two slab hulls from below. The pair with the lowest bound is split, at the height of its witness,
//! until the bound meets the distance of two points of the true bodies, or a common point of the true bodies is
//! found.

use crate::narrowphase::convex_pair::{ConvexPair, SupportPair};
use crate::narrowphase::cover::{Cell, Cover};
use crate::narrowphase::gjk::{HullGap, hull_gap};
use crate::pair::newton;
use crate::pair::newton::PairStart;
use crate::pair::problem::PairProblem;
use crate::pair::stationary::Stationary;
use crate::query::units::center_line;
use crate::surface::slab::{Slab, split_height};
use crate::surface::support_map::SupportMap;
use nalgebra::Vector3;

/// The number of slab pairs held at once, and of splits before the bracket is returned open.
const MAX_PAIRS: usize = 512;
const MAX_SPLITS: usize = 1500;
/// The result of the search over slabs.
pub(crate) enum SlabResult {
    /// The distance is at least `lower`; `nearest` is the nearest pair found on the true surfaces, if there is one.
    Apart {
        lower: f64,
        nearest: Option<Stationary>,
    },
    /// The bodies overlap: this is a point of both true bodies.
    Overlap { common: Vector3<f64> },
}

/// A slab of each body, by the heights between which it lies.
type SlabPair = [[f64; 2]; 2];

/// The best upper bound so far.
struct Nearest {
    upper: f64,
    found: Option<Stationary>,
}

#[inline(never)]
pub(crate) fn separate(
    problem: &PairProblem,
    start: Option<Stationary>,
    iterations: &mut u32,
) -> SlabResult {
    let mut nearest = Nearest {
        upper: f64::INFINITY,
        found: None,
    };
    if let Some(s) = start
        && let Some(common) = nearest.offer(problem, s)
    {
        return SlabResult::Overlap { common };
    }
    let whole = [[-1.0, 1.0]; 2];
    let axis = center_line(&problem.center);
    let first = Cell {
        part: whole,
        gap: slab_gap(problem, whole, axis, f64::INFINITY, iterations),
    };
    let mut cells = [first; MAX_PAIRS];
    let mut pairs = Cover::new(&mut cells);
    for _ in 0..MAX_SPLITS {
        let Some((lowest, pair)) = pairs.lowest() else {
            break;
        };
        if nearest.upper - pair.gap.lower <= problem.tolerance {
            break;
        }
        if let Some(common) = examine(problem, &pair, &mut nearest, iterations) {
            return SlabResult::Overlap { common };
        }
        let Some(halves) = split(problem, &pair) else {
            break;
        };
        if pairs.is_full() {
            break;
        }
        let stop = nearest.upper;
        pairs.split(lowest, halves, stop - 0.5 * problem.tolerance, |half, n| {
            slab_gap(problem, half, n, stop, iterations)
        });
    }
    SlabResult::Apart {
        lower: pairs.lower().min(nearest.upper) - problem.rounding,
        nearest: nearest.found,
    }
}

impl Nearest {
    /// Takes a stationary pair of the true surfaces into account, and returns a common point if it proves one.
    fn offer(&mut self, problem: &PairProblem, s: Stationary) -> Option<Vector3<f64>> {
        if !s.on_surface {
            return None;
        }
        let middle = s.xa + 0.5 * s.d;
        for x in [s.xa, s.xb(), middle] {
            let margin = problem.gauge_a(&x).max(problem.gauge_b(&x));
            // The point must lie strictly inside: a point of one surface that touches the other is no overlap.
            if margin < 1.0 - 1e-12 || (margin <= 1.0 && x == middle) {
                return Some(x);
            }
        }
        let distance = s.d.norm();
        if distance < self.upper {
            self.upper = distance;
            self.found = Some(s);
        }
        None
    }
}

/// Tries to find a better upper bound, or a common point, at the witnesses of a slab pair.
fn examine(
    problem: &PairProblem,
    pair: &Cell<SlabPair>,
    nearest: &mut Nearest,
    iterations: &mut u32,
) -> Option<Vector3<f64>> {
    let [xa, xb] = pair.gap.witnesses;
    let middle = 0.5 * (xa + xb);
    if problem.gauge_a(&middle) <= 1.0 && problem.gauge_b(&middle) <= 1.0 {
        return Some(middle);
    }
    let local_b = problem.rotation.tr_mul(&(xb - problem.center));
    let ca = problem.a.circles_towards(&xa);
    let cb = problem.b.circles_towards(&local_b);
    let start = PairStart::Direction(pair.gap.normal, problem.states(&ca, &cb));
    let s = newton::solve(problem, start, 15, iterations)?;
    nearest.offer(problem, s)
}

/// Splits the slab whose witness lies farther outside its body, at the height of the witness if that is well inside
/// the slab. Returns `None` if the slab is too thin.
fn split(problem: &PairProblem, pair: &Cell<SlabPair>) -> Option<[SlabPair; 2]> {
    let [xa, xb] = pair.gap.witnesses;
    let local = [xa, problem.rotation.tr_mul(&(xb - problem.center))];
    let shapes = [&problem.a, &problem.b];
    let outside = [0, 1].map(|k| {
        if shapes[k].is_convex() {
            f64::NEG_INFINITY
        } else {
            shapes[k].gauge(&local[k])
        }
    });
    let thickness = pair.part.map(|[low, high]| high - low);
    let tied = (outside[0] - outside[1]).abs() < 1e-13;
    let first = if tied {
        thickness[0] >= thickness[1]
    } else {
        outside[0] > outside[1]
    };
    let k = usize::from(!first);
    let [low, high] = pair.part[k];
    let at = split_height([low, high], local[k].z / shapes[k].a[2])?;
    let with = |slab: [f64; 2]| {
        let mut heights = pair.part;
        heights[k] = slab;
        heights
    };
    Some([with([low, at]), with([at, high])])
}

/// Returns the distance of the hulls of two slabs, starting from direction `n`.
fn slab_gap(
    problem: &PairProblem,
    heights: SlabPair,
    n: Vector3<f64>,
    stop: f64,
    iterations: &mut u32,
) -> HullGap {
    let slab = |shape, k: usize| Slab {
        shape,
        heights: heights[k],
    };
    let (a, b) = (slab(&problem.a, 0), slab(&problem.b, 1));
    let support = |n: &Vector3<f64>| {
        let (ha, xa) = a.local_support(n);
        let (hb, xb) = b.local_support(&-problem.rotation.tr_mul(n));
        SupportPair {
            gap: n.dot(&problem.center) - ha - hb,
            xa,
            xb: problem.rotation * xb + problem.center,
        }
    };
    hull_gap(support, n, stop, problem.tolerance, iterations)
}
