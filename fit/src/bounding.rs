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

/// ln V; 0 for what is no body, which no chart gives.
fn ln_volume(body: &Body) -> f64 {
    body.shape().map_or(0.0, |shape| shape.volume().ln())
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
    let local: Vec<Point3<f64>> = points
        .iter()
        .map(|p| pose.inverse_transform_point(p))
        .collect();
    let keeps = |k: f64| {
        scaled(shape, k).is_some_and(|body| match side {
            Side::Inside => local.iter().all(|p| body.inside_outside(p) <= 0.0),
            Side::Outside => local.iter().all(|p| body.inside_outside(p) >= 0.0),
        })
    };
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
    let margin = rounding(shape, pose, points);
    let factor = match side {
        Side::Inside => right * (1.0 + margin),
        Side::Outside => right / (1.0 + margin),
    };
    keeps(factor).then(|| scaled(shape, factor)).flatten()
}

pub(crate) fn scaled(shape: &Superovoid, k: f64) -> Option<Superovoid> {
    let semi_axes = shape.semi_axes().map(|a| a * k);
    Superovoid::new(semi_axes, shape.exponents(), shape.tapers()).ok()
}

/// Relative change of size that outweighs the rounding of pose, points and gauge: a convex body holds the
/// octahedron of its half axes, whose inner radius r turns a shift of a point by δ into a growth by δ/r.
fn rounding(shape: &Superovoid, pose: &Isometry3<f64>, points: &[Point3<f64>]) -> f64 {
    let reach = points.iter().map(|p| p.coords.norm()).fold(0.0, f64::max);
    let squares: f64 = shape.semi_axes().map(|a| a.powi(-2)).iter().sum();
    let shift = 16.0 * f64::EPSILON * (reach + pose.translation.vector.norm());
    1e-13 + shift * squares.sqrt()
}
