//! Primal-dual interior point by `ripopt`, an Ipopt in Rust.
//!
//! The equations enter as they are. The Hessian of the Lagrangian would need third derivatives of F;
//! the solver builds it by limited-memory BFGS instead.

use super::evaluation::{Evaluation, UNKNOWNS, Unknowns};
use super::forms::MAX_ITERATIONS;
use super::program::{Ended, Program};
use ripopt::{NlpProblem, SolveStatus, SolverOptions};

/// Tolerance of optimality and of the constraints, in the scaled frame.
const TOLERANCE: f64 = 1e-9;

pub fn solve(program: &Program, start: &Unknowns) -> Ended {
    let options = SolverOptions {
        tol: TOLERANCE,
        constr_viol_tol: TOLERANCE,
        max_iter: MAX_ITERATIONS,
        print_level: 0,
        hessian_approximation_lbfgs: true,
        ..SolverOptions::default()
    };
    let result = ripopt::solve(&Nlp { program, start }, &options);
    let x = Unknowns::try_from(result.x.as_slice()).unwrap_or(*start);
    Ended {
        x,
        success: matches!(
            result.status,
            SolveStatus::Optimal | SolveStatus::Acceptable
        ),
        status: format!("{:?}", result.status),
        iterations: u32::try_from(result.iterations).unwrap_or(u32::MAX),
    }
}

struct Nlp<'a> {
    program: &'a Program,
    start: &'a Unknowns,
}

impl Nlp<'_> {
    fn at(&self, x: &[f64]) -> Evaluation {
        self.program.evaluate(&std::array::from_fn(|i| x[i]))
    }
}

/// Copies the numbers and says whether all are finite: the solver shortens its step if not.
fn fill(to: &mut [f64], from: impl IntoIterator<Item = f64>) -> bool {
    for (to, from) in to.iter_mut().zip(from) {
        *to = from;
    }
    to.iter().all(|x| x.is_finite())
}

impl NlpProblem for Nlp<'_> {
    fn num_variables(&self) -> usize {
        UNKNOWNS
    }

    fn num_constraints(&self) -> usize {
        self.program.set().len()
    }

    fn bounds(&self, x_l: &mut [f64], x_u: &mut [f64]) {
        x_l.fill(f64::NEG_INFINITY);
        x_u.fill(f64::INFINITY);
    }

    fn constraint_bounds(&self, g_l: &mut [f64], g_u: &mut [f64]) {
        g_l.fill(0.0);
        g_u.fill(0.0);
    }

    fn initial_point(&self, x0: &mut [f64]) {
        x0.copy_from_slice(self.start);
    }

    fn objective(&self, x: &[f64], _new_x: bool, objective: &mut f64) -> bool {
        *objective = self.at(x).objective;
        objective.is_finite()
    }

    fn gradient(&self, x: &[f64], _new_x: bool, gradient: &mut [f64]) -> bool {
        fill(gradient, self.at(x).gradient)
    }

    fn constraints(&self, x: &[f64], _new_x: bool, g: &mut [f64]) -> bool {
        fill(g, self.at(x).values().iter().copied())
    }

    fn jacobian_structure(&self) -> (Vec<usize>, Vec<usize>) {
        let rows = self.num_constraints();
        (0..rows * UNKNOWNS)
            .map(|k| (k / UNKNOWNS, k % UNKNOWNS))
            .unzip()
    }

    fn jacobian_values(&self, x: &[f64], _new_x: bool, values: &mut [f64]) -> bool {
        fill(values, self.at(x).jacobian().iter().flatten().copied())
    }

    /// Empty: limited-memory BFGS takes its place.
    fn hessian_structure(&self) -> (Vec<usize>, Vec<usize>) {
        (Vec::new(), Vec::new())
    }

    fn hessian_values(&self, _: &[f64], _: bool, _: f64, _: &[f64], _: &mut [f64]) -> bool {
        true
    }
}
