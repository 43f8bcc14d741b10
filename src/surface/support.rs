//! The support function and the support point of a superovoid.
//!
//! In direction n the extent of the section at height ζ is, by Hölder's inequality,
//!
//! ```text
//! W(ζ) = ( (b1 τx)^q1 + (b2 τy)^q1 )^(1/q1),     b1 = a1 |n1|,  b2 = a2 |n2|
//! h(n) = max over ζ of f(ζ) = a3 n3 ζ + ρ(ζ) W(ζ),     ρ(ζ) = (1 − |ζ|^p2)^(1/p2)
//! ```
//!
//! *Untapered* bodies have a constant W, and the maximum follows from Hölder's inequality again: h is the dual nested
//! norm.
//!
//! *Tapered* bodies: f is stationary where `ρ_ζ W + a3 n3 + ρ W_ζ = 0`. On the profile circle `ρ_ζ = −ζ'/ρ'`; with
//! the dual's angle ψ, `tan ψ = ζ'/ρ'`, this is
//!
//! ```text
//! r(ψ) = sin ψ · W − cos ψ · (a3 n3 + ρ W_ζ) = 0,      f_ζ has the sign of −r
//! ```
//!
//! without the vertical slopes of ρ at the poles. Where the body is convex f is concave and r changes sign once: it
//! is found by Newton's method inside a shrinking interval.
//!
//! *Non-convex* bodies: f is still concave below and above the band of heights in which the surface is hollow. There
//! the same root-finding holds; within the band a branch and bound on ζ bounds f by `(tangents of ρ, concave) ×
//! (chord of W, convex)`, so that no local maximum is missed.

use crate::shape::circle::Circle;
use crate::surface::circles::Circles;
use crate::{Convexity, Superovoid};
use nalgebra::{Point3, Vector3};
use std::f64::consts::FRAC_PI_2;

/// The farthest extent of a body in a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Support {
    /// The support function h(n) = max n·x over the body: metres for a unit direction, and proportional to the length
    /// of others.
    pub value: f64,
    /// A surface point that attains it, in the body's frame, metres.
    pub point: Point3<f64>,
}

impl Superovoid {
    /// Returns the support function and the support point in `direction` (body's frame, any length but zero),
    /// accurate to a relative 1e-12. For a non-convex body these are those of its convex hull. A zero direction gives
    /// the value 0 with an unspecified surface point; a direction that is not finite gives NaN.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// let body = superovoid::Superovoid::ellipsoid([1.0, 2.0, 3.0])?;
    /// assert_eq!(body.support(&Vector3::z()).value, 3.0);
    /// # Ok::<(), superovoid::ShapeError>(())
    /// ```
    pub fn support(&self, direction: &Vector3<f64>) -> Support {
        let (value, circles) = self.support_circles(direction);
        Support {
            value,
            point: circles.point(self).into(),
        }
    }

    /// Returns the support point of an ellipsoid in the direction n, and its derivative by n on tangents: with `D = diag(a²)` the
    /// point is `x = D n/w`, `w = √(n·D n)`, and the derivative `(D − x xᵀ)/w`. Returns `None` of other bodies.
    pub(crate) fn ellipsoid_support(
        &self,
        n: &Vector3<f64>,
        [t, b]: &[Vector3<f64>; 2],
    ) -> Option<(Vector3<f64>, [f64; 3])> {
        if !self.is_ellipsoid() {
            return None;
        }
        let scale = |v: &Vector3<f64>| Vector3::from_fn(|i, _| self.a[i] * v[i]);
        let (n, t, b) = (scale(n), scale(t), scale(b));
        let w = n.norm();
        let unit = n / w;
        let (along_t, along_b) = (unit.dot(&t), unit.dot(&b));
        let form = [
            (t.norm_squared() - along_t * along_t) / w,
            (t.dot(&b) - along_t * along_b) / w,
            (b.norm_squared() - along_b * along_b) / w,
        ];
        Some((scale(&unit), form))
    }

    /// Returns the value of the support function and the circles of the support point.
    pub(crate) fn support_circles(&self, n: &Vector3<f64>) -> (f64, Circles) {
        if !self.is_tapered() {
            return self.untapered_support(n);
        }
        let section = SectionSupport::new(self, n);
        if section.b == [0.0, 0.0] {
            return section.at_pole();
        }
        let profile = match self.convexity() {
            Convexity::Convex => section.concave_maximum(-FRAC_PI_2, FRAC_PI_2),
            Convexity::NonConvex { .. } => section.maximum_on_slab(-1.0, 1.0),
        };
        section.finish(profile)
    }

    /// Returns the support over the slab `low ≤ ζ ≤ high` of the body (of its hull, where it is not convex).
    pub(crate) fn slab_support_circles(
        &self,
        n: &Vector3<f64>,
        [low, high]: [f64; 2],
    ) -> (f64, Circles) {
        let section = SectionSupport::new(self, n);
        let profile = section.maximum_on_slab(low, high);
        section.finish(profile)
    }

    fn untapered_support(&self, n: &Vector3<f64>) -> (f64, Circles) {
        let b = [self.a[0] * n.x, self.a[1] * n.y, self.a[2] * n.z];
        let (width, section) = Circle::normalised_dual(b[0], b[1], self.q[0]);
        let (value, profile) = Circle::normalised_dual(width, b[2], self.q[1]);
        (value, Circles { section, profile })
    }
}

/// The one-dimensional problem of one direction: `f(ζ) = a3 n3 ζ + ρ(ζ) W(ζ)`.
struct SectionSupport<'a> {
    shape: &'a Superovoid,
    n: &'a Vector3<f64>,
    /// The half-widths b1, b2.
    b: [f64; 2],
    /// The product a3 n3.
    lift: f64,
    /// For equal tapers, W = (1 + t ζ) W0: W0 and its section point, computed once.
    round: Option<(f64, Circle)>,
}

/// The width W with its first two derivatives by ζ.
#[derive(Clone, Copy)]
struct Width {
    w: f64,
    w1: f64,
    w2: f64,
}

impl<'a> SectionSupport<'a> {
    fn new(shape: &'a Superovoid, n: &'a Vector3<f64>) -> Self {
        let b = [shape.a[0] * n.x.abs(), shape.a[1] * n.y.abs()];
        let round =
            (shape.t[0] == shape.t[1]).then(|| Circle::normalised_dual(b[0], b[1], shape.q[0]));
        SectionSupport {
            shape,
            n,
            b,
            lift: shape.a[2] * n.z,
            round,
        }
    }

    fn width(&self, zeta: f64) -> Width {
        let [tx, ty] = self.shape.t;
        if let Some((w0, _)) = self.round {
            return Width {
                w: w0 * (1.0 + tx * zeta),
                w1: w0 * tx,
                w2: 0.0,
            };
        }
        let q1 = self.shape.q[0];
        let (u, v) = (self.b[0] * (1.0 + tx * zeta), self.b[1] * (1.0 + ty * zeta));
        // The section point (ξ, η) is the gradient of the q1-norm.
        let (w, Circle { u: xi, v: eta, .. }) = Circle::normalised_dual(u, v, q1);
        let (du, dv) = (self.b[0] * tx, self.b[1] * ty);
        let w1 = xi * du + eta * dv;
        // This is the second derivative of the norm along (du, dv); a vanishing side contributes nothing.
        let side = |c: f64, u: f64, du: f64| if u > 0.0 { c * w / u * du * du } else { 0.0 };
        let w2 = (q1 - 1.0) / w * (side(xi, u, du) + side(eta, v, dv) - w1 * w1);
        Width {
            w,
            w1,
            w2: w2.max(0.0),
        }
    }

    /// Returns the profile point at dual angle ψ.
    fn profile(&self, psi: f64) -> Circle {
        let (s, c) = psi.sin_cos();
        Circle::from_dual(c.max(0.0), s, self.shape.q[1])
    }

    /// Returns the profile point at height ζ.
    fn profile_at_height(&self, zeta: f64) -> Circle {
        let p2 = self.shape.p[1];
        let rho = rho_at(zeta, p2);
        Circle {
            u: rho,
            v: zeta,
            u_dual: rho.powf(p2 - 1.0),
            v_dual: crate::shape::circle::signed_power(zeta, p2 - 1.0),
        }
    }

    fn value(&self, profile: &Circle) -> f64 {
        self.lift * profile.v + profile.u * self.width(profile.v).w
    }

    /// Returns r(ψ) and its derivative.
    fn residual(&self, psi: f64) -> (f64, f64) {
        let q2 = self.shape.q[1];
        let (s, c) = psi.sin_cos();
        let c = c.max(f64::MIN_POSITIVE);
        let (
            length,
            Circle {
                u: rho,
                v: zeta,
                u_dual,
                v_dual,
            },
        ) = Circle::normalised_dual(c, s, q2);
        let Width { w, w1, w2 } = self.width(zeta);
        let slope = self.lift + rho * w1;
        // These are the derivatives of the dual point (c, s)/length, whose norm has the gradient (ρ, ζ), and of its
        // dual.
        let d_length = zeta * c - rho * s;
        let d_v_dual = (c - v_dual * d_length) / length;
        let d_u_dual = (-s - u_dual * d_length) / length;
        let d_zeta = dual_derivative(zeta, v_dual, d_v_dual, q2);
        let d_rho = dual_derivative(rho, u_dual, d_u_dual, q2);
        let r = s * w - c * slope;
        let dr = c * w + s * slope + s * w1 * d_zeta - c * (d_rho * w1 + rho * w2 * d_zeta);
        (r, dr)
    }

    /// Returns the maximum between dual angles `low` and `high`, between which f is concave: by Newton's method on r,
    /// with a bisection where a step leaves the interval or steps do not halve (it could cycle: r bends both ways).
    fn concave_maximum(&self, mut low: f64, mut high: f64) -> Circle {
        const ITERATIONS: usize = 100;
        const CLOSE: f64 = 1e-10;
        // Two fixed-point steps from the equator are within Newton's reach.
        let mut psi = {
            let Width { w, w1, .. } = self.width(0.0);
            let first = (self.lift + w1).atan2(w);
            let Circle {
                u: rho, v: zeta, ..
            } = self.profile(first);
            let Width { w, w1, .. } = self.width(zeta);
            (self.lift + rho * w1).atan2(w)
        };
        psi = psi.clamp(low, high);
        let mut step = high - low;
        for _ in 0..ITERATIONS {
            let (r, dr) = self.residual(psi);
            if r == 0.0 {
                break;
            }
            if r > 0.0 {
                high = psi;
            } else {
                low = psi;
            }
            let newton = psi - r / dr;
            let halved = (newton - psi).abs() <= 0.5 * step;
            // A step of rounding may end outside the interval: ψ can be its end.
            let close = dr > 0.0 && (newton - psi).abs() < CLOSE;
            let taken = close || dr > 0.0 && newton > low && newton < high && halved;
            let next = if taken { newton } else { 0.5 * (low + high) };
            step = (next - psi).abs();
            psi = next;
            // Quadratic convergence: the error after the last step is of the order of its square.
            if close || high - low < 4.0 * f64::EPSILON {
                break;
            }
        }
        self.profile(psi)
    }

    /// Returns the maximum over heights in [low, high]: over the parts below and above the hollow band, in which f is
    /// concave, then over the band.
    fn maximum_on_slab(&self, low: f64, high: f64) -> Circle {
        let [hollow_low, hollow_high] = match self.shape.convexity() {
            Convexity::NonConvex { band, .. } => band,
            Convexity::Convex => [1.0, 1.0],
        };
        let (bottom, top) = (self.profile_at_height(low), self.profile_at_height(high));
        let below = (low < hollow_low).then(|| {
            let end = if high > hollow_low {
                self.profile_at_height(hollow_low)
            } else {
                top
            };
            self.maximum_on_concave_part(bottom, end)
        });
        let above = (high > hollow_high).then(|| {
            let end = if low < hollow_high {
                self.profile_at_height(hollow_high)
            } else {
                bottom
            };
            self.maximum_on_concave_part(end, top)
        });
        let best = match (below, above) {
            (Some(b), Some(a)) => {
                if self.value(&b) >= self.value(&a) {
                    b
                } else {
                    a
                }
            }
            (Some(c), None) | (None, Some(c)) => c,
            (None, None) => bottom,
        };
        let (low, high) = (low.max(hollow_low), high.min(hollow_high));
        if low < high {
            self.branch_and_bound(low, high, best)
        } else {
            best
        }
    }

    /// Returns the maximum between two profile points: an end, unless f rises from the first and falls towards the
    /// second.
    fn maximum_on_concave_part(&self, low: Circle, high: Circle) -> Circle {
        let angle = |c: &Circle| c.v_dual.atan2(c.u_dual);
        let (from, to) = (angle(&low), angle(&high));
        if low.u > 0.0 && self.residual(from).0 >= 0.0 {
            low
        } else if high.u > 0.0 && self.residual(to).0 <= 0.0 {
            high
        } else {
            self.concave_maximum(from, to)
        }
    }

    /// Returns the best of `known` and all profile points with heights in [low, high], to rounding.
    fn branch_and_bound(&self, low: f64, high: f64, known: Circle) -> Circle {
        const DEPTH: usize = 64;
        /// The difference of heights below which f has one maximum (which can still be a sharp one: near ζ = 0 the
        /// profile of a body with e2 near 2 turns within much less).
        const RESOLVED: f64 = 1e-9;
        let p2 = self.shape.p[1];
        let node = |zeta: f64| Node {
            zeta,
            rho: rho_at(zeta, p2),
            slope: rho_slope(zeta, p2),
            w: self.width(zeta).w,
        };
        let (first, last) = (node(low), node(high));
        let rounding = 4.0 * f64::EPSILON * (self.lift.abs() + first.w + last.w);
        if !rounding.is_finite() {
            // No bound would ever be low enough, and the value is NaN or infinite anyway.
            return known;
        }
        let mut best = Best {
            value: self.value(&known),
            at: known,
            node: None,
        };
        for x in [&first, &last] {
            best.offer(self.lift * x.zeta + x.rho * x.w, x.zeta);
        }
        let mut stack = [(first, last); DEPTH];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (l, r) = stack[count];
            let excess = segment_bound(self.lift, &l, &r) - (best.value + rounding);
            // The excess is NaN where sizes exceed the number range; no split would end that.
            if excess.is_nan() || excess <= 0.0 {
                continue;
            }
            if r.zeta - l.zeta < RESOLVED || count + 2 > DEPTH {
                self.refine(&mut best, l.zeta, r.zeta);
                continue;
            }
            let middle = node(0.5 * (l.zeta + r.zeta));
            best.offer(self.lift * middle.zeta + middle.rho * middle.w, middle.zeta);
            stack[count] = (l, middle);
            stack[count + 1] = (middle, r);
            count += 2;
        }
        if let Some(zeta) = best.node {
            // The value of a node is exact to rounding, its height to the square root of that.
            best.at = self.profile_at_height(zeta);
            let near = f64::EPSILON.sqrt();
            self.refine(&mut best, (zeta - near).max(low), (zeta + near).min(high));
        }
        best.at
    }

    /// Takes the maximum between two heights if it is better.
    fn refine(&self, best: &mut Best, low: f64, high: f64) {
        let [low, high] = [low, high].map(|zeta| self.profile_at_height(zeta));
        let found = self.maximum_on_concave_part(low, high);
        let value = self.value(&found);
        if value >= best.value {
            *best = Best {
                value,
                at: found,
                node: None,
            };
        }
    }

    /// Restores the signs of n and adds the section's point.
    fn finish(&self, profile: Circle) -> (f64, Circles) {
        let [tau_x, tau_y] = self.shape.taper_factors(profile.v);
        let mut section = match self.round {
            Some((_, section)) => section,
            None => Circle::from_dual(self.b[0] * tau_x, self.b[1] * tau_y, self.shape.q[0]),
        };
        if self.n.x < 0.0 {
            (section.u, section.u_dual) = (-section.u, -section.u_dual);
        }
        if self.n.y < 0.0 {
            (section.v, section.v_dual) = (-section.v, -section.v_dual);
        }
        (self.value(&profile), Circles { section, profile })
    }

    /// Returns the support for n along z (or zero): the pole.
    fn at_pole(&self) -> (f64, Circles) {
        self.finish(self.profile_at_height(1.0_f64.copysign(self.lift)))
    }
}

/// Returns ρ on the profile circle.
fn rho_at(zeta: f64, p2: f64) -> f64 {
    let s = zeta.abs();
    if s >= 1.0 {
        return 0.0;
    }
    // This is 1 − s^p2 without cancellation near s = 1.
    (-(p2 * s.ln()).exp_m1()).powf(1.0 / p2)
}

/// Returns dρ/dζ, which is infinite at the poles.
fn rho_slope(zeta: f64, p2: f64) -> f64 {
    let rho = rho_at(zeta, p2);
    -crate::shape::circle::signed_power(zeta, p2 - 1.0) / rho.powf(p2 - 1.0)
}

/// Returns the derivative of `u = |u'|^(q−1)` from that of u'.
fn dual_derivative(u: f64, u_dual: f64, d_u_dual: f64, q: f64) -> f64 {
    if u_dual != 0.0 {
        (q - 1.0) * u / u_dual * d_u_dual
    } else if q == 2.0 {
        d_u_dual
    } else {
        0.0
    }
}

/// The best point so far: a profile point, or (newer) a node's height.
struct Best {
    value: f64,
    at: Circle,
    node: Option<f64>,
}

impl Best {
    fn offer(&mut self, value: f64, zeta: f64) {
        if value > self.value {
            (self.value, self.node) = (value, Some(zeta));
        }
    }
}

#[derive(Clone, Copy)]
struct Node {
    zeta: f64,
    rho: f64,
    slope: f64,
    w: f64,
}

/// Returns an upper bound of `lift ζ + ρ W` between two heights: W lies below its chord and ρ below both its
/// tangents, so f lies below a quadratic on each side of the point where the tangents meet.
fn segment_bound(lift: f64, l: &Node, r: &Node) -> f64 {
    let width = r.zeta - l.zeta;
    let dw = (r.w - l.w) / width;
    // The parts are those in (slope + x·), with x = ζ − l.ζ from 0 to width.
    let meet = if !l.slope.is_finite() {
        0.0
    } else if !r.slope.is_finite() {
        width
    } else if l.slope > r.slope {
        ((r.rho - l.rho - r.slope * width) / (l.slope - r.slope)).clamp(0.0, width)
    } else {
        0.5 * width
    };
    let quadratic = |rho0: f64, slope: f64, from: f64, to: f64| {
        if from >= to {
            return f64::NEG_INFINITY;
        }
        // This is g(x) = lift (l.ζ + x) + (rho0 + slope x)(l.w + dw x).
        let g = |x: f64| lift * (l.zeta + x) + (rho0 + slope * x) * (l.w + dw * x);
        let mut most = g(from).max(g(to));
        let bend = slope * dw;
        if bend < 0.0 {
            let x = -(lift + rho0 * dw + slope * l.w) / (2.0 * bend);
            if x > from && x < to {
                most = most.max(g(x));
            }
        }
        most
    };
    quadratic(l.rho, l.slope, 0.0, meet).max(quadratic(
        r.rho - r.slope * width,
        r.slope,
        meet,
        width,
    ))
}
