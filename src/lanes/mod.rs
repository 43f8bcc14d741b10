//! Arithmetic on several numbers at once.
//!
//! The evaluation of a surface point is the same for both bodies of a pair, and for every pair of a
//! batch. It is written once, for any type that is [`Lanes`]: a plain number, or a vector of numbers
//! that the processor works on together (crate `fearless_simd`: SSE2, AVX2, AVX-512, NEON, chosen at
//! run time). Functions on lanes are `#[inline(always)]`, so that they end up inside the one function
//! that was compiled for the processor's instructions; [`on_this_processor`] calls it. A closure that is
//! called twice, or passed to `map`, need not end up there, and is then several times slower.

mod narrow;
mod power;
mod two;

pub(crate) use narrow::Narrowing;
pub(crate) use two::Two;

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::Level;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x2, f64x4, f64x8};

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
    fn all(self, x: f64) -> Self;
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
    fn less(self, other: Self) -> Self::Mask;
    /// Lane by lane `yes` where the mask is true, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Whether the mask is true in every lane.
    fn everywhere(mask: Self::Mask) -> bool;
    /// log₂ of positive normal numbers, to about one unit in the last place.
    fn log2(self) -> Self;
    /// 2^x to about one unit in the last place, |x| < 2^51; the nearest integer is taken to be at least −52 and
    /// at most 1000, what is left of x remains.
    fn exp2(self) -> Self;
    /// log₂ to 2e-4, absolute.
    fn log2_roughly(self) -> Self;
    /// 2^x to 5e-4, relative, 1 for 0; limited as [`Lanes::exp2`] is.
    fn exp2_roughly(self) -> Self;

    /// |x|^k for k ≥ 0 and |x| of the order of 1 or less, but at least 2^−52.5, and what is less than normal numbers
    /// counts as 2^−1022 or 2^−1023. Its relative error, 2 k |log₂ x| units in the last place, is large only where the
    /// power itself is negligible.
    fn raise(self, k: Self) -> Self;
    /// [`Lanes::raise`] to 2e-4 k + 5e-4, relative.
    #[inline(always)]
    fn raise_roughly(self, k: Self) -> Self {
        self.raise(k)
    }

    /// [`Lanes::raise`] of x and of y, at once where the processor has wider vectors than these.
    #[inline(always)]
    fn raise_both(x: Self, y: Self, k: Self) -> (Self, Self) {
        (x.raise(k), y.raise(k))
    }

    /// Of both, like [`Lanes::raise_both`].
    #[inline(always)]
    fn raise_roughly_both(x: Self, y: Self, k: Self) -> (Self, Self) {
        (x.raise_roughly(k), y.raise_roughly(k))
    }

    /// Of both, like [`Lanes::raise_both`].
    #[inline(always)]
    fn log2_roughly_both(x: Self, y: Self) -> (Self, Self) {
        (x.log2_roughly(), y.log2_roughly())
    }

    /// Of both, like [`Lanes::raise_both`].
    #[inline(always)]
    fn exp2_roughly_both(x: Self, y: Self) -> (Self, Self) {
        (x.exp2_roughly(), y.exp2_roughly())
    }

    /// 1/self.
    #[inline(always)]
    fn recip(self) -> Self {
        self.all(1.0) / self
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
    zero.less(zero.all(1.0))
}

impl Lanes for f64 {
    type Mask = bool;

    #[inline(always)]
    fn all(self, x: f64) -> f64 {
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
    fn less(self, other: f64) -> bool {
        self < other
    }

    #[inline(always)]
    fn select(mask: bool, yes: f64, no: f64) -> f64 {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn everywhere(mask: bool) -> bool {
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
    fn log2_roughly(self) -> f64 {
        f64::log2(self)
    }

    #[inline(always)]
    fn exp2_roughly(self) -> f64 {
        Lanes::exp2(self)
    }

    #[inline(always)]
    fn raise(self, k: f64) -> f64 {
        Lanes::exp2(k * f64::log2(self.abs().max(f64::MIN_POSITIVE)))
    }
}

macro_rules! lanes {
    ($vector:ident $(, $both:ident)?) => {
        impl<S: Simd> Lanes for $vector<S> {
            type Mask = <Self as SimdBase<S>>::Mask;

            #[inline(always)]
            fn all(self, x: f64) -> Self {
                Self::splat(self.simd, x)
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
                SimdBase::max(self, other)
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                SimdBase::min(self, other)
            }

            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                SimdFloat::copysign(self, sign)
            }

            #[inline(always)]
            fn less(self, other: Self) -> Self::Mask {
                self.simd_lt(other)
            }

            #[inline(always)]
            fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
                mask.select(yes, no)
            }

            #[inline(always)]
            fn everywhere(mask: Self::Mask) -> bool {
                mask.all_true()
            }

            #[inline(always)]
            fn log2(self) -> Self {
                let (exponent, mantissa) = power::split!(self);
                power::log2_times(exponent, mantissa, self.all(1.0))
            }

            #[inline(always)]
            fn exp2(self) -> Self {
                let (shifted, fraction) = power::round(self);
                power::scale!(power::exp2(fraction), shifted)
            }

            #[inline(always)]
            fn log2_roughly(self) -> Self {
                let (exponent, mantissa) = power::split!(self);
                power::log2_roughly_times(exponent, mantissa, self.all(1.0))
            }

            #[inline(always)]
            fn exp2_roughly(self) -> Self {
                let (shifted, fraction) = power::round(self);
                power::scale!(power::exp2_roughly(fraction), shifted)
            }

            #[inline(always)]
            fn raise(self, k: Self) -> Self {
                let (exponent, mantissa) = power::split!(SimdBase::abs(self));
                Lanes::exp2(power::log2_times(exponent, mantissa, k))
            }

            #[inline(always)]
            fn raise_roughly(self, k: Self) -> Self {
                let (exponent, mantissa) = power::split!(SimdBase::abs(self));
                Lanes::exp2_roughly(power::log2_roughly_times(exponent, mantissa, k))
            }

            $($both!();)?
        }
    };
}

macro_rules! both {
    () => {
        #[inline(always)]
        fn raise_both(x: Self, y: Self, k: Self) -> (Self, Self) {
            x.combine(y).raise(k.combine(k)).split()
        }

        #[inline(always)]
        fn raise_roughly_both(x: Self, y: Self, k: Self) -> (Self, Self) {
            x.combine(y).raise_roughly(k.combine(k)).split()
        }

        #[inline(always)]
        fn log2_roughly_both(x: Self, y: Self) -> (Self, Self) {
            x.combine(y).log2_roughly().split()
        }

        #[inline(always)]
        fn exp2_roughly_both(x: Self, y: Self) -> (Self, Self) {
            x.combine(y).exp2_roughly().split()
        }
    };
}

lanes!(f64x2, both);
lanes!(f64x4, both);
lanes!(f64x8);

impl<S: Simd> Paired for f64x2<S> {
    /// Only the first lane counts.
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

/// Lanes of which each is a pair, or a point, of a batch.
pub(crate) trait Columns<S: Simd>: Narrowing {
    const WIDTH: usize;

    /// The first numbers of the column.
    fn load(simd: S, column: &[f64; MOST_COLUMNS]) -> Self;
    fn store(self) -> [f64; MOST_COLUMNS];

    /// Eight columns, of which each lane has a row. They are exchanged in vectors: a column that is put together
    /// in memory from single numbers cannot be loaded before these have arrived there.
    fn load_rows(simd: S, rows: &[[f64; 8]; MOST_COLUMNS]) -> [Self; 8];
    /// The rows of eight columns, the other way round.
    fn store_rows(columns: [Self; 8]) -> [[f64; 8]; MOST_COLUMNS];

    /// The power of two in (x/2, x], or the nearest that is a normal number with a normal inverse.
    fn power_of_two_below(self) -> Self;
}

/// The widest lanes.
pub(crate) const MOST_COLUMNS: usize = 8;

macro_rules! columns {
    ($vector:ident, $width:literal, $loaded:ident, $stored:ident) => {
        impl<S: Simd> Columns<S> for $vector<S> {
            const WIDTH: usize = $width;

            #[inline(always)]
            fn load(simd: S, column: &[f64; MOST_COLUMNS]) -> Self {
                Self::from_slice(simd, &column[..$width])
            }

            #[inline(always)]
            fn store(self) -> [f64; MOST_COLUMNS] {
                let mut column = [0.0; MOST_COLUMNS];
                self.store_slice(&mut column[..$width]);
                column
            }

            #[inline(always)]
            fn load_rows(simd: S, rows: &[[f64; 8]; MOST_COLUMNS]) -> [Self; 8] {
                $loaded(simd, rows)
            }

            #[inline(always)]
            fn store_rows(columns: [Self; 8]) -> [[f64; 8]; MOST_COLUMNS] {
                $stored(columns)
            }

            #[inline(always)]
            fn power_of_two_below(self) -> Self {
                let within = Lanes::max(self, self.all(power::LEAST_UNIT));
                let within = Lanes::min(within, self.all(power::LARGEST_UNIT));
                Self::from_bits(within.to_bits() & !power::MANTISSA)
            }
        }
    };
}

columns!(f64x4, 4, load_four_rows, store_four_rows);
columns!(f64x8, 8, load_eight_rows, store_eight_rows);

/// With halves of two rows in a vector, put together as they are loaded, two shuffles are enough. By the bits of a
/// number's row r and of its column c, c₂ apart, they lead from `vector r₂r₁, lane r₀c₁c₀` by `vector c₀r₂, lane
/// r₁r₀c₁` to `vector c₁c₀, lane r₂r₁r₀`.
#[inline(always)]
fn load_eight_rows<S: Simd>(simd: S, rows: &[[f64; 8]; MOST_COLUMNS]) -> [f64x8<S>; 8] {
    let [a, b, c, d, e, f, g, h] = *rows;
    let ([a, i], [b, j]) = (halves_of(simd, a), halves_of(simd, b));
    let ([c, k], [d, l]) = (halves_of(simd, c), halves_of(simd, d));
    let ([e, m], [f, n]) = (halves_of(simd, e), halves_of(simd, f));
    let ([g, o], [h, p]) = (halves_of(simd, g), halves_of(simd, h));
    let first = [a.combine(b), c.combine(d), e.combine(f), g.combine(h)];
    let second = [i.combine(j), k.combine(l), m.combine(n), o.combine(p)];
    let [a, b, c, d] = unzipped_by_four(unzipped_by_four(first));
    let [e, f, g, h] = unzipped_by_four(unzipped_by_four(second));
    [a, b, c, d, e, f, g, h]
}

/// The way back from [`load_eight_rows`].
#[inline(always)]
fn store_eight_rows<S: Simd>(columns: [f64x8<S>; 8]) -> [[f64; 8]; MOST_COLUMNS] {
    let [a, b, c, d, e, f, g, h] = columns;
    let [a, b, c, d] = zipped_by_four(zipped_by_four([a, b, c, d]));
    let [e, f, g, h] = zipped_by_four(zipped_by_four([e, f, g, h]));
    let ([i, j], [k, l]) = (two_rows(a, e), two_rows(b, f));
    let ([m, n], [o, p]) = (two_rows(c, g), two_rows(d, h));
    [i, j, k, l, m, n, o, p]
}

#[inline(always)]
fn two_rows<S: Simd>(first: f64x8<S>, second: f64x8<S>) -> [[f64; 8]; 2] {
    let ((a, b), (c, d)) = (first.split(), second.split());
    [lanes_of(a.combine(c)), lanes_of(b.combine(d))]
}

/// Of the first four rows.
#[inline(always)]
fn load_four_rows<S: Simd>(simd: S, rows: &[[f64; 8]; MOST_COLUMNS]) -> [f64x4<S>; 8] {
    let [a, b, c, d, ..] = *rows;
    let ([a, e], [b, f]) = (halves_of(simd, a), halves_of(simd, b));
    let ([c, g], [d, h]) = (halves_of(simd, c), halves_of(simd, d));
    let [a, b, c, d] = transposed_by_four([a, b, c, d]);
    let [e, f, g, h] = transposed_by_four([e, f, g, h]);
    [a, b, c, d, e, f, g, h]
}

#[inline(always)]
fn halves_of<S: Simd>(simd: S, [a, b, c, d, e, f, g, h]: [f64; 8]) -> [f64x4<S>; 2] {
    [[a, b, c, d].simd_into(simd), [e, f, g, h].simd_into(simd)]
}

#[inline(always)]
fn store_four_rows<S: Simd>([a, b, c, d, e, f, g, h]: [f64x4<S>; 8]) -> [[f64; 8]; MOST_COLUMNS] {
    let [a, b, c, d] = transposed_by_four([a, b, c, d]);
    let [e, f, g, h] = transposed_by_four([e, f, g, h]);
    let mut rows = [[0.0; 8]; MOST_COLUMNS];
    rows[0] = lanes_of(a.combine(e));
    rows[1] = lanes_of(b.combine(f));
    rows[2] = lanes_of(c.combine(g));
    rows[3] = lanes_of(d.combine(h));
    rows
}

#[inline(always)]
fn transposed_by_four<S: Simd>(rows: [f64x4<S>; 4]) -> [f64x4<S>; 4] {
    zipped_by_four(zipped_by_four(rows))
}

/// The first two vectors' numbers between those of the last two: a vector's place's highest bit becomes the lowest
/// of its numbers' places, and their highest one the vector's lowest.
#[inline(always)]
fn zipped_by_four<S: Simd, V: SimdBase<S>>([a, b, c, d]: [V; 4]) -> [V; 4] {
    [a.zip_low(c), a.zip_high(c), b.zip_low(d), b.zip_high(d)]
}

/// The way back from [`zipped_by_four`].
#[inline(always)]
fn unzipped_by_four<S: Simd, V: SimdBase<S>>([a, b, c, d]: [V; 4]) -> [V; 4] {
    [
        a.unzip_low(b),
        c.unzip_low(d),
        a.unzip_high(b),
        c.unzip_high(d),
    ]
}

/// The lanes as an array.
#[inline(always)]
pub(crate) fn lanes_of<S: Simd, V: SimdBase<S>>(v: V) -> V::Array {
    v.to_array()
}

/// Evaluates an expression with the token of the best instructions that this processor has.
///
/// What it offers is asked once a process and remembered by `fearless_simd`. Of x86's instructions only SSE2, AVX2
/// and AVX-512 are compiled for: those between the first two would add a third to the time of compilation.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! on_this_processor {
    ($token:ident => $call:expr) => {
        $crate::lanes::on_level!($crate::lanes::level(), $token => $call; Avx512 Avx2 Sse2)
    };
}

/// As [`on_this_processor`], but with AVX2 where there is AVX-512: for single queries, which work on four
/// numbers at a time. The compiler joins two fours into AVX-512's eight where it can, and among those Intel's
/// processors take nearly twice as long for a product of four or two: a cold pair 1.3 times as long in all.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! on_this_processor_by_fours {
    ($token:ident => $call:expr) => {
        $crate::lanes::on_level!($crate::lanes::level_for_fours(), $token => $call; Avx2 Sse2)
    };
}

/// For a level that is one of these.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! on_level {
    ($level:expr, $token:ident => $call:expr; $($known:ident)+) => {
        match $level {
            $(fearless_simd::Level::$known($token) => {
                fearless_simd::Simd::vectorize($token, #[inline(always)] || $call)
            })+
            #[cfg(not(target_feature = "sse2"))]
            fearless_simd::Level::Fallback($token) => {
                fearless_simd::Simd::vectorize($token, #[inline(always)] || $call)
            }
            _ => unreachable!("no level that is chosen"),
        }
    };
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
macro_rules! on_this_processor {
    ($token:ident => $call:expr) => {
        fearless_simd::dispatch!(fearless_simd::Level::new(), $token => $call)
    };
}
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
pub(crate) use on_this_processor as on_this_processor_by_fours;

pub(crate) use on_this_processor;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use {on_level, on_this_processor_by_fours};

/// The best that is compiled for; less with the options `without_avx512` and `without_avx2` of the compiler,
/// by which `compare/levels.sh` measures what each is worth.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) fn level() -> Level {
    let best = Level::new();
    match best.as_avx512() {
        Some(avx512) if cfg!(not(without_avx512)) => Level::Avx512(avx512),
        _ => level_for_fours(),
    }
}

/// The same without AVX-512.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) fn level_for_fours() -> Level {
    let best = Level::new();
    match best.as_avx2() {
        Some(avx2) if cfg!(not(without_avx2)) => Level::Avx2(avx2),
        _ => best.as_sse2().map_or(best, Level::Sse2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::problem::power_of_two_below;

    fn rows_are_columns<S: Simd, V: Columns<S>>(simd: S) {
        let rows: [[f64; 8]; MOST_COLUMNS] =
            std::array::from_fn(|row| std::array::from_fn(|k| (10 * row + k) as f64));
        let columns = V::load_rows(simd, &rows);
        for (k, column) in columns.iter().enumerate() {
            for (row, number) in column.store().iter().take(V::WIDTH).enumerate() {
                assert_eq!(*number, (10 * row + k) as f64);
            }
        }
        assert_eq!(V::store_rows(columns)[..V::WIDTH], rows[..V::WIDTH]);
    }

    fn powers_of_two_are_below<S: Simd, V: Columns<S>>(simd: S) {
        let tiny = f64::from_bits(1);
        for x in [
            0.0,
            tiny,
            1e-310,
            3e-308,
            1e-300,
            0.7,
            1.0,
            3.0,
            8.0,
            6e307,
            1e308,
            f64::MAX,
        ] {
            let lanes = V::load(simd, &[x; MOST_COLUMNS]).power_of_two_below();
            let right = power_of_two_below(x);
            assert_eq!(lanes.store()[..V::WIDTH], [right; MOST_COLUMNS][..V::WIDTH]);
        }
    }

    #[test]
    fn powers_of_two_are_those_of_single_numbers() {
        on_this_processor!(simd => {
            powers_of_two_are_below::<_, f64x4<_>>(simd);
            powers_of_two_are_below::<_, f64x8<_>>(simd);
        });
    }

    #[test]
    fn rows_become_columns_and_rows_again() {
        on_this_processor!(simd => {
            rows_are_columns::<_, f64x4<_>>(simd);
            rows_are_columns::<_, f64x8<_>>(simd);
        });
    }
}
