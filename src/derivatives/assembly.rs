//! Jacobians and Hessian from the inputs and the system of a stationary pair.
//!
//! With s = −1 for body A and +1 for body B the distance d = n·(p_b − p_a) has the gradient (envelope theorem)
//!
//! ```text
//! by v: s n        by ω: s r × n        by a shape parameter θ: s n·x_θ
//! ```
//!
//! r the lever of the witness point and x_θ its derivative at fixed surface coordinates w. An input j then changes these
//! by what it does to n (u_j in the tangent plane), to r, and to x_θ. The last needs no derivative of x_θ along the
//! surface: n·x_w = 0 holds for every θ and w, so `n·x_wθ = −n_θ·x_w`, and with c the part of u_j by which the whole body
//! turns
//!
//! ```text
//! ∂/∂j (s n·x_θ) = s [ (u_j − c)·x_θ − n_θ·(slide_j) + n·x_θj ]
//! ```
//!
//! the last term only where j is a parameter of the same shape. Rotations do not commute, which makes the derivative of
//! the gradient by two angular velocities of a body asymmetric; its symmetric part is the second derivative along
//! `exp([ω] t) R`.
//!
//! Everything is a row of numbers, one for each input, so that the sums run over the inputs in vectors.

use super::answer::{
    ContactDerivatives, DerivativeStatus, INPUTS, POSE_A, POSE_B, SHAPE_A, SHAPE_B,
};
use super::axes::to_body;
use super::inputs::{Inputs, Row, Rows3, scaled_sum};
use super::stationary::{PolishedPair, Problem};
use super::surface_point::PARAMETERS;
use super::system::ImplicitSystem;
use crate::lanes::dispatch_four_lanes;
use fearless_simd::Simd;
use nalgebra::{Matrix2x4, Matrix3x2, SMatrix};

const SIGN: [f64; 2] = [-1.0, 1.0];
const POSES: [std::ops::Range<usize>; 2] = [POSE_A, POSE_B];
const SHAPES: [std::ops::Range<usize>; 2] = [SHAPE_A, SHAPE_B];

/// Writes all derivatives at a stationary pair but the gradient; NaN where the system is singular, or nearly so.
pub(super) fn assemble_all(problem: &Problem, at: &PolishedPair, found: &mut ContactDerivatives) {
    if let Some(system) = at.exact_system() {
        found.status = DerivativeStatus::Exact;
        dispatch_four_lanes!(simd => assemble(simd, problem, at, system, found));
    } else {
        found.status = DerivativeStatus::PointsSingular;
        found.hessian.fill(f64::NAN);
        for jacobian in [&mut found.normal, &mut found.point_a, &mut found.point_b] {
            jacobian.fill(f64::NAN);
        }
    }
}

#[inline(always)]
fn assemble<S: Simd>(
    simd: S,
    problem: &Problem,
    at: &PolishedPair,
    system: &ImplicitSystem,
    found: &mut ContactDerivatives,
) {
    let inputs = Inputs::new(simd, problem, at);
    let motion = Motion::new(at, system, &inputs);
    let unit = problem.unit;
    let by_input = per_input(unit);
    write_rows(&mut found.normal, &motion.normal, &by_input, 1.0);
    write_rows(&mut found.point_a, &motion.points[0], &by_input, unit);
    write_rows(&mut found.point_b, &motion.points[1], &by_input, unit);
    // Of a length that is known, so that no index is checked within a loop.
    let rows: &mut [Row; INPUTS] = &mut found.hessian.data.0;
    derivative_of_gradient(problem, at, &inputs, &motion, rows, 0);
    derivative_of_gradient(problem, at, &inputs, &motion, rows, 1);
    make_symmetric(rows, &by_input, unit);
}

/// Scales the rows and takes what is below the diagonal from above it. Two angular velocities of a body are the only
/// inputs whose order counts: there the mean is taken.
#[inline(always)]
fn make_symmetric(rows: &mut [Row; INPUTS], by_input: &Row, unit: f64) {
    for turns in [POSE_A.start + 3, POSE_B.start + 3] {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let (i, j) = (turns + i, turns + j);
            rows[i][j] = 0.5 * (rows[i][j] + rows[j][i]);
        }
    }
    for i in 0..INPUTS {
        let scale = by_input[i] * unit;
        for j in 0..INPUTS {
            rows[i][j] *= scale * by_input[j];
        }
        for j in 0..i {
            rows[i][j] = rows[j][i];
        }
    }
}

/// The motion of the stationary pair with each input, in units.
struct Motion {
    /// The change of the normal in the tangent plane, and the changes of the witness points along their surfaces.
    turn: [Row; 2],
    slide: [[Row; 2]; 2],
    /// The changes of the normal and of the witness points in space.
    normal: Rows3,
    points: [Rows3; 2],
}

impl Motion {
    #[inline(always)]
    fn new(at: &PolishedPair, system: &ImplicitSystem, inputs: &Inputs) -> Self {
        let right = inputs.right_sides(system.distance);
        let mut turn = both(&system.normal, &right);
        for i in 0..2 {
            for j in 0..INPUTS {
                turn[i][j] += inputs.normal[0][i][j];
            }
        }
        let slide = [
            both(&system.slide[0], &right),
            both(&system.slide[1], &right),
        ];
        let mut points = [
            in_space(&at.tangents, &slide[0]),
            in_space(&at.tangents, &slide[1]),
        ];
        inputs.add_displacement(0, &mut points[0]);
        inputs.add_displacement(1, &mut points[1]);
        Motion {
            normal: in_space(&at.tangents, &turn),
            turn,
            slide,
            points,
        }
    }
}

/// The product of a 2×4 matrix and four rows.
#[inline(always)]
fn both(m: &Matrix2x4<f64>, rows: &[Row; 4]) -> [Row; 2] {
    [
        scaled_sum([m[(0, 0)], m[(0, 1)], m[(0, 2)], m[(0, 3)]], rows),
        scaled_sum([m[(1, 0)], m[(1, 1)], m[(1, 2)], m[(1, 3)]], rows),
    ]
}

/// The vectors with these two components in the tangent plane.
#[inline(always)]
fn in_space(tangents: &Matrix3x2<f64>, rows: &[Row; 2]) -> Rows3 {
    let mut vectors = [[0.0; INPUTS]; 3];
    for k in 0..3 {
        let (t, b) = (tangents[(k, 0)], tangents[(k, 1)]);
        for j in 0..INPUTS {
            vectors[k][j] = t * rows[0][j] + b * rows[1][j];
        }
    }
    vectors
}

/// Writes the derivative of a body's part of the gradient by the inputs, in units, before it is made symmetric: row i is
/// that of the gradient's number i.
#[inline(always)]
fn derivative_of_gradient(
    problem: &Problem,
    at: &PolishedPair,
    inputs: &Inputs,
    motion: &Motion,
    rows: &mut [Row; INPUTS],
    body: usize,
) {
    let (pose, sign) = (POSES[body].start, SIGN[body]);
    let lever = problem.lever(body, &at.sides[body].x);
    let moved = &motion.points[body];
    let (n, turned) = (&at.normal, &motion.normal);
    for k in 0..3 {
        let (l, m) = ((k + 1) % 3, (k + 2) % 3);
        let (n_l, n_m, r_l, r_m) = (sign * n[l], sign * n[m], sign * lever[l], sign * lever[m]);
        for j in 0..INPUTS {
            rows[pose + k][j] = sign * turned[k][j];
            rows[pose + 3 + k][j] =
                moved[l][j] * n_m - moved[m][j] * n_l + r_l * turned[m][j] - r_m * turned[l][j];
        }
        // A body's own velocity moves its witness point and its origin alike.
        rows[pose + 3 + k][pose + l] -= n_m;
        rows[pose + 3 + k][pose + m] += n_l;
    }
    let shape = SHAPES[body].start;
    let Some(by_shape) = &inputs.shapes[body] else {
        rows[shape..shape + PARAMETERS].fill([0.0; INPUTS]);
        return;
    };
    let n = to_body(&problem.rotations[body], &at.normal);
    let second = by_shape.second(&problem.shapes[body], &n);
    let (point, normal) = (&inputs.point[body], &inputs.normal[body]);
    let ([u0, u1], [s0, s1]) = (&motion.turn, &motion.slide[body]);
    for k in 0..PARAMETERS {
        let (x0, x1) = (sign * point[0][shape + k], sign * point[1][shape + k]);
        let (n0, n1) = (sign * normal[0][shape + k], sign * normal[1][shape + k]);
        let row = &mut rows[shape + k];
        for j in 0..INPUTS {
            row[j] = u0[j] * x0 + u1[j] * x1 - n0 * s0[j] - n1 * s1[j];
        }
        // The rotation of the body itself turns its surface as a whole.
        for j in pose + 3..pose + 6 {
            row[j] -= normal[0][j] * x0 + normal[1][j] * x1;
        }
        for j in 0..PARAMETERS {
            row[shape + j] += sign * second[(k, j)];
        }
    }
}

/// Returns the factors of the inputs from units to metres: one over the unit for inputs that are lengths.
#[inline(always)]
fn per_input(unit: f64) -> Row {
    let mut factors = [1.0; INPUTS];
    let per_unit = 1.0 / unit;
    for start in [POSE_A.start, POSE_B.start, SHAPE_A.start, SHAPE_B.start] {
        for k in 0..3 {
            factors[start + k] = per_unit;
        }
    }
    factors
}

#[inline(always)]
fn write_rows(to: &mut SMatrix<f64, 3, INPUTS>, rows: &Rows3, by_input: &Row, unit: f64) {
    let columns: &mut [[f64; 3]; INPUTS] = &mut to.data.0;
    for j in 0..INPUTS {
        let scale = by_input[j] * unit;
        columns[j] = [rows[0][j] * scale, rows[1][j] * scale, rows[2][j] * scale];
    }
}

/// Whether the normal is not determined where the system is singular: it can turn without a change of the distance.
/// Where the surfaces are flat in a common direction, only the points can move.
pub(super) fn normal_is_free(at: &PolishedPair) -> bool {
    const FLAT: f64 = 1e-9;
    let [a, b] = &at.sides;
    let turning = a.normal * a.normal.transpose() + b.normal * b.normal.transpose();
    at.exact_system().is_none() && turning.symmetric_eigenvalues().min() > FLAT * FLAT
}
