//! Soft solids with ray-traced contact (Hermann, Faure, Raffin 2008).
//!
//! A solid is filled with tetrahedra and closed by triangles. Where it overlaps another one, a ray from each vertex inside
//! along its inward normal says how to part them, however deep the overlap is; nothing is computed beforehand, so that
//! bodies may deform as they like.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `surface` | the checks of a closed mesh, normals and areas of its vertices |
//! | `mesh` | solids of tetrahedra: rings and balls |
//! | `tetrahedra` | the deviatoric and the hydrostatic constraint |
//! | `ray` | watertight rays against triangles |
//! | `hierarchy`, `octree`, `tree` | the triangles along a ray: a refitted hierarchy, and the octree as published |
//! | `ray_contact` | inward rays, both conditions, and what became of the rays of a pair |
//! | `self_contact` | contact of a solid with itself by the rest-ray rule |
//! | `body_contact`, `still` | contact with rigid bodies; meshes that do not deform |
//! | `proximity` | the opponent: pairs below a threshold |
//! | `constraint` | a contact of two solids as a constraint |
//! | `implicit` | the published scheme: penalties, implicit Euler, conjugate gradients |
//! | `solid`, `system` | a solid built from a scene, and all solids of a world |

mod body_contact;
mod constraint;
mod hierarchy;
mod implicit;
mod mesh;
mod octree;
mod proximity;
mod ray;
mod ray_contact;
mod self_contact;
mod solid;
mod still;
mod surface;
pub(crate) mod system;
mod tetrahedra;
mod tree;

pub(crate) use mesh::boundary;
pub use mesh::{SolidMesh, ball, torus};
pub use ray_contact::{Finding, PairReport, RayCounts};
pub(crate) use surface::{check_triangles, directed_edges};
pub(crate) use system::SoftSystem;

/// What the tests and the studies of this repository ask about single rays and meshes.
#[doc(hidden)]
pub mod internals {
    pub use super::hierarchy::Hierarchy;
    pub use super::octree::Octree;
    pub use super::ray::{InwardRay, TriangleHit};
    pub use super::ray_contact::{RayContact, RayEnd, SurfaceAt, cast, cast_all};
    pub use super::self_contact::{OwnSides, cast_inwards};
    pub use super::still::StillMesh;
    pub use super::surface::{Surface, SurfaceError, VertexShapes};
    pub use super::tree::{SurfaceHit, Trees};
}
