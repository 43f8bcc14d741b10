//! Newton's method on several pairs in lockstep.
//!
//! The evaluation and the step are those of [`newton`](crate::pair::newton), with a pair in each lane; the first
//! steps are taken in single precision ([`single_precision`](super::single_precision)). All lanes continue until the
//! last one has converged; a lane that has converged keeps its coordinates. A lane in which unguarded steps do not
//! lead to a solution is given up.

use crate::lanes::{Lanes, MAX_LANES, SoaLanes, Two, select3};
use crate::pair::batch::single_precision::ApproximateStart;
use crate::pair::batch::soa::PairSoa;
use crate::pair::frames::unit_center_line;
use crate::pair::newton::ellipsoids;
use crate::pair::newton::system::{
    ACCEPTED_GROWTH, CONVERGED, Chart, LONGEST_STEP, NO_STEP, SHORTENING, SHORTENINGS, assemble,
    is_shorter, newton_step, step_length,
};
use crate::pair::stationary::{Found, Stationary};
use crate::surface::primal_dual::{Coordinates, Step, SurfacePlace, SurfaceState};
use fearless_simd::Simd;

/// The lanes' stationary pairs of points, where they converged.
pub(crate) struct LockstepResult<V: Lanes> {
    pub found: Found<V>,
    pub converged: V::Mask,
    pub steps: V,
    at: Coordinates<Two<Two<V>>>,
}

#[inline(always)]
pub(crate) fn solve<V: Lanes>(
    pairs: &PairSoa<V>,
    start: &ApproximateStart<V>,
    most_steps: u32,
) -> LockstepResult<V> {
    /// The largest number of evaluations: those that lead to a solution are fewer.
    const MAX_EVALUATIONS: u32 = 20;
    let relative = &pairs.relative;
    let (bodies, chart) = (
        &pairs.bodies(),
        &Chart::about(&unit_center_line(&relative.center), relative),
    );
    let &ApproximateStart { mut at, steps } = start;
    let mut steps = Two(steps, steps);
    let unit = relative.center_distance;
    let unit = Two(unit, unit);
    let splat = |x: f64| unit.splat(x);
    let (zero, one, infinity) = (splat(0.0), splat(1.0), splat(f64::INFINITY));
    let (closed, growth) = (splat(CONVERGED * CONVERGED), splat(ACCEPTED_GROWTH));
    let (shortening, shortenings) = (splat(SHORTENING), splat(f64::from(SHORTENINGS)));
    let most_steps = splat(f64::from(most_steps));
    // The last step of each lane, the merit where it began, and how often it was shortened. Before the first step
    // these say that there is no step to shorten.
    let mut from = SurfacePlace {
        coordinates: at,
        tangent: at,
    };
    let mut step = Step::new(zero, zero, one);
    let mut merit = infinity;
    let mut tries = shortenings;
    // Where the single query would do more than take and shorten steps, the lane is left to it.
    let mut left = one.lt(zero);
    let mut evaluations = 0;
    let system = loop {
        let system = assemble(bodies, &at, chart, false);
        evaluations += 1;
        let finite = system.merit.lt(infinity);
        let astray = (growth * merit).lt(system.merit) | !finite;
        let retry = astray & tries.lt(shortenings);
        left = left | (astray & !retry & !finite);
        let open = retry | closed.lt(system.merit);
        let stuck = is_shorter(&step, NO_STEP) & !system.merit.lt(merit);
        let spent = system.is_off_axis() | !steps.lt(most_steps);
        left = left | (open & !retry & (stuck | spent));
        if Two::<V>::all(!open | left) || evaluations > MAX_EVALUATIONS {
            break system;
        }
        let mut next = newton_step(&system, chart);
        let short = is_shorter(&next, LONGEST_STEP);
        if !Two::<V>::all(short) {
            let length = step_length(&next);
            left = left | (open & !retry & !length.lt(infinity));
            next = next.select(short, next.scaled(splat(LONGEST_STEP) / length));
        }
        // Usually every lane takes its step, and nothing has to be selected.
        if Two::<V>::all(open & !retry) {
            (from, step, merit, tries) = (system.surface.place, next, system.merit, zero);
            steps = steps + one;
            at = bodies.advance(&from, &step).at;
        } else {
            step = step.scaled(shortening).select(retry, next);
            from = from.select(Two(retry, retry), system.surface.place);
            merit = Two::select(retry, merit, system.merit);
            tries = Two::select(retry, tries + one, zero);
            steps = steps + Two::select(open & !retry, one, zero);
            // A lane that has converged is evaluated again where it was, so that it stays what it is.
            let next = bodies.advance(&from, &step).at;
            at = next.select(Two(open, open), at);
        }
    };
    LockstepResult {
        found: system.found(chart, relative),
        converged: (!closed.lt(system.merit) & !left).0,
        steps: steps.0,
        at: system.surface.place.coordinates,
    }
}

/// Solves the pairs of ellipsoids by their own method; the other lanes count as not converged.
#[inline(always)]
pub(crate) fn solve_ellipsoids<V: Lanes>(pairs: &PairSoa<V>) -> LockstepResult<V> {
    let semi_axes = pairs.semi_axes();
    let wanted = Two(pairs.ellipsoids, pairs.ellipsoids);
    let (solved, ended, steps) = ellipsoids::solve_each(&semi_axes, &pairs.relative, wanted);
    let like = Two(steps, steps);
    LockstepResult {
        at: solved.coordinates(like),
        found: solved.found,
        converged: ended.0,
        steps: steps.0,
    }
}

impl<V: Lanes> LockstepResult<V> {
    /// Whether every lane has converged.
    #[inline(always)]
    pub fn all_converged(&self) -> bool {
        V::all(self.converged)
    }

    /// Takes these results where they have converged, and otherwise the others.
    #[inline(always)]
    pub fn or(self, others: Self) -> Self {
        let mask = self.converged;
        let select = |x: V, y: V| V::select(mask, x, y);
        let wide = Two(Two(mask, mask), Two(mask, mask));
        LockstepResult {
            found: Found {
                xa: select3(mask, &self.found.xa, &others.found.xa),
                d: select3(mask, &self.found.d, &others.found.d),
                normal: select3(mask, &self.found.normal, &others.found.normal),
                mismatch: select(self.found.mismatch, others.found.mismatch),
                off_circle: select(self.found.off_circle, others.found.off_circle),
            },
            converged: mask | others.converged,
            steps: select(self.steps, others.steps),
            at: self.at.select(wide, others.at),
        }
    }

    /// Returns the stationary pair of one lane.
    #[inline(always)]
    pub fn lane<S: Simd>(&self, k: usize) -> Stationary
    where
        V: SoaLanes<S>,
    {
        let Coordinates { g, h } = self.at;
        let state = |g: [V; 2], h: [V; 2]| SurfaceState {
            g: [one_of(g[0], k), one_of(g[1], k)],
            h: [one_of(h[0], k), one_of(h[1], k)],
        };
        let states = [
            state([g.0.0, g.1.0], [h.0.0, h.1.0]),
            state([g.0.1, g.1.1], [h.0.1, h.1.1]),
        ];
        let vector = |v: [V; 3]| [one_of(v[0], k), one_of(v[1], k), one_of(v[2], k)];
        let lane = Found {
            xa: vector(self.found.xa),
            d: vector(self.found.d),
            normal: vector(self.found.normal),
            mismatch: one_of(self.found.mismatch, k),
            off_circle: one_of(self.found.off_circle, k),
        };
        Stationary::new(&lane, states)
    }
}

#[inline(always)]
fn one_of<S: Simd, V: SoaLanes<S>>(numbers: V, k: usize) -> f64 {
    let stored: [f64; MAX_LANES] = numbers.store();
    stored[k]
}
