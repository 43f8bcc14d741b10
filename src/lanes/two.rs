//! Two vectors as one: in a batch a lane is a pair, so its two bodies, and a body's two circles, are
//! side by side in vectors of their own.

use super::numbers::{Halves, Lanes, Paired};
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

#[derive(Clone, Copy)]
pub struct Two<T>(pub T, pub T);

macro_rules! operator {
    ($trait:ident, $function:ident, $operator:tt) => {
        impl<T: $trait<Output = T>> $trait for Two<T> {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Two(self.0 $operator other.0, self.1 $operator other.1)
            }
        }
    };
    ($trait:ident, $function:ident, $operator:tt, f64) => {
        operator!($trait, $function, $operator);

        impl<T: $trait<f64, Output = T>> $trait<f64> for Two<T> {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: f64) -> Self {
                Two(self.0 $operator other, self.1 $operator other)
            }
        }
    };
}

operator!(Add, add, +, f64);
operator!(Sub, sub, -, f64);
operator!(Mul, mul, *, f64);
operator!(Div, div, /);
operator!(BitAnd, bitand, &);
operator!(BitOr, bitor, |);

impl<T: Neg<Output = T>> Neg for Two<T> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Two(-self.0, -self.1)
    }
}

impl<T: Not<Output = T>> Not for Two<T> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Two(!self.0, !self.1)
    }
}

impl<V: Lanes> Lanes for Two<V> {
    type Mask = Two<V::Mask>;
    const TINY: f64 = V::TINY;

    #[inline(always)]
    fn splat(self, x: f64) -> Self {
        Two(self.0.splat(x), self.1.splat(x))
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        Two(self.0.mul_add(b.0, c.0), self.1.mul_add(b.1, c.1))
    }

    #[inline(always)]
    fn mul_sub(self, b: Self, c: Self) -> Self {
        Two(self.0.mul_sub(b.0, c.0), self.1.mul_sub(b.1, c.1))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Two(self.0.abs(), self.1.abs())
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Two(self.0.sqrt(), self.1.sqrt())
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Two(self.0.max(other.0), self.1.max(other.1))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Two(self.0.min(other.0), self.1.min(other.1))
    }

    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        Two(self.0.copysign(sign.0), self.1.copysign(sign.1))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Self::Mask {
        Two(self.0.lt(other.0), self.1.lt(other.1))
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Two(
            V::select(mask.0, yes.0, no.0),
            V::select(mask.1, yes.1, no.1),
        )
    }

    #[inline(always)]
    fn all(mask: Self::Mask) -> bool {
        V::all(mask.0 & mask.1)
    }

    #[inline(always)]
    fn log2(self) -> Self {
        Two(self.0.log2(), self.1.log2())
    }

    #[inline(always)]
    fn exp2(self) -> Self {
        Two(self.0.exp2(), self.1.exp2())
    }

    #[inline(always)]
    fn log2_approx(self) -> Self {
        Two(self.0.log2_approx(), self.1.log2_approx())
    }

    #[inline(always)]
    fn exp2_approx(self) -> Self {
        Two(self.0.exp2_approx(), self.1.exp2_approx())
    }

    #[inline(always)]
    fn abs_pow(self, k: Self) -> Self {
        Two(self.0.abs_pow(k.0), self.1.abs_pow(k.1))
    }
}

impl<V: Lanes> Paired for Two<V> {
    type Group = V;

    #[inline(always)]
    fn paired(a: V, b: V) -> Self {
        Two(a, b)
    }

    #[inline(always)]
    fn of_a(self) -> V {
        self.0
    }

    #[inline(always)]
    fn swapped(self) -> Self {
        Two(self.1, self.0)
    }
}

impl<V: Lanes> Halves for Two<V> {
    type Half = V;

    #[inline(always)]
    fn join(self, low: V, high: V) -> Self {
        Two(low, high)
    }

    #[inline(always)]
    fn halves(self) -> (V, V) {
        (self.0, self.1)
    }
}
