//! A hash grid of boxes, filled by counting sort.
//!
//! Space has cubic cells; a box is listed in all cells that it meets, a cell in the bucket of its hash. Two boxes that
//! meet share the cell of the larger of their lower corners, in which alone the pair is reported.

use nalgebra::Vector3;

/// A box by its lower and upper corner.
pub(crate) type Box3 = (Vector3<f64>, Vector3<f64>);

/// The grid; its memory is kept from frame to frame.
#[derive(Default)]
pub(crate) struct HashGrid {
    /// The inverse of the size of a cell.
    per_cell: f64,
    /// Where the entries of a bucket begin; one more than there are buckets.
    starts: Vec<u32>,
    entries: Vec<u32>,
}

type Cell = [i64; 3];

impl HashGrid {
    /// Lists the boxes; `cell` should be about their size.
    pub fn fill(&mut self, boxes: &[Box3], cell: f64) {
        self.per_cell = 1.0 / cell;
        let buckets = (2 * boxes.len()).next_power_of_two();
        self.starts.clear();
        self.starts.resize(buckets + 1, 0);
        for b in boxes {
            self.cells(b, |bucket, starts, _| starts[bucket + 1] += 1);
        }
        for k in 0..buckets {
            self.starts[k + 1] += self.starts[k];
        }
        self.entries.clear();
        self.entries.resize(self.starts[buckets] as usize, 0);
        // Each start moves to the end of its bucket and is moved back afterwards.
        for (i, b) in boxes.iter().enumerate() {
            self.cells(b, |bucket, starts, entries| {
                entries[starts[bucket] as usize] = i as u32;
                starts[bucket] += 1;
            });
        }
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    fn cells(&mut self, b: &Box3, mut each: impl FnMut(usize, &mut [u32], &mut [u32])) {
        let (low, high) = self.range_of(b);
        let buckets = self.starts.len() - 1;
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    each(
                        bucket([x, y, z], buckets),
                        &mut self.starts,
                        &mut self.entries,
                    );
                }
            }
        }
    }

    /// The first and the last cell of a box. Of one that has grown beyond all measure only the first cells count: what
    /// it belongs to is about to diverge.
    fn range_of(&self, b: &Box3) -> (Cell, Cell) {
        const MOST: i64 = 8;
        let (low, high) = (self.cell_of(&b.0), self.cell_of(&b.1));
        let last = |axis: usize| high[axis].min(low[axis].saturating_add(MOST - 1));
        (low, [last(0), last(1), last(2)])
    }

    fn cell_of(&self, p: &Vector3<f64>) -> Cell {
        [0, 1, 2].map(|axis| {
            let x = p[axis] * self.per_cell;
            // The floor, without the call that it costs on processors without the instruction.
            let towards_zero = x as i64;
            towards_zero.saturating_sub(i64::from(x < towards_zero as f64))
        })
    }

    /// Calls `found` for every listed box with an index less than `below` that meets a box, once for each cell that they
    /// share a bucket in. The boxes of a bucket stand in the order of their indices.
    pub fn near(&self, boxes: &[Box3], b: &Box3, below: u32, mut found: impl FnMut(u32)) {
        let (low, high) = self.range_of(b);
        let buckets = self.starts.len() - 1;
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    let k = bucket([x, y, z], buckets);
                    for &i in &self.entries[self.starts[k] as usize..self.starts[k + 1] as usize] {
                        if i >= below {
                            break;
                        }
                        let other = &boxes[i as usize];
                        if meet(other, b) && self.cell_of(&other.0.sup(&b.0)) == [x, y, z] {
                            found(i);
                        }
                    }
                }
            }
        }
    }
}

fn meet(a: &Box3, b: &Box3) -> bool {
    (0..3).all(|axis| a.0[axis] <= b.1[axis] && b.0[axis] <= a.1[axis])
}

fn bucket(cell: Cell, buckets: usize) -> usize {
    let hash = cell
        .iter()
        .zip([73_856_093i64, 19_349_663, 83_492_791])
        .fold(0, |hash, (c, p)| hash ^ c.wrapping_mul(p));
    hash as usize & (buckets - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::Random;

    #[test]
    fn the_grid_finds_what_brute_force_finds() {
        let mut random = Random::new(5);
        let mut point = |size: f64| Vector3::from([0; 3].map(|_| random.within(-size, size)));
        let boxes: Vec<Box3> = (0..300)
            .map(|_| {
                let (center, half) = (point(2.0), point(0.2).abs());
                (center - half, center + half)
            })
            .collect();
        let mut grid = HashGrid::default();
        grid.fill(&boxes, 0.25);
        let mut pairs = 0;
        for b in &boxes {
            let mut found = Vec::new();
            grid.near(&boxes, b, u32::MAX, |i| found.push(i));
            found.sort_unstable();
            found.dedup();
            let expected: Vec<u32> = (0..300).filter(|&i| meet(&boxes[i as usize], b)).collect();
            assert_eq!(found, expected);
            pairs += found.len();
        }
        assert!(
            pairs > 350,
            "only {pairs} of 300 boxes, themselves included"
        );
    }
}
