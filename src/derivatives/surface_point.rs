//! A surface point with its derivatives: along the surface, and by the seven numbers of the shape.
//!
//! Everything is taken at fixed primal-dual coordinates w ([`crate::surface::primal_dual`]), in which point and normal
//! are differentiable everywhere on a superovoid, flat faces and ridges included. With the two circles (ξ, η) and
//! (ρ, ζ), their duals marked by ', and τ = 1 + t ζ,
//!
//! ```text
//! x = ( a1 τx ρ ξ,  a2 τy ρ η,  a3 ζ )
//! N = ( τy ρ'ξ'/a1,  τx ρ'η'/a2,  (τx τy ζ' − κ E)/a3 )      κ = ρρ',   E = ξξ' tx τy + ηη' ty τx
//! ```
//!
//! are polynomials in the circles' numbers, whose derivatives by e1 and e2 [`circle`](super::circle) has.

use super::axes::to_common;
use super::circle::{ByExponent, CircleByExponent};
use crate::Superovoid;
use crate::lanes::{Lanes, to_array};
use crate::surface::primal_dual::{Surface, SurfacePlace, SurfaceState};
use fearless_simd::{Simd, SimdInto, f64x2, f64x4};
use nalgebra::{Matrix3, SMatrix, Vector3};
use std::f64::consts::LN_2;

/// The number of parameters of a shape: a1 a2 a3 e1 e2 tx ty.
pub(super) const PARAMETERS: usize = 7;

/// A surface point of a body in the axes of the common frame, relative to the body's own centre.
pub(super) struct SurfacePoint {
    pub x: Vector3<f64>,
    /// The outward unit normal.
    pub normal: Vector3<f64>,
    /// Derivatives of the point along the two tangents, and of the normal but for what lies along the normal.
    pub dx: [Vector3<f64>; 2],
    pub d_normal: [Vector3<f64>; 2],
    /// The numbers of the two circles, from which the derivatives by the shape are made.
    pub circles: CirclesAt,
    /// |N|, by which the normal was divided.
    pub length: f64,
}

/// Primal-dual coordinates that are on their circles and the duals of these, `[section, profile]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct CirclesAt {
    pub coordinates: SurfaceState,
    pub duals: SurfaceState,
}

impl CirclesAt {
    /// The circles of one body of a [`SurfacePlace`]. The tangents are (−h', g').
    #[inline(always)]
    fn of<S: Simd>(place: &SurfacePlace<f64x4<S>>, body: usize) -> Self {
        let (at, tangent) = (&place.coordinates, &place.tangent);
        let [dual_h, dual_h_above] = of_body(tangent.g, body);
        CirclesAt {
            coordinates: SurfaceState {
                g: of_body(at.g, body),
                h: of_body(at.h, body),
            },
            duals: SurfaceState {
                g: of_body(tangent.h, body),
                h: [-dual_h, -dual_h_above],
            },
        }
    }
}

/// The section's and the profile's number of a body, from lanes that hold those of both bodies in turn.
#[inline(always)]
fn of_body<S: Simd>(lanes: f64x4<S>, body: usize) -> [f64; 2] {
    let lanes = to_array(lanes);
    [lanes[body], lanes[body + 2]]
}

impl SurfacePoint {
    /// The surface point of one body from an evaluation of both surfaces, and the rotation from the body's frame to the
    /// common one.
    #[inline(always)]
    pub fn new<S: Simd>(surface: &Surface<f64x4<S>>, rotation: &Matrix3<f64>, body: usize) -> Self {
        let n = turned(rotation, &surface.n, body);
        let length = n.norm();
        SurfacePoint {
            x: turned(rotation, &surface.x, body),
            normal: n / length,
            dx: [
                turned(rotation, &surface.dx[0], body),
                turned(rotation, &surface.dx[1], body),
            ],
            d_normal: [
                turned(rotation, &surface.dn[0], body) / length,
                turned(rotation, &surface.dn[1], body) / length,
            ],
            circles: CirclesAt::of(&surface.place, body),
            length,
        }
    }
}

#[inline(always)]
fn turned<S: Simd>(rotation: &Matrix3<f64>, v: &[f64x2<S>; 3], body: usize) -> Vector3<f64> {
    let v = Vector3::new(
        to_array(v[0])[body],
        to_array(v[1])[body],
        to_array(v[2])[body],
    );
    to_common(rotation, &v)
}

/// The derivatives of a surface point and its normal by the seven numbers of the shape, in the body's frame, at fixed
/// primal-dual coordinates.
#[derive(Clone, Copy)]
pub(super) struct ByShape {
    /// Of the point: metres per unit of each parameter.
    pub x: [Vector3<f64>; PARAMETERS],
    /// Of N (of length `SurfacePoint::length`).
    pub n: [Vector3<f64>; PARAMETERS],
    section: CircleByExponent,
    profile: CircleByExponent,
}

impl ByShape {
    /// The derivatives of A and, where B is a superovoid, of B.
    #[inline(always)]
    pub fn of_pair<S: Simd>(
        simd: S,
        shapes: &[Superovoid; 2],
        points: &[SurfacePoint; 2],
        with_b: bool,
    ) -> [Option<Self>; 2] {
        let (a, b) = (&points[0].circles, &points[1].circles);
        let a = ByShape::new(&shapes[0], a, logarithms(simd, &a.coordinates));
        if !with_b {
            return [Some(a), None];
        }
        let b = ByShape::new(&shapes[1], b, logarithms(simd, &b.coordinates));
        [Some(a), Some(b)]
    }

    /// `logarithms` are those of the coordinates g and h of the section, then of the profile.
    #[inline(always)]
    fn new(shape: &Superovoid, circles: &CirclesAt, logarithms: [f64; 4]) -> Self {
        let (c, d) = (&circles.coordinates, &circles.duals);
        let [g0, h0, g1, h1] = logarithms;
        let (p, q) = (shape.p, shape.q);
        let section =
            CircleByExponent::new([c.g[0], c.h[0]], [g0, h0], [d.g[0], d.h[0]], [p[0], q[0]]);
        let profile =
            CircleByExponent::new([c.g[1], c.h[1]], [g1, h1], [d.g[1], d.h[1]], [p[1], q[1]]);
        ByShape {
            x: point_by_shape(shape, &section, &profile),
            n: normal_by_shape(shape, &section, &profile),
            section,
            profile,
        }
    }

    /// n·∂²x/∂θ∂θ' for a vector n of the body's frame.
    #[inline(always)]
    pub fn second(
        &self,
        shape: &Superovoid,
        n: &Vector3<f64>,
    ) -> SMatrix<f64, PARAMETERS, PARAMETERS> {
        let (a, t) = (shape.a, shape.t);
        let (s, p) = (&self.section, &self.profile);
        let (rho, zeta) = (p.u, p.v);
        let mut hessian = SMatrix::zeros();
        for k in 0..2 {
            let circle = if k == 0 { s.u } else { s.v };
            let (semi_axis, taper) = (a[k], t[k]);
            let tau = 1.0 + taper * zeta.value;
            // (1 + t ζ) ρ with its derivatives by e2.
            let width = ByExponent {
                value: tau,
                first: taper * zeta.first,
                second: taper * zeta.second,
            }
            .times(rho);
            let n = n[k];
            let (axis, by_taper) = (k, 5 + k);
            add(
                &mut hessian,
                axis,
                by_taper,
                n * zeta.value * rho.value * circle.value,
            );
            add(&mut hessian, axis, 3, n * width.value * circle.first);
            add(&mut hessian, axis, 4, n * width.first * circle.value);
            let n = n * semi_axis;
            add(
                &mut hessian,
                by_taper,
                3,
                n * zeta.value * rho.value * circle.first,
            );
            add(
                &mut hessian,
                by_taper,
                4,
                n * zeta.times(rho).first * circle.value,
            );
            add(&mut hessian, 3, 3, n * width.value * circle.second);
            add(&mut hessian, 3, 4, n * width.first * circle.first);
            add(&mut hessian, 4, 4, n * width.second * circle.value);
        }
        add(&mut hessian, 2, 4, n.z * zeta.first);
        add(&mut hessian, 4, 4, n.z * a[2] * zeta.second);
        hessian
    }
}

/// Returns the logarithms of |g| and |h| of both circles, of 0 a large negative number.
#[inline(always)]
fn logarithms<S: Simd>(simd: S, at: &SurfaceState) -> [f64; 4] {
    let numbers: f64x4<S> = [at.g[0], at.h[0], at.g[1], at.h[1]].simd_into(simd);
    let least = Lanes::splat(numbers, f64::MIN_POSITIVE);
    to_array(Lanes::log2(Lanes::max(Lanes::abs(numbers), least)) * LN_2)
}

#[inline(always)]
fn add(to: &mut SMatrix<f64, PARAMETERS, PARAMETERS>, i: usize, j: usize, value: f64) {
    to[(i, j)] += value;
    if i != j {
        to[(j, i)] += value;
    }
}

/// ∂x/∂(a1 a2 a3 e1 e2 tx ty).
#[inline(always)]
fn point_by_shape(
    shape: &Superovoid,
    s: &CircleByExponent,
    p: &CircleByExponent,
) -> [Vector3<f64>; PARAMETERS] {
    let ([a1, a2, a3], [tx, ty]) = (shape.a, shape.t);
    let (rho, zeta) = (p.u, p.v);
    let (tau_x, tau_y) = (1.0 + tx * zeta.value, 1.0 + ty * zeta.value);
    let width_x = tx * zeta.first * rho.value + tau_x * rho.first;
    let width_y = ty * zeta.first * rho.value + tau_y * rho.first;
    let (xi, eta) = (s.u, s.v);
    let r = rho.value;
    [
        Vector3::new(tau_x * r * xi.value, 0.0, 0.0),
        Vector3::new(0.0, tau_y * r * eta.value, 0.0),
        Vector3::new(0.0, 0.0, zeta.value),
        Vector3::new(a1 * tau_x * r * xi.first, a2 * tau_y * r * eta.first, 0.0),
        Vector3::new(
            a1 * width_x * xi.value,
            a2 * width_y * eta.value,
            a3 * zeta.first,
        ),
        Vector3::new(a1 * zeta.value * r * xi.value, 0.0, 0.0),
        Vector3::new(0.0, a2 * zeta.value * r * eta.value, 0.0),
    ]
}

/// ∂N/∂(a1 a2 a3 e1 e2 tx ty).
#[inline(always)]
fn normal_by_shape(
    shape: &Superovoid,
    s: &CircleByExponent,
    p: &CircleByExponent,
) -> [Vector3<f64>; PARAMETERS] {
    let ([a1, a2, a3], [tx, ty]) = (shape.a, shape.t);
    let (rho, zeta, rho_dual, zeta_dual) = (p.u, p.v, p.u_dual, p.v_dual);
    let z = zeta.value;
    let (tau_x, tau_y) = (1.0 + tx * z, 1.0 + ty * z);
    let (d_tau_x, d_tau_y) = (tx * zeta.first, ty * zeta.first);
    let (share_x, share_y) = (s.u.times(s.u_dual), s.v.times(s.v_dual));
    let kappa = rho.times(rho_dual);
    let (across_x, across_y) = (tx * tau_y, ty * tau_x);
    let widening = share_x.value * across_x + share_y.value * across_y;
    let (xi_dual, eta_dual) = (s.u_dual, s.v_dual);
    let n = Vector3::new(
        tau_y * rho_dual.value * xi_dual.value / a1,
        tau_x * rho_dual.value * eta_dual.value / a2,
        (tau_x * tau_y * zeta_dual.value - kappa.value * widening) / a3,
    );
    let by_e1 = Vector3::new(
        tau_y * rho_dual.value * xi_dual.first / a1,
        tau_x * rho_dual.value * eta_dual.first / a2,
        -kappa.value * (share_x.first * across_x + share_y.first * across_y) / a3,
    );
    let d_widening = share_x.value * tx * d_tau_y + share_y.value * ty * d_tau_x;
    let by_e2 = Vector3::new(
        (d_tau_y * rho_dual.value + tau_y * rho_dual.first) * xi_dual.value / a1,
        (d_tau_x * rho_dual.value + tau_x * rho_dual.first) * eta_dual.value / a2,
        ((d_tau_x * tau_y + tau_x * d_tau_y) * zeta_dual.value + tau_x * tau_y * zeta_dual.first
            - kappa.first * widening
            - kappa.value * d_widening)
            / a3,
    );
    let by_tx = Vector3::new(
        0.0,
        z * rho_dual.value * eta_dual.value / a2,
        (z * tau_y * zeta_dual.value
            - kappa.value * (share_x.value * tau_y + share_y.value * ty * z))
            / a3,
    );
    let by_ty = Vector3::new(
        z * rho_dual.value * xi_dual.value / a1,
        0.0,
        (z * tau_x * zeta_dual.value
            - kappa.value * (share_y.value * tau_x + share_x.value * tx * z))
            / a3,
    );
    [
        Vector3::new(-n.x / a1, 0.0, 0.0),
        Vector3::new(0.0, -n.y / a2, 0.0),
        Vector3::new(0.0, 0.0, -n.z / a3),
        by_e1,
        by_e2,
        by_tx,
        by_ty,
    ]
}
