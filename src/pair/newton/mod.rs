//! Newton's method for a stationary pair of surface points: opposed normals, and a difference along them.
//!
//! `system` derives and assembles the linear system, `solve` iterates it, `ellipsoids` is the method of two
//! unknowns for pairs of ellipsoids.

pub(super) mod ellipsoids;
pub(super) mod solve;
pub(super) mod system;

pub(crate) use solve::{PairStart, solve};
