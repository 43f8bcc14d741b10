//! Bodies that are inside a solid mesh, or on their way through its surface.
//!
//! A body that does not meet the surface is inside where one of its points is. Its depth is that of the nearest triangle:
//! the way along the normal n of that answer, outwards, until the rearmost point of the body passes the triangle's plane,
//! `n·x_B + h_A(−n)`. So is that of a body that meets the surface where the way out of the deepest triangle would lead into
//! the solid, now along the triangle's own normal: the two agree where the body begins to pass the surface.
//!
//! Both depths are local: other parts of the solid may be in the way, or be passed sooner. Of the bracket, above: A's inner
//! ball of radius r and the distance d of the surface leave a point r + d inside, and any triangle's depth is one of the
//! solid. Below: beyond the box of the whole mesh the body is free.

use crate::bvh::body::Body;
use crate::bvh::boxes::{bounds, corner_along, distance_to_node};
use crate::bvh::nearest::{PartContact, nearest_part, widest_bracket};
use crate::bvh::pair::nearest_to_body;
use crate::bvh::placed::Placed;
use crate::bvh::tree::PolytopeTree;
use crate::polytope::shapes::Polytope;
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::options::{DepthMode, QueryOptions};
use crate::query::validation::validate;
use nalgebra::{Isometry3, Point3, Unit, Vector3};
use parry3d_f64::partitioning::TraversalAction;

/// Returns the part of a tree with the least signed distance, as [`nearest_part`] does. If the tree is a solid, a body inside
/// overlaps it.
pub(crate) fn nearest_of_solid<T: PolytopeTree>(
    shape: &Body,
    pose: &Isometry3<f64>,
    tree: &T,
    tree_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartContact>, QueryError> {
    let straight = validate(pose, tree_pose, options)?;
    let [pose, tree_pose] = straight.or([pose, tree_pose]);
    let any = options.depth == DepthMode::Any;
    // The boxes of a pair know the hull of the body only, and much may be in a hollow.
    let by_boxes = any && !matches!(shape, Body::Superquadric(_));
    let nearest = |options: &QueryOptions| {
        if by_boxes {
            nearest_to_body(shape, pose, tree, tree_pose, options)
        } else {
            nearest_part(shape, pose, tree, tree_pose, options)
        }
    };
    if !tree.is_solid() {
        return nearest(options);
    }
    let solid = Solid {
        shape,
        pose,
        tree,
        tree_pose,
        tolerance: options.tolerance,
        placed: Placed::new(shape, &shape.local_aabb(), pose, tree_pose),
    };
    if any && let Some(found) = solid.about_center() {
        return Ok(Some(found).filter(|found| found.contact.lower <= options.max_distance));
    }
    // A body that overlaps the surface by little may be deep in the solid.
    let shallow = QueryOptions {
        max_distance: options.max_distance.max(0.0),
        ..*options
    };
    let found = nearest(&shallow)?;
    let found = match found {
        Some(best) if best.contact.upper <= 0.0 && any => Some(best),
        Some(best) if best.contact.upper <= 0.0 => Some(solid.passing(best)),
        // The centre of a flat body that touches the surface may lie on it, where it is neither inside nor outside.
        Some(best) if best.contact.lower + shape.inner_ball().radius <= 0.0 => Some(best),
        _ if solid.held_center().is_none() => found,
        Some(nearest) => Some(solid.inside(nearest)),
        None => {
            let unlimited = QueryOptions {
                max_distance: f64::INFINITY,
                ..*options
            };
            nearest(&unlimited)?.map(|nearest| solid.inside(nearest))
        }
    };
    let counts = |best: &PartContact| best.contact.lower <= options.max_distance;
    found
        .filter(counts)
        .map(|best| {
            let contact = best.contact.within_number_range()?;
            Ok(PartContact { contact, ..best })
        })
        .transpose()
}

/// Whether the box of a part is within a distance of a point.
fn may_touch(tree: &impl PolytopeTree, point: &Point3<f64>, within: f64) -> bool {
    let mut touches = false;
    tree.bvh().traverse(|node| {
        if distance_to_node(point, node) > within {
            return TraversalAction::Prune;
        }
        touches = node.leaf_data().is_some();
        if touches {
            TraversalAction::EarlyExit
        } else {
            TraversalAction::Continue
        }
    });
    touches
}

/// A body and a solid.
struct Solid<'a, T> {
    shape: &'a Body<'a>,
    pose: &'a Isometry3<f64>,
    tree: &'a T,
    tree_pose: &'a Isometry3<f64>,
    /// As in the options.
    tolerance: f64,
    placed: Placed<'a>,
}

impl<T: PolytopeTree> Solid<'_, T> {
    /// Returns the middle of the body that is inside, in the tree's frame, and a part that is passed from there on a way out; of two
    /// sheets it may be either's.
    fn held_center(&self) -> Option<(Point3<f64>, u32)> {
        let in_tree = |center| {
            self.tree_pose
                .inverse_transform_point(&(self.pose * center))
        };
        let mut centers = self.shape.centers().into_iter().map(in_tree);
        centers.find_map(|center| Some((center, self.tree.part_around(&center)?)))
    }

    /// Returns an answer of a body whose middle is inside, by a triangle around it: the body overlaps the solid, whether
    /// it meets the surface or not. `None` where the middle, or of a flat body the middle and a part within rounding of it, may lie on
    /// the surface.
    fn about_center(&self) -> Option<PartContact> {
        let ball = self.shape.inner_ball();
        let around = bounds(self.tree.bvh());
        let rounding = widest_bracket(self.tolerance, self.shape.size(), [&around, &around]);
        let (center, part) = self.held_center()?;
        if ball.radius <= rounding && may_touch(self.tree, &center, rounding) {
            return None;
        }
        let vertex = *self.tree.part(part).vertices().first()?;
        let out = (vertex - center).try_normalize(0.0)?;
        let found = self.along(part, out, vertex.coords, -ball.radius, 0);
        found.contact.within_number_range().ok()?;
        Some(found)
    }

    /// Returns the answer of a body inside, from its nearest triangle.
    fn inside(&self, nearest: PartContact) -> PartContact {
        let Contact { point_b, lower, .. } = nearest.contact;
        let out = nearest.contact.normal.into_inner();
        let passed = self.tree_pose.inverse_transform_point(&point_b);
        let out = self.tree_pose.rotation.inverse() * out;
        let proven = lower + self.shape.inner_ball().radius;
        let iterations = nearest.contact.iterations;
        self.along(nearest.part, out, passed.coords, -proven, iterations)
    }

    /// Returns the answer of a body that meets the surface, from the deepest triangle.
    fn passing(&self, deepest: PartContact) -> PartContact {
        const BESIDE: f64 = 1e-3;
        const LEAST: f64 = 1e-7;
        const TILT: f64 = 0.01;
        let part = self.tree.part(deepest.part);
        let [a, b, c] = part.vertices() else {
            return deepest;
        };
        let Some(out) = (b - a).cross(&(c - a)).try_normalize(0.0) else {
            return deepest;
        };
        // The point is the foot on the triangle, moved a little in the direction of separation, and a little into the solid so
        // that a direction along the surface counts as one into it.
        let contact = &deepest.contact;
        let foot = self.tree_pose.inverse_transform_point(&contact.point_b);
        let way = self.tree_pose.rotation.inverse() * -contact.normal.into_inner();
        let step = (BESIDE * contact.distance.abs()).max(LEAST * self.shape.size());
        if !self.tree.encloses(&(foot + (way - out * TILT) * step)) {
            return deepest;
        }
        let highest = [a, b, c].into_iter().map(|v| v.coords);
        let highest = highest.max_by(|p, q| out.dot(p).total_cmp(&out.dot(q)));
        let upper = contact.upper;
        let iterations = contact.iterations;
        let passed = highest.unwrap_or(a.coords);
        self.along(deepest.part, out, passed, upper, iterations)
    }

    /// Returns the answer of a body that leaves along a unit vector of the tree's frame until it has passed a point.
    fn along(
        &self,
        part: u32,
        out: Vector3<f64>,
        passed: Vector3<f64>,
        upper: f64,
        iterations: u32,
    ) -> PartContact {
        let rearmost = self.placed.origin + self.placed.plane(-out).point;
        let distance = -out.dot(&(passed - rearmost));
        let normal = self.tree_pose.rotation * -out;
        let point_a = self.tree_pose * nalgebra::Point3::from(rearmost);
        let (lower, upper) = (distance.min(-self.way_out(out)), distance.max(upper));
        // Where the nearest face is one of the mesh's own box, the two bounds meet.
        let around = bounds(self.tree.bvh());
        let closed = widest_bracket(self.tolerance, self.shape.size(), [&around, &around]);
        let outcome = if upper - lower <= closed {
            Outcome::Certified
        } else {
            Outcome::Converged
        };
        let contact = Contact {
            distance,
            point_a,
            point_b: point_a + normal * distance,
            normal: Unit::new_unchecked(normal),
            lower,
            upper,
            outcome,
            iterations,
        };
        PartContact { part, contact }
    }

    /// Returns the length of the shortest way out of the box of the mesh, along its axes or a direction.
    fn way_out(&self, along: Vector3<f64>) -> f64 {
        let around = bounds(self.tree.bvh());
        let axes = (0..3).flat_map(|i| [1.0, -1.0].map(|sign| Vector3::ith(i, sign)));
        let ways = axes.chain([along]).map(|out| {
            let highest = corner_along(&around, &out) - self.placed.origin;
            out.dot(&highest) + self.placed.plane(-out).height
        });
        ways.fold(f64::INFINITY, f64::min)
    }
}
