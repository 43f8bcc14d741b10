//! log₂ and 2^x on lanes.
//!
//! `log₂ x`: x = 2^k m with m in [√½, √2). With `y = (m − 1)/(m + 1)`, |y| ≤ 0.172,
//!
//! ```text
//! log₂ m = (2/ln 2) artanh y = y (c₀ + c₁ y² + c₂ y⁴ + …)
//! ```
//!
//! `2^x`: x = k + f with |f| ≤ ½ and 2^f a polynomial. Both polynomials are minimax (Remez) for the
//! relative error, 3e-18, so that only rounding is left; they are summed in pairs (Estrin), since
//! what counts is the length of the chain of dependent operations.

use super::numbers::Lanes;

/// The bits of √½, where the mantissas start.
pub(super) const SQRT_HALF: u64 = 0x3FE6_A09E_667F_3BCD;
/// The bits of 1.
pub(super) const ONE: u64 = 0x3FF0_0000_0000_0000;
pub(super) const MANTISSA: u64 = (1 << 52) - 1;
/// The number 2^52, whose last bits hold an integer.
pub(super) const TWO_52: f64 = 4_503_599_627_370_496.0;
/// The number that rounds to an integer, positive or negative, when it is added and taken away again.
const ROUND: f64 = 1.5 * TWO_52;

/// The least and the largest power of two that is a normal number and has a normal inverse.
pub(super) const LEAST_UNIT: f64 = f64::from_bits(2 << 52);
pub(super) const LARGEST_UNIT: f64 = f64::from_bits(2045 << 52);

/// Splits `x = 2^k m` into k, as a number, and m.
macro_rules! split {
    ($x:expr) => {{
        use fearless_simd::prelude::*;
        let x = $x;
        // Adding what is missing from √½ to 1 carries into the exponent where m would be √2 or more.
        let moved = x.to_bits() + (power::ONE - power::SQRT_HALF);
        let exponent = Self::from_bits((moved >> 52) | power::TWO_52.to_bits())
            - (power::TWO_52 + 1023.0);
        let mantissa = Self::from_bits((moved & power::MANTISSA) + power::SQRT_HALF);
        (exponent, mantissa)
    }};
}
pub(super) use split;

/// Returns `p 2^k` with k in the last bits of `shifted`.
macro_rules! scale {
    ($p:expr, $shifted:expr) => {{
        use fearless_simd::prelude::*;
        Self::from_bits($p.to_bits() + ($shifted.to_bits() << 52))
    }};
}
pub(super) use scale;

/// Returns `a + b x`.
#[inline(always)]
pub(super) fn pair<V: Lanes>(x: V, a: f64, b: f64) -> V {
    x.mul_add(x.splat(b), x.splat(a))
}

/// Returns `k log₂(2^exponent m)`: the product does not wait for the sum.
#[inline(always)]
pub(super) fn log2_times<V: Lanes>(exponent: V, m: V, k: V) -> V {
    const C: [f64; 8] = [
        2.885_390_081_777_926_8,
        0.961_796_693_925_989_9,
        0.577_078_016_345_440_8,
        0.412_198_585_857_111_55,
        0.320_598_533_339_873_3,
        0.262_334_430_957_594_84,
        0.220_911_145_419_241_95,
        0.213_677_779_339_458_2,
    ];
    let y = (m - 1.0) / (m + 1.0);
    let z = y * y;
    let z2 = z * z;
    let low = pair(z, C[2], C[3]).mul_add(z2, pair(z, C[0], C[1]));
    let high = pair(z, C[6], C[7]).mul_add(z2, pair(z, C[4], C[5]));
    // The largest term last, so that its rounding is the only one that is seen.
    (k * y).mul_add(high.mul_add(z2 * z2, low), k * exponent)
}

/// Returns an approximation of [`log2_times`], by `log₂ m = f (c₀ + c₁ f + …)` with f = m − 1: a division less.
#[inline(always)]
pub(super) fn log2_approx_times<V: Lanes>(exponent: V, m: V, k: V) -> V {
    const C: [f64; 4] = [
        1.440_447_542_354_499_6,
        -0.720_973_511_594_005_8,
        0.539_625_151_415_817_6,
        -0.389_946_717_845_468_35,
    ];
    let f = m - 1.0;
    let sum = pair(f, C[2], C[3]).mul_add(f * f, pair(f, C[0], C[1]));
    (k * f).mul_add(sum, k * exponent)
}

/// The bounds of the integer nearest to the x in 2^x. What is smaller than rounding beside 1 is not 0, so that the
/// curvature of a flat face stands above the rounding of its normal, and can be divided by.
pub(super) const LEAST: f64 = -52.0;
pub(super) const MOST: f64 = 1000.0;

#[inline(always)]
pub(super) fn round<V: Lanes>(x: V) -> (V, V) {
    round_within(x, ROUND, [LEAST, MOST])
}

/// Returns the nearest integer, within bounds, in the last bits of the first number, and what the integer itself
/// leaves, which need not wait for the bounds. `magic` rounds.
#[inline(always)]
pub(super) fn round_within<V: Lanes>(x: V, magic: f64, [least, most]: [f64; 2]) -> (V, V) {
    let shifted = x + magic;
    let fraction = x - (shifted - magic);
    let within = shifted
        .max(x.splat(magic + least))
        .min(x.splat(magic + most));
    (within, fraction)
}

#[inline(always)]
pub(super) fn exp2<V: Lanes>(f: V) -> V {
    const C: [f64; 12] = [
        1.0,
        std::f64::consts::LN_2,
        0.240_226_506_959_101_55,
        0.055_504_108_664_819_925,
        0.009_618_129_107_588_335,
        0.001_333_355_814_678_995,
        0.000_154_035_304_625_146_14,
        1.525_273_348_996_080_5e-5,
        1.321_543_308_959_463e-6,
        1.017_819_803_332_852_8e-7,
        7.074_105_626_245_659e-9,
        4.435_280_944_610_336_3e-10,
    ];
    let f2 = f * f;
    let f4 = f2 * f2;
    let low = pair(f, C[2], C[3]).mul_add(f2, pair(f, C[0], C[1]));
    let middle = pair(f, C[6], C[7]).mul_add(f2, pair(f, C[4], C[5]));
    let high = pair(f, C[10], C[11]).mul_add(f2, pair(f, C[8], C[9]));
    high.mul_add(f4, middle).mul_add(f4, low)
}

/// Returns an approximation of 2^f, exact for f = 0.
#[inline(always)]
pub(super) fn exp2_approx<V: Lanes>(f: V) -> V {
    const C: [f64; 4] = [
        1.0,
        0.695_766_831_087_625_2,
        0.242_030_511_921_659_45,
        0.041_698_749_209_935_26,
    ];
    pair(f, C[2], C[3]).mul_add(f * f, pair(f, C[0], C[1]))
}

#[cfg(test)]
mod tests {
    use crate::lanes::{Lanes, dispatch, to_array};
    use fearless_simd::{Simd, SimdFrom, f64x8};

    /// Returns the units in the last place between a value and the right one.
    fn ulps(value: f64, right: f64) -> f64 {
        (value - right).abs() / (right.abs() * f64::EPSILON).max(f64::MIN_POSITIVE)
    }

    fn in_lanes<S: Simd>(simd: S, x: f64, f: impl Fn(f64x8<S>) -> f64x8<S>) -> f64 {
        let lanes = to_array(f(f64x8::simd_from(simd, [x; 8])));
        assert_eq!(lanes.map(f64::to_bits), [lanes[0].to_bits(); 8]);
        lanes[0]
    }

    /// Returns numbers of every size with mantissas of every kind, those beside 1 among them.
    fn numbers() -> impl Iterator<Item = f64> {
        (-900..900).flat_map(|k| {
            let size = f64::from(k).exp2();
            let golden = (f64::from(k) * 0.618_033_988_749_894_9).rem_euclid(1.0);
            let near_one = 1.0 + f64::from(k) * 1e-6;
            [size, size * (1.0 + golden), near_one]
        })
    }

    #[test]
    fn log2_is_right_to_two_units() {
        dispatch!(simd => for x in numbers() {
            let value = in_lanes(simd, x, Lanes::log2);
            assert!(ulps(value, x.log2()) <= 2.0, "log2 {x:e}: {value:e}, {:e}", x.log2());
            let approximate = in_lanes(simd, x, Lanes::log2_approx);
            assert!((approximate - x.log2()).abs() < 2e-4, "log2 {x:e}: {approximate:e}");
        });
    }

    #[test]
    fn exp2_is_right_to_two_units() {
        dispatch!(simd => for k in -52_000..1_000_000 {
            let x = f64::from(k) * 1e-3;
            let value = in_lanes(simd, x, Lanes::exp2);
            assert!(ulps(value, x.exp2()) <= 2.0, "2^{x}: {value:e}, {:e}", x.exp2());
            let approximate = in_lanes(simd, x, Lanes::exp2_approx);
            assert!((approximate / x.exp2() - 1.0).abs() < 5e-4, "2^{x}: {approximate:e}");
        });
        dispatch!(simd => {
            assert_eq!(in_lanes(simd, 0.0, Lanes::exp2), 1.0);
            assert_eq!(in_lanes(simd, 0.0, Lanes::exp2_approx), 1.0);
            for x in [-52.4, -53.0, -1074.3, -1e9] {
                let least = in_lanes(simd, x, Lanes::exp2).log2();
                assert!((least + 52.0).abs() <= 0.5 + 1e-12, "2^{x}: 2^{least}");
            }
            assert!(in_lanes(simd, 1e9, Lanes::exp2).is_finite());
        });
    }

    #[test]
    fn powers_are_as_accurate_as_their_exponents_allow() {
        dispatch!(simd => for x in numbers().filter(|x| *x < 4.0) {
            for k in [0.0, 1e-3, 0.5, 1.0, 4.7, 98.0] {
                let right = x.powf(k);
                if right < 1e-15 || x < 1e-280 {
                    continue;
                }
                let value = in_lanes(simd, -x, |x| x.abs_pow(x.splat(k)));
                let allowed = 3.0 + 2.0 * k * x.log2().abs();
                assert!(ulps(value, right) <= allowed, "{x:e}^{k}: {value:e}, {right:e}");
            }
        });
    }
}
