//! Half-spaces and planes against shapes of every kind and each other, in closed form.
//!
//! A shape of one piece extends along a unit normal n from its lowest to its highest point. Above the half-space
//! `n·x ≤ d` its signed distance is that of the lowest point, and a plane `n·x = d` can be left to either side, so that
//! its signed distance is the larger of the two (see [`plane`](crate::plane)). A mesh, a set of boxes or a height field clears a plane
//! where each part does, also with parts on both sides; where one does not, all of it has to leave to one side.
//!
//! Two of these that are parallel have a distance along their normal. Otherwise they meet, and no translation separates
//! them: the signed distance is −∞, and both points are the common point of the boundaries that is nearest to the origin (of
//! the inner boundary, where two half-spaces face the same way).

use super::shape::ShapeRef;
#[cfg(feature = "bvh")]
use crate::bvh::{
    PolytopeTree, heights_of_box, lowest_part, part_nearest_to_plane, rounding_of_heights,
};
use crate::plane::{HalfSpace, Plane, half_space_contact, plane_contact};
use crate::polytope::shapes::validate_vertices;
use crate::query::contact::{Contact, Outcome, PartsContact};
use crate::query::error::QueryError;
#[cfg(feature = "bvh")]
use crate::query::options::DepthMode;
use crate::query::options::QueryOptions;
use crate::query::units::largest;
use crate::query::validation::validate_pose;
use nalgebra::{Isometry3, Point3, Unit, Vector3};

/// A half-space or a plane, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flat {
    pub(super) kind: Kind,
    /// What rounding can change of its offset, which is that of its own frame and the translation of its pose along the
    /// normal: the translation along the plane cancels, but not its rounding.
    rounding: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    HalfSpace(HalfSpace),
    Plane(Plane),
}

impl Flat {
    /// Returns the shape in the world if it is a half-space or a plane.
    ///
    /// # Errors
    /// The error names a pose that is not finite or not a rotation.
    pub fn of(shape: ShapeRef<'_>, pose: &Isometry3<f64>) -> Result<Option<Self>, QueryError> {
        let (kind, offset) = match shape {
            ShapeRef::HalfSpace(it) => (Kind::HalfSpace(it.at(pose)?), it.offset()),
            ShapeRef::Plane(it) => (Kind::Plane(it.at(pose)?), it.offset()),
            _ => return Ok(None),
        };
        let rounding = if *pose == Isometry3::identity() {
            0.0
        } else {
            // No longer than twice its largest number; the square of that might overflow.
            let far = 32.0 * f64::EPSILON * largest(&pose.translation.vector);
            far + 16.0 * f64::EPSILON * offset.abs()
        };
        Ok(Some(Flat { kind, rounding }))
    }

    /// Returns what rounding can change of its offset, metres.
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    fn normal(&self) -> Unit<Vector3<f64>> {
        match self.kind {
            Kind::HalfSpace(half_space) => half_space.normal(),
            Kind::Plane(plane) => plane.normal(),
        }
    }

    fn offset(&self) -> f64 {
        match self.kind {
            Kind::HalfSpace(half_space) => half_space.offset(),
            Kind::Plane(plane) => plane.offset(),
        }
    }

    /// Widens the bracket of an answer by what rounding can change of the offset.
    fn widened(&self, mut found: PartsContact) -> Result<PartsContact, QueryError> {
        found.contact.lower -= self.rounding;
        found.contact.upper += self.rounding;
        found.contact = found.contact.within_number_range()?;
        Ok(found)
    }

    #[cfg(feature = "bvh")]
    pub(super) fn is_plane(&self) -> bool {
        matches!(self.kind, Kind::Plane(_))
    }

    /// Returns the normal and the offset in the frame of a body at a pose, and what rounding can change of the offset.
    #[cfg(feature = "bvh")]
    pub(super) fn in_frame(&self, pose: &Isometry3<f64>) -> (Vector3<f64>, f64, f64) {
        let normal = self.normal().into_inner();
        let offset = self.offset() - normal.dot(&pose.translation.vector);
        let far = 2e-14 * pose.translation.vector.amax();
        let rounding = self.rounding + far + 1e-14 * self.offset().abs();
        (pose.rotation.inverse() * normal, offset, rounding)
    }

    /// Returns the contact of a shape (A) of another kind with this one (B): that of its nearest or deepest point and of
    /// the part that has it; `None` where all parts are proven to be farther than the maximum distance, which does not matter for
    /// a shape of one piece. Of parts of which one overlaps, that is all that [`DepthMode::Any`](crate::DepthMode::Any) tells.
    ///
    /// # Errors
    /// The error names a pose that is not finite or not a rotation, a vertex of a polytope that is not finite, or a distance
    /// that exceeds the number range.
    #[cfg_attr(not(feature = "bvh"), expect(unused_variables))]
    pub fn contact_with(
        &self,
        shape: ShapeRef<'_>,
        pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Option<PartsContact>, QueryError> {
        #[cfg(feature = "bvh")]
        match shape {
            ShapeRef::Mesh(mesh) => return self.contact_with_tree(mesh, pose, options),
            ShapeRef::Boxes(set) => return self.contact_with_tree(set, pose, options),
            ShapeRef::HeightField(field) => return self.contact_with_tree(field, pose, options),
            _ => {}
        }
        let found = self.unrounded_contact(shape, pose)?;
        self.widened(PartsContact::whole(found)).map(Some)
    }

    /// Returns the contact of a shape of one piece with this one if its normal and offset were exact.
    fn unrounded_contact(
        &self,
        shape: ShapeRef<'_>,
        pose: &Isometry3<f64>,
    ) -> Result<Contact, QueryError> {
        match (shape, &self.kind) {
            (ShapeRef::Superovoid(shape), Kind::HalfSpace(half_space)) => {
                return half_space_contact(shape, pose, half_space);
            }
            (ShapeRef::Superovoid(shape), Kind::Plane(plane)) => {
                return plane_contact(shape, pose, plane);
            }
            (ShapeRef::Superquadric(shape), Kind::HalfSpace(half_space)) => {
                return shape.half_space_contact(pose, half_space);
            }
            (ShapeRef::Superquadric(shape), Kind::Plane(plane)) => {
                return shape.plane_contact(pose, plane);
            }
            (ShapeRef::Polytope(polytope), _) => validate_vertices(polytope.vertices())?,
            _ => {}
        }
        let straight = validate_pose('A', pose)?;
        let pose = straight.as_ref().unwrap_or(pose);
        let (normal, offset) = (self.normal(), self.offset());
        let up = pose.rotation.inverse() * normal.into_inner();
        let farthest = |direction: &Vector3<f64>| {
            shape
                .support_point(direction)
                .ok_or(QueryError::Unsupported {
                    a: shape.kind(),
                    b: "half-space",
                })
        };
        let above = |lowest: &Vector3<f64>| point_and_plane(lowest, pose, &normal, offset);
        let below = |highest: &Vector3<f64>| point_and_plane(highest, pose, &-normal, -offset);
        if matches!(self.kind, Kind::HalfSpace(_)) {
            return Ok(above(&farthest(&-up)?));
        }
        let origin = normal.dot(&pose.translation.vector) - offset;
        let height = |point: &Vector3<f64>| origin + up.dot(point);
        // One that is symmetric about its centre leaves to the centre's side.
        let center = match shape {
            ShapeRef::Convex(shape) if shape.is_symmetric() => Some(shape.inner_ball().center),
            _ => None,
        };
        if center.is_some_and(|center| height(&center.coords) < 0.0) {
            return Ok(below(&farthest(&up)?));
        }
        let lowest = farthest(&-up)?;
        let low = height(&lowest);
        if low > 0.0 || center.is_some() {
            return Ok(above(&lowest));
        }
        let highest = farthest(&up)?;
        Ok(if low >= -height(&highest) {
            above(&lowest)
        } else {
            below(&highest)
        })
    }

    /// Returns the contact of a mesh, set of boxes or height field with this one.
    ///
    /// Its lowest vertex answers beside a half-space. Beside a plane it is the part that is nearest to it, as long as this part is
    /// on one side; otherwise the lowest or the highest vertex, whichever has the shorter way out.
    #[cfg(feature = "bvh")]
    fn contact_with_tree(
        &self,
        tree: &impl PolytopeTree,
        pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Option<PartsContact>, QueryError> {
        let straight = validate_pose('A', pose)?;
        let pose = straight.as_ref().unwrap_or(pose);
        let (up, height, rounding) = self.in_frame(pose);
        let of_tree = 2.0 * rounding_of_heights(tree);
        let slack = of_tree + rounding;
        let [low, high] = heights_of_box(tree, &up);
        let (above, below) = (low - height, height - high);
        let is_plane = self.is_plane();
        let least = if is_plane { above.max(below) } else { above };
        let limit = options.max_distance + slack;
        if least > limit {
            return Ok(None);
        }
        let any = options.depth == DepthMode::Any;
        let overlap = if any { -2.0 * slack } else { f64::NEG_INFINITY };
        // Of two heights the tree has the vertex, and the other one is its bound.
        let answer = |(part, vertex): (u32, Point3<f64>), side: f64, bound: Option<f64>| {
            let normal = if side > 0.0 {
                self.normal()
            } else {
                -self.normal()
            };
            let mut found = point_and_plane(&vertex.coords, pose, &normal, side * self.offset());
            found.lower -= of_tree;
            if let Some(bound) = bound {
                found.lower = found.lower.min(bound - slack);
                found.outcome = Outcome::Converged;
            }
            self.widened(PartsContact {
                parts: [part, 0],
                contact: found,
            })
        };
        let lowest = |side: f64, limit: f64, enough: f64| {
            let from = side * height;
            let found = lowest_part(tree, &(up * side), from + limit, from + enough)?;
            Some((found.low.0 - from, (found.index, found.low.1)))
        };
        let within =
            |found: PartsContact| (found.contact.lower <= options.max_distance).then_some(found);
        // On one side, or all that counts.
        let beside = if is_plane && below > 0.0 { -1.0 } else { 1.0 };
        if !is_plane || least > 0.0 {
            let Some((distance, vertex)) = lowest(beside, limit, overlap) else {
                return Ok(None);
            };
            let bound = (distance <= overlap).then_some(least);
            return answer(vertex, beside, bound).map(within);
        }
        // What is nearer than rounding tells may straddle the plane.
        let enough = if any { overlap } else { slack };
        let Some(part) = part_nearest_to_plane(tree, &up, height, limit, enough) else {
            return Ok(None);
        };
        let (above_part, below_part) = (part.low.0 - height, height - part.high.0);
        let (clearance, side, vertex) = if above_part >= below_part {
            (above_part, 1.0, (part.index, part.low.1))
        } else {
            (below_part, -1.0, (part.index, part.high.1))
        };
        if clearance > slack {
            return answer(vertex, side, None).map(within);
        }
        if clearance <= overlap {
            return answer(vertex, side, Some(least)).map(Some);
        }
        // The way that is likely to be shorter first.
        let first = if above >= below { 1.0 } else { -1.0 };
        let Some((way, vertex)) = lowest(first, f64::INFINITY, f64::NEG_INFINITY) else {
            return Ok(None);
        };
        let (side, vertex) = match lowest(-first, f64::INFINITY, way - slack) {
            Some((other, vertex)) if other > way => (-first, vertex),
            _ => (first, vertex),
        };
        answer(vertex, side, None).map(within)
    }

    /// Returns the contact of this one (A) with another (B).
    pub(super) fn contact_with_flat(&self, other: &Flat) -> Result<PartsContact, QueryError> {
        let (n, m) = (self.normal(), other.normal());
        let (d, e) = (self.offset(), other.offset());
        let across = n.cross(&m);
        if across.norm() > PARALLEL {
            // The point of both boundaries that is nearest to the origin: in the plane of n and m.
            let (c, s) = (n.dot(&m), across.norm_squared());
            let common = n.into_inner() * ((d - c * e) / s) + m.into_inner() * ((e - c * d) / s);
            if common.iter().all(|x| x.is_finite()) {
                return Ok(PartsContact::whole(Self::inseparable(common.into(), n)));
            }
            return Err(QueryError::Overflow);
        }
        // Both along A's normal.
        let same_way = n.dot(&m) > 0.0;
        let place = if same_way { e } else { -e };
        let facing = !same_way;
        let (distance, normal) = match (&self.kind, &other.kind) {
            (Kind::HalfSpace(_), Kind::HalfSpace(_)) if same_way => {
                let common = Point3::from(n.into_inner() * d.min(place));
                return Ok(PartsContact::whole(Self::inseparable(common, n)));
            }
            (Kind::HalfSpace(_), _) => (place - d, n),
            (Kind::Plane(_), Kind::HalfSpace(_)) if facing => (place - d, n),
            (Kind::Plane(_), Kind::Plane(_)) if place >= d => (place - d, n),
            (Kind::Plane(_), _) => (d - place, -n),
        };
        let rounding = 16.0 * f64::EPSILON * (d.abs() + e.abs());
        let contact = Contact {
            distance,
            point_a: Point3::from(n.into_inner() * d),
            point_b: Point3::from(n.into_inner() * place),
            normal,
            lower: distance - rounding,
            upper: distance + rounding,
            outcome: Outcome::Certified,
            iterations: 0,
        };
        self.widened(other.widened(PartsContact::whole(contact))?)
    }

    /// Returns the contact of two that no translation separates.
    fn inseparable(common: Point3<f64>, normal: Unit<Vector3<f64>>) -> Contact {
        Contact {
            distance: f64::NEG_INFINITY,
            point_a: common,
            point_b: common,
            normal,
            lower: f64::NEG_INFINITY,
            upper: f64::NEG_INFINITY,
            outcome: Outcome::Certified,
            iterations: 0,
        }
    }
}

/// The sine of the angle up to which two normals are parallel: what the rounding of poses can turn them.
const PARALLEL: f64 = 1e-14;

/// Returns the contact of a point of a shape, in its own frame, with the side of a plane to which the normal points. It may
/// exceed the number range.
fn point_and_plane(
    point: &Vector3<f64>,
    pose: &Isometry3<f64>,
    normal: &Unit<Vector3<f64>>,
    offset: f64,
) -> Contact {
    let point_a = pose * Point3::from(*point);
    let distance = normal.dot(&point_a.coords) - offset;
    let terms = point_a.coords.abs().sum() + point.abs().sum() + offset.abs();
    let rounding = 16.0 * f64::EPSILON * terms;
    Contact {
        distance,
        point_a,
        point_b: point_a - normal.into_inner() * distance,
        normal: -*normal,
        lower: distance - rounding,
        upper: distance + rounding,
        outcome: Outcome::Certified,
        iterations: 0,
    }
}
