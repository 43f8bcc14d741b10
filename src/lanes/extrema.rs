//! The lesser and the greater of two vectors' lanes, where either may be returned if one of the two is NaN.
//!
//! The crate `fearless_simd` takes the processor's own instructions. But those of WebAssembly that it has for this,
//! `f64x2.min` and its like, return NaN for NaN and tell zeros apart, which takes an x86 eight instructions; the
//! pseudo-minimum `f64x2.pmin` is one instruction, that of x86.

use fearless_simd::prelude::*;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use {core::arch::wasm32::*, fearless_simd::Simd};

/// Vectors with a lesser and a greater one.
pub(super) trait Extrema: Sized {
    fn lesser(self, other: Self) -> Self;
    fn greater(self, other: Self) -> Self;
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
macro_rules! extrema {
    ($($vector:ident),+) => {
        $(impl<S: fearless_simd::Simd> Extrema for fearless_simd::$vector<S> {
            #[inline(always)]
            fn lesser(self, other: Self) -> Self {
                SimdBase::min(self, other)
            }

            #[inline(always)]
            fn greater(self, other: Self) -> Self {
                SimdBase::max(self, other)
            }
        })+
    };
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
extrema!(f64x2, f64x4, f64x8, f32x4, f32x8, f32x16);

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
macro_rules! of_the_machine {
    ($vector:ident, $lesser:ident, $greater:ident, $extract:ident, [$($lane:ident $k:literal),+]) => {
        impl<S: Simd> Extrema for fearless_simd::$vector<S> {
            #[inline(always)]
            fn lesser(self, other: Self) -> Self {
                let [a, b] = [self, other].map(|v| {
                    let [$($lane),+] = v.to_array();
                    $vector($($lane),+)
                });
                let found = $lesser(a, b);
                [$($extract::<$k>(found)),+].simd_into(self.simd)
            }

            #[inline(always)]
            fn greater(self, other: Self) -> Self {
                let [a, b] = [self, other].map(|v| {
                    let [$($lane),+] = v.to_array();
                    $vector($($lane),+)
                });
                let found = $greater(a, b);
                [$($extract::<$k>(found)),+].simd_into(self.simd)
            }
        }
    };
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
of_the_machine!(f64x2, f64x2_pmin, f64x2_pmax, f64x2_extract_lane, [a 0, b 1]);
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
of_the_machine!(f32x4, f32x4_pmin, f32x4_pmax, f32x4_extract_lane, [a 0, b 1, c 2, d 3]);

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
macro_rules! by_halves {
    ($($vector:ident),+) => {
        $(impl<S: Simd> Extrema for fearless_simd::$vector<S> {
            #[inline(always)]
            fn lesser(self, other: Self) -> Self {
                let ((a, b), (c, d)) = (self.split(), other.split());
                a.lesser(c).combine(b.lesser(d))
            }

            #[inline(always)]
            fn greater(self, other: Self) -> Self {
                let ((a, b), (c, d)) = (self.split(), other.split());
                a.greater(c).combine(b.greater(d))
            }
        })+
    };
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
by_halves!(f64x4, f64x8, f32x8, f32x16);
