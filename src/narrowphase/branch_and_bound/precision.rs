//! The precision in which a search evaluates directions and bounds cells.
//!
//! In single precision a vector register holds twice as many numbers, and a power needs half as many terms of its series.
//! Every bound includes the rounding error of the precision in which it was computed, so that it holds in both.

use crate::lanes::{Piece, RowColumn, RowLanes, Rows, SimdLevel, SinglePiece};
use crate::narrowphase::convex_pair::{ConvexPair, DIRECTIONS_PER_BATCH, RoughSupport};
use nalgebra::Vector3;

/// A direction that was evaluated: the unit vector m, `z = x_B − x_A` of its support points, the value g(m), and the
/// length by which g of any unit vector may exceed z's product with it.
pub(crate) type Node<T> = [T; 8];

/// The numbers in which a search evaluates directions and bounds cells.
pub(crate) trait Precision: Copy + Default + PartialOrd + Into<f64> {
    type Lanes<S: SimdLevel>: RowLanes<S, Number = Self>;
    /// The error of a scalar product of unit vectors.
    const ROUNDING: f64;

    fn of(x: f64) -> Self;
}

impl Precision for f64 {
    type Lanes<S: SimdLevel> = Piece<S>;
    /// The rounding of the pair includes that of double precision.
    const ROUNDING: f64 = 0.0;

    fn of(x: f64) -> Self {
        x
    }
}

impl Precision for f32 {
    type Lanes<S: SimdLevel> = SinglePiece<S>;
    const ROUNDING: f64 = 1e-6;

    fn of(x: f64) -> Self {
        x as f32
    }
}

/// A pair whose directions are evaluated in the precision T.
pub(crate) trait Evaluate<T: Precision>: ConvexPair {
    /// Evaluates several unit vectors, given by columns; only the first `count` rows matter.
    fn nodes(&self, directions: &[RowColumn<T>; 3], count: usize) -> Rows<T>;
}

impl<P: ConvexPair> Evaluate<f64> for P {
    fn nodes(&self, [x, y, z]: &[RowColumn<f64>; 3], count: usize) -> Rows<f64> {
        let directions: [Vector3<f64>; DIRECTIONS_PER_BATCH] =
            std::array::from_fn(|k| Vector3::new(x[k], y[k], z[k]));
        let supports = self.rough_supports(&directions, count);
        std::array::from_fn(|k| {
            let (m, RoughSupport { z, height }) = (&directions[k], supports[k]);
            [m.x, m.y, m.z, z.x, z.y, z.z, height, 0.0]
        })
    }
}
