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
use crate::pair::place::{Centered, Pose, half_as_far};
use crate::pair::placed::{Answers, Given, Placed, is_simple};
use crate::pair::placement::{Parallel, Placement};
use crate::pair::problem::{self, SAME_CENTER};
use crate::pair::{Contact, Outcome, PairCache, QueryError, QueryOptions, depth, plain};
use crate::surface::good::{Bodies, State, both};
use fearless_simd::{Simd, SimdInto, f64x4};
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
    // Functions of their own: what the cache needs would take registers from what goes without.
    match cache {
        Some(cache) if !cache.is_empty() => {
            let cache = Some(cache);
            if suits_ellipsoids(pair, options) {
                on_this_processor_by_fours!(simd => of_ellipsoids::<_, true>(simd, pair, options, cache, 0))
            } else {
                on_this_processor_by_fours!(simd => of_all::<_, true>(simd, pair, options, cache, 0))
            }
        }
        cache => {
            if suits_ellipsoids(pair, options) {
                on_this_processor_by_fours!(simd => of_ellipsoids::<_, false>(simd, pair, options, cache, 0))
            } else {
                on_this_processor_by_fours!(simd => of_all::<_, false>(simd, pair, options, cache, 0))
            }
        }
    }
}

#[inline(always)]
fn suits_ellipsoids(pair: &Pair, options: &QueryOptions) -> bool {
    are_ellipsoids(pair) && options.max_iterations >= ellipsoids::MOST_STEPS
}

/// A pair in units, as the solvers need it.
struct Entered<S: Simd> {
    placement: Parallel<S>,
    unit: f64,
    per_unit: f64,
}

#[inline(always)]
fn entered<S: Simd>(simd: S, pair: &Pair) -> Entered<S> {
    let (pose_a, pose_b) = (Pose::from(pair.pose_a), Pose::from(pair.pose_b));
    let size = Lanes::max(pair.a.size(), pair.b.size());
    let unit = problem::unit_of_length(size, half_as_far(&pose_a, &pose_b));
    let per_unit = problem::inverse_of_unit(unit);
    Entered {
        placement: Parallel::new(simd, &pose_a, &pose_b, per_unit),
        unit,
        per_unit,
    }
}

/// The method for all bodies, from the cache's answer if it is WARM; after steps that led nowhere.
#[inline(always)]
fn of_all<S: Simd, const WARM: bool>(
    simd: S,
    pair: &Pair,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
    mut steps: u32,
) -> Result<Contact, QueryError> {
    if !is_simple(pair.a, pair.b) {
        return pair.go_on(options, cache, None);
    }
    let entered = entered(simd, pair);
    let bodies = Bodies::of_pair(simd, pair.a, pair.b, entered.per_unit);
    let start = match cache.as_deref() {
        Some(cache) if WARM => Start::Cache(cache),
        _ => Start::CenterLine,
    };
    let found = newton::solve_in_lanes(
        simd,
        &bodies,
        &entered.placement,
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
        return pair.go_on(options, cache, Some(tried(pair, options, &found, steps)));
    };
    if let Some(cache) = cache {
        // A copy, so that only who follows needs it in memory.
        let states = found.states;
        cache.follow(entered.normal_in_a(simd, &answers), &states);
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
    mut steps: u32,
) -> Result<Contact, QueryError> {
    let entered = entered(simd, pair);
    let placement = &entered.placement;
    if !WARM && lanes_of(placement.apart())[0] < SAME_CENTER {
        return ellipsoids_again::<false>(pair, options, cache, steps);
    }
    let [a1, a2, a3] = both(simd, &pair.a.a, &pair.b.a);
    let per_unit = entered.per_unit;
    let semi_axes = [a1 * per_unit, a2 * per_unit, a3 * per_unit];
    let axis = match cache.as_deref() {
        Some(cache) if WARM => {
            let normals = ellipsoids::normals(&semi_axes, &cache.expected(simd));
            Axis::near(&normals, placement)
        }
        _ => Axis::of_centers(placement),
    };
    let Some(solved) = ellipsoids::solve(&semi_axes, placement, &axis, &mut steps) else {
        return ellipsoids_again::<WARM>(pair, options, cache, steps);
    };
    let found = newton::first_of(&solved.found);
    let placed = Placed::new(&Given::of(pair, &entered), options);
    let answers = placed.answers(&found.points(), true);
    let zero: f64x4<S> = 0.0.simd_into(simd);
    let Some(outcome) = outcome(pair, options, &placed, &answers) else {
        // Nearest points and penetrations are not the only stationary ones.
        if !answers.overlapping && !options.is_beyond(answers.lower) {
            return by_the_method_for_all::<WARM>(pair, options, cache, steps);
        }
        let states = solved.coordinates(zero).states();
        let found = Stationary::new(&found, states);
        return pair.go_on(options, cache, Some(tried(pair, options, &found, steps)));
    };
    if let Some(cache) = cache {
        let states = solved.coordinates(zero).states();
        cache.follow(entered.normal_in_a(simd, &answers), &states);
    }
    Ok(answers.contact(outcome, steps))
}

/// Where their own method led nowhere: from the centre line, if it did not start there, or by the method for all.
#[cold]
fn ellipsoids_again<const WARM: bool>(
    pair: &Pair,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
    steps: u32,
) -> Result<Contact, QueryError> {
    if WARM {
        on_this_processor_by_fours!(simd => of_ellipsoids::<_, false>(simd, pair, options, cache, steps))
    } else {
        by_the_method_for_all::<false>(pair, options, cache, steps)
    }
}

#[cold]
fn by_the_method_for_all<const WARM: bool>(
    pair: &Pair,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
    steps: u32,
) -> Result<Contact, QueryError> {
    on_this_processor_by_fours!(simd => of_all::<_, WARM>(simd, pair, options, cache, steps))
}

/// None where nothing is proven.
#[inline(always)]
fn outcome(
    pair: &Pair,
    options: &QueryOptions,
    placed: &Placed<f64, Centered<f64>>,
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

impl Given<f64, Centered<f64>> {
    #[inline(always)]
    fn of<S: Simd>(pair: &Pair, entered: &Entered<S>) -> Self {
        let (a, b) = (pair.a, pair.b);
        let &Entered {
            ref placement,
            unit,
            per_unit,
        } = entered;
        Given {
            frame: Centered(pair.pose_a.translation.vector.into()),
            unit,
            per_unit,
            center: placement.center().map(|x| lanes_of(x)[0]),
            apart: lanes_of(placement.apart())[0],
            size: Lanes::max(a.size(), b.size()),
            outer: [a.outer_radius, b.outer_radius],
            inner: [a.inner_radius, b.inner_radius],
            rolling: a.rolling_radius + b.rolling_radius,
            steepest: Lanes::max(a.steepest, b.steepest),
        }
    }
}

impl<S: Simd> Entered<S> {
    #[inline(always)]
    fn normal_in_a(&self, simd: S, answers: &Answers<f64>) -> [f64; 3] {
        let normal = &answers.normal;
        let [x, y, z] = self.placement.in_both(&both(simd, normal, normal));
        [lanes_of(x)[0], lanes_of(y)[0], lanes_of(z)[0]]
    }
}

/// What the chain goes on from: the points that were found, evaluated in its own frame. (Turned to there, they would
/// be off their surfaces by what rounding takes, and square bodies' normals by much more.)
#[cold]
fn tried(pair: &Pair, options: &QueryOptions, found: &Stationary, steps: u32) -> Tried {
    let normal = pair.pose_a.inverse_transform_vector(&found.normal);
    let start = Start::Direction(normal.normalize(), found.states);
    let found = newton::solve(&pair.problem(options), start, 0, &mut 0);
    Tried { found, steps }
}

/// Surface coordinates of the support points in direction n of the world: rarely asked for.
#[cold]
fn support_states(pair: &Pair, options: &QueryOptions, n: &Vector3<f64>) -> [State; 2] {
    let n = pair.pose_a.inverse_transform_vector(n);
    pair.problem(options).support_states(&n)
}
