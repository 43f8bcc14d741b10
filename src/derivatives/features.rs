//! The derivatives of a superovoid against a vertex, a polytope or a half-space.

use super::answer::{ContactDerivatives, DerivativeStatus};
use super::assembly;
use super::gradient::{Sided, gradient, has_derivatives, validate_contact};
use super::side::ActiveFeature;
use super::stationary::{self, Problem};
use super::tie::is_mirrored;
use crate::polytope::Polytope;
use crate::polytope::shapes::validate_vertices;
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::validation::validate;
use crate::{Contact, HalfSpace, Superovoid};
use nalgebra::{Isometry3, Point3, Unit, Vector3};

/// Returns all derivatives of the contact of the superovoid `shape` at `pose` (A) and a vertex (B), which
/// [`vertex_contact`](crate::vertex_contact) has answered. The motion of B is that of the vertex; its rotation
/// changes nothing.
///
/// The result is `None` where the contact is not converged.
///
/// # Errors
/// The errors are those of [`contact_derivatives`](super::contact_derivatives).
#[inline]
pub fn vertex_contact_derivatives(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    contact: &Contact,
) -> Result<Option<ContactDerivatives>, QueryError> {
    let at = Isometry3::from(contact.point_b);
    let found = derivatives(shape, pose, &at, ActiveFeature::Vertex, contact)?;
    Ok(with_ties(
        found,
        shape,
        pose,
        &[Point3::origin()],
        &at,
        contact,
    ))
}

/// The derivatives with the status of a tie where a symmetry tells one.
fn with_ties(
    found: Option<ContactDerivatives>,
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    vertices: &[Point3<f64>],
    pose_b: &Isometry3<f64>,
    contact: &Contact,
) -> Option<ContactDerivatives> {
    found.map(|found| {
        let overlapping = contact.distance < 0.0;
        if overlapping && is_mirrored(shape, pose, vertices, pose_b, &contact.normal) {
            ContactDerivatives {
                status: DerivativeStatus::Tie,
                ..found
            }
        } else {
            found
        }
    })
}

/// Returns all derivatives of the contact of the superovoid `shape` at `pose` (A) and a polytope at `polytope_pose`
/// (B), which [`polytope_contact`](crate::polytope::polytope_contact) has answered: for a mesh, its touched triangle.
/// They hold while the same vertex, edge or face is touched.
///
/// The result is `None` where the contact is not converged, or beyond the maximum distance.
///
/// # Errors
/// The errors are those of [`contact_derivatives`](super::contact_derivatives).
#[inline]
pub fn polytope_contact_derivatives(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    polytope: &(impl Polytope + ?Sized),
    polytope_pose: &Isometry3<f64>,
    contact: &Contact,
) -> Result<Option<ContactDerivatives>, QueryError> {
    let straight = validate(pose, polytope_pose, &QueryOptions::default())?;
    let [pose, polytope_pose] = straight.or([pose, polytope_pose]);
    if !has_derivatives(contact) {
        return Ok(None);
    }
    validate_contact(contact)?;
    let vertices = polytope.vertices();
    validate_vertices(vertices)?;
    let feature = active_feature(vertices, polytope_pose, contact);
    let found = derivatives(shape, pose, polytope_pose, feature, contact)?;
    Ok(with_ties(
        found,
        shape,
        pose,
        vertices,
        polytope_pose,
        contact,
    ))
}

/// Returns all derivatives of the contact of the superovoid `shape` at `pose` (A) and a half-space (B), which
/// [`half_space_contact`](crate::half_space_contact) has answered. The motion of B is about the world's origin.
///
/// The result is `None` where the contact is not converged.
///
/// # Errors
/// The errors are those of [`contact_derivatives`](super::contact_derivatives).
#[inline]
pub fn half_space_contact_derivatives(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    half_space: &HalfSpace,
    contact: &Contact,
) -> Result<Option<ContactDerivatives>, QueryError> {
    let feature = ActiveFeature::Face(half_space.normal().into_inner());
    derivatives(shape, pose, &Isometry3::identity(), feature, contact)
}

fn derivatives(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    pose_b: &Isometry3<f64>,
    feature: ActiveFeature,
    contact: &Contact,
) -> Result<Option<ContactDerivatives>, QueryError> {
    let straight = validate(pose, pose_b, &QueryOptions::default())?;
    let [pose, pose_b] = straight.or([pose, pose_b]);
    if !has_derivatives(contact) {
        return Ok(None);
    }
    validate_contact(contact)?;
    let problem = Problem::new(shape, pose, shape, pose_b, Some(feature), contact);
    let at = stationary::solve(&problem)?;
    let polished = at.polished(&problem, &pose.translation.vector, contact);
    let sided = |shape, pose, point| Sided { shape, pose, point };
    let bodies = [
        sided(Some(shape), pose, &polished.point_a),
        sided(None, pose_b, &polished.point_b),
    ];
    let mut found = ContactDerivatives {
        local: !shape.is_convex(),
        gradient: gradient(bodies, &polished.normal),
        ..ContactDerivatives::default()
    };
    assembly::assemble_all(&problem, &at, &mut found);
    if at.distance < 0.0 && assembly::normal_is_free(&at) {
        found.status = DerivativeStatus::Tie;
    }
    Ok(Some(found))
}

/// Returns the smallest vertex, edge or face of a polytope that contains the witness point of B.
///
/// The vertices that are lowest along the normal, to rounding, span the touched face. The witness point is a vertex, or
/// lies between two of these, or in the midst of them.
fn active_feature(
    vertices: &[Point3<f64>],
    pose: &Isometry3<f64>,
    contact: &Contact,
) -> ActiveFeature {
    /// The length, relative to the extent of the polytope, that counts as rounding.
    const ROUNDING: f64 = 1e-9;
    let witness = pose.inverse_transform_point(&contact.point_b);
    let n = pose.inverse_transform_vector(&contact.normal);
    let extent = vertices
        .iter()
        .fold(0.0, |m: f64, v| m.max((v - witness).norm()));
    let close = ROUNDING * extent;
    let height = |v: &Point3<f64>| n.dot(&(v - witness));
    let lowest = vertices.iter().map(height).fold(f64::INFINITY, f64::min);
    let touched = || vertices.iter().filter(move |v| height(v) <= lowest + close);
    if touched().any(|v| (v - witness).norm() <= close) {
        return ActiveFeature::Vertex;
    }
    let turned = |v: Vector3<f64>| pose.rotation * v;
    for v in touched() {
        // An edge through the witness leaves all other touched vertices on one side.
        let direction = Unit::new_normalize(v - witness);
        let side = |w: &Point3<f64>| n.cross(&direction).dot(&(w - witness));
        let (mut left, mut right) = (false, false);
        for w in touched() {
            left |= side(w) > close;
            right |= side(w) < -close;
        }
        let beyond =
            touched().any(|w| side(w).abs() <= close && direction.dot(&(w - witness)) < -close);
        if beyond && !(left && right) {
            return ActiveFeature::Edge(turned(direction.into_inner()));
        }
    }
    ActiveFeature::Face(-turned(n))
}
