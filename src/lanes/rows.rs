//! Lanes that are loaded from rows of eight numbers of their own precision, and stored to rows.

use crate::lanes::numbers::Lanes;
use crate::lanes::single::Single;
use crate::lanes::soa::{MAX_LANES, SoaLanes};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4, f32x8, f64x2, f64x4, f64x8};

/// Eight rows of eight numbers.
pub type Rows<T> = [[T; 8]; MAX_LANES];
/// Eight rows, wherever they are.
pub type RowRefs<'a, T> = [&'a [T; 8]; MAX_LANES];
/// A number of each row.
pub type RowColumn<T> = [T; MAX_LANES];

/// Lanes each of which belongs to a row of eight numbers.
pub trait RowLanes<S: Simd>: Lanes {
    /// What the rows hold: numbers of the precision of the lanes.
    type Number;

    /// Something for each piece of eight rows.
    type InPieces<T>: AsRef<[T]> + AsMut<[T]>;

    /// Returns where the pieces of eight rows begin.
    fn pieces(simd: S) -> impl Iterator<Item = usize>;
    /// Makes something of each piece, from where it begins.
    fn in_pieces<T>(make: impl Fn(usize) -> T) -> Self::InPieces<T>;
    /// Loads the numbers of a column from that of the row `first` on.
    fn load_column(simd: S, column: &RowColumn<Self::Number>, first: usize) -> Self;
    /// Stores the numbers of a column from that of the row `first` on.
    fn store_column(self, column: &mut RowColumn<Self::Number>, first: usize);
    /// Loads rows from the one given on as eight columns.
    fn load_rows(simd: S, rows: &RowRefs<Self::Number>, first: usize) -> [Self; 8];
    /// Stores eight columns as rows, from the one given on.
    fn store_rows(columns: [Self; 8], rows: &mut Rows<Self::Number>, first: usize);
}

/// The pieces of eight rows, from where each begins.
macro_rules! in_pieces {
    ($($first:literal),+) => {
        type InPieces<T> = [T; [$($first),+].len()];

        #[inline(always)]
        fn in_pieces<T>(make: impl Fn(usize) -> T) -> Self::InPieces<T> {
            [$(make($first)),+]
        }
    };
}

macro_rules! double_rows {
    ($vector:ident, [$($first:literal),+]) => {
        impl<S: Simd> RowLanes<S> for $vector<S> {
            type Number = f64;
            in_pieces!($($first),+);

            #[inline(always)]
            fn pieces(_: S) -> impl Iterator<Item = usize> {
                (0..MAX_LANES).step_by(<Self as SoaLanes<S>>::WIDTH)
            }

            #[inline(always)]
            fn load_column(simd: S, column: &RowColumn<f64>, first: usize) -> Self {
                Self::load_from(simd, column, first)
            }

            #[inline(always)]
            fn store_column(self, column: &mut RowColumn<f64>, first: usize) {
                self.store_to(column, first);
            }

            #[inline(always)]
            fn load_rows(simd: S, rows: &RowRefs<f64>, first: usize) -> [Self; 8] {
                let mut piece = [[0.0; 8]; MAX_LANES];
                for k in 0..<Self as SoaLanes<S>>::WIDTH {
                    piece[k] = *rows[first + k];
                }
                Self::load_transposed(simd, &piece)
            }

            #[inline(always)]
            fn store_rows(columns: [Self; 8], rows: &mut Rows<f64>, first: usize) {
                let piece = Self::store_transposed(columns);
                let width = <Self as SoaLanes<S>>::WIDTH;
                rows[first..first + width].copy_from_slice(&piece[..width]);
            }
        }
    };
}

double_rows!(f64x2, [0, 2, 4, 6]);
double_rows!(f64x4, [0, 4]);
double_rows!(f64x8, [0]);

macro_rules! rows {
    ($vector:ident, $width:literal, [$($first:literal),+], $load:ident, $store:ident) => {
        impl<S: Simd> RowLanes<S> for Single<$vector<S>> {
            type Number = f32;
            in_pieces!($($first),+);

            #[inline(always)]
            fn pieces(_: S) -> impl Iterator<Item = usize> {
                (0..MAX_LANES).step_by($width)
            }

            #[inline(always)]
            fn load_column(simd: S, column: &RowColumn<f32>, first: usize) -> Self {
                Single($vector::from_slice(simd, &column[first..first + $width]))
            }

            #[inline(always)]
            fn store_column(self, column: &mut RowColumn<f32>, first: usize) {
                self.0.store_slice(&mut column[first..first + $width]);
            }

            #[inline(always)]
            fn load_rows(simd: S, rows: &RowRefs<f32>, first: usize) -> [Self; 8] {
                $load(simd, rows, first)
            }

            #[inline(always)]
            fn store_rows(columns: [Self; 8], rows: &mut Rows<f32>, first: usize) {
                $store(columns, rows, first);
            }
        }
    };
}

rows!(f32x8, 8, [0], load_eight, store_eight);
rows!(f32x4, 4, [0, 4], load_four, store_four);

/// Interleaves each vector with that of four places on. The highest bit of a vector's index becomes the lowest bit of
/// its numbers' indices: three times, and rows are columns.
#[inline(always)]
fn interleaved<S: Simd>([a, b, c, d, e, f, g, h]: [f32x8<S>; 8]) -> [f32x8<S>; 8] {
    [
        a.zip_low(e),
        a.zip_high(e),
        b.zip_low(f),
        b.zip_high(f),
        c.zip_low(g),
        c.zip_high(g),
        d.zip_low(h),
        d.zip_high(h),
    ]
}

#[inline(always)]
fn load_eight<S: Simd>(simd: S, rows: &RowRefs<f32>, _: usize) -> [Single<f32x8<S>>; 8] {
    let [a, b, c, d, e, f, g, h] = *rows;
    let rows = [
        (*a).simd_into(simd),
        (*b).simd_into(simd),
        (*c).simd_into(simd),
        (*d).simd_into(simd),
        (*e).simd_into(simd),
        (*f).simd_into(simd),
        (*g).simd_into(simd),
        (*h).simd_into(simd),
    ];
    let [a, b, c, d, e, f, g, h] = interleaved(interleaved(interleaved(rows)));
    [
        Single(a),
        Single(b),
        Single(c),
        Single(d),
        Single(e),
        Single(f),
        Single(g),
        Single(h),
    ]
}

#[inline(always)]
fn store_eight<S: Simd>(columns: [Single<f32x8<S>>; 8], rows: &mut Rows<f32>, _: usize) {
    let [a, b, c, d, e, f, g, h] = columns;
    let columns = [a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0];
    let [a, b, c, d, e, f, g, h] = interleaved(interleaved(interleaved(columns)));
    a.store_slice(&mut rows[0]);
    b.store_slice(&mut rows[1]);
    c.store_slice(&mut rows[2]);
    d.store_slice(&mut rows[3]);
    e.store_slice(&mut rows[4]);
    f.store_slice(&mut rows[5]);
    g.store_slice(&mut rows[6]);
    h.store_slice(&mut rows[7]);
}

/// Loads four rows, number by number.
#[inline(always)]
fn load_four<S: Simd>(simd: S, rows: &RowRefs<f32>, first: usize) -> [Single<f32x4<S>>; 8] {
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| rows[first + k]);
    std::array::from_fn(|k| Single([a[k], b[k], c[k], d[k]].simd_into(simd)))
}

#[inline(always)]
fn store_four<S: Simd>(columns: [Single<f32x4<S>>; 8], rows: &mut Rows<f32>, first: usize) {
    for (k, column) in columns.into_iter().enumerate() {
        for (row, x) in crate::lanes::to_array(column.0).into_iter().enumerate() {
            rows[first + row][k] = x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{SimdLevel, dispatch};

    fn rows_become_columns<S: Simd, V: RowLanes<S>>(simd: S)
    where
        V::Number: Copy + Default + PartialEq + From<u8> + core::fmt::Debug,
    {
        let rows: Rows<V::Number> = std::array::from_fn(|row| {
            std::array::from_fn(|k| V::Number::from((10 * row + k) as u8))
        });
        let mut again = [[V::Number::default(); 8]; MAX_LANES];
        for first in V::pieces(simd) {
            let columns = V::load_rows(simd, &rows.each_ref(), first);
            let mut column = [V::Number::default(); MAX_LANES];
            columns[3].store_column(&mut column, first);
            assert_eq!(column[first], rows[first][3]);
            V::store_rows(columns, &mut again, first);
        }
        assert_eq!(again, rows);
    }

    fn rows_of_level_become_columns<S: SimdLevel>(simd: S) {
        rows_become_columns::<S, S::Piece>(simd);
        rows_become_columns::<S, S::SinglePiece>(simd);
    }

    #[test]
    fn rows_become_columns_and_rows_again() {
        dispatch!(simd => {
            rows_of_level_become_columns(simd);
        });
    }
}
