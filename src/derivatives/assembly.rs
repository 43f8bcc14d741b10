//! Gradient, Jacobians and Hessian from the columns of the inputs and the system of a stationary pair.
//!
//! With s = −1 for body A and +1 for body B the distance d = n·(p_b − p_a) has the gradient (envelope theorem)
//!
//! ```text
//! by v: s n        by ω: s r × n        by a shape parameter θ: s n·x_θ
//! ```
//!
//! r the lever of the witness point and x_θ its derivative at fixed surface coordinates w. An input j then changes these
//! by what it does to n (by u_j in the tangent plane), to r, and to x_θ. The last needs no derivative of x_θ along the
//! surface: n·x_w = 0 holds for every θ and w, so `n·x_wθ = −n_θ·x_w`, and with c the part of u_j that turns the whole
//! body
//!
//! ```text
//! ∂/∂j (s n·x_θ) = s [ (u_j − c)·x_θ − n_θ·(slide_j) + n·x_θj ]
//! ```
//!
//! the last term only where j is a parameter of the same shape. Rotations do not commute, which makes the derivative of
//! the gradient by two angular velocities of a body asymmetric; its symmetric part is the second derivative along
//! exp([ω] t) R.

use super::answer::{ContactDerivatives, DerivativeStatus, INPUTS};
use super::inputs::{Column, Kind, Shapes, columns, shapes};
use super::stationary::{Problem, Stationary};
use super::surface_point::PARAMETERS;
use super::system::{Response, System};
use nalgebra::{SMatrix, SVector, Vector2, Vector3};

const SIGN: [f64; 2] = [-1.0, 1.0];

/// The gradient of the distance, metres.
pub(super) fn gradient(problem: &Problem, at: &Stationary) -> SVector<f64, INPUTS> {
    gradient_of(problem, at, &columns(problem, at, &shapes(problem, at)))
}

fn gradient_of(
    problem: &Problem,
    at: &Stationary,
    columns: &[Column; INPUTS],
) -> SVector<f64, INPUTS> {
    SVector::from_fn(|j, _| {
        let column = &columns[j];
        let per_input = if column.kind.is_length() {
            1.0
        } else {
            problem.unit
        };
        SIGN[column.body] * at.normal.dot(&column.displacement) * per_input
    })
}

/// All derivatives; the gradient alone, and NaN for the others, where the system is singular.
pub(super) fn all(problem: &Problem, at: &Stationary, local: bool) -> ContactDerivatives {
    let shapes = shapes(problem, at);
    let columns = columns(problem, at, &shapes);
    let gradient = gradient_of(problem, at, &columns);
    let Some(system) = &at.system else {
        return singular(gradient, local);
    };
    let responses = columns
        .each_ref()
        .map(|column| system.respond(&column.input));
    let [point_a, point_b] = [0, 1].map(|body| point(problem, at, &columns, &responses, body));
    ContactDerivatives {
        status: DerivativeStatus::Exact,
        local,
        gradient,
        hessian: hessian(problem, at, &shapes, &columns, &responses),
        normal: normal(problem, at, &columns, &responses),
        point_a,
        point_b,
    }
}

fn singular(gradient: SVector<f64, INPUTS>, local: bool) -> ContactDerivatives {
    ContactDerivatives {
        status: DerivativeStatus::PointsSingular,
        local,
        gradient,
        hessian: SMatrix::repeat(f64::NAN),
        normal: SMatrix::repeat(f64::NAN),
        point_a: SMatrix::repeat(f64::NAN),
        point_b: SMatrix::repeat(f64::NAN),
    }
}

fn normal(
    problem: &Problem,
    at: &Stationary,
    columns: &[Column; INPUTS],
    responses: &[Response; INPUTS],
) -> SMatrix<f64, 3, INPUTS> {
    let mut jacobian = SMatrix::zeros();
    for j in 0..INPUTS {
        let per_input = if columns[j].kind.is_length() {
            1.0 / problem.unit
        } else {
            1.0
        };
        put(
            &mut jacobian,
            0,
            j,
            &(at.tangents * (responses[j].normal * per_input)),
        );
    }
    jacobian
}

fn point(
    problem: &Problem,
    at: &Stationary,
    columns: &[Column; INPUTS],
    responses: &[Response; INPUTS],
    body: usize,
) -> SMatrix<f64, 3, INPUTS> {
    let mut jacobian = SMatrix::zeros();
    for j in 0..INPUTS {
        let per_input = if columns[j].kind.is_length() {
            1.0
        } else {
            problem.unit
        };
        let mut moved = at.tangents * responses[j].slide[body];
        if columns[j].body == body {
            moved += columns[j].displacement;
        }
        put(&mut jacobian, 0, j, &(moved * per_input));
    }
    jacobian
}

fn hessian(
    problem: &Problem,
    at: &Stationary,
    shapes: &Shapes,
    columns: &[Column; INPUTS],
    responses: &[Response; INPUTS],
) -> SMatrix<f64, INPUTS, INPUTS> {
    let mut hessian = derivative_of_gradient(problem, at, shapes, columns, responses);
    for j in 0..INPUTS {
        for i in 0..j {
            let mean = 0.5 * (hessian[(i, j)] + hessian[(j, i)]);
            let unit = match [columns[i].kind.is_length(), columns[j].kind.is_length()] {
                [true, true] => 1.0 / problem.unit,
                [false, false] => problem.unit,
                _ => 1.0,
            };
            (hessian[(i, j)], hessian[(j, i)]) = (mean * unit, mean * unit);
        }
        let length = columns[j].kind.is_length();
        hessian[(j, j)] *= if length {
            1.0 / problem.unit
        } else {
            problem.unit
        };
    }
    hessian
}

/// The derivative of the gradient by the inputs, in units, before it is made symmetric.
fn derivative_of_gradient(
    problem: &Problem,
    at: &Stationary,
    shapes: &Shapes,
    columns: &[Column; INPUTS],
    responses: &[Response; INPUTS],
) -> SMatrix<f64, INPUTS, INPUTS> {
    let levers = [0, 1].map(|body| problem.lever(body, &at.sides[body].x));
    let mut derivative = SMatrix::zeros();
    for j in 0..INPUTS {
        let (column, response) = (&columns[j], &responses[j]);
        let turned = at.tangents * response.normal;
        for body in 0..2 {
            let moved = |k: usize| columns[12 + PARAMETERS * body + k].input;
            let mut lever = at.tangents * response.slide[body];
            if column.body == body && column.kind != Kind::Velocity {
                lever += column.displacement;
            }
            let torque = lever.cross(&at.normal) + levers[body].cross(&turned);
            put(&mut derivative, 6 * body, j, &(turned * SIGN[body]));
            put(&mut derivative, 6 * body + 3, j, &(torque * SIGN[body]));
            if shapes[body].is_none() {
                continue;
            }
            // What turns beside the whole body: all but the rotation of this body itself.
            let mut own = response.normal;
            if column.body == body && column.kind == Kind::AngularVelocity {
                own -= column.input.normal[body];
            }
            let slide = response.slide[body];
            for k in 0..PARAMETERS {
                let input = moved(k);
                let (x, n): (Vector2<f64>, Vector2<f64>) = (input.point[body], input.normal[body]);
                derivative[(12 + PARAMETERS * body + k, j)] =
                    SIGN[body] * (own.dot(&x) - n.dot(&slide));
            }
        }
    }
    for body in 0..2 {
        if let Some(by_shape) = &shapes[body] {
            let n = problem.rotations[body].tr_mul(&at.normal);
            let second = by_shape.second(&problem.shapes[body], &n) * SIGN[body];
            let start = 12 + PARAMETERS * body;
            let mut block = derivative.fixed_view_mut::<PARAMETERS, PARAMETERS>(start, start);
            block += second;
        }
    }
    derivative
}

fn put<const ROWS: usize>(
    to: &mut SMatrix<f64, ROWS, INPUTS>,
    i: usize,
    j: usize,
    v: &Vector3<f64>,
) {
    for k in 0..3 {
        to[(i + k, j)] = v[k];
    }
}

/// Whether the normal is not determined where the system is singular: it can turn without a change of the distance.
/// Where the surfaces are flat in a common direction, only the points can move.
pub(super) fn normal_is_free(at: &Stationary) -> bool {
    const FLAT: f64 = 1e-9;
    let system: &Option<System> = &at.system;
    let [a, b] = &at.sides;
    let turning = a.normal * a.normal.transpose() + b.normal * b.normal.transpose();
    let least = turning.symmetric_eigenvalues().min();
    system.is_none() && least > FLAT * FLAT
}
