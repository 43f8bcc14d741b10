//! The distance of convex bodies by cutting planes on the normal (Levin 1965, Newman 1965), which cannot fail.
//!
//! `g(n) = n·c − h_A(n) − h_B(−n)` is concave, and positively homogeneous, so where the bodies are
//! apart the distance is its largest value over unit n and everything is decided in the chart
//! `q = n0 + x t + y b` about the centre line n0. Directions with g > 0 satisfy
//! `n·c > r`, r the sum of inner radii: they lie in a known square.
//!
//! A query at unit n gives support points with `z = x_B − x_A` and `g(n) = z·n`. From z follow
//!
//! - a lower bound of the distance, `γ = max(g, 0)` over all queries;
//! - an upper bound, |v|, v the point nearest to the origin of the hull of the z (they belong to
//!   the Minkowski difference B − A);
//! - a cut: `g(q) ≤ z·q`, so a direction that beats γ has `(z − γ n)·q ≥ 0`.
//!
//! The polygon left by the cuts shrinks by a constant factor with each query at its centre of
//! gravity, however badly conditioned the pair is (Levin 1965, Newman 1965). Queries alternate
//! between it and v/|v|, GJK's choice, which converges fast on round bodies.

use crate::narrowphase::convex_pair::{ConvexPair, SupportPair};
use crate::narrowphase::gjk::gjk;
use crate::narrowphase::polygon::Polygon;
use crate::narrowphase::ray_exit;
use crate::narrowphase::simplex::{CsoPoint, Simplex};
use crate::query::units::center_line;
use nalgebra::{Unit, Vector3};

/// The bounds of a pair when the cutting planes stop.
pub(crate) struct CuttingPlanesResult {
    /// A lower bound of the distance.
    pub lower: f64,
    /// The unit normal that proves the lower bound.
    pub normal: Vector3<f64>,
    /// An upper bound of the distance (the length of the witnesses' difference).
    pub upper: f64,
    pub witnesses: [Vector3<f64>; 2],
    /// The simplex of which the witnesses are a combination, unless faces had to be closed.
    pub simplex: Simplex,
    /// Whether a point of both bodies was found.
    pub overlap: bool,
}

/// The number of queries after which the search gives up. The worst of millions of pairs needed a quarter of it.
const MAX_QUERIES: usize = 160;
/// The number of queries without progress after which v is minimised again over all z.
const STALLED: usize = 8;
/// The number of steps of that minimisation.
const MINIMISATIONS: usize = 60;

struct CuttingPlanes<'a, P> {
    problem: &'a P,
    points: [CsoPoint; MAX_QUERIES],
    queries: usize,
    simplex: Simplex,
    lower: f64,
    normal: Vector3<f64>,
}

/// Runs the cutting planes, starting with the direction `hint`; stops early when the distance is
/// proven to exceed `stop`.
#[inline(never)]
pub(crate) fn solve<P: ConvexPair>(
    problem: &P,
    hint: Option<Vector3<f64>>,
    stop: f64,
    queries: &mut u32,
) -> CuttingPlanesResult {
    let c = problem.center();
    let distance = c.norm();
    let [inner_a, inner_b] = problem.inner_radii();
    let inner = inner_a + inner_b;
    if distance <= inner {
        return inner_balls_meet(problem);
    }
    let n0 = c / distance;
    let [t, b] = crate::surface::tangents(&Unit::new_unchecked(n0));
    let ratio = distance / inner;
    let mut polygon = Polygon::square(((ratio - 1.0) * (ratio + 1.0)).sqrt() * 1.000_001 + 1e-9);
    let mut search = CuttingPlanes::new(problem, n0);
    let mut direction = hint.filter(|n| n.dot(&n0) > 1e-12).unwrap_or(n0);
    let mut progress = (f64::INFINITY, f64::NEG_INFINITY);
    let mut stalled = 0;
    let mut use_nearest = true;
    loop {
        let (n, z) = search.query(&direction);
        let beyond = search.lower - problem.rounding() > stop;
        if beyond || search.is_closed() || search.queries == MAX_QUERIES {
            break;
        }
        let cut = z - n * search.lower.max(0.0);
        polygon.clip(cut.dot(&t), cut.dot(&b), cut.dot(&n0));
        if polygon.is_collapsed() {
            search.minimise();
            search.descend();
            break;
        }
        let (centroid, area) = polygon.centroid();
        let (upper, lower) = (search.upper(), search.lower);
        let least = 0.1 * problem.tolerance();
        if upper < progress.0 - least || lower > progress.1 + least {
            progress = (upper, lower);
            stalled = 0;
        } else {
            stalled += 1;
        }
        if stalled > 0 && stalled % STALLED == 0 {
            search.minimise();
            if search.is_closed() {
                break;
            }
        }
        if area == 0.0 && stalled >= STALLED / 2 {
            search.minimise();
            break;
        }
        direction = n0 + t * centroid[0] + b * centroid[1];
        if use_nearest {
            let v = search.simplex.nearest();
            let k = v.dot(&n0);
            if k > 1e-14 * upper && polygon.contains(v.dot(&t) / k, v.dot(&b) / k) {
                direction = v;
            }
        }
        use_nearest = !use_nearest;
    }
    *queries += search.queries as u32;
    search.conclude()
}

impl<'a, P: ConvexPair> CuttingPlanes<'a, P> {
    fn new(problem: &'a P, n0: Vector3<f64>) -> Self {
        let none = CsoPoint {
            z: Vector3::zeros(),
            xa: Vector3::zeros(),
        };
        CuttingPlanes {
            problem,
            points: [none; MAX_QUERIES],
            queries: 0,
            simplex: Simplex::new(),
            lower: f64::NEG_INFINITY,
            normal: n0,
        }
    }

    /// Queries the support points along `direction`; returns the unit direction and z.
    fn query(&mut self, direction: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
        let n = direction.normalize();
        let support = self.problem.support_pair(&n);
        let point = CsoPoint::of(&support);
        self.points[self.queries] = point;
        self.queries += 1;
        if support.gap > self.lower {
            self.lower = support.gap;
            self.normal = n;
        }
        self.simplex.add(point);
        (n, point.z)
    }

    fn upper(&self) -> f64 {
        self.simplex.nearest().norm()
    }

    fn is_closed(&self) -> bool {
        self.simplex.encloses_origin || self.upper() - self.lower <= self.problem.tolerance()
    }

    /// Moves to the nearest point of the hull of all z: adds the one that lies farthest against v until none helps.
    fn minimise(&mut self) {
        let points = &self.points[..self.queries];
        gjk(&mut self.simplex, MINIMISATIONS, |simplex| {
            let v = simplex.nearest();
            let against = |p: &&CsoPoint| p.z.dot(&v);
            let farthest = points
                .iter()
                .min_by(|p, q| against(p).total_cmp(&against(q)));
            farthest.copied()
        });
    }

    /// Runs GJK from the points that are known. After the polygon has collapsed no direction is better than the best
    /// one by more than rounding; this finds the points that prove it: a common one, of bodies that overlap or touch,
    /// or the nearest.
    fn descend(&mut self) {
        while !self.is_closed() && self.queries < MAX_QUERIES {
            let before = self.upper();
            let v = self.simplex.nearest();
            self.query(&v);
            if self.upper() >= before && !self.simplex.encloses_origin {
                return;
            }
        }
    }

    fn conclude(mut self) -> CuttingPlanesResult {
        let [xa, xb] = self.simplex.witnesses();
        if self.simplex.encloses_origin {
            let point = xa;
            return CuttingPlanesResult {
                lower: self.lower,
                normal: self.normal,
                upper: 0.0,
                witnesses: [point; 2],
                simplex: self.simplex,
                overlap: true,
            };
        }
        let mut result = CuttingPlanesResult {
            lower: self.lower,
            normal: self.normal,
            upper: (xb - xa).norm(),
            witnesses: [xa, xb],
            simplex: self.simplex,
            overlap: false,
        };
        if result.upper - result.lower > self.problem.tolerance() {
            self.close_on_faces(&mut result);
        }
        result
    }

    /// Closes the bracket between parallel faces: the polygon has collapsed onto the face's normal, but the support
    /// points jump over the whole face and their hull may miss the overlap of the faces. Going along the normal from
    /// the witnesses finds it; a normal within 1e-9 of a face axis is that axis.
    fn close_on_faces(&mut self, result: &mut CuttingPlanesResult) {
        let problem = self.problem;
        let witnesses = result.witnesses;
        let mut normals = [result.normal; 7];
        let mut count = 1;
        for axis in problem.face_axes() {
            let axis = if axis.dot(&result.normal) < 0.0 {
                -axis
            } else {
                axis
            };
            if axis.dot(&result.normal) > 1.0 - 1e-9 {
                normals[count] = axis;
                count += 1;
            }
        }
        for n in &normals[..count] {
            let support = problem.support_pair(n);
            if support.gap > result.lower {
                (result.lower, result.normal) = (support.gap, *n);
            }
            for [xa, xb] in [witnesses, [support.xa, support.xb]] {
                let starts = [xa, xb, 0.5 * (xa + xb)];
                if let Some(found) = starts.iter().find_map(|x| shorten(problem, n, x, result)) {
                    (result.upper, result.witnesses, result.overlap) = found;
                }
                if result.overlap || result.upper - result.lower <= problem.tolerance() {
                    return;
                }
            }
        }
    }
}

type Shortened = (f64, [Vector3<f64>; 2], bool);

/// Returns the stretch along n between A's exit and B's entry on the line through x, if it is shorter than what is
/// known, or a common point, if there is one.
fn shorten<P: ConvexPair>(
    problem: &P,
    n: &Vector3<f64>,
    x: &Vector3<f64>,
    known: &CuttingPlanesResult,
) -> Option<Shortened> {
    let [from_a, from_b] = known.witnesses.map(|w| n.dot(&(w - x)));
    let exit_a = ray_exit::exit(
        |s| problem.gauge_a(&(x + n * (from_a + s))),
        problem.tolerance(),
    )?;
    let exit_b = ray_exit::exit(
        |s| problem.gauge_b(&(x + n * (from_b - s))),
        problem.tolerance(),
    )?;
    let (sa, sb) = (from_a + exit_a, from_b - exit_b);
    let length = sb - sa;
    if length <= 0.0 {
        let common = x + n * (0.5 * (sa + sb));
        return Some((0.0, [common; 2], true));
    }
    (length < known.upper).then(|| (length, [x + n * sa, x + n * sb], false))
}

/// Returns the result for bodies whose inner spheres meet: a point between the centres, divided as the radii, is in
/// both.
fn inner_balls_meet<P: ConvexPair>(problem: &P) -> CuttingPlanesResult {
    let c = problem.center();
    let [inner_a, inner_b] = problem.inner_radii();
    let inner = inner_a + inner_b;
    let common = c * (inner_a / inner);
    let normal = center_line(c);
    let SupportPair { gap, .. } = problem.support_pair(&normal);
    CuttingPlanesResult {
        lower: gap,
        normal,
        upper: 0.0,
        witnesses: [common; 2],
        simplex: Simplex::new(),
        overlap: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrowphase::test_bodies::{TOLERANCE, apart, overlapping};

    #[test]
    fn distances_of_balls_and_boxes_are_closed_to_the_tolerance() {
        for (k, (pair, distance)) in apart().iter().enumerate() {
            let found = solve(pair, None, f64::INFINITY, &mut 0);
            assert!(!found.overlap, "{k}");
            assert!(
                found.lower <= distance + 1e-12 && *distance <= found.upper + 1e-12,
                "{k}"
            );
            assert!(
                found.upper - found.lower <= 1.01 * TOLERANCE,
                "{k}: {} {}",
                found.lower,
                found.upper
            );
            let [xa, xb] = found.witnesses;
            assert!(
                pair.gauge_a(&xa) < 1.0 + 1e-9 && pair.gauge_b(&xb) < 1.0 + 1e-9,
                "{k}"
            );
        }
    }

    #[test]
    fn overlapping_balls_and_boxes_have_a_common_point() {
        for (k, (pair, _)) in overlapping().iter().enumerate() {
            let found = solve(pair, None, f64::INFINITY, &mut 0);
            assert!(found.overlap, "{k}");
            let [xa, xb] = found.witnesses;
            let middle = 0.5 * (xa + xb);
            assert!(
                pair.gauge_a(&middle) < 1.0 + 1e-9 && pair.gauge_b(&middle) < 1.0 + 1e-9,
                "{k}"
            );
        }
    }
}
