//! The derivatives of a pair of superovoids.

use super::answer::{ContactDerivatives, DerivativeStatus, DistanceGradient, INPUTS};
use super::assembly;
use super::axes::to_body;
use super::gradient::{Sided, gradient, has_derivatives, validate_contact};
use super::stationary::{self, PolishedPair, Problem};
use super::tie::{has_a_tie, may_tie};
use crate::query::error::QueryError;
use crate::query::validation::validate_poses;
use crate::{Contact, Superovoid};
use nalgebra::{Isometry3, SVector};

/// Returns the gradient of the signed distance of `a` at `pose_a` and `b` at `pose_b` by both poses and both shapes,
/// at their `contact`, which [`contact`](crate::contact()) has answered. See the [module](crate::derivatives) for the
/// inputs.
///
/// Returns `None` where the contact is not converged, or beyond the maximum distance.
///
/// The gradient is as exact as the normal and the witness points of the contact: to 1e-9 between bodies that lie at random,
/// but only to 1e-5 or so between nearly flat faces that face each other, and in one of 2,000 cases of pointed bodies, where
/// normals and points that far from the true ones are within the default tolerance of the distance.
/// [`contact_derivatives`] polishes them first.
///
/// # Errors
/// The error names a pose that is not finite or whose quaternion is not of unit length, or a contact that no query
/// answers: numbers that are not finite, or a normal that is not of unit length. Whether the contact is one of these
/// bodies at these poses is not checked here, which would take as long as all the rest.
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
    let straight = validate_poses(pose_a, pose_b)?;
    let [pose_a, pose_b] = straight.or([pose_a, pose_b]);
    if !has_derivatives(contact) {
        return Ok(None);
    }
    validate_contact(contact)?;
    let status = if contact.distance < 0.0 && may_tie(a, pose_a, b, pose_b, contact) {
        let problem = Problem::new(a, pose_a, b, pose_b, None, contact);
        status_of_overlap(
            a,
            pose_a,
            b,
            pose_b,
            &problem,
            &stationary::solve(&problem)?,
        )
    } else {
        DerivativeStatus::Exact
    };
    Ok(Some(DistanceGradient {
        gradient: pair_gradient(a, pose_a, b, pose_b, contact),
        status,
        local: is_local(a, b),
    }))
}

fn pair_gradient(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    contact: &Contact,
) -> SVector<f64, INPUTS> {
    let sided = |shape, pose, point| Sided {
        shape: Some(shape),
        pose,
        point,
    };
    let bodies = [
        sided(a, pose_a, &contact.point_a),
        sided(b, pose_b, &contact.point_b),
    ];
    gradient(bodies, &contact.normal)
}

/// Returns all derivatives of the contact of `a` at `pose_a` and `b` at `pose_b`: the gradient and the Hessian of the
/// signed distance, and the Jacobians of normal and witness points, by both poses and both shapes. See the
/// [module](crate::derivatives) for the inputs.
///
/// The result is `None` where the contact is not converged, or beyond the maximum distance. The answer is 8 kB large;
/// [`contact_derivatives_into`] saves copies of it.
///
/// # Errors
/// The errors are those of [`distance_gradient`], and a contact whose witness points are not on these bodies.
#[inline]
pub fn contact_derivatives(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    contact: &Contact,
) -> Result<Option<ContactDerivatives>, QueryError> {
    let mut found = ContactDerivatives::default();
    let exist = contact_derivatives_into(a, pose_a, b, pose_b, contact, &mut found)?;
    Ok(exist.then_some(found))
}

/// Writes [`contact_derivatives`] to `found` and returns true; where there are none it returns false and leaves `found`
/// unchanged, as it does on an error.
///
/// # Errors
/// The errors are those of [`contact_derivatives`].
pub fn contact_derivatives_into(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    contact: &Contact,
    found: &mut ContactDerivatives,
) -> Result<bool, QueryError> {
    let straight = validate_poses(pose_a, pose_b)?;
    let [pose_a, pose_b] = straight.or([pose_a, pose_b]);
    if !has_derivatives(contact) {
        return Ok(false);
    }
    validate_contact(contact)?;
    let problem = Problem::new(a, pose_a, b, pose_b, None, contact);
    let at = stationary::solve(&problem)?;
    found.local = is_local(a, b);
    let polished = at.polished(&problem, &pose_a.translation.vector, contact);
    found.gradient = pair_gradient(a, pose_a, b, pose_b, &polished);
    assembly::assemble_all(&problem, &at, found);
    if contact.distance < 0.0
        && may_tie(a, pose_a, b, pose_b, contact)
        && status_of_overlap(a, pose_a, b, pose_b, &problem, &at) == DerivativeStatus::Tie
    {
        found.status = DerivativeStatus::Tie;
    }
    Ok(true)
}

fn is_local(a: &Superovoid, b: &Superovoid) -> bool {
    !(a.is_convex() && b.is_convex())
}

/// Whether the depth of overlapping bodies is attained along several directions.
fn status_of_overlap(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    problem: &Problem,
    at: &PolishedPair,
) -> DerivativeStatus {
    let normal = to_body(&problem.rotations[0], &problem.normal);
    let distance = problem.distance();
    let tie = assembly::normal_is_free(at) || has_a_tie(a, pose_a, b, pose_b, &normal, distance);
    if tie {
        DerivativeStatus::Tie
    } else {
        DerivativeStatus::Exact
    }
}
