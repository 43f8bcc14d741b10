//! Superhyperboloids of one and two sheets, and supertoroids: necks, cups, rings and washers.
//!
//! May import: `query`, `ray`, `shape`, `surface`, `traits`.
//!
//! A [`Superquadric`] has the section circle of a [superovoid](crate::Superovoid) and another profile. Everything is in
//! the body's own frame unless a pose is given; lengths are in metres. Its contacts with points, planes and other bodies,
//! which need the convex bodies, are in the folder `superquadric_contact`.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `shape` | the parameters, validated |
//! | `profile`, `sheet`, `surface` | the profile curves; implicit and parametric form, normals, bounding box |
//! | `mesh` | closed triangle meshes |
//! | `ray`, `convex_difference` | rays, with all roots |
//! | `support`, `pieces` | support functions of hulls and of parts; parts for searches in trees |
//! | `mass`, `quadrature` | volume, centre of mass and inertia |

mod convex_difference;
mod mass;
mod mesh;
#[cfg(feature = "bvh")]
mod pieces;
pub(crate) mod profile;
mod quadrature;
mod ray;
pub(crate) mod shape;
mod sheet;
pub(crate) mod support;
mod surface;

pub use ray::RayHits;
pub use shape::{Family, Sheets, Superquadric, SuperquadricError};
pub use surface::SurfaceParameters;
