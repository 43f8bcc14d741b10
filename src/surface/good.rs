//! Good coordinates of a surface point, in which Newton's method works for every exponent.
//!
//! A superovoid's surface point is a pair of nested circles (see [`crate::surface::circle`]). Newton
//! in surface points fails where an exponent exceeds 1 (ridges), Newton in normals where it is below 1
//! (flat faces). So each circle is held by its *good* coordinates `(g, h)`: the point (u, v) itself
//! where p ≥ 2 and its dual (u', v') where p < 2. Either way they run on a P-circle with
//! `P = max(p, q) ≥ 2`, a C² curve, along which
//!
//! ```text
//! (dg, dh) = (−h', g'),   dg' = (P − 1) |g|^(P−2) dg,   g' = |g|^(P−2) g
//! ```

use crate::Superovoid;
use crate::surface::circle::{Circle, Circles};
use nalgebra::Vector3;

/// The good coordinates of a body's two circles, `[section, profile]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub(crate) struct State {
    pub g: [f64; 2],
    pub h: [f64; 2],
}

impl State {
    /// State of a given surface point.
    pub fn of(shape: &Superovoid, circles: &Circles) -> State {
        let good = |c: &Circle, p: f64| {
            if is_primal(p) {
                (c.u, c.v)
            } else {
                (c.u_dual, c.v_dual)
            }
        };
        let (g1, h1) = good(&circles.section, shape.p[0]);
        let (g2, h2) = good(&circles.profile, shape.p[1]);
        State {
            g: [g1, g2],
            h: [h1, h2],
        }
    }

    /// The surface point of this state.
    pub fn circles(&self, shape: &Superovoid) -> Circles {
        let circle = |i: usize| {
            if is_primal(shape.p[i]) {
                Circle::from_primal(self.g[i], self.h[i], shape.p[i])
            } else {
                Circle::from_dual(self.g[i], self.h[i], shape.q[i])
            }
        };
        Circles {
            section: circle(0),
            profile: circle(1),
        }
    }
}

/// Whether the good coordinates are the point itself.
fn is_primal(p: f64) -> bool {
    p >= 2.0
}

/// A body with what Newton needs of it per query.
pub(crate) struct Body<'a> {
    shape: &'a Superovoid,
    inverse_a: [f64; 3],
    /// P = max(p, q) of both circles.
    pub power: [f64; 2],
    /// Whether the good coordinates are the point itself.
    primal: [bool; 2],
}

impl<'a> Body<'a> {
    pub fn new(shape: &'a Superovoid) -> Self {
        let power = [0, 1].map(|i| shape.p[i].max(shape.q[i]));
        let primal = shape.p.map(is_primal);
        Body {
            shape,
            inverse_a: shape.a.map(|a| 1.0 / a),
            power,
            primal,
        }
    }

    /// A point between the one in direction v from the centre and the one with normal v, as the
    /// weighted geometric mean of their good coordinates.
    ///
    /// For a coordinate with semi-axis a the point in direction v has u ∝ |v|/a, the one with
    /// normal v has u' ∝ a |v|; one of the two is good itself, the other is raised to 1/(P−1).
    pub fn guess(&self, v: &Vector3<f64>) -> State {
        const OWN: f64 = 0.4;
        let a = &self.shape.a;
        let mean = (a[0] * a[1]).sqrt();
        let radial = v.x.hypot(v.y);
        let coordinate = |circle: usize, v: f64, a: f64| {
            let other = (1.0 - OWN) / (self.power[circle] - 1.0);
            let weight = if self.primal[circle] {
                other - OWN
            } else {
                OWN - other
            };
            (OWN + other) * v.abs().max(1e-60).ln() + weight * a.ln()
        };
        let pair = |circle: usize, v: (f64, f64), a: (f64, f64)| {
            let (g, h) = (coordinate(circle, v.0, a.0), coordinate(circle, v.1, a.1));
            let most = g.max(h);
            (
                (g - most).exp().copysign(v.0),
                (h - most).exp().copysign(v.1),
            )
        };
        let (g1, h1) = pair(0, (v.x, v.y), (a[0], a[1]));
        let (g2, h2) = pair(1, (radial, v.z), (mean, a[2]));
        State {
            g: [g1, g2],
            h: [h1, h2],
        }
    }
}

/// A circle at its good coordinates: the point, its dual, and their derivatives along the tangent.
struct Turned {
    good: Good,
    /// |g|^(P−2).
    power_g: f64,
    point: Circle,
    tangent: Circle,
    /// δ = |g|^P + |h|^P − 1 before normalisation, 0 where that was exact.
    excess: f64,
}

/// Good coordinates and their tangent.
#[derive(Clone, Copy)]
pub(crate) struct Good {
    g: f64,
    h: f64,
    dg: f64,
    dh: f64,
}

/// Puts (g, h) on the circle and evaluates it, with two powers.
///
/// With s = |g|^P + |h|^P = 1 + δ the point is (g, h) s^(−1/P). Near the circle both powers of s
/// are replaced by rational functions that are right to O(δ³), an error which vanishes
/// quadratically with the steps and is part of the residual.
#[inline(always)]
fn turn(g: f64, h: f64, power: f64, primal: bool) -> Turned {
    let (g_power, h_power) = if power == 2.0 {
        (1.0, 1.0)
    } else {
        (raise(g, power - 2.0), raise(h, power - 2.0))
    };
    let s = g_power * g * g + h_power * h * h;
    let near = (s - 1.0).abs() < 0.01;
    let excess = if near && power != 2.0 { s - 1.0 } else { 0.0 };
    let (k, k_power) = if power == 2.0 {
        (1.0 / s.sqrt(), 1.0)
    } else if near {
        (
            (2.0 * power + (power - 1.0) * excess) / (2.0 * power + (power + 1.0) * excess),
            (power + excess) / (power + (power - 1.0) * excess),
        )
    } else {
        let k = s.powf(-1.0 / power);
        (k, 1.0 / (s * k * k))
    };
    let (g, h) = (g * k, h * k);
    let (power_g, power_h) = (g_power * k_power, h_power * k_power);
    let (g_dual, h_dual) = (power_g * g, power_h * h);
    let (dg, dh) = (-h_dual, g_dual);
    let (dg_dual, dh_dual) = ((power - 1.0) * power_g * dg, (power - 1.0) * power_h * dh);
    let point = Circle {
        u: g,
        v: h,
        u_dual: g_dual,
        v_dual: h_dual,
    };
    let tangent = Circle {
        u: dg,
        v: dh,
        u_dual: dg_dual,
        v_dual: dh_dual,
    };
    let (point, tangent) = if primal {
        (point, tangent)
    } else {
        (swap(point), swap(tangent))
    };
    Turned {
        good: Good { g, h, dg, dh },
        power_g,
        point,
        tangent,
        excess,
    }
}

/// |x|^k for k > 0 and |x| of the order of 1 or less. Two thirds of the cost of `powf`; its relative
/// error, k |log2 x| units in the last place, is large only where the power itself is negligible.
#[inline(always)]
fn raise(x: f64, k: f64) -> f64 {
    (k * x.abs().log2()).exp2()
}

#[inline(always)]
fn swap(c: Circle) -> Circle {
    Circle {
        u: c.u_dual,
        v: c.v_dual,
        u_dual: c.u,
        v_dual: c.v,
    }
}

/// Surface point, normal (times τx τy) and their derivatives along the two tangents: `[0]` around
/// the section, for a step of good length in the plane of the section (divided by the profile's
/// good radius, so that it does not vanish at the poles), `[1]` along the profile.
pub(crate) struct Surface {
    pub x: Vector3<f64>,
    pub n: Vector3<f64>,
    pub dx: [Vector3<f64>; 2],
    pub dn: [Vector3<f64>; 2],
    section: Good,
    profile: Good,
    /// Σ δ⁶/576 of both circles.
    pub off_circle: f64,
}

#[inline]
pub(crate) fn evaluate(body: &Body, state: &State) -> Surface {
    let section = turn(state.g[0], state.h[0], body.power[0], body.primal[0]);
    let profile = turn(state.g[1], state.h[1], body.power[1], body.primal[1]);
    let a = &body.shape.a;
    let i = &body.inverse_a;
    let [tx, ty] = body.shape.t;
    let Circle {
        u: xi,
        v: eta,
        u_dual: xi_,
        v_dual: eta_,
    } = section.point;
    let Circle {
        u: d_xi,
        v: d_eta,
        u_dual: d_xi_,
        v_dual: d_eta_,
    } = section.tangent;
    let Circle {
        u: rho,
        v: zeta,
        u_dual: rho_,
        v_dual: zeta_,
    } = profile.point;
    let Circle {
        u: d_rho,
        v: d_zeta,
        u_dual: d_rho_,
        v_dual: d_zeta_,
    } = profile.tangent;
    // ρ/r and ρ'/r with r = g of the profile.
    let (rho_r, rho_r_) = if body.primal[1] {
        (1.0, profile.power_g)
    } else {
        (profile.power_g, 1.0)
    };

    let (tau_x, tau_y) = (1.0 + tx * zeta, 1.0 + ty * zeta);
    // n3 a3 = τx τy ζ' − κ E,   κ = ρρ',   E = ξξ' tx τy + ηη' ty τx.
    let kappa = rho * rho_;
    let widening = xi * xi_ * tx * tau_y + eta * eta_ * ty * tau_x;
    let (wide_x, wide_y) = (a[0] * xi, a[1] * eta);
    let (steep_x, steep_y) = (i[0] * xi_, i[1] * eta_);
    let x = Vector3::new(wide_x * tau_x * rho, wide_y * tau_y * rho, a[2] * zeta);
    let n = Vector3::new(
        steep_x * tau_y * rho_,
        steep_y * tau_x * rho_,
        i[2] * (tau_x * tau_y * zeta_ - kappa * widening),
    );

    // Around the section: ξξ' + ηη' = 1, so the two parts of E change by opposite amounts.
    let shift = (d_xi * xi_ + xi * d_xi_) * (tx * tau_y - ty * tau_x);
    let dx_around = Vector3::new(
        a[0] * tau_x * rho_r * d_xi,
        a[1] * tau_y * rho_r * d_eta,
        0.0,
    );
    let dn_around = Vector3::new(
        i[0] * tau_y * rho_r_ * d_xi_,
        i[1] * tau_x * rho_r_ * d_eta_,
        -i[2] * profile.good.g * profile.power_g * shift,
    );

    // Along the profile.
    let (d_tau_x, d_tau_y) = (tx * d_zeta, ty * d_zeta);
    let d_kappa = d_rho * rho_ + rho * d_rho_;
    let d_widening = tx * ty * d_zeta * (xi * xi_ + eta * eta_);
    let dx_along = Vector3::new(
        wide_x * (tau_x * d_rho + rho * d_tau_x),
        wide_y * (tau_y * d_rho + rho * d_tau_y),
        a[2] * d_zeta,
    );
    let dn_along = Vector3::new(
        steep_x * (tau_y * d_rho_ + rho_ * d_tau_y),
        steep_y * (tau_x * d_rho_ + rho_ * d_tau_x),
        i[2] * (tau_x * tau_y * d_zeta_ + (d_tau_x * tau_y + tau_x * d_tau_y) * zeta_
            - d_kappa * widening
            - kappa * d_widening),
    );
    let off = |excess: f64| {
        let cube = excess * excess * excess;
        cube * cube / 576.0
    };
    Surface {
        x,
        n,
        dx: [dx_around, dx_along],
        dn: [dn_around, dn_along],
        off_circle: off(section.excess) + off(profile.excess),
        section: section.good,
        profile: profile.good,
    }
}

/// Moves the state by `around` and `along` the two tangents.
///
/// In the section's plane the good vector is r (g1, h1), so the step goes to
/// `(r + along·dr)(g1, h1) + around·(dg1, dh1)`. While it turns by little its direction is followed
/// to first order (the next evaluation normalises); past that, near a pole, the plane vector
/// itself is split again.
pub(crate) fn advance(surface: &Surface, power: f64, around: f64, along: f64) -> State {
    let Surface {
        section, profile, ..
    } = surface;
    let radius = profile.g + along * profile.dg;
    let h2 = profile.h + along * profile.dh;
    if around.abs() <= 0.5 * radius.abs() {
        let turn = around / radius;
        return State {
            g: [section.g + turn * section.dg, radius],
            h: [section.h + turn * section.dh, h2],
        };
    }
    let plane = (
        radius * section.g + around * section.dg,
        radius * section.h + around * section.dh,
    );
    let length = crate::surface::circle::norm(plane.0, plane.1, power);
    if length == 0.0 {
        return State {
            g: [section.g, 0.0],
            h: [section.h, h2],
        };
    }
    State {
        g: [plane.0 / length, length],
        h: [plane.1 / length, h2],
    }
}
