//! The distance of a body that is not convex from a convex one: a branch and bound over its parts.
//!
//! A toroid is the union of its sectors, a hyperboloid of one sheet that of its slabs. The hulls of the parts cover the body
//! and approach it as the square of the parts' width. Convex methods bound the distance of a hull from below; the part with
//! the lowest bound is halved, until the bound meets the distance of two points of the true bodies, or a common point of
//! the true bodies is found.

use crate::narrowphase::convex_pair::SupportPair;
use crate::narrowphase::gjk::hull_gap;
use crate::superquadric::shape::Superquadric;
use crate::superquadric::support::Part;
use nalgebra::Vector3;

/// The number of parts held at once, and of halvings before the bracket is returned open.
const MAX_PARTS: usize = 256;
const MAX_SPLITS: usize = 1500;

/// What is asked of a search.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// The widest bracket that counts as closed.
    pub tolerance: f64,
    /// Points that are nearer to each other than this are the same to rounding.
    pub rounding: f64,
    /// The search ends when the distance is proven to exceed this.
    pub stop: f64,
    /// Whether only what has no negative coordinate can be nearest.
    pub octant: bool,
    /// The turn of the only sector that can be nearest, if there is only one.
    pub turn: Option<f64>,
}

/// The bracket of a distance, the unit normal that proves the lower end and the points that prove the upper one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bracket {
    pub lower: f64,
    pub normal: Vector3<f64>,
    pub upper: f64,
    pub witnesses: [Vector3<f64>; 2],
    /// A point of both bodies, if one was found.
    pub common: Option<Vector3<f64>>,
}

#[derive(Clone, Copy)]
struct Cell {
    part: Part,
    lower: f64,
    normal: Vector3<f64>,
    witnesses: [Vector3<f64>; 2],
}

/// Returns the bracket of the distance from a convex body; `lowest` is its support point in the direction against the
/// given one.
#[inline(never)]
pub(super) fn separate(
    shape: &Superquadric,
    lowest: &impl Fn(&Vector3<f64>) -> Vector3<f64>,
    start: Vector3<f64>,
    wanted: &Wanted,
    iterations: &mut u32,
) -> Bracket {
    let cell = |part: Part, n: Vector3<f64>, stop: f64, iterations: &mut u32| {
        let support = |n: &Vector3<f64>| {
            let (h, xa) = shape.part_support(&part, n);
            let xb = lowest(n);
            SupportPair {
                gap: n.dot(&xb) - h,
                xa,
                xb,
            }
        };
        let (lower, normal, witnesses) = hull_gap(support, n, stop, wanted.tolerance, iterations);
        Cell {
            part,
            lower,
            normal,
            witnesses,
        }
    };
    let (first, mut count) = match wanted.turn {
        Some(turn) => ([shape.part([turn; 2]); 4], 1),
        None => shape.parts(wanted.octant),
    };
    let mut best = Bracket {
        lower: f64::NEG_INFINITY,
        normal: start,
        upper: f64::INFINITY,
        witnesses: [Vector3::zeros(); 2],
        common: None,
    };
    let mut cells = [cell(first[0], start, f64::INFINITY, iterations); MAX_PARTS];
    for k in 1..count {
        cells[k] = cell(first[k], start, f64::INFINITY, iterations);
    }
    // This is the lowest bound of the parts that were closed: none of them is nearer.
    let mut closed = f64::INFINITY;
    for split in 0..MAX_SPLITS {
        let lowest_bound = (0..count).min_by(|&i, &j| cells[i].lower.total_cmp(&cells[j].lower));
        let Some(k) = lowest_bound else { break };
        let this = cells[k];
        if best.upper - this.lower <= 0.9 * wanted.tolerance || this.lower > wanted.stop {
            break;
        }
        if let Some(common) = examine(shape, lowest, &this, split, wanted, &mut best, iterations) {
            best.common = Some(common);
            return best;
        }
        if count == MAX_PARTS {
            break;
        }
        let Some(halves) = shape.halves(&this.part) else {
            break;
        };
        count -= 1;
        cells[k] = cells[count];
        for part in halves {
            // The nearest points that are known have the normal that proves them, to first order.
            let mut half = cell(part, this.normal, best.upper, iterations);
            half.lower = half.lower.max(this.lower);
            if half.lower < best.upper - 0.5 * wanted.tolerance {
                cells[count] = half;
                count += 1;
            } else {
                closed = closed.min(half.lower);
            }
        }
    }
    let nearest = (0..count).min_by(|&i, &j| cells[i].lower.total_cmp(&cells[j].lower));
    let open = nearest.map_or(f64::INFINITY, |k| cells[k].lower);
    if let Some(k) = nearest
        && best.upper == f64::INFINITY
    {
        best.normal = cells[k].normal;
    }
    best.lower = open.min(closed).min(best.upper);
    best
}

/// Looks for a better upper bound at the witnesses of a part, and returns a common point if there is one.
fn examine(
    shape: &Superquadric,
    lowest: &impl Fn(&Vector3<f64>) -> Vector3<f64>,
    cell: &Cell,
    split: usize,
    wanted: &Wanted,
    best: &mut Bracket,
    iterations: &mut u32,
) -> Option<Vector3<f64>> {
    /// The number of parts from which Newton's method starts in any case.
    const STARTS: usize = 3;
    let [xa, xb] = cell.witnesses;
    let inner = shape.pulled_in(&xb);
    if inner == xb {
        return Some(xb);
    }
    let x = shape.pulled_in(&xa);
    let distance = (xb - x).norm();
    if distance <= wanted.rounding && cell.lower < -wanted.tolerance {
        // A point of the true surface, of a part whose hull overlaps the other body.
        return Some(xb);
    }
    let improved = distance < best.upper;
    if improved {
        best.upper = distance;
        best.witnesses = [x, xb];
        best.normal = cell.normal;
    }
    if improved || split < STARTS || distance < best.upper + wanted.tolerance {
        let found = shape.face(shape.parameters_of(&x), lowest, iterations);
        let d = found.offset();
        let along = d.dot(&found.normal);
        if along > 0.0 && d.norm() < best.upper {
            best.upper = d.norm();
            best.witnesses = [found.x, found.y];
            best.normal = found.normal;
        }
    }
    None
}
