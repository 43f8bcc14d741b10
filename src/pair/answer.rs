//! Answers that the pipeline of a pair assembles.

use crate::narrowphase::ascent;
use crate::narrowphase::convex_pair::ConvexPair;
use crate::pair::certificate::BracketedWitnesses;
use crate::pair::problem::PairProblem;
use crate::query::answer::Answer;
use crate::query::contact::Outcome;
use crate::query::units::{SHIFTED_BY_ROUNDING, center_line};
use crate::surface::primal_dual::SurfaceState;
use nalgebra::Vector3;

/// Puts an answer together so that `x_B = x_A + distance n` holds exactly: what is left of the
/// difference beside the normal is split between the two points, along their tangent planes. Where
/// that is more than rounding, ridges may need them back on the surfaces, along the normal.
///
/// That can move the witnesses' distance out of the bracket, which then widens. The answer is certified
/// if it is no wider than `tolerance` in the end; otherwise its outcome is `open`.
#[inline(always)]
pub(crate) fn assemble_answer(
    problem: &PairProblem,
    normal: Vector3<f64>,
    [xa, xb]: [Vector3<f64>; 2],
    [lower, upper]: [f64; 2],
    tolerance: f64,
    open: Outcome,
    states: Option<[SurfaceState; 2]>,
) -> Answer {
    let d = xb - xa;
    let mut distance = d.dot(&normal);
    let beside = d - normal * distance;
    let mut xa = xa + 0.5 * beside;
    if beside.norm() > SHIFTED_BY_ROUNDING.max(problem.rounding) {
        let witnesses = ascent::onto_surfaces(problem, &normal, [xa, xb - 0.5 * beside]);
        xa = witnesses[0];
        distance = (witnesses[1] - xa).dot(&normal);
    }
    let (lower, upper) = (lower.min(distance), upper.max(distance));
    Answer {
        distance,
        normal,
        xa,
        lower,
        upper,
        outcome: if upper - lower <= tolerance {
            Outcome::Certified
        } else {
            open
        },
        states,
    }
}

/// Nothing but the crude bracket: the inner balls stand in for the bodies.
pub(super) fn sphere_bracket_answer(problem: &PairProblem) -> Answer {
    let [lower, upper] = problem.sphere_bracket();
    let normal = axis(problem);
    let [ra, rb] = problem.inner_radii();
    Answer {
        distance: problem.center_distance - ra - rb,
        normal,
        xa: normal * ra,
        lower,
        upper,
        outcome: Outcome::NotConverged,
        states: None,
    }
}

/// See [`center_line`].
pub(crate) fn axis(problem: &PairProblem) -> Vector3<f64> {
    center_line(&problem.center)
}

/// Two spheres (or two points): everything is on the centre line, and exact.
pub(super) fn spheres_answer(problem: &PairProblem, ra: f64, rb: f64) -> Answer {
    let normal = axis(problem);
    let distance = problem.center_distance - ra - rb;
    let (lower, upper) = (distance - problem.rounding, distance + problem.rounding);
    let xa = normal * ra;
    let outcome = Outcome::Certified;
    Answer {
        distance,
        normal,
        xa,
        lower,
        upper,
        outcome,
        states: None,
    }
}

/// The answer that a certificate gives.
pub(super) fn certified_answer(
    answer: &BracketedWitnesses<f64>,
    states: [SurfaceState; 2],
    outcome: Outcome,
) -> Answer {
    Answer {
        distance: answer.distance,
        normal: answer.normal.into(),
        xa: answer.xa.into(),
        lower: answer.lower,
        upper: answer.upper,
        outcome,
        states: Some(states),
    }
}

/// What may be said of it, whatever found it.
#[inline(always)]
pub(crate) fn finalize(mut answer: Answer, problem: &PairProblem) -> Answer {
    if !answer.is_finite() {
        // Sizes or distances near the limits of the number range.
        answer = sphere_bracket_answer(problem);
    }
    if !problem.a.traits.both(problem.b.traits).provable() {
        answer.revoke(problem.sphere_bracket());
    }
    answer.report_conservatively();
    answer
}
