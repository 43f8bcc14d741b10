//! Arithmetic on several numbers at once.
//!
//! May import: nothing.
//!
//! The evaluation of a surface point is the same for both bodies of a pair, and for every pair of a
//! batch. It is written once, for any type that is [`Lanes`]: a single number, or a vector of numbers
//! that the processor works on together (crate `fearless_simd`: SSE2, AVX2, AVX-512, NEON, chosen at
//! run time). Functions on lanes are `#[inline(always)]`, so that they end up inside the one function
//! that was compiled for the processor's instructions; [`dispatch`] calls it. A closure that is
//! called twice, or passed to `map`, need not end up there, and is then several times slower.
//!
//! A single query holds both circles of both bodies in four lanes, of which two bodies' vectors are one half:
//!
//! ```text
//! f64x4   [ A.section | B.section | A.profile | B.profile ]     circles: g, h, powers, tangents
//! f64x2   [ A         | B         ]                             vectors: x, y, z, normals, residuals
//! ```
//!
//! In a batch each of these lanes is a vector of its own, with a pair in each of its lanes ([`Two`]):
//!
//! ```text
//! Two(Two(A.section, B.section), Two(A.profile, B.profile))     each an f64x4 or f64x8 of pairs
//! ```

mod dispatch;
mod extrema;
mod level;
mod numbers;
mod power;
mod rows;
mod scalar;
mod single;
mod soa;
mod two;
mod vector3;
mod vectors;

pub(crate) use dispatch::dispatch_four_lanes;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use dispatch::four_lane_level;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub use dispatch::level;
pub use dispatch::{dispatch, on_level};
pub use level::{Piece, SimdLevel, SinglePiece, pieces};
pub use numbers::{Halves, Lanes, Paired, all_finite};
pub use rows::{RowColumn, RowLanes, RowRefs, Rows};
pub use single::ToSingle;
pub use soa::{MAX_LANES, SoaLanes};
pub use two::Two;
pub use vector3::{fused, scaled, select3, unfused};
pub use vectors::to_array;
