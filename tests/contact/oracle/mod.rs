//! An independent oracle of contact answers.
//!
//! Nothing here calls the library's surface or solver: the seven numbers of a shape are copied
//! out through the public getters and everything else is derived again from the definition of
//! the body, by methods chosen for being obviously right rather than fast (dense sampling and
//! derivative-free refinement). `oracle_selftest.rs` tests this module against closed
//! forms and brute force.
//!
//! - [`body`]: the shape, its inside test, surface error, parametric surface, support function.
//! - [`search`]: the gap function of a placed pair and the global search for its maximum.
//! - [`convexity`]: convexity by brute force, with a witness.
//! - [`nearest`]: the nearest surface point by brute force.
//! - [`exact`]: pairs whose distance has a closed form.
//! - [`boxes`]: boxes by brute force over their features.
//! - [`mod@line`]: the gauge along a straight line.
//! - [`verdict`]: everything that must hold of an answer.

// `tests/allocations.rs` uses only a part of this module.
#![allow(dead_code, unused_imports)]

pub mod body;
pub mod boxes;
pub mod convexity;
pub mod exact;
pub mod line;
pub mod minimise;
pub mod nearest;
pub mod polytope;
pub mod search;
pub mod verdict;

pub use body::{Body, Shape};
pub use nearest::Nearest;
pub use search::{Effort, Pair, Placed};
pub use verdict::{Finding, check, check_with, examine};
