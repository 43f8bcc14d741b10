//! Superovoids and other convex bodies against many polytopes, and these against each other: triangle meshes and sets
//! of boxes, behind a bounding-volume hierarchy.
//!
//! May import: `convex`, `narrowphase`, `polytope`, `query`, `shape`, `superquadric`, `superquadric_contact`, `surface`, `vertex`.
//!
//! A [`TriMesh`] holds the triangles of a mesh, a [`BoxSet`] the occupied cells of an octree or any other boxes, a
//! [`HeightField`] the prisms below a grid of heights, all behind the bounding-volume hierarchy of parry3d.
//! [`tree_contact`] finds the part with the least signed distance, [`convex_tree_contact`] does so for any convex body and
//! [`trees_contact`] for two trees; [`tree_contacts`] visits all parts within a margin.
//!
//! Where the bodies are apart, the least signed distance over the parts is the distance of their union. Where they
//! overlap it is minus the depth of the deepest part: moving the superovoid by it separates it from that part, but
//! not necessarily from the others. A closed mesh is a solid, unless it is made a surface: of a body inside it the
//! depth is that of the nearest triangle, until the whole body has passed it. An open mesh is its surface.
//!
//! A node of the hierarchy is skipped when its box is farther from the superovoid's than the best part found: two
//! boxes that overlap by o along the axis of least overlap contain no bodies with a signed distance below −o. The
//! supporting planes of the body give the other tests: everything beyond one, all x with `n·x − h_A(n) ≥ d`, has a signed
//! distance of at least d. The normals are that of the best part found, which skips nearly all parts except its neighbours
//! where the tree is locally convex, those that skipped nodes before, that to the body's own box, and those of GJK.
//!
//! A body that is not convex is cut into slabs, a ring into sectors, each with planes of its own, which prove the distance of
//! parts that lie in a hollow of the body. The search of a superovoid begins with an upper bound, from nearest points of body and
//! tree in turn.
//!
//! Two trees, the question whether a body and a tree overlap at all, and half-spaces and planes use boxes that are cut along
//! the mean normal of what they hold, which the first of these queries makes.
//!
//! A triangle's own plane is a third test, and where the superovoid's support point lies over the triangle it is the
//! answer. Triangles that overlap the body otherwise, past an edge, are deferred until the best of the others is known.

mod body;
mod boxes;
mod covered;
mod descent;
mod height_field;
mod heights;
mod inside;
mod nearest;
mod pair;
mod patches;
mod placed;
mod ray;
mod solid;
mod tree;
mod tree_contact;

pub(crate) use body::Body;
pub use height_field::{HeightField, Prism};
pub(crate) use heights::{
    farthest_part, heights_of_box, lowest_part, part_nearest_to_plane, rounding_of_heights,
};
pub(crate) use inside::nearest_of_solid;
pub(crate) use nearest::body_contacts;
pub use nearest::{PartContact, tree_contacts};
pub use pair::trees_contact;
pub(crate) use pair::trees_contacts;
pub(crate) use ray::{ray_hits_boxes, ray_hits_mesh, ray_hits_terrain};
#[doc(hidden)]
pub use tree::Hierarchy;
pub(crate) use tree::parts_near_plane;
pub use tree::{BoxSet, Corners, PolytopeTree, TreeError, TriMesh};
pub use tree_contact::{convex_tree_contact, tree_contact};
