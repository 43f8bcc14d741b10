//! A single number as one lane.

use super::numbers::Lanes;
use super::power;

impl Lanes for f64 {
    type Mask = bool;

    #[inline(always)]
    fn splat(self, x: f64) -> f64 {
        x
    }

    // A call where the processor has no fused operation, so never that one.
    #[inline(always)]
    fn mul_add(self, b: f64, c: f64) -> f64 {
        self * b + c
    }

    #[inline(always)]
    fn mul_sub(self, b: f64, c: f64) -> f64 {
        self * b - c
    }

    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }

    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn max(self, other: f64) -> f64 {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn min(self, other: f64) -> f64 {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn copysign(self, sign: f64) -> f64 {
        f64::copysign(self, sign)
    }

    #[inline(always)]
    fn lt(self, other: f64) -> bool {
        self < other
    }

    #[inline(always)]
    fn select(mask: bool, yes: f64, no: f64) -> f64 {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn all(mask: bool) -> bool {
        mask
    }

    #[inline(always)]
    fn log2(self) -> f64 {
        f64::log2(self)
    }

    #[inline(always)]
    fn exp2(self) -> f64 {
        f64::exp2(self.clamp(power::LEAST, power::MOST))
    }

    #[inline(always)]
    fn log2_approx(self) -> f64 {
        f64::log2(self)
    }

    #[inline(always)]
    fn exp2_approx(self) -> f64 {
        Lanes::exp2(self)
    }

    #[inline(always)]
    fn abs_pow(self, k: f64) -> f64 {
        Lanes::exp2(k * f64::log2(self.abs().max(f64::MIN_POSITIVE)))
    }
}
