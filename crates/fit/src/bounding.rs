//! Enclosing and inscribed bodies.
//!
//! With s = 1 for enclosing, s = −1 for inscribed bodies of volume V, and the gauge g_i of point i:
//!
//! ```text
//! minimise V^(s/3)   so that   s ln g_i ≤ 0 for all i
//! ```
//!
//! by the augmented Lagrangian `V^(s/3) + Σ μ max(0, s ln g_i + λ_i/μ)²` with multipliers
//! `λ_i ← max(0, λ_i + μ s ln g_i)`. It is a sum of squares, of `V^(s/6)` and one term a point, so that
//! Levenberg-Marquardt minimises it.
//!
//! What is left of the constraints is settled exactly: superovoids are star-shaped about their centre, so
//! there is a least (largest) factor k on all semi-axes with which every point is inside (outside). It is found by
//! bisection with the inside-outside function itself and then enlarged (reduced) by more than the rounding.

use crate::body::{Body, NATURAL, TURN};
use crate::chart::{Chart, Line, Tapers};
use crate::least_squares::{Residuals, minimise};
use nalgebra::{Isometry3, Point3, SVector, Vector3};
use superovoid::Superovoid;

/// On which side of the surface the points must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Inside or on it: an enclosing body.
    Inside,
    /// Outside or on it: an inscribed body.
    Outside,
}

impl Side {
    fn sign(self) -> f64 {
        match self {
            Side::Inside => 1.0,
            Side::Outside => -1.0,
        }
    }
}

/// Rounds of a first trial, and of the result.
pub(crate) const FEW_ROUNDS: usize = 3;
pub(crate) const ROUNDS: usize = 8;
const EVALUATIONS: usize = 14;
const TOLERANCE: f64 = 1e-8;
const FIRST_PENALTY: f64 = 30.0;
const LAST_PENALTY: f64 = 3e4;

/// The body near `start` of least (largest) volume with the points on the given side, nearly.
pub(crate) fn minimised(
    start: &Body,
    points: &[Vector3<f64>],
    tapers: Tapers,
    line: Option<Line>,
    side: Side,
    rounds: usize,
) -> Body {
    let mut body = *start;
    let mut penalty = FIRST_PENALTY;
    let mut multipliers = vec![0.0; points.len()];
    for _ in 0..rounds {
        let chart = Chart::around(&body, tapers, line);
        let problem = Lagrangian {
            points,
            multipliers: &multipliers,
            penalty,
            chart,
            sign: side.sign(),
        };
        let start = chart.unknowns_of(&body);
        body = chart.body(&minimise(&problem, start, EVALUATIONS, TOLERANCE).unknowns);
        for (point, multiplier) in points.iter().zip(&mut multipliers) {
            let violation = side.sign() * body.gauge(point).ln;
            *multiplier = (*multiplier + penalty * violation).max(0.0);
        }
        penalty = (4.0 * penalty).min(LAST_PENALTY);
    }
    body
}

struct Lagrangian<'a> {
    points: &'a [Vector3<f64>],
    multipliers: &'a [f64],
    penalty: f64,
    chart: Chart,
    sign: f64,
}

impl Residuals for Lagrangian<'_> {
    fn count(&self) -> usize {
        self.points.len() + 1
    }

    fn evaluate(&self, unknowns: &[f64], residuals: &mut [f64], jacobian: &mut [f64]) {
        let (body, chain) = self.chart.body_and_derivatives(unknowns);
        let rows = self.count();
        let mut write = |row: usize, value: f64, natural: SVector<f64, NATURAL>| {
            residuals[row] = value;
            for k in 0..unknowns.len() {
                jacobian[k * rows + row] = natural.dot(&chain.fixed_view::<NATURAL, 1>(0, k));
            }
        };
        let root = (self.sign * ln_volume(&body) / 6.0).exp();
        let slope = ln_volume_derivative(&body) * (self.sign / 6.0 * root);
        write(0, root, slope);
        let weight = self.penalty.sqrt();
        for (i, (point, multiplier)) in self.points.iter().zip(self.multipliers).enumerate() {
            let gauge = body.gauge(point);
            let excess = self.sign * gauge.ln + multiplier / self.penalty;
            if excess > 0.0 {
                write(i + 1, weight * excess, gauge.natural * (weight * self.sign));
            } else {
                write(i + 1, 0.0, SVector::zeros());
            }
        }
    }
}

/// ln V in closed form, `V = a1 a2 a3 K (M0 + tx ty M2)` with the area K of the section of half axes 1 and the moments of
/// the sections over height,
///
/// ```text
/// K = 4 Γ(1 + e1/2)²/Γ(1 + e1),   Mk = e2 B((k + 1) e2/2, 1 + e2)
/// ```
///
/// as [`Superovoid::volume`] has it, without making the shape, which takes a hundred times as long.
fn ln_volume(body: &Body) -> f64 {
    let ([e1, e2], [tx, ty]) = (body.e, body.t);
    let gamma = libm::lgamma;
    let section = 4f64.ln() + 2.0 * gamma(1.0 + 0.5 * e1) - gamma(1.0 + e1);
    let moment = |k: f64| {
        let (x, y) = (0.5 * (k + 1.0) * e2, 1.0 + e2);
        e2 * (gamma(x) + gamma(y) - gamma(x + y)).exp()
    };
    let axes: f64 = body.a.iter().map(|a| a.ln()).sum();
    axes + section + (moment(0.0) + tx * ty * moment(2.0)).ln()
}

/// Its derivatives in the natural parameters: 1 in each ln a, 0 in the pose, and by central differences of the
/// closed form in exponents and tapers.
fn ln_volume_derivative(body: &Body) -> SVector<f64, NATURAL> {
    const H: f64 = 1e-5;
    let mut derivative = SVector::<f64, NATURAL>::zeros();
    derivative.rows_mut(0, 3).fill(1.0);
    for k in 3..TURN {
        let at = |h: f64| {
            let mut b = *body;
            match k {
                3 | 4 => b.e[k - 3] += h,
                _ => b.t[k - 5] += h,
            }
            ln_volume(&b)
        };
        derivative[k] = (at(H) - at(-H)) / (2.0 * H);
    }
    derivative
}

/// The shape with its semi-axes multiplied by the least (largest) factor with which every point is on the
/// right side for sure, and None if there is none.
pub(crate) fn settled(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    points: &[Point3<f64>],
    side: Side,
) -> Option<Superovoid> {
    settled_with(shape, pose, points, side, 0.0)
}

/// [`settled`] for points that are known to within `slack` (metres).
pub(crate) fn settled_with(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    points: &[Point3<f64>],
    side: Side,
    slack: f64,
) -> Option<Superovoid> {
    let local: Vec<Point3<f64>> = points
        .iter()
        .map(|p| pose.inverse_transform_point(p))
        .collect();
    let kept = |body: &Superovoid, p: &Point3<f64>| match side {
        Side::Inside => body.inside_outside(p) <= 0.0,
        Side::Outside => body.inside_outside(p) >= 0.0,
    };
    // The larger body holds p where this one holds p/k.
    let keeps = |k: f64| local.iter().all(|p| kept(shape, &(p / k)));
    // From 1 in steps that double until the answer changes, then bisection.
    let (mut right, mut wrong) = match side {
        Side::Inside => (2.0, 0.5),
        Side::Outside => (0.5, 2.0),
    };
    let away: f64 = right;
    for _ in 0..40 {
        if keeps(right) {
            break;
        }
        wrong = right;
        right *= away;
    }
    for _ in 0..60 {
        let middle: f64 = 0.5 * (right + wrong);
        if keeps(middle) {
            right = middle;
        } else {
            wrong = middle;
        }
    }
    let mut margin = rounding(shape, pose, points, slack);
    // What was found for p/k is tried with the body itself, which may take a little more.
    for _ in 0..8 {
        let factor = match side {
            Side::Inside => right * (1.0 + margin),
            Side::Outside => right / (1.0 + margin),
        };
        let body = scaled(shape, factor)?;
        if local.iter().all(|p| kept(&body, p)) {
            return Some(body);
        }
        margin *= 4.0;
    }
    None
}

pub(crate) fn scaled(shape: &Superovoid, k: f64) -> Option<Superovoid> {
    let semi_axes = shape.semi_axes().map(|a| a * k);
    Superovoid::new(semi_axes, shape.exponents(), shape.tapers()).ok()
}

/// Relative change of size that outweighs the slack and the rounding of pose, points and gauge: a convex body holds the
/// octahedron of its half axes, whose inner radius r turns a shift of a point by δ into a growth by δ/r.
fn rounding(shape: &Superovoid, pose: &Isometry3<f64>, points: &[Point3<f64>], slack: f64) -> f64 {
    let reach = points.iter().map(|p| p.coords.norm()).fold(0.0, f64::max);
    let squares: f64 = shape.semi_axes().map(|a| a.powi(-2)).iter().sum();
    let shift = 16.0 * f64::EPSILON * (reach + pose.translation.vector.norm());
    1e-13 + (shift + slack) * squares.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Matrix3;

    #[test]
    fn the_volume_is_that_of_the_shape() {
        for (e, t) in [
            ([1.0, 1.0], [0.0, 0.0]),
            ([0.01, 1.9], [0.02, 0.02]),
            ([1.7, 0.3], [-0.6, 0.5]),
        ] {
            let body = Body {
                a: [0.7, 1.3, 0.2],
                e,
                t,
                rotation: Matrix3::identity(),
                center: Vector3::zeros(),
            };
            let expected = body.shape().unwrap().volume().ln();
            assert!((ln_volume(&body) - expected).abs() < 1e-12);
        }
    }
}
