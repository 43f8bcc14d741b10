//! Several enclosing bodies that cover the hull of a mesh.
//!
//! The hull is cut into convex cells by planes, the cell whose body adds most volume first, and each cell is enclosed on
//! its own; so the bodies together hold the whole hull, not only the vertices. A concave mesh is also tried by the parts
//! of [`crate::parts`], which together hold its surface and leave hollows out. How many bodies there are is chosen by the
//! volume of their union.

mod cell;
mod choice;
mod enclose;
mod split;
mod union;

pub(crate) use choice::fit_covers;
pub use choice::{Cover, fit_cover};
