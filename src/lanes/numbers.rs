//! The trait of numbers that are worked on side by side, and single numbers as one lane.

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// Numbers that are worked on side by side, each by itself.
///
/// They are of double precision, but for `Single`, whose functions are as accurate as single
/// precision is.
///
/// Zeros keep their signs and nothing is reassociated, but `a.mul_add(b, c)` is rounded once or
/// twice, whatever is faster; so the last bits depend on the processor, and on nothing else.
pub trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    /// The mask holds one truth value for each lane.
    type Mask: Copy
        + BitAnd<Output = Self::Mask>
        + BitOr<Output = Self::Mask>
        + Not<Output = Self::Mask>;

    /// The number that replaces smaller ones in divisions.
    const TINY: f64 = 1e-290;

    /// Returns lanes that all hold the number x. `self` only tells the kind of lanes.
    fn splat(self, x: f64) -> Self;
    /// Returns `self · b + c`.
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// Returns `self · b − c`.
    fn mul_sub(self, b: Self, c: Self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// If one of the two is NaN, either may be returned.
    fn max(self, other: Self) -> Self;
    /// If one of the two is NaN, either may be returned.
    fn min(self, other: Self) -> Self;
    /// Returns the size of `self` with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;
    /// The mask is true where `self < other`, and false where one of the two is NaN.
    fn lt(self, other: Self) -> Self::Mask;
    /// Each lane is that of `yes` where the mask is true, and otherwise that of `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Whether the mask is true in every lane.
    fn all(mask: Self::Mask) -> bool;
    /// The logarithm log₂ of positive normal numbers is right to about one unit in the last place.
    fn log2(self) -> Self;
    /// The power 2^x is right to about one unit in the last place for |x| < 2^51. The integer nearest to x is limited
    /// to the range from −52 to 1000; the rest of x is not.
    fn exp2(self) -> Self;
    /// This log₂ has an absolute error of at most 2e-4.
    fn log2_approx(self) -> Self;
    /// This 2^x has a relative error of at most 5e-4 and is 1 for 0. It is limited as [`Lanes::exp2`] is.
    fn exp2_approx(self) -> Self;

    /// Returns |x|^k for k ≥ 0 and |x| of the order of 1 or less. The result is at least 2^−52.5, and an x below the
    /// normal numbers counts as 2^−1022 or 2^−1023. The relative error, 2 k |log₂ x| units in the last place, is large
    /// only where the power itself is negligible.
    fn abs_pow(self, k: Self) -> Self;
    /// This is [`Lanes::abs_pow`] with a relative error of at most 2e-4 k + 5e-4.
    #[inline(always)]
    fn abs_pow_approx(self, k: Self) -> Self {
        self.abs_pow(k)
    }

    /// Takes [`Lanes::abs_pow`] of x and of y, in one vector where the processor has one that is wide enough.
    #[inline(always)]
    fn abs_pow_pair(x: Self, y: Self, k: Self) -> (Self, Self) {
        (x.abs_pow(k), y.abs_pow(k))
    }

    /// Takes the function of both numbers, as [`Lanes::abs_pow_pair`] does.
    #[inline(always)]
    fn abs_pow_approx_pair(x: Self, y: Self, k: Self) -> (Self, Self) {
        (x.abs_pow_approx(k), y.abs_pow_approx(k))
    }

    /// Takes the function of both numbers, as [`Lanes::abs_pow_pair`] does.
    #[inline(always)]
    fn log2_approx_pair(x: Self, y: Self) -> (Self, Self) {
        (x.log2_approx(), y.log2_approx())
    }

    /// Takes the function of both numbers, as [`Lanes::abs_pow_pair`] does.
    #[inline(always)]
    fn exp2_approx_pair(x: Self, y: Self) -> (Self, Self) {
        (x.exp2_approx(), y.exp2_approx())
    }

    /// Returns 1/self.
    #[inline(always)]
    fn recip(self) -> Self {
        self.splat(1.0) / self
    }
}

/// Lanes in two groups: those of body A and those of body B.
pub trait Paired: Lanes {
    /// The lanes of one group, and any others.
    type Group: Lanes;

    /// Exchanges the two groups.
    fn swapped(self) -> Self;
    fn paired(a: Self::Group, b: Self::Group) -> Self;
    /// Returns A's group.
    fn of_a(self) -> Self::Group;
}

/// Lanes that are two of another kind side by side.
pub trait Halves: Lanes {
    type Half: Lanes;

    /// Puts two halves side by side. `self` only tells the kind of lanes.
    fn join(self, low: Self::Half, high: Self::Half) -> Self;
    fn halves(self) -> (Self::Half, Self::Half);
}

/// Returns a mask that is true where all of the numbers are finite: 0·x is NaN for those that are not.
#[inline(always)]
pub fn all_finite<V: Lanes, const N: usize>(numbers: &[V; N]) -> V::Mask {
    let mut zero = numbers[0] * 0.0;
    for x in &numbers[1..] {
        zero = zero + *x * 0.0;
    }
    zero.lt(zero.splat(1.0))
}
