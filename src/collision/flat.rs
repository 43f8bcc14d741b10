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
use crate::bvh::{PolytopeTree, part_clear_of_plane};
use crate::plane::{HalfSpace, Plane, half_space_contact, plane_contact};
use crate::polytope::shapes::validate_vertices;
use crate::query::contact::{Contact, Outcome, PartsContact};
use crate::query::error::QueryError;
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
    /// the part that has it.
    ///
    /// # Errors
    /// The error names a pose that is not finite or not a rotation, a vertex of a polytope that is not finite, or a distance
    /// that exceeds the number range.
    pub fn contact_with(
        &self,
        shape: ShapeRef<'_>,
        pose: &Isometry3<f64>,
    ) -> Result<PartsContact, QueryError> {
        self.widened(self.unrounded_contact(shape, pose)?)
    }

    /// Returns the contact with this one if its normal and offset were exact.
    fn unrounded_contact(
        &self,
        shape: ShapeRef<'_>,
        pose: &Isometry3<f64>,
    ) -> Result<PartsContact, QueryError> {
        let whole = |contact: Result<Contact, _>| contact.map(PartsContact::whole);
        match (shape, &self.kind) {
            (ShapeRef::Superovoid(shape), Kind::HalfSpace(half_space)) => {
                return whole(half_space_contact(shape, pose, half_space));
            }
            (ShapeRef::Superovoid(shape), Kind::Plane(plane)) => {
                return whole(plane_contact(shape, pose, plane));
            }
            (ShapeRef::Superquadric(shape), Kind::HalfSpace(half_space)) => {
                return whole(shape.half_space_contact(pose, half_space));
            }
            (ShapeRef::Superquadric(shape), Kind::Plane(plane)) => {
                return whole(shape.plane_contact(pose, plane));
            }
            (ShapeRef::Polytope(polytope), _) => validate_vertices(polytope.vertices())?,
            _ => {}
        }
        let pose = &validate_pose('A', pose)?;
        let (normal, offset) = (self.normal(), self.offset());
        let above = beyond(shape, pose, &normal, offset)?;
        match &self.kind {
            Kind::HalfSpace(_) => Ok(above),
            Kind::Plane(_) if above.contact.distance > 0.0 => Ok(above),
            Kind::Plane(_) => {
                let below = beyond(shape, pose, &-normal, -offset)?;
                if below.contact.distance > 0.0 {
                    return Ok(below);
                }
                if let Some(clear) = clear_of_plane(shape, pose, self) {
                    return Ok(clear);
                }
                let is_above = above.contact.distance >= below.contact.distance;
                Ok(if is_above { above } else { below })
            }
        }
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

/// Returns the contact of a shape with the side of a plane to which the normal points.
fn beyond(
    shape: ShapeRef<'_>,
    pose: &Isometry3<f64>,
    normal: &Unit<Vector3<f64>>,
    offset: f64,
) -> Result<PartsContact, QueryError> {
    let down = pose.rotation.inverse() * -normal.into_inner();
    let (part, lowest) = shape.support_part(&down).ok_or(QueryError::Unsupported {
        a: shape.kind(),
        b: "half-space",
    })?;
    Ok(point_and_plane(part, &lowest, pose, normal, offset))
}

/// Returns the contact of a point of a shape, in its own frame, with the side of a plane to which the normal points. It may
/// exceed the number range.
fn point_and_plane(
    part: u32,
    point: &Vector3<f64>,
    pose: &Isometry3<f64>,
    normal: &Unit<Vector3<f64>>,
    offset: f64,
) -> PartsContact {
    let point_a = pose * Point3::from(*point);
    let distance = normal.dot(&point_a.coords) - offset;
    let terms = point_a.coords.norm() + point.norm() + offset.abs();
    let rounding = 16.0 * f64::EPSILON * terms;
    let contact = Contact {
        distance,
        point_a,
        point_b: point_a - normal.into_inner() * distance,
        normal: -*normal,
        lower: distance - rounding,
        upper: distance + rounding,
        outcome: Outcome::Certified,
        iterations: 0,
    };
    PartsContact {
        parts: [part, 0],
        contact,
    }
}

/// Returns the contact of a mesh, set of boxes or height field with parts on both sides of a plane, if it is clear of it.
#[cfg(feature = "bvh")]
fn clear_of_plane(
    shape: ShapeRef<'_>,
    pose: &Isometry3<f64>,
    plane: &Flat,
) -> Option<PartsContact> {
    fn of_tree(
        tree: &impl PolytopeTree,
        pose: &Isometry3<f64>,
        plane: &Flat,
    ) -> Option<PartsContact> {
        let (normal, offset) = (plane.normal(), plane.offset());
        let (up, height, _) = plane.in_frame(pose);
        let (part, side, point) = part_clear_of_plane(tree, &up, height)?;
        let normal = if side > 0.0 { normal } else { -normal };
        let found = point_and_plane(part, &point.coords, pose, &normal, side * offset);
        // What is nearer than rounding tells may straddle the plane.
        (found.contact.lower > plane.rounding).then_some(found)
    }
    match shape {
        ShapeRef::Mesh(mesh) => of_tree(mesh, pose, plane),
        ShapeRef::Boxes(set) => of_tree(set, pose, plane),
        ShapeRef::HeightField(field) => of_tree(field, pose, plane),
        _ => None,
    }
}

#[cfg(not(feature = "bvh"))]
fn clear_of_plane(_: ShapeRef<'_>, _: &Isometry3<f64>, _: &Flat) -> Option<PartsContact> {
    None
}
