//! The surface of one superovoid: implicit and parametric form, support function, tangents,
//! bounding volumes, volume and triangle meshes. All in the body's own frame unless a pose is
//! given; lengths in metres.

pub(crate) mod bounds;
pub(crate) mod circle;
mod implicit;
mod parametric;
mod support;
mod tangent;
mod tessellate;

pub use bounds::{Aabb, BoundingSphere};
pub use parametric::SurfaceAngles;
pub use support::Support;
pub use tangent::tangents;
pub use tessellate::TriangleMesh;
