//! The distance of a body that is not convex from a convex one: a branch and bound over its parts.
//!
//! A toroid is the union of its sectors, a hyperboloid of one sheet that of its slabs. The hulls of the parts cover the body
//! and approach it as the square of the parts' width. Convex methods bound the distance of a hull from below; the part with
//! the lowest bound is halved, until the bound meets the distance of two points of the true bodies, or a common point of
//! the true bodies is found.

use crate::narrowphase::convex_pair::SupportPair;
use crate::narrowphase::cover::{self, Cover};
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

type Cell = cover::Cell<Part>;

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
    let gap = |part: Part, n: Vector3<f64>, stop: f64, iterations: &mut u32| {
        let support = |n: &Vector3<f64>| {
            let (h, xa) = shape.part_support(&part, n);
            let xb = lowest(n);
            SupportPair {
                gap: n.dot(&xb) - h,
                xa,
                xb,
            }
        };
        hull_gap(support, n, stop, wanted.tolerance, iterations)
    };
    let (first, count) = match wanted.turn {
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
    let mut cell = |part: Part| Cell {
        part,
        gap: gap(part, start, f64::INFINITY, iterations),
    };
    let mut memory = [cell(first[0]); MAX_PARTS];
    let mut cells = Cover::new(&mut memory);
    for part in &first[1..count] {
        cells.push(cell(*part));
    }
    for split in 0..MAX_SPLITS {
        let Some((k, this)) = cells.lowest() else {
            break;
        };
        let lower = this.gap.lower;
        if best.upper - lower <= 0.9 * wanted.tolerance || lower > wanted.stop {
            break;
        }
        if let Some(common) = examine(shape, lowest, &this, split, wanted, &mut best, iterations) {
            best.common = Some(common);
            return best;
        }
        if cells.is_full() {
            break;
        }
        let Some(halves) = shape.halves(&this.part) else {
            break;
        };
        let limit = best.upper - 0.5 * wanted.tolerance;
        cells.split(k, halves, limit, |half, n| {
            gap(half, n, best.upper, iterations)
        });
    }
    if let Some((_, nearest)) = cells.lowest()
        && best.upper == f64::INFINITY
    {
        best.normal = nearest.gap.normal;
    }
    best.lower = cells.lower().min(best.upper);
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
    let [xa, xb] = cell.gap.witnesses;
    let inner = shape.pulled_in(&xb);
    if inner == xb {
        return Some(xb);
    }
    let x = shape.pulled_in(&xa);
    let distance = (xb - x).norm();
    if distance <= wanted.rounding && cell.gap.lower < -wanted.tolerance {
        // A point of the true surface, of a part whose hull overlaps the other body.
        return Some(xb);
    }
    let improved = distance < best.upper;
    if improved {
        best.upper = distance;
        best.witnesses = [x, xb];
        best.normal = cell.gap.normal;
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
