//! The vertex, edge or face of the polytope that is touched, and the exact normal there.
//!
//! Cutting planes bring g(n) to its maximum within the tolerance, which leaves the normal uncertain by the square
//! root of it. The vertices of which the witness is a combination determine the touched feature, and then fewer
//! unknowns are left:
//!
//! - a **vertex** v: the nearest surface point, two unknowns, by Newton's method of the pair query with a sphere that
//!   is too small to make a difference;
//! - an **edge** from p along the unit u: n = cos θ s + sin θ (u × s) is perpendicular to it, and `dg/dθ = n'·(p −
//!   x_A(n))` vanishes, one unknown;
//! - a **face**: n is its normal, no unknown is left.

use crate::narrowphase::convex_pair::ConvexPair;
use crate::narrowphase::convex_pair::Penetration;
use crate::narrowphase::ray_exit;
use crate::narrowphase::simplex::{CsoPoint, nearest_of_triangle};
use crate::pair::newton::{self as pair_newton, PairStart};
use crate::pair::problem::PairProblem;
use crate::polytope::problem::PolytopeProblem;
use crate::query::units::{ALIGNED, NEARLY_TOUCHING};
use crate::surface::primal_dual::SurfaceState;
use crate::vertex::newton::{self as foot, FootStart};
use nalgebra::Vector3;

/// The vertices of the polytope that may be touched.
pub(super) struct Feature {
    vertices: [Vector3<f64>; MAX_VERTICES],
    count: usize,
}

/// The largest number of vertices. A face of a box has four corners; those of a hull may have more, and any three of
/// them suffice.
const MAX_VERTICES: usize = 6;

impl Feature {
    /// Collects the vertices in `corners` (CSO points from which `aim` was subtracted), and the lowest other vertices
    /// that could be touched if the unit normal n is slightly wrong.
    pub fn new(
        problem: &PolytopeProblem,
        corners: &[CsoPoint],
        aim: Vector3<f64>,
        n: &Vector3<f64>,
    ) -> Self {
        let mut feature = Feature {
            vertices: [Vector3::zeros(); MAX_VERTICES],
            count: 0,
        };
        for corner in corners {
            feature.add(problem, corner.z + aim + corner.xa);
        }
        let lowest = problem.lowest(n);
        for v in problem.vertices() {
            // The margin covers rounding, or the square root of the tolerance times the extent.
            let height = n.dot(&(v - lowest));
            if height <= NORMAL_ERROR * (v - lowest).norm() {
                feature.add(problem, v);
            }
        }
        feature
    }

    fn add(&mut self, problem: &PolytopeProblem, vertex: Vector3<f64>) {
        let same = |v: &Vector3<f64>| (v - vertex).norm() <= 8.0 * problem.rounding;
        if self.count < MAX_VERTICES && !self.vertices[..self.count].iter().any(same) {
            self.vertices[self.count] = vertex;
            self.count += 1;
        }
    }

    /// Returns the witnesses `from` of a maximum of g, sharpened: the penetration of a face, vertex or edge among
    /// these vertices whose witnesses face each other exactly and whose g is less by no more than `slack`. (The
    /// witness of an answer at the border of two features may be found on either.) Returns `None` if there is none.
    pub fn sharpen(
        &self,
        problem: &PolytopeProblem,
        from: &Penetration,
        slack: f64,
        max_iterations: u32,
        iterations: &mut u32,
    ) -> Option<Penetration> {
        let v = &self.vertices[..self.count];
        let n = &from.normal;
        let exact = |found: &Penetration| {
            let beside = found.xb - found.xa - found.normal * found.gap;
            let no_less = found.gap >= from.gap - slack;
            no_less && beside.norm() <= EXACT + problem.rounding
        };
        let triples =
            (2..v.len()).flat_map(|i| (1..i).flat_map(move |j| (0..j).map(move |k| [i, j, k])));
        for triple in triples {
            let found = face(problem, n, triple.map(|i| &v[i]), iterations);
            if let Some(found) = found.filter(exact) {
                return Some(found);
            }
        }
        for v in v {
            let found = vertex(problem, n, &from.xa, v, max_iterations, iterations);
            if let Some(found) = found.filter(exact) {
                return Some(found);
            }
        }
        let pairs = (1..v.len()).flat_map(|i| (0..i).map(move |j| [i, j]));
        for pair in pairs {
            let found = edge(problem, n, pair.map(|i| &v[i]), iterations);
            if let Some(found) = found.filter(exact) {
                return Some(found);
            }
        }
        v.iter().find_map(|v| {
            let found = vertex_by_itself(problem, &from.xa, v, max_iterations, iterations);
            found.filter(exact)
        })
    }
}

/// The error that cutting planes may leave in the normal: the square root of the tolerance, and more where several
/// directions are nearly as good.
const NORMAL_ERROR: f64 = 1e-3;
/// The deviation, in units of the superovoid's size, at which witnesses face each other along the sharpened normal.
const EXACT: f64 = 1e-11;
/// The deviation at which witnesses face each other without being moved: rounding.
const FACING: f64 = 1e-13;

/// Returns the penetration at the surface point nearest to the point v of the polytope, among those near x_A, where
/// the normal is about n.
pub(super) fn vertex(
    problem: &PolytopeProblem,
    n: &Vector3<f64>,
    xa: &Vector3<f64>,
    v: &Vector3<f64>,
    max_iterations: u32,
    iterations: &mut u32,
) -> Option<Penetration> {
    let (tolerance, rounding) = (problem.tolerance, problem.rounding);
    let pair = PairProblem::with_point(&problem.a, v, problem.unit, tolerance, rounding);
    let (_, ball) = pair.b.support_circles(&-n);
    let start = PairStart::Direction(*n, pair.states(&pair.a.circles_towards(xa), &ball));
    let s = pair_newton::solve(&pair, start, max_iterations, iterations)?;
    if !(s.on_surface && s.mismatch < ALIGNED && s.offset() <= ALIGNED) {
        return None;
    }
    Some(below(problem, v, s.xa, &s.normal))
}

/// Returns the penetration at v by Newton's method of the vertex query, which needs no direction from v: above a
/// ridge it reaches the foot from farther away, and also from the initial guess.
fn vertex_by_itself(
    problem: &PolytopeProblem,
    xa: &Vector3<f64>,
    v: &Vector3<f64>,
    max_iterations: u32,
    iterations: &mut u32,
) -> Option<Penetration> {
    let near = SurfaceState::of(&problem.a, &problem.a.circles_towards(xa));
    let foot = [FootStart::At(near), FootStart::Guess]
        .into_iter()
        .filter_map(|start| foot::solve(&problem.a, v, start, max_iterations, iterations))
        .filter(|foot| foot.on_surface && foot.offset <= ALIGNED)
        .min_by(|x, y| x.offset.total_cmp(&y.offset))?;
    Some(below(problem, v, foot.x, &foot.normal))
}

/// Returns the penetration at v, where x_A is the foot of the perpendicular from v, with the normal n there.
fn below(
    problem: &PolytopeProblem,
    v: &Vector3<f64>,
    xa: Vector3<f64>,
    n: &Vector3<f64>,
) -> Penetration {
    let d = v - xa;
    let normal = if d.norm() > NEARLY_TOUCHING {
        d.normalize() * d.dot(n).signum()
    } else {
        *n
    };
    Penetration {
        normal,
        gap: problem.support_pair(&normal).gap,
        xa,
        xb: *v,
    }
}

/// Returns the penetration along the normal perpendicular to the edge from p to q at which g has its maximum near n.
///
/// The support point may jump while θ passes the maximum, over a face of the superovoid that is flat to rounding: the
/// witness is then the point between the support points of both sides that lies over the edge.
fn edge(
    problem: &PolytopeProblem,
    n: &Vector3<f64>,
    [p, q]: [&Vector3<f64>; 2],
    iterations: &mut u32,
) -> Option<Penetration> {
    const FIRST_STEP: f64 = 1e-7;
    const FARTHEST: f64 = 0.5;
    const BISECTIONS: usize = 100;
    let length = (q - p).norm();
    let u = (q - p) / length;
    let s = (n - u * u.dot(n)).try_normalize(0.5)?;
    let t = u.cross(&s);
    let mut slope = |theta: f64| {
        let (sin, cos) = theta.sin_cos();
        let xa = problem.support_pair(&(s * cos + t * sin)).xa;
        *iterations += 1;
        ((t * cos - s * sin).dot(&(p - xa)), xa)
    };
    let here = slope(0.0);
    let mut step = FIRST_STEP.copysign(here.0);
    let (mut near, mut far) = ((0.0, here), (0.0, here));
    while far.1.0 * here.0 > 0.0 {
        near = far;
        far = (step, slope(step));
        step *= 8.0;
        if step.abs() > FARTHEST {
            return None;
        }
    }
    for _ in 0..BISECTIONS {
        // This is a secant step, kept away from the ends of the interval.
        let share = (near.1.0 / (near.1.0 - far.1.0)).clamp(0.05, 0.95);
        let middle = near.0 + share * (far.0 - near.0);
        if middle == near.0 || middle == far.0 || near.1.0 == 0.0 || !share.is_finite() {
            break;
        }
        let found = (middle, slope(middle));
        if found.1.0 * here.0 > 0.0 {
            near = found;
        } else {
            far = found;
        }
    }
    let share = near.1.0 / (near.1.0 - far.1.0);
    let share = if share.is_finite() { share } else { 0.0 };
    let xa = near.1.1 + (far.1.1 - near.1.1) * share;
    let (sin, cos) = near.0.sin_cos();
    let normal = s * cos + t * sin;
    let along = (xa - p).dot(&u).clamp(0.0, length);
    facing(problem, normal, p + u * along, xa)
}

/// Returns the penetration along the normal of the face, at the point over it.
fn face(
    problem: &PolytopeProblem,
    n: &Vector3<f64>,
    [p, q, r]: [&Vector3<f64>; 3],
    iterations: &mut u32,
) -> Option<Penetration> {
    let m = (q - p).cross(&(r - p)).try_normalize(0.0)?;
    let normal = m * m.dot(n).signum();
    *iterations += 1;
    let xa = problem.support_pair(&normal).xa;
    let xb = xa + nearest_of_triangle(&[p - xa, q - xa, r - xa]);
    facing(problem, normal, xb, xa)
}

/// Returns the penetration along n at the point x_B of the polytope, with x_A as A's witness if it faces x_B.
fn facing(
    problem: &PolytopeProblem,
    normal: Vector3<f64>,
    xb: Vector3<f64>,
    xa: Vector3<f64>,
) -> Option<Penetration> {
    let gap = problem.support_pair(&normal).gap;
    let xa = opposite(problem, &normal, &xa, &xb)?;
    Some(Penetration {
        normal,
        gap,
        xa,
        xb,
    })
}

/// Returns the point of A's surface on the line through x_B along n, near x_A. Only A's point is moved: it may lie
/// anywhere on a surface, x_B only on a feature that may be an edge.
pub(super) fn opposite(
    problem: &PolytopeProblem,
    n: &Vector3<f64>,
    xa: &Vector3<f64>,
    xb: &Vector3<f64>,
) -> Option<Vector3<f64>> {
    let aim = xb - n * n.dot(&(xb - xa));
    if (xa - aim).norm() <= FACING {
        return Some(*xa);
    }
    let exit = ray_exit::exit(|s| problem.gauge_a(&(aim + n * s)), problem.tolerance)?;
    Some(aim + n * exit)
}
