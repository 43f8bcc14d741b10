//! The pair query: signed distance, witness points, normal and a bracket that proves them.

mod branch_and_bound;
mod chain;
mod depth;
mod line;
mod localiser;
mod newton;
mod polygon;
mod problem;
mod simplex;
mod slabs;

use crate::Superovoid;
use chain::{Answer, Chain};
use nalgebra::{Isometry3, Point3, Unit, Vector3};
use problem::Problem;

/// How the depth of overlapping bodies is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DepthMode {
    /// Local solutions from many starts: the least depth in nearly every case, its bracket open.
    #[default]
    Fast,
    /// Branch and bound over all directions: the bracket closes to 1e-6 of the larger semi-axis
    /// (or the tolerance, if that is larger), unless the evaluation cap is reached first.
    Certified,
}

/// What a pair query is asked for. `QueryOptions::default()` suits nearly everyone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryOptions {
    /// Widest bracket, in metres, of an answer that counts as certified. `0` (the default)
    /// means 1e-9 of the largest semi-axis of the two bodies.
    pub tolerance: f64,
    /// Newton iterations of one start; default 30.
    pub max_iterations: u32,
    /// Stop as soon as the bodies are proven to be farther apart than this (metres); default
    /// infinity.
    pub max_distance: f64,
    /// Fast or certified depth of overlapping bodies.
    pub depth: DepthMode,
}

impl Default for QueryOptions {
    fn default() -> Self {
        QueryOptions {
            tolerance: 0.0,
            max_iterations: 30,
            max_distance: f64::INFINITY,
            depth: DepthMode::Fast,
        }
    }
}

/// How a query ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The bracket is closed: `upper − lower` is at most the tolerance.
    Certified,
    /// Stationary and checked (points on both surfaces, normals opposed, overlap shown by a
    /// common point), but the bracket is open: a fast depth, or an overlap of non-convex bodies.
    Converged,
    /// Nothing better than the bracket is known.
    NotConverged,
    /// Proven to be farther apart than `max_distance`: `distance` and `lower` are that proof, and
    /// the points are not the nearest ones.
    Beyond,
}

/// The answer of a pair query, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Signed distance, metres: positive apart, zero touching, negative the least penetration.
    pub distance: f64,
    /// Witness point on the surface of A.
    pub point_a: Point3<f64>,
    /// Witness point on the surface of B: `point_a + distance · normal`.
    pub point_b: Point3<f64>,
    /// Unit normal from A to B.
    pub normal: Unit<Vector3<f64>>,
    /// The true signed distance is at least this.
    pub lower: f64,
    /// The true signed distance is at most this.
    pub upper: f64,
    /// How the query ended.
    pub outcome: Outcome,
    /// Solver iterations.
    pub iterations: u32,
}

/// Warm-start data of one pair, owned by the caller; the default (all zero) is empty. It holds the
/// last answer's normal and surface coordinates. A cache that belongs to another pair, or is out of
/// date, costs time but never changes what is proven.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairCache {
    normal: [f64; 3],
    states: [newton::State; 2],
}

impl PairCache {
    /// Whether it holds an answer to start from.
    pub fn is_empty(&self) -> bool {
        self.normal == [0.0; 3]
    }
}

/// An input that a pair query cannot work with.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// A pose holds NaN or infinity.
    #[error("the pose of body {body} is not finite")]
    NonFinitePose {
        /// `'A'` or `'B'`.
        body: char,
    },
    /// An option is out of its domain.
    #[error("option {name} = {value}: {requirement}")]
    Option {
        /// Field of [`QueryOptions`].
        name: &'static str,
        /// The value that was refused.
        value: f64,
        /// What it must be.
        requirement: &'static str,
    },
}

/// Signed distance between `a` at `pose_a` and `b` at `pose_b`.
///
/// # Errors
/// A pose that is not finite or an option out of its domain.
pub fn contact(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
) -> Result<Contact, QueryError> {
    validate(pose_a, pose_b, options)?;
    let problem = Problem::new(a, pose_a, b, pose_b, options.tolerance);
    let mut chain = Chain::new(&problem, options);
    let warm = cache.as_deref().filter(|cache| !cache.is_empty());
    let answer = chain.run(warm);
    if let Some(cache) = cache {
        *cache = match answer.states {
            Some(states) => PairCache {
                normal: answer.normal.into(),
                states,
            },
            None => PairCache::default(),
        };
    }
    Ok(in_world(&answer, problem.unit, pose_a, chain.iterations))
}

fn validate(
    pose_a: &Isometry3<f64>,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<(), QueryError> {
    for (body, pose) in [('A', pose_a), ('B', pose_b)] {
        let finite = pose
            .translation
            .vector
            .iter()
            .chain(pose.rotation.coords.iter())
            .all(|x| x.is_finite());
        if !finite {
            return Err(QueryError::NonFinitePose { body });
        }
    }
    let error = |name, value, requirement| {
        Err(QueryError::Option {
            name,
            value,
            requirement,
        })
    };
    if !(options.tolerance >= 0.0 && options.tolerance.is_finite()) {
        return error(
            "tolerance",
            options.tolerance,
            "metres, finite, at least 0 (0: the default)",
        );
    }
    if options.max_distance.is_nan() {
        return error("max_distance", options.max_distance, "metres or infinity");
    }
    Ok(())
}

/// Back to metres and the world frame.
fn in_world(answer: &Answer, unit: f64, pose_a: &Isometry3<f64>, iterations: u32) -> Contact {
    let normal = pose_a.rotation * Unit::new_normalize(answer.normal);
    let distance = answer.distance * unit;
    let point_a = pose_a * Point3::from(answer.xa * unit);
    Contact {
        distance,
        point_a,
        point_b: point_a + normal.as_ref() * distance,
        normal,
        lower: answer.lower * unit,
        upper: answer.upper * unit,
        outcome: answer.outcome,
        iterations,
    }
}
