//! The way of the pair query to its answer, for pictures.
//!
//! The query itself tells nothing: its solvers are run again, for k = 0, 1, 2, … steps, and stand where the k-th step
//! has led them. So a trace costs about as many queries as there are iterates, and a query costs nothing more.

use crate::lanes::Two;
use crate::pair::input::{Pair, are_ellipsoids};
use crate::pair::newton::ellipsoids::{self, Axis};
use crate::pair::newton::{self, PairStart};
use crate::pair::pair_contact::contact;
use crate::pair::problem::PairProblem;
use crate::query::bounding;
use crate::query::contact::Contact;
use crate::query::error::QueryError;
use crate::query::options::{MAX_ITERATIONS, QueryOptions};
use crate::query::units::SAME_CENTER;
use nalgebra::{Isometry3, Point3, UnitVector3, Vector3};

/// The distance between the last iterate and the answer's points, in units of the pair, above which a later stage has
/// found the answer.
const ELSEWHERE: f64 = 1e-6;

/// The way of a pair query to its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactTrace {
    /// The answer, to the bit that of [`contact`](crate::contact).
    pub contact: Contact,
    /// The pairs of points on the way, the last of which is the answer. Those of Newton's method come first, beginning
    /// with its guess; there are none where bounds or closed forms decide.
    pub iterates: Vec<ContactIterate>,
}

/// A pair of points on the way to an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactIterate {
    /// The point of A, in the world frame, metres.
    pub point_a: Point3<f64>,
    /// The point of B.
    pub point_b: Point3<f64>,
    /// The mean of A's outward normal and B's inward one.
    pub normal: UnitVector3<f64>,
    /// The deviation of the normals from the mean and of the points from its line, without a unit; 0 at a stationary
    /// pair.
    pub residual: f64,
    /// The stage that led here.
    pub stage: ContactStage,
}

/// A part of the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactStage {
    /// Newton's method from the line of the centres.
    Newton,
    /// What answers where Newton's method does not: a closed form, cutting planes, slabs, or the search for the least
    /// depth.
    Later,
}

/// Returns the answer of [`contact`](crate::contact) without a cache, and how the query comes to it.
///
/// The iterates are computed in A's frame, those of the query in the world's: they agree to rounding.
///
/// # Errors
/// The errors are those of [`contact`](crate::contact).
///
/// ```
/// use nalgebra::Isometry3;
/// use superovoid::{QueryOptions, Superovoid, pair::contact_trace};
///
/// let (box_like, ball) = (Superovoid::superellipsoid([1.0; 3], [0.3, 0.3])?, Superovoid::sphere(0.5)?);
/// let (here, there) = (Isometry3::identity(), Isometry3::translation(2.0, 1.0, 0.5));
/// let trace = contact_trace(&box_like, &here, &ball, &there, &QueryOptions::default())?;
/// let (guess, answer) = (trace.iterates.first().unwrap(), trace.iterates.last().unwrap());
/// assert!(guess.residual > 1e-3 && answer.residual < 1e-9);
/// assert!((answer.point_b - trace.contact.point_b).norm() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contact_trace(
    a: &crate::Superovoid,
    pose_a: &Isometry3<f64>,
    b: &crate::Superovoid,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<ContactTrace, QueryError> {
    let contact = contact(a, pose_a, b, pose_b, options, None)?;
    let pair = Pair {
        a,
        pose_a,
        b,
        pose_b,
    };
    let problem = pair.problem(options);
    let mut iterates = Vec::new();
    let decided = bounding::pair_beyond(a, pose_a, b, pose_b, options.max_distance).is_some()
        || problem.bodies_are_points()
        || a.traits.both(b.traits).sphere();
    if !decided {
        let steps = options.max_iterations.min(MAX_ITERATIONS);
        let placed = |found: Iterate| found.placed(&problem, pose_a);
        if are_ellipsoids(&pair) && steps >= ellipsoids::MAX_STEPS {
            iterates.extend(of_ellipsoids(&problem, steps).into_iter().map(placed));
        } else {
            iterates.extend(of_newton(&problem, steps).into_iter().map(placed));
        }
    }
    let off = |last: &ContactIterate| {
        (last.point_a - contact.point_a).norm() + (last.point_b - contact.point_b).norm()
    };
    if !iterates
        .last()
        .is_some_and(|last| off(last) <= ELSEWHERE * problem.unit)
    {
        iterates.push(answered(&contact));
    }
    Ok(ContactTrace { contact, iterates })
}

fn answered(contact: &Contact) -> ContactIterate {
    ContactIterate {
        point_a: contact.point_a,
        point_b: contact.point_b,
        normal: contact.normal,
        residual: 0.0,
        stage: ContactStage::Later,
    }
}

/// An iterate in A's frame and the units of the problem.
struct Iterate {
    points: [Vector3<f64>; 2],
    normal: Vector3<f64>,
    mismatch: f64,
}

impl Iterate {
    fn placed(self, problem: &PairProblem, pose_a: &Isometry3<f64>) -> ContactIterate {
        let [xa, xb] = self.points;
        let d = xb - xa;
        let offset = (d - self.normal * d.dot(&self.normal)).norm();
        let world = |x: Vector3<f64>| pose_a * Point3::from(x * problem.unit);
        ContactIterate {
            point_a: world(xa),
            point_b: world(xb),
            normal: UnitVector3::new_normalize(pose_a * self.normal),
            residual: self.mismatch.hypot(offset),
            stage: ContactStage::Newton,
        }
    }
}

/// Returns where Newton's method stands after each of its steps, and where it ends.
fn of_newton(problem: &PairProblem, most_steps: u32) -> Vec<Iterate> {
    let after = |limit: u32| {
        let mut steps = 0;
        let found = newton::solve(problem, PairStart::CenterLine, limit, &mut steps)?;
        let iterate = Iterate {
            points: [found.xa, found.xb()],
            normal: found.normal,
            mismatch: found.mismatch,
        };
        Some((iterate, steps))
    };
    let mut iterates: Vec<Iterate> = Vec::new();
    for limit in 0..=most_steps {
        match after(limit) {
            Some((iterate, steps)) if steps == limit => iterates.push(iterate),
            _ => break,
        }
    }
    // The last step may be followed by one of second order, which needs no evaluation of its own.
    if let Some((end, _)) = after(most_steps)
        && iterates.last().is_none_or(|last| last.points != end.points)
    {
        iterates.push(end);
    }
    iterates
}

/// Returns where the method for ellipsoids stands after each of its steps, and where it fails where Newton's method does.
fn of_ellipsoids(problem: &PairProblem, most_steps: u32) -> Vec<Iterate> {
    if problem.center_distance < SAME_CENTER {
        return of_newton(problem, most_steps);
    }
    let (a, b) = (&problem.a.a, &problem.b.a);
    let semi_axes = [0, 1, 2].map(|k| Two(a[k], b[k]));
    let frame = problem.relative(0.0);
    let mut iterates = Vec::new();
    let met = ellipsoids::solve_watched(&semi_axes, &frame, &Axis::of_centers(&frame), |found| {
        let (xa, d) = (Vector3::from(found.xa), Vector3::from(found.d));
        iterates.push(Iterate {
            points: [xa, xa + d],
            normal: found.normal.into(),
            mismatch: 0.0,
        });
    });
    if !met {
        iterates.extend(of_newton(problem, most_steps));
    }
    iterates
}
