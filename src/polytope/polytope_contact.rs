//! The entry of the polytope query.

use crate::Superovoid;
use crate::polytope::query;
use crate::polytope::shapes::{Polytope, validate_vertices};
use crate::query::contact::Contact;
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::validation::validate;
use nalgebra::Isometry3;

/// Returns the signed distance between the superovoid `shape` at `pose` (body A) and a polytope at its own pose (body
/// B), with witness points, normal and bracket. The [module](crate::polytope) states what is proven when.
///
/// The options `tolerance`, `max_distance` and `depth` have the meaning that they have in the pair query;
/// `max_iterations` limits Newton's steps on a touched vertex.
///
/// # Errors
/// The error names a pose or vertex that is not finite, a polytope without vertices, an option out of its domain, or a
/// distance that exceeds the number range.
///
/// ```
/// use nalgebra::{Isometry3, Point3};
/// use superovoid::polytope::{Triangle, polytope_contact};
/// use superovoid::{Outcome, QueryOptions, Superovoid};
///
/// let ball = Superovoid::sphere(1.0)?;
/// let corner = |x: f64, y: f64| Point3::new(x, y, 3.0);
/// let triangle = Triangle::new([corner(-5.0, -5.0), corner(5.0, -5.0), corner(0.0, 5.0)])?;
/// let here = Isometry3::identity();
/// let answer = polytope_contact(&ball, &here, &triangle, &here, &QueryOptions::default())?;
/// assert_eq!(answer.outcome, Outcome::Certified);
/// assert!((answer.distance - 2.0).abs() < 1e-9);
/// assert!((answer.normal.z - 1.0).abs() < 1e-9); // from the ball to the triangle
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn polytope_contact(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    polytope: &(impl Polytope + ?Sized),
    polytope_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Contact, QueryError> {
    let straight = validate(pose, polytope_pose, options)?;
    let [pose, polytope_pose] = straight.or([pose, polytope_pose]);
    validate_vertices(polytope.vertices())?;
    query::solve(
        shape,
        pose,
        polytope.vertices(),
        &polytope.face_normals(),
        polytope_pose,
        options,
    )
}

/// Returns the answer for a triangle whose plane proves it, as [`polytope_contact`] does; `None` if a search is needed.
/// The poses and options must be valid.
#[cfg(feature = "bvh")]
pub(crate) fn face_contact(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    triangle: &impl Polytope,
    triangle_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<Contact>, QueryError> {
    let normals = triangle.face_normals();
    let vertices = triangle.vertices();
    query::solve_by_face(shape, pose, vertices, &normals, triangle_pose, options)
}
