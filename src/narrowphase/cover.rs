//! A branch and bound over the parts of bodies that are not convex.
//!
//! The convex hulls of the parts cover the bodies, and approach them as the parts get thinner. [GJK](super::gjk) bounds the
//! distance of each hull from below. The part with the lowest bound is split, until that bound meets the distance of two
//! points of the bodies themselves.

use crate::narrowphase::gjk::HullGap;
use nalgebra::Vector3;

/// A part of a body, or of both, and the gap at its hull.
#[derive(Clone, Copy)]
pub(crate) struct Cell<P> {
    pub part: P,
    pub gap: HullGap,
}

/// The parts that may hold the nearest points, in memory of the caller's.
pub(crate) struct Cover<'a, P> {
    cells: &'a mut [Cell<P>],
    count: usize,
    /// The lowest bound of the parts that were left out.
    left_out: f64,
}

impl<'a, P: Copy> Cover<'a, P> {
    /// Makes a cover of the first of the cells.
    pub fn new(cells: &'a mut [Cell<P>]) -> Self {
        Cover {
            cells,
            count: 1,
            left_out: f64::INFINITY,
        }
    }

    pub fn push(&mut self, cell: Cell<P>) {
        self.cells[self.count] = cell;
        self.count += 1;
    }

    pub fn is_full(&self) -> bool {
        self.count == self.cells.len()
    }

    /// Returns the part with the lowest bound, and its index.
    pub fn lowest(&self) -> Option<(usize, Cell<P>)> {
        let lower = |k: usize| self.cells[k].gap.lower;
        let lowest = (0..self.count).min_by(|&i, &j| lower(i).total_cmp(&lower(j)));
        lowest.map(|k| (k, self.cells[k]))
    }

    /// Replaces the part at an index by its halves, of which one with a bound of `limit` or more is left out. The cover must
    /// not be full. `gap` takes a half and the direction to start from.
    pub fn split(
        &mut self,
        at: usize,
        halves: [P; 2],
        limit: f64,
        mut gap: impl FnMut(P, Vector3<f64>) -> HullGap,
    ) {
        let whole = self.cells[at].gap;
        self.count -= 1;
        self.cells[at] = self.cells[self.count];
        for part in halves {
            let mut gap = gap(part, whole.normal);
            gap.lower = gap.lower.max(whole.lower);
            if gap.lower < limit {
                self.push(Cell { part, gap });
            } else {
                self.left_out = self.left_out.min(gap.lower);
            }
        }
    }

    /// Returns a lower bound of the distance of all parts.
    pub fn lower(&self) -> f64 {
        let lower = self.cells[..self.count].iter().map(|cell| cell.gap.lower);
        lower.fold(self.left_out, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts are intervals of [0, 1] with a gap that is their distance from 0.3.
    #[test]
    fn a_cover_keeps_the_lowest_bound_of_all_parts() {
        let gap = |[low, high]: [f64; 2]| HullGap {
            lower: (low - 0.3).max(0.3 - high).max(0.0),
            normal: Vector3::x(),
            witnesses: [Vector3::zeros(); 2],
        };
        let cell = |part| Cell {
            part,
            gap: gap(part),
        };
        let mut cells = [cell([0.0, 1.0]); 4];
        let mut cover = Cover::new(&mut cells);
        for limit in [0.5, 0.5, 0.04] {
            let (k, Cell { part, .. }) = cover.lowest().expect("a part");
            let [low, high] = part;
            assert!(low <= 0.3 && 0.3 <= high && !cover.is_full());
            let middle = 0.5 * (low + high);
            cover.split(k, [[low, middle], [middle, high]], limit, |part, _| {
                gap(part)
            });
            assert_eq!(cover.lower(), 0.0);
        }
        // Of [1/4, 3/8] and [3/8, 1/2] the second was left out, 0.075 away, and the other parts are farther.
        assert_eq!(cover.left_out, 0.375 - 0.3);
        assert_eq!(cover.lowest().expect("a part").1.part, [0.25, 0.375]);
    }
}
