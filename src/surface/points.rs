//! The corners of a hull, also by columns, so that the farthest along a direction is found with the vectors of the processor.

use crate::lanes::{Lanes, MAX_LANES, Piece, SimdLevel, SoaLanes, dispatch, pieces};
use nalgebra::{Point3, Vector3};
use std::ops::Deref;

/// The coordinates of eight points.
type Row = [[f64; MAX_LANES]; 3];

/// Points in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Points {
    points: Box<[Point3<f64>]>,
    /// The same by columns; the last row is filled up with the last point.
    rows: Box<[Row]>,
}

impl Points {
    pub fn new(points: &[Point3<f64>]) -> Self {
        let last = points.len().saturating_sub(1);
        let row = |k: usize| {
            std::array::from_fn(|axis| {
                std::array::from_fn(|lane| points[(k * MAX_LANES + lane).min(last)][axis])
            })
        };
        Points {
            points: points.into(),
            rows: (0..points.len().div_ceil(MAX_LANES)).map(row).collect(),
        }
    }

    /// Returns the first point that is farthest along a direction, to the last bit that of one after the other; the origin for a
    /// direction that is no number.
    pub fn farthest_along(&self, n: &Vector3<f64>) -> Vector3<f64> {
        let (rows, n) = (&self.rows, [n.x, n.y, n.z]);
        let place = dispatch!(simd => farthest(simd, rows, n));
        self.points
            .get(place)
            .map_or_else(Vector3::zeros, |p| p.coords)
    }
}

impl Deref for Points {
    type Target = [Point3<f64>];

    fn deref(&self) -> &Self::Target {
        &self.points
    }
}

/// Returns the place of the first highest point, or of none where no point has a height.
#[inline(always)]
fn farthest<S: SimdLevel>(simd: S, rows: &[Row], n: [f64; 3]) -> usize {
    const LANES: [f64; MAX_LANES] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
    let (mut best, mut places) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
    for first in pieces(simd) {
        let load = |column| Piece::<S>::load_from(simd, column, first);
        let lowest = load(&[f64::NEG_INFINITY; MAX_LANES]);
        let n = n.map(|x| lowest.splat(x));
        let (mut highest, mut place) = (lowest, lowest.splat(f64::INFINITY));
        let mut here = load(&LANES);
        for [x, y, z] in rows {
            let height = n[0] * load(x) + n[1] * load(y) + n[2] * load(z);
            let is_higher = highest.lt(height);
            highest = Lanes::select(is_higher, height, highest);
            place = Lanes::select(is_higher, here, place);
            here = here + MAX_LANES as f64;
        }
        highest.store_to(&mut best, first);
        place.store_to(&mut places, first);
    }
    // Halves against each other, each lane by itself. Of equally high points the first.
    for half in [4, 2, 1] {
        for k in 0..half {
            let is_higher = best[k + half] > best[k];
            let is_before = best[k + half] == best[k] && places[k + half] < places[k];
            let is_taken = is_higher | is_before;
            best[k] = if is_taken { best[k + half] } else { best[k] };
            places[k] = if is_taken {
                places[k + half]
            } else {
                places[k]
            };
        }
    }
    places[0] as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::support_map::Hull;

    #[test]
    fn the_farthest_point_is_the_first_of_those_that_are_asked_one_by_one() {
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 40) as f64 / (1_u64 << 24) as f64 - 0.5
        };
        for count in 1..40 {
            // Of three kinds: any, on a lattice, where many are equally high, and all the same.
            for kind in 0..3 {
                let mut coordinate = || match kind {
                    0 => random(),
                    1 => (4.0 * random()).round(),
                    _ => 0.25,
                };
                let points: Vec<Point3<f64>> = (0..count)
                    .map(|_| Point3::new(coordinate(), coordinate(), coordinate()))
                    .collect();
                let known = Points::new(&points);
                assert_eq!(*known, *points);
                for axis in 0..12 {
                    let n = match axis {
                        0..3 => Vector3::ith(axis, 1.0),
                        3..6 => Vector3::ith(axis - 3, -1.0),
                        _ => Vector3::new(random(), random(), random()),
                    };
                    assert_eq!(known.farthest_along(&n), Hull(&points).farthest_along(&n));
                }
            }
        }
        let known = Points::new(&[Point3::new(1.0, 2.0, 3.0)]);
        assert_eq!(
            known.farthest_along(&Vector3::repeat(f64::NAN)),
            Vector3::zeros()
        );
        assert_eq!(
            Points::new(&[]).farthest_along(&Vector3::x()),
            Vector3::zeros()
        );
    }
}
