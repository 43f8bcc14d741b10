//! One pair, as nearly every query goes: Newton's method leads to points that prove themselves.
//!
//! All of that is one function, compiled for the processor's instructions, which hardly touches memory.
//! What is not proven that way goes on through the [`chain`](crate::pair::chain) of solvers, with what was
//! found.

use crate::lanes::{Lanes, lanes_of, on_this_processor_by_fours};
use crate::pair::batch::Pair;
use crate::pair::chain::Tried;
use crate::pair::columns::are_ellipsoids;
use crate::pair::ellipsoids::{self, Axis};
use crate::pair::newton::{self, Start, Stationary};
use crate::pair::place::{Pose, Relative, half_as_far};
use crate::pair::placed::{Answers, Given, Placed, is_simple};
use crate::pair::problem::{self, Problem};
use crate::pair::{Contact, Outcome, PairCache, QueryError, QueryOptions, depth, plain};
use crate::surface::good::{Bodies, State, both};
use fearless_simd::{Simd, SimdInto, f64x2, f64x4};
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
    if suits_ellipsoids(pair, options) {
        // Two functions: what the cache needs would take registers from what goes without.
        match cache {
            Some(cache) if !cache.is_empty() => {
                on_this_processor_by_fours!(simd =>
                    of_ellipsoids::<_, true>(simd, pair, options, Some(cache)))
            }
            cache => {
                on_this_processor_by_fours!(simd =>
                    of_ellipsoids::<_, false>(simd, pair, options, cache))
            }
        }
    } else {
        on_this_processor_by_fours!(simd => of_all(simd, pair, options, cache))
    }
}

#[inline(always)]
fn suits_ellipsoids(pair: &Pair, options: &QueryOptions) -> bool {
    are_ellipsoids(pair) && options.max_iterations >= ellipsoids::MOST_STEPS
}

/// A pair in units and A's frame, in both lanes, as the solvers need it.
struct Entered<S: Simd> {
    relative: Relative<f64x2<S>>,
    unit: f64,
    per_unit: f64,
}

#[inline(always)]
fn entered<S: Simd>(simd: S, pair: &Pair) -> Entered<S> {
    let both: f64x2<S> = 0.0.simd_into(simd);
    let pose_a = Pose::from(pair.pose_a).everywhere(both);
    let pose_b = Pose::from(pair.pose_b).everywhere(both);
    let size = Lanes::max(pair.a.size(), pair.b.size());
    let unit = problem::unit_of_length(size, lanes_of(half_as_far(&pose_a, &pose_b))[0]);
    let per_unit = problem::inverse_of_unit(unit);
    Entered {
        relative: Relative::new(&pose_a, &pose_b, both.all(per_unit)),
        unit,
        per_unit,
    }
}

/// The method for all bodies.
#[inline(always)]
fn of_all<S: Simd>(
    simd: S,
    pair: &Pair,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
) -> Result<Contact, QueryError> {
    if !is_simple(pair.a, pair.b) {
        return pair.go_on(options, cache, None);
    }
    let entered = entered(simd, pair);
    let bodies = Bodies::of_pair(simd, pair.a, pair.b, entered.per_unit);
    let start = match cache.as_deref() {
        Some(cache) if !cache.is_empty() => Start::Cache(cache),
        _ => Start::CenterLine,
    };
    let mut steps = 0;
    let found = newton::solve_in_lanes(
        simd,
        &bodies,
        &entered.relative,
        start,
        &|n| support_states(pair, options, n),
        options.max_iterations,
        &mut steps,
    );
    let Some(found) = found else {
        return pair.go_on(options, cache, Some(Tried { found, steps }));
    };
    let placed = Placed::new(&Given::of(pair, &entered), options);
    let answers = placed.answers(&found.points(), found.on_surface);
    let Some(outcome) = outcome(pair, options, &placed, &answers) else {
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

/// The method for ellipsoids, from the cache's answer if it is WARM; where that leads nowhere, the one for all bodies.
#[inline(always)]
fn of_ellipsoids<S: Simd, const WARM: bool>(
    simd: S,
    pair: &Pair,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
) -> Result<Contact, QueryError> {
    let entered = entered(simd, pair);
    let relative = &entered.relative;
    let [a1, a2, a3] = both(simd, &pair.a.a, &pair.b.a);
    let per_unit = entered.per_unit;
    let semi_axes = [a1 * per_unit, a2 * per_unit, a3 * per_unit];
    let axis = match cache.as_deref() {
        Some(cache) if WARM => {
            let normals = ellipsoids::normals(&semi_axes, &cache.expected(simd));
            Axis::near(normals, relative)
        }
        _ => Axis::of_centers(relative),
    };
    let mut steps = 0;
    let Some(solved) = ellipsoids::solve(&semi_axes, relative, &axis, &mut steps) else {
        return if WARM {
            ellipsoids_from_center_line(pair, options, cache)
        } else {
            of_all_apart(pair, options, cache)
        };
    };
    let found = newton::first_of(&solved.found);
    let placed = Placed::new(&Given::of(pair, &entered), options);
    let answers = placed.answers(&found.points(), true);
    let zero: f64x4<S> = 0.0.simd_into(simd);
    let Some(outcome) = outcome(pair, options, &placed, &answers) else {
        let states = solved.coordinates(zero).states();
        let found = Some(Stationary::new(&found, states));
        return pair.go_on(options, cache, Some(Tried { found, steps }));
    };
    if let Some(cache) = cache {
        let states = solved.coordinates(zero).states();
        cache.follow(answers.local_normal, &states);
    }
    Ok(answers.contact(outcome, steps))
}

#[cold]
fn ellipsoids_from_center_line(
    pair: &Pair,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
) -> Result<Contact, QueryError> {
    on_this_processor_by_fours!(simd => of_ellipsoids::<_, false>(simd, pair, options, cache))
}

#[cold]
fn of_all_apart(
    pair: &Pair,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
) -> Result<Contact, QueryError> {
    on_this_processor_by_fours!(simd => of_all(simd, pair, options, cache))
}

/// None where nothing is proven.
#[inline(always)]
fn outcome(
    pair: &Pair,
    options: &QueryOptions,
    placed: &Placed<f64>,
    answers: &Answers<f64>,
) -> Option<Outcome> {
    let plain::Bodies { inner, apart, .. } = placed.plain;
    let is_least = || {
        let inner = inner[0] + inner[1];
        depth::is_least(options.depth, pair.a, pair.b, inner, apart, answers.depth)
    };
    if answers.closed {
        Some(Outcome::Certified)
    } else if answers.overlapping && is_least() {
        Some(Outcome::Converged)
    } else {
        None
    }
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
    fn of<S: Simd>(pair: &Pair, entered: &Entered<S>) -> Self {
        let (a, b) = (pair.a, pair.b);
        let &Entered {
            ref relative,
            unit,
            per_unit,
        } = entered;
        Given {
            pose_a: Pose::from(pair.pose_a),
            unit,
            per_unit,
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
