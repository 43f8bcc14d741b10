//! Published contact methods for superovoids and superellipsoids, reimplemented for comparison.
//!
//! May import: `narrowphase`, `pair`, `query`, `shape`, `surface`, `vertex`.
//!
//! The queries of [`pair`](crate::pair) and [`vertex`](crate::vertex) are the better choice in every
//! respect: they are faster, they leave nothing unsolved, and they prove their distances. The methods of
//! this module serve to compare with the literature and to reproduce published results.
//!
//! | function | query | source |
//! | --- | --- | --- |
//! | [`scheme_contact`] | superovoid and superovoid | Gonçalves, Bernardino, Jorge and Lopes, *Mechanism and Machine Theory* 115 (2017) |
//! | [`iterative_vertex_contact`] | superovoid and vertex | the iterative geometric method of an MSc thesis on superellipsoids and vertices (after 2017, for cloth and rigid bodies), extended to tapers |
//! | [`curvature_aware_vertex_contact`] | superovoid and vertex | the same with a step that takes the curvature into account, which its authors propose |
//! | [`radial_vertex_contact`] | superovoid and vertex | the radial distance (Jaklič, Leonardis and Solina 2000), extended to tapers |
//!
//! [`scheme_trace`] returns what a scheme goes through: the cells of its guess, and every iterate.
//!
//! Answers have the same form, frames and signs as those of the exact queries: a
//! [`Contact`](crate::Contact) in the world frame, in metres, with a bracket that is true whatever the
//! method found. A [`PairCache`](crate::PairCache) serves the schemes and the exact query alike.
//!
//! # The four schemes
//!
//! Each [`Scheme`] is an initial guess followed by damped Newton–Raphson on the common-normal equations,
//! for points P on A and Q on B with `d = Q − P`, normals n and tangents t, b:
//!
//! ```text
//! n_P·t_Q = 0,  n_P·b_Q = 0,  d·t_Q = 0,  d·b_Q = 0                       (18)
//! and, where the points are not on their surfaces anyway, F_i(P) = 0,  F_j(Q) = 0      (15)
//! ```
//!
//! | scheme | unknowns | equations | guess |
//! | --- | --- | --- | --- |
//! | [`Scheme::OctImplicit`] | 6 local coordinates | (15), Householder tangents | octree |
//! | [`Scheme::QuadImplicit`] | 6 local coordinates | (15), Householder tangents | quadtree |
//! | [`Scheme::QuadParametric`] | 4 surface angles | (18), parametric tangents | quadtree |
//! | [`Scheme::NtbParametric`] | 4 surface angles | (18), Householder tangents | quadtree |
//!
//! [`SchemeOptions::as_published`] runs a scheme as its authors published it instead: undamped, with one pair of cells
//! kept, one guess, and the answer believed. What follows is the default.
//!
//! The guess is the nearest pair of cells of two trees, one tree for each body. If the two cells lie in
//! the other body, or if Newton–Raphson leads nowhere from them, a second guess looks for the largest gap
//! between opposed normals instead: the nearest points of overlapping bodies are where the surfaces cross.
//!
//! The schemes are local methods. Their answers are verified and labelled, and otherwise left as they are:
//!
//! | result of the scheme | outcome |
//! | --- | --- |
//! | the bracket is closed at the tolerance | [`Outcome::Certified`] |
//! | a common point, opposed normals with the points' difference along them, of convex bodies equal to the gap along them, and no smaller depth along the centre line or a body's axis | [`Outcome::Converged`] |
//! | any other pair of points, such as a stationary pair of non-convex bodies apart, which need not be the nearest | [`Outcome::NotConverged`], with a true bracket |
//!
//! A `Converged` depth is stationary, but it is not always the least.
//!
//! Six errors of the papers' own implementation are not reproduced by default: an iterate beyond the tapered tip, an
//! iterate folded back at a pole, steps that overshoot, a NaN taken for convergence, the last iterate but
//! one returned, and one inside test where two are needed. As published, a NaN is no convergence and the last iterate
//! is returned; the other four are there. What the methods cannot do is not hidden.
//!
//! ```
//! use nalgebra::Isometry3;
//! use superovoid::{Outcome, Superovoid};
//! use superovoid::published::{Scheme, SchemeOptions, scheme_contact};
//!
//! let egg = Superovoid::new([0.02, 0.02, 0.03], [1.0, 1.0], [0.2, 0.2])?;
//! let ball = Superovoid::sphere(0.01)?;
//! let (here, there) = (Isometry3::identity(), Isometry3::translation(0.0, 0.0, 0.05));
//! let options = SchemeOptions { scheme: Scheme::NtbParametric, ..SchemeOptions::default() };
//! let answer = scheme_contact(&egg, &here, &ball, &there, &options, None)?;
//! assert_eq!(answer.outcome, Outcome::Certified);
//! assert!((answer.distance - 0.01).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod as_published;
mod front;
mod householder;
mod implicit;
mod iterative_vertex;
#[cfg(test)]
mod jacobian_test;
mod linear;
mod newton;
mod octree;
mod parametric;
mod quadtree;
mod radial_vertex;
mod scheme;
mod scheme_options;
mod trace;
mod verify;

#[cfg(doc)]
use crate::Outcome;

pub use iterative_vertex::{curvature_aware_vertex_contact, iterative_vertex_contact};
pub use radial_vertex::radial_vertex_contact;
pub use scheme::{scheme_contact, scheme_trace};
pub use scheme_options::{Division, Jacobian, Scheme, SchemeOptions};
pub use trace::{Attempt, CellExtent, GuessCell, Iterate, SchemeTrace};
