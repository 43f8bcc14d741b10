//! One pair, as nearly every query goes: Newton's method leads to points that prove themselves.
//!
//! All of that is one function, compiled for the processor's instructions, which hardly touches memory.
//! What is not proven that way goes on through the [`chain`](crate::pair::chain) of solvers, with what was
//! found.

use crate::lanes::{Lanes, lanes_of, on_this_processor_by_fours};
use crate::pair::batch::Pair;
use crate::pair::chain::Tried;
use crate::pair::newton::{self, Start};
use crate::pair::place::{Pose, Relative, half_as_far};
use crate::pair::placed::{Answers, Given, Placed, is_simple};
use crate::pair::problem::{self, Problem};
use crate::pair::{Contact, Outcome, PairCache, QueryError, QueryOptions, depth, plain};
use crate::surface::good::{Bodies, State};
use fearless_simd::{Simd, SimdInto, f64x2};
use nalgebra::{Unit, Vector3};

/// The answer to an exact query; the cache follows.
///
/// The result is written where whoever asks wants it: a copy would have to wait until its parts, which are
/// written one by one, have arrived in memory.
#[inline(always)]
pub(super) fn contact(
    pair: &Pair,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
) -> Result<Contact, QueryError> {
    on_this_processor_by_fours!(simd => contact_in_lanes(simd, pair, options, cache))
}

#[inline(always)]
fn contact_in_lanes<S: Simd>(
    simd: S,
    pair: &Pair,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
) -> Result<Contact, QueryError> {
    if !is_simple(pair.a, pair.b) {
        return pair.go_on(options, cache, None);
    }
    // In both lanes, as the solver needs it.
    let both: f64x2<S> = 0.0.simd_into(simd);
    let pose_a = Pose::from(pair.pose_a).everywhere(both);
    let pose_b = Pose::from(pair.pose_b).everywhere(both);
    let size = Lanes::max(pair.a.size(), pair.b.size());
    let unit = problem::unit_of_length(size, lanes_of(half_as_far(&pose_a, &pose_b))[0]);
    let per_unit = problem::inverse_of_unit(unit);
    let relative = Relative::new(&pose_a, &pose_b, both.all(per_unit));
    let bodies = Bodies::of_pair(simd, pair.a, pair.b, per_unit);
    let start = match cache.as_deref() {
        Some(cache) if !cache.is_empty() => Start::Cache(cache),
        _ => Start::CenterLine,
    };
    let mut steps = 0;
    let found = newton::solve_in_lanes(
        simd,
        &bodies,
        &relative,
        start,
        &|n| support_states(pair, options, n),
        options.max_iterations,
        &mut steps,
    );
    let Some(found) = found else {
        return pair.go_on(options, cache, Some(Tried { found, steps }));
    };
    let placed = Placed::new(&Given::of(pair, unit, &relative), options);
    let answers = placed.answers(&found.points(), found.on_surface);
    let plain::Bodies { inner, apart, .. } = placed.plain;
    let is_least = || {
        let inner = inner[0] + inner[1];
        depth::is_least(options.depth, pair.a, pair.b, inner, apart, answers.depth)
    };
    let outcome = if answers.closed {
        Outcome::Certified
    } else if answers.overlapping && is_least() {
        Outcome::Converged
    } else {
        let found = Some(found);
        return pair.go_on(options, cache, Some(Tried { found, steps }));
    };
    if let Some(cache) = cache {
        // A copy, so that only who follows needs it in memory.
        let states = found.states;
        cache.follow(answers.local_normal, &states);
    }
    Ok(answers.contact(outcome, steps))
}

impl Answers<f64> {
    #[inline(always)]
    fn contact(&self, outcome: Outcome, iterations: u32) -> Contact {
        Contact {
            distance: self.distance,
            point_a: self.point_a.into(),
            point_b: self.point_b.into(),
            normal: Unit::new_unchecked(self.normal.into()),
            lower: self.lower,
            upper: self.upper,
            outcome,
            iterations,
        }
    }
}

impl Given<f64> {
    #[inline(always)]
    fn of<S: Simd>(pair: &Pair, unit: f64, relative: &Relative<f64x2<S>>) -> Self {
        let (a, b) = (pair.a, pair.b);
        Given {
            pose_a: Pose::from(pair.pose_a),
            unit,
            per_unit: problem::inverse_of_unit(unit),
            center: relative.center.map(|x| lanes_of(x)[0]),
            apart: lanes_of(relative.apart)[0],
            size: Lanes::max(a.size(), b.size()),
            outer: [a.outer_radius, b.outer_radius],
            inner: [a.inner_radius, b.inner_radius],
            rolling: a.rolling_radius + b.rolling_radius,
            steepest: Lanes::max(a.steepest, b.steepest),
        }
    }
}

/// Surface coordinates of the support points in direction n: rarely asked for.
#[cold]
fn support_states(pair: &Pair, options: &QueryOptions, n: &Vector3<f64>) -> [State; 2] {
    let Pair {
        a,
        pose_a,
        b,
        pose_b,
    } = pair;
    Problem::new(a, pose_a, b, pose_b, options.tolerance).support_states(n)
}
