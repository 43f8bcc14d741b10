//! The entry of the pair query, and the way from there into the fast path or the pipeline.

use crate::Superovoid;
use crate::narrowphase::convex_pair::ConvexPair;
use crate::pair::answer::axis;
use crate::pair::fast_path;
use crate::pair::input::{Pair, is_certifiable};
use crate::pair::pipeline::{FirstAttempt, Pipeline};
use crate::pair::problem::PairProblem;
use crate::pair::warm_start::PairCache;
use crate::query::answer::{Answer, in_world};
use crate::query::bounding;
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::validation::validate;
use nalgebra::{Isometry3, Vector3};

/// Returns the signed distance between `a` at `pose_a` and `b` at `pose_b`, with witness points, normal and bracket.
/// The [module](crate::pair) states what is proven when.
///
/// With a `cache` the query starts from the pair's last answer and stores the new one. Swapping the
/// bodies swaps the points and reverses the normal.
///
/// # Errors
/// The error names a pose that is not finite or whose quaternion is not of unit length, an option out of its domain,
/// or a distance that exceeds the number range.
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
    let straight = validate(pose_a, pose_b, options)?;
    let [pose_a, pose_b] = straight.or([pose_a, pose_b]);
    contact_of_valid(a, pose_a, b, pose_b, options, cache)
}

/// Answers as [`contact`] does, for poses and options that were validated.
#[inline(always)]
pub fn contact_of_valid(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
) -> Result<Contact, QueryError> {
    if let Some(contact) = bounding::pair_beyond(a, pose_a, b, pose_b, options.max_distance) {
        // There is no answer to start the next query from.
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
    if options.takes_any_overlap()
        && let Some(problem) = pair.overlapping_along_centers(options)
    {
        let normal = axis(&problem);
        let found = problem.support_pair(&normal);
        let bracket = [found.gap - problem.rounding, 0.0];
        let outcome = Outcome::of_overlap(bracket, problem.tolerance);
        let answer = Answer::new(found.gap, normal, found.xa, bracket, outcome);
        return finish(&answer, &problem, pose_a, 0, cache);
    }
    fast_path::contact(&pair, options, cache)
}

impl Pair<'_> {
    /// Runs the [`pipeline`](crate::pair::pipeline) from the outcome of a first attempt, if there was one.
    #[cold]
    pub(super) fn resume_pipeline(
        &self,
        options: &QueryOptions,
        cache: Option<&mut PairCache>,
        first_attempt: Option<FirstAttempt>,
    ) -> Result<Contact, QueryError> {
        let problem = self.problem(options);
        resume_pipeline(
            &problem,
            options,
            cache,
            first_attempt.as_ref(),
            self.pose_a,
        )
    }

    /// Returns the problem of convex bodies if the line of their centres is proven to pass through a common point: x leaves an untapered
    /// body at the share 1/gauge(x) of the way from its centre to x, and the two shares are more than 1.
    #[inline(never)]
    fn overlapping_along_centers(&self, options: &QueryOptions) -> Option<PairProblem> {
        let (a, b) = (self.a, self.b);
        if !is_certifiable(a, b) || a.is_tapered() || b.is_tapered() {
            return None;
        }
        let way = self.pose_b.translation.vector - self.pose_a.translation.vector;
        let in_a = a.gauge(&self.pose_a.rotation.inverse_transform_vector(&way));
        let in_b = b.gauge(&self.pose_b.rotation.inverse_transform_vector(&way));
        // This is 1/x + 1/y > 1, also where they are 0.
        let meet = |x: f64, y: f64, share: f64| share * (x + y) > x * y;
        if !meet(in_a, in_b, 1.0) {
            return None;
        }
        // Rounding counts in the problem's units.
        let problem = self.problem(options);
        let in_a = problem.gauge_a(&problem.center);
        let in_b = problem.gauge_b(&Vector3::zeros());
        (meet(in_a, in_b, 1.0 - problem.doubt()) || in_a + in_b == 0.0).then_some(problem)
    }

    pub(super) fn problem(&self, options: &QueryOptions) -> PairProblem {
        let (a, b) = (self.a, self.b);
        PairProblem::new(a, self.pose_a, b, self.pose_b, options.tolerance)
    }
}

/// Runs the whole pipeline, or what is left of it after a first attempt.
fn resume_pipeline(
    problem: &PairProblem,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
    first_attempt: Option<&FirstAttempt>,
    pose_a: &Isometry3<f64>,
) -> Result<Contact, QueryError> {
    let warm = cache.as_deref().filter(|cache| !cache.is_empty());
    let mut pipeline = Pipeline::new(problem, options);
    let answer = pipeline.run(warm, first_attempt);
    finish(&answer, problem, pose_a, pipeline.iterations, cache)
}

/// Converts the answer to the world frame and updates the cache for the next query.
pub(crate) fn finish(
    answer: &Answer,
    problem: &PairProblem,
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
