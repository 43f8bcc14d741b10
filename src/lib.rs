//! Exact contact between smooth convex bodies.
//!
//! A [`Superovoid`] is a tapered superellipsoid: seven numbers, no mesh. [`contact`] gives the
//! signed distance between two of them with witness points, the normal, and a bracket that
//! proves the answer.
//!
//! ```
//! use nalgebra::Isometry3;
//! use superovoid::{QueryOptions, Superovoid, contact};
//!
//! let egg = Superovoid::new([0.02, 0.02, 0.03], [1.0, 1.0], [0.2, 0.2])?;
//! let brick = Superovoid::superellipsoid([0.05, 0.03, 0.01], [0.1, 0.1])?;
//! let (here, there) = (Isometry3::identity(), Isometry3::translation(0.0, 0.0, 0.05));
//! let answer = contact(&egg, &here, &brick, &there, &QueryOptions::default(), None)?;
//! assert!((answer.distance - 0.01).abs() < 1e-9);
//! assert!(answer.upper - answer.lower < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Lengths are metres, angles radians, frames right-handed, arithmetic double precision. Options are made from their
//! default: `QueryOptions::default().with_max_distance(0.1)`.
//!
//! | module | what it holds |
//! | --- | --- |
//! | here | bodies ([`Superovoid`], [`Shape`] of any kind), pairs, vertices, planes and rays, their options and answers |
//! | [`pair`], [`vertex`] | what is proven of pairs and of vertices, and by which method |
//! | [`pose`] | poses from numbers, and what is assumed of those of nalgebra |
//! | [`surface`] | surface points and tangents; meshes as files |
//! | [`polytope`] | segments, triangles, boxes and hulls against a superovoid |
//! | [`convex`] | boxes, cylinders, capsules, cones, hulls and superovoids, in any pair |
//! | `bvh` (feature) | triangle meshes, sets of boxes and height fields |
//! | [`superquadric`] | superhyperboloids and supertoroids |
//! | [`derivatives`] | gradients, Hessians and Jacobians of contacts |
//! | [`motion`] | the time of impact of bodies in motion |
//! | `planar`, `published` (`unstable`) | a superellipse in the plane; methods of the literature, for comparison |
//!
//! | feature | what it brings |
//! | --- | --- |
//! | `bvh` | the module `bvh` and its times of impact, by the crate parry3d |
//! | `mesh-io` | `surface::write_obj` and `surface::write_stl` |
//! | `rayon` | batches on the threads of the current pool |
//! | `unstable` | `planar`, `published` and `pair::contact_trace`, which may change in any release |
//!
//! No feature is on by default. Robots and scenes are in the crate `superovoid-robot`, fits and readers of meshes in
//! `superovoid-fit`, cloth, solids and bodies in motion in `superovoid-sim`.

#[cfg(feature = "bvh")]
pub mod bvh;
mod collision;
pub mod convex;
pub mod derivatives;
#[doc(hidden)]
pub mod internals;
pub mod motion;
mod narrowphase;
pub mod pair;
#[cfg(feature = "unstable")]
pub mod planar;
pub mod polytope;
pub mod pose;
#[cfg(feature = "unstable")]
pub mod published;
mod query;
pub mod superquadric;
pub mod surface;
#[doc(alias = "point")]
pub mod vertex;

mod convexity;
mod golden_section;
#[allow(missing_docs)]
mod lanes;
mod plane;
mod ray;
mod shape;
mod superquadric_contact;
mod traits;

pub use collision::{Manifold, ManifoldPoint, Shape, ShapeRef};
pub use convexity::{Convexity, NonConvexity};
pub use pair::batch::{PairError, contact_batch};
pub use pair::input::Pair;
pub use pair::pair_contact::contact;
pub use pair::warm_start::PairCache;
pub use plane::{HalfSpace, Plane, half_space_contact, plane_contact};
pub use query::{
    CollisionStatus, Contact, DepthMode, Outcome, PartsContact, QueryError, QueryOptions,
};
pub use ray::{Ray, RayHit};
pub use shape::{Parameter, ShapeError, Superovoid};
pub use surface::bounds::{Aabb, BoundingSphere};
pub use surface::mass::MassProperties;
pub use surface::obb::Obb;
pub use surface::support::Support;
pub use surface::triangle_mesh::{MeshError, TriangleMesh};
pub use vertex::batch::vertex_contact_batch;
pub use vertex::vertex_contact::vertex_contact;
pub use vertex::vertex_options::VertexOptions;

/// The programs of the README and of the pages in `docs/guides`, compiled and run with the documentation tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../docs/guides/rust.md")]
    struct Rust;
    #[doc = include_str!("../docs/guides/motion.md")]
    struct Motion;
    #[doc = include_str!("../docs/guides/superquadrics.md")]
    struct Superquadrics;
    #[doc = include_str!("../docs/guides/robots.md")]
    struct Robots;
    #[doc = include_str!("../docs/guides/published_methods.md")]
    struct PublishedMethods;
}
