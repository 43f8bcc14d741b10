//! Many pairs: Newton's method on as many at a time as the processor's vectors hold.
//!
//! The evaluation and the step are those of [`newton`], with a pair in each lane, and so are their bits.
//! All lanes go on until the last has converged; one that has keeps its coordinates. What does not
//! converge by plain steps is left to the single query, and so is all proof.

use crate::Superovoid;
use crate::lanes::{Columns, Lanes, MOST_COLUMNS, Two, on_this_processor};
use crate::pair::chain::Chain;
use crate::pair::newton::{
    self, ACCEPTED_GROWTH, CHART_LIMIT, CONVERGED, Frame, LONGEST_STEP, SHORTENING, SHORTENINGS,
    Stationary, System,
};
use crate::pair::problem::Problem;
use crate::pair::{
    Contact, Method, QueryError, QueryOptions, balls, contact_of_valid, in_world, tolerance,
    validate_options, validate_poses,
};
use crate::surface::good::{Bodies, Columned, Coordinates, State, Step};
use fearless_simd::{Simd, SimdBase, f64x4, f64x8};
use nalgebra::Isometry3;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// One pair of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// Body A…
    pub a: &'a Superovoid,
    /// …and its pose.
    pub pose_a: &'a Isometry3<f64>,
    /// Body B…
    pub b: &'a Superovoid,
    /// …and its pose.
    pub pose_b: &'a Isometry3<f64>,
}

/// The first pair of a batch that could not be answered.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("pair {index} (counted from 0): {error}")]
pub struct PairError {
    /// Its place in the slice.
    pub index: usize,
    /// What is wrong with it.
    pub error: QueryError,
}

/// [`contact`](crate::contact) of every pair, the answers in their order.
///
/// Consecutive pairs are solved together in the lanes of the processor's vectors (on AVX2 and AVX-512;
/// one by one elsewhere), about twice as fast as by single queries, and with the feature `rayon` on
/// the threads of the current pool. The answers are those of single queries, bit for bit. Nothing is
/// allocated for a pair.
///
/// # Errors
/// As `contact`, the first pair in the slice that is refused; the contents of `answers` are then
/// unspecified. And, as errors of pair 0, options out of their domain and slices of different lengths.
///
/// ```
/// use nalgebra::Isometry3;
/// use superovoid::{Contact, Pair, QueryOptions, Superovoid, contacts};
///
/// let ball = Superovoid::sphere(1.0)?;
/// let (here, there) = (Isometry3::identity(), Isometry3::translation(3.0, 0.0, 0.0));
/// let pairs = [Pair { a: &ball, pose_a: &here, b: &ball, pose_b: &there }; 10];
/// let mut answers = [Contact::default(); 10];
/// contacts(&pairs, &mut answers, &QueryOptions::default())?;
/// assert!(answers.iter().all(|answer| (answer.distance - 1.0).abs() < 1e-12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts(
    pairs: &[Pair],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    if pairs.len() != answers.len() {
        let error = QueryError::PairLengths {
            pairs: pairs.len(),
            answers: answers.len(),
        };
        return Err(PairError { index: 0, error });
    }
    validate_options(options).map_err(|error| PairError { index: 0, error })?;
    #[cfg(feature = "rayon")]
    let groups = pairs.par_chunks(GROUP).zip(answers.par_chunks_mut(GROUP));
    #[cfg(not(feature = "rayon"))]
    let groups = pairs.chunks(GROUP).zip(answers.chunks_mut(GROUP));
    let first_error = groups
        .enumerate()
        .filter_map(|(k, (pairs, answers))| {
            solve_group(pairs, answers, options)
                .map_err(|error| PairError {
                    index: k * GROUP + error.index,
                    ..error
                })
                .err()
        })
        .min_by_key(|error| error.index);
    first_error.map_or(Ok(()), Err)
}

/// Pairs that are handed out together: lanes for whole vectors of any width.
const GROUP: usize = 64;

/// The answers of at most [`GROUP`] pairs, for options that were checked.
fn solve_group(
    pairs: &[Pair],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    let refused = pairs.iter().enumerate().find_map(|(index, pair)| {
        let error = validate_poses(pair.pose_a, pair.pose_b).err()?;
        Some(PairError { index, error })
    });
    // A pair before that one may yet be refused, for a distance beyond the number range.
    let valid = refused.map_or(pairs.len(), |error| error.index);
    solve_valid(&pairs[..valid], &mut answers[..valid], options)?;
    refused.map_or(Ok(()), Err)
}

/// [`contacts`] on this thread, for poses and options that were checked, and slices of one length.
pub(crate) fn solve_valid(
    pairs: &[Pair],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    if options.max_distance == f64::INFINITY || pairs.is_empty() {
        return solve_all(pairs, answers, options);
    }
    // Only those take a lane that their balls leave in doubt.
    let mut doubtful = [(0, pairs[0]); MOST_COLUMNS];
    let mut count = 0;
    for (index, pair) in pairs.iter().enumerate() {
        let Pair {
            a,
            pose_a,
            b,
            pose_b,
        } = pair;
        if let Some(contact) = balls::beyond(a, pose_a, b, pose_b, options.max_distance) {
            answers[index] = contact;
            continue;
        }
        doubtful[count] = (index, *pair);
        count += 1;
        if count == MOST_COLUMNS {
            solve_doubtful(&doubtful, answers, options)?;
            count = 0;
        }
    }
    solve_doubtful(&doubtful[..count], answers, options)
}

/// At most [`MOST_COLUMNS`] pairs with their places among the answers.
fn solve_doubtful(
    doubtful: &[(usize, Pair)],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    let Some((_, first)) = doubtful.first() else {
        return Ok(());
    };
    let mut pairs = [*first; MOST_COLUMNS];
    let mut found = [Contact::default(); MOST_COLUMNS];
    let count = doubtful.len();
    for (pair, (_, given)) in pairs.iter_mut().zip(doubtful) {
        *pair = *given;
    }
    solve_all(&pairs[..count], &mut found[..count], options).map_err(|error| PairError {
        index: doubtful[error.index].0,
        ..error
    })?;
    for (contact, (index, _)) in found.iter().zip(doubtful) {
        answers[*index] = *contact;
    }
    Ok(())
}

/// As [`solve_valid`], a lane for every pair.
fn solve_all(
    pairs: &[Pair],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    let width = lanes_here();
    let in_some_lanes = match width {
        _ if options.method != Method::Exact => one_by_one,
        8 => in_lanes::<8>,
        4 => in_lanes::<4>,
        _ => one_by_one,
    };
    for (k, (pairs, answers)) in pairs
        .chunks(width)
        .zip(answers.chunks_mut(width))
        .enumerate()
    {
        in_some_lanes(pairs, answers, options).map_err(|error| PairError {
            index: k * width + error.index,
            ..error
        })?;
    }
    Ok(())
}

/// Pairs that this processor solves together. Two at a time would be slower than one by one, whose
/// lanes are the two bodies.
fn lanes_here() -> usize {
    on_this_processor!(simd => width_of(simd))
}

#[inline(always)]
fn width_of<S: Simd>(_: S) -> usize {
    match <S::f64s as SimdBase<S>>::LEN {
        0..4 => 1,
        4..8 => 4,
        _ => 8,
    }
}

fn one_by_one(
    pairs: &[Pair],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    for (index, (pair, answer)) in pairs.iter().zip(answers).enumerate() {
        *answer = contact_of_valid(pair.a, pair.pose_a, pair.b, pair.pose_b, options, None)
            .map_err(|error| PairError { index, error })?;
    }
    Ok(())
}

/// At most WIDTH pairs, on a processor with so many lanes.
fn in_lanes<const WIDTH: usize>(
    pairs: &[Pair],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    // Lanes without a pair repeat the last.
    let problems: [Problem; WIDTH] = std::array::from_fn(|k| {
        let pair = &pairs[k.min(pairs.len() - 1)];
        let tolerance = tolerance(pair.a, pair.b, options);
        Problem::new(pair.a, pair.pose_a, pair.b, pair.pose_b, tolerance)
    });
    let most = options.max_iterations;
    let found = on_this_processor!(simd => solve(simd, &problems, most));
    for (k, answer) in answers.iter_mut().enumerate() {
        let mut chain = Chain::new(&problems[k], options);
        let solved = match &found[k] {
            Some((stationary, steps)) => chain.run_from(stationary, *steps),
            None => chain.run(None),
        };
        *answer = in_world(&solved, problems[k].unit, pairs[k].pose_a, chain.iterations)
            .within_number_range()
            .map_err(|error| PairError { index: k, error })?;
    }
    Ok(())
}

/// Stationary pairs of points with their numbers of steps, where the lanes converged.
type Found = [Option<(Stationary, u32)>; MOST_COLUMNS];

#[inline(always)]
fn solve<S: Simd>(simd: S, problems: &[Problem], most_steps: u32) -> Found {
    if problems.len() == 8 {
        solve_columns::<S, f64x8<S>>(simd, problems, most_steps)
    } else {
        solve_columns::<S, f64x4<S>>(simd, problems, most_steps)
    }
}

/// One number of every problem.
#[inline(always)]
fn column<S: Simd, V: Columns<S>>(
    simd: S,
    problems: &[Problem],
    of: impl Fn(&Problem) -> f64,
) -> V {
    let mut numbers = [0.0; MOST_COLUMNS];
    for (number, problem) in numbers.iter_mut().zip(problems) {
        *number = of(problem);
    }
    V::load(simd, &numbers)
}

#[inline(always)]
fn bodies<S: Simd, V: Columns<S>>(simd: S, problems: &[Problem]) -> Bodies<Two<Two<V>>> {
    let a = columned(simd, problems, |problem| &problem.a);
    let b = columned(simd, problems, |problem| &problem.b);
    let every_body = || problems.iter().flat_map(|problem| [&problem.a, &problem.b]);
    let round = every_body().all(|body| body.p == [2.0; 2]);
    let tapered = every_body().any(Superovoid::is_tapered);
    Bodies::of_columns(&a, &b, round, tapered)
}

#[inline(always)]
fn columned<S: Simd, V: Columns<S>>(
    simd: S,
    problems: &[Problem],
    body: impl Fn(&Problem) -> &Superovoid,
) -> Columned<V> {
    Columned {
        a: [
            column(simd, problems, |x| body(x).a[0]),
            column(simd, problems, |x| body(x).a[1]),
            column(simd, problems, |x| body(x).a[2]),
        ],
        p: [
            column(simd, problems, |x| body(x).p[0]),
            column(simd, problems, |x| body(x).p[1]),
        ],
        q: [
            column(simd, problems, |x| body(x).q[0]),
            column(simd, problems, |x| body(x).q[1]),
        ],
        t: [
            column(simd, problems, |x| body(x).t[0]),
            column(simd, problems, |x| body(x).t[1]),
        ],
    }
}

/// The charts about the centre lines.
#[inline(always)]
fn frames<S: Simd, V: Columns<S>>(simd: S, problems: &[Problem]) -> Frame<Two<V>> {
    let center: [V; 3] = [
        column(simd, problems, |x| x.center.x),
        column(simd, problems, |x| x.center.y),
        column(simd, problems, |x| x.center.z),
    ];
    let rotation: [[V; 3]; 3] = [
        rotation_column(simd, problems, 0),
        rotation_column(simd, problems, 1),
        rotation_column(simd, problems, 2),
    ];
    Frame::about(&newton::center_line(&center), &center, &rotation)
}

#[inline(always)]
fn rotation_column<S: Simd, V: Columns<S>>(simd: S, problems: &[Problem], k: usize) -> [V; 3] {
    [
        column(simd, problems, |x| x.rotation[(0, k)]),
        column(simd, problems, |x| x.rotation[(1, k)]),
        column(simd, problems, |x| x.rotation[(2, k)]),
    ]
}

#[inline(always)]
fn solve_columns<S: Simd, V: Columns<S>>(simd: S, problems: &[Problem], most_steps: u32) -> Found {
    /// Evaluations that lead anywhere are fewer.
    const MOST_EVALUATIONS: u32 = 20;
    let bodies = bodies::<S, V>(simd, problems);
    let frame = frames::<S, V>(simd, problems);
    let mut at = bodies.guess(frame.axis());
    let mut system = newton::assemble(&bodies, &at, &frame);
    let all = |x: f64| system.merit.all(x);
    let (zero, one, infinity) = (all(0.0), all(1.0), all(f64::INFINITY));
    let (closed, chart) = (all(CONVERGED * CONVERGED), all(CHART_LIMIT * CHART_LIMIT));
    let (growth, longest) = (all(ACCEPTED_GROWTH), all(LONGEST_STEP));
    let (shortening, shortenings) = (all(SHORTENING), all(f64::from(SHORTENINGS)));
    let most_steps = all(f64::from(most_steps));
    // The last step of each lane, the merit where it began, and how often it was shortened.
    let mut from = system.surface.place;
    let mut step = Step::new(zero, zero, one);
    let (mut merit, mut tries, mut steps) = (infinity, zero, zero);
    // Where the single query would do more than step and shorten steps, it is asked.
    let mut left = !system.merit.less(infinity);
    for _ in 0..MOST_EVALUATIONS {
        let finite = system.merit.less(infinity);
        let astray = (growth * merit).less(system.merit) | !finite;
        let retry = astray & tries.less(shortenings);
        left = left | (astray & !retry & !finite);
        let open = retry | closed.less(system.merit);
        left = left | (open & !retry & (chart.less(system.off_axis()) | !steps.less(most_steps)));
        if Two::<V>::everywhere(!open | left) {
            break;
        }
        let next = newton::newton_step(&system, &frame);
        let squared = newton::squared_step(&next);
        let too_long = (longest * longest).less(squared);
        let share = Two::select(too_long, longest / squared.sqrt(), one);
        let shortened = step.scaled(shortening);
        step = shortened.where_else(retry, next.scaled(share));
        from = from.where_else(Two(retry, retry), system.surface.place);
        merit = Two::select(retry, merit, system.merit);
        tries = Two::select(retry, tries + one, zero);
        steps = steps + Two::select(open & !retry, one, zero);
        // A lane that has converged is evaluated again where it was, so that it stays what it is.
        at = bodies.advance(&from, &step).where_else(Two(open, open), at);
        system = newton::assemble(&bodies, &at, &frame);
    }
    let converged = !closed.less(system.merit) & !left;
    let converged = Two::select(converged, one, zero).0.store();
    stationary_points(&system, &frame, converged, steps.0.store())
}

/// The pairs of points, and the steps they took, of the lanes that converged.
#[inline(always)]
fn stationary_points<S: Simd, V: Columns<S>>(
    system: &System<Two<Two<V>>>,
    frame: &Frame<Two<V>>,
    converged: [f64; MOST_COLUMNS],
    steps: [f64; MOST_COLUMNS],
) -> Found {
    let found = system.found(frame);
    let (xa, d, normal) = (stored(found.xa), stored(found.d), stored(found.normal));
    let (mismatch, off_circle) = (found.mismatch.store(), found.off_circle.store());
    let Coordinates { g, h } = system.surface.place.good;
    let (ga, ha) = (
        [g.0.0.store(), g.1.0.store()],
        [h.0.0.store(), h.1.0.store()],
    );
    let (gb, hb) = (
        [g.0.1.store(), g.1.1.store()],
        [h.0.1.store(), h.1.1.store()],
    );
    std::array::from_fn(|k| {
        if k >= V::WIDTH || converged[k] == 0.0 {
            return None;
        }
        let lane = newton::Found {
            xa: xa.map(|column| column[k]),
            d: d.map(|column| column[k]),
            normal: normal.map(|column| column[k]),
            mismatch: mismatch[k],
            off_circle: off_circle[k],
        };
        let state = |g: &[[f64; MOST_COLUMNS]; 2], h: &[[f64; MOST_COLUMNS]; 2]| State {
            g: [g[0][k], g[1][k]],
            h: [h[0][k], h[1][k]],
        };
        let states = [state(&ga, &ha), state(&gb, &hb)];
        Some((Stationary::new(&lane, states), steps[k] as u32))
    })
}

#[inline(always)]
fn stored<S: Simd, V: Columns<S>>([x, y, z]: [V; 3]) -> [[f64; MOST_COLUMNS]; 3] {
    [x.store(), y.store(), z.store()]
}
