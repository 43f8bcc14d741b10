//! The program as functions of the six unknowns `(x_A, x_B)`: objective, constraints, derivatives.

use super::constraints::{self, ConstraintSet};
use super::evaluation::{Evaluation, Unknowns};
use super::formulation::Formulation;
use super::geometry::SurfaceAt;
use crate::scaled::ScaledPair;
use nalgebra::Vector3;
use std::cell::{Cell, RefCell};

pub fn points(x: &Unknowns) -> [Vector3<f64>; 2] {
    [
        Vector3::new(x[0], x[1], x[2]),
        Vector3::new(x[3], x[4], x[5]),
    ]
}

/// How a solver ended.
pub struct Ended {
    pub x: Unknowns,
    pub success: bool,
    pub status: String,
    pub iterations: u32,
}

pub struct Program {
    pair: ScaledPair,
    formulation: Formulation,
    /// The last point and its evaluation: the solvers ask for objective and rows one by one.
    last: RefCell<Option<(Unknowns, Evaluation)>>,
    evaluations: Cell<u32>,
}

impl Program {
    pub fn new(pair: ScaledPair, formulation: Formulation) -> Self {
        Program {
            pair,
            formulation,
            last: RefCell::new(None),
            evaluations: Cell::new(0),
        }
    }

    pub fn set(&self) -> ConstraintSet {
        self.formulation.set
    }

    /// Number of distinct points evaluated.
    pub fn evaluations(&self) -> u32 {
        self.evaluations.get()
    }

    pub fn evaluate(&self, x: &Unknowns) -> Evaluation {
        if let Some((at, evaluation)) = *self.last.borrow()
            && at == *x
        {
            return evaluation;
        }
        let evaluation = self.compute(x);
        self.evaluations.set(self.evaluations.get() + 1);
        self.last.replace(Some((*x, evaluation)));
        evaluation
    }

    fn compute(&self, x: &Unknowns) -> Evaluation {
        let points = points(x);
        let d = points[1] - points[0];
        let [a, b] =
            [0, 1].map(|i| SurfaceAt::new(&self.pair.bodies[i], self.formulation.form, &points[i]));
        let g = d * 2.0;
        let mut out = Evaluation {
            objective: d.norm_squared(),
            gradient: [-g.x, -g.y, -g.z, g.x, g.y, g.z],
            ..Evaluation::default()
        };
        let Formulation { set, sense, .. } = self.formulation;
        constraints::evaluate(set, sense, [&a, &b], &d, &mut out);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::evaluation::UNKNOWNS;
    use super::super::{Sense, SurfaceForm};
    use super::*;
    use crate::random_pairs::RandomPairs;

    /// Every derivative against central differences, at points off the surfaces.
    #[test]
    fn derivatives_are_those_of_the_values() {
        let mut draw = RandomPairs::new(17);
        for _ in 0..20 {
            let p = draw.superovoids();
            let pair = ScaledPair::new(&p.a, &p.pose_a, &p.b, &p.pose_b).unwrap();
            let x = crate::constrained::start::on_centre_line(
                &pair,
                crate::constrained::Start::OnSurfaces,
            )
            .unwrap();
            let x: Unknowns = std::array::from_fn(|i| x[i] + 0.03 * (i as f64 - 2.2));
            for set in ConstraintSet::ALL {
                for form in [SurfaceForm::Norm, SurfaceForm::InsideOutside] {
                    for sense in [Sense::Apart, Sense::Overlapping] {
                        check(&Program::new(pair, Formulation { set, form, sense }), &x);
                    }
                }
            }
        }
    }

    fn check(program: &Program, x: &Unknowns) {
        let at = program.evaluate(x);
        for k in 0..UNKNOWNS {
            let step = 1e-6;
            let shifted = |h: f64| {
                let mut x = *x;
                x[k] += h;
                program.evaluate(&x)
            };
            let (low, high) = (shifted(-step), shifted(step));
            let close = |derivative: f64, low: f64, high: f64| {
                let difference = (high - low) / (2.0 * step);
                assert!(
                    (derivative - difference).abs() <= 1e-4 * (1.0 + derivative.abs()),
                    "{:?}, unknown {k}: {derivative} and {difference}",
                    program.formulation
                );
            };
            close(at.gradient[k], low.objective, high.objective);
            for row in 0..program.set().len() {
                close(at.jacobian()[row][k], low.values()[row], high.values()[row]);
            }
        }
    }
}
