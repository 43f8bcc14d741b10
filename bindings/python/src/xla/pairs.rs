//! The queries of pairs on arrays that lie one row after the other.

use super::abi::Call;
use crate::broadcast::{Failed, on_threads, place};
use crate::codes::of_outcome;
use nalgebra::Isometry3;
use superovoid::derivatives::{
    ContactDerivatives, INPUTS, contact_derivatives_into, distance_gradient,
};
use superovoid::pose::from_quaternion;
use superovoid::{Contact, DepthMode, Pair, QueryOptions, Superovoid, contact_batch};

/// What is asked of each pair.
#[derive(Clone, Copy)]
pub enum Query {
    Distance,
    /// And its gradient.
    Gradient,
    /// And its Hessian.
    Hessian,
    /// Distance, normal, witness points, bracket, outcome.
    Contact,
    /// Of normal and witness points.
    Jacobians,
}

impl Query {
    /// The numbers of each result for one pair.
    fn widths(self) -> &'static [usize] {
        match self {
            Query::Distance => &[1],
            Query::Gradient => &[1, INPUTS],
            Query::Hessian => &[1, INPUTS, INPUTS * INPUTS],
            Query::Contact => &[1, 3, 3, 3, 1, 1, 1],
            Query::Jacobians => &[3 * INPUTS; 3],
        }
    }
}

/// The number of pairs that are asked together, and of those that a thread takes together.
const GROUP: usize = 64;
const PART: usize = 512;
const NAMES: [&str; 4] = ["a", "pose_a", "b", "pose_b"];
const ROW: usize = 7;

/// Pairs that a thread takes, and where their answers go.
struct Part<'a> {
    first: usize,
    count: usize,
    results: Vec<&'a mut [f64]>,
}

/// Runs a query on all pairs of a call.
pub fn run(query: Query, call: Call) -> Result<(), String> {
    let count: usize = call.axes.iter().product();
    let fits = call.arguments.len() == NAMES.len()
        && call.arguments.iter().all(|a| a.len() == count * ROW)
        && call.results.len() == query.widths().len()
        && (call.results.iter().zip(query.widths())).all(|(r, w)| r.len() == count * w);
    if !fits {
        return Err("the arrays of the call have other shapes than the query".to_owned());
    }
    let options = QueryOptions::default()
        .with_tolerance(call.tolerance)
        .with_depth(if call.certified {
            DepthMode::Certified
        } else {
            DepthMode::Fast
        });
    let (axes, arguments) = (call.axes, call.arguments);
    let mut parts = parts(count, call.results, query.widths());
    let threads = (call.threads > 0).then_some(call.threads);
    let failed = on_threads(threads, &mut parts, |part| {
        answer(query, &arguments, part, &options)
    });
    failed.map_err(|failed| {
        let (name, error) = failed.error;
        format!("{name}{}{error}", place(&axes, failed.index))
    })
}

fn parts<'a>(count: usize, results: Vec<&'a mut [f64]>, widths: &[usize]) -> Vec<Part<'a>> {
    let mut rest = results;
    let mut parts = Vec::with_capacity(count.div_ceil(PART));
    for first in (0..count).step_by(PART) {
        let size = PART.min(count - first);
        let taken = rest.iter_mut().zip(widths).map(|(rest, width)| {
            let (part, after) = std::mem::take(rest).split_at_mut(size * width);
            *rest = after;
            part
        });
        parts.push(Part {
            first,
            count: size,
            results: taken.collect(),
        });
    }
    parts
}

/// What failed: the argument's name with a colon, if it is one argument, and why.
type Reason = (String, String);

fn answer(
    query: Query,
    arguments: &[&[f64]],
    part: &mut Part,
    options: &QueryOptions,
) -> Result<(), Failed<Reason>> {
    let (mut bodies_a, mut bodies_b) = (Vec::with_capacity(GROUP), Vec::with_capacity(GROUP));
    let mut poses = Vec::with_capacity(GROUP);
    let mut contacts = [Contact::default(); GROUP];
    let mut derivatives = Box::new(ContactDerivatives::default());
    for start in (0..part.count).step_by(GROUP) {
        let first = part.first + start;
        let size = GROUP.min(part.count - start);
        read_bodies(arguments[0], NAMES[0], first, size, &mut bodies_a)?;
        read_bodies(arguments[2], NAMES[2], first, size, &mut bodies_b)?;
        poses.clear();
        for k in first..first + size {
            let pose = |argument: usize| pose(arguments[argument], NAMES[argument], k);
            poses.push([pose(1)?, pose(3)?]);
        }
        let pair = |k: usize| Pair {
            a: &bodies_a[k],
            pose_a: &poses[k][0],
            b: &bodies_b[k],
            pose_b: &poses[k][1],
        };
        let pairs: [Pair; GROUP] = std::array::from_fn(|k| pair(k.min(size - 1)));
        let found = &mut contacts[..size];
        contact_batch(&pairs[..size], found, options).map_err(|error| Failed {
            index: first + error.index,
            error: (String::new(), error.error.to_string()),
        })?;
        for (k, (pair, contact)) in pairs.iter().zip(&*found).enumerate() {
            write(query, pair, contact, &mut derivatives, part, start + k).map_err(|error| {
                Failed {
                    index: first + k,
                    error: (String::new(), error),
                }
            })?;
        }
    }
    Ok(())
}

/// Reads bodies. One that repeats the one before it, as in a broadcast, is not validated again.
fn read_bodies(
    rows: &[f64],
    name: &str,
    first: usize,
    size: usize,
    bodies: &mut Vec<Superovoid>,
) -> Result<(), Failed<Reason>> {
    bodies.clear();
    for k in first..first + size {
        let row = &rows[k * ROW..(k + 1) * ROW];
        if k > first && row == &rows[(k - 1) * ROW..k * ROW] {
            bodies.push(bodies[bodies.len() - 1]);
            continue;
        }
        let made = Superovoid::new([row[0], row[1], row[2]], [row[3], row[4]], [row[5], row[6]]);
        bodies.push(made.map_err(|error| Failed {
            index: k,
            error: (format!("{name}: "), error.to_string()),
        })?);
    }
    Ok(())
}

fn pose(rows: &[f64], name: &str, k: usize) -> Result<Isometry3<f64>, Failed<Reason>> {
    let row = &rows[k * ROW..(k + 1) * ROW];
    let made = from_quaternion([row[0], row[1], row[2]], [row[3], row[4], row[5], row[6]]);
    made.map_err(|error| Failed {
        index: k,
        error: (format!("{name}: "), error.to_string()),
    })
}

/// Writes the answer of a pair, whose number in the part is `k`.
fn write(
    query: Query,
    pair: &Pair,
    contact: &Contact,
    derivatives: &mut ContactDerivatives,
    part: &mut Part,
    k: usize,
) -> Result<(), String> {
    let mut put = |result: usize, numbers: &[f64]| {
        let width = numbers.len();
        part.results[result][k * width..(k + 1) * width].copy_from_slice(numbers);
    };
    let mut all = || {
        let (a, pose_a, b, pose_b) = (pair.a, pair.pose_a, pair.b, pair.pose_b);
        contact_derivatives_into(a, pose_a, b, pose_b, contact, derivatives)
            .map_err(|error| error.to_string())
    };
    match query {
        Query::Distance => put(0, &[contact.distance]),
        Query::Gradient => {
            put(0, &[contact.distance]);
            let found = distance_gradient(pair.a, pair.pose_a, pair.b, pair.pose_b, contact)
                .map_err(|error| error.to_string())?;
            put(
                1,
                &found.map_or([f64::NAN; INPUTS], |found| found.gradient.into()),
            );
        }
        Query::Hessian => {
            put(0, &[contact.distance]);
            if all()? {
                put(1, derivatives.gradient.as_slice());
                // It is symmetric, so that rows are columns.
                put(2, derivatives.hessian.as_slice());
            } else {
                put(1, &[f64::NAN; INPUTS]);
                put(2, &[f64::NAN; INPUTS * INPUTS]);
            }
        }
        Query::Contact => {
            put(0, &[contact.distance]);
            put(1, contact.normal.as_slice());
            put(2, contact.point_a.coords.as_slice());
            put(3, contact.point_b.coords.as_slice());
            put(4, &[contact.lower]);
            put(5, &[contact.upper]);
            put(6, &[f64::from(of_outcome(contact.outcome))]);
        }
        Query::Jacobians => {
            let exist = all()?;
            let each = [
                &derivatives.normal,
                &derivatives.point_a,
                &derivatives.point_b,
            ];
            for (result, jacobian) in each.into_iter().enumerate() {
                if exist {
                    put(result, jacobian.transpose().as_slice());
                } else {
                    put(result, &[f64::NAN; 3 * INPUTS]);
                }
            }
        }
    }
    Ok(())
}
