//! The part of a tree that is nearest to a body, and all parts within a margin.

use crate::Superovoid;
use crate::bvh::boxes::{least_distance, point};
use crate::bvh::tree::PolytopeTree;
use crate::convex::{ConvexShape, convex_contact};
use crate::polytope::shapes::Polytope;
use crate::polytope::{face_contact, polytope_contact};
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
    /// Whether [`Probe::by_face`] answers some triangles.
    const HAS_FACES: bool;
    /// Returns the answer for a triangle whose plane proves it.
    fn by_face(
        &self,
        pose: &Isometry3<f64>,
        part: &impl Polytope,
        tree_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Option<Contact>, QueryError>;
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

    const HAS_FACES: bool = true;

    fn by_face(
        &self,
        pose: &Isometry3<f64>,
        part: &impl Polytope,
        tree_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Option<Contact>, QueryError> {
        face_contact(self, pose, part, tree_pose, options)
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
        let options = QueryOptions {
            max_distance: options.max_distance.max(0.0),
            ..*options
        };
        convex_contact(self, pose, &tree.convex_part(part), tree_pose, &options)
    }

    const HAS_FACES: bool = false;

    fn by_face(
        &self,
        _: &Isometry3<f64>,
        _: &impl Polytope,
        _: &Isometry3<f64>,
        _: &QueryOptions,
    ) -> Result<Option<Contact>, QueryError> {
        Ok(None)
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

pub(super) fn nearest_part<A: Probe, T: PolytopeTree>(
    shape: &A,
    pose: &Isometry3<f64>,
    tree: &T,
    tree_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartContact>, QueryError> {
    validate(pose, tree_pose, options)?;
    let around_shape = bounds_in(shape, pose, tree_pose);
    let mut search = Search {
        shape,
        poses: [pose, tree_pose],
        tree,
        options,
        wanted: wanted_tolerance(options.tolerance, shape.size(), RELATIVE_TOLERANCE),
        facing: FacingPlanes::new(shape, pose, tree_pose),
        plane: Cell::new(None),
        bracket: [Cell::new(f64::INFINITY), Cell::new(f64::INFINITY)],
        error: Cell::new(None),
        later: Cell::new(Later::NONE),
    };
    let bound = |node: &BvhNode, _: f64| {
        let boxes = least_distance(&around_shape, node);
        let corners = || [point(node.mins()), point(node.maxs())];
        search
            .plane
            .get()
            .map_or(boxes, |plane| boxes.max(plane.least_in_box(corners())))
    };
    let limit = options.max_distance.min(f64::MAX).next_up();
    let visit = |index, best| search.visit(index, best);
    let found = tree.bvh().find_best(limit, bound, visit);
    let best = search.ask_what_is_left(found.map(|(_, best)| best), limit);
    if let Some(error) = search.error.take() {
        return Err(error);
    }
    Ok(best.map(|best| search.with_bracket(best)))
}

/// A search for the nearest part that is under way.
struct Search<'a, A, T> {
    shape: &'a A,
    /// The poses of the body and of the tree.
    poses: [&'a Isometry3<f64>; 2],
    tree: &'a T,
    options: &'a QueryOptions,
    /// The tolerance, metres.
    wanted: f64,
    facing: FacingPlanes<'a, A>,
    /// The supporting plane of the best part.
    plane: Cell<Option<SupportingPlane>>,
    /// The bounds of the least signed distance of all parts that were met.
    bracket: [Cell<f64>; 2],
    error: Cell<Option<QueryError>>,
    later: Cell<Later>,
}

/// Parts, with a lower bound of each, that are asked when the best of the others is known: a search for the depth on an
/// edge costs a hundred planes, and most of these searches end as soon as they are deeper than needed.
#[derive(Clone, Copy)]
struct Later {
    parts: [(u32, f64); Later::MOST],
    count: usize,
}

impl Later {
    const MOST: usize = 24;
    const NONE: Self = Later {
        parts: [(0, 0.0); Self::MOST],
        count: 0,
    };
}

impl<A: Probe, T: PolytopeTree> Search<'_, A, T> {
    /// Returns a lower bound of the signed distance of a part, by planes.
    fn bound(&self, part: &T::Part) -> f64 {
        let by_best: Option<SupportingPlane> = self.plane.get();
        let by_best = by_best.map_or(f64::NEG_INFINITY, |plane| plane.least(part.vertices()));
        let own = self.facing.least(part.vertices());
        own.map_or(by_best, |bound| bound.max(by_best))
    }

    /// Whether a part with this bound changes nothing. Triangles of one plane tie to rounding: what a further one could
    /// change is within the bracket.
    fn is_beaten(&self, bound: f64, best: f64) -> bool {
        let tie = if self.plane.get().is_some() {
            0.25 * self.wanted
        } else {
            0.0
        };
        let beaten = bound >= best - tie;
        if beaten && bound < best {
            let lower = &self.bracket[0];
            lower.set(lower.get().min(bound));
        }
        beaten
    }

    /// Answers a part by its plane, puts it off, or asks for it.
    fn visit(&self, index: u32, best: f64) -> Option<PartContact> {
        let part = self.tree.part(index);
        let bound = self.bound(&part);
        if self.is_beaten(bound, best) {
            return None;
        }
        if bound < 0.0 && A::HAS_FACES && part.vertices().len() == 3 {
            let options = self.options_of_part(best);
            let [pose, tree_pose] = self.poses;
            match self.shape.by_face(pose, &part, tree_pose, &options) {
                Ok(Some(contact)) => return self.take(index, contact, best),
                Ok(None) if self.put_off(index, bound) => return None,
                Ok(None) => {}
                Err(error) => self.error.set(Some(error)),
            }
        }
        self.ask(index, best)
    }

    /// Whether there was room.
    fn put_off(&self, index: u32, bound: f64) -> bool {
        let mut later = self.later.get();
        let room = later.count < Later::MOST;
        if room {
            later.parts[later.count] = (index, bound);
            later.count += 1;
            self.later.set(later);
        }
        room
    }

    fn ask_what_is_left(&mut self, best: Option<PartContact>, limit: f64) -> Option<PartContact> {
        let later = self.later.get_mut();
        let count = later.count;
        later.parts[..count].sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
        let later = *later;
        let mut best = best;
        for &(index, bound) in &later.parts[..count] {
            let least = best.map_or(limit, |best| best.contact.distance);
            let bound = bound.max(self.bound(&self.tree.part(index)));
            if self.is_beaten(bound, least) {
                continue;
            }
            if let Some(found) = self.ask(index, least)
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
            let [pose, tree_pose] = self.poses;
            let plane = SupportingPlane::new(self.shape, pose, tree_pose, &contact);
            self.plane.set(Some(plane));
        }
        let [lower, upper] = &self.bracket;
        lower.set(lower.get().min(contact.lower));
        upper.set(upper.get().min(contact.upper));
        Some(PartContact {
            part: index,
            contact,
        })
    }

    /// Returns the best answer with the bracket of all.
    fn with_bracket(&self, mut best: PartContact) -> PartContact {
        let contact = &mut best.contact;
        let alone = contact.upper - contact.lower;
        let [lower, upper] = &self.bracket;
        (contact.lower, contact.upper) = (lower.get(), upper.get().max(contact.distance));
        let closed = contact.upper - contact.lower <= self.wanted.max(2.0 * alone);
        if contact.outcome == Outcome::Certified && !closed {
            contact.outcome = Outcome::Converged;
        }
        best
    }
}

/// The planes that touch the body and face triangles of the tree.
struct FacingPlanes<'a, A> {
    shape: &'a A,
    /// The pose of the body in the tree's frame.
    in_tree: Isometry3<f64>,
    far: f64,
}

impl<'a, A: Probe> FacingPlanes<'a, A> {
    fn new(shape: &'a A, pose: &Isometry3<f64>, tree_pose: &Isometry3<f64>) -> Self {
        FacingPlanes {
            shape,
            in_tree: tree_pose.inv_mul(pose),
            far: pose.translation.vector.norm() + tree_pose.translation.vector.norm(),
        }
    }

    /// Returns the bound that the plane of a triangle gives for it; `None` for other parts and without a normal.
    fn least(&self, points: &[Point3<f64>]) -> Option<f64> {
        let [a, b, c] = points else {
            return None;
        };
        let m = (b - a).cross(&(c - a)).try_normalize(0.0)?;
        let up = m.dot(&(a.coords - self.in_tree.translation.vector));
        let normal = if up < 0.0 { -m } else { m };
        Some(SupportingPlane::of(self.shape, &self.in_tree, self.far, normal).least(points))
    }
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
        let far = pose.translation.vector.norm() + tree_pose.translation.vector.norm();
        Self::of(shape, &in_tree, far, normal)
    }

    /// Makes the plane with a unit normal, for a body at a pose in the tree's frame; `far` is the distance of both from
    /// the world's origin.
    fn of(shape: &impl Probe, in_tree: &Isometry3<f64>, far: f64, normal: Vector3<f64>) -> Self {
        let support = shape.reach(&(in_tree.rotation.inverse() * normal));
        let center = in_tree.translation.vector;
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
