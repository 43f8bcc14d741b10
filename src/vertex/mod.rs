//! The vertex query: signed distance, nearest surface point and normal of a body and a vertex, which is a point of a
//! cloth, a mesh or a cloud.
//!
//! May import: `lanes`, `narrowphase`, `pair`, `query`, `shape`, `surface`.
//!
//! [`vertex_contact`] answers for one vertex, [`vertex_contact_batch`](crate::vertex_contact_batch) for a slice of them. The answer is a
//! [`Contact`](crate::Contact) with the body as A and the vertex as B: `normal` points out of the surface, `distance` is
//! negative inside, and `point_b = point_a + distance · normal` is the vertex itself to rounding.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `vertex_contact`, `vertex_options` | the entry of the query and its options |
//! | `problem` | a body and a vertex, in the body's frame and in units |
//! | `newton`, `newton_lanes` | Newton's method for the foot of the perpendicular, guarded and in lanes |
//! | `exact`, `inside` | the nearest surface point of a vertex outside, and inside |
//! | `octant`, `multi_start`, `bracket` | one minimum in an octant, many starts, and the simple bracket |
//! | `batch`, `soa` | many vertices, several in the lanes of a vector |
//!
//! # What is proven
//!
//! | vertex | bracket | outcome |
//! | --- | --- | --- |
//! | outside a convex body | closed at the tolerance | [`Outcome::Certified`](crate::Outcome::Certified) |
//! | outside a body that is not convex | closed at the tolerance, where the slabs of the pair query close it | `Certified`, otherwise [`Outcome::Converged`](crate::Outcome::Converged) |
//! | inside a convex body | closed at the tolerance, unless 512 directions do not suffice, with [`DepthMode::Certified`](crate::DepthMode::Certified) 2048 | `Certified`, nearly always |
//! | inside a body that is not convex | true, open | `Converged` |
//!
//! A bracket bounds the least distance over the whole surface. A converged answer is a stationary
//! point, the nearest of those that Newton's method found from several starts.
//!
//! Vertices in planes of symmetry and at the centre can have several nearest surface points; which one is
//! returned is deterministic but otherwise unspecified.
//!
//! Exponents within 1e-6 of 0 or 2 are accepted but never certified, as for pairs.
//!
//! ```
//! use nalgebra::{Isometry3, Point3};
//! use superovoid::{VertexOptions, Superovoid, vertex_contact};
//!
//! let body = Superovoid::superellipsoid([1.0, 1.0, 0.5], [0.5, 0.5])?;
//! let (pose, point) = (Isometry3::translation(0.0, 0.0, 2.0), Point3::new(0.0, 0.0, 3.0));
//! let answer = vertex_contact(&body, &pose, &point, &VertexOptions::default())?;
//! assert!((answer.distance - 0.5).abs() < 1e-12);
//! assert!((answer.point_a - Point3::new(0.0, 0.0, 2.5)).norm() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod batch;
pub(crate) mod bracket;
mod exact;
mod inside;
mod multi_start;
pub(crate) mod newton;
mod newton_lanes;
mod octant;
pub(crate) mod problem;
mod soa;
pub(crate) mod vertex_contact;
pub(crate) mod vertex_options;

pub(crate) use vertex_contact::vertex_contact;
pub(crate) use vertex_options::VertexOptions;
