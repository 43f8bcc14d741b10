//! The conic programs in the solver's standard form: minimise `qᵀy` with `b − A y` in a product of
//! cones.
//!
//! The unknowns y, 13 of them:
//!
//! ```text
//! (u, v, w, ρ, s, σ) of A,   the same of B,   and t (distance) or k (growth)
//! ```

use super::status::ConicStatus;
use crate::OptimError;
use crate::scaled::{Body, ScaledPair};
use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT::{PowerConeT, SecondOrderConeT, ZeroConeT};
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use nalgebra::Vector3;

const PER_BODY: usize = 6;
const UNKNOWNS: usize = 2 * PER_BODY + 1;
/// Index of t or k.
const LAST: usize = UNKNOWNS - 1;
/// Places of (u, v, w, ρ, s, σ) among the unknowns of a body.
const U: usize = 0;
const V: usize = 1;
const W: usize = 2;
const RHO: usize = 3;
const S: usize = 4;
const SIGMA: usize = 5;

/// `constant + Σ coefficient · unknown`.
#[derive(Clone, Debug, Default)]
struct Affine {
    constant: f64,
    terms: Vec<(usize, f64)>,
}

fn unknown(index: usize) -> Affine {
    Affine {
        constant: 0.0,
        terms: vec![(index, 1.0)],
    }
}

fn minus(mut left: Affine, right: &Affine) -> Affine {
    left.constant -= right.constant;
    left.terms.extend(right.terms.iter().map(|&(i, c)| (i, -c)));
    left
}

pub struct Program {
    rows: Vec<Affine>,
    cones: Vec<SupportedConeT<f64>>,
}

/// What the solver found, in the scaled frame.
pub struct Solved {
    /// (u, v, w) of both bodies.
    pub coordinates: [Vector3<f64>; 2],
    /// Multiplier of `x_B − x_A`: −n in the distance program.
    pub multiplier: Vector3<f64>,
    pub objective: f64,
    /// Primal minus dual objective.
    pub gap: f64,
    pub status: ConicStatus,
    pub iterations: u32,
}

impl Program {
    /// Minimise t, `(t, x_B − x_A)` in the second-order cone, k = 1.
    pub fn distance(pair: &ScaledPair) -> Self {
        let mut rows = vec![unknown(LAST)];
        rows.extend(difference(pair));
        let one = Affine {
            constant: 1.0,
            terms: Vec::new(),
        };
        Program {
            rows,
            cones: vec![SecondOrderConeT(4)],
        }
        .with_bodies(pair, &one)
    }

    /// Minimise k, `x_B − x_A = 0`.
    pub fn growth(pair: &ScaledPair) -> Self {
        Program {
            rows: difference(pair).into(),
            cones: vec![ZeroConeT(3)],
        }
        .with_bodies(pair, &unknown(LAST))
    }

    /// The four power cones of each body, grown by k.
    fn with_bodies(mut self, pair: &ScaledPair, k: &Affine) -> Self {
        for (i, body) in pair.bodies.iter().enumerate() {
            let at = |index| unknown(i * PER_BODY + index);
            let [alpha1, alpha2] = body.shape.exponents().map(|e| e / 2.0);
            let rho = at(RHO);
            self.power_cone(alpha1, [at(S), rho.clone(), at(U)]);
            self.power_cone(alpha1, [minus(rho.clone(), &at(S)), rho.clone(), at(V)]);
            self.power_cone(alpha2, [at(SIGMA), k.clone(), rho]);
            self.power_cone(alpha2, [minus(k.clone(), &at(SIGMA)), k.clone(), at(W)]);
        }
        self
    }

    fn power_cone(&mut self, alpha: f64, rows: [Affine; 3]) {
        self.rows.extend(rows);
        self.cones.push(PowerConeT(alpha));
    }

    pub fn solve(&self) -> Result<Solved, OptimError> {
        let (mut i, mut j, mut minus_a) = (Vec::new(), Vec::new(), Vec::new());
        for (row, affine) in self.rows.iter().enumerate() {
            for &(column, coefficient) in &affine.terms {
                i.push(row);
                j.push(column);
                minus_a.push(-coefficient);
            }
        }
        let a = CscMatrix::new_from_triplets(self.rows.len(), UNKNOWNS, i, j, minus_a);
        let b: Vec<f64> = self.rows.iter().map(|affine| affine.constant).collect();
        let p = CscMatrix::zeros((UNKNOWNS, UNKNOWNS));
        let mut q = [0.0; UNKNOWNS];
        q[LAST] = 1.0;
        let mut solver = DefaultSolver::new(&p, &q, &a, &b, &self.cones, settings())
            .map_err(|error| OptimError::Conic(error.to_string()))?;
        solver.solve();
        let solution = &solver.solution;
        let reached = solution.x.iter().chain(&solution.z);
        if !reached.copied().all(f64::is_finite) {
            let status = solution.status;
            return Err(OptimError::Conic(format!("{status}, at no finite point")));
        }
        let xyz = |of: usize| Vector3::from_column_slice(&solution.x[of + U..=of + W]);
        // In both programs the last three rows before the bodies' cones are x_B − x_A.
        let first = self.rows.len() - 8 * 3 - 3;
        Ok(Solved {
            coordinates: [xyz(0), xyz(PER_BODY)],
            multiplier: Vector3::from_column_slice(&solution.z[first..first + 3]),
            objective: solution.obj_val,
            gap: solution.obj_val - solution.obj_val_dual,
            status: match solution.status {
                SolverStatus::Solved => ConicStatus::Solved,
                SolverStatus::AlmostSolved => ConicStatus::AlmostSolved,
                _ => ConicStatus::Failed,
            },
            iterations: solution.iterations,
        })
    }
}

/// `x_B − x_A` with `x = c + R (a1 u, a2 v, a3 w)`.
fn difference(pair: &ScaledPair) -> [Affine; 3] {
    let [a, b] = &pair.bodies;
    [0, 1, 2].map(|axis| {
        let mut terms = Vec::with_capacity(6);
        for (first, sign, body) in [(0, -1.0, a), (PER_BODY, 1.0, b)] {
            terms.extend(
                columns(body, axis)
                    .into_iter()
                    .enumerate()
                    .map(|(k, c)| (first + k, sign * c)),
            );
        }
        Affine {
            constant: b.centre[axis] - a.centre[axis],
            terms,
        }
    })
}

fn columns(body: &Body, axis: usize) -> [f64; 3] {
    let a = body.shape.semi_axes();
    [0, 1, 2].map(|k| body.rotation[(axis, k)] * a[k])
}

fn settings() -> DefaultSettings<f64> {
    DefaultSettings {
        verbose: false,
        max_threads: 1,
        tol_gap_abs: 1e-10,
        tol_gap_rel: 1e-10,
        tol_feas: 1e-10,
        reduced_tol_gap_abs: 1e-7,
        reduced_tol_gap_rel: 1e-7,
        reduced_tol_feas: 1e-7,
        ..DefaultSettings::default()
    }
}
