//! The pair query: signed distance, witness points, normal and a bracket that proves them.
//!
//! May import: `lanes`, `narrowphase`, `query`, `shape`, `surface`, `traits`.
//!
//! For convex bodies A and B with centres c_A, c_B and support functions h, every unit n gives a
//! lower bound of the signed distance,
//!
//! ```text
//! g(n) = n·(c_B − c_A) − h_A(n) − h_B(−n),
//! ```
//!
//! whose largest value *is* the signed distance; any two points of the bodies give an upper bound.
//! [`contact`] narrows the two until they meet: Newton's method first, cutting planes where it
//! fails, branch and bound for the least depth of overlaps, slabs for non-convex bodies. No stage
//! allocates, locks or reads a global, except that the process detects once which vector instructions the
//! processor has; with the same instructions the same inputs give the same bits on any thread.
//! [`contact_batch`](crate::contact_batch) answers many pairs several times faster. The module [`published`](crate::published) has
//! four published local methods, for comparison.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `pair_contact`, `input` | the entry of the query and the pair that it takes |
//! | `frames`, `problem`, `convex_pair` | the frames of a pair, the pair in units, and the pair by its support functions |
//! | `fast_path` | the one function, from poses to answer, that nearly every query takes |
//! | `pipeline` | the stages of a query, in their order |
//! | `newton/` | Newton's method for a stationary pair of points (`stationary`) |
//! | `certificate`, `world_certificate` | the bracket that the witness points prove by themselves |
//! | `local_depth` | local depths, and when one is presumed to be the least |
//! | `slabs` | non-convex bodies |
//! | `warm_start` | the cache of a pair, written after a query and read before the next one |
//! | `answer` | the assembly of an answer |
//! | `trace` | the iterates of a query, for pictures |
//! | `batch/` | many pairs, several in the lanes of a vector |
//!
//! # What is proven
//!
//! | bodies | bracket | outcome |
//! | --- | --- | --- |
//! | convex, apart or touching | closed at the tolerance | [`Outcome::Certified`](crate::Outcome::Certified) |
//! | convex, overlapping, no deeper than the least radii of curvature of untapered bodies with e ≤ 1 | closed at the tolerance | `Certified` |
//! | convex, overlapping otherwise, [`DepthMode::Fast`](crate::DepthMode::Fast) | true; open, or closed where a search was made and the curvature about the answer settles it | [`Outcome::Converged`](crate::Outcome::Converged) or `Certified` |
//! | convex, overlapping otherwise, [`DepthMode::Certified`](crate::DepthMode::Certified) | closed at 1e-6 of the larger body, or at the tolerance if that is larger; open if 2048 directions did not suffice | `Certified` or `Converged` |
//! | two spheres | closed at rounding | `Certified` |
//! | not convex, apart | closed at the tolerance, of the true bodies | `Certified` |
//! | not convex, overlapping | true, open: the hulls bound the depth | `Converged` |
//!
//! A tolerance below the rounding error of the inputs (a few 1e-15 of the centre distance and the
//! bodies' sizes) is raised to it. A negative distance is only ever reported with a common point
//! proven to exist, a positive lower bound only with a separating plane (or a covering of slabs)
//! found. [`Outcome::NotConverged`](crate::Outcome::NotConverged) means that neither was: its bracket is still true, and while that
//! contains 0 the reported distance is its lower end, so that nothing in doubt reads as free.
//!
//! Exponents within 1e-6 of 0 or 2 are accepted, but rounding spoils their powers: such pairs are
//! never certified and keep the bracket of the spheres about and in them.
//!
//! The depth of overlapping *non-convex* bodies is that of a stationary pair of their true surfaces;
//! moving B by it along the normal need not separate them. Moving B by `−lower` along the normal
//! does: that separates their hulls.
//!
//! # Special cases
//!
//! - **Touching**: the bracket contains 0, the distance is 0 to within it, and the normal is the common one.
//! - **Parallel faces, parallel ridges**: distance and normal are unique; the witnesses are one facing pair of
//!   the many.
//! - **Ridge on ridge**: the normal is perpendicular to both.
//! - **Concentric, one inside the other, identical**: the depth is the least translation that separates the
//!   bodies, as always. Symmetric pairs have several; which one is returned is deterministic
//!   but otherwise unspecified. Two concentric spheres separate along A's z axis.
//! - **Coaxial bodies of revolution and nearly round concentric bodies** tie along a whole circle or
//!   sphere of directions: the least depth is found, but certified mode may reach its cap.

pub(crate) mod answer;
pub(crate) mod batch;
pub(crate) mod certificate;
mod convex_pair;
mod fast_path;
mod frames;
pub(crate) mod input;
pub(crate) mod local_depth;
pub(crate) mod newton;
pub(crate) mod pair_contact;
pub(crate) mod pipeline;
pub(crate) mod problem;
pub(crate) mod slabs;
mod stationary;
#[cfg(feature = "unstable")]
mod trace;
pub(crate) mod warm_start;
mod world_certificate;

pub(crate) use pair_contact::contact;
#[cfg(feature = "unstable")]
pub use trace::{ContactIterate, ContactStage, ContactTrace, contact_trace};
pub(crate) use warm_start::PairCache;
