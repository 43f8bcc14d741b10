//! The parts of two trees that are nearest to each other.
//!
//! The parts of A are visited best first by the distance of their boxes from B, and each asks for the part of B nearest
//! to it. A pair of parts with normal n bounds the others: all of B lies above a plane of that normal, and what of A lies
//! below it by more than the best distance need not be visited.

use crate::bvh::body::Body;
use crate::bvh::boxes::{bounds, box_in, corner_along, least_distance, point};
use crate::bvh::nearest::{PartContact, nearest_part, widest_bracket};
use crate::bvh::tree::PolytopeTree;
use crate::convex::convex_contact;
use crate::polytope::shapes::Polytope;
use crate::query::contact::{Contact, Outcome, PartsContact};
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::validation::validate;
use crate::surface::bounds::Aabb;
use nalgebra::{Isometry3, Point3, Unit, Vector3};
use parry3d_f64::partitioning::BvhNode;
use std::cell::Cell;

/// Returns the two parts of two trees with the least signed distance, or `None` if all are proven to be farther apart
/// than `options.max_distance`. Of overlapping trees it is minus the depth of the two parts that overlap most. Where no
/// parts overlap and a piece of one tree is inside a mesh that [is solid](crate::bvh::TriMesh::is_solid), it is minus the
/// way along the normal of the nearest parts until the whole tree has passed the solid's, with the outcome
/// [`Converged`](crate::Outcome::Converged).
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
    let found = nearest_parts(a, pose_a, b, pose_b, options)?;
    // The answer of overlapping surfaces is final. Where they touch, a vertex may lie on a surface, where it is neither inside
    // nor outside.
    if found.is_some_and(|found| found.contact.lower <= 0.0) {
        return Ok(found);
    }
    let a_in_b = holds_piece(b, pose_b, a, pose_a);
    if !a_in_b && !holds_piece(a, pose_a, b, pose_b) {
        return Ok(found);
    }
    let found = match found {
        Some(found) => Some(found),
        None => {
            let unlimited = QueryOptions {
                max_distance: f64::INFINITY,
                ..*options
            };
            nearest_parts(a, pose_a, b, pose_b, &unlimited)?
        }
    };
    let inside = |found: PartsContact| -> Result<PartsContact, QueryError> {
        let contact = if a_in_b {
            inside((a, pose_a), (b, pose_b), &found.contact)
        } else {
            let swapped = found.contact.swapped();
            inside((b, pose_b), (a, pose_a), &swapped).swapped()
        };
        let contact = contact.within_number_range()?;
        Ok(PartsContact { contact, ..found })
    };
    let found = found.map(inside).transpose()?;
    Ok(found.filter(|found| found.contact.lower <= options.max_distance))
}

/// Calls `visit` for every two parts of two trees whose signed distance is at most `margin` (metres), in no particular order,
/// until it returns false. The space that the parts may enclose does not count.
///
/// # Errors
/// The errors are those of [`convex_contact`](crate::convex::convex_contact); `visit` may have been called before an error
/// is found.
pub(crate) fn trees_contacts(
    a: &impl PolytopeTree,
    pose_a: &Isometry3<f64>,
    b: &impl PolytopeTree,
    pose_b: &Isometry3<f64>,
    margin: f64,
    options: &QueryOptions,
    mut visit: impl FnMut(PartsContact) -> bool,
) -> Result<(), QueryError> {
    let options = options.with_max_distance(margin.max(0.0));
    validate(pose_a, pose_b, &options)?;
    // Both trees are descended at once; the boxes of A are taken to the frame of B.
    let near = |of_a: &BvhNode, of_b: &BvhNode| {
        let around = Aabb {
            min: point(of_a.mins()),
            max: point(of_a.maxs()),
        };
        least_distance(&box_in(&around, pose_a, pose_b), of_b) <= margin
    };
    for (part_a, part_b) in a.bvh().leaf_pairs(b.bvh(), near) {
        let (of_a, of_b) = (a.convex_part(part_a), b.convex_part(part_b));
        let contact = convex_contact(&of_a, pose_a, &of_b, pose_b, &options)?;
        let parts = [part_a, part_b];
        let is_near = contact.outcome != Outcome::Beyond && contact.distance <= margin;
        if is_near && !visit(PartsContact { parts, contact }) {
            break;
        }
    }
    Ok(())
}

/// Whether a solid holds a point of a piece of a tree.
fn holds_piece(
    solid: &impl PolytopeTree,
    solid_pose: &Isometry3<f64>,
    tree: &impl PolytopeTree,
    tree_pose: &Isometry3<f64>,
) -> bool {
    if !solid.is_solid() {
        return false;
    }
    let around_solid = box_in(&bounds(solid.bvh()), solid_pose, tree_pose);
    let in_solid = solid_pose.inv_mul(tree_pose);
    tree.any_piece(&around_solid, &mut |p| solid.encloses(&(in_solid * p)))
}

/// Returns the answer of a tree A of which a piece is inside a solid B, from that of their surfaces: A leaves along its
/// normal until all of it has passed the nearest point of B.
fn inside(
    (a, pose_a): (&impl PolytopeTree, &Isometry3<f64>),
    (b, pose_b): (&impl PolytopeTree, &Isometry3<f64>),
    nearest: &Contact,
) -> Contact {
    let out = nearest.normal.into_inner();
    let rearmost = lowest(a, &(pose_a.rotation.inverse() * out));
    let rearmost = pose_a * rearmost.unwrap_or(Point3::origin());
    let distance = -out.dot(&(nearest.point_b - rearmost));
    let last = corner_along(&bounds(b.bvh()), &(pose_b.rotation.inverse() * out));
    let last = pose_b * Point3::from(last);
    let rounding = 1e-14 * (last.coords.norm() + rearmost.coords.norm());
    let way_out = out.dot(&(last - rearmost)) + rounding;
    Contact {
        distance,
        point_a: rearmost,
        point_b: rearmost - out * distance,
        normal: Unit::new_unchecked(-out),
        lower: distance.min(-way_out),
        upper: distance.max(-nearest.lower),
        outcome: Outcome::Converged,
        iterations: nearest.iterations,
    }
}

/// Returns the two parts of two trees with the least signed distance. The space that the parts may enclose does not count.
fn nearest_parts(
    a: &impl PolytopeTree,
    pose_a: &Isometry3<f64>,
    b: &impl PolytopeTree,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartsContact>, QueryError> {
    validate(pose_a, pose_b, options)?;
    let around_b = box_in(&bounds(b.bvh()), pose_b, pose_a);
    let error = Cell::new(None);
    let below = Cell::new(None);
    let (lower, upper) = (Cell::new(f64::INFINITY), Cell::new(f64::INFINITY));
    let ask = |index: u32, best: f64| {
        let options = QueryOptions {
            max_distance: best.max(0.0),
            ..*options
        };
        match nearest_part(
            &Body::Convex(&a.convex_part(index)),
            pose_a,
            b,
            pose_b,
            &options,
        ) {
            Ok(found) => found.map(|PartContact { part, contact }| {
                if contact.distance < best {
                    below.set(Some(LowestPlane::new(b, pose_b, pose_a, &contact)));
                }
                lower.set(lower.get().min(contact.lower));
                upper.set(upper.get().min(contact.upper));
                let parts = [index, part];
                (contact.distance, PartsContact { parts, contact })
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
    Ok(best.map(|(_, (_, mut best))| {
        let contact = &mut best.contact;
        let alone = contact.upper - contact.lower;
        (contact.lower, contact.upper) = (
            lower.get().min(contact.lower),
            upper.get().max(contact.distance),
        );
        let size = a.convex_part(best.parts[0]).size();
        let closed = widest_bracket(options.tolerance, size, [&bounds(a.bvh()), &around_b]);
        let width = contact.upper - contact.lower;
        if contact.outcome == Outcome::Certified && width > closed.max(2.0 * alone) {
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

/// Returns the height of a point along a direction, rounded down.
fn height(n: &Vector3<f64>, p: &Point3<f64>) -> f64 {
    n.dot(&p.coords) - 1e-15 * p.coords.norm()
}

/// Returns the lowest vertex of a tree along a direction of its frame.
fn lowest(tree: &impl PolytopeTree, n: &Vector3<f64>) -> Option<Point3<f64>> {
    let ask = |index: u32, _: f64| {
        let part = tree.part(index);
        let heights = part.vertices().iter().map(|p| (height(n, p), *p));
        heights.min_by(|p, q| p.0.total_cmp(&q.0))
    };
    let bound = |node: &BvhNode, _: f64| {
        let (min, max) = (point(node.mins()), point(node.maxs()));
        let lowest = Vector3::from_fn(|i, _| if n[i] > 0.0 { min[i] } else { max[i] });
        height(n, &lowest.into())
    };
    let found = tree.bvh().find_best(f64::MAX, bound, ask);
    found.map(|(_, (_, point))| point)
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
        let lowest = lowest(b, &in_b).map_or(f64::NEG_INFINITY, |p| height(&in_b, &p));
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
