//! The entries of the queries of one body.

use crate::Superovoid;
use crate::bvh::body::Body;
use crate::bvh::inside::nearest_of_solid;
use crate::bvh::nearest::PartContact;
use crate::bvh::tree::PolytopeTree;
use crate::convex::ConvexShape;
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use nalgebra::Isometry3;

/// Returns the part of `tree` with the least signed distance to the convex body `shape`, as [`tree_contact`] does for
/// superovoids.
///
/// # Errors
/// The errors are those of [`convex_contact`](crate::convex::convex_contact).
pub fn convex_tree_contact(
    shape: &ConvexShape,
    pose: &Isometry3<f64>,
    tree: &impl PolytopeTree,
    tree_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartContact>, QueryError> {
    nearest_of_solid(&Body::Convex(shape), pose, tree, tree_pose, options)
}

/// Returns the part of `tree` (body B, at `tree_pose`) with the least signed distance to the superovoid `shape` (body
/// A, at `pose`), or `None` if all are proven to be farther than `options.max_distance`.
///
/// The bracket holds for the least signed distance of all parts; a certified one is closed at the tolerance, or at
/// twice the rounding of a part if that is larger. The options are those of [`polytope_contact`](crate::polytope::polytope_contact).
///
/// Inside a mesh that [is solid](crate::bvh::TriMesh::is_solid) the signed distance is minus the way along the normal at
/// the nearest triangle until the whole body has passed it, with the outcome
/// [`Converged`](crate::Outcome::Converged); the bracket is then true of the solid and open.
///
/// # Errors
/// The errors are those of [`polytope_contact`](crate::polytope::polytope_contact).
///
/// ```
/// use nalgebra::{Isometry3, Point3};
/// use superovoid::bvh::{TriMesh, tree_contact};
/// use superovoid::{QueryOptions, Superovoid};
///
/// let corner = |x: f64, y: f64| Point3::new(x, y, 0.0);
/// let floor = TriMesh::new(
///     vec![corner(-9.0, -9.0), corner(9.0, -9.0), corner(9.0, 9.0), corner(-9.0, 9.0)],
///     vec![[0, 1, 2], [0, 2, 3]],
/// )?;
/// let egg = Superovoid::new([0.02, 0.02, 0.03], [1.0, 1.0], [0.2, 0.2])?;
/// let above = Isometry3::translation(1.0, -2.0, 0.04);
/// let here = Isometry3::identity();
/// let found = tree_contact(&egg, &above, &floor, &here, &QueryOptions::default())?;
/// let found = found.expect("without a maximum distance there is an answer");
/// assert_eq!(found.part, 0);
/// assert!((found.contact.distance - 0.01).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tree_contact(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    tree: &impl PolytopeTree,
    tree_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartContact>, QueryError> {
    nearest_of_solid(&Body::Superovoid(shape), pose, tree, tree_pose, options)
}
