//! Shapes of any kind, and the contact of any two of them.
//!
//! May import: `bvh`, `convex`, `derivatives`, `motion`, `pair`, `plane`, `polytope`, `query`, `ray`, `shape`, `superquadric`, `superquadric_contact`, `surface`.
//!
//! A [`Shape`](crate::Shape) is one of the kinds that the queries know, a [`ShapeRef`](crate::ShapeRef) one that is
//! borrowed. `pairs.rs` says which query answers which two kinds, `ray.rs` how a ray meets each.

mod contacts;
mod flat;
mod gradient;
mod impact;
mod manifold;
mod pairs;
mod ray;
mod shape;

pub use flat::Flat;
pub use manifold::{Manifold, ManifoldPoint};
pub use shape::{Shape, ShapeRef};
