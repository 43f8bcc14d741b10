//! A local penetration depth of overlapping convex bodies, by cutting planes in tangent planes of the sphere of
//! directions.
//!
//! The signed distance of overlapping bodies is the largest value over unit n of
//! `g(n) = n·c − h_A(n) − h_B(−n)`, now negative, and −g(n) is the depth along n. Over the sphere g
//! has several local maxima when the bodies overlap deeply; each is found by Newton where the
//! surfaces are smooth there, and by cutting planes in the plane tangent to the sphere where they
//! have faces.

use crate::narrowphase::convex_pair::ConvexPair;
use crate::narrowphase::convex_pair::Penetration;
use crate::narrowphase::gjk::gjk;
use crate::narrowphase::polygon::Polygon;
use crate::narrowphase::ray_exit;
use crate::narrowphase::simplex::{CsoPoint, Simplex};
use nalgebra::{Unit, Vector3};

/// Returns the local maximum of g that an ascent from the unit vector n reaches, where g(n) = `known`.
pub(crate) fn local_maximum<P: ConvexPair>(
    problem: &P,
    n: &Vector3<f64>,
    known: f64,
    iterations: &mut u32,
) -> Penetration {
    problem
        .sharpen(n, known, iterations)
        .unwrap_or_else(|| ascend(problem, n, iterations).0)
}

/// Maximises g by cutting planes: g is concave, so on the plane n0·q = 1 it has one maximum q, and with g < 0 the
/// unit vector q/|q| has a g at least as large. This is repeated until n0 itself is the maximum. The simplex holds
/// the CSO points, less g n, of which the witnesses are combinations.
pub(crate) fn ascend<P: ConvexPair>(
    problem: &P,
    n0: &Vector3<f64>,
    iterations: &mut u32,
) -> (Penetration, Simplex) {
    const ROUNDS: usize = 40;
    const FIRST_RADIUS: f64 = 0.7;
    let mut n = *n0;
    let mut gap = problem.support_pair(&n).gap;
    let mut radius = FIRST_RADIUS;
    let mut plane = TangentPlane::new(&n);
    for round in 0..ROUNDS {
        plane.recentre(&n);
        let found = plane.maximise(problem, radius, gap, iterations);
        let gained = found.gap - gap;
        let moved = (found.normal - n).norm();
        if gained > 0.0 {
            (n, gap) = (found.normal, found.gap);
        }
        if found.closed && gained <= RESOLVED * problem.tolerance() {
            break;
        }
        // Newton's method usually converges from a direction of the first rounds, or never.
        if (round == 0 || round % 2 == 1)
            && let Some(found) = problem.sharpen(&n, gap, iterations)
        {
            return (found, Simplex::new());
        }
        // A maximum that is still open after all queries is located to a millionth of the square at least: each cut
        // keeps less than 0.64 of its area.
        let shrunk = if found.settled { 0.3 } else { 1e-3 };
        radius = (4.0 * moved)
            .clamp(1e-12, FIRST_RADIUS)
            .max(shrunk * radius);
    }
    plane.penetration(problem, &n, gap)
}

/// Returns a direction whose g is more than `limit`, a negative number, if a few rounds of [`ascend`] from n0 find one.
pub(crate) fn rise_above<P: ConvexPair>(
    problem: &P,
    n0: &Vector3<f64>,
    limit: f64,
    iterations: &mut u32,
) -> Option<Vector3<f64>> {
    const ROUNDS: usize = 4;
    const RADIUS: f64 = 0.7;
    let mut n = *n0;
    let mut gap = problem.support_pair(&n).gap;
    let mut plane = TangentPlane::new(&n);
    plane.enough = limit;
    for _ in 0..ROUNDS {
        if gap > limit {
            return Some(n);
        }
        plane.recentre(&n);
        let found = plane.maximise(problem, RADIUS, gap, iterations);
        if found.gap <= gap {
            return None;
        }
        (n, gap) = (found.normal, found.gap);
    }
    (gap > limit).then_some(n)
}

/// The share of the tolerance to which g is maximised, so that the witnesses' own depth agrees with it to the
/// tolerance.
const RESOLVED: f64 = 0.1;
/// The number of queries of one maximisation on a tangent plane.
const QUERIES: usize = 64;

/// The maximum of g over a square of a tangent plane.
struct PlaneMaximum {
    /// The best unit direction met.
    normal: Vector3<f64>,
    /// The value of g there.
    gap: f64,
    /// Whether no direction of the square has a g larger by more than the share of the tolerance.
    closed: bool,
    /// Whether no direction of the square can gain more than a small share of what this plane has gained so far. The
    /// search then continues on the tangent plane at the best direction.
    settled: bool,
}

struct TangentPlane {
    normal: Vector3<f64>,
    axes: [Vector3<f64>; 2],
    /// The CSO points that were met, those of the last rounds among them.
    points: [CsoPoint; 2 * QUERIES],
    count: usize,
    /// The g above which no larger one is sought.
    enough: f64,
}

impl TangentPlane {
    fn new(n: &Vector3<f64>) -> Self {
        let none = CsoPoint {
            z: Vector3::zeros(),
            xa: Vector3::zeros(),
        };
        let axes = crate::surface::tangents(&Unit::new_unchecked(*n));
        TangentPlane {
            normal: *n,
            axes,
            points: [none; 2 * QUERIES],
            count: 0,
            enough: f64::INFINITY,
        }
    }

    /// Moves the plane to another unit normal; the last CSO points stay, as they hold for any plane.
    fn recentre(&mut self, n: &Vector3<f64>) {
        self.normal = *n;
        self.axes = crate::surface::tangents(&Unit::new_unchecked(*n));
        if self.count > QUERIES {
            self.points.copy_within(self.count - QUERIES..self.count, 0);
            self.count = QUERIES;
        }
    }

    /// Maximises g over the square of that radius. The gain over the `known` g limits the effort.
    fn maximise<P: ConvexPair>(
        &mut self,
        problem: &P,
        radius: f64,
        known: f64,
        iterations: &mut u32,
    ) -> PlaneMaximum {
        /// The share of the gain that may be left on this plane.
        const LEFT: f64 = 0.02;
        let [t, b] = self.axes;
        let mut polygon = Polygon::square(radius);
        let mut best = PlaneMaximum {
            normal: self.normal,
            gap: f64::NEG_INFINITY,
            closed: false,
            settled: false,
        };
        let mut best_on_plane = f64::NEG_INFINITY;
        let mut bound = f64::INFINITY;
        let mut at = [0.0, 0.0];
        for _ in 0..QUERIES {
            let q = self.normal + t * at[0] + b * at[1];
            let support = problem.support_pair(&q);
            *iterations += 1;
            let z = support.z();
            self.points[self.count] = CsoPoint { z, xa: support.xa };
            self.count += 1;
            let length = q.norm();
            if support.gap / length > best.gap {
                (best.normal, best.gap) = (q / length, support.gap / length);
            }
            if best.gap > self.enough {
                break;
            }
            best_on_plane = best_on_plane.max(support.gap);
            let (zt, zb, zn) = (z.dot(&t), z.dot(&b), z.dot(&self.normal));
            polygon.clip(zt, zb, zn - best_on_plane);
            if polygon.is_collapsed() {
                (best.closed, best.settled) = (true, true);
                break;
            }
            // g ≤ z·q: the largest value of this over the polygon bounds what is left to gain.
            let largest = polygon
                .vertices()
                .iter()
                .map(|v| zt * v[0] + zb * v[1] + zn);
            bound = largest.fold(f64::NEG_INFINITY, f64::max).min(bound);
            let (centroid, area) = polygon.centroid();
            let left = bound - best_on_plane;
            best.closed = left <= RESOLVED * problem.tolerance();
            best.settled = best.closed || left <= LEFT * (best.gap - known);
            if best.settled || area == 0.0 {
                break;
            }
            at = centroid;
        }
        best
    }

    /// Returns the witnesses of the penetration along n: of all combinations of the support points met, the one whose
    /// difference is nearest to g n, each moved along n to its body's surface.
    fn penetration<P: ConvexPair>(
        &self,
        problem: &P,
        n: &Vector3<f64>,
        gap: f64,
    ) -> (Penetration, Simplex) {
        let aim = n * gap;
        let mut simplex = Simplex::new();
        let points = &self.points[..self.count];
        gjk(&mut simplex, 60, |simplex| {
            let v = simplex.nearest();
            let against = |p: &&CsoPoint| {
                if v.x.is_finite() {
                    (p.z - aim).dot(&v)
                } else {
                    (p.z - aim).norm_squared()
                }
            };
            let p = points
                .iter()
                .min_by(|p, q| against(p).total_cmp(&against(q)))?;
            Some(CsoPoint {
                z: p.z - aim,
                xa: p.xa,
            })
        });
        let [xa, shifted] = simplex.witnesses();
        let mut witnesses = onto_surfaces(problem, n, [xa, shifted + aim]);
        if (witnesses[1] - witnesses[0]).dot(n) - gap > 0.5 * problem.tolerance() {
            witnesses = slide(problem, n, witnesses);
        }
        let [xa, xb] = witnesses;
        let penetration = Penetration {
            normal: *n,
            gap,
            xa,
            xb,
        };
        (penetration, simplex)
    }
}

/// Slides witnesses over nearly flat faces to where the bodies overlap deepest along n.
///
/// On the line through a tangential offset y A ends at s_A(y) and B begins at s_B(y); `s_B − s_A` is convex in y, its
/// least value is g(n), and its gradient follows from the normals N there, as `∂s/∂y = −(N·t, N·b)/(N·n)`. Cutting
/// planes at the centre of gravity find the least value, as for the normal.
fn slide<P: ConvexPair>(
    problem: &P,
    n: &Vector3<f64>,
    witnesses: [Vector3<f64>; 2],
) -> [Vector3<f64>; 2] {
    const STEPS: usize = 80;
    const RADIUS: f64 = 0.5;
    let [t, b] = crate::surface::tangents(&Unit::new_unchecked(*n));
    let mut polygon = Polygon::square(RADIUS);
    let mut best = ((witnesses[1] - witnesses[0]).dot(n), witnesses, [0.0, 0.0]);
    let slope = |normal: Vector3<f64>| [t, b].map(|axis| -normal.dot(&axis) / normal.dot(n));
    let mut at = [0.0, 0.0];
    for _ in 0..STEPS {
        let offset = t * at[0] + b * at[1];
        let [xa, xb] = onto_surfaces(problem, n, witnesses.map(|x| x + offset));
        let length = (xb - xa).dot(n);
        let on_surfaces = problem.gauge_a(&xa) <= 1.0 && problem.gauge_b(&xb) <= 1.0;
        if on_surfaces && length < best.0 {
            best = (length, [xa, xb], at);
        }
        let uphill = if on_surfaces {
            let normals = problem.outward_normals(&xa, &xb, n);
            let [da, db] = normals.unwrap_or([*n, -n]).map(slope);
            [db[0] - da[0], db[1] - da[1]]
        } else {
            // The point lies off one of the bodies, so the search returns towards the best point.
            [at[0] - best.2[0], at[1] - best.2[1]]
        };
        polygon.clip(
            -uphill[0],
            -uphill[1],
            uphill[0] * at[0] + uphill[1] * at[1],
        );
        if polygon.is_collapsed() {
            break;
        }
        at = polygon.centroid().0;
    }
    best.1
}

/// Moves witnesses that lie inside their bodies (as a combination of the points of a curved face does) onto the
/// surfaces: A's along n, B's along −n.
pub(crate) fn onto_surfaces<P: ConvexPair>(
    problem: &P,
    n: &Vector3<f64>,
    [xa, xb]: [Vector3<f64>; 2],
) -> [Vector3<f64>; 2] {
    let sa = ray_exit::exit(|s| problem.gauge_a(&(xa + n * s)), problem.tolerance());
    let sb = ray_exit::exit(|s| problem.gauge_b(&(xb - n * s)), problem.tolerance());
    [xa + n * sa.unwrap_or(0.0), xb - n * sb.unwrap_or(0.0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrowphase::test_bodies::{TOLERANCE, overlapping};

    #[test]
    fn the_ascent_from_near_the_least_depth_leads_to_it() {
        let starts = [
            [1.0, 0.1, 0.0],
            [0.1, 0.2, -0.2],
            [0.2, 1.0, 0.1],
            [0.1, 0.1, 1.0],
            [0.1, 1.0, -0.1],
        ];
        for (k, ((pair, depth), start)) in overlapping().iter().zip(starts).enumerate() {
            let n = Vector3::from(start).normalize();
            let (found, _) = ascend(pair, &n, &mut 0);
            assert!(
                (found.gap + depth).abs() < 10.0 * TOLERANCE,
                "{k}: {} {depth}",
                found.gap
            );
            let along = (found.xb - found.xa).dot(&found.normal);
            assert!(
                (along - found.gap).abs() < 1e-6,
                "{k}: {along} {}",
                found.gap
            );
        }
    }
}
