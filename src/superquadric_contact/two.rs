//! The distance of two bodies that are not convex: a branch and bound over pairs of their parts.
//!
//! Either body is the union of its sectors or slabs, so that the distance is the least of those of their pairs. The gap of
//! the hulls of two parts bounds it from below, and is short of the distance of the parts by the squares of both widths. Of the
//! pair with the lowest bound the part whose hull is farther from it is halved, until the bound meets the distance of two
//! surface points: the witnesses of the hulls, pulled into the bodies, from which each point's nearest on the other
//! surface is taken in turn.

use crate::narrowphase::convex_pair::SupportPair;
use crate::narrowphase::cover::{self, Cover};
use crate::narrowphase::gjk::hull_gap;
use crate::superquadric::shape::Superquadric;
use crate::superquadric::support::Part;
use crate::superquadric_contact::search::{Bracket, Wanted};
use nalgebra::{Matrix3, Vector3};

/// The number of pairs held at once, and of halvings before the bracket is returned open.
const MAX_PAIRS: usize = 224;
const MAX_SPLITS: usize = 6000;

/// Body B in A's frame.
pub(super) struct Turned<'a> {
    pub shape: &'a Superquadric,
    pub rotation: &'a Matrix3<f64>,
    pub offset: Vector3<f64>,
}

impl Turned<'_> {
    /// Returns the point of a part that is lowest along a unit vector.
    pub fn lowest(&self, part: &Part, n: &Vector3<f64>) -> Vector3<f64> {
        let local = -self.rotation.tr_mul(n);
        self.in_a(&self.shape.part_support(part, &local).1)
    }

    fn in_a(&self, x: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * x + self.offset
    }

    pub fn in_b(&self, x: &Vector3<f64>) -> Vector3<f64> {
        self.rotation.tr_mul(&(x - self.offset))
    }
}

/// Returns the bracket of the distance of two bodies.
#[inline(never)]
pub(super) fn separate_two(
    a: &Superquadric,
    b: &Turned,
    start: Vector3<f64>,
    wanted: &Wanted,
    iterations: &mut u32,
) -> Bracket {
    let gap = |[part, other]: [Part; 2], n: Vector3<f64>, stop: f64, iterations: &mut u32| {
        let support = |n: &Vector3<f64>| {
            let (h, xa) = a.part_support(&part, n);
            let xb = b.lowest(&other, n);
            SupportPair {
                gap: n.dot(&xb) - h,
                xa,
                xb,
            }
        };
        hull_gap(support, n, stop, wanted.tolerance, iterations)
    };
    let [(of_a, count_a), (of_b, count_b)] = [a, b.shape].map(|shape| shape.parts(false));
    let mut best = Bracket {
        lower: f64::NEG_INFINITY,
        normal: start,
        upper: f64::INFINITY,
        witnesses: [Vector3::zeros(); 2],
        common: None,
    };
    let mut cell = |part: [Part; 2]| cover::Cell {
        part,
        gap: gap(part, start, f64::INFINITY, iterations),
    };
    let mut memory = [cell([of_a[0], of_b[0]]); MAX_PAIRS];
    let mut cells = Cover::new(&mut memory);
    for k in 1..count_a * count_b {
        cells.push(cell([of_a[k / count_b], of_b[k % count_b]]));
    }
    for _ in 0..MAX_SPLITS {
        let Some((k, this)) = cells.lowest() else {
            break;
        };
        let lower = this.gap.lower;
        if best.upper - lower <= 0.9 * wanted.tolerance || lower > wanted.stop {
            break;
        }
        if let Some(common) = examine(a, b, &this, wanted, &mut best, iterations) {
            best.common = Some(common);
            return best;
        }
        if cells.is_full() {
            break;
        }
        let [part, other] = this.part;
        let parts = if a.coarseness(&part) >= b.shape.coarseness(&other) {
            a.halves(&part)
                .map(|halves| halves.map(|half| [half, other]))
        } else {
            let halves = b.shape.halves(&other);
            halves.map(|halves| halves.map(|half| [part, half]))
        };
        let Some(halves) = parts else {
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

/// Looks for a better upper bound at the witnesses of two parts, and returns a common point if there is one.
fn examine(
    a: &Superquadric,
    b: &Turned,
    cell: &cover::Cell<[Part; 2]>,
    wanted: &Wanted,
    best: &mut Bracket,
    iterations: &mut u32,
) -> Option<Vector3<f64>> {
    /// How often each point's nearest is taken.
    const TURNS: usize = 4;
    let [xa, xb] = cell.gap.witnesses;
    let mut x = a.pulled_in(&xa);
    let mut y = b.in_a(&b.shape.pulled_in(&b.in_b(&xb)));
    if a.pulled_in(&y) == y {
        return Some(y);
    }
    if b.shape.pulled_in(&b.in_b(&x)) == b.in_b(&x) {
        return Some(x);
    }
    let distance = (y - x).norm();
    if distance <= wanted.rounding && cell.gap.lower < -wanted.tolerance {
        return Some(y);
    }
    if distance >= best.upper {
        return None;
    }
    let mut take = |x: Vector3<f64>, y: Vector3<f64>| {
        let distance = (y - x).norm();
        let better = distance < best.upper;
        if better {
            best.upper = distance;
            best.witnesses = [x, y];
            best.normal = (y - x).try_normalize(0.0).unwrap_or(cell.gap.normal);
        }
        better
    };
    take(x, y);
    for _ in 0..TURNS {
        let found = a.face(a.parameters_of(&x), &|_| y, iterations);
        let outside = found.offset().dot(&found.normal) > 0.0;
        if !outside || !take(found.x, y) {
            break;
        }
        x = found.x;
        let local = b.in_b(&x);
        let parameters = b.shape.parameters_of(&b.in_b(&y));
        let found = b.shape.face(parameters, &|_| local, iterations);
        let outside = found.offset().dot(&found.normal) > 0.0;
        if !outside || !take(x, b.in_a(&found.x)) {
            break;
        }
        y = b.in_a(&found.x);
    }
    None
}
