//! Which query answers which two kinds of shapes.

use super::shape::{Shape, ShapeRef};
use crate::HalfSpace;
#[cfg(feature = "bvh")]
use crate::bvh::{PolytopeTree, convex_tree_contact, tree_contact, trees_contact};
use crate::convex::{ConvexShape, convex_contact, ovoid_contact};
use crate::pair::contact;
use crate::plane::half_space_contact;
use crate::polytope::shapes::validate_vertices;
use crate::polytope::{Polytope, polytope_contact};
use crate::query::contact::{Contact, Outcome, PartsContact};
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::validation::validate_pose;
use nalgebra::{Isometry3, Point3};

impl Shape {
    /// Returns the signed distance to another shape, by the fastest query that knows both, as
    /// [`ShapeRef::contact`] does.
    ///
    /// # Errors
    /// As there.
    pub fn contact(
        &self,
        pose: &Isometry3<f64>,
        other: &Shape,
        other_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Option<PartsContact>, QueryError> {
        self.as_ref()
            .contact(pose, other.as_ref(), other_pose, options)
    }
}

impl ShapeRef<'_> {
    /// Returns the signed distance between this shape at `pose` (A) and another one (B), by the fastest query that knows
    /// both kinds, with the parts of meshes and sets of boxes that are nearest. Where these have no part within
    /// `options.max_distance` the answer is `None`; two bodies of one piece have the outcome
    /// [`Beyond`](crate::Outcome::Beyond) then.
    ///
    /// # Errors
    /// The errors are those of the query of the two kinds, such as [`convex_contact`];
    /// [`QueryError::Unsupported`] names two kinds that no query knows: two half-spaces, and superquadrics that are not
    /// convex with each other and with meshes and sets of boxes.
    pub fn contact(
        self,
        pose: &Isometry3<f64>,
        other: ShapeRef<'_>,
        other_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Option<PartsContact>, QueryError> {
        let swapped = match (self, other) {
            (_, ShapeRef::HalfSpace(half_space)) => {
                let in_world = half_space.at(other_pose)?;
                return half_space_in_world_contact(self, pose, &in_world).map(Some);
            }
            (ShapeRef::HalfSpace(_), _) => {
                let swapped = other.contact(other_pose, self, pose, options);
                swapped.map(Known::Yes)
            }
            _ => {
                if let Known::Yes(found) = self.known_contact(pose, other, other_pose, options)? {
                    return Ok(found);
                }
                other.known_contact(other_pose, self, pose, options)
            }
        };
        match swapped.map_err(QueryError::swapped)? {
            Known::Yes(found) => Ok(found.map(PartsContact::swapped)),
            Known::No => Err(QueryError::Unsupported {
                a: self.kind(),
                b: other.kind(),
            }),
        }
    }

    /// Returns the contact where a query takes the two kinds, of which none is a half-space, in this order.
    fn known_contact(
        self,
        a: &Isometry3<f64>,
        other: ShapeRef<'_>,
        b: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Known, QueryError> {
        use ShapeRef::{Convex, Polytope, Superovoid, Superquadric};
        let contact = match (self, other) {
            (Superovoid(x), Superovoid(y)) => contact(x, a, y, b, options, None),
            (Superovoid(x), Convex(y)) => ovoid_contact(x, a, y, b, options),
            (Superovoid(x), Polytope(y)) => polytope_contact(x, a, y, b, options),
            (Convex(x), Convex(y)) => convex_contact(x, a, y, b, options),
            (Convex(x), Polytope(y)) => convex_contact(x, a, &hull(y)?, b, options),
            (Polytope(x), Convex(y)) => convex_contact(&hull(x)?, a, y, b, options),
            (Polytope(x), Polytope(y)) => convex_contact(&hull(x)?, a, &hull(y)?, b, options),
            (Superquadric(x), Superovoid(y)) => x.contact(a, &ConvexShape::from(*y), b, options),
            (Superquadric(x), Convex(y)) => x.contact(a, y, b, options),
            (Superquadric(x), Polytope(y)) => x.contact(a, &hull(y)?, b, options),
            (Superquadric(x), Superquadric(y)) if y.is_convex() => {
                x.contact(a, &ConvexShape::hull_of(y), b, options)
            }
            (Superquadric(x), _) if x.is_convex() => {
                return Convex(&ConvexShape::hull_of(x)).known_contact(a, other, b, options);
            }
            #[cfg(feature = "bvh")]
            (_, ShapeRef::Mesh(tree)) => return self.contact_with_tree(a, tree, b, options),
            #[cfg(feature = "bvh")]
            (_, ShapeRef::Boxes(tree)) => return self.contact_with_tree(a, tree, b, options),
            _ => return Ok(Known::No),
        };
        Ok(Known::Yes(Some(PartsContact::whole(contact?))))
    }

    #[cfg(feature = "bvh")]
    fn contact_with_tree(
        self,
        a: &Isometry3<f64>,
        tree: &impl PolytopeTree,
        b: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Known, QueryError> {
        let part = match self {
            ShapeRef::Superovoid(x) => tree_contact(x, a, tree, b, options)?,
            ShapeRef::Convex(x) => convex_tree_contact(x, a, tree, b, options)?,
            ShapeRef::Polytope(x) => convex_tree_contact(&hull(x)?, a, tree, b, options)?,
            ShapeRef::Mesh(x) => return trees_contact(x, a, tree, b, options).map(Known::Yes),
            ShapeRef::Boxes(x) => return trees_contact(x, a, tree, b, options).map(Known::Yes),
            ShapeRef::HalfSpace(_) | ShapeRef::Superquadric(_) => return Ok(Known::No),
        };
        Ok(Known::Yes(part.map(|found| PartsContact {
            parts: [0, found.part],
            contact: found.contact,
        })))
    }
}

/// What a query says, if there is one for the two kinds in their order.
enum Known {
    No,
    Yes(Option<PartsContact>),
}

/// Returns a polytope as a convex body.
fn hull(polytope: &dyn Polytope) -> Result<ConvexShape, QueryError> {
    validate_vertices(polytope.vertices())?;
    Ok(ConvexShape::of_points(polytope.vertices()))
}

/// Returns the contact of a shape (A) with a half-space in the world (B), that of its deepest point and of the part that has
/// it.
///
/// # Errors
/// The error names a pose that is not finite or not a rotation, a distance that exceeds the number range, or a second
/// half-space.
pub fn half_space_in_world_contact(
    shape: ShapeRef,
    pose: &Isometry3<f64>,
    half_space: &HalfSpace,
) -> Result<PartsContact, QueryError> {
    let whole = |contact: Result<Contact, _>| contact.map(PartsContact::whole);
    match shape {
        ShapeRef::Superovoid(shape) => return whole(half_space_contact(shape, pose, half_space)),
        ShapeRef::Superquadric(shape) => return whole(shape.half_space_contact(pose, half_space)),
        ShapeRef::Polytope(polytope) => validate_vertices(polytope.vertices())?,
        _ => {}
    }
    validate_pose('A', pose)?;
    let normal = half_space.normal();
    let down = pose.rotation.inverse() * -normal.into_inner();
    let (part, lowest) = shape.support_part(&down).ok_or(QueryError::Unsupported {
        a: shape.kind(),
        b: "half-space",
    })?;
    let point_a = pose * Point3::from(lowest);
    let distance = normal.dot(&point_a.coords) - half_space.offset();
    let terms = point_a.coords.norm() + lowest.norm() + half_space.offset().abs();
    let rounding = 16.0 * f64::EPSILON * terms;
    let contact = Contact {
        distance,
        point_a,
        point_b: point_a - normal.into_inner() * distance,
        normal: -normal,
        lower: distance - rounding,
        upper: distance + rounding,
        outcome: Outcome::Certified,
        iterations: 0,
    };
    Ok(PartsContact {
        parts: [part, 0],
        contact: contact.within_number_range()?,
    })
}
