//! What is known of a shape besides itself: a hull that holds it, balls that cover the hull, balls inside the shape, and
//! pieces of a mesh with hulls of their own. Each is made when it is first asked for, and kept.
//!
//! May import: nothing.

mod cover;
mod hull;
mod inner;
mod kept;
#[allow(clippy::module_inception)]
mod levels;
mod part;
mod pieces;

pub(crate) use hull::{Hull, Outline, hull_contact};
pub(crate) use kept::{Unfit, from_bytes, most_bytes, to_bytes};
pub(crate) use levels::Levels;
pub(crate) use part::Part;
