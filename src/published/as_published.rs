//! What the four schemes are as Gonçalves, Bernardino, Jorge and Lopes published them (2017; the pseudo-code is that of
//! Gonçalves' thesis, 2015, tables 5 to 7), with their failures.
//!
//! | | as published | otherwise |
//! | --- | --- | --- |
//! | pairs of cells kept on a level | 1 | 16 |
//! | octree | cells whose centre is inside, the nearest pair of the last level | cells that meet the surface |
//! | system (15) | F itself | (F + 1)^(e2/2) − 1 |
//! | steps | whole, added to the unknowns | damped, along the surface, inside the domain |
//! | end | the last step is short | the step is short, and the system solved |
//! | guesses | the last answer, else one | also one for overlaps |
//! | overlap | Q in A | both points and their midpoint |
//! | answer | believed | verified |
//!
//! Two things the text leaves open are those of the authors' program: the differences of the Jacobian have the step
//! 1e-6, and an angle φ2 beyond a pole counts as φ2 ± π, which is on the far side of the body. That fold, `1 + t z/a3 ≤ 0`
//! beyond a tapered tip, and whole steps are why these schemes fail.

use crate::narrowphase::convex_pair::ConvexPair;
use crate::pair::answer::axis;
use crate::pair::problem::PairProblem;
use crate::published::implicit::{self, Implicit, Points};
use crate::published::newton::{System, Target};
use crate::published::parametric::{self, Angle, Angles, Parametric};
use crate::query::answer::Answer;
use crate::query::contact::Outcome;
use crate::query::units::NEARLY_TOUCHING;
use crate::surface::circles::Circles;
use crate::surface::primal_dual::SurfaceState;
use nalgebra::Vector3;
use std::f64::consts::{FRAC_PI_2, PI};

/// The step of the forward differences: a share of the semi-axis, or radians.
const DIFFERENCE: f64 = 1e-6;

/// System (15) with F in the place of `G − 1 = (F + 1)^(1/p2) − 1`: `F = G^p2 − 1`, `∇F = p2 G^(p2−1) ∇G`.
pub(super) struct Plain<'a>(pub Implicit<'a>);

impl Plain<'_> {
    fn power(&self, body: usize) -> f64 {
        [&self.0.problem.a, &self.0.problem.b][body].p[1]
    }
}

impl System<6> for Plain<'_> {
    type State = Points;
    type Evaluation = implicit::Evaluation;

    fn evaluate(&self, state: &Points) -> Option<implicit::Evaluation> {
        self.0.evaluate(state)
    }

    fn target(&self, at: &implicit::Evaluation) -> Target<6> {
        let mut target = self.0.target(at);
        for body in 0..2 {
            let value = &mut target.residual[4 + body];
            *value = (1.0 + *value).powf(self.power(body)) - 1.0;
        }
        target
    }

    fn jacobian(&self, at: &implicit::Evaluation) -> [[f64; 6]; 6] {
        let mut rows = self.0.jacobian(at);
        let values = self.0.target(at).residual;
        for body in 0..2 {
            let power = self.power(body);
            let slope = power * (1.0 + values[4 + body]).powf(power - 1.0);
            rows[4 + body] = rows[4 + body].map(|x| x * slope);
        }
        rows
    }

    fn nudge(&self, state: &Points, unknown: usize) -> (Points, f64) {
        let (body, axis) = (unknown / 3, unknown % 3);
        let mut state = *state;
        let old = state[body][axis];
        state[body][axis] += DIFFERENCE * [&self.0.problem.a, &self.0.problem.b][body].a[axis];
        let change = state[body][axis] - old;
        (state, change)
    }

    fn advance(&self, state: &Points, step: &[f64; 6]) -> Points {
        self.0.advance(state, step)
    }
}

/// System (18) with the angles themselves, `[φ1, φ2]` of A and of B, as unknowns.
pub(super) struct Folded<'a>(pub Parametric<'a>);

/// Returns the angles with φ2 folded.
pub(super) fn folded(state: &[f64; 4]) -> Angles {
    let [a1, a2, b1, b2] = *state;
    let angle = |phi: f64| Angle::towards(phi.cos(), phi.sin());
    let latitude = |phi: f64| {
        angle(if phi > FRAC_PI_2 {
            phi + PI
        } else if phi < -FRAC_PI_2 {
            phi - PI
        } else {
            phi
        })
    };
    [[angle(a1), latitude(a2)], [angle(b1), latitude(b2)]]
}

impl System<4> for Folded<'_> {
    type State = [f64; 4];
    type Evaluation = parametric::Evaluation;

    fn evaluate(&self, state: &[f64; 4]) -> Option<parametric::Evaluation> {
        self.0.evaluate(&folded(state))
    }

    fn target(&self, at: &parametric::Evaluation) -> Target<4> {
        self.0.target(at)
    }

    fn jacobian(&self, at: &parametric::Evaluation) -> [[f64; 4]; 4] {
        self.0.jacobian(at)
    }

    fn nudge(&self, state: &[f64; 4], unknown: usize) -> ([f64; 4], f64) {
        let mut state = *state;
        let old = state[unknown];
        state[unknown] += DIFFERENCE;
        let change = state[unknown] - old;
        (state, change)
    }

    fn advance(&self, state: &[f64; 4], step: &[f64; 4]) -> [f64; 4] {
        std::array::from_fn(|k| state[k] + step[k])
    }
}

/// Where Newton–Raphson has ended.
pub(super) struct End {
    /// The points of A and B, in A's frame; those of system (15) need not be on the surfaces.
    pub points: [Vector3<f64>; 2],
    /// The surface points below them, from which the next query may start.
    pub circles: [Circles; 2],
    pub converged: bool,
}

impl End {
    /// Returns the answer, which is that of the points, as it is: its bracket is the one of the bounding spheres.
    pub fn answer(&self, problem: &PairProblem) -> Answer {
        let [xa, xb] = self.points;
        let side = if problem.gauge_a(&xb) < 1.0 {
            -1.0
        } else {
            1.0
        };
        let d = xb - xa;
        let length = d.norm();
        let normal = if length > NEARLY_TOUCHING {
            d * (side / length)
        } else {
            axis(problem)
        };
        let [lower, upper] = problem.sphere_bracket();
        let states = [
            SurfaceState::of(&problem.a, &self.circles[0]),
            SurfaceState::of(&problem.b, &self.circles[1]),
        ];
        Answer {
            distance: side * length,
            normal,
            xa,
            lower,
            upper,
            outcome: if self.converged {
                Outcome::Converged
            } else {
                Outcome::NotConverged
            },
            states: self.converged.then_some(states),
        }
    }
}
