//! The part of a tree that is nearest to a body, and all parts within a margin.

use crate::Superovoid;
use crate::bvh::boxes::{least_distance, point};
use crate::bvh::tree::PolytopeTree;
use crate::convex::{ConvexShape, convex_contact};
use crate::polytope::polytope_contact;
use crate::polytope::shapes::Polytope;
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::units::{RELATIVE_TOLERANCE, wanted_tolerance};
use crate::query::validation::validate;
use crate::surface::bounds::Aabb;
use nalgebra::{Isometry3, Point3, Vector3};
use parry3d_f64::partitioning::{BvhLeafCost, BvhNode, TraversalAction};
use std::cell::Cell;

/// The answer for one part of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartContact {
    /// The index of the part, the triangle or box, from 0.
    pub part: u32,
    /// The answer in the world frame; B is the part.
    pub contact: Contact,
}

impl BvhLeafCost for PartContact {
    fn cost(&self) -> f64 {
        self.contact.distance
    }
}

/// The body A of a query: a superovoid or another convex body.
pub(super) trait Probe {
    fn size(&self) -> f64;
    /// Returns the value of the support function in a direction of the body's own frame.
    fn reach(&self, direction: &Vector3<f64>) -> f64;
    fn aabb(&self, pose: &Isometry3<f64>) -> Aabb;
    fn contact_with(
        &self,
        pose: &Isometry3<f64>,
        tree: &impl PolytopeTree,
        part: u32,
        tree_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Contact, QueryError>;
}

impl Probe for Superovoid {
    fn size(&self) -> f64 {
        self.size()
    }

    fn reach(&self, direction: &Vector3<f64>) -> f64 {
        self.support(direction).value
    }

    fn aabb(&self, pose: &Isometry3<f64>) -> Aabb {
        self.aabb(pose)
    }

    fn contact_with(
        &self,
        pose: &Isometry3<f64>,
        tree: &impl PolytopeTree,
        part: u32,
        tree_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Contact, QueryError> {
        polytope_contact(self, pose, &tree.part(part), tree_pose, options)
    }
}

impl Probe for ConvexShape {
    fn size(&self) -> f64 {
        self.size()
    }

    fn reach(&self, direction: &Vector3<f64>) -> f64 {
        self.support(direction)
    }

    fn aabb(&self, pose: &Isometry3<f64>) -> Aabb {
        let Aabb { min, max } = self.local_aabb();
        let axes = pose.rotation.to_rotation_matrix().into_inner().abs();
        let center = pose * nalgebra::center(&min, &max);
        let half = axes * ((max - min) * (0.5 + 1e-14));
        Aabb {
            min: center - half,
            max: center + half,
        }
    }

    fn contact_with(
        &self,
        pose: &Isometry3<f64>,
        tree: &impl PolytopeTree,
        part: u32,
        tree_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Contact, QueryError> {
        convex_contact(self, pose, &tree.convex_part(part), tree_pose, options)
    }
}

/// Returns the part of `tree` with the least signed distance to the convex body `shape`, as [`tree_contact`] does for
/// superovoids.
///
/// # Errors
/// The errors are those of [`convex_contact`].
pub fn convex_tree_contact(
    shape: &ConvexShape,
    pose: &Isometry3<f64>,
    tree: &impl PolytopeTree,
    tree_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartContact>, QueryError> {
    nearest_part(shape, pose, tree, tree_pose, options)
}

/// Returns the part of `tree` (body B, at `tree_pose`) with the least signed distance to the superovoid `shape` (body
/// A, at `pose`), or `None` if all are proven to be farther than `options.max_distance`.
///
/// The bracket holds for the least signed distance of all parts; a certified one is closed at the tolerance, or at
/// twice the rounding of a part if that is larger. The options are those of [`polytope_contact`].
///
/// # Errors
/// The errors are those of [`polytope_contact`].
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
    nearest_part(shape, pose, tree, tree_pose, options)
}

pub(super) fn nearest_part<A: Probe>(
    shape: &A,
    pose: &Isometry3<f64>,
    tree: &impl PolytopeTree,
    tree_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartContact>, QueryError> {
    validate(pose, tree_pose, options)?;
    let around_shape = bounds_in(shape, pose, tree_pose);
    let error = Cell::new(None);
    let plane = Cell::new(None);
    // Two parts that tie may have brackets that only meet, so each gets half the tolerance.
    let wanted = wanted_tolerance(options.tolerance, shape.size(), RELATIVE_TOLERANCE);
    // This bound is the least over all parts that were queried.
    let (lower, upper) = (Cell::new(f64::INFINITY), Cell::new(f64::INFINITY));
    let ask = |index: u32, best: f64| {
        let beyond = |plane: SupportingPlane| plane.least(tree.part(index).vertices()) >= best;
        if plane.get().is_some_and(beyond) {
            return None;
        }
        let options = QueryOptions {
            tolerance: 0.5 * wanted,
            max_distance: best.max(0.0),
            ..*options
        };
        match shape.contact_with(pose, tree, index, tree_pose, &options) {
            Err(e) => {
                error.set(Some(e));
                None
            }
            Ok(contact) if contact.outcome == Outcome::Beyond => None,
            Ok(contact) => {
                if contact.distance < best {
                    plane.set(Some(SupportingPlane::new(shape, pose, tree_pose, &contact)));
                }
                lower.set(lower.get().min(contact.lower));
                upper.set(upper.get().min(contact.upper));
                Some(PartContact {
                    part: index,
                    contact,
                })
            }
        }
    };
    let bound = |node: &BvhNode, _: f64| {
        let boxes = least_distance(&around_shape, node);
        let corners = || [point(node.mins()), point(node.maxs())];
        plane
            .get()
            .map_or(boxes, |plane| boxes.max(plane.least_in_box(corners())))
    };
    let limit = options.max_distance.min(f64::MAX).next_up();
    let best = tree.bvh().find_best(limit, bound, ask);
    if let Some(error) = error.get() {
        return Err(error);
    }
    Ok(best.map(|(_, mut best)| {
        let contact = &mut best.contact;
        let alone = contact.upper - contact.lower;
        (contact.lower, contact.upper) = (lower.get(), upper.get().max(contact.distance));
        let closed = contact.upper - contact.lower <= wanted.max(2.0 * alone);
        if contact.outcome == Outcome::Certified && !closed {
            contact.outcome = Outcome::Converged;
        }
        best
    }))
}

/// The plane that touches the superovoid with the normal n of an answer, in the tree's frame.
#[derive(Clone, Copy)]
struct SupportingPlane {
    normal: Vector3<f64>,
    /// The value h_A(n), rounded up.
    height: f64,
}

impl SupportingPlane {
    fn new(
        shape: &impl Probe,
        pose: &Isometry3<f64>,
        tree_pose: &Isometry3<f64>,
        contact: &Contact,
    ) -> Self {
        let in_tree = tree_pose.inv_mul(pose);
        let normal = tree_pose.rotation.inverse() * contact.normal.into_inner();
        let support = shape.reach(&(in_tree.rotation.inverse() * normal));
        let center = in_tree.translation.vector;
        let far = pose.translation.vector.norm() + tree_pose.translation.vector.norm();
        let slack = 1e-14 * (far + center.norm() + support.abs());
        SupportingPlane {
            normal,
            height: normal.dot(&center) + support + slack,
        }
    }

    /// Returns a lower bound of the signed distance of the hull of points.
    fn least(&self, points: &[Point3<f64>]) -> f64 {
        let heights = points.iter().map(|p| {
            let height = self.normal.dot(&p.coords);
            height - 1e-15 * p.coords.norm()
        });
        heights.fold(f64::INFINITY, f64::min) - self.height
    }

    /// Returns the same bound for a box, from its smallest and largest corner.
    fn least_in_box(&self, [min, max]: [Point3<f64>; 2]) -> f64 {
        let lowest = Point3::from(Vector3::from_fn(|i, _| {
            if self.normal[i] > 0.0 { min[i] } else { max[i] }
        }));
        self.least(&[lowest])
    }
}

/// Calls `visit` for every part of `tree` whose signed distance to the superovoid is at most `margin`
/// (metres), in no particular order, until it returns false.
///
/// # Errors
/// The errors are those of [`polytope_contact`], and a margin that is NaN; `visit` may have been called before an
/// error is found.
pub fn tree_contacts(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    tree: &impl PolytopeTree,
    tree_pose: &Isometry3<f64>,
    margin: f64,
    options: &QueryOptions,
    mut visit: impl FnMut(PartContact) -> bool,
) -> Result<(), QueryError> {
    let options = QueryOptions {
        max_distance: margin,
        ..*options
    };
    validate(pose, tree_pose, &options)?;
    let around_shape = bounds_in(shape, pose, tree_pose);
    let mut error = None;
    tree.bvh().traverse(|node| {
        if least_distance(&around_shape, node) > margin {
            return TraversalAction::Prune;
        }
        let Some(part) = node.leaf_data() else {
            return TraversalAction::Continue;
        };
        match polytope_contact(shape, pose, &tree.part(part), tree_pose, &options) {
            Ok(contact) if contact.outcome == Outcome::Beyond || contact.distance > margin => {
                TraversalAction::Continue
            }
            Ok(contact) if visit(PartContact { part, contact }) => TraversalAction::Continue,
            Ok(_) => TraversalAction::EarlyExit,
            Err(e) => {
                error = Some(e);
                TraversalAction::EarlyExit
            }
        }
    });
    error.map_or(Ok(()), Err)
}

/// Returns the body's box in the tree's frame, extended by more than its rounding.
pub(super) fn bounds_in(
    shape: &impl Probe,
    pose: &Isometry3<f64>,
    tree_pose: &Isometry3<f64>,
) -> Aabb {
    let Aabb { min, max } = shape.aabb(&tree_pose.inv_mul(pose));
    let far = pose.translation.vector.norm() + tree_pose.translation.vector.norm();
    let slack = 1e-14 * (far + min.coords.norm() + max.coords.norm());
    Aabb {
        min: min.map(|x| x - slack),
        max: max.map(|x| x + slack),
    }
}
