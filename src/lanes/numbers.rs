//! The trait of numbers that are worked on together, and plain numbers as one lane.

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// Numbers that are worked on together, each by itself: of double precision, but for [`narrow::Narrow`], whose
/// functions are as accurate as single precision is.
///
/// Zeros keep their signs and nothing is reassociated, but `a.mul_add(b, c)` is rounded once or
/// twice, whatever is faster; so the last bits depend on the processor, and on nothing else.
pub(crate) trait Lanes:
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
    /// One truth value a lane.
    type Mask: Copy
        + BitAnd<Output = Self::Mask>
        + BitOr<Output = Self::Mask>
        + Not<Output = Self::Mask>;

    /// The same number in every lane; `self` only says which kind of lanes.
    fn splat(self, x: f64) -> Self;
    /// `self · b + c`.
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// `self · b − c`.
    fn mul_sub(self, b: Self, c: Self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// Of a NaN and a number, either.
    fn max(self, other: Self) -> Self;
    /// Of a NaN and a number, either.
    fn min(self, other: Self) -> Self;
    /// The size of `self` with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;
    /// Where `self < other`; nowhere if a NaN is among them.
    fn lt(self, other: Self) -> Self::Mask;
    /// Lane by lane `yes` where the mask is true, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Whether the mask is true in every lane.
    fn all(mask: Self::Mask) -> bool;
    /// log₂ of positive normal numbers, to about one unit in the last place.
    fn log2(self) -> Self;
    /// 2^x to about one unit in the last place, |x| < 2^51; the nearest integer is taken to be at least −52 and
    /// at most 1000, what is left of x remains.
    fn exp2(self) -> Self;
    /// log₂ to 2e-4, absolute.
    fn log2_approx(self) -> Self;
    /// 2^x to 5e-4, relative, 1 for 0; limited as [`Lanes::exp2`] is.
    fn exp2_approx(self) -> Self;

    /// |x|^k for k ≥ 0 and |x| of the order of 1 or less, but at least 2^−52.5, and what is less than normal numbers
    /// counts as 2^−1022 or 2^−1023. Its relative error, 2 k |log₂ x| units in the last place, is large only where the
    /// power itself is negligible.
    fn abs_pow(self, k: Self) -> Self;
    /// [`Lanes::abs_pow`] to 2e-4 k + 5e-4, relative.
    #[inline(always)]
    fn abs_pow_approx(self, k: Self) -> Self {
        self.abs_pow(k)
    }

    /// [`Lanes::abs_pow`] of x and of y, at once where the processor has wider vectors than these.
    #[inline(always)]
    fn abs_pow_pair(x: Self, y: Self, k: Self) -> (Self, Self) {
        (x.abs_pow(k), y.abs_pow(k))
    }

    /// Of both, like [`Lanes::abs_pow_pair`].
    #[inline(always)]
    fn abs_pow_approx_pair(x: Self, y: Self, k: Self) -> (Self, Self) {
        (x.abs_pow_approx(k), y.abs_pow_approx(k))
    }

    /// Of both, like [`Lanes::abs_pow_pair`].
    #[inline(always)]
    fn log2_approx_pair(x: Self, y: Self) -> (Self, Self) {
        (x.log2_approx(), y.log2_approx())
    }

    /// Of both, like [`Lanes::abs_pow_pair`].
    #[inline(always)]
    fn exp2_approx_pair(x: Self, y: Self) -> (Self, Self) {
        (x.exp2_approx(), y.exp2_approx())
    }

    /// 1/self.
    #[inline(always)]
    fn recip(self) -> Self {
        self.splat(1.0) / self
    }
}

/// Lanes in two groups: those of body A and those of body B.
pub(crate) trait Paired: Lanes {
    /// Lanes of one group, and any others.
    type Group: Lanes;

    /// With the two groups exchanged.
    fn swapped(self) -> Self;
    fn paired(a: Self::Group, b: Self::Group) -> Self;
    /// A's group.
    fn of_a(self) -> Self::Group;
}

/// Lanes that are two of another kind side by side.
pub(crate) trait Halves: Lanes {
    type Half: Lanes;

    /// `self` only says which kind of lanes.
    fn join(self, low: Self::Half, high: Self::Half) -> Self;
    fn halves(self) -> (Self::Half, Self::Half);
}

/// Scalar product, of three terms.
#[inline(always)]
pub(crate) fn dot<V: Lanes>(a: &[V; 3], b: &[V; 3]) -> V {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

/// The one vector where the mask is true, else the other.
#[inline(always)]
pub(crate) fn select3<V: Lanes>(mask: V::Mask, yes: &[V; 3], no: &[V; 3]) -> [V; 3] {
    [
        V::select(mask, yes[0], no[0]),
        V::select(mask, yes[1], no[1]),
        V::select(mask, yes[2], no[2]),
    ]
}

/// Where all of the numbers are finite: 0·x is NaN for those that are not.
#[inline(always)]
pub(crate) fn all_finite<V: Lanes, const N: usize>(numbers: &[V; N]) -> V::Mask {
    let mut zero = numbers[0] * 0.0;
    for x in &numbers[1..] {
        zero = zero + *x * 0.0;
    }
    zero.lt(zero.splat(1.0))
}
