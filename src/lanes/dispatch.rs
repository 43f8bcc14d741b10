//! The choice of the processor's instructions at run time.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::Level;

/// Evaluates an expression with the token of the best instructions that this processor has.
///
/// The crate `fearless_simd` detects the instructions once in a process and remembers them. On x86 only SSE2, AVX2 and
/// AVX-512 are compiled: the levels between the first two would add a third to the time of compilation.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __superovoid_dispatch {
    ($token:ident => $call:expr) => {
        $crate::internals::on_level!($crate::internals::level(), $token => $call; Avx512 Avx2 Sse2)
    };
}

/// As [`dispatch`], but with AVX2 where the processor has AVX-512: for single queries, which work on four numbers at a
/// time. With AVX-512 the compiler joins two vectors of four into one of eight where it can, and among such products
/// Intel's processors take nearly twice as long for one of four or two: a cold pair takes 1.3 times as long.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! dispatch_four_lanes {
    ($token:ident => $call:expr) => {
        $crate::lanes::on_level!($crate::lanes::four_lane_level(), $token => $call; Avx2 Sse2)
    };
}

/// Evaluates an expression with the token of a level that is one of the listed ones, or none.
#[doc(hidden)]
#[macro_export]
macro_rules! __superovoid_on_level {
    ($level:expr, $token:ident => $call:expr; $($known:ident)*) => {
        match $level {
            $(fearless_simd::Level::$known($token) => {
                fearless_simd::Simd::vectorize($token, #[inline(always)] || $call)
            })*
            #[cfg(not(any(target_feature = "sse2", target_arch = "aarch64", target_feature = "simd128")))]
            fearless_simd::Level::Fallback($token) => {
                fearless_simd::Simd::vectorize($token, #[inline(always)] || $call)
            }
            _ => unreachable!("no level that is chosen"),
        }
    };
}

#[cfg(target_arch = "aarch64")]
#[doc(hidden)]
#[macro_export]
macro_rules! __superovoid_dispatch {
    ($token:ident => $call:expr) => {
        $crate::internals::on_level!(fearless_simd::Level::new(), $token => $call; Neon)
    };
}
#[cfg(target_feature = "simd128")]
#[doc(hidden)]
#[macro_export]
macro_rules! __superovoid_dispatch {
    ($token:ident => $call:expr) => {
        $crate::internals::on_level!(fearless_simd::Level::new(), $token => $call; WasmSimd128)
    };
}
#[cfg(not(any(
    target_arch = "x86",
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_feature = "simd128"
)))]
#[doc(hidden)]
#[macro_export]
macro_rules! __superovoid_dispatch {
    ($token:ident => $call:expr) => {
        $crate::internals::on_level!(fearless_simd::Level::new(), $token => $call;)
    };
}
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
pub(crate) use __superovoid_dispatch as dispatch_four_lanes;

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use dispatch_four_lanes;
pub use {__superovoid_dispatch as dispatch, __superovoid_on_level as on_level};

/// The best level that the processor has and the library was compiled for. The compiler's options `without_avx512` and
/// `without_avx2` lower it, by which `studies/compare/levels.sh` measures what each level is worth.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub fn level() -> Level {
    let best = Level::new();
    match best.as_avx512() {
        Some(avx512) if cfg!(not(without_avx512)) => Level::Avx512(avx512),
        _ => four_lane_level(),
    }
}

/// The best level without AVX-512.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) fn four_lane_level() -> Level {
    let best = Level::new();
    match best.as_avx2() {
        Some(avx2) if cfg!(not(without_avx2)) => Level::Avx2(avx2),
        _ => best.as_sse2().map_or(best, Level::Sse2),
    }
}
