//! Assembly of the answers of a pair query from witness points, normal and bracket.

use crate::narrowphase::ascent;
use crate::narrowphase::convex_pair::ConvexPair;
use crate::pair::certificate::BracketedWitnesses;
use crate::pair::problem::PairProblem;
use crate::query::answer::Answer;
use crate::query::contact::Outcome;
use crate::query::units::{SHIFTED_BY_ROUNDING, center_line};
use crate::surface::primal_dual::SurfaceState;
use nalgebra::Vector3;

/// Assembles an answer in which `x_B = x_A + distance n` holds exactly. The part of the difference that does not lie
/// along the normal is split between the two points, along their tangent planes. Where that part is more than
/// rounding, points on ridges may have to return to the surfaces, along the normal.
///
/// This can move the distance of the witnesses out of the bracket, which is then widened. The answer is certified if
/// the final bracket is no wider than `tolerance`; otherwise its outcome is `open`.
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
        outcome: Outcome::of_bracket([lower, upper], tolerance, open),
        states,
    }
}

/// Assembles the answer that has only the bracket by spheres: the inner spheres stand in for the bodies.
pub(super) fn sphere_bracket_answer(problem: &PairProblem) -> Answer {
    let bracket = problem.sphere_bracket();
    let normal = axis(problem);
    let [ra, rb] = problem.inner_radii();
    let distance = problem.center_distance - ra - rb;
    let outcome = Outcome::NotConverged;
    Answer::new(distance, normal, normal * ra, bracket, outcome)
}

/// Returns the direction of the centre line, see [`center_line`].
pub(crate) fn axis(problem: &PairProblem) -> Vector3<f64> {
    center_line(&problem.center)
}

/// Assembles the answer of two spheres, or two points: every quantity lies on the centre line and is exact.
pub(super) fn spheres_answer(problem: &PairProblem, ra: f64, rb: f64) -> Answer {
    let normal = axis(problem);
    let distance = problem.center_distance - ra - rb;
    let bracket = [distance - problem.rounding, distance + problem.rounding];
    let outcome = Outcome::Certified;
    Answer::new(distance, normal, normal * ra, bracket, outcome)
}

/// Assembles the answer that a certificate proves.
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

/// Limits an answer, whichever stage found it, to what is proven.
#[inline(always)]
pub(crate) fn finalize(answer: Answer, problem: &PairProblem) -> Answer {
    answer.finalized(
        problem.a.traits.both(problem.b.traits).provable(),
        || problem.sphere_bracket(),
        || sphere_bracket_answer(problem),
    )
}
