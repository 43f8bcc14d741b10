//! The fast path of one pair, which nearly every query takes: Newton's method leads to points that certify themselves.
//!
//! The path from poses to answer is one function, compiled for the processor's instructions, which hardly touches
//! memory. What it does not prove goes on through the [`pipeline`](crate::pair::pipeline), with what was found.

use crate::lanes::{Lanes, dispatch_four_lanes, to_array};
use crate::pair::certificate::PairBounds;
use crate::pair::frames::{PairFrame, WorldFrame};
use crate::pair::input::{Pair, are_ellipsoids, is_certifiable};
use crate::pair::local_depth::{certified_outcome, presumed_global};
use crate::pair::newton;
use crate::pair::newton::ellipsoids::Axis;
use crate::pair::newton::solve::solve_in_lanes;
use crate::pair::newton::{PairStart, ellipsoids};
use crate::pair::pipeline::FirstAttempt;
use crate::pair::stationary::{Stationary, first_of};
use crate::pair::warm_start::PairCache;
use crate::pair::world_certificate::{PairData, WorldAnswers, WorldCertifier};
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::pose::{Pose, Witnesses, WorldAtA, half_as_far};
use crate::query::units::{SAME_CENTER, inverse_of_unit, unit_of_length};
use crate::surface::primal_dual::{ShapeLanes, SurfaceState, both};
use fearless_simd::{Simd, SimdInto, f64x4};
use nalgebra::Vector3;

/// Answers a query and updates the cache.
///
/// The result is written directly to its destination: a copy would have to wait until its parts, which are written
/// one by one, have arrived in memory.
#[inline(always)]
pub(super) fn contact(
    pair: &Pair,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
) -> Result<Contact, QueryError> {
    // The numbers that only the cache needs would take registers from a query without a cache.
    let suits_ellipsoids = takes_ellipsoid_path(pair, options);
    match cache {
        Some(cache) if !cache.is_empty() => {
            if suits_ellipsoids {
                solve_ellipsoids_warm(pair, options, Some(cache), 0)
            } else {
                solve_general_warm(pair, options, Some(cache), 0)
            }
        }
        cache => {
            if suits_ellipsoids {
                solve_ellipsoids_cold(pair, options, cache, 0)
            } else {
                solve_general_cold(pair, options, cache, 0)
            }
        }
    }
}

/// Defines a function that runs one of the paths for the processor's instructions. Each path is compiled once for
/// each level of instructions: every caller that inlined it would compile it again.
macro_rules! compiled_once {
    ($(#[$doc:meta])* $name:ident, $path:ident, $warm:literal) => {
        $(#[$doc])*
        #[inline(never)]
        fn $name(
            pair: &Pair,
            options: &QueryOptions,
            cache: Option<&mut PairCache>,
            steps: u32,
        ) -> Result<Contact, QueryError> {
            dispatch_four_lanes!(simd => $path::<_, $warm>(simd, pair, options, cache, steps))
        }
    };
}

compiled_once!(
    /// Runs [`solve_general`] from the last answer.
    solve_general_warm, solve_general, true
);
compiled_once!(
    /// Runs [`solve_general`] from the centre line.
    solve_general_cold, solve_general, false
);
compiled_once!(
    /// Runs [`solve_ellipsoids`] from the last answer.
    solve_ellipsoids_warm, solve_ellipsoids, true
);
compiled_once!(
    /// Runs [`solve_ellipsoids`] from the centre line.
    solve_ellipsoids_cold, solve_ellipsoids, false
);

#[inline(always)]
fn takes_ellipsoid_path(pair: &Pair, options: &QueryOptions) -> bool {
    are_ellipsoids(pair) && options.max_iterations >= ellipsoids::MAX_STEPS
}

/// A pair in units, in the form that the solvers need.
struct Prepared<S: Simd> {
    frame: WorldFrame<S>,
    unit: f64,
    per_unit: f64,
}

#[inline(always)]
fn prepared<S: Simd>(simd: S, pair: &Pair) -> Prepared<S> {
    let (pose_a, pose_b) = (Pose::from(pair.pose_a), Pose::from(pair.pose_b));
    let size = Lanes::max(pair.a.size(), pair.b.size());
    let unit = unit_of_length(size, half_as_far(&pose_a, &pose_b));
    let per_unit = inverse_of_unit(unit);
    Prepared {
        frame: WorldFrame::new(simd, &pose_a, &pose_b, per_unit),
        unit,
        per_unit,
    }
}

/// Solves by the method for all bodies, from the cached answer if WARM is set, or after steps of another method that
/// failed.
#[inline(always)]
fn solve_general<S: Simd, const WARM: bool>(
    simd: S,
    pair: &Pair,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
    mut steps: u32,
) -> Result<Contact, QueryError> {
    if !is_certifiable(pair.a, pair.b) {
        return pair.resume_pipeline(options, cache, None);
    }
    let prepared = prepared(simd, pair);
    let bodies = ShapeLanes::of_pair(simd, pair.a, pair.b, prepared.per_unit);
    let start = match cache.as_deref() {
        Some(cache) if WARM => PairStart::Cache(cache),
        _ => PairStart::CenterLine,
    };
    let found = solve_in_lanes(
        simd,
        &bodies,
        &prepared.frame,
        start,
        &|n| support_states(pair, options, n),
        options.max_iterations,
        &mut steps,
    );
    let Some(found) = found else {
        return pair.resume_pipeline(options, cache, Some(FirstAttempt { found, steps }));
    };
    let certifier = WorldCertifier::new(&PairData::of(pair, &prepared), options);
    let answers = certifier.answers(&found.points(), found.on_surface);
    let Some(outcome) = outcome(pair, options, &certifier, &answers) else {
        return pair.resume_pipeline(
            options,
            cache,
            Some(first_attempt(pair, options, &found, steps)),
        );
    };
    if let Some(cache) = cache {
        // This is a copy, so that only queries that continue need it in memory.
        let states = found.states;
        cache.follow(prepared.normal_in_a(simd, &answers), &states);
    }
    Ok(answers.contact(outcome, steps))
}

/// Solves by the method for ellipsoids, from the cached answer if WARM is set; where that fails, by the method for
/// all bodies.
#[inline(always)]
fn solve_ellipsoids<S: Simd, const WARM: bool>(
    simd: S,
    pair: &Pair,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
    mut steps: u32,
) -> Result<Contact, QueryError> {
    let prepared = prepared(simd, pair);
    let frame = &prepared.frame;
    if !WARM && to_array(frame.center_distance())[0] < SAME_CENTER {
        return restart_ellipsoids::<false>(pair, options, cache, steps);
    }
    let [a1, a2, a3] = both(simd, &pair.a.a, &pair.b.a);
    let per_unit = prepared.per_unit;
    let semi_axes = [a1 * per_unit, a2 * per_unit, a3 * per_unit];
    let axis = match cache.as_deref() {
        Some(cache) if WARM => {
            let normals = ellipsoids::normals(&semi_axes, &cache.expected(simd));
            Axis::near(&normals, frame)
        }
        _ => Axis::of_centers(frame),
    };
    let Some(solved) = ellipsoids::solve(&semi_axes, frame, &axis, &mut steps) else {
        return restart_ellipsoids::<WARM>(pair, options, cache, steps);
    };
    let found = first_of(&solved.found);
    let certifier = WorldCertifier::new(&PairData::of(pair, &prepared), options);
    let answers = certifier.answers(&found.points(), true);
    let zero: f64x4<S> = 0.0.simd_into(simd);
    let Some(outcome) = outcome(pair, options, &certifier, &answers) else {
        // Besides nearest points and penetrations there are other stationary points.
        if !answers.overlapping && !options.is_beyond(answers.lower) {
            return if WARM {
                solve_general_warm(pair, options, cache, steps)
            } else {
                solve_general_cold(pair, options, cache, steps)
            };
        }
        let states = solved.coordinates(zero).states();
        let found = Stationary::new(&found, states);
        return pair.resume_pipeline(
            options,
            cache,
            Some(first_attempt(pair, options, &found, steps)),
        );
    };
    if let Some(cache) = cache {
        let states = solved.coordinates(zero).states();
        cache.follow(prepared.normal_in_a(simd, &answers), &states);
    }
    Ok(answers.contact(outcome, steps))
}

/// Continues where the method for ellipsoids failed: from the centre line if it did not start there, otherwise by the
/// method for all bodies.
#[cold]
fn restart_ellipsoids<const WARM: bool>(
    pair: &Pair,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
    steps: u32,
) -> Result<Contact, QueryError> {
    if WARM {
        solve_ellipsoids_cold(pair, options, cache, steps)
    } else {
        solve_general_cold(pair, options, cache, steps)
    }
}

/// Returns `None` where nothing is certified.
#[inline(always)]
fn outcome(
    pair: &Pair,
    options: &QueryOptions,
    certifier: &WorldCertifier<f64, WorldAtA<f64>>,
    answers: &WorldAnswers<f64>,
) -> Option<Outcome> {
    let PairBounds {
        inner,
        center_distance,
        ..
    } = certifier.bounds;
    let is_global = || {
        let inner = inner[0] + inner[1];
        let depth = answers.depth;
        presumed_global(options.depth, pair.a, pair.b, inner, center_distance, depth)
            || options.takes_any_overlap()
    };
    certified_outcome(answers.closed, answers.overlapping, is_global)
}

impl WorldAnswers<f64> {
    #[inline(always)]
    fn contact(&self, outcome: Outcome, iterations: u32) -> Contact {
        let witnesses = Witnesses {
            distance: self.distance,
            point_a: self.point_a,
            point_b: self.point_b,
            normal: self.normal,
        };
        Contact::new(&witnesses, [self.lower, self.upper], outcome, iterations)
    }
}

impl PairData<f64, WorldAtA<f64>> {
    #[inline(always)]
    fn of<S: Simd>(pair: &Pair, prepared: &Prepared<S>) -> Self {
        let (a, b) = (pair.a, pair.b);
        let &Prepared {
            ref frame,
            unit,
            per_unit,
        } = prepared;
        PairData {
            frame: WorldAtA(pair.pose_a.translation.vector.into()),
            unit,
            per_unit,
            center: frame.center().map(|x| to_array(x)[0]),
            center_distance: to_array(frame.center_distance())[0],
            size: Lanes::max(a.size(), b.size()),
            outer: [a.outer_radius, b.outer_radius],
            inner: [a.inner_radius, b.inner_radius],
            rolling: a.rolling_radius + b.rolling_radius,
            steepest: Lanes::max(a.steepest, b.steepest),
        }
    }
}

impl<S: Simd> Prepared<S> {
    #[inline(always)]
    fn normal_in_a(&self, simd: S, answers: &WorldAnswers<f64>) -> [f64; 3] {
        let normal = &answers.normal;
        let [x, y, z] = self.frame.to_bodies(&both(simd, normal, normal));
        [to_array(x)[0], to_array(y)[0], to_array(z)[0]]
    }
}

/// Returns the first attempt for the pipeline: the points that were found, evaluated in the pipeline's own frame.
/// (Rotated points would be off their surfaces by rounding, and the normals of square bodies by much more.)
#[cold]
fn first_attempt(
    pair: &Pair,
    options: &QueryOptions,
    found: &Stationary,
    steps: u32,
) -> FirstAttempt {
    let normal = pair.pose_a.inverse_transform_vector(&found.normal);
    let start = PairStart::Direction(normal.normalize(), found.states);
    let found = newton::solve(&pair.problem(options), start, 0, &mut 0);
    FirstAttempt { found, steps }
}

/// Returns surface coordinates of the support points in direction n of the world; this is rarely needed.
#[cold]
fn support_states(pair: &Pair, options: &QueryOptions, n: &Vector3<f64>) -> [SurfaceState; 2] {
    let n = pair.pose_a.inverse_transform_vector(n);
    pair.problem(options).support_states(&n)
}
