//! The parts of two trees that are nearest to each other.
//!
//! The parts of A are visited best first by the distance of their boxes from B, and each asks for the part of B nearest
//! to it. A pair of parts with normal n bounds the others: all of B lies above a plane of that normal, and what of A lies
//! below it by more than the best distance need not be visited.

use crate::bvh::boxes::{least_distance, point};
use crate::bvh::nearest::{PartContact, bounds_in, nearest_part};
use crate::bvh::tree::PolytopeTree;
use crate::convex::ConvexShape;
use crate::polytope::shapes::Polytope;
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::validation::validate;
use nalgebra::{Isometry3, Point3, Vector3};
use parry3d_f64::partitioning::{BvhLeafCost, BvhNode};
use std::cell::Cell;

/// The answer for two parts of two trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartsContact {
    /// The indices of the parts of A and B, from 0.
    pub parts: [u32; 2],
    /// The answer in the world frame.
    pub contact: Contact,
}

impl BvhLeafCost for PartsContact {
    fn cost(&self) -> f64 {
        self.contact.distance
    }
}

/// Returns the two parts of two trees with the least signed distance, or `None` if all are proven to be farther apart
/// than `options.max_distance`. Of overlapping trees it is minus the depth of the two parts that overlap most; triangle
/// meshes are their surfaces, so that one wholly inside the other does not touch it.
///
/// # Errors
/// The errors are those of [`convex_contact`](crate::convex::convex_contact).
pub fn trees_contact(
    a: &impl PolytopeTree,
    pose_a: &Isometry3<f64>,
    b: &impl PolytopeTree,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartsContact>, QueryError> {
    validate(pose_a, pose_b, options)?;
    let around_b = {
        let bounds = b.bvh().root_aabb();
        let whole = ConvexShape::of_points(&[point(bounds.mins), point(bounds.maxs)]);
        bounds_in(&whole, pose_b, pose_a)
    };
    let error = Cell::new(None);
    let below = Cell::new(None);
    let (lower, upper) = (Cell::new(f64::INFINITY), Cell::new(f64::INFINITY));
    let ask = |index: u32, best: f64| {
        let options = QueryOptions {
            max_distance: best.max(0.0),
            ..*options
        };
        match nearest_part(&a.convex_part(index), pose_a, b, pose_b, &options) {
            Ok(found) => found.map(|PartContact { part, contact }| {
                if contact.distance < best {
                    below.set(Some(LowestPlane::new(b, pose_b, pose_a, &contact)));
                }
                lower.set(lower.get().min(contact.lower));
                upper.set(upper.get().min(contact.upper));
                PartsContact {
                    parts: [index, part],
                    contact,
                }
            }),
            Err(e) => {
                error.set(Some(e));
                None
            }
        }
    };
    let limit = options.max_distance.min(f64::MAX).next_up();
    let bound = |node: &BvhNode, _: f64| {
        let boxes = least_distance(&around_b, node);
        let plane: Option<LowestPlane> = below.get();
        plane.map_or(boxes, |plane| boxes.max(plane.least_above(node)))
    };
    let best = a.bvh().find_best(limit, bound, ask);
    if let Some(error) = error.get() {
        return Err(error);
    }
    Ok(best.map(|(_, mut best)| {
        let contact = &mut best.contact;
        let alone = contact.upper - contact.lower;
        (contact.lower, contact.upper) = (
            lower.get().min(contact.lower),
            upper.get().max(contact.distance),
        );
        if contact.outcome == Outcome::Certified && contact.upper - contact.lower > 2.0 * alone {
            contact.outcome = Outcome::Converged;
        }
        best
    }))
}

/// The plane n·x = h below which no point of tree B lies, n the normal of an answer from A to B, in A's frame. What of
/// A lies below it has a signed distance of at least h less its own greatest n·x.
#[derive(Clone, Copy)]
struct LowestPlane {
    normal: Vector3<f64>,
    /// The value h, rounded down.
    height: f64,
}

/// The height of a part along a direction.
#[derive(Clone, Copy)]
struct Height(f64);

impl BvhLeafCost for Height {
    fn cost(&self) -> f64 {
        self.0
    }
}

impl LowestPlane {
    fn new(
        b: &impl PolytopeTree,
        pose_b: &Isometry3<f64>,
        pose_a: &Isometry3<f64>,
        contact: &Contact,
    ) -> Self {
        let n = contact.normal.into_inner();
        let in_b = pose_b.rotation.inverse() * n;
        let height = |p: &Point3<f64>| in_b.dot(&p.coords) - 1e-15 * p.coords.norm();
        let ask = |index: u32, _: f64| {
            let part = b.part(index);
            let heights = part.vertices().iter().map(height);
            Some(Height(heights.fold(f64::INFINITY, f64::min)))
        };
        let bound = |node: &BvhNode, _: f64| {
            let (min, max) = (point(node.mins()), point(node.maxs()));
            let lowest = |i: usize| if in_b[i] > 0.0 { min[i] } else { max[i] };
            height(&Point3::new(lowest(0), lowest(1), lowest(2)))
        };
        let lowest = b.bvh().find_best(f64::MAX, bound, ask);
        let lowest = lowest.map_or(f64::NEG_INFINITY, |(_, height)| height.0);
        let offset = n.dot(&(pose_b.translation.vector - pose_a.translation.vector));
        let far = pose_b.translation.vector.norm() + pose_a.translation.vector.norm();
        LowestPlane {
            normal: pose_a.rotation.inverse() * n,
            height: lowest + offset - 1e-14 * (far + lowest.abs()),
        }
    }

    /// Returns a lower bound of the signed distance of the contents of a node of A.
    fn least_above(&self, node: &BvhNode) -> f64 {
        let (min, max) = (point(node.mins()), point(node.maxs()));
        let highest = Vector3::from_fn(|i, _| if self.normal[i] > 0.0 { max[i] } else { min[i] });
        self.height - self.normal.dot(&highest) - 1e-14 * highest.norm()
    }
}
