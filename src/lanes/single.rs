//! Lanes of single precision, twice as many to a vector: for steps that are far from a solution, whose error is not
//! seen in the answer.

use super::extrema::Extrema;
use super::numbers::Lanes;
use super::power::{self, pair};
use super::two::Two;
use core::ops::{Add, Div, Mul, Neg, Sub};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, SimdNarrow, SimdWiden, f32x4, f32x8, f32x16, f64x2, f64x4, f64x8};

/// A vector of single precision. Arguments that are single numbers are of double precision, as in all lanes.
#[derive(Clone, Copy)]
pub struct Single<T>(pub(super) T);

macro_rules! operator {
    ($trait:ident, $function:ident, $operator:tt) => {
        impl<T: $trait<Output = T>> $trait for Single<T> {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Single(self.0 $operator other.0)
            }
        }
    };
    ($trait:ident, $function:ident, $operator:tt, f64) => {
        operator!($trait, $function, $operator);

        impl<T: $trait<f32, Output = T>> $trait<f64> for Single<T> {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: f64) -> Self {
                Single(self.0 $operator other as f32)
            }
        }
    };
}

operator!(Add, add, +, f64);
operator!(Sub, sub, -, f64);
operator!(Mul, mul, *, f64);
operator!(Div, div, /);

impl<T: Neg<Output = T>> Neg for Single<T> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Single(-self.0)
    }
}

/// The bits of √½, where the mantissas start, and of 1.
const SQRT_HALF: u32 = 0x3F35_04F3;
const ONE: u32 = 0x3F80_0000;
const MANTISSA: u32 = (1 << 23) - 1;
/// The number 2^23, whose last bits hold an integer.
const TWO_23: f32 = 8_388_608.0;
/// The number that rounds to an integer, positive or negative, when it is added and taken away again.
const ROUND: f64 = 1.5 * TWO_23 as f64;
/// The bounds of exponents, as those of double precision in [`power`].
const LEAST: f64 = -24.0;
const MOST: f64 = 120.0;

/// Splits `2^k m` with m in [√½, √2) into k, and m − 1 = f as in `log₂ m = f (c₀ + c₁ f + …)`.
macro_rules! split {
    ($x:expr) => {{
        let moved = $x.to_bits() + (ONE - SQRT_HALF);
        let magic: Self = Single(SimdFloat::from_bits((moved >> 23) | TWO_23.to_bits()));
        let mantissa: Self = Single(SimdFloat::from_bits((moved & MANTISSA) + SQRT_HALF));
        (magic - (f64::from(TWO_23) + 127.0), mantissa - 1.0)
    }};
}

/// The sum is right to 3e-7, and its product with f to 7e-8.
#[inline(always)]
fn log2_sum<V: Lanes>(f: V) -> V {
    const C: [f64; 8] = [
        1.442_694_838_597_384_3,
        -0.721_354_784_794_998,
        0.480_936_458_357_308_6,
        -0.360_173_027_205_377_9,
        0.286_764_839_792_492_3,
        -0.249_229_099_622_904_65,
        0.236_439_032_643_025_54,
        -0.147_721_720_499_422_23,
    ];
    let f2 = f * f;
    let low = pair(f, C[2], C[3]).mul_add(f2, pair(f, C[0], C[1]));
    let high = pair(f, C[6], C[7]).mul_add(f2, pair(f, C[4], C[5]));
    high.mul_add(f2 * f2, low)
}

/// The sum is right to 1e-7, and 1 for 0.
#[inline(always)]
fn exp2_sum<V: Lanes>(f: V) -> V {
    const C: [f64; 6] = [
        1.0,
        0.693_146_978_802_241_7,
        0.240_222_423_664_526_7,
        0.055_507_322_996_359_08,
        0.009_671_499_634_418_637,
        0.001_326_511_990_434_486_6,
    ];
    let f2 = f * f;
    let low = pair(f, C[2], C[3]).mul_add(f2, pair(f, C[0], C[1]));
    pair(f, C[4], C[5]).mul_add(f2 * f2, low)
}

macro_rules! lanes {
    ($vector:ident) => {
        impl<S: Simd> Lanes for Single<$vector<S>> {
            type Mask = <$vector<S> as SimdBase<S>>::Mask;
            const TINY: f64 = 1e-30;

            #[inline(always)]
            fn splat(self, x: f64) -> Self {
                Single($vector::splat(self.0.simd, x as f32))
            }

            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                Single(SimdFloat::mul_add(self.0, b.0, c.0))
            }

            #[inline(always)]
            fn mul_sub(self, b: Self, c: Self) -> Self {
                Single(SimdFloat::mul_sub(self.0, b.0, c.0))
            }

            #[inline(always)]
            fn abs(self) -> Self {
                Single(SimdBase::abs(self.0))
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                Single(SimdFloat::sqrt(self.0))
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                Single(self.0.greater(other.0))
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Single(self.0.lesser(other.0))
            }

            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                Single(SimdFloat::copysign(self.0, sign.0))
            }

            #[inline(always)]
            fn lt(self, other: Self) -> Self::Mask {
                self.0.simd_lt(other.0)
            }

            #[inline(always)]
            fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
                Single(mask.select(yes.0, no.0))
            }

            #[inline(always)]
            fn all(mask: Self::Mask) -> bool {
                mask.all_true()
            }

            #[inline(always)]
            fn log2(self) -> Self {
                let (exponent, f) = split!(self.0);
                f.mul_add(log2_sum(f), exponent)
            }

            #[inline(always)]
            fn exp2(self) -> Self {
                let (shifted, fraction) = power::round_within(self, ROUND, [LEAST, MOST]);
                let sum = exp2_sum(fraction).0.to_bits();
                Single(SimdFloat::from_bits(sum + (shifted.0.to_bits() << 23)))
            }

            #[inline(always)]
            fn log2_approx(self) -> Self {
                self.log2()
            }

            #[inline(always)]
            fn exp2_approx(self) -> Self {
                self.exp2()
            }

            #[inline(always)]
            fn abs_pow(self, k: Self) -> Self {
                let (exponent, f) = split!(SimdBase::abs(self.0));
                (k * f).mul_add(log2_sum(f), k * exponent).exp2()
            }
        }
    };
}

lanes!(f32x4);
lanes!(f32x8);
lanes!(f32x16);

/// Lanes of which two are one vector in single precision.
pub trait ToSingle: Lanes {
    type Single: Lanes;

    fn to_f32(halves: [Self; 2]) -> Self::Single;
    fn to_f64(single: Self::Single) -> [Self; 2];

    #[inline(always)]
    fn pair_to_f32([v, w]: [&[Self; 2]; 2]) -> [Self::Single; 2] {
        [Self::to_f32([v[0], w[0]]), Self::to_f32([v[1], w[1]])]
    }

    #[inline(always)]
    fn vector_to_f32([v, w]: [&[Self; 3]; 2]) -> [Self::Single; 3] {
        [
            Self::to_f32([v[0], w[0]]),
            Self::to_f32([v[1], w[1]]),
            Self::to_f32([v[2], w[2]]),
        ]
    }

    /// Widens the circles of both bodies.
    #[inline(always)]
    fn wide_to_f64(single: Two<Two<Self::Single>>) -> [Two<Two<Self>>; 2] {
        let [[a, b], [c, d]] = [Self::to_f64(single.0.0), Self::to_f64(single.0.1)];
        let [[e, f], [g, h]] = [Self::to_f64(single.1.0), Self::to_f64(single.1.1)];
        [Two(Two(a, c), Two(e, g)), Two(Two(b, d), Two(f, h))]
    }
}

macro_rules! to_single {
    ($vector:ident, $single:ident) => {
        impl<S: Simd> ToSingle for $vector<S> {
            type Single = Single<$single<S>>;

            #[inline(always)]
            fn to_f32([first, second]: [Self; 2]) -> Self::Single {
                Single(SimdNarrow::narrow(first, second))
            }

            #[inline(always)]
            fn to_f64(single: Self::Single) -> [Self; 2] {
                SimdWiden::widen(single.0).into()
            }
        }
    };
}

to_single!(f64x2, f32x4);
to_single!(f64x4, f32x8);
to_single!(f64x8, f32x16);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{dispatch, to_array};

    fn powers_are_right<S: Simd>(simd: S) {
        let lanes = |x: f64| Single(f32x16::splat(simd, x as f32));
        let one = |v: Single<f32x16<S>>| {
            let all = to_array(v.0);
            assert_eq!(all.map(f32::to_bits), [all[0].to_bits(); 16]);
            f64::from(all[0])
        };
        for k in -24_000..24_000 {
            let exponent = f64::from(k) * 1e-3;
            let x = exponent.exp2();
            let exp2 = one(lanes(exponent).exp2()) / x - 1.0;
            assert!(exp2.abs() < 2e-6, "2^{exponent}: {exp2:e}");
            let log2 = one(lanes(x).log2()) - exponent;
            assert!(log2.abs() < 4e-6, "log2 2^{exponent}: {log2:e}");
        }
        for x in [1e-3, 0.2, 0.7, 0.999, 1.0, 1.4] {
            for k in [0.0, 0.3, 1.0, 4.7, 30.0] {
                let right = f64::powf(x, k).max((-24.0_f64).exp2());
                let power = one(lanes(-x).abs_pow(lanes(k))) / right - 1.0;
                let allowed = if right < 1e-7 { 0.5 } else { 2e-6 * (2.0 + k) };
                assert!(power.abs() < allowed, "{x}^{k}: {power:e}");
            }
        }
        assert_eq!(one(lanes(0.0).abs_pow(lanes(0.0))), 1.0);
        assert_eq!(one(lanes(0.0).exp2()), 1.0);
    }

    #[test]
    fn powers_are_right_to_single_precision() {
        dispatch!(simd => powers_are_right(simd));
    }

    /// Numbers keep their places on the way to single precision and back.
    fn lanes_are_where_they_were<S: Simd>(simd: S) {
        let eight = |from: f64| -> f64x8<S> {
            let numbers: [f64; 8] = std::array::from_fn(|k| from + k as f64);
            numbers.simd_into(simd)
        };
        let vectors = [1.0, 2.5, 100.0].map(eight);
        let others = [-7.0, 0.0, 1e5].map(eight);
        let [a, b, c] = f64x8::vector_to_f32([&vectors, &others]);
        let [d, e] = f64x8::pair_to_f32([&[vectors[0], vectors[1]], &[others[0], others[1]]]);
        let [one, other] = f64x8::wide_to_f64(Two(Two(a, b), Two(c, e)));
        let numbers = |v: Two<Two<f64x8<S>>>| [v.0.0, v.0.1, v.1.0, v.1.1].map(to_array);
        let [i, j, k] = vectors.map(to_array);
        assert_eq!(numbers(one), [i, j, k, j]);
        let [i, j, k] = others.map(to_array);
        assert_eq!(numbers(other), [i, j, k, j]);
        assert_eq!(f64x8::to_f64(d).map(to_array), [to_array(vectors[0]), i]);
    }

    #[test]
    fn lanes_keep_their_places() {
        dispatch!(simd => lanes_are_where_they_were(simd));
    }
}
