//! Newton's method on several pairs in step.
//!
//! The evaluation and the step are those of [`newton`], with a pair in each lane; the first ones are taken in single
//! precision ([`crate::pair::approach`]). All lanes go on until the last has converged; one that has keeps its
//! coordinates. Lanes that plain steps do not lead to a solution are given up.

use crate::lanes::{Columns, Lanes, MOST_COLUMNS, Two, select3};
use crate::pair::approach::Approached;
use crate::pair::columns::PairColumns;
use crate::pair::ellipsoids;
use crate::pair::newton::{
    self, ACCEPTED_GROWTH, CONVERGED, Found, Frame, LONGEST_STEP, NO_STEP, SHORTENING, SHORTENINGS,
    Stationary,
};
use crate::surface::good::{Coordinates, Place, State, Step};
use fearless_simd::Simd;

/// The lanes' stationary pairs of points, where they converged.
pub(super) struct Stopped<V: Lanes> {
    pub found: Found<V>,
    pub converged: V::Mask,
    pub steps: V,
    at: Coordinates<Two<Two<V>>>,
}

#[inline(always)]
pub(super) fn solve<V: Lanes>(
    pairs: &PairColumns<V>,
    approached: &Approached<V>,
    most_steps: u32,
) -> Stopped<V> {
    /// Evaluations that lead anywhere are fewer.
    const MOST_EVALUATIONS: u32 = 20;
    let relative = &pairs.relative;
    let (bodies, frame) = (
        &pairs.bodies(),
        &Frame::about(&newton::center_line(&relative.center), relative),
    );
    let &Approached { mut at, steps } = approached;
    let mut steps = Two(steps, steps);
    let unit = relative.apart;
    let unit = Two(unit, unit);
    let all = |x: f64| unit.all(x);
    let (zero, one, infinity) = (all(0.0), all(1.0), all(f64::INFINITY));
    let (closed, growth) = (all(CONVERGED * CONVERGED), all(ACCEPTED_GROWTH));
    let (shortening, shortenings) = (all(SHORTENING), all(f64::from(SHORTENINGS)));
    let most_steps = all(f64::from(most_steps));
    // The last step of each lane, the merit where it began, and how often it was shortened: before the first one, that
    // there is none to shorten.
    let mut from = Place {
        good: at,
        tangent: at,
    };
    let mut step = Step::new(zero, zero, one);
    let mut merit = infinity;
    let mut tries = shortenings;
    // Where the single query would do more than step and shorten steps, it is asked.
    let mut left = one.less(zero);
    let mut evaluations = 0;
    let system = loop {
        let system = newton::assemble(bodies, &at, frame, false);
        evaluations += 1;
        let finite = system.merit.less(infinity);
        let astray = (growth * merit).less(system.merit) | !finite;
        let retry = astray & tries.less(shortenings);
        left = left | (astray & !retry & !finite);
        let open = retry | closed.less(system.merit);
        let stuck = newton::is_shorter(&step, NO_STEP) & !system.merit.less(merit);
        let spent = system.is_off_axis() | !steps.less(most_steps);
        left = left | (open & !retry & (stuck | spent));
        if Two::<V>::everywhere(!open | left) || evaluations > MOST_EVALUATIONS {
            break system;
        }
        let mut next = newton::newton_step(&system, frame);
        let short = newton::is_shorter(&next, LONGEST_STEP);
        if !Two::<V>::everywhere(short) {
            let length = newton::length(&next);
            left = left | (open & !retry & !length.less(infinity));
            next = next.where_else(short, next.scaled(all(LONGEST_STEP) / length));
        }
        // Mostly, every lane takes its step, and there is nothing to choose.
        if Two::<V>::everywhere(open & !retry) {
            (from, step, merit, tries) = (system.surface.place, next, system.merit, zero);
            steps = steps + one;
            at = bodies.advance(&from, &step).at;
        } else {
            step = step.scaled(shortening).where_else(retry, next);
            from = from.where_else(Two(retry, retry), system.surface.place);
            merit = Two::select(retry, merit, system.merit);
            tries = Two::select(retry, tries + one, zero);
            steps = steps + Two::select(open & !retry, one, zero);
            // A lane that has converged is evaluated again where it was, so that it stays what it is.
            let next = bodies.advance(&from, &step).at;
            at = next.where_else(Two(open, open), at);
        }
    };
    Stopped {
        found: system.found(frame, relative),
        converged: (!closed.less(system.merit) & !left).0,
        steps: steps.0,
        at: system.surface.place.good,
    }
}

/// The pairs of ellipsoids by their own method; the others have not converged.
#[inline(always)]
pub(super) fn solve_ellipsoids<V: Lanes>(pairs: &PairColumns<V>) -> Stopped<V> {
    let semi_axes = pairs.semi_axes();
    let wanted = Two(pairs.ellipsoids, pairs.ellipsoids);
    let (solved, ended, steps) = ellipsoids::solve_each(&semi_axes, &pairs.relative, wanted);
    let like = Two(steps, steps);
    Stopped {
        at: solved.coordinates(like),
        found: solved.found,
        converged: ended.0,
        steps: steps.0,
    }
}

impl<V: Lanes> Stopped<V> {
    /// Whether every lane has converged.
    #[inline(always)]
    pub fn everywhere(&self) -> bool {
        V::everywhere(self.converged)
    }

    /// These where they have converged, else the others.
    #[inline(always)]
    pub fn or(self, others: Self) -> Self {
        let mask = self.converged;
        let select = |x: V, y: V| V::select(mask, x, y);
        let wide = Two(Two(mask, mask), Two(mask, mask));
        Stopped {
            found: Found {
                xa: select3(mask, &self.found.xa, &others.found.xa),
                d: select3(mask, &self.found.d, &others.found.d),
                normal: select3(mask, &self.found.normal, &others.found.normal),
                mismatch: select(self.found.mismatch, others.found.mismatch),
                off_circle: select(self.found.off_circle, others.found.off_circle),
            },
            converged: mask | others.converged,
            steps: select(self.steps, others.steps),
            at: self.at.where_else(wide, others.at),
        }
    }

    /// One lane by itself.
    #[inline(always)]
    pub fn lane<S: Simd>(&self, k: usize) -> Stationary
    where
        V: Columns<S>,
    {
        let Coordinates { g, h } = self.at;
        let state = |g: [V; 2], h: [V; 2]| State {
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
fn one_of<S: Simd, V: Columns<S>>(numbers: V, k: usize) -> f64 {
    let stored: [f64; MOST_COLUMNS] = numbers.store();
    stored[k]
}
