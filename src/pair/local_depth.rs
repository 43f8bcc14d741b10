//! Local depths of two superovoids by Newton's method, and the criterion by which the first one is presumed to be the
//! least.

use crate::Superovoid;
use crate::narrowphase::convex_pair::Penetration;
use crate::pair::newton;
use crate::pair::newton::PairStart;
use crate::pair::problem::PairProblem;
use crate::query::contact::Outcome;
use crate::query::options::DepthMode;
use crate::query::units::ALIGNED;
use nalgebra::Vector3;

/// Returns the outcome of two witness points that certify themselves: a closed bracket is certified, and a
/// penetration that is presumed to be the least is converged. Returns `None` for all other points, which continue
/// through the pipeline.
#[inline(always)]
pub(crate) fn certified_outcome(
    closed: bool,
    overlapping: bool,
    presumed_global: impl FnOnce() -> bool,
) -> Option<Outcome> {
    if closed {
        Some(Outcome::Certified)
    } else if overlapping && presumed_global() {
        Some(Outcome::Converged)
    } else {
        None
    }
}

/// Whether a depth found from the centre line is presumed to be the least without a search, in the mode of fast
/// depths.
///
/// Along a unit m at an angle φ from the centre line the depth is at least `r − |c| cos φ`, where r is the sum of the
/// inner radii: a depth smaller than δ needs `cos φ > (r − δ)/|c|`. When δ is small and that cone narrow, the
/// surfaces meet in a small lens across the centre line, and the maximum found from its axis has been the only one in
/// every pair tried. At greater depths, between pointed bodies, whose faces lie closer, and between square ones, a
/// cone can contain several maxima.
///
/// `inner` and `center_distance` are r and |c|, in the unit of `depth`.
pub(crate) fn presumed_global(
    mode: DepthMode,
    a: &Superovoid,
    b: &Superovoid,
    inner: f64,
    center_distance: f64,
    depth: f64,
) -> bool {
    const SHALLOW: f64 = 0.2;
    const NARROW: f64 = 0.6; // cos 53°
    const POINTED: f64 = 1.25;
    // Box-like bodies with e in [0.02, 0.2] have been found with a smaller second depth at 0.09 of their radii.
    const SQUARE: f64 = 0.25;
    const SHALLOW_BETWEEN_SQUARES: f64 = 0.07;
    let exponents = [a.e[0], a.e[1], b.e[0], b.e[1]];
    let pointed = exponents.iter().any(|&e| e > POINTED);
    let shallow = if exponents.iter().any(|&e| e < SQUARE) {
        SHALLOW_BETWEEN_SQUARES
    } else {
        SHALLOW
    };
    mode != DepthMode::Certified
        && !pointed
        && depth < shallow * inner
        && inner - depth > NARROW * center_distance
}

/// Returns the local maximum of g to which Newton's method leads from n, if its g is at least `known`, the value at
/// n. For non-convex bodies, whose witnesses need not be support points, a common point is required instead.
///
/// As `g(m) ≤ z·m` for every CSO point z, a few steps tell whether the method ascends: where it does not, it would
/// wander about or end at a saddle.
pub(crate) fn newton_local_maximum(
    problem: &PairProblem,
    n: &Vector3<f64>,
    known: f64,
    iterations: &mut u32,
) -> Option<Penetration> {
    const FIRST_STEPS: u32 = 3;
    const MAX_STEPS: u32 = 10;
    let start = PairStart::Direction(*n, problem.support_states(n));
    let s = newton::solve(problem, start, FIRST_STEPS, iterations)?;
    let least = known - problem.tolerance;
    if s.d.dot(&s.normal) < least {
        return None;
    }
    let start = PairStart::Direction(s.normal, s.states);
    let s = newton::solve(problem, start, MAX_STEPS - FIRST_STEPS, iterations)?;
    let along = s.d.dot(&s.normal);
    let stationary = s.on_surface && s.mismatch < 1e-8 && s.offset() <= ALIGNED;
    if !stationary || along < least {
        return None;
    }
    let gap = problem.gap_of(&s);
    let proven = if problem.both_convex() {
        (along - gap).abs() <= 0.5 * problem.tolerance
    } else {
        along < 0.0 && problem.witnesses_prove_overlap(&s.xa, &s.xb())
    };
    (proven && gap >= least).then_some(Penetration {
        normal: s.normal,
        gap,
        xa: s.xa,
        xb: s.xb(),
    })
}
