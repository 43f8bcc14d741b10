//! Newton's method on the two pairs of circles.
//!
//! # State
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
//!
//! # System
//!
//! In a frame (t, b, n) fixed about the centre line (or the last normal), let
//! `m = (N·t, N·b)/(N·n)` be the gnomonic chart of a normal N, for B of its opposite, and
//! `d = x_B − x_A`. The four equations in two tangent steps for each body are
//!
//! ```text
//! e = m_B − m_A = 0                          the normals are opposed
//! γ = (d·t, d·b) − m̄ (d·n) = 0,  m̄ = (m_A + m_B)/2     d is parallel to them
//! ```
//!
//! Along a tangent, `dm = dN·τ/(N·n)²` with `τ = (N·n) t − (N·t) n` (and the same for b), and
//! `dγ` follows with each body's own m in place of the mean, which is the same at the solution.
//! With D = dN·τ and X = (N·n) dx·τ + ½ (d·n) D for each body and the step y scaled by (N·n)²,
//!
//! ```text
//! | D_A  −D_B | | y_A |   | e |
//! | X_A   X_B | | y_B | = | γ |
//! ```
//!
//! solved by 2×2 blocks with one division.

use crate::Superovoid;
use crate::pair::PairCache;
use crate::pair::problem::Problem;
use crate::surface::circle::{Circle, Circles};
use nalgebra::{Matrix3, Vector3};

/// A stationary pair of points: normals opposed, difference parallel to them.
#[derive(Clone, Copy)]
pub(crate) struct Stationary {
    pub xa: Vector3<f64>,
    pub xb: Vector3<f64>,
    /// Unit mean of A's normal and B's opposite one.
    pub normal: Vector3<f64>,
    /// |e|, which bounds the angle between each normal and the mean from above (times two).
    pub mismatch: f64,
    /// The states are so near their circles that the points are on the surfaces to rounding.
    pub on_surface: bool,
    pub states: [State; 2],
}

/// How far the witnesses may lie beside the line along the normal (relative to the larger body) and
/// still be moved onto it: the surfaces curve away by a square of it.
pub(crate) const ALIGNED: f64 = 1e-9;

impl Stationary {
    /// What is left of x_B − x_A beside the normal.
    pub fn offset(&self) -> f64 {
        let d = self.xb - self.xa;
        (d - self.normal * d.dot(&self.normal)).norm()
    }
}

/// The good coordinates of a body's two circles, `[section, profile]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

/// Norm of the residual at which a solution counts as exact; rounding of the powers leaves about
/// 1e-14.
const CONVERGED: f64 = 1e-11;
/// Relative error of the circles' normalisation that counts as none.
const ON_SURFACE: f64 = 1e-13;
/// Longest step in (g, h).
const LONGEST_STEP: f64 = 0.6;
/// A step that raises the merit by more than this factor (of its square) is shortened, by
/// `SHORTENING`, at most `SHORTENINGS` times.
const ACCEPTED_GROWTH: f64 = 1.44;
const SHORTENING: f64 = 0.35;
const SHORTENINGS: u32 = 3;
/// Beyond this |m| the chart is moved to the current normal.
const CHART_LIMIT: f64 = 1.0;

/// A body with what Newton needs of it per query.
struct Body<'a> {
    shape: &'a Superovoid,
    inverse_a: [f64; 3],
    /// P = max(p, q) of both circles.
    power: [f64; 2],
    /// Whether the good coordinates are the point itself.
    primal: [bool; 2],
}

impl<'a> Body<'a> {
    fn new(shape: &'a Superovoid) -> Self {
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
    fn guess(&self, v: &Vector3<f64>) -> State {
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
struct Good {
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
struct Surface {
    x: Vector3<f64>,
    n: Vector3<f64>,
    dx: [Vector3<f64>; 2],
    dn: [Vector3<f64>; 2],
    section: Good,
    profile: Good,
    /// Σ δ⁶/576 of both circles.
    off_circle: f64,
}

#[inline]
fn evaluate(body: &Body, state: &State) -> Surface {
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
fn advance(surface: &Surface, power: f64, around: f64, along: f64) -> State {
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

/// The chart's frame, `(t, b, n)`, in A's coordinates and, negated, in B's.
struct Frame {
    axes: [Matrix3<f64>; 2],
    /// Centre of B along t, b, n.
    center: Vector3<f64>,
}

impl Frame {
    fn about(n: &Vector3<f64>, problem: &Problem) -> Frame {
        // Rows t, b, n of a rotation, by the formula of Duff et al. 2017 (branchless, no pole).
        let sign = 1.0_f64.copysign(n.z);
        let k = -1.0 / (sign + n.z);
        let xy = n.x * n.y * k;
        let axes = Matrix3::new(
            1.0 + sign * n.x * n.x * k,
            sign * xy,
            -sign * n.x,
            xy,
            sign + n.y * n.y * k,
            -n.y,
            n.x,
            n.y,
            n.z,
        );
        Frame {
            axes: [axes, -axes * problem.rotation],
            center: axes * problem.center,
        }
    }
}

/// One evaluation of the system.
struct System {
    surfaces: [Surface; 2],
    /// Normals in the frame.
    normals: [Vector3<f64>; 2],
    e: [f64; 2],
    gamma: [f64; 2],
    mean: [f64; 2],
    /// d in the frame.
    d: Vector3<f64>,
    /// Σ δ⁶/576: the square of how far the states were from their circles.
    off_circle: f64,
    /// Squared residual, without unit.
    merit: f64,
}

fn assemble(bodies: &[Body; 2], states: &[State; 2], frame: &Frame) -> System {
    let surfaces = [
        evaluate(&bodies[0], &states[0]),
        evaluate(&bodies[1], &states[1]),
    ];
    let normals = [frame.axes[0] * surfaces[0].n, frame.axes[1] * surfaces[1].n];
    // B's axes are negated: x_A + x_B here is what d lacks to the centre.
    let d = frame.center - frame.axes[0] * surfaces[0].x - frame.axes[1] * surfaces[1].x;
    let chart = normals.map(|n| [n.x / n.z, n.y / n.z]);
    let e = [0, 1].map(|i| chart[1][i] - chart[0][i]);
    let mean = [0, 1].map(|i| 0.5 * (chart[0][i] + chart[1][i]));
    let gamma = [d.x - mean[0] * d.z, d.y - mean[1] * d.z];
    let scale = 1.0 / (d.z.abs() + 0.5);
    let off_circle = surfaces[0].off_circle + surfaces[1].off_circle;
    let mut merit = e[0] * e[0]
        + e[1] * e[1]
        + (gamma[0] * gamma[0] + gamma[1] * gamma[1]) * scale * scale
        + off_circle;
    if !(normals[0].z > 0.0 && normals[1].z > 0.0) {
        merit = f64::INFINITY;
    }
    System {
        surfaces,
        normals,
        e,
        gamma,
        mean,
        d,
        off_circle,
        merit,
    }
}

/// Steps (around, along) of both bodies, from the linearised system; None if it is singular.
fn newton_step(system: &System, frame: &Frame) -> Option<[[f64; 2]; 2]> {
    let mut d_blocks = [[0.0; 4]; 2];
    let mut x_blocks = [[0.0; 4]; 2];
    for k in 0..2 {
        let n = &system.normals[k];
        let [t, b, axis] = [0, 1, 2].map(|i| frame.axes[k].row(i).transpose());
        let tau = [t * n.z - axis * n.x, b * n.z - axis * n.y];
        let surface = &system.surfaces[k];
        for i in 0..2 {
            for j in 0..2 {
                let bend = surface.dn[j].dot(&tau[i]);
                d_blocks[k][2 * i + j] = bend;
                x_blocks[k][2 * i + j] = n.z * surface.dx[j].dot(&tau[i]) + 0.5 * system.d.z * bend;
            }
        }
    }
    let minus_d = d_blocks[1].map(|x| -x);
    let (y, determinant) = solve_blocks(
        &d_blocks[0],
        &minus_d,
        &x_blocks[0],
        &x_blocks[1],
        system.e,
        system.gamma,
    );
    let inverse = 1.0 / determinant;
    let scale = system.normals.map(|n| n.z * n.z * inverse);
    let steps = [
        [y[0] * scale[0], y[1] * scale[0]],
        [y[2] * scale[1], y[3] * scale[1]],
    ];
    steps
        .iter()
        .flatten()
        .all(|s| s.is_finite())
        .then_some(steps)
}

type Block = [f64; 4];

/// `[[a, b], [c, d]] (y1, y2) = (r1, r2)` in 2×2 blocks: y times the determinant, and the
/// determinant. The blocks of the adjugate are, with A* the adjugate of A,
///
/// ```text
/// |D| A − B D* C,   |A| D − C A* B   (adjugated),   |B| C − D (A*B)*,   |C| B − A (D*C)*
/// ```
///
/// so no block has to be invertible by itself.
fn solve_blocks(
    a: &Block,
    b: &Block,
    c: &Block,
    d: &Block,
    r1: [f64; 2],
    r2: [f64; 2],
) -> ([f64; 4], f64) {
    let det = |m: &Block| m[0] * m[3] - m[1] * m[2];
    let adjugate = |m: &Block| [m[3], -m[1], -m[2], m[0]];
    let product = |p: &Block, q: &Block| {
        [
            p[0] * q[0] + p[1] * q[2],
            p[0] * q[1] + p[1] * q[3],
            p[2] * q[0] + p[3] * q[2],
            p[2] * q[1] + p[3] * q[3],
        ]
    };
    let combine = |k: f64, m: &Block, s: &Block| [0, 1, 2, 3].map(|i| k * m[i] - s[i]);
    let (det_a, det_b, det_c, det_d) = (det(a), det(b), det(c), det(d));
    let d_c = product(&adjugate(d), c);
    let a_b = product(&adjugate(a), b);
    let x = combine(det_d, a, &product(b, &d_c));
    let w = combine(det_a, d, &product(c, &a_b));
    let y = combine(det_b, c, &product(d, &adjugate(&a_b)));
    let z = combine(det_c, b, &product(a, &adjugate(&d_c)));
    let trace = a_b[0] * d_c[0] + a_b[1] * d_c[2] + a_b[2] * d_c[1] + a_b[3] * d_c[3];
    let determinant = det_a * det_d + det_b * det_c - trace;
    let apply = |m: &Block, r: &[f64; 2]| [m[3] * r[0] - m[1] * r[1], m[0] * r[1] - m[2] * r[0]];
    let (p, q, u, v) = (
        apply(&x, &r1),
        apply(&y, &r2),
        apply(&z, &r1),
        apply(&w, &r2),
    );
    (
        [p[0] + q[0], p[1] + q[1], u[0] + v[0], u[1] + v[1]],
        determinant,
    )
}

/// Where Newton starts.
pub(crate) enum Start<'a> {
    /// About the centre line.
    CenterLine,
    /// At the support points of a direction (unit).
    Direction(Vector3<f64>, &'a Circles, &'a Circles),
    /// At the last answer.
    Cache(&'a PairCache),
}

/// Runs Newton from `start`; counts its steps in `iterations`. The result is the best state met:
/// its residual may not have vanished, so only a bracket can tell what it is worth. None if there
/// is nothing to start from.
pub(crate) fn solve(
    problem: &Problem,
    start: Start,
    max_iterations: u32,
    iterations: &mut u32,
) -> Option<Stationary> {
    let bodies = [Body::new(&problem.a), Body::new(&problem.b)];
    let (mut frame, mut states) = begin(problem, &bodies, start)?;
    let mut system = assemble(&bodies, &states, &frame);
    if system.merit.is_infinite() {
        // The guess looks away from the chart: the support points along the axis never do.
        let axis = frame.axes[0].row(2).transpose();
        let (_, ca, cb) = problem.probe_circles(&axis);
        states = [State::of(&problem.a, &ca), State::of(&problem.b, &cb)];
        system = assemble(&bodies, &states, &frame);
    }
    for _ in 0..max_iterations {
        if system.merit <= CONVERGED * CONVERGED || !system.merit.is_finite() {
            break;
        }
        let [mt, mb] = system.mean;
        if mt * mt + mb * mb > CHART_LIMIT * CHART_LIMIT {
            frame = Frame::about(&world_normal(&system, &frame), problem);
            system = assemble(&bodies, &states, &frame);
        }
        let Some(steps) = newton_step(&system, &frame) else {
            break;
        };
        *iterations += 1;
        let [[ua, va], [ub, vb]] = steps;
        let longest = (ua * ua + va * va).max(ub * ub + vb * vb).sqrt();
        let mut length = (LONGEST_STEP / longest).min(1.0);
        let mut tries = 0;
        let (next_states, next) = loop {
            let states = [0, 1].map(|k| {
                let [around, along] = steps[k].map(|s| s * length);
                advance(&system.surfaces[k], bodies[k].power[0], around, along)
            });
            let next = assemble(&bodies, &states, &frame);
            if next.merit <= ACCEPTED_GROWTH * system.merit || tries == SHORTENINGS {
                break (states, next);
            }
            length *= SHORTENING;
            tries += 1;
        };
        if !next.merit.is_finite() {
            break;
        }
        (states, system) = (next_states, next);
        if longest < 1e-15 {
            break;
        }
    }
    system
        .merit
        .is_finite()
        .then(|| conclude(&system, &frame, states))
}

fn begin(problem: &Problem, bodies: &[Body; 2], start: Start) -> Option<(Frame, [State; 2])> {
    match start {
        Start::CenterLine => {
            let length = problem.center.norm();
            if length == 0.0 {
                return None;
            }
            let frame = Frame::about(&(problem.center / length), problem);
            let states = [0, 1].map(|k| {
                let axis = frame.axes[k].row(2).transpose();
                bodies[k].guess(&axis)
            });
            Some((frame, states))
        }
        Start::Direction(n, a, b) => {
            let states = [State::of(&problem.a, a), State::of(&problem.b, b)];
            Some((Frame::about(&n, problem), states))
        }
        Start::Cache(cache) => {
            let n = Vector3::from(cache.normal);
            (n.norm_squared() > 0.5).then(|| (Frame::about(&n, problem), cache.states))
        }
    }
}

/// Unit normal of the chart's mean.
fn world_normal(system: &System, frame: &Frame) -> Vector3<f64> {
    let [mt, mb] = system.mean;
    frame.axes[0].tr_mul(&Vector3::new(mt, mb, 1.0)).normalize()
}

fn conclude(system: &System, frame: &Frame, states: [State; 2]) -> Stationary {
    let xa = system.surfaces[0].x;
    Stationary {
        xa,
        xb: xa + frame.axes[0].tr_mul(&system.d),
        normal: world_normal(system, frame),
        mismatch: system.e[0].hypot(system.e[1]),
        on_surface: system.off_circle < ON_SURFACE * ON_SURFACE,
        states,
    }
}
