//! Least penetration depth of overlapping convex bodies, from local solutions.
//!
//! The signed distance of overlapping bodies is the largest value over unit n of
//! `g(n) = n·c − h_A(n) − h_B(−n)`, now negative, and −g(n) is the depth along n. Over the sphere g
//! has several local maxima when the bodies overlap deeply; each is found by Newton where the
//! surfaces are smooth there, and by cutting planes in the plane tangent to the sphere where they
//! have faces.

use crate::pair::line;
use crate::pair::localiser::face_axes;
use crate::pair::newton::{self, Start};
use crate::pair::polygon::Polygon;
use crate::pair::problem::{Probe, Problem};
use crate::pair::simplex::{Difference, Simplex};
use nalgebra::{Unit, Vector3};

/// A penetration along a unit normal.
#[derive(Clone, Copy)]
pub(crate) struct Penetration {
    pub normal: Vector3<f64>,
    /// g(normal): the signed distance is at least this.
    pub gap: f64,
    pub xa: Vector3<f64>,
    pub xb: Vector3<f64>,
}

/// Best directions that are refined.
const REFINED: usize = 4;
/// Directions closer than this (cosine) to a refined one are taken to lead to the same maximum.
const SAME: f64 = 0.98;

/// Whether a depth found from the centre line is the least without trying other starts.
///
/// Along a unit m at an angle φ from the centre line the depth is at least `r − |c| cos φ`, r the sum
/// of inner radii: a smaller depth than δ needs `cos φ > (r − δ)/|c|`. When that cone is narrow the
/// maximum found from its axis is the only one in practice.
pub(crate) fn is_shallow(problem: &Problem, depth: f64) -> bool {
    const NARROW: f64 = 0.7; // cos 45.6°
    let inner = problem.a.inner_radius + problem.b.inner_radius;
    inner - depth > NARROW * problem.center.norm()
}

/// The best of `found` and the local maxima from many starts.
#[inline(never)]
pub(crate) fn best_of_many(
    problem: &Problem,
    found: Penetration,
    iterations: &mut u32,
) -> Penetration {
    let mut starts = candidates(problem);
    let starts = starts.sorted();
    let mut best = found;
    let mut refined: [Vector3<f64>; REFINED + 1] = [found.normal; REFINED + 1];
    let mut count = 1;
    for (_, n) in starts {
        if refined[..count].iter().any(|m| m.dot(n) > SAME) {
            continue;
        }
        refined[count] = *n;
        count += 1;
        let local = if problem.both_convex() {
            Some(local_maximum(problem, n, iterations))
        } else {
            newton_maximum(problem, n, iterations)
        };
        if let Some(local) = local.filter(|local| local.gap > best.gap) {
            best = local;
        }
        if count > REFINED {
            break;
        }
    }
    best
}

/// Directions with their g.
struct Candidates {
    list: [(f64, Vector3<f64>); 64],
    count: usize,
}

impl Candidates {
    fn sorted(&mut self) -> &[(f64, Vector3<f64>)] {
        self.list[..self.count].sort_unstable_by(|p, q| q.0.total_cmp(&p.0));
        &self.list[..self.count]
    }
}

/// The centre line, the axes of both bodies, their cross products (edge against edge) and the
/// diagonals of their semi-axes' reciprocals (corners), each with both signs.
fn candidates(problem: &Problem) -> Candidates {
    let mut out = Candidates {
        list: [(f64::NEG_INFINITY, Vector3::z()); 64],
        count: 0,
    };
    let symmetric = !problem.a.is_tapered() && !problem.b.is_tapered();
    let mut offer = |n: Vector3<f64>| {
        let Some(n) = n.try_normalize(1e-6) else {
            return;
        };
        // Without tapers g(n) − n·c is even: the sign along the centre line is the better one.
        let first = if n.dot(&problem.center) < 0.0 { -n } else { n };
        let signs = if symmetric { &[1.0][..] } else { &[1.0, -1.0] };
        for sign in signs {
            let n = first * *sign;
            out.list[out.count] = (problem.probe(&n).gap, n);
            out.count += 1;
        }
    };
    let axes = face_axes(problem);
    offer(problem.center);
    for axis in axes {
        offer(axis);
    }
    for i in 0..3 {
        for j in 3..6 {
            offer(axes[i].cross(&axes[j]));
        }
    }
    for corner in 0..4 {
        let (x, y) = (
            if corner & 1 == 0 { 1.0 } else { -1.0 },
            if corner & 2 == 0 { 1.0 } else { -1.0 },
        );
        let diagonal = |a: [f64; 3]| Vector3::new(x / a[0], y / a[1], 1.0 / a[2]).normalize();
        offer(diagonal(problem.a.a));
        offer(problem.rotation * diagonal(problem.b.a));
    }
    out
}

/// The local maximum of g that the direction n (unit) leads to.
pub(crate) fn local_maximum(
    problem: &Problem,
    n: &Vector3<f64>,
    iterations: &mut u32,
) -> Penetration {
    newton_maximum(problem, n, iterations).unwrap_or_else(|| ascend(problem, n, iterations))
}

/// By Newton, if it ends at least as high as it began. Of non-convex bodies, whose witnesses need not
/// be support points, a common point is asked for instead.
pub(crate) fn newton_maximum(
    problem: &Problem,
    n: &Vector3<f64>,
    iterations: &mut u32,
) -> Option<Penetration> {
    const MOST_STEPS: u32 = 15;
    let (probe, ca, cb) = problem.probe_circles(n);
    let start = Start::Direction(*n, &ca, &cb);
    let s = newton::solve(problem, start, MOST_STEPS, iterations)?;
    let gap = problem.probe(&s.normal).gap;
    let along = (s.xb - s.xa).dot(&s.normal);
    let proven = if problem.both_convex() {
        (along - gap).abs() <= problem.tolerance
    } else {
        along < 0.0 && problem.share_a_point(&s.xa, &s.xb)
    };
    let stationary = s.on_surface && s.mismatch < 1e-8 && proven;
    (stationary && gap >= probe.gap - problem.tolerance).then_some(Penetration {
        normal: s.normal,
        gap,
        xa: s.xa,
        xb: s.xb,
    })
}

/// By cutting planes: g is concave, so on the plane n0·q = 1 it has one maximum q, and with g < 0
/// the unit vector q/|q| has a g at least as large. Repeated until n0 itself is the maximum.
fn ascend(problem: &Problem, n0: &Vector3<f64>, iterations: &mut u32) -> Penetration {
    const ROUNDS: usize = 40;
    const FIRST_RADIUS: f64 = 0.7;
    let mut n = *n0;
    let mut gap = problem.probe(&n).gap;
    let mut radius = FIRST_RADIUS;
    let mut plane = TangentPlane::new(&n);
    for round in 0..ROUNDS {
        plane = TangentPlane::new(&n);
        let (better, better_gap) = plane.maximise(problem, radius, iterations);
        let gained = better_gap - gap;
        let moved = (better - n).norm();
        if gained > 0.0 {
            (n, gap) = (better, better_gap);
        }
        if gained <= 0.3 * problem.tolerance {
            break;
        }
        if round % 4 == 1
            && let Some(found) = newton_maximum(problem, &n, iterations)
        {
            return found;
        }
        radius = (4.0 * moved).clamp(1e-9, FIRST_RADIUS).max(0.3 * radius);
    }
    plane.penetration(problem, &n, gap)
}

/// Queries of one maximisation on a tangent plane.
const QUERIES: usize = 64;

struct TangentPlane {
    normal: Vector3<f64>,
    axes: [Vector3<f64>; 2],
    points: [Difference; QUERIES],
    count: usize,
}

impl TangentPlane {
    fn new(n: &Vector3<f64>) -> Self {
        let none = Difference {
            z: Vector3::zeros(),
            xa: Vector3::zeros(),
        };
        let axes = crate::surface::tangents(&Unit::new_unchecked(*n));
        TangentPlane {
            normal: *n,
            axes,
            points: [none; QUERIES],
            count: 0,
        }
    }

    /// The best unit direction met while maximising g within a square of the plane, with its g.
    fn maximise(
        &mut self,
        problem: &Problem,
        radius: f64,
        iterations: &mut u32,
    ) -> (Vector3<f64>, f64) {
        let [t, b] = self.axes;
        let mut polygon = Polygon::square(radius);
        let mut best = (self.normal, f64::NEG_INFINITY);
        let mut best_on_plane = f64::NEG_INFINITY;
        let mut bound = f64::INFINITY;
        let mut at = [0.0, 0.0];
        while self.count < QUERIES {
            let q = self.normal + t * at[0] + b * at[1];
            let probe = problem.probe(&q);
            *iterations += 1;
            let z = probe.z();
            self.points[self.count] = Difference { z, xa: probe.xa };
            self.count += 1;
            let length = q.norm();
            if probe.gap / length > best.1 {
                best = (q / length, probe.gap / length);
            }
            best_on_plane = best_on_plane.max(probe.gap);
            let (zt, zb, zn) = (z.dot(&t), z.dot(&b), z.dot(&self.normal));
            polygon.clip(zt, zb, zn - best_on_plane);
            if polygon.is_collapsed() {
                break;
            }
            // g ≤ z·q: the largest value of this over the polygon bounds what is left to gain.
            let largest = polygon
                .vertices()
                .iter()
                .map(|v| zt * v[0] + zb * v[1] + zn);
            bound = largest.fold(f64::NEG_INFINITY, f64::max).min(bound);
            let (centroid, area) = polygon.centroid();
            if bound - best_on_plane <= 0.3 * problem.tolerance || area == 0.0 {
                break;
            }
            at = centroid;
        }
        best
    }

    /// Witnesses of the penetration along n: of all combinations of the support points met, the
    /// one whose difference is nearest to g n, each moved along n to its body's surface.
    fn penetration(&self, problem: &Problem, n: &Vector3<f64>, gap: f64) -> Penetration {
        let aim = n * gap;
        let mut simplex = Simplex::new();
        let points = &self.points[..self.count];
        for _ in 0..60 {
            let v = simplex.nearest();
            let against = |p: &&Difference| {
                if v.x.is_finite() {
                    (p.z - aim).dot(&v)
                } else {
                    (p.z - aim).norm_squared()
                }
            };
            let Some(p) = points
                .iter()
                .min_by(|p, q| against(p).total_cmp(&against(q)))
            else {
                break;
            };
            if !simplex.add(Difference {
                z: p.z - aim,
                xa: p.xa,
            }) || simplex.encloses_origin
            {
                break;
            }
        }
        let [xa, shifted] = simplex.witnesses();
        let xb = shifted + aim;
        let middle = 0.5 * (xa + xb);
        along_normal(problem, n, &middle).map_or_else(
            || {
                let Probe { xa, xb, .. } = problem.probe(n);
                Penetration {
                    normal: *n,
                    gap,
                    xa,
                    xb,
                }
            },
            |[xa, xb]| Penetration {
                normal: *n,
                gap,
                xa,
                xb,
            },
        )
    }
}

/// A's exit along n and B's along −n on the line through a common point.
pub(crate) fn along_normal(
    problem: &Problem,
    n: &Vector3<f64>,
    x: &Vector3<f64>,
) -> Option<[Vector3<f64>; 2]> {
    let sa = line::exit(|s| problem.gauge_a(&(x + n * s)), problem.tolerance)?;
    let sb = line::exit(|s| problem.gauge_b(&(x - n * s)), problem.tolerance)?;
    Some([x + n * sa, x - n * sb])
}
