//! The polytope query: signed distance between a superovoid and a segment, triangle, box or hull of points.
//!
//! May import: `narrowphase`, `pair`, `query`, `shape`, `surface`, `vertex`.
//!
//! [`polytope_contact`] answers as the [pair query](crate::pair) does: signed distance, witness points, normal and a
//! bracket. Body A is the superovoid and B the polytope, the convex hull of a few vertices v. Its support function is
//! `h_B(n) = max n·v`, and all that follows from support functions of convex bodies holds unchanged: the signed
//! distance is the largest value over unit n of
//!
//! ```text
//! g(n) = min n·v − h_A(n),
//! ```
//!
//! which GJK finds, of an ellipsoid with Newton's method on the vertices that it is at, or an expanding polytope where the
//! bodies overlap, and which is then sharpened on the vertex, edge or face that is touched. Cutting planes and a branch and
//! bound answer what these leave open.
//!
//! Of triangles most answers need no search: where the support point lies over the triangle its plane is the answer,
//! with a proof also where they overlap.
//!
//! A segment or triangle has no interior: its depth is the length of the least translation that separates it from the
//! body, past one of its own sides or past its border.
//!
//! | superovoid | bracket | outcome |
//! | --- | --- | --- |
//! | convex, apart or touching | closed at the tolerance | [`Certified`](crate::Outcome::Certified) |
//! | convex, overlapping a triangle past its side only | closed at rounding | `Certified` |
//! | convex, overlapping, [`DepthMode::Fast`](crate::DepthMode::Fast) | closed at the tolerance in most cases, or true and open | `Certified` or [`Converged`](crate::Outcome::Converged); `NotConverged`, the distance being the lower bound, where no witnesses were found at the depth (polytopes a million times as large as the superovoid) |
//! | convex, overlapping, [`DepthMode::Certified`](crate::DepthMode::Certified) | closed at 1e-6 of the body, or at the tolerance if that is larger; open if 1024 points and 2048 directions did not suffice | `Certified` or `Converged` |
//! | not convex, apart | closed at the tolerance, of the true body; open if 600 slabs did not suffice (strong tapers of pointed or box-like bodies, polytopes a million times as large) | `Certified` or `NotConverged` |
//! | not convex, overlapping | true, open | `Converged`: the depth of the superovoid's hull, whose witness is on the true surface; [`NotConverged`](crate::Outcome::NotConverged) where the hull spans a hollow there |
//!
//! The tolerance is relative to the superovoid. The default is 1e-9 of its largest semi-axis, or the rounding of the
//! coordinates if that is larger: 3e-14 of the distance between the origins of the two frames and 6e-14 of the
//! largest coordinate of a vertex in its own frame. So a polytope that is 20,000 times as large as the superovoid, or
//! as far from its frame's origin, has a wider bracket. Nearly degenerate triangles can be left
//! `NotConverged`, with a true bracket.
//!
//! Where a face of the polytope lies on a nearly flat face of the superovoid the witnesses are one
//! facing pair of many.

mod face;
mod feature;
mod polytope_contact;
mod problem;
mod query;
pub(crate) mod shapes;
mod slabs;

#[cfg(feature = "bvh")]
pub(crate) use polytope_contact::face_contact;
pub use polytope_contact::polytope_contact;
pub use shapes::{ConvexHull, Cuboid, Polytope, PolytopeError, Segment, Triangle};
