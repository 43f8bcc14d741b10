//! The derivatives of a pair of superovoids.

use super::answer::{ContactDerivatives, DerivativeStatus, DistanceGradient};
use super::assembly;
use super::stationary::{self, Problem, Stationary};
use super::tie::has_a_tie;
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::validation::validate;
use crate::{Contact, Outcome, Superovoid};
use nalgebra::Isometry3;

/// The gradient of the signed distance of `a` at `pose_a` and `b` at `pose_b` by both poses and both shapes, at their
/// `contact`, which [`contact`](crate::contact()) has answered. See the [module](crate::derivatives) for the inputs.
///
/// Returns `None` where the contact is not converged, or beyond the maximum distance.
///
/// # Errors
/// The error names a pose that is not finite or whose quaternion is not of unit length, or a contact whose witness
/// points are not on these bodies.
///
/// ```
/// use nalgebra::Isometry3;
/// use superovoid::derivatives::{POSE_B, SHAPE_A, distance_gradient};
/// use superovoid::{QueryOptions, Superovoid, contact};
///
/// let (a, b) = (Superovoid::ellipsoid([1.0, 2.0, 3.0])?, Superovoid::sphere(1.0)?);
/// let (here, above) = (Isometry3::identity(), Isometry3::translation(0.0, 0.0, 5.0));
/// let answer = contact(&a, &here, &b, &above, &QueryOptions::default(), None)?;
/// let found = distance_gradient(&a, &here, &b, &above, &answer)?.expect("the answer is certified");
/// assert!((found.gradient[POSE_B.start + 2] - 1.0).abs() < 1e-12); // B moves up
/// assert!((found.gradient[SHAPE_A.start + 2] + 1.0).abs() < 1e-12); // a3 of A grows
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance_gradient(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    contact: &Contact,
) -> Result<Option<DistanceGradient>, QueryError> {
    let Some((problem, at)) = at_contact(a, pose_a, b, pose_b, contact)? else {
        return Ok(None);
    };
    let status = if is_a_tie(a, pose_a, b, pose_b, &problem, &at) {
        DerivativeStatus::Tie
    } else {
        DerivativeStatus::Exact
    };
    Ok(Some(DistanceGradient {
        gradient: assembly::gradient(&problem, &at),
        status,
        local: is_local(a, b),
    }))
}

/// All derivatives of the contact of `a` at `pose_a` and `b` at `pose_b`: the gradient and the Hessian of the signed
/// distance, and the Jacobians of normal and witness points, by both poses and both shapes. See the
/// [module](crate::derivatives) for the inputs.
///
/// Returns `None` where the contact is not converged, or beyond the maximum distance.
///
/// # Errors
/// As [`distance_gradient`].
pub fn contact_derivatives(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    contact: &Contact,
) -> Result<Option<ContactDerivatives>, QueryError> {
    let Some((problem, at)) = at_contact(a, pose_a, b, pose_b, contact)? else {
        return Ok(None);
    };
    let mut found = assembly::all(&problem, &at, is_local(a, b));
    if is_a_tie(a, pose_a, b, pose_b, &problem, &at) {
        found.status = DerivativeStatus::Tie;
    }
    Ok(Some(found))
}

/// Whether an answer has derivatives: whether its points are stationary.
pub(super) fn has_derivatives(contact: &Contact) -> bool {
    matches!(contact.outcome, Outcome::Certified | Outcome::Converged)
}

fn at_contact(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    contact: &Contact,
) -> Result<Option<(Problem, Stationary)>, QueryError> {
    validate(pose_a, pose_b, &QueryOptions::default())?;
    if !has_derivatives(contact) {
        return Ok(None);
    }
    let problem = Problem::new(a, pose_a, b, pose_b, None, contact);
    let at = stationary::solve(&problem)?;
    Ok(Some((problem, at)))
}

fn is_local(a: &Superovoid, b: &Superovoid) -> bool {
    !(a.is_convex() && b.is_convex())
}

/// Whether the depth of overlapping bodies is attained along several directions.
fn is_a_tie(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    problem: &Problem,
    at: &Stationary,
) -> bool {
    if at.distance >= 0.0 {
        return false;
    }
    if at.system.is_none() {
        return assembly::normal_is_free(at);
    }
    let normal = problem.rotations[0].tr_mul(&at.normal);
    has_a_tie(a, pose_a, b, pose_b, &normal, at.distance)
}
