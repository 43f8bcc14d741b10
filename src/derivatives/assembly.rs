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
use super::inputs::{Inputs, Row, Rows3, scaled_sum};
use super::stationary::{Problem, Stationary};
use super::surface_point::PARAMETERS;
use super::system::System;
use crate::lanes::dispatch_four_lanes;
use nalgebra::SMatrix;

const SIGN: [f64; 2] = [-1.0, 1.0];
const POSES: [std::ops::Range<usize>; 2] = [POSE_A, POSE_B];
const SHAPES: [std::ops::Range<usize>; 2] = [SHAPE_A, SHAPE_B];

/// Writes all derivatives at a stationary pair but the gradient; NaN where the system is singular.
pub(super) fn assemble_all(problem: &Problem, at: &Stationary, found: &mut ContactDerivatives) {
    if let Some(system) = &at.system {
        found.status = DerivativeStatus::Exact;
        dispatch_four_lanes!(simd => {
            let _ = simd;
            assemble(problem, at, system, found)
        });
    } else {
        found.status = DerivativeStatus::PointsSingular;
        found.hessian.fill(f64::NAN);
        for jacobian in [&mut found.normal, &mut found.point_a, &mut found.point_b] {
            jacobian.fill(f64::NAN);
        }
    }
}

#[inline(always)]
fn assemble(problem: &Problem, at: &Stationary, system: &System, found: &mut ContactDerivatives) {
    let inputs = Inputs::new(problem, at);
    let motion = Motion::new(at, system, &inputs);
    let by_input = per_input(problem.unit);
    write_rows(&mut found.normal, &motion.normal, &by_input, 1.0);
    write_rows(
        &mut found.point_a,
        &motion.points[0],
        &by_input,
        problem.unit,
    );
    write_rows(
        &mut found.point_b,
        &motion.points[1],
        &by_input,
        problem.unit,
    );
    let (rows, _) = found.hessian.as_mut_slice().as_chunks_mut::<INPUTS>();
    derivative_of_gradient(problem, at, &inputs, &motion, rows);
    for i in 0..INPUTS {
        let scale = by_input[i] * problem.unit;
        for j in 0..INPUTS {
            rows[i][j] *= scale * by_input[j];
        }
    }
    for i in 1..INPUTS {
        for j in 0..i {
            let mean = 0.5 * (rows[i][j] + rows[j][i]);
            (rows[i][j], rows[j][i]) = (mean, mean);
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
    fn new(at: &Stationary, system: &System, inputs: &Inputs) -> Self {
        let right = inputs.right_sides(system.distance);
        let mut turn = [0, 1].map(|i| scaled_sum(system.normal.row(i), &right));
        for (turn, c) in turn.iter_mut().zip(&inputs.normal[0]) {
            for j in 0..INPUTS {
                turn[j] += c[j];
            }
        }
        let slide =
            [0, 1].map(|body| [0, 1].map(|i| scaled_sum(system.slide[body].row(i), &right)));
        let in_space = |rows: &[Row; 2]| {
            [0, 1, 2].map(|k| {
                let (t, b) = (at.tangents[(k, 0)], at.tangents[(k, 1)]);
                std::array::from_fn(|j| t * rows[0][j] + b * rows[1][j])
            })
        };
        let points = [0, 1].map(|body| {
            let mut point: Rows3 = in_space(&slide[body]);
            inputs.add_displacement(body, &mut point);
            point
        });
        Motion {
            normal: in_space(&turn),
            turn,
            slide,
            points,
        }
    }
}

/// Writes the derivative of the gradient by the inputs, in units, before it is made symmetric: row i is that of the
/// gradient's number i.
#[inline(always)]
fn derivative_of_gradient(
    problem: &Problem,
    at: &Stationary,
    inputs: &Inputs,
    motion: &Motion,
    rows: &mut [Row],
) {
    for body in 0..2 {
        let (pose, sign) = (POSES[body].start, SIGN[body]);
        let lever = problem.lever(body, &at.sides[body].x);
        let moved = &motion.points[body];
        let (n, turned) = (&at.normal, &motion.normal);
        for k in 0..3 {
            let (l, m) = ((k + 1) % 3, (k + 2) % 3);
            for j in 0..INPUTS {
                rows[pose + k][j] = sign * turned[k][j];
                let torque = moved[l][j] * n[m] - moved[m][j] * n[l] + lever[l] * turned[m][j]
                    - lever[m] * turned[l][j];
                rows[pose + 3 + k][j] = sign * torque;
            }
            // A body's own velocity moves its witness point and its origin alike.
            rows[pose + 3 + k][pose + l] -= sign * n[m];
            rows[pose + 3 + k][pose + m] += sign * n[l];
        }
        let shape = SHAPES[body].start;
        let Some(by_shape) = &inputs.shapes[body] else {
            rows[shape..shape + PARAMETERS].fill([0.0; INPUTS]);
            continue;
        };
        let n = problem.rotations[body].tr_mul(&at.normal);
        let second = by_shape.second(&problem.shapes[body], &n);
        for k in 0..PARAMETERS {
            let [x0, x1] = [0, 1].map(|i| inputs.point[body][i][shape + k]);
            let [n0, n1] = [0, 1].map(|i| inputs.normal[body][i][shape + k]);
            let ([u0, u1], [s0, s1]) = (&motion.turn, &motion.slide[body]);
            let row = &mut rows[shape + k];
            for j in 0..INPUTS {
                row[j] = sign * (u0[j] * x0 + u1[j] * x1 - n0 * s0[j] - n1 * s1[j]);
            }
            // The rotation of the body itself turns its surface as a whole.
            for j in pose + 3..pose + 6 {
                let [c0, c1] = [0, 1].map(|i| inputs.normal[body][i][j]);
                row[j] -= sign * (c0 * x0 + c1 * x1);
            }
            for j in 0..PARAMETERS {
                row[shape + j] += sign * second[(k, j)];
            }
        }
    }
}

/// Returns the factors of the inputs from units to metres: one over the unit for inputs that are lengths.
#[inline(always)]
fn per_input(unit: f64) -> Row {
    let mut factors = [1.0; INPUTS];
    for start in [POSE_A, POSE_B, SHAPE_A, SHAPE_B].map(|range| range.start) {
        factors[start..start + 3].fill(1.0 / unit);
    }
    factors
}

#[inline(always)]
fn write_rows(to: &mut SMatrix<f64, 3, INPUTS>, rows: &Rows3, by_input: &Row, unit: f64) {
    for j in 0..INPUTS {
        let scale = by_input[j] * unit;
        for k in 0..3 {
            to[(k, j)] = rows[k][j] * scale;
        }
    }
}

/// Whether the normal is not determined where the system is singular: it can turn without a change of the distance.
/// Where the surfaces are flat in a common direction, only the points can move.
pub(super) fn normal_is_free(at: &Stationary) -> bool {
    const FLAT: f64 = 1e-9;
    let [a, b] = &at.sides;
    let turning = a.normal * a.normal.transpose() + b.normal * b.normal.transpose();
    at.system.is_none() && turning.symmetric_eigenvalues().min() > FLAT * FLAT
}
