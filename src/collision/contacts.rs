//! All parts of two shapes that are within a margin of each other.

#[cfg(feature = "bvh")]
use super::flat::Flat;
#[cfg(feature = "bvh")]
use super::pairs::hull;
use super::shape::{Shape, ShapeRef};
#[cfg(feature = "bvh")]
use crate::bvh::{
    Body, PartContact, PolytopeTree, body_contacts, parts_near_plane, trees_contacts,
};
#[cfg(feature = "bvh")]
use crate::convex::ConvexShape;
use crate::query::contact::{Outcome, PartsContact};
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
#[cfg(feature = "bvh")]
use crate::query::validation::validate_options;
use nalgebra::Isometry3;

impl Shape {
    /// Calls `visit` for all parts that are within a margin, as [`ShapeRef::contacts`] does.
    ///
    /// # Errors
    /// As there.
    pub fn contacts(
        &self,
        pose: &Isometry3<f64>,
        other: &Shape,
        other_pose: &Isometry3<f64>,
        margin: f64,
        options: &QueryOptions,
        visit: impl FnMut(PartsContact) -> bool,
    ) -> Result<(), QueryError> {
        (self.as_ref()).contacts(pose, other.as_ref(), other_pose, margin, options, visit)
    }
}

impl ShapeRef<'_> {
    /// Calls `visit` for every two parts of this shape (A) and another one (B) whose signed distance is at most `margin`
    /// (metres, may be negative or infinite), in no particular order, until it returns false. A shape of one piece is one
    /// part. The parts of a mesh are its triangles, also where it is a solid: what is wholly inside has no contact.
    ///
    /// The option `max_distance` is ignored.
    ///
    /// # Errors
    /// The errors are those of [`ShapeRef::contact`], and a margin that is NaN; `visit` may have been called before an error
    /// is found.
    pub fn contacts(
        self,
        pose: &Isometry3<f64>,
        other: ShapeRef<'_>,
        other_pose: &Isometry3<f64>,
        margin: f64,
        options: &QueryOptions,
        mut visit: impl FnMut(PartsContact) -> bool,
    ) -> Result<(), QueryError> {
        self.visit_contacts(pose, other, other_pose, margin, options, &mut visit)
    }

    fn visit_contacts(
        self,
        pose: &Isometry3<f64>,
        other: ShapeRef<'_>,
        other_pose: &Isometry3<f64>,
        margin: f64,
        options: &QueryOptions,
        visit: &mut dyn FnMut(PartsContact) -> bool,
    ) -> Result<(), QueryError> {
        if margin.is_nan() {
            return Err(QueryError::Input {
                name: "margin",
                requirement: "it must be metres or infinity, and not NaN",
            });
        }
        if self.has_parts() && !other.has_parts() {
            let mut swapped = |found: PartsContact| visit(found.swapped());
            let done = other.visit_contacts(other_pose, self, pose, margin, options, &mut swapped);
            return done.map_err(QueryError::swapped);
        }
        #[cfg(feature = "bvh")]
        match other {
            ShapeRef::Mesh(tree) => {
                return self.contacts_with_tree(pose, tree, other_pose, margin, options, visit);
            }
            ShapeRef::Boxes(tree) => {
                return self.contacts_with_tree(pose, tree, other_pose, margin, options, visit);
            }
            ShapeRef::HeightField(tree) => {
                return self.contacts_with_tree(pose, tree, other_pose, margin, options, visit);
            }
            _ => {}
        }
        let options = options.with_max_distance(margin.max(0.0));
        if let Some(found) = self.contact(pose, other, other_pose, &options)? {
            let contact = &found.contact;
            if contact.outcome != Outcome::Beyond && contact.distance <= margin {
                visit(found);
            }
        }
        Ok(())
    }

    #[cfg(feature = "bvh")]
    fn contacts_with_tree(
        self,
        pose: &Isometry3<f64>,
        tree: &impl PolytopeTree,
        tree_pose: &Isometry3<f64>,
        margin: f64,
        options: &QueryOptions,
        visit: &mut dyn FnMut(PartsContact) -> bool,
    ) -> Result<(), QueryError> {
        if let Some(flat) = Flat::of(self, pose).map_err(QueryError::swapped)? {
            validate_options(options)?;
            let (up, height, rounding) = flat.in_frame(tree_pose);
            let mut error = None;
            parts_near_plane(
                tree,
                &up,
                height,
                flat.is_plane(),
                margin,
                rounding,
                |part| {
                    let shape = tree.convex_part(part);
                    match flat.contact_with(ShapeRef::Convex(&shape), tree_pose, options) {
                        Ok(Some(found)) if found.contact.distance <= margin => {
                            visit(PartsContact {
                                parts: [0, part],
                                contact: found.contact.swapped(),
                            })
                        }
                        Ok(_) => true,
                        Err(found) => {
                            error = Some(found.swapped());
                            false
                        }
                    }
                },
            );
            return error.map_or(Ok(()), Err);
        }
        let mut of_body = |body: Body| {
            body_contacts(
                &body,
                pose,
                tree,
                tree_pose,
                margin,
                options,
                |found: PartContact| {
                    visit(PartsContact {
                        parts: [0, found.part],
                        contact: found.contact,
                    })
                },
            )
        };
        match self {
            ShapeRef::Superovoid(shape) => of_body(Body::Superovoid(shape)),
            ShapeRef::Convex(shape) => of_body(Body::Convex(shape)),
            ShapeRef::Polytope(shape) => of_body(Body::Convex(&hull(shape)?)),
            ShapeRef::Superquadric(shape) if shape.is_convex() => {
                of_body(Body::Convex(&ConvexShape::hull_of(shape)))
            }
            ShapeRef::Superquadric(shape) => of_body(Body::Superquadric(shape)),
            ShapeRef::Mesh(a) => trees_contacts(a, pose, tree, tree_pose, margin, options, visit),
            ShapeRef::Boxes(a) => trees_contacts(a, pose, tree, tree_pose, margin, options, visit),
            ShapeRef::HeightField(a) => {
                trees_contacts(a, pose, tree, tree_pose, margin, options, visit)
            }
            _ => Err(QueryError::Unsupported {
                a: self.kind(),
                b: "mesh, set of boxes or height field",
            }),
        }
    }
}
