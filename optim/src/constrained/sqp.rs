//! Sequential quadratic programming by `slsqp` (Kraft's method).
//!
//! The crate offers inequalities `c ≤ 0` only, so that each equation is a pair `c − δ ≤ 0`,
//! `−c − δ ≤ 0`. It accepts a point only if these hold exactly, which is what the slack δ is for:
//! rounding leaves 1e-16.

use super::MAX_ITERATIONS;
use super::program::{Ended, Program, UNKNOWNS, Unknowns};
use slsqp::{Func, StopTols, SuccessStatus, minimize};
use std::cell::Cell;

/// δ, without unit.
const SLACK: f64 = 1e-12;
/// Relative and absolute change of the unknowns and of the squared distance that ends the search.
const TOLERANCE: f64 = 1e-14;
/// Line searches may take several evaluations for each iteration.
const EVALUATIONS_PER_ITERATION: usize = 10;

pub fn solve(program: &Program, start: &Unknowns) -> Ended {
    let iterations = Cell::new(0);
    let objective = |x: &[f64], gradient: Option<&mut [f64]>, _: &mut ()| {
        let at = program.evaluate(&unknowns(x));
        if let Some(gradient) = gradient {
            gradient.copy_from_slice(&at.gradient);
            iterations.set(iterations.get() + 1);
        }
        at.objective
    };
    let sides: Vec<_> = (0..program.set().len())
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
    let (success, status, x) = match result {
        Ok((status, x, _)) => {
            let success = !matches!(status, SuccessStatus::MaxEvalReached);
            (success, format!("{status:?}"), x)
        }
        Err((status, x, _)) => (false, format!("{status:?}"), x),
    };
    Ended {
        x: unknowns(&x),
        success,
        status,
        iterations: iterations.get(),
    }
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
