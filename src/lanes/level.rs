//! The vectors in which columns of numbers are worked on, which are those of the processor.
//!
//! A vector of more lanes than the processor's own is several of these side by side in every operation: functions on
//! eight lanes of SSE2 are four times as long, hold next to nothing in registers, and take the compiler as much longer.

use super::rows::RowLanes;
use super::single::Single;
use super::soa::{MAX_LANES, SoaLanes};
use fearless_simd::{Simd, f32x4, f64x2};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::{f32x8, f64x4, f64x8};

/// Instructions with the vectors for columns of [`MAX_LANES`] numbers, of which each is worked on piece after piece.
pub trait SimdLevel: Simd {
    type Piece: SoaLanes<Self> + RowLanes<Self, Number = f64>;
    /// The same in single precision.
    type SinglePiece: RowLanes<Self, Number = f32>;
}

/// The vector of double precision in which a column is worked on.
pub type Piece<S> = <S as SimdLevel>::Piece;
/// The vector of single precision in which a column is worked on.
pub type SinglePiece<S> = <S as SimdLevel>::SinglePiece;

macro_rules! level {
    ($level:ident: $piece:ident, $single:ident) => {
        impl SimdLevel for fearless_simd::$level {
            type Piece = $piece<Self>;
            type SinglePiece = Single<$single<Self>>;
        }
    };
}

#[cfg(not(any(
    target_feature = "sse2",
    target_arch = "aarch64",
    target_feature = "simd128"
)))]
level!(Fallback: f64x2, f32x4);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
level!(Sse2: f64x2, f32x4);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
level!(Avx2: f64x4, f32x8);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
level!(Avx512: f64x8, f32x8);
#[cfg(target_arch = "aarch64")]
level!(Neon: f64x2, f32x4);
#[cfg(target_feature = "simd128")]
level!(WasmSimd128: f64x2, f32x4);

/// Returns where the pieces of a column begin.
#[inline(always)]
pub fn pieces<S: SimdLevel>(_: S) -> impl Iterator<Item = usize> {
    (0..MAX_LANES).step_by(<Piece<S> as SoaLanes<S>>::WIDTH)
}
