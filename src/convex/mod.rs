//! Convex bodies by their support functions: balls, boxes, cylinders, capsules, cones, convex hulls and superovoids,
//! in any pair.
//!
//! May import: `narrowphase`, `pair`, `polytope`, `query`, `shape`, `superquadric`, `surface`, `vertex`.
//!
//! A [`ConvexShape`] is a core, swept by a ball whose radius is its margin: a ball is a swept point, a capsule a swept
//! segment; the other cores have no margin. With the support functions h and the offset c of the bodies, the signed
//! distance of convex bodies, apart or overlapping, is the largest value over unit n of
//!
//! ```text
//! g(n) = n·c − h_A(n) − h_B(−n),
//! ```
//!
//! where a margin r is a constant term −r. So [`convex_contact`] answers for the cores, and shifts the answer and its bracket
//! by the margins: capsules and balls are as exact as segments and points. Cores that are apart are solved by GJK (Gilbert,
//! Johnson and Keerthi 1988), with Newton's method on the rims, tips, vertices and ellipsoids that it has found, overlapping
//! cores by an expanding polytope (van den Bergen 2001) whose faces prove the depth over all directions, two boxes by their
//! separating axes (Gottschalk 1996), and what rounding leaves open, where cores all but touch, by cutting planes (Levin
//! 1965, Newman 1965).
//!
//! | pair | bracket | outcome |
//! | --- | --- | --- |
//! | cores apart or touching | closed at the tolerance, also where only the margins overlap | [`Certified`](crate::Outcome::Certified) |
//! | two overlapping boxes | closed at the tolerance | `Certified` |
//! | other overlapping cores, [`DepthMode::Fast`](crate::DepthMode::Fast) | closed at the tolerance in nearly every case; true, open where the depth is nearly the same in more directions than 96 points have faces | `Certified` or [`Converged`](crate::Outcome::Converged) |
//! | the same, [`DepthMode::Certified`](crate::DepthMode::Certified) | at least closed at 1e-6 of the larger body; open if 1024 directions did not suffice | `Certified` or `Converged` |
//! | a superovoid that is not convex and a cylinder or cone | the lower bound is that of the superovoid's hull, the upper one the distance of a point of the other body from the superovoid | `Certified`, `Converged` or `NotConverged` |
//!
//! The distance of a ball from a ball, box, cylinder, capsule, cone or triangle has a closed form, whose bracket is as wide as
//! rounding; so have two capsules, whose bracket is closed at the tolerance.
//!
//! With [`DepthMode::Any`](crate::DepthMode::Any) cores overlap where the line of their centres leaves the one after it enters the
//! other, where a witness of GJK is in the other core, or where a tetrahedron of support points proves it; two triangles where
//! the signs of determinants do.
//!
//! The default tolerance is 1e-9 of the largest half extent of both bodies. Two superovoids are solved by the
//! [pair query](crate::pair), and a superovoid and a box or hull by the [polytope query](crate::polytope).

mod ball;
mod boxes;
mod capsules;
mod convex_contact;
mod core;
mod face;
mod facing;
mod hull;
mod pipeline;
mod problem;
mod ray;
mod shape;
mod triangles;

pub use convex_contact::convex_contact;
#[doc(hidden)]
pub use convex_contact::ovoid_contact;
pub(crate) use face::{MOST_CORNERS, SupportingFace};
pub(crate) use ray::{Line, Stretch};
pub(crate) use shape::ScaledShape;
pub use shape::{ConvexKind, ConvexShape, ConvexShapeError};
