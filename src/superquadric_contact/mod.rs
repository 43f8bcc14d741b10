//! The contacts of superhyperboloids and supertoroids with points, planes, convex bodies and superovoids.
//!
//! May import: `convex`, `narrowphase`, `plane`, `query`, `shape`, `superquadric`, `surface`, `vertex`.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `pair`, `cup`, `plane` | pairs and planes |
//! | `point`, `inside` | points outside, and inside |
//! | `two` | the branch and bound over the parts of two bodies that are not convex |
//! | `search`, `foot` | the branch and bound over parts; Newton's method between facing points |

mod cup;
mod foot;
mod inside;
mod pair;
mod plane;
mod point;
mod search;
mod two;
