//! The body A of a query: a superovoid, another convex body, or a superquadric that is not convex.

use crate::Superovoid;
use crate::bvh::tree::PolytopeTree;
use crate::convex::{ConvexKind, ConvexShape, convex_contact};
use crate::polytope::polytope_contact;
use crate::query::contact::Contact;
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::superquadric::{Family, Sheets, Superquadric};
use crate::surface::bounds::{Aabb, BoundingSphere};
use crate::surface::support_map::SupportMap;
use nalgebra::{Isometry3, Point3, Vector3};

/// The body A of a query.
#[derive(Clone, Copy)]
pub(crate) enum Body<'a> {
    Superovoid(&'a Superovoid),
    Convex(&'a ConvexShape),
    Superquadric(&'a Superquadric),
}

/// The direction must be a unit vector.
impl SupportMap for Body<'_> {
    fn local_support(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        match self {
            Body::Superovoid(shape) => shape.local_support(n),
            Body::Convex(shape) => shape.support_along_unit(n),
            Body::Superquadric(shape) => shape.local_support(n),
        }
    }
}

impl<'a> Body<'a> {
    pub fn size(&self) -> f64 {
        match self {
            Body::Superovoid(shape) => shape.size(),
            Body::Convex(shape) => shape.size(),
            Body::Superquadric(shape) => shape.size(),
        }
    }

    pub fn local_aabb(&self) -> Aabb {
        match self {
            Body::Superovoid(shape) => {
                let half = shape.obb(&Isometry3::identity()).half_extents;
                Aabb {
                    min: (-half).into(),
                    max: half.into(),
                }
            }
            Body::Convex(shape) => shape.local_aabb(),
            Body::Superquadric(shape) => shape.aabb(),
        }
    }

    /// Returns the superovoid if that is not convex.
    pub fn hollow(&self) -> Option<&'a Superovoid> {
        match self {
            Body::Superovoid(shape) if !shape.is_convex() => Some(shape),
            _ => None,
        }
    }

    /// Returns the radius if the body is a ball.
    pub fn ball(&self) -> Option<f64> {
        match self {
            Body::Superovoid(shape) => {
                let round =
                    shape.a == [shape.a[0]; 3] && shape.e == [1.0; 2] && shape.t == [0.0; 2];
                round.then_some(shape.a[0])
            }
            Body::Convex(shape) => match shape.kind() {
                ConvexKind::Ball(radius) => Some(radius),
                _ => None,
            },
            Body::Superquadric(_) => None,
        }
    }

    /// Returns a ball inside the body; its radius may be 0.
    pub fn inner_ball(&self) -> BoundingSphere {
        match self {
            Body::Superovoid(shape) => BoundingSphere {
                center: Point3::origin(),
                radius: shape.inner_radius,
            },
            Body::Convex(shape) => shape.inner_ball(),
            Body::Superquadric(shape) => shape.ball_inside(),
        }
    }

    /// Returns a point of every piece that hangs together: of two sheets, two.
    pub fn centers(&self) -> [Point3<f64>; 2] {
        let center = self.inner_ball().center;
        match self {
            Body::Superquadric(shape) if shape.family() == Family::TwoSheets(Sheets::Both) => {
                [center, -center]
            }
            _ => [center; 2],
        }
    }

    /// Returns the contact with a part of a tree.
    pub fn contact_with(
        &self,
        pose: &Isometry3<f64>,
        tree: &impl PolytopeTree,
        part: u32,
        tree_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Contact, QueryError> {
        let shallow = QueryOptions {
            max_distance: options.max_distance.max(0.0),
            ..*options
        };
        match self {
            Body::Superovoid(shape) => {
                polytope_contact(shape, pose, &tree.part(part), tree_pose, options)
            }
            Body::Convex(shape) => {
                convex_contact(shape, pose, &tree.convex_part(part), tree_pose, &shallow)
            }
            Body::Superquadric(shape) => {
                shape.contact(pose, &tree.convex_part(part), tree_pose, &shallow)
            }
        }
    }
}
