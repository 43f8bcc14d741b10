//! System (15) of the 2017 paper: the local Cartesian coordinates of both points.
//!
//! ```text
//! n_P·t_Q = 0,  n_P·b_Q = 0      the normals are parallel
//! d·t_Q = 0,    d·b_Q = 0        and so is d = Q − P
//! F_i(P) = 0,   F_j(Q) = 0       both points are on their surfaces
//! ```
//!
//! with unit normals, Householder tangents, d in units of `length`, and F in the form `G − 1 = (F + 1)^(e2/2) − 1`,
//! which has the same zeros and the same normals but grows evenly: F itself, a power 2/e2, would make Newton's steps
//! too short outside a box-like body and too long inside.
//!
//! With u = x/(a1 τx), v = y/(a2 τy), w = z/a3, R the p1-norm of (u, v) and G the p2-norm of (R, w),
//! and (ξ, η) = (u, v)/R, (ρ, ζ) = (R, w)/G on their circles,
//!
//! ```text
//! ∂G/∂u = ρ'ξ'          ∂G/∂w = ζ'
//! ∂²G/∂u² = ((p2 − 1) (ρζ)^(p2−2) ζ² ξ'² + (p1 − 1) ρ^(p2−2) (ξη)^(p1−2) η²) / G
//! ∂²G/∂u∂v = ((p2 − 1) (ρζ)^(p2−2) ζ² ξ'η' − (p1 − 1) ρ^(p2−2) ξ'η') / G
//! ∂²G/∂u∂w = −(p2 − 1) ρ'ζ'ξ' / G       ∂²G/∂w² = (p2 − 1) (ρζ)^(p2−2) ρ² / G
//! ```
//!
//! (magnitudes to even powers), by `ρ^(p−2) − ρ'² = (ρζ)^(p−2) ζ²`.

use crate::Superovoid;
use crate::pair::problem::PairProblem;
use crate::published::householder::Householder;
use crate::published::newton::{Measured, System, Target, common_normal_merit};
use crate::shape::circle::{Circle, norm};
use crate::surface::circles::Circles;
use nalgebra::{Matrix3, Vector3};

pub(super) struct Implicit<'a> {
    pub problem: &'a PairProblem,
    /// The length by which d is measured.
    pub length: f64,
    /// The share of a body's least taper factor to which an iterate may decrease.
    pub tip: f64,
}

/// The value of [`Implicit::tip`] in a damped iteration.
pub(super) const TIP: f64 = 0.25;

/// The point P in A's frame, and Q in B's.
pub(super) type Points = [Vector3<f64>; 2];

/// The function of one body at a point, in its own frame.
pub(super) struct Level {
    /// The value G − 1.
    pub value: f64,
    gradient: Vector3<f64>,
    hessian: Matrix3<f64>,
}

/// The contribution of one body, rotated into A's frame.
struct Side {
    x: Vector3<f64>,
    n: Vector3<f64>,
    /// The derivatives of n by the local coordinates.
    dn: Matrix3<f64>,
    level: Level,
}

pub(super) struct Evaluation {
    sides: [Side; 2],
    tangents: Householder,
}

impl Implicit<'_> {
    fn shape(&self, body: usize) -> &Superovoid {
        [&self.problem.a, &self.problem.b][body]
    }

    fn rotation(&self, body: usize) -> Matrix3<f64> {
        [Matrix3::identity(), self.problem.rotation][body]
    }

    fn side(&self, body: usize, x: &Vector3<f64>) -> Option<Side> {
        let level = Level::at(self.shape(body), x, self.tip)?;
        let rotation = self.rotation(body);
        let center = [Vector3::zeros(), self.problem.center][body];
        let steepness = level.gradient.norm();
        let n = level.gradient / steepness;
        let along = level.hessian.tr_mul(&n).transpose();
        let dn = (level.hessian - n * along) / steepness;
        Some(Side {
            x: rotation * x + center,
            n: rotation * n,
            dn: rotation * dn,
            level,
        })
    }
}

impl System<6> for Implicit<'_> {
    type State = Points;
    type Evaluation = Evaluation;

    fn evaluate(&self, state: &Points) -> Option<Evaluation> {
        let sides = [self.side(0, &state[0])?, self.side(1, &state[1])?];
        let tangents = Householder::of(&sides[1].n);
        Some(Evaluation { sides, tangents })
    }

    fn target(&self, at: &Evaluation) -> Target<6> {
        let [a, b] = &at.sides;
        let [t, b_] = &at.tangents.tangents;
        let d = (b.x - a.x) / self.length;
        let residual = [
            a.n.dot(t),
            a.n.dot(b_),
            d.dot(t),
            d.dot(b_),
            a.level.value,
            b.level.value,
        ];
        let off = a.level.value.powi(2) + b.level.value.powi(2);
        Target {
            residual,
            merit: common_normal_merit(&a.n, &b.n, &d) + off,
        }
    }

    fn jacobian(&self, at: &Evaluation) -> [[f64; 6]; 6] {
        let [a, b] = &at.sides;
        let d = (b.x - a.x) / self.length;
        let rotation = self.rotation(1);
        let mut rows = [[0.0; 6]; 6];
        for j in 0..3 {
            let dn_a = a.dn.column(j).into_owned();
            let dn_b = b.dn.column(j).into_owned();
            let dd_b = rotation.column(j) / self.length;
            let turned = at.tangents.change(&dn_b);
            for i in 0..2 {
                let t = &at.tangents.tangents[i];
                rows[i][j] = dn_a.dot(t);
                rows[i][3 + j] = a.n.dot(&turned[i]);
                rows[2 + i][j] = -t[j] / self.length;
                rows[2 + i][3 + j] = dd_b.dot(t) + d.dot(&turned[i]);
            }
            rows[4][j] = a.level.gradient[j];
            rows[5][3 + j] = b.level.gradient[j];
        }
        rows
    }

    /// The step √ε of the semi-axis.
    fn nudge(&self, state: &Points, unknown: usize) -> (Points, f64) {
        let (body, axis) = (unknown / 3, unknown % 3);
        let mut state = *state;
        let old = state[body][axis];
        state[body][axis] += f64::EPSILON.sqrt() * self.shape(body).a[axis];
        let change = state[body][axis] - old;
        (state, change)
    }

    fn advance(&self, state: &Points, step: &[f64; 6]) -> Points {
        let [a, b] = split(step);
        [state[0] + a, state[1] + b]
    }
}

impl Measured<6> for Implicit<'_> {
    fn stride(&self, _: &Points, step: &[f64; 6]) -> f64 {
        let [a, b] = split(step);
        (a.norm() / self.shape(0).size()).max(b.norm() / self.shape(1).size())
    }

    fn motion(&self, _: &Evaluation, step: &[f64; 6]) -> f64 {
        let [a, b] = split(step);
        a.norm().max(b.norm())
    }
}

fn split(step: &[f64; 6]) -> [Vector3<f64>; 2] {
    let [x, y, z, u, v, w] = *step;
    [Vector3::new(x, y, z), Vector3::new(u, v, w)]
}

impl Level {
    /// Returns `None` where `1 + t z/a3` is at most `tip` times its least value 1 − |t| within the body, and at the
    /// centre, which has no normal.
    pub fn at(shape: &Superovoid, point: &Vector3<f64>, tip: f64) -> Option<Level> {
        let [p1, p2] = shape.p;
        let a = &shape.a;
        let w = point.z / a[2];
        let tau = shape.taper_factors(w);
        if (0..2).any(|i| tau[i] <= tip * (1.0 - shape.t[i].abs())) {
            return None;
        }
        let (u, v) = (point.x / (a[0] * tau[0]), point.y / (a[1] * tau[1]));
        let width = norm(u, v, p1);
        let size = norm(width, w, p2);
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        let section = Circle::from_primal(u, v, p1);
        let profile = Circle::from_primal(width, w, p2);
        let (xi, eta, xi_, eta_) = (section.u, section.v, section.u_dual, section.v_dual);
        let (rho, zeta, rho_, zeta_) = (profile.u, profile.v, profile.u_dual, profile.v_dual);
        let lean = (p2 - 1.0) * power(rho, p2 - 2.0) * power(zeta, p2 - 2.0);
        let bend = lean * zeta * zeta;
        let turn = (p1 - 1.0) * power(rho, p2 - 2.0);
        let round = turn * power(xi, p1 - 2.0) * power(eta, p1 - 2.0);
        let g_uu = bend * xi_ * xi_ + round * eta * eta;
        let g_vv = bend * eta_ * eta_ + round * xi * xi;
        let g_uv = (bend - turn) * xi_ * eta_;
        let g_uw = -(p2 - 1.0) * rho_ * zeta_ * xi_;
        let g_vw = -(p2 - 1.0) * rho_ * zeta_ * eta_;
        let g_ww = lean * rho * rho;
        let in_uvw = Matrix3::new(g_uu, g_uv, g_uw, g_uv, g_vv, g_vw, g_uw, g_vw, g_ww) / size;
        let (g_u, g_v) = (rho_ * xi_, rho_ * eta_);
        // The factor is u = x s(z) with s = 1/(a τ), s'/s = −t/(a3 τ).
        let s = [1.0 / (a[0] * tau[0]), 1.0 / (a[1] * tau[1])];
        let rate = [0, 1].map(|i| -shape.t[i] / (a[2] * tau[i]));
        let to_uvw = Matrix3::new(
            s[0],
            0.0,
            u * rate[0],
            0.0,
            s[1],
            v * rate[1],
            0.0,
            0.0,
            1.0 / a[2],
        );
        let gradient = to_uvw.tr_mul(&Vector3::new(g_u, g_v, zeta_));
        let mut hessian = to_uvw.tr_mul(&in_uvw) * to_uvw;
        for (axis, g) in [(0, g_u), (1, g_v)] {
            let mixed = g * s[axis] * rate[axis];
            hessian[(axis, 2)] += mixed;
            hessian[(2, axis)] += mixed;
        }
        hessian[(2, 2)] += 2.0 * (g_u * u * rate[0] * rate[0] + g_v * v * rate[1] * rate[1]);
        let finite = hessian.iter().all(|x| x.is_finite());
        finite.then_some(Level {
            value: size - 1.0,
            gradient,
            hessian,
        })
    }
}

/// Returns |x|^k, kept finite for k < 0 at a ridge.
fn power(x: f64, k: f64) -> f64 {
    const SHARP: f64 = 1e-60;
    if k == 0.0 {
        1.0
    } else {
        x.abs().max(SHARP).powf(k)
    }
}

/// Returns the surface points below and above the given ones: the sections and heights relative to the body, scaled
/// to its surface.
pub(super) fn circles(problem: &PairProblem, state: &Points) -> [Circles; 2] {
    [
        problem.a.circles_towards(&state[0]),
        problem.b.circles_towards(&state[1]),
    ]
}
