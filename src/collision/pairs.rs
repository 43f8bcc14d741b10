//! Which query answers which two kinds of shapes.

use super::flat::Flat;
use super::shape::{Shape, ShapeRef};
#[cfg(feature = "bvh")]
use crate::bvh::{
    Body, PolytopeTree, convex_tree_contact, nearest_of_solid, tree_contact, trees_contact,
};
use crate::convex::{ConvexShape, convex_contact, ovoid_contact};
use crate::pair::contact;
use crate::polytope::shapes::validate_vertices;
use crate::polytope::{Polytope, polytope_contact};
use crate::query::contact::PartsContact;
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::validation::validate_options;
use nalgebra::Isometry3;

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
    /// both kinds, with the parts of meshes, sets of boxes and height fields that are nearest. Where these have no part within
    /// `options.max_distance` the answer is `None`; two bodies of one piece have the outcome
    /// [`Beyond`](crate::Outcome::Beyond) then. Half-spaces and planes answer them at any distance. Two of these that are
    /// not parallel, or two half-spaces that face the same way, have a signed distance of −∞: no translation separates them.
    ///
    /// # Errors
    /// The errors are those of the query of the two kinds, such as [`convex_contact`];
    /// [`QueryError::Unsupported`] names two kinds that no query knows; of the present kinds there are none.
    pub fn contact(
        self,
        pose: &Isometry3<f64>,
        other: ShapeRef<'_>,
        other_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Option<PartsContact>, QueryError> {
        // Most pairs are.
        if let (ShapeRef::Convex(x), ShapeRef::Convex(y)) = (self, other) {
            let contact = convex_contact(x, pose, y, other_pose, options)?;
            return Ok(Some(PartsContact::whole(contact)));
        }
        let flats = [
            Flat::of(self, pose).map_err(QueryError::swapped)?,
            Flat::of(other, other_pose)?,
        ];
        if flats.iter().any(Option::is_some) {
            validate_options(options)?;
        }
        match flats {
            [Some(a), Some(b)] => return a.contact_with_flat(&b).map(Some),
            [None, Some(b)] => return b.contact_with(self, pose, options),
            [Some(a), None] => {
                let found = a.contact_with(other, other_pose, options);
                let found = found.map_err(QueryError::swapped)?;
                return Ok(found.map(PartsContact::swapped));
            }
            [None, None] => {}
        }
        if let Known::Yes(found) = self.known_contact(pose, other, other_pose, options)? {
            return Ok(found);
        }
        let swapped = other.known_contact(other_pose, self, pose, options);
        match swapped.map_err(QueryError::swapped)? {
            Known::Yes(found) => Ok(found.map(PartsContact::swapped)),
            Known::No => Err(QueryError::Unsupported {
                a: self.kind(),
                b: other.kind(),
            }),
        }
    }

    /// Returns the contact where a query takes the two kinds, of which none is a half-space or a plane, in this order.
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
            (Superquadric(x), Superquadric(y)) if !x.is_convex() => {
                x.contact_with_hollow(a, y, b, options)
            }
            (Superquadric(x), _) if x.is_convex() => {
                return Convex(&ConvexShape::hull_of(x)).known_contact(a, other, b, options);
            }
            #[cfg(feature = "bvh")]
            (_, ShapeRef::Mesh(tree)) => return self.contact_with_tree(a, tree, b, options),
            #[cfg(feature = "bvh")]
            (_, ShapeRef::Boxes(tree)) => return self.contact_with_tree(a, tree, b, options),
            #[cfg(feature = "bvh")]
            (_, ShapeRef::HeightField(tree)) => {
                return self.contact_with_tree(a, tree, b, options);
            }
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
            ShapeRef::HeightField(x) => {
                return trees_contact(x, a, tree, b, options).map(Known::Yes);
            }
            ShapeRef::Superquadric(x) => {
                nearest_of_solid(&Body::Superquadric(x), a, tree, b, options)?
            }
            ShapeRef::HalfSpace(_) | ShapeRef::Plane(_) => return Ok(Known::No),
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
pub(super) fn hull(polytope: &dyn Polytope) -> Result<ConvexShape, QueryError> {
    validate_vertices(polytope.vertices())?;
    Ok(ConvexShape::of_points(polytope.vertices()))
}
