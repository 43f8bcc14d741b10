//! System (18) of the 2017 paper: the angles φ1, φ2 of both points, which are then on their surfaces by construction.
//!
//! ```text
//! n_P·t_Q = 0,  n_P·b_Q = 0,  d·t_Q = 0,  d·b_Q = 0
//! ```
//!
//! with unit vectors and d in units of `length`. Since `(dξ, dη) ∝ (−η', ξ')` along a circle, the unit
//! parametric tangents and the normal (times τx τy) are those of
//!
//! ```text
//! ∂x/∂φ1 ∝ ( −a1 τx η',  a2 τy ξ',  0 )
//! ∂x/∂φ2 ∝ ( a1 ξ (tx ρρ' − τx ζ'),  a2 η (ty ρρ' − τy ζ'),  a3 ρ' )
//! n ∝ ( τy ρ'ξ'/a1,  τx ρ'η'/a2,  (τx τy ζ' − ρρ' (ξξ' tx τy + ηη' ty τx)) / a3 )
//! ```
//!
//! in which nothing is infinite or vanishes at poles and quarter turns, unlike the derivatives by the angles. With `ξ
//! = cos^e φ`, `ξ' = cos^(2−e) φ` and t = tan φ these are
//!
//! ```text
//! dξ = −e ξ t,   dξ' = −(2 − e) ξ' t,   dη = e η / t,   dη' = (2 − e) η' / t
//! ```

use crate::Superovoid;
use crate::pair::problem::PairProblem;
use crate::published::householder::Householder;
use crate::published::newton::{Measured, System, Target, common_normal_merit};
use crate::shape::circle::{Circle, norm, signed_power};
use crate::surface::circles::Circles;
use nalgebra::{Matrix3, Vector3};

/// The way in which the tangents at Q are made.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Tangents {
    /// The tangents are the derivatives of the parametric form.
    Parametric,
    /// The tangents come from the normal, by Householder's reflection.
    Householder,
}

pub(super) struct Parametric<'a> {
    pub problem: &'a PairProblem,
    pub tangents: Tangents,
    /// The length by which d is measured.
    pub length: f64,
}

/// An angle by its cosine and sine, which are as exact next to every quarter turn as next to 0: to the power e = 0.1,
/// an error of 1e-16 would become one of 0.03.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Angle {
    pub cos: f64,
    pub sin: f64,
}

/// The angles `[φ1, φ2]` of both bodies.
pub(super) type Angles = [[Angle; 2]; 2];

impl Angle {
    /// Returns the angle of a direction. At a quarter turn itself derivatives would be infinite, so it is avoided.
    pub fn towards(cos: f64, sin: f64) -> Angle {
        const BESIDE: f64 = 1e-300;
        let length = cos.hypot(sin);
        let held = |x: f64| (x / length).abs().max(BESIDE).copysign(x);
        Angle {
            cos: held(cos),
            sin: held(sin),
        }
    }

    /// Returns the angle of a point of the circle with exponent p = 2/e.
    pub fn of(circle: &Circle, p: f64) -> Angle {
        Angle::towards(
            signed_power(circle.u, 0.5 * p),
            signed_power(circle.v, 0.5 * p),
        )
    }

    /// Returns the point of the circle.
    fn circle(&self, e: f64) -> Circle {
        // The smaller power is computed; the other one follows from cos² or sin².
        let pair = |x: f64| {
            if e <= 1.0 {
                let power = signed_power(x, e);
                (power, x * x / power)
            } else {
                let dual = signed_power(x, 2.0 - e);
                (x * x / dual, dual)
            }
        };
        let ((u, u_dual), (v, v_dual)) = (pair(self.cos), pair(self.sin));
        Circle {
            u,
            v,
            u_dual,
            v_dual,
        }
    }

    /// Returns the derivatives of the point by the angle.
    fn derivative(&self, circle: &Circle, e: f64) -> Circle {
        let tan = self.sin / self.cos;
        Circle {
            u: -e * circle.u * tan,
            v: e * circle.v / tan,
            u_dual: -(2.0 - e) * circle.u_dual * tan,
            v_dual: (2.0 - e) * circle.v_dual / tan,
        }
    }
}

/// The vectors of a surface point, in A's frame, or their derivatives.
#[derive(Clone, Copy)]
struct Vectors {
    x: Vector3<f64>,
    n: Vector3<f64>,
    tangents: [Vector3<f64>; 2],
}

/// A surface point and its derivatives by φ1 and φ2.
struct Patch {
    at: Vectors,
    d: [Vectors; 2],
}

pub(super) struct Evaluation {
    patches: [Patch; 2],
}

impl Parametric<'_> {
    fn shape(&self, body: usize) -> &Superovoid {
        [&self.problem.a, &self.problem.b][body]
    }

    fn patch(&self, body: usize, angles: &[Angle; 2]) -> Patch {
        let shape = self.shape(body);
        let circles = circles_of(shape, angles);
        let d = [
            angles[0].derivative(&circles.section, shape.e[0]),
            angles[1].derivative(&circles.profile, shape.e[1]),
        ];
        let still = Circle {
            u: 0.0,
            v: 0.0,
            u_dual: 0.0,
            v_dual: 0.0,
        };
        let raw = vectors(shape, &circles);
        let d_raw = [
            Circles {
                section: d[0],
                profile: still,
            },
            Circles {
                section: still,
                profile: d[1],
            },
        ]
        .map(|d| derivatives(shape, &circles, &d));
        let rotation = [Matrix3::identity(), self.problem.rotation][body];
        let center = [Vector3::zeros(), self.problem.center][body];
        let turn = |v: Vector3<f64>| rotation * v;
        let (n, dn) = unit(turn(raw.n), d_raw.map(|d| turn(d.n)));
        let (tangents, d_tangents) = match self.tangents {
            Tangents::Parametric => {
                let [t, b] =
                    [0, 1].map(|i| unit(turn(raw.tangents[i]), d_raw.map(|d| turn(d.tangents[i]))));
                ([t.0, b.0], [0, 1].map(|k| [t.1[k], b.1[k]]))
            }
            Tangents::Householder => {
                let frame = Householder::of(&n);
                (frame.tangents, dn.map(|dn| frame.change(&dn)))
            }
        };
        let at = Vectors {
            x: turn(raw.x) + center,
            n,
            tangents,
        };
        let d = [0, 1].map(|k| Vectors {
            x: turn(d_raw[k].x),
            n: dn[k],
            tangents: d_tangents[k],
        });
        Patch { at, d }
    }
}

/// Returns a vector scaled to unit length, and the derivatives of that.
fn unit(v: Vector3<f64>, d: [Vector3<f64>; 2]) -> (Vector3<f64>, [Vector3<f64>; 2]) {
    let length = v.norm();
    let v = v / length;
    (v, d.map(|d| (d - v * v.dot(&d)) / length))
}

/// Evaluates the formulas at the head of this file.
fn vectors(shape: &Superovoid, circles: &Circles) -> Vectors {
    let Circles { section, profile } = circles;
    let ([a1, a2, a3], [tx, ty]) = (shape.a, shape.t);
    let [tau_x, tau_y] = shape.taper_factors(profile.v);
    let kappa = profile.u * profile.u_dual;
    Vectors {
        x: circles.point(shape),
        n: circles.normal(shape),
        tangents: [
            Vector3::new(
                -a1 * tau_x * section.v_dual,
                a2 * tau_y * section.u_dual,
                0.0,
            ),
            Vector3::new(
                a1 * section.u * (tx * kappa - tau_x * profile.v_dual),
                a2 * section.v * (ty * kappa - tau_y * profile.v_dual),
                a3 * profile.u_dual,
            ),
        ],
    }
}

/// Returns their derivatives when the circles change by `d`.
fn derivatives(shape: &Superovoid, circles: &Circles, d: &Circles) -> Vectors {
    let Circles { section, profile } = circles;
    let ([a1, a2, a3], [tx, ty]) = (shape.a, shape.t);
    let (s, ds, p, dp) = (section, &d.section, profile, &d.profile);
    let [tau_x, tau_y] = shape.taper_factors(p.v);
    let (d_tau_x, d_tau_y) = (tx * dp.v, ty * dp.v);
    let kappa = p.u * p.u_dual;
    let d_kappa = dp.u * p.u_dual + p.u * dp.u_dual;
    let (across_x, across_y) = (s.u * s.u_dual, s.v * s.v_dual);
    let d_across_x = ds.u * s.u_dual + s.u * ds.u_dual;
    let d_across_y = ds.v * s.v_dual + s.v * ds.v_dual;
    let widening = across_x * tx * tau_y + across_y * ty * tau_x;
    let d_widening = d_across_x * tx * tau_y
        + across_x * tx * d_tau_y
        + d_across_y * ty * tau_x
        + across_y * ty * d_tau_x;
    let (lean_x, lean_y) = (tx * kappa - tau_x * p.v_dual, ty * kappa - tau_y * p.v_dual);
    let d_lean_x = tx * d_kappa - d_tau_x * p.v_dual - tau_x * dp.v_dual;
    let d_lean_y = ty * d_kappa - d_tau_y * p.v_dual - tau_y * dp.v_dual;
    Vectors {
        x: Vector3::new(
            a1 * (d_tau_x * p.u * s.u + tau_x * dp.u * s.u + tau_x * p.u * ds.u),
            a2 * (d_tau_y * p.u * s.v + tau_y * dp.u * s.v + tau_y * p.u * ds.v),
            a3 * dp.v,
        ),
        n: Vector3::new(
            (d_tau_y * p.u_dual * s.u_dual
                + tau_y * dp.u_dual * s.u_dual
                + tau_y * p.u_dual * ds.u_dual)
                / a1,
            (d_tau_x * p.u_dual * s.v_dual
                + tau_x * dp.u_dual * s.v_dual
                + tau_x * p.u_dual * ds.v_dual)
                / a2,
            (d_tau_x * tau_y * p.v_dual + tau_x * d_tau_y * p.v_dual + tau_x * tau_y * dp.v_dual
                - d_kappa * widening
                - kappa * d_widening)
                / a3,
        ),
        tangents: [
            Vector3::new(
                -a1 * (d_tau_x * s.v_dual + tau_x * ds.v_dual),
                a2 * (d_tau_y * s.u_dual + tau_y * ds.u_dual),
                0.0,
            ),
            Vector3::new(
                a1 * (ds.u * lean_x + s.u * d_lean_x),
                a2 * (ds.v * lean_y + s.v * d_lean_y),
                a3 * dp.u_dual,
            ),
        ],
    }
}

impl System<4> for Parametric<'_> {
    type State = Angles;
    type Evaluation = Evaluation;

    /// Angles have no domain that they could leave.
    fn evaluate(&self, state: &Angles) -> Option<Evaluation> {
        let patches = [self.patch(0, &state[0]), self.patch(1, &state[1])];
        Some(Evaluation { patches })
    }

    fn target(&self, at: &Evaluation) -> Target<4> {
        let [a, b] = at.patches.each_ref().map(|patch| &patch.at);
        let [t, b_] = &b.tangents;
        let d = (b.x - a.x) / self.length;
        Target {
            residual: [a.n.dot(t), a.n.dot(b_), d.dot(t), d.dot(b_)],
            merit: common_normal_merit(&a.n, &b.n, &d),
        }
    }

    fn jacobian(&self, at: &Evaluation) -> [[f64; 4]; 4] {
        let [a, b] = &at.patches;
        let d = (b.at.x - a.at.x) / self.length;
        let mut rows = [[0.0; 4]; 4];
        for i in 0..2 {
            let t = &b.at.tangents[i];
            for j in 0..2 {
                let dt = &b.d[j].tangents[i];
                rows[i][j] = a.d[j].n.dot(t);
                rows[i][2 + j] = a.at.n.dot(dt);
                rows[2 + i][j] = -a.d[j].x.dot(t) / self.length;
                rows[2 + i][2 + j] = b.d[j].x.dot(t) / self.length + d.dot(dt);
            }
        }
        rows
    }

    /// The step √ε of the angle to the nearest quarter turn, the scale on which powers of sines change.
    fn nudge(&self, state: &Angles, unknown: usize) -> (Angles, f64) {
        let mut state = *state;
        let angle = &mut state[unknown / 2][unknown % 2];
        let Angle { cos, sin } = *angle;
        let change = f64::EPSILON.sqrt() * cos.abs().min(sin.abs());
        *angle = Angle::towards(cos - change * sin, sin + change * cos);
        (state, change)
    }

    fn advance(&self, state: &Angles, step: &[f64; 4]) -> Angles {
        let [a, b, c, d] = *step;
        [
            turned(self.shape(0), &state[0], [a, b]),
            turned(self.shape(1), &state[1], [c, d]),
        ]
    }
}

impl Measured<4> for Parametric<'_> {
    fn stride(&self, state: &Angles, step: &[f64; 4]) -> f64 {
        let length = |body: usize| {
            let [section, profile] = primal_dual(self.shape(body), &state[body]);
            let [around, along] = [step[2 * body], step[2 * body + 1]];
            let around = profile.g * around * section.dg.hypot(section.dh);
            around.hypot(along * profile.dg.hypot(profile.dh))
        };
        length(0).max(length(1))
    }

    fn motion(&self, at: &Evaluation, step: &[f64; 4]) -> f64 {
        let moved = |body: usize| {
            let d = &at.patches[body].d;
            (d[0].x * step[2 * body] + d[1].x * step[2 * body + 1]).norm()
        };
        moved(0).max(moved(1))
    }
}

/// The coordinates of a circle that change evenly with its points and its normals: those of the point where e ≤ 1 and
/// those of its dual beyond, `(cos φ, sin φ)` to the power `min(e, 2 − e)`; with derivatives.
struct PrimalDual {
    g: f64,
    h: f64,
    dg: f64,
    dh: f64,
}

fn good_exponent(e: f64) -> f64 {
    e.min(2.0 - e)
}

fn primal_dual(shape: &Superovoid, angles: &[Angle; 2]) -> [PrimalDual; 2] {
    [0, 1].map(|i| {
        let Angle { cos, sin } = angles[i];
        let e = good_exponent(shape.e[i]);
        let (g, h) = (signed_power(cos, e), signed_power(sin, e));
        PrimalDual {
            g,
            h,
            dg: -e * g * (sin / cos),
            dh: e * h * (cos / sin),
        }
    })
}

/// Returns the angles after a step, which is taken along the tangents of the primal-dual coordinates and then brought
/// back to the circles: in the angles themselves, a step across a face or an edge would overshoot by a factor 1/e.
/// Around the section the step is taken in the plane of `r (g1, h1)`, r = g2, so that it can cross a pole.
fn turned(shape: &Superovoid, angles: &[Angle; 2], step: [f64; 2]) -> [Angle; 2] {
    let [section, profile] = primal_dual(shape, angles);
    let [around, along] = step;
    let radius = profile.g + along * profile.dg;
    let plane = (
        radius * section.g + around * profile.g * section.dg,
        radius * section.h + around * profile.g * section.dh,
    );
    let [e1, e2] = shape.e.map(good_exponent);
    let length = norm(plane.0, plane.1, 2.0 / e1);
    let angle = |g: f64, h: f64, e: f64| {
        let most = g.abs().max(h.abs());
        Angle::towards(
            signed_power(g / most, 1.0 / e),
            signed_power(h / most, 1.0 / e),
        )
    };
    let first = if length > 0.0 {
        angle(plane.0, plane.1, e1)
    } else {
        angles[0]
    };
    [first, angle(length, profile.h + along * profile.dh, e2)]
}

fn circles_of(shape: &Superovoid, angles: &[Angle; 2]) -> Circles {
    Circles {
        section: angles[0].circle(shape.e[0]),
        profile: angles[1].circle(shape.e[1]),
    }
}

/// Returns the surface points of the angles.
pub(super) fn circles(problem: &PairProblem, state: &Angles) -> [Circles; 2] {
    [
        circles_of(&problem.a, &state[0]),
        circles_of(&problem.b, &state[1]),
    ]
}

/// Returns the angles of surface points.
pub(super) fn angles(problem: &PairProblem, circles: &[Circles; 2]) -> Angles {
    let of = |shape: &Superovoid, c: &Circles| {
        [
            Angle::of(&c.section, shape.p[0]),
            Angle::of(&c.profile, shape.p[1]),
        ]
    };
    [of(&problem.a, &circles[0]), of(&problem.b, &circles[1])]
}
