//! The shape of a collision body, and the contact of any two.
use nalgebra::Isometry3;
use nalgebra::Vector3;
use std::sync::Arc;
use superovoid::Contact;
use superovoid::QueryError;
use superovoid::QueryOptions;
use superovoid::bvh::{TriMesh, convex_tree_contact, tree_contact, trees_contact};
use superovoid::convex::{ConvexShape, convex_contact};
use superovoid::internals::ovoid_contact;
use superovoid::{Superovoid, contact};

/// The shape of a collision body, in its own frame, metres. Large shapes are shared, not copied.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CollisionShape {
    /// A superovoid, or a sphere.
    Superovoid(Superovoid),
    /// Another convex body: a box, cylinder or capsule.
    Convex(Arc<ConvexShape>),
    /// A triangle mesh: a solid where it is closed ([`TriMesh::is_solid`]), otherwise its surface.
    Mesh(Arc<TriMesh>),
}

impl CollisionShape {
    /// Returns the signed distance to another shape, by the fastest query that knows both; `None` if they are proven to
    /// be farther apart than `options.max_distance`. Of meshes it is that of the nearest triangles.
    ///
    /// # Errors
    /// The errors are those of [`convex_contact`].
    pub fn contact(
        &self,
        pose: &Isometry3<f64>,
        other: &Self,
        other_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Option<Contact>, QueryError> {
        use CollisionShape::{Convex, Superovoid};
        let (a, b) = (pose, other_pose);
        match (self, other) {
            (Superovoid(x), Superovoid(y)) => contact(x, a, y, b, options, None).map(Some),
            (Superovoid(x), Convex(y)) => ovoid_contact(x, a, y, b, options).map(Some),
            (Convex(x), Superovoid(y)) => {
                let found = ovoid_contact(y, b, x, a, options)?;
                Ok(Some(found.swapped()))
            }
            (Convex(x), Convex(y)) => convex_contact(x, a, y, b, options).map(Some),
            _ => self.mesh_contact(a, other, b, options),
        }
    }

    /// Returns the value of the support function in a direction of any length but zero; `None` for a mesh.
    pub fn support(&self, direction: &Vector3<f64>) -> Option<f64> {
        match self {
            CollisionShape::Superovoid(shape) => Some(shape.support(direction).value),
            CollisionShape::Convex(shape) => Some(shape.support(direction)),
            CollisionShape::Mesh(_) => None,
        }
    }

    /// Returns the contact of two shapes of which at least one is a mesh.
    fn mesh_contact(
        &self,
        a: &Isometry3<f64>,
        other: &Self,
        b: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Option<Contact>, QueryError> {
        use CollisionShape::{Convex, Mesh, Superovoid};
        let whole = |found: superovoid::bvh::PartContact| found.contact;
        Ok(match (self, other) {
            (Superovoid(x), Mesh(y)) => tree_contact(x, a, y.as_ref(), b, options)?.map(whole),
            (Convex(x), Mesh(y)) => convex_tree_contact(x, a, y.as_ref(), b, options)?.map(whole),
            (Mesh(x), Mesh(y)) => {
                trees_contact(x.as_ref(), a, y.as_ref(), b, options)?.map(|found| found.contact)
            }
            (Mesh(_), _) => other
                .mesh_contact(b, self, a, options)?
                .map(Contact::swapped),
            // This is not reached: neither is a mesh.
            _ => None,
        })
    }
}

impl From<Superovoid> for CollisionShape {
    fn from(shape: Superovoid) -> Self {
        CollisionShape::Superovoid(shape)
    }
}

impl From<ConvexShape> for CollisionShape {
    fn from(shape: ConvexShape) -> Self {
        CollisionShape::Convex(Arc::new(shape))
    }
}
