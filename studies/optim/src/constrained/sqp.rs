//! Sequential quadratic programming by `slsqp` (Kraft's method).
//!
//! Three things stand between the paper's equations and this crate:
//!
//! - It offers inequalities `c ≤ 0` only, so that each equation is a pair `c − δ ≤ 0`,
//!   `−c − δ ≤ 0`. Its stopping test wants them to hold exactly, which is what the slack δ is for.
//! - It returns the best point that satisfied them all, which with equations is as a rule the
//!   estimate itself: its steps leave the surfaces by more than δ until the end. So the last iterate
//!   is kept here.
//! - Linearly dependent rows stall it. The cross product has one, which is left out.

use super::evaluation::{UNKNOWNS, Unknowns};
use super::forms::MAX_ITERATIONS;
use super::program::{Ended, Program};
use slsqp::{FailStatus, Func, StopTols, SuccessStatus, minimize};
use std::cell::Cell;

/// δ, without unit.
const SLACK: f64 = 1e-12;
/// Relative and absolute change of the unknowns and of the squared distance that ends the search.
const TOLERANCE: f64 = 1e-14;
/// Line searches take several evaluations for each iteration.
const EVALUATIONS_PER_ITERATION: usize = 10;
/// Row of φ_A, and the first of `n_A × n_B`.
const SURFACE_A: usize = 0;
const CROSS: usize = 2;

pub fn solve(program: &Program, start: &Unknowns) -> Ended {
    let iterations = Cell::new(0);
    let iterate = Cell::new(*start);
    // The gradient is asked for once an iteration, at the point that it accepted.
    let objective = |x: &[f64], gradient: Option<&mut [f64]>, _: &mut ()| {
        let x = unknowns(x);
        let at = program.evaluate(&x);
        if let Some(gradient) = gradient {
            gradient.copy_from_slice(&at.gradient);
            iterations.set(iterations.get() + 1);
            iterate.set(x);
        }
        at.objective
    };
    let sides: Vec<_> = independent_rows(program, start)
        .flat_map(|row| [(row, 1.0), (row, -1.0)])
        .map(|(row, sign)| side(program, row, sign))
        .collect();
    let constraints: Vec<&dyn Func<()>> = sides.iter().map(|c| c as &dyn Func<()>).collect();
    let stop = StopTols {
        ftol_rel: TOLERANCE,
        xtol_rel: TOLERANCE,
        xtol_abs: vec![TOLERANCE; UNKNOWNS],
        ..StopTols::default()
    };
    let result = minimize(
        objective,
        start,
        &[(f64::NEG_INFINITY, f64::INFINITY); UNKNOWNS],
        &constraints,
        (),
        MAX_ITERATIONS * EVALUATIONS_PER_ITERATION,
        Some(stop),
    );
    // "Roundoff limited" is how Kraft's method ends where no step improves its merit function any
    // more: the usual end at this tolerance.
    let (success, status) = match result {
        Ok((status, ..)) => (
            !matches!(status, SuccessStatus::MaxEvalReached),
            format!("{status:?}"),
        ),
        Err((status, ..)) => (
            matches!(status, FailStatus::RoundoffLimited),
            format!("{status:?}"),
        ),
    };
    Ended {
        x: iterate.get(),
        success,
        status,
        iterations: iterations.get(),
    }
}

/// The rows of the set without the dependent one of the cross product: `c = n_A × n_B` has
/// `c·n_A = 0`, so that its component along the largest of n_A follows from the other two.
fn independent_rows(program: &Program, start: &Unknowns) -> impl Iterator<Item = usize> {
    let at = program.evaluate(start);
    let along_normal = &at.jacobian()[SURFACE_A][..3];
    let largest = (0..3).max_by(|&i, &j| along_normal[i].abs().total_cmp(&along_normal[j].abs()));
    let dropped = largest
        .filter(|_| program.set().has_cross())
        .map(|axis| CROSS + axis);
    (0..program.set().len()).filter(move |&row| Some(row) != dropped)
}

/// One side of one equation: `sign · c − δ ≤ 0`.
fn side(
    program: &Program,
    row: usize,
    sign: f64,
) -> impl Fn(&[f64], Option<&mut [f64]>, &mut ()) -> f64 {
    move |x, gradient, ()| {
        let at = program.evaluate(&unknowns(x));
        if let Some(gradient) = gradient {
            for (to, from) in gradient.iter_mut().zip(at.jacobian()[row]) {
                *to = sign * from;
            }
        }
        sign * at.values()[row] - SLACK
    }
}

fn unknowns(x: &[f64]) -> Unknowns {
    std::array::from_fn(|i| x[i])
}
