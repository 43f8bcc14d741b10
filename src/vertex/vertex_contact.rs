//! The entry of the vertex query.

use crate::Superovoid;
use crate::query::answer::Answer;
use crate::query::bounding;
use crate::query::contact::Contact;
use crate::query::error::QueryError;
use crate::query::validation::{validate_lengths, validate_pose};
use crate::vertex::exact;
use crate::vertex::problem::VertexProblem;
use crate::vertex::vertex_options::VertexOptions;
use nalgebra::{Isometry3, Point3};

/// Returns the signed distance between `shape` at `pose` and a vertex (world frame, metres), with the nearest surface
/// point, the outward normal and a bracket. The [module](crate::vertex) states what is proven when.
///
/// # Errors
/// The error names a pose or vertex that is not finite, an option out of its domain, or a distance that exceeds the
/// number range.
pub fn vertex_contact(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
) -> Result<Contact, QueryError> {
    let straight = validate_query(pose, options)?;
    let pose = straight.as_ref().unwrap_or(pose);
    solve_vertex(shape, pose, point, options, 0)
}

pub(crate) fn validate_query(
    pose: &Isometry3<f64>,
    options: &VertexOptions,
) -> Result<Option<Isometry3<f64>>, QueryError> {
    let straight = validate_pose('A', pose)?;
    validate_lengths(options.tolerance, options.max_distance)?;
    Ok(straight)
}

/// The default tolerance of the exact query, relative to the largest semi-axis.
pub(crate) const EXACT_TOLERANCE: f64 = 1e-10;

/// Answers for a validated pose and validated options; `index` is for the error message.
pub(super) fn solve_vertex(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
    index: usize,
) -> Result<Contact, QueryError> {
    let exactly =
        |query: &VertexProblem, iterations: &mut u32| exact::answer(query, options, iterations);
    solve_by(shape, pose, point, options, EXACT_TOLERANCE, index, exactly)
}

/// Answers for a validated pose and validated options by `method`, which is given the problem and counts its
/// iterations. `default_tolerance` is relative to the largest semi-axis; `index` is for the error message.
#[inline(always)]
pub(crate) fn solve_by(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
    default_tolerance: f64,
    index: usize,
    method: impl FnOnce(&VertexProblem, &mut u32) -> Answer,
) -> Result<Contact, QueryError> {
    if !point.iter().all(|x| x.is_finite()) {
        return Err(QueryError::NonFinitePoint { index });
    }
    if let Some(contact) = bounding::vertex_beyond(shape, pose, point, options.max_distance) {
        return Ok(contact);
    }
    let query = query_of(shape, pose, point, options, default_tolerance);
    let mut iterations = 0;
    let answer = query
        .seen_from_afar()
        .unwrap_or_else(|| method(&query, &mut iterations));
    query.finish(answer, pose, iterations)
}

pub(super) fn query_of(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
    default_tolerance: f64,
) -> VertexProblem {
    VertexProblem::new(
        shape,
        pose,
        point,
        options.tolerance,
        default_tolerance,
        options.max_distance,
    )
}
