//! Lanes of which each is an element of a batch: structures of arrays, loaded from rows and stored to rows.

use crate::lanes::numbers::Lanes;
use crate::lanes::power;
use crate::lanes::single::ToSingle;
use crate::lanes::vectors::to_array;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x2, f64x4, f64x8};

/// Lanes each of which holds a pair, or a vertex, of a batch.
pub trait SoaLanes<S: Simd>: ToSingle {
    const WIDTH: usize;

    /// Loads the first numbers of a column.
    fn load(simd: S, column: &[f64; MAX_LANES]) -> Self;
    fn store(self) -> [f64; MAX_LANES];
    /// Loads the numbers of a column from the given one on.
    fn load_from(simd: S, column: &[f64; MAX_LANES], first: usize) -> Self;
    /// Stores the numbers to the places of a column from the given one on.
    fn store_to(self, column: &mut [f64; MAX_LANES], first: usize);

    /// Loads rows of eight numbers as eight columns, with a row in each lane. The transposition is done in vectors: a
    /// column that is put together in memory from single numbers cannot be loaded before these have arrived there.
    fn load_transposed(simd: S, rows: &[[f64; 8]; MAX_LANES]) -> [Self; 8];
    /// Stores eight columns as rows: the inverse of `load_transposed`.
    fn store_transposed(columns: [Self; 8]) -> [[f64; 8]; MAX_LANES];

    /// Returns the power of two in (x/2, x], or the nearest one that is a normal number with a normal inverse.
    fn power_of_two_below(self) -> Self;
}

/// The number of lanes of the widest vectors.
pub const MAX_LANES: usize = 8;

macro_rules! transposed {
    ($vector:ident, $width:literal, $loaded:ident, $stored:ident) => {
        impl<S: Simd> SoaLanes<S> for $vector<S> {
            const WIDTH: usize = $width;

            #[inline(always)]
            fn load(simd: S, column: &[f64; MAX_LANES]) -> Self {
                Self::from_slice(simd, &column[..$width])
            }

            #[inline(always)]
            fn store(self) -> [f64; MAX_LANES] {
                let mut column = [0.0; MAX_LANES];
                self.store_slice(&mut column[..$width]);
                column
            }

            #[inline(always)]
            fn load_from(simd: S, column: &[f64; MAX_LANES], first: usize) -> Self {
                Self::from_slice(simd, &column[first..first + $width])
            }

            #[inline(always)]
            fn store_to(self, column: &mut [f64; MAX_LANES], first: usize) {
                self.store_slice(&mut column[first..first + $width]);
            }

            #[inline(always)]
            fn load_transposed(simd: S, rows: &[[f64; 8]; MAX_LANES]) -> [Self; 8] {
                $loaded(simd, rows)
            }

            #[inline(always)]
            fn store_transposed(columns: [Self; 8]) -> [[f64; 8]; MAX_LANES] {
                $stored(columns)
            }

            #[inline(always)]
            fn power_of_two_below(self) -> Self {
                let within = Lanes::max(self, self.splat(power::LEAST_UNIT));
                let within = Lanes::min(within, self.splat(power::LARGEST_UNIT));
                Self::from_bits(within.to_bits() & !power::MANTISSA)
            }
        }
    };
}

transposed!(f64x2, 2, load_two_rows, store_two_rows);
transposed!(f64x4, 4, load_four_rows, store_four_rows);
transposed!(f64x8, 8, load_eight_rows, store_eight_rows);

/// Transposes eight rows by two shuffles, with halves of two rows in each vector.
///
/// Let the bits of a number's row be r₂r₁r₀ and those of its column c₂c₁c₀, of which c₂ is told by the half. The
/// shuffles lead from `vector r₂r₁, lane r₀c₁c₀` by `vector c₀r₂, lane r₁r₀c₁` to `vector c₁c₀, lane r₂r₁r₀`.
#[inline(always)]
fn load_eight_rows<S: Simd>(simd: S, rows: &[[f64; 8]; MAX_LANES]) -> [f64x8<S>; 8] {
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

/// The inverse of [`load_eight_rows`].
#[inline(always)]
fn store_eight_rows<S: Simd>(columns: [f64x8<S>; 8]) -> [[f64; 8]; MAX_LANES] {
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
    [to_array(a.combine(c)), to_array(b.combine(d))]
}

/// Loads the first four rows.
#[inline(always)]
fn load_four_rows<S: Simd>(simd: S, rows: &[[f64; 8]; MAX_LANES]) -> [f64x4<S>; 8] {
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
fn store_four_rows<S: Simd>([a, b, c, d, e, f, g, h]: [f64x4<S>; 8]) -> [[f64; 8]; MAX_LANES] {
    let [a, b, c, d] = transposed_by_four([a, b, c, d]);
    let [e, f, g, h] = transposed_by_four([e, f, g, h]);
    let mut rows = [[0.0; 8]; MAX_LANES];
    rows[0] = to_array(a.combine(e));
    rows[1] = to_array(b.combine(f));
    rows[2] = to_array(c.combine(g));
    rows[3] = to_array(d.combine(h));
    rows
}

/// Loads the first two rows.
#[inline(always)]
fn load_two_rows<S: Simd>(simd: S, rows: &[[f64; 8]; MAX_LANES]) -> [f64x2<S>; 8] {
    let [x, y, ..] = rows;
    std::array::from_fn(|k| [x[k], y[k]].simd_into(simd))
}

#[inline(always)]
fn store_two_rows<S: Simd>(columns: [f64x2<S>; 8]) -> [[f64; 8]; MAX_LANES] {
    let columns = columns.map(to_array);
    let mut rows = [[0.0; 8]; MAX_LANES];
    for row in 0..2 {
        rows[row] = columns.map(|column| column[row]);
    }
    rows
}

#[inline(always)]
fn transposed_by_four<S: Simd>(rows: [f64x4<S>; 4]) -> [f64x4<S>; 4] {
    zipped_by_four(zipped_by_four(rows))
}

/// Interleaves the numbers of the first two vectors with those of the last two: the highest bit of a vector's index
/// becomes the lowest bit of its numbers' indices, whose highest bit becomes the lowest of the vector's.
#[inline(always)]
fn zipped_by_four<S: Simd, V: SimdBase<S>>([a, b, c, d]: [V; 4]) -> [V; 4] {
    [a.zip_low(c), a.zip_high(c), b.zip_low(d), b.zip_high(d)]
}

/// The inverse of [`zipped_by_four`].
#[inline(always)]
fn unzipped_by_four<S: Simd, V: SimdBase<S>>([a, b, c, d]: [V; 4]) -> [V; 4] {
    [
        a.unzip_low(b),
        c.unzip_low(d),
        a.unzip_high(b),
        c.unzip_high(d),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::dispatch;
    use crate::query::units::power_of_two_below;

    fn rows_are_columns<S: Simd, V: SoaLanes<S>>(simd: S) {
        let rows: [[f64; 8]; MAX_LANES] =
            std::array::from_fn(|row| std::array::from_fn(|k| (10 * row + k) as f64));
        let columns = V::load_transposed(simd, &rows);
        for (k, column) in columns.iter().enumerate() {
            for (row, number) in column.store().iter().take(V::WIDTH).enumerate() {
                assert_eq!(*number, (10 * row + k) as f64);
            }
        }
        assert_eq!(V::store_transposed(columns)[..V::WIDTH], rows[..V::WIDTH]);
    }

    fn powers_of_two_are_below<S: Simd, V: SoaLanes<S>>(simd: S) {
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
            let lanes = V::load(simd, &[x; MAX_LANES]).power_of_two_below();
            let right = power_of_two_below(x);
            assert_eq!(lanes.store()[..V::WIDTH], [right; MAX_LANES][..V::WIDTH]);
        }
    }

    #[test]
    fn powers_of_two_are_those_of_single_numbers() {
        dispatch!(simd => {
            powers_of_two_are_below::<_, f64x2<_>>(simd);
            powers_of_two_are_below::<_, f64x4<_>>(simd);
            powers_of_two_are_below::<_, f64x8<_>>(simd);
        });
    }

    #[test]
    fn rows_become_columns_and_rows_again() {
        dispatch!(simd => {
            rows_are_columns::<_, f64x2<_>>(simd);
            rows_are_columns::<_, f64x4<_>>(simd);
            rows_are_columns::<_, f64x8<_>>(simd);
        });
    }
}
