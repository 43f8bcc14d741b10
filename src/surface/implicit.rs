//! The implicit form: the inside-outside function with its first and second derivatives.
//!
//! With `u = x/(a1 τx)`, `v = y/(a2 τy)`, `w = z/a3` and `ρ = (|u|^p1 + |v|^p1)^(1/p1)` the
//! function is `F = ρ^p2 + |w|^p2 − 1`. Written with the point (ξ, η) = (u, v)/ρ of the section
//! circle and its dual, its derivatives need no power of a vanishing sum:
//!
//! ```text
//! ∂ρ/∂u = ξ'        ∂²ρ/∂u² = (p1 − 1)(|ξ|^(p1−2) − ξ'²)/ρ        ∂²ρ/∂u∂v = −(p1 − 1) ξ'η'/ρ
//! ```
//!
//! and the taper enters through u(x, z) and v(y, z) alone.

use crate::Superovoid;
use crate::shape::circle::{Circle, norm, signed_power};
use crate::surface::circles::Circles;
use nalgebra::{Matrix3, Point3, Vector3};

impl Superovoid {
    /// Returns the inside-outside function F (Gonçalves et al. 2017, equation 5, with the −1 that it lacks there):
    /// negative inside, zero on the surface, positive outside. `point` is in the body's frame, metres; the value has
    /// no unit. F is infinite where `1 + t z/a3 ≤ 0`, beyond the tapered tip.
    pub fn inside_outside(&self, point: &Point3<f64>) -> f64 {
        let w = point.z / self.a[2];
        let [tau_x, tau_y] = self.taper_factors(w);
        if tau_x <= 0.0 || tau_y <= 0.0 {
            return f64::INFINITY;
        }
        let u = point.x / (self.a[0] * tau_x);
        let v = point.y / (self.a[1] * tau_y);
        norm(u, v, self.p[0]).powf(self.p[1]) + w.abs().powf(self.p[1]) - 1.0
    }

    /// Returns the nested norm of the point, `(F + 1)^(1/p2)`: 1 on the surface, and for an untapered body the factor
    /// by which the body must grow to reach the point. Unlike F it stays of the order of 1 for box-like bodies.
    #[doc(hidden)]
    pub fn gauge(&self, point: &Vector3<f64>) -> f64 {
        let w = point.z / self.a[2];
        let [tau_x, tau_y] = self.taper_factors(w);
        if tau_x <= 0.0 || tau_y <= 0.0 {
            return f64::INFINITY;
        }
        let rho = norm(
            point.x / (self.a[0] * tau_x),
            point.y / (self.a[1] * tau_y),
            self.p[0],
        );
        norm(rho, w, self.p[1])
    }

    /// Returns the circles of the surface point that is met when the coordinates (u, v, w) of a point, its height and
    /// section relative to the body, are scaled to gauge 1.
    pub(crate) fn circles_towards(&self, point: &Vector3<f64>) -> Circles {
        let w = (point.z / self.a[2]).clamp(-1.0, 1.0);
        let [tau_x, tau_y] = self.taper_factors(w);
        let (u, v) = (point.x / (self.a[0] * tau_x), point.y / (self.a[1] * tau_y));
        Circles {
            section: Circle::from_primal(u, v, self.p[0]),
            profile: Circle::from_primal(norm(u, v, self.p[0]), w, self.p[1]),
        }
    }

    /// Returns the gauge of a point, and the circles to which (u, v, w) is proportional with the gauge as factor. For
    /// an untapered body their surface point is on the ray from the centre through the point. Beyond the heights of
    /// the body the taper is that of its end, and the gauge is only guaranteed to be above 1.
    pub(crate) fn gauge_and_circles(&self, point: &Vector3<f64>) -> (f64, Circles) {
        let w = point.z / self.a[2];
        let [tau_x, tau_y] = self.taper_factors(w.clamp(-1.0, 1.0));
        let (u, v) = (point.x / (self.a[0] * tau_x), point.y / (self.a[1] * tau_y));
        let (rho, section) = Circle::normalised(u, v, self.p[0]);
        let (gauge, profile) = Circle::normalised(rho, w, self.p[1]);
        (gauge, Circles { section, profile })
    }

    /// Returns the gradient of [`Superovoid::inside_outside`], per metre: the direction of the outward normal. It is
    /// zero at the centre, and infinite or NaN beyond the tapered tip, where F is infinite.
    pub fn gradient(&self, point: &Point3<f64>) -> Vector3<f64> {
        self.derivatives(point).0
    }

    /// Returns the second derivatives of [`Superovoid::inside_outside`], per metre squared. Entries are infinite
    /// where the surface has a ridge (an exponent e > 1 and a coordinate of 0).
    pub fn hessian(&self, point: &Point3<f64>) -> Matrix3<f64> {
        self.derivatives(point).1
    }

    /// Returns the taper factors `[τx, τy] = [1 + tx ζ, 1 + ty ζ]`.
    pub(crate) fn taper_factors(&self, zeta: f64) -> [f64; 2] {
        [1.0 + self.t[0] * zeta, 1.0 + self.t[1] * zeta]
    }

    fn derivatives(&self, point: &Point3<f64>) -> (Vector3<f64>, Matrix3<f64>) {
        let [p1, p2] = self.p;
        let w = point.z / self.a[2];
        let x = half_width_ratio(point.x, self.a[0], self.t[0], w, self.a[2]);
        let y = half_width_ratio(point.y, self.a[1], self.t[1], w, self.a[2]);
        let rho = norm(x.value, y.value, p1);
        let Circle {
            u: xi,
            v: eta,
            u_dual: xi_dual,
            v_dual: eta_dual,
        } = Circle::from_primal(x.value, y.value, p1);

        let slope = p2 * rho.powf(p2 - 1.0); // ∂(ρ^p2)/∂ρ
        let bend = p2 * (p2 - 1.0) * rho.powf(p2 - 2.0); // ∂²(ρ^p2)/∂ρ²
        let turn = slope * (p1 - 1.0) / rho;
        let f_u = slope * xi_dual;
        let f_v = slope * eta_dual;
        let f_uu = bend * xi_dual * xi_dual + turn * (xi.abs().powf(p1 - 2.0) - xi_dual * xi_dual);
        let f_vv =
            bend * eta_dual * eta_dual + turn * (eta.abs().powf(p1 - 2.0) - eta_dual * eta_dual);
        let f_uv = (bend - turn) * xi_dual * eta_dual;
        let f_w = p2 * signed_power(w, p2 - 1.0);
        let f_ww = p2 * (p2 - 1.0) * w.abs().powf(p2 - 2.0);

        let (gu, gv) = (x.gradient(0), y.gradient(1));
        let gw = Vector3::new(0.0, 0.0, 1.0 / self.a[2]);
        let gradient = gu * f_u + gv * f_v + gw * f_w;
        let hessian = outer(f_uu, &gu, &gu)
            + outer(f_vv, &gv, &gv)
            + outer(f_uv, &gu, &gv)
            + outer(f_uv, &gv, &gu)
            + outer(f_ww, &gw, &gw)
            + x.hessian(0) * f_u
            + y.hessian(1) * f_v;
        (gradient, hessian)
    }
}

/// The quotient `u = x s(z)` with `s = 1/(a τ)`, and its derivatives by x and z.
struct WidthRatio {
    value: f64,
    in_x: f64,
    in_z: f64,
    in_xz: f64,
    in_zz: f64,
}

fn half_width_ratio(x: f64, a: f64, t: f64, w: f64, a3: f64) -> WidthRatio {
    let tau = 1.0 + t * w;
    let s = 1.0 / (a * tau);
    let rate = -t / (a3 * tau); // s'/s
    WidthRatio {
        value: x * s,
        in_x: s,
        in_z: x * s * rate,
        in_xz: s * rate,
        in_zz: 2.0 * x * s * rate * rate,
    }
}

impl WidthRatio {
    fn gradient(&self, axis: usize) -> Vector3<f64> {
        let mut g = Vector3::new(0.0, 0.0, self.in_z);
        g[axis] = self.in_x;
        g
    }

    fn hessian(&self, axis: usize) -> Matrix3<f64> {
        let mut h = Matrix3::zeros();
        h[(axis, 2)] = self.in_xz;
        h[(2, axis)] = self.in_xz;
        h[(2, 2)] = self.in_zz;
        h
    }
}

/// Returns `k a bᵀ`, where an infinite k times a zero component is 0 (a ridge has no curvature along directions that
/// do not cross it).
fn outer(k: f64, a: &Vector3<f64>, b: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::from_fn(|i, j| {
        let product = a[i] * b[j];
        if product == 0.0 { 0.0 } else { k * product }
    })
}
