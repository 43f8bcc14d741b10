//! The surface of one superovoid: implicit and parametric form, support function, tangents, bounding volumes, mass
//! properties and triangle meshes. Everything is in the body's own frame unless a pose is given; lengths are in
//! metres.
//!
//! May import: `convexity`, `golden_section`, `lanes`, `shape`.

pub(crate) mod bounds;
pub(crate) mod circles;
pub(crate) mod curvature;
pub(crate) mod enclosure;
mod gauge_bounds;
mod implicit;
pub(crate) mod mass;
#[cfg(feature = "mesh-io")]
mod mesh_io;
pub(crate) mod obb;
mod obb_distance;
pub(crate) mod parametric;
pub(crate) mod primal_dual;
mod separating_axes;
pub(crate) mod slab;
pub(crate) mod support;
pub(crate) mod support_lanes;
pub(crate) mod support_map;
mod tangent;
pub(crate) mod tessellate;
pub(crate) mod triangle_mesh;

#[cfg(feature = "mesh-io")]
pub use mesh_io::{write_obj, write_stl};
pub use parametric::SurfaceAngles;
pub use tangent::tangents;
