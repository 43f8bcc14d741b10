//! Newton's method on the two pairs of circles.
//!
//! Each body's surface point is held by the good coordinates of its circles, see
//! [`crate::surface::good`].
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

use crate::pair::problem::Problem;
use crate::pair::{MOST_ITERATIONS, PairCache};
use crate::surface::circle::Circles;
use crate::surface::good::{Body, State, Surface, advance, evaluate};
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
    for _ in 0..max_iterations.min(MOST_ITERATIONS) {
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
