//! Newton–Raphson for both systems of the published schemes, damped and as published.
//!
//! The papers take every step whole, and end when the last one is within the tolerance ([`undamped`]). Damped
//! ([`solve`]), a step is limited in length, then shortened until the residual stops growing and the iterate is inside
//! the domain, and the iteration ends when both the last step and the residual are within the tolerance. NaN never is.

use crate::published::linear;
use crate::published::scheme_options::Jacobian;
use crate::query::options::MAX_ITERATIONS;
use nalgebra::Vector3;

/// A system of N equations in N unknowns.
pub(super) trait System<const N: usize> {
    /// The unknowns.
    type State: Copy;
    /// The numbers from which the residual and its derivatives are made.
    type Evaluation;

    /// Returns `None` outside the domain.
    fn evaluate(&self, state: &Self::State) -> Option<Self::Evaluation>;
    fn target(&self, at: &Self::Evaluation) -> Target<N>;
    /// Returns the derivatives of the residual, a row for each equation.
    fn jacobian(&self, at: &Self::Evaluation) -> [[f64; N]; N];
    /// Returns the state with one unknown increased a little, and the increase.
    fn nudge(&self, state: &Self::State, unknown: usize) -> (Self::State, f64);
    /// Returns the state after a step.
    fn advance(&self, state: &Self::State, step: &[f64; N]) -> Self::State;
}

/// A system that knows how long a step is.
pub(super) trait Measured<const N: usize>: System<N> {
    /// Returns by how much the step turns or moves either body's point, for a body of size 1.
    fn stride(&self, state: &Self::State, step: &[f64; N]) -> f64;
    /// Returns by how much the step moves either surface point, in the problem's units.
    fn motion(&self, at: &Self::Evaluation, step: &[f64; N]) -> f64;
}

pub(super) struct Target<const N: usize> {
    pub residual: [f64; N],
    /// The deviation of the state from a solution, whatever the tangents: the systems do not depend on the
    /// sign of the normals, and parametric tangents are not perpendicular.
    pub merit: f64,
}

/// Returns `|n_P + n_Q|² + |d − (d·n_Q) n_Q|²`, which vanishes for opposed normals and a difference along them.
pub(super) fn common_normal_merit(n_p: &Vector3<f64>, n_q: &Vector3<f64>, d: &Vector3<f64>) -> f64 {
    (n_p + n_q).norm_squared() + (d - n_q * d.dot(n_q)).norm_squared()
}

/// The criteria that end the iteration.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub tolerance: f64,
    pub max_iterations: u32,
    pub jacobian: Jacobian,
}

/// The largest stride of a step.
const LONGEST_STRIDE: f64 = 0.5;
/// A step that raises the merit by more than this factor is shortened, by `SHORTENING`, at most
/// `SHORTENINGS` times.
const ACCEPTED_GROWTH: f64 = 1.2;
const SHORTENING: f64 = 0.5;
const SHORTENINGS: u32 = 6;

/// Runs Newton's method from `start`, if that is in the domain; returns the last iterate and counts the steps in
/// `iterations`. `seen` is told every iterate from the start on, with its merit and the share of the step that led to it.
pub(super) fn solve<const N: usize, S: Measured<N>>(
    system: &S,
    start: S::State,
    limits: &Limits,
    iterations: &mut u32,
    mut seen: impl FnMut(&S::State, f64, f64),
) -> Option<S::State> {
    let mut state = start;
    let mut at = system.evaluate(&state)?;
    let mut target = system.target(&at);
    seen(&state, target.merit, 1.0);
    for _ in 0..limits.max_iterations.min(MAX_ITERATIONS) {
        let whole = whole_step(system, &state, &at, &target, limits.jacobian)?;
        *iterations += 1;
        let stride = system.stride(&state, &whole);
        if !stride.is_finite() {
            break;
        }
        let mut length = (LONGEST_STRIDE / stride).min(1.0);
        let merit = target.merit;
        let mut accepted = None;
        for _ in 0..=SHORTENINGS {
            let step = whole.map(|s| s * length);
            let next_state = system.advance(&state, &step);
            if let Some(next) = system.evaluate(&next_state) {
                let next_target = system.target(&next);
                let next_merit = next_target.merit;
                if next_merit.is_finite() {
                    let grown = next_merit > ACCEPTED_GROWTH * merit;
                    accepted = Some((step, next_state, next, next_target, length));
                    if !grown {
                        break;
                    }
                }
            }
            length *= SHORTENING;
        }
        let Some((step, next_state, next, next_target, taken)) = accepted else {
            break;
        };
        let moved = system.motion(&at, &step);
        (state, at, target) = (next_state, next, next_target);
        seen(&state, target.merit, taken);
        let squares: f64 = target.residual.iter().map(|r| r * r).sum();
        if moved <= limits.tolerance && squares <= limits.tolerance * limits.tolerance {
            break;
        }
    }
    Some(state)
}

/// Runs Newton's method from `start` by whole steps, as in the papers; returns the last iterate and whether the last
/// step, the norm of all unknowns, was within the tolerance. An iterate out of the domain, or a step that is not finite,
/// ends the iteration at `start`. `seen` is told every iterate from the start on, with its merit.
pub(super) fn undamped<const N: usize, S: System<N>>(
    system: &S,
    start: S::State,
    limits: &Limits,
    iterations: &mut u32,
    mut seen: impl FnMut(&S::State, f64),
) -> (S::State, bool) {
    let mut state = start;
    for _ in 0..limits.max_iterations.min(MAX_ITERATIONS) {
        let Some(at) = system.evaluate(&state) else {
            return (start, false);
        };
        let target = system.target(&at);
        seen(&state, target.merit);
        let Some(step) = whole_step(system, &state, &at, &target, limits.jacobian) else {
            return (start, false);
        };
        *iterations += 1;
        let length = step.iter().map(|s| s * s).sum::<f64>().sqrt();
        if !length.is_finite() {
            return (start, false);
        }
        state = system.advance(&state, &step);
        if length <= limits.tolerance {
            return (state, true);
        }
    }
    (state, false)
}

/// Returns Newton's step, or `None` where a difference leaves the domain.
fn whole_step<const N: usize, S: System<N>>(
    system: &S,
    state: &S::State,
    at: &S::Evaluation,
    target: &Target<N>,
    jacobian: Jacobian,
) -> Option<[f64; N]> {
    let matrix = match jacobian {
        Jacobian::Analytic => system.jacobian(at),
        Jacobian::ForwardDifferences => forward_differences(system, state, target)?,
    };
    Some(linear::solve(matrix, target.residual.map(|r| -r)))
}

/// Returns the Jacobian by forward differences, a column for each unknown, as in the papers.
pub(super) fn forward_differences<const N: usize, S: System<N>>(
    system: &S,
    state: &S::State,
    here: &Target<N>,
) -> Option<[[f64; N]; N]> {
    let mut matrix = [[0.0; N]; N];
    for j in 0..N {
        let (nudged, change) = system.nudge(state, j);
        let there = system.target(&system.evaluate(&nudged)?);
        for i in 0..N {
            matrix[i][j] = (there.residual[i] - here.residual[i]) / change;
        }
    }
    Some(matrix)
}
