//! The bridge to the Levenberg-Marquardt library.

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra_lm::storage::Owned;
use nalgebra_lm::{DMatrix, DVector, Dyn};

/// Residuals as functions of some unknowns.
pub(crate) trait Residuals {
    /// How many residuals there are.
    fn count(&self) -> usize;

    /// Writes the residuals, and the derivatives of each in the unknowns: residual i's derivative in
    /// unknown k goes to `jacobian[k * count + i]`.
    fn evaluate(&self, unknowns: &[f64], residuals: &mut [f64], jacobian: &mut [f64]);
}

/// Unknowns with the sum of squares that they lead to.
#[derive(Clone, Debug)]
pub(crate) struct Minimum {
    pub unknowns: Vec<f64>,
    pub sum_of_squares: f64,
}

/// Levenberg-Marquardt from `start` with at most `evaluations` of the residuals: the best unknowns met. Stops
/// early where a step changes the sum of squares or the unknowns by less than `tolerance` of them.
pub(crate) fn minimise(
    residuals: &impl Residuals,
    start: Vec<f64>,
    evaluations: usize,
    tolerance: f64,
) -> Minimum {
    let problem = Problem::new(residuals, start, evaluations);
    let solver = LevenbergMarquardt::new()
        .with_ftol(tolerance)
        .with_xtol(tolerance)
        .with_stepbound(1.0);
    solver.minimize(problem).0.best
}

struct Problem<'a, R> {
    model: &'a R,
    left: usize,
    unknowns: DVector<f64>,
    residuals: DVector<f64>,
    jacobian: DMatrix<f64>,
    best: Minimum,
}

impl<'a, R: Residuals> Problem<'a, R> {
    fn new(model: &'a R, start: Vec<f64>, evaluations: usize) -> Self {
        let (rows, columns) = (model.count(), start.len());
        let mut problem = Problem {
            model,
            left: evaluations,
            unknowns: DVector::from_vec(start.clone()),
            residuals: DVector::zeros(rows),
            jacobian: DMatrix::zeros(rows, columns),
            best: Minimum {
                unknowns: start,
                sum_of_squares: f64::INFINITY,
            },
        };
        problem.evaluate();
        problem
    }

    fn evaluate(&mut self) {
        self.left = self.left.saturating_sub(1);
        self.model.evaluate(
            self.unknowns.as_slice(),
            self.residuals.as_mut_slice(),
            self.jacobian.as_mut_slice(),
        );
        let sum = self.residuals.norm_squared();
        if sum < self.best.sum_of_squares {
            self.best.sum_of_squares = sum;
            self.best.unknowns.copy_from_slice(self.unknowns.as_slice());
        }
    }
}

impl<R: Residuals> LeastSquaresProblem<f64, Dyn, Dyn> for Problem<'_, R> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, x: &DVector<f64>) {
        if self.unknowns != *x {
            self.unknowns.copy_from(x);
            self.evaluate();
        }
    }

    fn params(&self) -> DVector<f64> {
        self.unknowns.clone()
    }

    /// None, which ends the search, once the evaluations are used up.
    fn residuals(&self) -> Option<DVector<f64>> {
        (self.left > 0).then(|| self.residuals.clone())
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        (self.left > 0).then(|| self.jacobian.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rosenbrock's valley: 10 (y − x²) and 1 − x.
    struct Valley;

    impl Residuals for Valley {
        fn count(&self) -> usize {
            2
        }

        fn evaluate(&self, u: &[f64], residuals: &mut [f64], jacobian: &mut [f64]) {
            residuals.copy_from_slice(&[10.0 * (u[1] - u[0] * u[0]), 1.0 - u[0]]);
            jacobian.copy_from_slice(&[-20.0 * u[0], -1.0, 10.0, 0.0]);
        }
    }

    #[test]
    fn finds_the_end_of_a_bent_valley() {
        let found = minimise(&Valley, vec![-1.2, 1.0], 100, 1e-14);
        assert!(found.sum_of_squares < 1e-20);
        assert!((found.unknowns[0] - 1.0).abs() < 1e-10);
    }

    #[test]
    fn keeps_to_its_budget() {
        let few = minimise(&Valley, vec![-1.2, 1.0], 3, 1e-14);
        let more = minimise(&Valley, vec![-1.2, 1.0], 12, 1e-14);
        assert!(few.sum_of_squares > more.sum_of_squares);
    }
}
