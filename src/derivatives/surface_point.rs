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

use super::circle::CircleByExponent;
use crate::Superovoid;
use crate::surface::primal_dual::{Place, Surface, SurfaceState};
use nalgebra::{Matrix3, SMatrix, Vector3};

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
    /// The circles of a [`Place`], of which `pick` takes one body's two numbers. The tangents are (−h', g').
    pub fn of<W: Copy>(place: &Place<W>, pick: impl Fn(W) -> [f64; 2]) -> Self {
        let at = &place.coordinates;
        let tangent = &place.tangent;
        CirclesAt {
            coordinates: SurfaceState {
                g: pick(at.g),
                h: pick(at.h),
            },
            duals: SurfaceState {
                g: pick(tangent.h),
                h: pick(tangent.g).map(|x| -x),
            },
        }
    }
}

impl SurfacePoint {
    /// The surface point of one body from an evaluation of its surface, whose vectors `pick` takes from the lanes, and
    /// the rotation from the body's frame to the common one.
    pub fn new<W: crate::lanes::Halves>(
        surface: &Surface<W>,
        circles: CirclesAt,
        rotation: &Matrix3<f64>,
        pick: impl Fn(W::Half) -> f64,
    ) -> Self {
        let turned = |v: &[W::Half; 3]| rotation * Vector3::from(v.map(&pick));
        let n = turned(&surface.n);
        let length = n.norm();
        SurfacePoint {
            x: turned(&surface.x),
            normal: n / length,
            dx: [turned(&surface.dx[0]), turned(&surface.dx[1])],
            d_normal: [
                turned(&surface.dn[0]) / length,
                turned(&surface.dn[1]) / length,
            ],
            circles,
            length,
        }
    }
}

/// The derivatives of a surface point and its normal by the seven numbers of the shape, in the body's frame, at fixed
/// primal-dual coordinates.
pub(super) struct ByShape {
    /// Of the point: metres per unit of each parameter.
    pub x: [Vector3<f64>; PARAMETERS],
    /// Of N (of length `SurfacePoint::length`).
    pub n: [Vector3<f64>; PARAMETERS],
    section: CircleByExponent,
    profile: CircleByExponent,
}

impl ByShape {
    #[inline]
    pub fn new(shape: &Superovoid, circles: &CirclesAt) -> Self {
        let at = |i: usize| {
            let (c, d) = (&circles.coordinates, &circles.duals);
            CircleByExponent::new([c.g[i], c.h[i]], [d.g[i], d.h[i]], [shape.p[i], shape.q[i]])
        };
        let (section, profile) = (at(0), at(1));
        ByShape {
            x: point_by_shape(shape, &section, &profile),
            n: normal_by_shape(shape, &section, &profile),
            section,
            profile,
        }
    }

    /// n·∂²x/∂θ∂θ' for a vector n of the body's frame.
    pub fn second(
        &self,
        shape: &Superovoid,
        n: &Vector3<f64>,
    ) -> SMatrix<f64, PARAMETERS, PARAMETERS> {
        let (a, t) = (shape.a, shape.t);
        let (s, p) = (&self.section, &self.profile);
        let (rho, zeta) = (p.u, p.v);
        let mut hessian = SMatrix::zeros();
        let mut add = |i: usize, j: usize, value: f64| {
            hessian[(i, j)] += value;
            if i != j {
                hessian[(j, i)] += value;
            }
        };
        for (k, circle) in [s.u, s.v].into_iter().enumerate() {
            let (semi_axis, taper) = (a[k], t[k]);
            let tau = 1.0 + taper * zeta.value;
            let width = |order: usize| match order {
                0 => tau * rho.value,
                1 => taper * zeta.first * rho.value + tau * rho.first,
                _ => {
                    taper * (zeta.second * rho.value + 2.0 * zeta.first * rho.first)
                        + tau * rho.second
                }
            };
            let n = n[k];
            let (axis, by_taper) = (k, 5 + k);
            add(axis, by_taper, n * zeta.value * rho.value * circle.value);
            add(axis, 3, n * width(0) * circle.first);
            add(axis, 4, n * width(1) * circle.value);
            let n = n * semi_axis;
            add(by_taper, 3, n * zeta.value * rho.value * circle.first);
            add(by_taper, 4, n * zeta.times(rho).first * circle.value);
            add(3, 3, n * width(0) * circle.second);
            add(3, 4, n * width(1) * circle.first);
            add(4, 4, n * width(2) * circle.value);
        }
        add(2, 4, n.z * zeta.first);
        add(4, 4, n.z * a[2] * zeta.second);
        hessian
    }
}

/// ∂x/∂(a1 a2 a3 e1 e2 tx ty).
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
