//! The least penetration depth over all directions, by branch and bound on the sphere of directions.
//!
//! `entry` holds the searches that queries call, `search` the algorithm with its derivation, `bounds` the upper bounds
//! of g over cells, `metric` the angles by which cells of thin bodies are split, `precision` what is computed in single precision.

mod bounds;
mod entry;
mod initial_penetration;
mod metric;
mod precision;
mod search;

pub(crate) use entry::{certified, fast, fast_single, of_point, of_point_to_the_end};
pub(crate) use initial_penetration::InitialPenetration;
pub(crate) use precision::Evaluate;
pub(crate) use search::Signs;
