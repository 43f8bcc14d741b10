//! Unknowns of the least-squares problem and the body that they stand for.
//!
//! Every natural parameter that has a domain is a bounded function of its unknown, so that no step can
//! leave the domain:
//!
//! ```text
//! value = m + h tanh(x/h),   m and h middle and half width of the domain
//! ```
//!
//! which moves as x does in the middle of the domain. The pose is a turn ω from a frame R0 and a centre:
//! R = R0 exp(ω), and a small change dω turns the body about its own axes by `J(ω) dω`,
//!
//! ```text
//! J(ω) = I − (1 − cos θ)/θ² [ω]× + (θ − sin θ)/θ³ [ω]×²,   θ = |ω|
//! ```
//!
//! Convex bodies: equal tapers are convex up to `|t| ≤ L(e2) = (1 − e2/2) 2^(e2/2)`, so t = s L(e2) with
//! s bounded by ±1. Unequal ones, tx = T + D and ty = T − D, are convex for no e2 < 1; for e2 ≥ 1 up to a
//! largest D that depends on e1, e2 and T through the exact test, by bisection.

use crate::body::{Body, NATURAL, SHIFT, TURN};
use nalgebra::{DMatrix, Matrix3, Rotation3, Unit, Vector3};
use superovoid::Superovoid;

/// What the tapers may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tapers {
    /// Both zero.
    Zero,
    /// Any.
    Free,
    /// Each within the bound of equal ones: not always convex, but without the extremes.
    Limited,
    /// Equal, the body convex.
    ConvexEqual,
    /// Different, the body convex: exponent e2 at least 1.
    ConvexUnequal,
}

impl Tapers {
    fn unknowns(self) -> usize {
        match self {
            Tapers::Zero => 0,
            Tapers::ConvexEqual => 1,
            Tapers::Free | Tapers::Limited | Tapers::ConvexUnequal => 2,
        }
    }
}

/// A line that the body's z axis must keep to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub direction: Unit<Vector3<f64>>,
    /// A point that the axis goes through; None leaves the axis free to shift.
    pub through: Option<Vector3<f64>>,
}

/// A range of values, reached by `middle + half tanh(x/half)`.
#[derive(Clone, Copy)]
struct Range {
    middle: f64,
    half: f64,
}

impl Range {
    const fn new(low: f64, high: f64) -> Range {
        Range {
            middle: 0.5 * (low + high),
            half: 0.5 * (high - low),
        }
    }

    /// Value and derivative.
    fn value(self, x: f64) -> (f64, f64) {
        let tanh = (x / self.half).tanh();
        (self.middle + self.half * tanh, 1.0 - tanh * tanh)
    }

    fn unknown(self, value: f64) -> f64 {
        // At the very ends nothing would move any more.
        const LARGEST: f64 = 1.0 - 3e-3;
        let tanh = (value - self.middle) / self.half;
        self.half * tanh.clamp(-LARGEST, LARGEST).atanh()
    }
}

/// Logarithms of semi-axes in units of the points' spread.
const LN_SEMI_AXIS: Range = Range::new(-9.0, 3.0);
const EXPONENT: Range = Range::new(0.004, 1.996);
/// e2 of a convex body with unequal tapers.
const EXPONENT_FROM_1: Range = Range::new(1.0, 1.996);
const TAPER: Range = Range::new(-0.999, 0.999);
/// Parts of the largest taper of a convex body; the rest is room for rounding.
const PART: Range = Range::new(-0.999_999, 0.999_999);

/// How unknowns become a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chart {
    pub tapers: Tapers,
    pub line: Option<Line>,
    /// R0: the frame that turns are counted from. With a line its z axis lies on it.
    frame: Matrix3<f64>,
}

impl Chart {
    /// The chart around a body's frame.
    pub fn around(body: &Body, tapers: Tapers, line: Option<Line>) -> Chart {
        Chart {
            tapers,
            line,
            frame: body.rotation,
        }
    }

    fn turns(&self) -> usize {
        if self.line.is_some() { 1 } else { 3 }
    }

    fn second_exponent(&self) -> Range {
        match self.tapers {
            Tapers::ConvexUnequal => EXPONENT_FROM_1,
            _ => EXPONENT,
        }
    }

    /// The unknowns of a body in this chart's frame, or of the nearest one that the chart has.
    pub fn unknowns_of(&self, body: &Body) -> Vec<f64> {
        let mut x: Vec<f64> = body
            .a
            .iter()
            .map(|a| LN_SEMI_AXIS.unknown(a.ln()))
            .collect();
        x.push(EXPONENT.unknown(body.e[0]));
        x.push(self.second_exponent().unknown(body.e[1]));
        let mean = 0.5 * (body.t[0] + body.t[1]);
        match self.tapers {
            Tapers::Zero => {}
            Tapers::Free => x.extend(body.t.map(|t| TAPER.unknown(t))),
            Tapers::Limited => {
                let limit = taper_limit(body.e[1]).0;
                x.extend(body.t.map(|t| PART.unknown(t / limit)));
            }
            Tapers::ConvexEqual => x.push(PART.unknown(mean / taper_limit(body.e[1]).0)),
            Tapers::ConvexUnequal => {
                let e2 = body.e[1].max(1.0);
                let mean = mean.clamp(-taper_limit(e2).0, taper_limit(e2).0);
                let most = largest_difference(body.e[0], e2, mean).max(1e-9);
                let part = 0.5 * (body.t[0] - body.t[1]) / most;
                x.push(PART.unknown(mean / taper_limit(e2).0));
                // Not at the very bound, where its derivative vanishes.
                x.push(PART.unknown(part.clamp(-0.95, 0.95)));
            }
        }
        x.resize(x.len() + self.turns(), 0.0);
        match self.line {
            Some(Line {
                direction,
                through: Some(point),
            }) => x.push(direction.dot(&(body.center - point))),
            _ => x.extend(body.center.iter()),
        }
        x
    }

    pub fn body(&self, x: &[f64]) -> Body {
        self.evaluate(x, false).0
    }

    /// The body, and the derivatives of its natural parameters (rows) in the unknowns (columns).
    pub fn body_and_derivatives(&self, x: &[f64]) -> (Body, DMatrix<f64>) {
        self.evaluate(x, true)
    }

    fn evaluate(&self, x: &[f64], with_derivatives: bool) -> (Body, DMatrix<f64>) {
        let mut d = DMatrix::zeros(NATURAL, x.len());
        let mut a = [0.0; 3];
        for k in 0..3 {
            let (ln, slope) = LN_SEMI_AXIS.value(x[k]);
            a[k] = ln.exp();
            d[(k, k)] = slope;
        }
        let (e1, slope_1) = EXPONENT.value(x[3]);
        let (e2, slope_2) = self.second_exponent().value(x[4]);
        d[(3, 3)] = slope_1;
        d[(4, 4)] = slope_2;
        let t = self.tapers_at(x, [e1, e2], with_derivatives, &mut d);

        let first = 5 + self.tapers.unknowns();
        let turn = match self.line {
            Some(_) => Vector3::new(0.0, 0.0, x[first]),
            None => Vector3::new(x[first], x[first + 1], x[first + 2]),
        };
        let rotation = self.frame * Rotation3::new(turn).matrix();
        let jacobian = turn_jacobian(&turn);
        let next = first + self.turns();
        if self.line.is_some() {
            d[(TURN + 2, first)] = 1.0;
        } else {
            d.fixed_view_mut::<3, 3>(TURN, first).copy_from(&jacobian);
        }
        let center = match self.line {
            Some(Line {
                direction,
                through: Some(point),
            }) => {
                let shift = rotation.tr_mul(&direction);
                d.fixed_view_mut::<3, 1>(SHIFT, next).copy_from(&shift);
                point + direction.as_ref() * x[next]
            }
            _ => {
                let shifts = rotation.transpose();
                d.fixed_view_mut::<3, 3>(SHIFT, next).copy_from(&shifts);
                Vector3::new(x[next], x[next + 1], x[next + 2])
            }
        };
        let body = Body {
            a,
            e: [e1, e2],
            t,
            rotation,
            center,
        };
        (body, d)
    }

    /// The tapers, and their rows of the derivatives.
    fn tapers_at(
        &self,
        x: &[f64],
        [e1, e2]: [f64; 2],
        with_derivatives: bool,
        d: &mut DMatrix<f64>,
    ) -> [f64; 2] {
        const TX: usize = 5;
        const TY: usize = 6;
        match self.tapers {
            Tapers::Zero => [0.0; 2],
            Tapers::Free => {
                let (tx, slope_x) = TAPER.value(x[5]);
                let (ty, slope_y) = TAPER.value(x[6]);
                d[(TX, 5)] = slope_x;
                d[(TY, 6)] = slope_y;
                [tx, ty]
            }
            Tapers::Limited => {
                let (limit, in_e2) = taper_limit(e2);
                [0, 1].map(|k| {
                    let (part, slope) = PART.value(x[5 + k]);
                    d[(TX + k, 4)] = part * in_e2 * d[(4, 4)];
                    d[(TX + k, 5 + k)] = limit * slope;
                    part * limit
                })
            }
            Tapers::ConvexEqual => {
                let (part, slope) = PART.value(x[5]);
                let (limit, in_e2) = taper_limit(e2);
                for row in [TX, TY] {
                    d[(row, 4)] = part * in_e2 * d[(4, 4)];
                    d[(row, 5)] = limit * slope;
                }
                [part * limit; 2]
            }
            Tapers::ConvexUnequal => {
                let mean_at = |u: f64, e2: f64| PART.value(u).0 * taper_limit(e2).0;
                let tapers_at = |x3: f64, x4: f64, x5: f64| {
                    let (e1, e2) = (EXPONENT.value(x3).0, EXPONENT_FROM_1.value(x4).0);
                    let mean = mean_at(x5, e2);
                    (mean, largest_difference(e1, e2, mean))
                };
                let mean = mean_at(x[5], e2);
                let most = largest_difference(e1, e2, mean);
                let (part, slope) = PART.value(x[6]);
                if with_derivatives {
                    // The largest difference has no closed form: central differences.
                    const H: f64 = 1e-4;
                    for k in 3..6 {
                        let at = |h: f64| {
                            let mut y = [x[3], x[4], x[5]];
                            y[k - 3] += h;
                            tapers_at(y[0], y[1], y[2])
                        };
                        let ((mean_1, most_1), (mean_0, most_0)) = (at(H), at(-H));
                        let in_mean = (mean_1 - mean_0) / (2.0 * H);
                        let in_difference = part * (most_1 - most_0) / (2.0 * H);
                        d[(TX, k)] = in_mean + in_difference;
                        d[(TY, k)] = in_mean - in_difference;
                    }
                    d[(TX, 6)] = slope * most;
                    d[(TY, 6)] = -slope * most;
                }
                [mean + part * most, mean - part * most]
            }
        }
    }
}

/// J(ω).
fn turn_jacobian(turn: &Vector3<f64>) -> Matrix3<f64> {
    let angle = turn.norm();
    let cross = turn.cross_matrix();
    if angle < 1e-4 {
        return Matrix3::identity() - 0.5 * cross;
    }
    let first = (1.0 - angle.cos()) / (angle * angle);
    let second = (angle - angle.sin()) / (angle * angle * angle);
    Matrix3::identity() - first * cross + second * cross * cross
}

/// A convex body nearest to one that a convex chart gave. The bisection for D takes bodies between two convex
/// ones for convex; where rounding decides they need not be, and then D shrinks until they are.
pub(crate) fn made_convex(body: &Body) -> Body {
    const KEPT: [f64; 7] = [1.0, 1.0 - 1e-9, 1.0 - 1e-6, 0.999, 0.9, 0.5, 0.0];
    let limit = taper_limit(body.e[1]).0;
    let mean = (0.5 * (body.t[0] + body.t[1])).clamp(-limit, limit);
    let half = 0.5 * (body.t[0] - body.t[1]);
    let with = |kept: f64| Body {
        t: if kept == 1.0 {
            body.t
        } else {
            [mean + kept * half, mean - kept * half]
        },
        ..*body
    };
    let convex = |b: &Body| b.shape().is_ok_and(|shape| shape.is_convex());
    KEPT.map(with).into_iter().find(convex).unwrap_or(with(0.0))
}

/// L(e2), the largest taper of a convex body with equal tapers, and its derivative.
pub(crate) fn taper_limit(e2: f64) -> (f64, f64) {
    let power = (0.5 * e2).exp2();
    let linear = 1.0 - 0.5 * e2;
    let derivative = 0.5 * power * (std::f64::consts::LN_2 * linear - 1.0);
    (linear * power, derivative)
}

/// Largest D for which tapers `mean + D` and `mean − D` make a convex body, rounded down.
pub(crate) fn largest_difference(e1: f64, e2: f64, mean: f64) -> f64 {
    let convex = |d: f64| {
        let tapers = [mean + d, mean - d];
        Superovoid::new([1.0; 3], [e1, e2], tapers).is_ok_and(|s| s.is_convex())
    };
    if e2 < 1.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, (taper_limit(e2).0 - mean.abs()).max(0.0));
    if high > 0.0 && convex(high) {
        return high;
    }
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        if convex(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body() -> Body {
        Body {
            a: [0.7, 1.3, 0.9],
            e: [0.6, 1.4],
            t: [0.1, -0.05],
            rotation: *Rotation3::from_euler_angles(0.3, -0.5, 1.1).matrix(),
            center: Vector3::new(0.1, -0.2, 0.3),
        }
    }

    fn charts() -> Vec<Chart> {
        let direction = Unit::new_normalize(body().rotation.column(2).into_owned());
        let through = Some(body().center);
        let free = [
            Tapers::Zero,
            Tapers::Free,
            Tapers::Limited,
            Tapers::ConvexEqual,
            Tapers::ConvexUnequal,
        ];
        let lines = [None, Some(None), Some(through)];
        let lines = lines.map(|line| line.map(|through| Line { direction, through }));
        free.iter()
            .flat_map(|&tapers| lines.map(|line| Chart::around(&body(), tapers, line)))
            .collect()
    }

    #[test]
    fn a_body_and_its_unknowns_are_the_same() {
        for chart in charts() {
            let x = chart.unknowns_of(&body());
            let back = chart.body(&x);
            for k in 0..3 {
                assert!((back.a[k] - body().a[k]).abs() < 1e-12);
            }
            assert!((back.rotation - body().rotation).norm() < 1e-12);
            assert!((back.center - body().center).norm() < 1e-12);
            let same_tapers = [0, 1].map(|k| (back.t[k] - body().t[k]).abs() < 1e-9);
            if matches!(
                chart.tapers,
                Tapers::Free | Tapers::Limited | Tapers::ConvexUnequal
            ) {
                assert_eq!(same_tapers, [true; 2]);
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_differences_of_the_gauge() {
        let point = Vector3::new(0.6, -0.7, 0.5);
        for chart in charts() {
            let mut x = chart.unknowns_of(&body());
            for (k, u) in x.iter_mut().enumerate() {
                *u += 0.02 * (k as f64 - 5.0);
            }
            let (b, d) = chart.body_and_derivatives(&x);
            let gauge = b.gauge(&point);
            for k in 0..x.len() {
                const H: f64 = 1e-5;
                let at = |h: f64| {
                    let mut y = x.clone();
                    y[k] += h;
                    chart.body(&y).gauge(&point).ln
                };
                let difference = (at(H) - at(-H)) / (2.0 * H);
                let derivative = gauge.natural.dot(&d.column(k));
                let close = (difference - derivative).abs() < 2e-5;
                assert!(close, "{chart:?} {k}: {difference} {derivative}");
            }
        }
    }

    #[test]
    fn no_unknowns_leave_the_domain() {
        for chart in charts() {
            for far in [-1e300, -50.0, 50.0, 1e300] {
                let mut x = vec![far; chart.unknowns_of(&body()).len()];
                let shape = 5 + chart.tapers.unknowns();
                x[shape..].fill(0.1);
                let shape = chart.body(&x).shape().expect("always in the domain");
                if matches!(chart.tapers, Tapers::ConvexEqual | Tapers::ConvexUnequal) {
                    assert!(shape.is_convex());
                }
            }
        }
    }
}
