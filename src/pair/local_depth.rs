//! Local depths of two superovoids by Newton's method, and when the first one found is taken for the least.

use crate::Superovoid;
use crate::narrowphase::convex_pair::Penetration;
use crate::pair::newton;
use crate::pair::newton::PairStart;
use crate::pair::problem::PairProblem;
use crate::query::contact::Outcome;
use crate::query::options::DepthMode;
use crate::query::units::ALIGNED;
use nalgebra::Vector3;

/// What two witness points that certify themselves amount to: a closed bracket is certified, and a penetration that is
/// presumed to be the least is converged. Returns `None` for everything else, which goes on through the pipeline.
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

/// Whether a depth found from the centre line is taken for the least without a search, if a fast depth is
/// asked for.
///
/// Along a unit m at an angle φ from the centre line the depth is at least `r − |c| cos φ`, r the sum
/// of inner radii: a smaller depth than δ needs `cos φ > (r − δ)/|c|`. When δ is small and that cone
/// narrow, the surfaces meet in a small lens across the centre line, and the maximum found from its
/// axis has been the only one in every pair tried. Deeper down, between pointed bodies, whose faces
/// lie closer, and between square ones, several maxima can lie in any cone.
///
/// `inner` and `apart` are r and |c|, in the unit of `depth`.
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
    // Boxes of e in [0.02, 0.2] have had a lesser depth beside one of 0.09 of their radii.
    const SQUARE: f64 = 0.25;
    const SHALLOW_BETWEEN_SQUARES: f64 = 0.07;
    let exponents = [a.e[0], a.e[1], b.e[0], b.e[1]];
    let pointed = exponents.iter().any(|&e| e > POINTED);
    let shallow = if exponents.iter().any(|&e| e < SQUARE) {
        SHALLOW_BETWEEN_SQUARES
    } else {
        SHALLOW
    };
    mode == DepthMode::Fast
        && !pointed
        && depth < shallow * inner
        && inner - depth > NARROW * center_distance
}

/// By Newton from n, if it ends where g is at least as large as the one `known`, that of n. Of non-convex
/// bodies, whose witnesses need not be support points, a common point is asked for instead.
///
/// As `g(m) ≤ z·m` for the difference z of any two points of the bodies, a few steps tell whether they
/// lead uphill: where they do not, Newton's method would wander about, or end at a saddle.
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
        along < 0.0 && problem.witnesses_show_overlap(&s.xa, &s.xb())
    };
    (proven && gap >= least).then_some(Penetration {
        normal: s.normal,
        gap,
        xa: s.xa,
        xb: s.xb(),
    })
}
