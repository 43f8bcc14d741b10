//! Vectors of double precision as lanes.

use crate::lanes::extrema::Extrema;
use crate::lanes::numbers::{Halves, Lanes, Paired};
use crate::lanes::power;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x2, f64x4, f64x8};

macro_rules! lanes {
    ($vector:ident $(, $both:ident)?) => {
        impl<S: Simd> Lanes for $vector<S> {
            type Mask = <Self as SimdBase<S>>::Mask;

            #[inline(always)]
            fn splat(self, x: f64) -> Self {
                <Self as SimdBase<S>>::splat(self.simd, x)
            }

            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                SimdFloat::mul_add(self, b, c)
            }

            #[inline(always)]
            fn mul_sub(self, b: Self, c: Self) -> Self {
                SimdFloat::mul_sub(self, b, c)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                SimdBase::abs(self)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                SimdFloat::sqrt(self)
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                self.greater(other)
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                self.lesser(other)
            }

            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                SimdFloat::copysign(self, sign)
            }

            #[inline(always)]
            fn lt(self, other: Self) -> Self::Mask {
                self.simd_lt(other)
            }

            #[inline(always)]
            fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
                mask.select(yes, no)
            }

            #[inline(always)]
            fn all(mask: Self::Mask) -> bool {
                mask.all_true()
            }

            #[inline(always)]
            fn log2(self) -> Self {
                let (exponent, mantissa) = power::split!(self);
                power::log2_times(exponent, mantissa, self.splat(1.0))
            }

            #[inline(always)]
            fn exp2(self) -> Self {
                let (shifted, fraction) = power::round(self);
                power::scale!(power::exp2(fraction), shifted)
            }

            #[inline(always)]
            fn log2_approx(self) -> Self {
                let (exponent, mantissa) = power::split!(self);
                power::log2_approx_times(exponent, mantissa, self.splat(1.0))
            }

            #[inline(always)]
            fn exp2_approx(self) -> Self {
                let (shifted, fraction) = power::round(self);
                power::scale!(power::exp2_approx(fraction), shifted)
            }

            #[inline(always)]
            fn abs_pow(self, k: Self) -> Self {
                let (exponent, mantissa) = power::split!(SimdBase::abs(self));
                Lanes::exp2(power::log2_times(exponent, mantissa, k))
            }

            #[inline(always)]
            fn abs_pow_approx(self, k: Self) -> Self {
                let (exponent, mantissa) = power::split!(SimdBase::abs(self));
                Lanes::exp2_approx(power::log2_approx_times(exponent, mantissa, k))
            }

            $($both!();)?
        }
    };
}

macro_rules! both {
    () => {
        #[inline(always)]
        fn abs_pow_pair(x: Self, y: Self, k: Self) -> (Self, Self) {
            x.combine(y).abs_pow(k.combine(k)).split()
        }

        #[inline(always)]
        fn abs_pow_approx_pair(x: Self, y: Self, k: Self) -> (Self, Self) {
            x.combine(y).abs_pow_approx(k.combine(k)).split()
        }

        #[inline(always)]
        fn log2_approx_pair(x: Self, y: Self) -> (Self, Self) {
            x.combine(y).log2_approx().split()
        }

        #[inline(always)]
        fn exp2_approx_pair(x: Self, y: Self) -> (Self, Self) {
            x.combine(y).exp2_approx().split()
        }
    };
}

lanes!(f64x2, both);
lanes!(f64x4, both);
lanes!(f64x8);

impl<S: Simd> Paired for f64x2<S> {
    /// The first lane is the only one that counts.
    type Group = Self;

    #[inline(always)]
    fn swapped(self) -> Self {
        self.slide::<1>(self)
    }

    #[inline(always)]
    fn paired(a: Self, b: Self) -> Self {
        a.zip_low(b)
    }

    #[inline(always)]
    fn of_a(self) -> Self {
        self
    }
}

impl<S: Simd> Halves for f64x2<S> {
    type Half = f64;

    #[inline(always)]
    fn join(self, low: f64, high: f64) -> Self {
        [low, high].simd_into(self.simd)
    }

    #[inline(always)]
    fn halves(self) -> (f64, f64) {
        let [low, high] = self.to_array();
        (low, high)
    }
}

impl<S: Simd> Halves for f64x4<S> {
    type Half = f64x2<S>;

    #[inline(always)]
    fn join(self, low: f64x2<S>, high: f64x2<S>) -> Self {
        low.combine(high)
    }

    #[inline(always)]
    fn halves(self) -> (f64x2<S>, f64x2<S>) {
        self.split()
    }
}

impl<S: Simd> Halves for f64x8<S> {
    type Half = f64x4<S>;

    #[inline(always)]
    fn join(self, low: f64x4<S>, high: f64x4<S>) -> Self {
        low.combine(high)
    }

    #[inline(always)]
    fn halves(self) -> (f64x4<S>, f64x4<S>) {
        self.split()
    }
}

/// Returns the lanes as an array.
#[inline(always)]
pub fn to_array<S: Simd, V: SimdBase<S>>(v: V) -> V::Array {
    v.to_array()
}
