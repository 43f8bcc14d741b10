//! Distance and penetration as nonlinear programs in the two contact points.
//!
//! The unknowns are a point x_A of the surface of A and a point x_B of that of B; with
//! `d = x_B − x_A` and the unit outward normals n_A, n_B the program of "Contact detection between
//! convex superquadric surfaces" (its equation 31) is
//!
//! ```text
//! minimise |d|²   subject to   φ_A(x_A) = 0,  φ_B(x_B) = 0      set a, equations 21 and 22
//!                              n_A × n_B = 0                    cross, equations 24 to 26
//!                              n_A·n_B + 1 = 0                  dot, equation 28
//!                              n_A·d/|d| − 1 = 0                along A, equation 29
//!                              n_B·d/|d| + 1 = 0                along B, equation 31
//! ```
//!
//! from which the paper forms the sets a to h ([`ConstraintSet`]). (Its e1 is our e2, and its e2 our
//! e1; its equation 30 has the sign of n_B·d wrong, 31 has it right.)
//!
//! # What the sets can find
//!
//! Derived here, not in the paper:
//!
//! - **Apart**, the nearest points satisfy every set, and set a alone has them as its minimum.
//! - **Overlapping**, set a has minimum 0: every point of the curve where the surfaces meet.
//! - Antiparallel normals leave one pair of points for each direction n, with
//!   `|d| ≥ |n·d| = −g(n) ≥ depth`, and equality at the least depth: the minimum of set e *is* the
//!   penetration. Set b is weaker, `n_A × n_B = 0` being satisfied by equal normals as well.
//! - At the penetration d points *against* n_A. So "along A" and "along B" as printed exclude it:
//!   sets c, d, f, g and h have no solution there but pairs with d along n_A elsewhere. Not
//!   too many constraints but a sign is what they suffer from. [`Sense::Overlapping`] turns it.
//! - Every form with a dot product of unit vectors sits at an extremum of that product: its gradient
//!   vanishes at the solution. The constraints are then degenerate (no constraint qualification
//!   holds), the convergence of any solver slow, and an error ε of the constraint is an angle of
//!   √(2ε). The cross product has full first-order information but three rows of rank two.

mod constraints;
mod evaluation;
mod forms;
mod formulation;
mod geometry;
mod interior_point;
mod program;
mod sqp;
mod start;
mod verdict;

pub use constraints::ConstraintSet;
pub use forms::{Sense, SurfaceForm};
pub use formulation::Formulation;
pub use start::Start;
pub use verdict::{Verdict, judge};

use crate::OptimError;
use crate::scaled::ScaledPair;
use nalgebra::{Isometry3, Point3};
use program::Program;
use superovoid::Superovoid;

/// The library that solves the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// Sequential quadratic programming: `slsqp`.
    Sqp,
    /// Primal-dual interior point with limited-memory BFGS: `ripopt`.
    InteriorPoint,
}

/// The points a solver ended at. Nothing but the solver's own word says that they are the contact:
/// see [`judge`].
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Point of A, world frame.
    pub point_a: Point3<f64>,
    /// Point of B, world frame.
    pub point_b: Point3<f64>,
    /// Whether the solver reports success and the constraints hold to 1e-6.
    pub converged: bool,
    /// The solver's own status.
    pub status: String,
    /// Largest constraint violation, without unit.
    pub violation: f64,
    /// Iterations.
    pub iterations: u32,
    /// Evaluations of objective and constraints.
    pub evaluations: u32,
}

/// Constraint violation up to which the points of a successful solver count as a solution.
const FEASIBLE: f64 = 1e-6;

/// Solves the program from the estimate on the centre line (the paper's equation 33).
///
/// # Errors
/// A pose that is not finite, coinciding centres, or sizes that cannot be scaled together. A solver
/// that does not converge is no error: [`Solution::converged`] says so.
///
/// ```
/// use nalgebra::Isometry3;
/// use superovoid::Superovoid;
/// use superovoid_optim::constrained::{
///     ConstraintSet, Formulation, Sense, Solver, SurfaceForm, solve,
/// };
///
/// let egg = Superovoid::new([1.0, 1.0, 1.5], [1.0, 1.0], [0.2, 0.2])?;
/// let ball = Superovoid::sphere(1.0)?;
/// let there = Isometry3::translation(0.4, 3.0, 0.2);
/// let formulation = Formulation {
///     set: ConstraintSet::B,
///     form: SurfaceForm::Norm,
///     sense: Sense::Apart,
/// };
/// let answer = solve(&egg, &Isometry3::identity(), &ball, &there, formulation, Solver::Sqp)?;
/// assert!(answer.converged);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    formulation: Formulation,
    solver: Solver,
) -> Result<Solution, OptimError> {
    solve_from(Start::default(), a, pose_a, b, pose_b, formulation, solver)
}

/// Solves the program as [`solve`] does, from another estimate on the centre line.
///
/// # Errors
/// The errors are those of [`solve`].
pub fn solve_from(
    start: Start,
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    formulation: Formulation,
    solver: Solver,
) -> Result<Solution, OptimError> {
    let pair = ScaledPair::new(a, pose_a, b, pose_b)?;
    let start = start::on_centre_line(&pair, start)?;
    let program = Program::new(pair, formulation);
    let ended = match solver {
        Solver::Sqp => sqp::solve(&program, &start),
        Solver::InteriorPoint => interior_point::solve(&program, &start),
    };
    let violation = program.evaluate(&ended.x).violation();
    let [xa, xb] = program::points(&ended.x);
    Ok(Solution {
        point_a: pair.in_world(&xa),
        point_b: pair.in_world(&xb),
        converged: ended.success && violation <= FEASIBLE,
        status: ended.status,
        violation,
        iterations: ended.iterations,
        evaluations: program.evaluations(),
    })
}
