//! Least penetration depth of overlapping convex bodies, from local solutions.
//!
//! The signed distance of overlapping bodies is the largest value over unit n of
//! `g(n) = n·c − h_A(n) − h_B(−n)`, now negative, and −g(n) is the depth along n. Over the sphere g
//! has several local maxima when the bodies overlap deeply; each is found by Newton where the
//! surfaces are smooth there, and by cutting planes in the plane tangent to the sphere where they
//! have faces.

use crate::Superovoid;
use crate::pair::DepthMode;
use crate::pair::line;
use crate::pair::newton::{self, ALIGNED, Start};
use crate::pair::polygon::Polygon;
use crate::pair::problem::{ConvexPair, Probe, Problem};
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

impl Penetration {
    /// Along any unit normal, by the support points there.
    pub fn along<P: ConvexPair>(problem: &P, normal: &Vector3<f64>) -> Self {
        Penetration::of_probe(normal, &problem.probe(normal))
    }

    pub fn of_probe(normal: &Vector3<f64>, probe: &Probe) -> Self {
        Penetration {
            normal: *normal,
            gap: probe.gap,
            xa: probe.xa,
            xb: probe.xb,
        }
    }
}

/// Whether a depth found from the centre line is taken for the least without a search, if a fast depth is
/// asked for.
///
/// Along a unit m at an angle φ from the centre line the depth is at least `r − |c| cos φ`, r the sum
/// of inner radii: a smaller depth than δ needs `cos φ > (r − δ)/|c|`. When δ is small and that cone
/// narrow, the surfaces meet in a small lens across the centre line, and the maximum found from its
/// axis has been the only one in every pair tried. Deeper down, between pointed bodies, whose faces
/// lie closer, and between square ones, several maxima can lie in any cone.
///
/// `inner` and `apart` are r and |c|, in the unit of `depth`.
pub(crate) fn is_least(
    mode: DepthMode,
    a: &Superovoid,
    b: &Superovoid,
    inner: f64,
    apart: f64,
    depth: f64,
) -> bool {
    const SHALLOW: f64 = 0.2;
    const NARROW: f64 = 0.6; // cos 53°
    const POINTED: f64 = 1.25;
    // Boxes of e in [0.02, 0.2] have had a lesser depth beside one of 0.09 of their radii.
    const SQUARE: f64 = 0.25;
    const SHALLOW_BETWEEN_SQUARES: f64 = 0.07;
    let exponents = [a.e[0], a.e[1], b.e[0], b.e[1]];
    let pointed = exponents.iter().any(|&e| e > POINTED);
    let shallow = if exponents.iter().any(|&e| e < SQUARE) {
        SHALLOW_BETWEEN_SQUARES
    } else {
        SHALLOW
    };
    mode == DepthMode::Fast && !pointed && depth < shallow * inner && inner - depth > NARROW * apart
}

/// The local maximum of g that the direction n (unit) leads to, where g(n) = `known`.
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

/// By Newton from n, if it ends where g is at least as large as the one `known`, that of n. Of non-convex
/// bodies, whose witnesses need not be support points, a common point is asked for instead.
///
/// As `g(m) ≤ z·m` for the difference z of any two points of the bodies, a few steps tell whether they
/// lead uphill: where they do not, Newton's method would wander about, or end at a saddle.
pub(crate) fn newton_maximum(
    problem: &Problem,
    n: &Vector3<f64>,
    known: f64,
    iterations: &mut u32,
) -> Option<Penetration> {
    const FIRST_STEPS: u32 = 3;
    const MOST_STEPS: u32 = 10;
    let start = Start::Direction(*n, problem.support_states(n));
    let s = newton::solve(problem, start, FIRST_STEPS, iterations)?;
    let least = known - problem.tolerance();
    if s.d.dot(&s.normal) < least {
        return None;
    }
    let start = Start::Direction(s.normal, s.states);
    let s = newton::solve(problem, start, MOST_STEPS - FIRST_STEPS, iterations)?;
    let along = s.d.dot(&s.normal);
    let stationary = s.on_surface && s.mismatch < 1e-8 && s.offset() <= ALIGNED;
    if !stationary || along < least {
        return None;
    }
    let gap = problem.gap_of(&s);
    let proven = if problem.both_convex() {
        (along - gap).abs() <= 0.5 * problem.tolerance()
    } else {
        along < 0.0 && problem.share_a_point(&s.xa, &s.xb())
    };
    (proven && gap >= least).then_some(Penetration {
        normal: s.normal,
        gap,
        xa: s.xa,
        xb: s.xb(),
    })
}

/// By cutting planes: g is concave, so on the plane n0·q = 1 it has one maximum q, and with g < 0
/// the unit vector q/|q| has a g at least as large. Repeated until n0 itself is the maximum. The
/// simplex holds the differences, less g n, that the witnesses were combined from.
pub(crate) fn ascend<P: ConvexPair>(
    problem: &P,
    n0: &Vector3<f64>,
    iterations: &mut u32,
) -> (Penetration, Simplex) {
    const ROUNDS: usize = 40;
    const FIRST_RADIUS: f64 = 0.7;
    let mut n = *n0;
    let mut gap = problem.probe(&n).gap;
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
        // The first rounds lead into Newton's reach, if anything does.
        if (round == 0 || round % 2 == 1)
            && let Some(found) = problem.sharpen(&n, gap, iterations)
        {
            return (found, Simplex::new());
        }
        // An open maximum of many queries is located to a millionth of the square at least: the cuts
        // keep less than 0.64 of its area each.
        let shrunk = if found.settled { 0.3 } else { 1e-3 };
        radius = (4.0 * moved)
            .clamp(1e-12, FIRST_RADIUS)
            .max(shrunk * radius);
    }
    plane.penetration(problem, &n, gap)
}

/// Share of the tolerance to which g is maximised, so that the witnesses' own depth agrees with it to
/// the tolerance.
const RESOLVED: f64 = 0.1;
/// Queries of one maximisation on a tangent plane.
const QUERIES: usize = 64;

/// The maximum of g over a square of a tangent plane.
struct PlaneMaximum {
    /// The best unit direction met…
    normal: Vector3<f64>,
    /// …and its g.
    gap: f64,
    /// No direction of the square has a g larger by more than the share of the tolerance.
    closed: bool,
    /// No direction has one larger by much more than what was gained: the next plane is the better
    /// place to go on.
    settled: bool,
}

struct TangentPlane {
    normal: Vector3<f64>,
    axes: [Vector3<f64>; 2],
    /// Differences met, those of the last rounds among them.
    points: [Difference; 2 * QUERIES],
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
            points: [none; 2 * QUERIES],
            count: 0,
        }
    }

    /// The plane about another unit normal; the last differences stay, as they hold for any plane.
    fn recentre(&mut self, n: &Vector3<f64>) {
        self.normal = *n;
        self.axes = crate::surface::tangents(&Unit::new_unchecked(*n));
        if self.count > QUERIES {
            self.points.copy_within(self.count - QUERIES..self.count, 0);
            self.count = QUERIES;
        }
    }

    /// Over the square of that radius. What is gained over the `known` g is the measure of how well the
    /// maximum is worth knowing.
    fn maximise<P: ConvexPair>(
        &mut self,
        problem: &P,
        radius: f64,
        known: f64,
        iterations: &mut u32,
    ) -> PlaneMaximum {
        /// Share of the gain that may be left on this plane.
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
            let probe = problem.probe(&q);
            *iterations += 1;
            let z = probe.z();
            self.points[self.count] = Difference { z, xa: probe.xa };
            self.count += 1;
            let length = q.norm();
            if probe.gap / length > best.gap {
                (best.normal, best.gap) = (q / length, probe.gap / length);
            }
            best_on_plane = best_on_plane.max(probe.gap);
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

    /// Witnesses of the penetration along n: of all combinations of the support points met, the
    /// one whose difference is nearest to g n, each moved along n to its body's surface.
    fn penetration<P: ConvexPair>(
        &self,
        problem: &P,
        n: &Vector3<f64>,
        gap: f64,
    ) -> (Penetration, Simplex) {
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
/// On the line through a tangential offset y A ends at s_A(y) and B begins at s_B(y); `s_B − s_A` is
/// convex in y, its least value is g(n), and its gradient follows from the normals N there, as
/// `∂s/∂y = −(N·t, N·b)/(N·n)`. Cutting planes at the centre of gravity, as for the normal.
fn slide<P: ConvexPair>(
    problem: &P,
    n: &Vector3<f64>,
    witnesses: [Vector3<f64>; 2],
) -> [Vector3<f64>; 2] {
    const STEPS: usize = 80;
    const REACH: f64 = 0.5;
    let [t, b] = crate::surface::tangents(&Unit::new_unchecked(*n));
    let mut polygon = Polygon::square(REACH);
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
            let [da, db] = problem.outward_normals(&xa, &xb, n).map(slope);
            [db[0] - da[0], db[1] - da[1]]
        } else {
            // Beside one of the bodies: back towards the best.
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

/// Moves witnesses that lie inside their bodies (a combination of the points of a face does, by the
/// face's curvature) onto the surfaces: A's along n, B's along −n.
pub(crate) fn onto_surfaces<P: ConvexPair>(
    problem: &P,
    n: &Vector3<f64>,
    [xa, xb]: [Vector3<f64>; 2],
) -> [Vector3<f64>; 2] {
    let sa = line::exit(|s| problem.gauge_a(&(xa + n * s)), problem.tolerance());
    let sb = line::exit(|s| problem.gauge_b(&(xb - n * s)), problem.tolerance());
    [xa + n * sa.unwrap_or(0.0), xb - n * sb.unwrap_or(0.0)]
}
