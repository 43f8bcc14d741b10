//! Many pairs: as many at a time as the processor's vectors hold, see [`crate::pair::lockstep`]. What its
//! stationary points do not prove goes on like a single query.

use crate::Superovoid;
use crate::lanes::{Columns, Lanes, MOST_COLUMNS, on_this_processor};
use crate::pair::approach::approach;
use crate::pair::chain::Tried;
use crate::pair::columns::{PairColumns, are_ellipsoids};
use crate::pair::ellipsoids;
use crate::pair::lockstep::{self, Stopped};
use crate::pair::placed::Answers;
use crate::pair::{
    Contact, Outcome, QueryError, QueryOptions, balls, contact_of_valid, depth, validate_options,
    validate_poses,
};
use fearless_simd::{Simd, SimdBase, f64x4, f64x8};
use nalgebra::{Isometry3, Unit};
#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// Groups of pairs that begin together, each with a pair in every lane.
const GROUPS: usize = 2;
/// As many pairs as are solved together, at most.
pub(crate) const TOGETHER: usize = GROUPS * MOST_COLUMNS;

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

impl PairError {
    /// In a slice that begins that many pairs before.
    fn after(self, count: usize) -> Self {
        PairError {
            index: count + self.index,
            ..self
        }
    }
}

/// [`contact`](crate::contact) of every pair, the answers in their order.
///
/// Consecutive pairs are solved together in the lanes of the processor's vectors (on AVX2 and AVX-512;
/// one by one elsewhere), 2.5 to 3 times as fast as by single queries, and with the feature `rayon` on
/// the threads of the current pool. The answers agree with those of single queries within the tolerance, but need
/// not have the same last bits, nor the same number of iterations, and an overlap whose depth is searched for may
/// be proven by one and not by the other. They depend neither on the number of threads nor on the other pairs.
/// Nothing is allocated for a pair.
///
/// # Errors
/// As `contact`, the first pair in the slice that is refused; the contents of `answers` are then
/// unspecified. And, as errors of pair 0, options out of their domain and slices of different lengths.
///
/// ```
/// use nalgebra::Isometry3;
/// use superovoid::{Contact, Pair, QueryOptions, Superovoid, contact_batch};
///
/// let ball = Superovoid::sphere(1.0)?;
/// let (here, there) = (Isometry3::identity(), Isometry3::translation(3.0, 0.0, 0.0));
/// let pairs = [Pair { a: &ball, pose_a: &here, b: &ball, pose_b: &there }; 10];
/// let mut answers = [Contact::default(); 10];
/// contact_batch(&pairs, &mut answers, &QueryOptions::default())?;
/// assert!(answers.iter().all(|answer| (answer.distance - 1.0).abs() < 1e-12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contact_batch(
    pairs: &[Pair],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    if pairs.len() != answers.len() {
        let error = QueryError::LengthMismatch {
            inputs: pairs.len(),
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
            solve_here(pairs, answers, options)
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

/// [`contact_batch`] on this thread, for options that were checked, and slices of one length.
pub(crate) fn solve_here(
    pairs: &[Pair],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    if options.max_distance == f64::INFINITY || pairs.is_empty() {
        return solve_all(pairs, answers, options);
    }
    // Only those take a lane that their balls leave in doubt.
    let mut doubtful = [(0, pairs[0]); TOGETHER];
    let mut count = 0;
    for (index, pair) in pairs.iter().enumerate() {
        let Pair {
            a,
            pose_a,
            b,
            pose_b,
        } = pair;
        if let Err(error) = validate_poses(pose_a, pose_b) {
            // A pair before this one may yet be refused, for a distance beyond the number range.
            solve_doubtful(&doubtful[..count], answers, options)?;
            return Err(PairError { index, error });
        }
        if let Some(contact) = balls::beyond(a, pose_a, b, pose_b, options.max_distance) {
            answers[index] = contact;
            continue;
        }
        doubtful[count] = (index, *pair);
        count += 1;
        if count == TOGETHER {
            solve_doubtful(&doubtful, answers, options)?;
            count = 0;
        }
    }
    solve_doubtful(&doubtful[..count], answers, options)
}

/// At most [`TOGETHER`] pairs with their places among the answers.
fn solve_doubtful(
    doubtful: &[(usize, Pair)],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    let Some((_, first)) = doubtful.first() else {
        return Ok(());
    };
    let mut pairs = [*first; TOGETHER];
    let mut found = [Contact::default(); TOGETHER];
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

/// As [`solve_here`], a lane for every pair.
fn solve_all(
    pairs: &[Pair],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    let width = GROUPS * lanes_here();
    let in_some_lanes = match width {
        GROUPS => one_by_one,
        _ => in_lanes,
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
        *answer = validate_poses(pair.pose_a, pair.pose_b)
            .and_then(|()| {
                contact_of_valid(pair.a, pair.pose_a, pair.b, pair.pose_b, options, None)
            })
            .map_err(|error| PairError { index, error })?;
    }
    Ok(())
}

/// As many pairs as are solved together on this processor, or less.
fn in_lanes(
    pairs: &[Pair],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    let whole: Result<&[Pair; TOGETHER], _> = pairs.try_into();
    if let Ok(lanes) = whole {
        return on_this_processor!(simd => solve(simd, lanes, answers, options));
    }
    // Lanes without a pair repeat the last.
    let lanes: [Pair; TOGETHER] = std::array::from_fn(|k| pairs[k.min(pairs.len() - 1)]);
    on_this_processor!(simd => solve(simd, &lanes, answers, options))
}

#[inline(always)]
fn solve<S: Simd>(
    simd: S,
    pairs: &[Pair; TOGETHER],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    // As `width_of`, by constants, so that only what is called is compiled.
    if <S::f64s as SimdBase<S>>::LEN >= 8 {
        solve_columns::<S, f64x8<S>>(simd, pairs, answers, options)
    } else if <S::f64s as SimdBase<S>>::LEN >= 4 {
        solve_columns::<S, f64x4<S>>(simd, pairs, answers, options)
    } else {
        one_by_one(&pairs[..answers.len()], answers, options)
    }
}

#[inline(always)]
fn solve_columns<S: Simd, V: Columns<S>>(
    simd: S,
    pairs: &[Pair; TOGETHER],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    let (one, others) = pairs.split_at(V::WIDTH);
    let first = PairColumns::<V>::new(simd, one, options);
    let second;
    let columns = if answers.len() > V::WIDTH {
        second = PairColumns::<V>::new(simd, &others[..V::WIDTH], options);
        [&first, &second]
    } else {
        [&first; 2]
    };
    let some_ellipsoids = first.some_ellipsoids || columns[1].some_ellipsoids;
    if some_ellipsoids && options.max_iterations >= ellipsoids::MOST_STEPS {
        solve_with_ellipsoids(columns, pairs, answers, options)
    } else {
        let approached = approach(columns, options.max_iterations);
        let groups = answers.chunks_mut(V::WIDTH).zip(pairs.chunks(V::WIDTH));
        for (k, (answers, pairs)) in groups.enumerate() {
            let stopped = lockstep::solve(columns[k], &approached[k], options.max_iterations);
            answer_group(columns[k], &stopped, pairs, answers, options)
                .map_err(|error| error.after(k * V::WIDTH))?;
        }
        Ok(())
    }
}

/// Pairs of ellipsoids among them: these first by their own method, and what that leaves like the others.
#[inline(always)]
fn solve_with_ellipsoids<S: Simd, V: Columns<S>>(
    columns: [&PairColumns<V>; 2],
    pairs: &[Pair; TOGETHER],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    let most_steps = options.max_iterations;
    let groups = answers.chunks_mut(V::WIDTH).zip(pairs.chunks(V::WIDTH));
    for (k, (answers, pairs)) in groups.enumerate() {
        let own = lockstep::solve_ellipsoids(columns[k]);
        let stopped = if own.everywhere() {
            own
        } else {
            let approached = approach([columns[k]; 2], most_steps);
            own.or(lockstep::solve(columns[k], &approached[0], most_steps))
        };
        answer_group(columns[k], &stopped, pairs, answers, options)
            .map_err(|error| error.after(k * V::WIDTH))?;
    }
    Ok(())
}

/// The answers of a group; what its points do not prove goes on by itself.
#[inline(always)]
fn answer_group<S: Simd, V: Columns<S>>(
    columns: &PairColumns<V>,
    stopped: &Stopped<V>,
    pairs: &[Pair],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    let placed = &columns.placed;
    let found = placed.answers(&stopped.found.points(), stopped.found.on_surface());
    let plain = &placed.plain;
    let inner = (plain.inner[0] + plain.inner[1]).store();
    let status = status(columns, stopped, &found);
    let ([ax, ay, az], [bx, by, bz]) = (found.point_a, found.point_b);
    let points = V::store_rows([ax, ay, az, bx, by, bz, found.distance, stopped.steps]);
    let [nx, ny, nz] = found.normal;
    let (lower, upper) = (found.lower, found.upper);
    let bounds = V::store_rows([nx, ny, nz, lower, upper, status, found.depth, plain.apart]);
    for (k, (answer, pair)) in answers.iter_mut().zip(pairs).enumerate() {
        let [ax, ay, az, bx, by, bz, distance, steps] = points[k];
        let [nx, ny, nz, lower, upper, status, depth, apart] = bounds[k];
        let iterations = steps as u32;
        let is_least = || depth::is_least(options.depth, pair.a, pair.b, inner[k], apart, depth);
        let outcome = if status == CLOSED {
            Outcome::Certified
        } else if status == OVERLAPPING && is_least() {
            Outcome::Converged
        } else {
            // An ellipsoid's stationary points may be others than the nearest, where no descent led to them.
            let astray = status == CONVERGED && are_ellipsoids(pair) && !options.is_beyond(lower);
            let tried = (status != LEFT && !astray).then(|| Tried {
                found: Some(stopped.lane(k)),
                steps: iterations,
            });
            *answer = validate_poses(pair.pose_a, pair.pose_b)
                .and_then(|()| pair.go_on(options, None, tried))
                .map_err(|error| PairError { index: k, error })?;
            continue;
        };
        *answer = Contact {
            distance,
            point_a: [ax, ay, az].into(),
            point_b: [bx, by, bz].into(),
            normal: Unit::new_unchecked([nx, ny, nz].into()),
            lower,
            upper,
            outcome,
            iterations,
        };
    }
    Ok(())
}

/// What a lane came to: a pose that is odd, or more than steps would be needed; points that do not prove themselves;
/// a penetration; a closed bracket.
const LEFT: f64 = 0.0;
const CONVERGED: f64 = 1.0;
const OVERLAPPING: f64 = 2.0;
const CLOSED: f64 = 3.0;

#[inline(always)]
fn status<V: Lanes>(columns: &PairColumns<V>, stopped: &Stopped<V>, found: &Answers<V>) -> V {
    let all = |x: f64| stopped.steps.all(x);
    let (closed, overlapping) = (
        found.closed & columns.simple,
        found.overlapping & columns.simple,
    );
    let open = V::select(overlapping, all(OVERLAPPING), all(CONVERGED));
    let status = V::select(closed, all(CLOSED), open);
    V::select(stopped.converged & columns.valid, status, all(LEFT))
}
