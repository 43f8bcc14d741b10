//! Superhyperboloids of one and two sheets, and supertoroids: necks, cups, rings and washers.
//!
//! A [`Superquadric`] has the section circle of a [superovoid](crate::Superovoid) and another profile. Everything is in
//! the body's own frame unless a pose is given; lengths are in metres.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `shape` | the parameters, validated |
//! | `profile`, `sheet`, `surface` | the profile curves; implicit and parametric form, normals, bounding box |
//! | `mesh` | closed triangle meshes |
//! | `ray`, `convex_difference` | rays, with all roots |
//! | `support` | support functions of hulls and of parts |
//! | `search`, `foot` | the branch and bound over parts; Newton's method between facing points |
//! | `point`, `inside` | points outside, and inside |
//! | `pair`, `cup`, `plane` | pairs and planes |
//! | `mass`, `quadrature` | volume, centre of mass and inertia |

mod convex_difference;
mod cup;
mod foot;
mod inside;
mod mass;
mod mesh;
mod pair;
mod plane;
mod point;
mod profile;
mod quadrature;
mod ray;
mod search;
mod shape;
mod sheet;
mod support;
mod surface;

pub use ray::RayHits;
pub use shape::{Family, Sheets, Superquadric, SuperquadricError};
pub use surface::SurfaceParameters;
