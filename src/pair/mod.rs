//! The pair query: signed distance, witness points, normal and a bracket that proves them.
//!
//! For convex bodies A and B with centres c_A, c_B and support functions h, every unit n gives a
//! lower bound of the signed distance,
//!
//! ```text
//! g(n) = n·(c_B − c_A) − h_A(n) − h_B(−n),
//! ```
//!
//! whose largest value *is* the signed distance; any two points of the bodies give an upper bound.
//! [`contact`] narrows the two until they meet: Newton's method first, cutting planes where it
//! fails, branch and bound for the least depth of overlaps and for non-convex bodies. No stage
//! allocates, locks or reads a global, but that the process asks once which vector instructions the
//! processor has; with the same ones the same inputs give the same bits on any thread. [`contact_batch`]
//! answers many pairs several times faster.
//! The module [`published`](crate::published) has four published local methods, for comparison.
//!
//! # What is proven
//!
//! | bodies | bracket | outcome |
//! | --- | --- | --- |
//! | convex, apart or touching | closed at the tolerance | [`Outcome::Certified`] |
//! | convex, overlapping, no deeper than the least radii of curvature of untapered bodies with e ≤ 1 | closed at the tolerance | `Certified` |
//! | convex, overlapping otherwise, [`DepthMode::Fast`] | true; open, or closed where a search was made and the curvature about the answer settles it | [`Outcome::Converged`] or `Certified` |
//! | convex, overlapping otherwise, [`DepthMode::Certified`] | closed at 1e-6 of the larger body, or at the tolerance if that is larger; open if 2048 directions did not suffice | `Certified` or `Converged` |
//! | two spheres | closed at rounding | `Certified` |
//! | not convex, apart | closed at the tolerance, of the true bodies | `Certified` |
//! | not convex, overlapping | true, open: the hulls bound the depth | `Converged` |
//!
//! A tolerance below the rounding error of the inputs (a few 1e-15 of the centre distance and the
//! bodies' sizes) is raised to it. A negative distance is only ever reported with a common point
//! shown to exist, a positive lower bound only with a separating plane (or a covering of slabs)
//! found. [`Outcome::NotConverged`] means that neither was: its bracket is still true, and while that
//! contains 0 the reported distance is its lower end, so that nothing in doubt reads as free.
//!
//! Exponents within 1e-6 of 0 or 2 are accepted, but rounding spoils their powers: such pairs are
//! never certified and keep the bracket of the spheres about and in them.
//!
//! The depth of overlapping *non-convex* bodies is that of a stationary pair of their true surfaces;
//! moving B by it along the normal need not separate them. Moving B by `−lower` along the normal
//! does: that separates their hulls.
//!
//! # Special cases
//!
//! - **Touching**: a distance of 0 to within the bracket, which contains 0; the common normal.
//! - **Parallel faces, parallel ridges**: distance and normal are
//!   unique; the witnesses are one facing pair of the many.
//! - **Ridge on ridge**: the normal is perpendicular to both.
//! - **Concentric, one inside the other, identical**: the least translation that separates the
//!   bodies, as everywhere. Symmetric pairs have several; which one is returned is deterministic
//!   but otherwise unspecified. Two concentric spheres separate along A's z axis.
//! - **Coaxial bodies of revolution and nearly round concentric bodies** tie along a whole circle or
//!   sphere of directions: the least depth is found, but certified mode may reach its cap.

mod approach;
pub(crate) mod balls;
mod batch;
pub(crate) mod branch_and_bound;
mod cache;
pub(crate) mod chain;
mod columns;
pub(crate) mod depth;
mod ellipsoids;
pub(crate) mod line;
pub(crate) mod localiser;
mod lockstep;
pub(crate) mod newton;
pub(crate) mod place;
mod placed;
mod placement;
pub(crate) mod plain;
mod polygon;
pub(crate) mod problem;
pub(crate) mod simplex;
mod single;
pub(crate) mod slabs;
mod status;

use crate::Superovoid;
use crate::lanes::all_finite;
use chain::{Answer, Chain, Tried};
use nalgebra::{Isometry3, Point3, Unit, Vector3};
use place::{Pose, ToWorld};
use problem::Problem;

pub use batch::{Pair, PairError, contact_batch};
#[cfg(feature = "capi")]
pub(crate) use batch::{TOGETHER, solve_here};
pub use cache::PairCache;
pub use status::CollisionStatus;

/// How the depth of overlapping bodies is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DepthMode {
    /// A shallow overlap is solved from the centre line, a deep one by a branch and bound that stops
    /// early: the least depth in nearly every case, its bracket open.
    #[default]
    Fast,
    /// Branch and bound over all directions: the bracket closes to 1e-6 of the larger semi-axis
    /// (or the tolerance, if that is larger), unless 2048 directions do not suffice. Needs about
    /// 250 kB of stack.
    Certified,
}

/// What a pair query is asked for. `QueryOptions::default()` suits nearly everyone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryOptions {
    /// Widest bracket, in metres, of an answer that counts as certified. `0` (the default)
    /// means 1e-9 of the largest semi-axis of the two bodies.
    pub tolerance: f64,
    /// Newton iterations of one start; default 30. More than 1000 count as 1000.
    pub max_iterations: u32,
    /// Stop as soon as the bodies are proven to be farther apart than this (metres); default
    /// infinity.
    pub max_distance: f64,
    /// Fast or certified depth of overlapping bodies.
    pub depth: DepthMode,
}

/// Iterations that nothing needs: more are not made, so that every query ends.
pub(crate) const MOST_ITERATIONS: u32 = 1000;

impl QueryOptions {
    pub(crate) const DEFAULT: QueryOptions = QueryOptions {
        tolerance: 0.0,
        max_iterations: 30,
        max_distance: f64::INFINITY,
        depth: DepthMode::Fast,
    };

    /// Whether this lower bound (metres) is all that is asked for.
    #[inline(always)]
    fn is_beyond(&self, lower: f64) -> bool {
        self.max_distance < lower
    }
}

impl Default for QueryOptions {
    fn default() -> Self {
        Self::DEFAULT
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
    /// Solver iterations: 0 where the start led straight to the answer, as warm ones do.
    pub iterations: u32,
}

/// An answer that says nothing, to fill a slice with: not converged, between −∞ and ∞.
impl Default for Contact {
    fn default() -> Self {
        Contact {
            distance: 0.0,
            point_a: Point3::origin(),
            point_b: Point3::origin(),
            normal: Vector3::z_axis(),
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            outcome: Outcome::NotConverged,
            iterations: 0,
        }
    }
}

/// An input that a query cannot work with.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// A pose holds NaN or infinity.
    #[error("the pose of body {body} is not finite")]
    NonFinitePose {
        /// `'A'` or `'B'`.
        body: char,
    },
    /// A point that holds NaN or infinity.
    #[error("point {index} (counted from 0) is not finite")]
    NonFinitePoint {
        /// Its place in the slice; 0 for a single point.
        index: usize,
    },
    /// The slice for the answers is not as long as the slice of pairs or points.
    #[error("{answers} places for {inputs} answers: there must be one for each pair or point")]
    LengthMismatch {
        /// Number of pairs or points.
        inputs: usize,
        /// Length of the slice for the answers.
        answers: usize,
    },
    /// The quaternion of a pose is not of unit length, to 1e-6.
    #[error("the rotation of body {body} is a quaternion of length {length}, not 1")]
    Rotation {
        /// `'A'` or `'B'`.
        body: char,
        /// The length of the quaternion.
        length: f64,
    },
    /// The bodies are so far apart, or so large, that their distance exceeds the number range.
    #[error("the distance between the bodies is not a finite number of metres")]
    Overflow,
    /// A polytope without vertices.
    #[error("the polytope has no vertices")]
    NoVertices,
    /// A vertex of a polytope holds NaN or infinity.
    #[error("vertex {index} of the polytope is not finite")]
    NonFiniteVertex {
        /// Its index, from 0.
        index: usize,
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
    /// A part of the question that is not an option is out of its domain.
    #[error("{name}: {requirement}")]
    Input {
        /// Which part.
        name: &'static str,
        /// What it must be.
        requirement: &'static str,
    },
}

/// Signed distance between `a` at `pose_a` and `b` at `pose_b`, with witness points, normal and
/// bracket: see the [module](self) for what is proven when.
///
/// With a `cache` the query starts from the pair's last answer and stores the new one. Swapping the
/// bodies swaps the points and reverses the normal.
///
/// # Errors
/// A pose that is not finite, an option out of its domain, or a distance that exceeds the number range.
///
/// ```
/// use nalgebra::Isometry3;
/// use superovoid::{Outcome, PairCache, QueryOptions, Superovoid, contact};
///
/// let (a, b) = (Superovoid::sphere(1.0)?, Superovoid::superellipsoid([1.0; 3], [0.3, 0.3])?);
/// let mut cache = PairCache::default();
/// for x in [2.5, 2.4, 2.3] {
///     let pose = Isometry3::translation(x, 0.0, 0.0);
///     let answer = contact(
///         &a, &Isometry3::identity(), &b, &pose, &QueryOptions::default(), Some(&mut cache),
///     )?;
///     assert_eq!(answer.outcome, Outcome::Certified);
///     assert!((answer.distance - (x - 2.0)).abs() < 1e-9);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contact(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
) -> Result<Contact, QueryError> {
    validate(pose_a, pose_b, options)?;
    contact_of_valid(a, pose_a, b, pose_b, options, cache)
}

/// [`contact`] for poses and options that were checked. What reads the poses is inlined, so that a
/// caller that has just put them together need not pass them through memory.
#[inline(always)]
pub(crate) fn contact_of_valid(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
) -> Result<Contact, QueryError> {
    if let Some(contact) = balls::beyond(a, pose_a, b, pose_b, options.max_distance) {
        // There is nothing to start the next query from.
        if let Some(cache) = cache {
            *cache = PairCache::default();
        }
        return Ok(contact);
    }
    let pair = Pair {
        a,
        pose_a,
        b,
        pose_b,
    };
    single::contact(&pair, options, cache)
}

impl Pair<'_> {
    /// Runs the [`chain`] of solvers, given what was tried before.
    #[cold]
    fn go_on(
        &self,
        options: &QueryOptions,
        cache: Option<&mut PairCache>,
        tried: Option<Tried>,
    ) -> Result<Contact, QueryError> {
        let problem = self.problem(options);
        go_on(&problem, options, cache, tried.as_ref(), self.pose_a)
    }

    fn problem(&self, options: &QueryOptions) -> Problem {
        let (a, b) = (self.a, self.b);
        Problem::new(a, self.pose_a, b, self.pose_b, options.tolerance)
    }
}

/// The whole chain of solvers, or what is left of it after a first start.
fn go_on(
    problem: &Problem,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
    tried: Option<&Tried>,
    pose_a: &Isometry3<f64>,
) -> Result<Contact, QueryError> {
    let warm = cache.as_deref().filter(|cache| !cache.is_empty());
    let mut chain = Chain::new(problem, options);
    let answer = chain.run(warm, tried);
    finish(&answer, problem, pose_a, chain.iterations, cache)
}

/// The answer in the world frame, which the cache keeps for the next query.
pub(crate) fn finish(
    answer: &Answer,
    problem: &Problem,
    pose_a: &Isometry3<f64>,
    iterations: u32,
    cache: Option<&mut PairCache>,
) -> Result<Contact, QueryError> {
    let contact = in_world(answer, problem.unit, pose_a, iterations).within_number_range()?;
    if let Some(cache) = cache {
        match answer.states {
            Some(states) => cache.follow(answer.normal.into(), &states),
            None => *cache = PairCache::default(),
        }
    }
    Ok(contact)
}

impl Contact {
    #[inline(always)]
    pub(crate) fn within_number_range(self) -> Result<Self, QueryError> {
        let (a, b) = (&self.point_a, &self.point_b);
        let numbers = [a.x, a.y, a.z, b.x, b.y, b.z, self.distance, self.lower];
        // An upper bound can be infinite: none is known.
        if all_finite(&numbers) && !self.upper.is_nan() {
            Ok(self)
        } else {
            Err(QueryError::Overflow)
        }
    }
}

#[inline(always)]
pub(crate) fn validate(
    pose_a: &Isometry3<f64>,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<(), QueryError> {
    validate_poses(pose_a, pose_b)?;
    validate_options(options)
}

#[inline]
pub(crate) fn validate_poses(
    pose_a: &Isometry3<f64>,
    pose_b: &Isometry3<f64>,
) -> Result<(), QueryError> {
    if Pose::from(pose_a).are_surely_valid(&Pose::from(pose_b)) {
        return Ok(());
    }
    validate_odd_pose('A', pose_a)?;
    validate_odd_pose('B', pose_b)
}

#[inline]
pub(crate) fn validate_options(options: &QueryOptions) -> Result<(), QueryError> {
    validate_lengths(options.tolerance, options.max_distance)
}

#[inline]
pub(crate) fn validate_pose(body: char, pose: &Isometry3<f64>) -> Result<(), QueryError> {
    let here = Pose::from(pose);
    if here.are_surely_valid(&here) {
        return Ok(());
    }
    validate_odd_pose(body, pose)
}

#[cold]
fn validate_odd_pose(body: char, pose: &Isometry3<f64>) -> Result<(), QueryError> {
    let rotation = pose.rotation.coords.iter();
    let finite = |x: &f64| x.is_finite();
    if !pose.translation.vector.iter().chain(rotation).all(finite) {
        return Err(QueryError::NonFinitePose { body });
    }
    let length = pose.rotation.coords.norm();
    if is_unit(length) {
        Ok(())
    } else {
        Err(QueryError::Rotation { body, length })
    }
}

/// How far a quaternion's length may be off 1: far more than rounding leaves after many products, far less than a
/// mistake.
const UNIT: f64 = 1e-6;

/// Whether a quaternion of this length counts as a rotation.
#[inline]
pub(crate) fn is_unit(length: f64) -> bool {
    (length - 1.0).abs() <= UNIT
}

/// The options that are lengths.
#[inline]
pub(crate) fn validate_lengths(tolerance: f64, max_distance: f64) -> Result<(), QueryError> {
    if !(tolerance >= 0.0 && all_finite(&[tolerance])) {
        let requirement = "metres, finite, at least 0 (0: the default)";
        return odd_option("tolerance", tolerance, requirement);
    }
    if max_distance.is_nan() {
        return odd_option("max_distance", max_distance, "metres or infinity");
    }
    Ok(())
}

#[cold]
fn odd_option(name: &'static str, value: f64, requirement: &'static str) -> Result<(), QueryError> {
    Err(QueryError::Option {
        name,
        value,
        requirement,
    })
}

/// Back to metres and the world frame.
#[inline(always)]
pub(crate) fn in_world(
    answer: &Answer,
    unit: f64,
    pose_a: &Isometry3<f64>,
    iterations: u32,
) -> Contact {
    let mut normal = answer.normal;
    // What underflows has no direction: NaN, which is no answer.
    if (normal.norm_squared() - 1.0).abs() > 1e-12 {
        normal = normal.normalize();
    }
    let xa = answer.xa.into();
    let found = Pose::from(pose_a).witnesses(unit, &xa, &normal.into(), answer.distance);
    Contact {
        distance: found.distance,
        point_a: found.point_a.into(),
        point_b: found.point_b.into(),
        normal: Unit::new_unchecked(found.normal.into()),
        lower: answer.lower * unit,
        upper: answer.upper * unit,
        outcome: answer.outcome,
        iterations,
    }
}
