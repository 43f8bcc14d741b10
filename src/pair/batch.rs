//! Many pairs: Newton's method on as many at a time as the processor's vectors hold.
//!
//! The evaluation and the step are those of [`newton`], with a pair in each lane. All lanes go on
//! until the last has converged; one that has keeps its coordinates. What does not converge by plain
//! steps is left to the chain of the single query, and so is all proof.

use crate::Superovoid;
use crate::lanes::{Columns, Lanes, MOST_COLUMNS, Two, on_this_processor};
use crate::pair::chain::Chain;
use crate::pair::newton::{self, CONVERGED, Frame, LONGEST_STEP, ON_SURFACE, Stationary, System};
use crate::pair::problem::Problem;
use crate::pair::{
    Contact, Method, QueryError, QueryOptions, contact_of_valid, in_world, tolerance, validate,
};
use crate::surface::good::{Bodies, Columned, Coordinates, State};
use fearless_simd::{Simd, SimdBase, f64x4, f64x8};
use nalgebra::{Isometry3, Vector3};
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
/// one by one elsewhere), several times faster than by single queries, and with the feature `rayon` on
/// the threads of the current pool. An answer proves as much as that of a single query and agrees with
/// it within the tolerance, but need not have the same last bits. It depends neither on the other pairs
/// nor on the number of threads. Nothing is allocated for a pair.
///
/// # Errors
/// As `contact`, the first pair in the slice that is refused; the contents of `answers` are then
/// unspecified. And slices of different lengths, as an error of pair 0.
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

/// The answers of at most [`GROUP`] pairs.
pub(crate) fn solve_group(
    pairs: &[Pair],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    let refused = pairs.iter().enumerate().find_map(|(index, pair)| {
        let error = validate(pair.pose_a, pair.pose_b, options).err()?;
        Some(PairError { index, error })
    });
    // A pair before that one may yet be refused, for a distance beyond the number range.
    let valid = refused.map_or(pairs.len(), |error| error.index);
    let width = lanes_here();
    for (k, answers) in answers[..valid].chunks_mut(width).enumerate() {
        let first = k * width;
        let pairs = &pairs[first..first + answers.len()];
        let solved = if width > 1 && options.method == Method::Exact {
            in_lanes(pairs, answers, options)
        } else {
            one_by_one(pairs, answers, options)
        };
        solved.map_err(|error| PairError {
            index: first + error.index,
            ..error
        })?;
    }
    refused.map_or(Ok(()), Err)
}

/// Pairs that this processor solves together. Two at a time would be slower than one by one, whose
/// lanes are the two bodies.
fn lanes_here() -> usize {
    on_this_processor!(simd => width_of(simd))
}

#[inline(always)]
fn width_of<S: Simd>(_: S) -> usize {
    match <S::f64s as SimdBase<S>>::LEN {
        narrow @ 0..4 => narrow.min(1),
        wide => wide.min(MOST_COLUMNS),
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

/// At most [`MOST_COLUMNS`] pairs.
fn in_lanes(
    pairs: &[Pair],
    answers: &mut [Contact],
    options: &QueryOptions,
) -> Result<(), PairError> {
    // Lanes without a pair repeat the last.
    let problems: [Problem; MOST_COLUMNS] = std::array::from_fn(|k| {
        let pair = &pairs[k.min(pairs.len() - 1)];
        let tolerance = tolerance(pair.a, pair.b, options);
        Problem::new(pair.a, pair.pose_a, pair.b, pair.pose_b, tolerance)
    });
    let most = options.max_iterations;
    let found = on_this_processor!(simd => solve(simd, &problems, most));
    for (k, answer) in answers.iter_mut().enumerate() {
        let mut chain = Chain::new(&problems[k], options);
        let solved = chain.run_from(found[k].as_ref().map(|(stationary, _)| stationary));
        let iterations = chain.iterations + found[k].as_ref().map_or(0, |(_, steps)| *steps);
        *answer = in_world(&solved, problems[k].unit, pairs[k].pose_a, iterations)
            .within_number_range()
            .map_err(|error| PairError { index: k, error })?;
    }
    Ok(())
}

/// Stationary pairs of points with their numbers of steps, where the lanes converged.
type Found = [Option<(Stationary, u32)>; MOST_COLUMNS];

#[inline(always)]
fn solve<S: Simd>(simd: S, problems: &[Problem; MOST_COLUMNS], most_steps: u32) -> Found {
    if width_of(simd) == 8 {
        solve_columns::<S, f64x8<S>>(simd, problems, most_steps)
    } else {
        solve_columns::<S, f64x4<S>>(simd, problems, most_steps)
    }
}

/// One number of every problem.
#[inline(always)]
fn column<S: Simd, V: Columns<S>>(
    simd: S,
    problems: &[Problem; MOST_COLUMNS],
    of: impl Fn(&Problem) -> f64,
) -> V {
    let mut numbers = [0.0; MOST_COLUMNS];
    for (number, problem) in numbers.iter_mut().zip(problems) {
        *number = of(problem);
    }
    V::load(simd, &numbers)
}

#[inline(always)]
fn bodies<S: Simd, V: Columns<S>>(
    simd: S,
    problems: &[Problem; MOST_COLUMNS],
) -> Bodies<Two<Two<V>>> {
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
    problems: &[Problem; MOST_COLUMNS],
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

/// The charts about the centre lines, and their axes t, b, n in A's coordinates.
#[inline(always)]
fn frames<S: Simd, V: Columns<S>>(
    simd: S,
    problems: &[Problem; MOST_COLUMNS],
) -> (Frame<Two<V>>, [[V; 3]; 3]) {
    let center: [V; 3] = [
        column(simd, problems, |x| x.center.x),
        column(simd, problems, |x| x.center.y),
        column(simd, problems, |x| x.center.z),
    ];
    let length = crate::lanes::dot(&center, &center).sqrt();
    let per_length = length.recip();
    let n = [
        center[0] * per_length,
        center[1] * per_length,
        center[2] * per_length,
    ];
    let [t, b] = newton::tangents_of(&n);
    let rotation: [[V; 3]; 3] = [
        rotation_column(simd, problems, 0),
        rotation_column(simd, problems, 1),
        rotation_column(simd, problems, 2),
    ];
    let zero = length.all(0.0);
    let frame = Frame {
        axes: [
            both(&t, &rotation),
            both(&b, &rotation),
            both(&n, &rotation),
        ],
        center: [Two(zero, zero), Two(zero, zero), Two(length, length)],
    };
    (frame, [t, b, n])
}

#[inline(always)]
fn rotation_column<S: Simd, V: Columns<S>>(
    simd: S,
    problems: &[Problem; MOST_COLUMNS],
    k: usize,
) -> [V; 3] {
    [
        column(simd, problems, |x| x.rotation[(0, k)]),
        column(simd, problems, |x| x.rotation[(1, k)]),
        column(simd, problems, |x| x.rotation[(2, k)]),
    ]
}

/// An axis in A's coordinates and, negated, in B's.
#[inline(always)]
fn both<V: Lanes>(axis: &[V; 3], rotation: &[[V; 3]; 3]) -> [Two<V>; 3] {
    [
        Two(axis[0], -crate::lanes::dot(&rotation[0], axis)),
        Two(axis[1], -crate::lanes::dot(&rotation[1], axis)),
        Two(axis[2], -crate::lanes::dot(&rotation[2], axis)),
    ]
}

#[inline(always)]
fn solve_columns<S: Simd, V: Columns<S>>(
    simd: S,
    problems: &[Problem; MOST_COLUMNS],
    most_steps: u32,
) -> Found {
    /// Plain steps that lead anywhere are fewer.
    const MOST_STEPS: u32 = 12;
    let bodies = bodies::<S, V>(simd, problems);
    let (frame, axes) = frames::<S, V>(simd, problems);
    let mut at = bodies.guess(&frame.axes[2]);
    let mut system = newton::assemble(&bodies, &at, &frame);
    let closed = system.merit.all(CONVERGED * CONVERGED);
    let cap = system.merit.all(LONGEST_STEP * LONGEST_STEP);
    let zero = system.merit.all(0.0);
    let one = system.merit.all(1.0);
    let mut steps = zero;
    for _ in 0..most_steps.min(MOST_STEPS) {
        // Lanes that lost their way stay lost, however long the others go on.
        let finite = system.merit.less(system.merit.all(f64::INFINITY));
        let open = closed.less(system.merit) & finite;
        if Two::<V>::everywhere(!open) {
            break;
        }
        let mut step = newton::newton_step(&system, &frame);
        let squared = newton::squared_step(&step);
        let share = Two::select(cap.less(squared), (cap / squared).sqrt(), one);
        step.around = step.around * share;
        step.along = step.along * share;
        // A lane that has converged is evaluated again where it was, so that it stays what it is.
        let next = bodies.advance(&system.surface, &step);
        at = next.where_else(Two(open, open), at);
        steps = steps + Two::select(open, one, zero);
        system = newton::assemble(&bodies, &at, &frame);
    }
    stationary_points::<S, V>(&system, &axes, steps.0)
}

#[inline(always)]
fn stationary_points<S: Simd, V: Columns<S>>(
    system: &System<Two<Two<V>>>,
    axes: &[[V; 3]; 3],
    steps: V,
) -> Found {
    let [t, b, n] = axes;
    let x = system.surface.x;
    let xa = [x[0].0, x[1].0, x[2].0];
    let d = [system.d[0].0, system.d[1].0, system.d[2].0];
    let in_a = |t: V, b: V, n: V, v: [V; 3]| t.mul_add(v[0], b.mul_add(v[1], n * v[2]));
    let d = [
        in_a(t[0], b[0], n[0], d),
        in_a(t[1], b[1], n[1], d),
        in_a(t[2], b[2], n[2], d),
    ];
    let one = steps.all(1.0);
    let m = [system.mean[0].0, system.mean[1].0, one];
    let length = m[0].mul_add(m[0], m[1].mul_add(m[1], one)).sqrt();
    let normal = [
        in_a(t[0], b[0], n[0], m) / length,
        in_a(t[1], b[1], n[1], m) / length,
        in_a(t[2], b[2], n[2], m) / length,
    ];
    let e = [system.e[0].0, system.e[1].0];
    let mismatch = e[0].mul_add(e[0], e[1] * e[1]).sqrt();
    let columns = |v: [V; 3]| [v[0].store(), v[1].store(), v[2].store()];
    let (xa, d, normal) = (columns(xa), columns(d), columns(normal));
    let (mismatch, steps) = (mismatch.store(), steps.store());
    let (off_circle, merit) = (system.off_circle.0.store(), system.merit.0.store());
    let Coordinates { g, h } = system.surface.good;
    let good = [g.0.0, g.1.0, h.0.0, h.1.0, g.0.1, g.1.1, h.0.1, h.1.1].map(V::store);
    let vector = |v: &[[f64; MOST_COLUMNS]; 3], k: usize| Vector3::new(v[0][k], v[1][k], v[2][k]);
    std::array::from_fn(|k| {
        let state = |first: usize| State {
            g: [good[first][k], good[first + 1][k]],
            h: [good[first + 2][k], good[first + 3][k]],
        };
        let xa = vector(&xa, k);
        let stationary = Stationary {
            xa,
            xb: xa + vector(&d, k),
            normal: vector(&normal, k),
            mismatch: mismatch[k],
            on_surface: off_circle[k] < ON_SURFACE * ON_SURFACE,
            states: [state(0), state(4)],
        };
        let converged = k < V::WIDTH && merit[k] <= CONVERGED * CONVERGED;
        converged.then_some((stationary, steps[k] as u32))
    })
}
