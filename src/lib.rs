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
//! Data flows one way: parameters ([`Superovoid`]) → surface ([`surface`]) → queries: pairs ([`pair`]),
//! points ([`point`]), segments, triangles and boxes ([`polytope`], many of them: `bvh`), planes
//! ([`plane_contact`]), rays ([`Superovoid::ray_cast`]) → robot ([`robot`]). Published methods, for
//! comparison, are in [`published`]. Lengths are metres, angles radians,
//! frames right-handed, arithmetic double precision.

#[cfg(feature = "bvh")]
pub mod bvh;
pub mod pair;
pub mod planar;
pub mod point;
pub mod polytope;
pub mod published;
#[cfg(feature = "urdf")]
pub mod robot;
#[cfg(feature = "bvh")]
pub mod scene;
pub mod surface;

mod convexity;
#[cfg(feature = "capi")]
mod ffi;
mod golden_section;
mod lanes;
mod plane;
mod ray;
mod shape;
mod traits;

pub use convexity::{Convexity, NonConvexity};
pub use pair::{
    CollisionStatus, Contact, DepthMode, Outcome, Pair, PairCache, PairError, QueryError,
    QueryOptions, contact, contact_batch,
};
pub use plane::{HalfSpace, Plane, half_space_contact, plane_contact};
pub use point::{VertexOptions, vertex_contact, vertex_contact_batch};
pub use ray::{Ray, RayHit};
pub use shape::{Parameter, ShapeError, Superovoid};
pub use surface::{Aabb, BoundingSphere, MassProperties, Obb, Support, TriangleMesh};

/// The README's examples, run with the documentation tests.
#[cfg(all(doctest, feature = "urdf"))]
#[doc = include_str!("../README.md")]
struct Readme;
