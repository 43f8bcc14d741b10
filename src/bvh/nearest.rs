//! The part of a tree that is nearest to a body, and all parts within a margin.

use crate::Superovoid;
use crate::bvh::body::Body;
use crate::bvh::boxes::{bounds, box_in, distance_to_node, least_distance};
use crate::bvh::covered::{Covered, SLABS, Slabs, cut};
use crate::bvh::descent::upper_bound;
use crate::bvh::tree::PolytopeTree;
use crate::polytope::face_contact;
use crate::polytope::shapes::Polytope;
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::options::{DepthMode, QueryOptions};
use crate::query::units::{RELATIVE_TOLERANCE, wanted_tolerance};
use crate::query::validation::validate;
use crate::surface::bounds::Aabb;
use crate::surface::slab::Slab;
use nalgebra::{Isometry3, Point3};
use parry3d_f64::partitioning::{BvhNode, TraversalAction};
use std::cell::Cell;

/// The answer for one part of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PartContact {
    /// The index of the part, the triangle or box, from 0.
    pub part: u32,
    /// The answer in the world frame; B is the part.
    pub contact: Contact,
}

/// Returns the part of a tree with the least signed distance, of poses that are valid and of unit length. The space that the parts
/// may enclose does not count as a body.
pub(super) fn nearest_part<T: PolytopeTree>(
    shape: &Body,
    pose: &Isometry3<f64>,
    tree: &T,
    tree_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartContact>, QueryError> {
    let around = shape.local_aabb();
    if let Some(hollow) = shape.hollow() {
        let slabs = cut(hollow);
        let around_slab = |slab: &Slab| {
            let mut around = around;
            (around.min.z, around.max.z) = slab.heights.map(|height| hollow.a[2] * height).into();
            around
        };
        let slabs = Slabs::new(&slabs, around_slab, true, pose, tree_pose);
        return nearest_with(shape, &around, Some(&slabs), pose, tree, tree_pose, options);
    }
    if let Body::Superquadric(body) = shape
        && let Some(pieces) = body.pieces::<SLABS>()
    {
        let slabs = Slabs::new(&pieces, |piece| piece.aabb(), false, pose, tree_pose);
        return nearest_with(shape, &around, Some(&slabs), pose, tree, tree_pose, options);
    }
    nearest_with(shape, &around, None, pose, tree, tree_pose, options)
}

/// Returns the nearest part of a tree; `around` is the box of the body in its own frame. With slabs the search begins with an
/// upper bound of the distance.
fn nearest_with<'a, T: PolytopeTree>(
    shape: &'a Body,
    around: &Aabb,
    slabs: Option<&'a Slabs<'a>>,
    pose: &Isometry3<f64>,
    tree: &T,
    tree_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartContact>, QueryError> {
    let placed = Covered::new(shape, around, slabs, pose, tree_pose);
    let around_shape = box_in(around, pose, tree_pose);
    let around_tree = bounds(tree.bvh());
    let mut search = Search {
        shape,
        poses: [pose, tree_pose],
        placed,
        tree,
        options,
        wanted: widest_bracket(
            options.tolerance,
            shape.size(),
            [&around_shape, &around_tree],
        ),
        bracket: [Cell::new(f64::INFINITY), Cell::new(f64::INFINITY)],
        error: Cell::new(None),
        deferred: Cell::new(Deferred::NONE),
        known: Cell::new(f64::INFINITY),
    };
    if search.placed.has_slabs() && around_shape.distance(&around_tree) <= options.max_distance {
        search.descend(search.placed.center());
    }
    // A ball is as far from what is in a box as its middle is, less its radius.
    let middle = tree_pose.inverse() * Point3::from(pose.translation.vector);
    let ball = shape.ball().map(|radius| {
        let far = pose.translation.vector.amax() + tree_pose.translation.vector.amax();
        radius + 16.0 * f64::EPSILON * (far + middle.coords.amax() + radius)
    });
    let bound = |node: &BvhNode, best: f64| {
        if search.is_decided() {
            return f64::MAX;
        }
        let best = best.min(search.known.get());
        let enough = best - search.tie();
        let by_axes = least_distance(&around_shape, node);
        // Where the middle is in the box, a part may be deeper than the radius.
        let by_middle = |radius: f64| {
            let apart = distance_to_node(&middle, node);
            (apart > 0.0).then_some(apart - radius)
        };
        let bound = if by_axes >= enough {
            by_axes
        } else if let Some(by_middle) = ball.and_then(by_middle) {
            by_axes.max(by_middle)
        } else {
            by_axes.max(search.placed.least_to_node(node, enough))
        };
        // The traversal leaves out a node with this bound, also where it has no best part yet.
        if search.is_beaten(bound, best) {
            f64::MAX
        } else {
            bound
        }
    };
    let limit = options.max_distance.min(f64::MAX).next_up();
    let visit = |index, best| {
        let found = search.visit(index, best);
        found.map(|part| (part.contact.distance, part))
    };
    let found = tree.bvh().find_best(limit, bound, visit);
    let best = search.ask_deferred(found.map(|(_, (_, best))| best), limit);
    if let Some(error) = search.error.take() {
        return Err(error);
    }
    if best.is_none() && search.known.get() < limit {
        // No part is as near as the upper bound says: a distance exceeds the number range, or a bracket stays open. The search
        // is repeated without that bound.
        return nearest_with(shape, around, None, pose, tree, tree_pose, options);
    }
    let in_range = |best: PartContact| -> Result<_, QueryError> {
        let contact = search.with_bracket(best).contact.within_number_range()?;
        Ok(PartContact { contact, ..best })
    };
    best.map(in_range).transpose()
}

/// Returns the widest bracket that counts as closed, from the size of a body and the boxes of both in one frame. A point has
/// no size: no tolerance is smaller than what rounding leaves of coordinates.
pub(super) fn widest_bracket(tolerance: f64, size: f64, around: [&Aabb; 2]) -> f64 {
    let corners = around.iter().flat_map(|it| [it.min, it.max]);
    let rounding = corners
        .map(|corner| 64.0 * f64::EPSILON * corner.coords.amax())
        .sum();
    wanted_tolerance(tolerance, size, RELATIVE_TOLERANCE).max(rounding)
}

/// A search for the nearest part that is under way.
struct Search<'a, T> {
    shape: &'a Body<'a>,
    /// The poses of the body and of the tree.
    poses: [&'a Isometry3<f64>; 2],
    placed: Covered<'a>,
    tree: &'a T,
    options: &'a QueryOptions,
    /// The tolerance, metres.
    wanted: f64,
    /// The bounds of the least signed distance of all parts that were met.
    bracket: [Cell<f64>; 2],
    error: Cell<Option<QueryError>>,
    deferred: Cell<Deferred>,
    /// An upper bound of the least distance, increased by half the tolerance.
    known: Cell<f64>,
}

/// The parts whose exact query is deferred until the best of the others is known, with a lower bound of each. A search for the
/// depth past an edge costs as much as the planes of a hundred triangles, and most of these searches end early once the depth
/// of another part is known.
#[derive(Clone, Copy)]
struct Deferred {
    parts: [(u32, f64); Deferred::MOST],
    count: usize,
}

impl Deferred {
    const MOST: usize = 24;
    const NONE: Self = Deferred {
        parts: [(0, 0.0); Self::MOST],
        count: 0,
    };
}

impl<T: PolytopeTree> Search<'_, T> {
    /// Returns a lower bound of the signed distance of a part, for a least one that is known.
    fn bound(&self, part: &T::Part, best: f64) -> f64 {
        let enough = best - self.tie();
        self.placed.least_to_points(part.vertices(), enough)
    }

    /// Returns by how much a part must be nearer than the best one to be asked. Triangles of one plane have the same distance
    /// but for rounding, and the bracket of the answer includes this difference.
    fn tie(&self) -> f64 {
        if self.placed.has_best() {
            0.25 * self.wanted
        } else {
            0.0
        }
    }

    /// Whether parts with this lower bound need not be asked.
    fn is_beaten(&self, bound: f64, best: f64) -> bool {
        let beaten = bound >= best - self.tie();
        if beaten && bound < best {
            let lower = &self.bracket[0];
            lower.set(lower.get().min(bound));
        }
        beaten
    }

    /// Answers a part by its plane, defers it, or asks for it.
    fn visit(&self, index: u32, best: f64) -> Option<PartContact> {
        if self.is_decided() {
            return None;
        }
        let best = best.min(self.known.get());
        let part = self.tree.part(index);
        let bound = self.bound(&part, best);
        if self.is_beaten(bound, best) {
            return None;
        }
        if let Body::Superovoid(shape) = self.shape
            && bound < 0.0
            && part.vertices().len() == 3
        {
            let options = self.options_of_part(best);
            let [pose, tree_pose] = self.poses;
            match face_contact(shape, pose, &part, tree_pose, &options) {
                Ok(Some(contact)) => return self.take(index, contact, best),
                Ok(None) if self.defer(index, bound) => return None,
                Ok(None) => {}
                Err(error) => self.error.set(Some(error)),
            }
        }
        self.ask(index, best)
    }

    /// Whether a part is proven to overlap the body, and that is all that was asked.
    fn is_decided(&self) -> bool {
        self.options.depth == DepthMode::Any && self.bracket[1].get() <= 0.0
    }

    /// Defers a part; returns false where as many as possible are deferred.
    fn defer(&self, index: u32, bound: f64) -> bool {
        let mut deferred = self.deferred.get();
        let room = deferred.count < Deferred::MOST;
        if room {
            deferred.parts[deferred.count] = (index, bound);
            deferred.count += 1;
            self.deferred.set(deferred);
        }
        room
    }

    fn ask_deferred(&mut self, best: Option<PartContact>, limit: f64) -> Option<PartContact> {
        let deferred = self.deferred.get_mut();
        let count = deferred.count;
        deferred.parts[..count].sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
        let deferred = *deferred;
        let mut best = best;
        for &(index, bound) in &deferred.parts[..count] {
            let least = best.map_or(limit, |best| best.contact.distance);
            let known = least.min(self.known.get());
            let bound = bound.max(self.bound(&self.tree.part(index), known));
            if self.is_beaten(bound, known) {
                continue;
            }
            if let Some(found) = self.ask(index, known)
                && found.contact.distance < least
            {
                best = Some(found);
            }
        }
        best
    }

    /// Returns the options for a part. Two parts that tie may have brackets that only meet, so each gets half the
    /// tolerance.
    fn options_of_part(&self, best: f64) -> QueryOptions {
        QueryOptions {
            tolerance: 0.5 * self.wanted,
            max_distance: best,
            ..*self.options
        }
    }

    fn ask(&self, index: u32, best: f64) -> Option<PartContact> {
        let options = self.options_of_part(best);
        let [pose, tree_pose] = self.poses;
        let found = self
            .shape
            .contact_with(pose, self.tree, index, tree_pose, &options);
        match found {
            Ok(contact) => self.take(index, contact, best),
            Err(error) => {
                self.error.set(Some(error));
                None
            }
        }
    }

    /// Takes an answer into the bracket of all.
    fn take(&self, index: u32, contact: Contact, best: f64) -> Option<PartContact> {
        if contact.outcome == Outcome::Beyond {
            return None;
        }
        if contact.distance < best {
            let normal = self.poses[1].rotation.inverse() * contact.normal.into_inner();
            self.placed.keep_best(normal);
            self.descend(self.poses[1].inverse_transform_point(&contact.point_b));
        }
        let [lower, upper] = &self.bracket;
        lower.set(lower.get().min(contact.lower));
        upper.set(upper.get().min(contact.upper));
        Some(PartContact {
            part: index,
            contact,
        })
    }

    /// Looks for a smaller distance from a point near the body, in the tree's frame.
    fn descend(&self, from: Point3<f64>) {
        if let Some(shape) = self.shape.hollow().filter(|_| self.placed.has_slabs()) {
            let [pose, tree_pose] = self.poses;
            let found = upper_bound(shape, pose, self.tree, tree_pose, from);
            // With half the tolerance added, a part at that very distance is still asked.
            if let Some((distance, witness)) = found {
                let known = distance + 0.5 * self.wanted;
                if known < self.known.get() {
                    self.known.set(known);
                    self.placed.keep_witness(witness);
                }
            }
        }
    }

    /// Whether the bracket is closed beside a part that is larger than the body, as a point has no size.
    fn is_closed_for_part(&self, best: &PartContact) -> bool {
        let part = self.tree.convex_part(best.part);
        let wanted = wanted_tolerance(self.options.tolerance, part.size(), RELATIVE_TOLERANCE);
        let contact = &best.contact;
        matches!(self.shape, Body::Convex(_)) && contact.upper - contact.lower <= wanted
    }

    /// Returns the best answer with the bracket of all.
    fn with_bracket(&self, mut best: PartContact) -> PartContact {
        let contact = &mut best.contact;
        let alone = contact.upper - contact.lower;
        let [lower, upper] = &self.bracket;
        (contact.lower, contact.upper) = (lower.get(), upper.get().max(contact.distance));
        let closed = contact.upper - contact.lower <= self.wanted.max(2.0 * alone);
        if contact.outcome == Outcome::Certified && !closed && !self.is_closed_for_part(&best) {
            best.contact.outcome = Outcome::Converged;
        }
        best
    }
}

/// Calls `visit` for every part of `tree` whose signed distance to the superovoid is at most `margin`
/// (metres), in no particular order, until it returns false. The parts of a mesh are its triangles, also where it is a
/// solid: from inside, those that are farther away are not visited.
///
/// # Errors
/// The errors are those of [`polytope_contact`](crate::polytope::polytope_contact), and a margin that is NaN; `visit` may
/// have been called before an error is found.
pub fn tree_contacts(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    tree: &impl PolytopeTree,
    tree_pose: &Isometry3<f64>,
    margin: f64,
    options: &QueryOptions,
    visit: impl FnMut(PartContact) -> bool,
) -> Result<(), QueryError> {
    let shape = Body::Superovoid(shape);
    body_contacts(&shape, pose, tree, tree_pose, margin, options, visit)
}

/// Calls `visit` for every part of `tree` whose signed distance to a body is at most `margin`, as [`tree_contacts`] does.
pub(crate) fn body_contacts(
    shape: &Body,
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
    let straight = validate(pose, tree_pose, &options)?;
    let [pose, tree_pose] = straight.or([pose, tree_pose]);
    let around_shape = box_in(&shape.local_aabb(), pose, tree_pose);
    let mut error = None;
    tree.bvh().traverse(|node| {
        if least_distance(&around_shape, node) > margin {
            return TraversalAction::Prune;
        }
        let Some(part) = node.leaf_data() else {
            return TraversalAction::Continue;
        };
        match shape.contact_with(pose, tree, part, tree_pose, &options) {
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
