//! The initial guess of the published schemes: a nearest pair of cells of two trees, searched level by level.
//!
//! Both bodies' surfaces are divided into cells, each into smaller ones, and so on. On each level every
//! kept pair of cells is replaced by all pairs of their children, and the best of these are kept: [`FRONT`]
//! of them, or [`AS_PUBLISHED`]. One is lost as soon as the cell of the nearest point has its centre
//! farther away than another.

use crate::published::trace::CellExtent;
use nalgebra::Vector3;

/// The number of pairs kept on a level.
pub(super) const FRONT: usize = 16;
/// The number of pairs that the papers keep on a level, of the 16 pairs of four children each.
pub(super) const AS_PUBLISHED: usize = 1;
/// The largest number of children of a cell.
const CHILDREN: usize = 8;

/// The criterion by which one pair of surface points is better than another.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Ranking {
    /// The shorter distance is better, as in the papers. For overlapping bodies this finds where their surfaces
    /// cross, which is of no use.
    Nearest,
    /// The larger gap along a common normal is better. With the difference d = Q − P, the unit mean m of the normals
    /// n_P and −n_Q, and R the sum of the bodies' radii, the gap is about `d·m − R |n_P + n_Q|²`: d·m is at least the
    /// gap along m, and decreases to it as P and Q move to the support points of ±m, by the square of the angles
    /// through which the normals turn. The distance is the largest gap, apart or overlapping. With half of that R
    /// pairs are taken that only seem deep; twice of it is no better.
    Opposed {
        /// The sum of the bodies' radii.
        radii: f64,
    },
}

/// A cell, and the surface point that represents it, in A's frame.
#[derive(Clone, Copy)]
pub(super) struct Sample<C> {
    pub cell: C,
    pub x: Vector3<f64>,
    /// The unit normal; it is used only for [`Ranking::Opposed`].
    pub n: Vector3<f64>,
}

/// The surface of a body in cells.
pub(super) trait Tree {
    type Cell: Copy;
    /// The number of levels below the root.
    const LEVELS: usize;

    fn root(&self) -> Sample<Self::Cell>;
    /// Calls `found` with at most [`CHILDREN`] children.
    fn divide(&self, cell: &Self::Cell, ranking: Ranking, found: impl FnMut(Sample<Self::Cell>));
    /// Returns what a cell covers, for pictures.
    fn extent(&self, cell: &Self::Cell) -> CellExtent;
}

impl Ranking {
    /// Returns the rank of a pair: the smaller, the better.
    fn cost<C>(self, p: &Sample<C>, q: &Sample<C>) -> f64 {
        let d = q.x - p.x;
        match self {
            Ranking::Nearest => d.norm_squared(),
            Ranking::Opposed { radii } => {
                let mean = p.n - q.n;
                let length = mean.norm();
                if length < 1.0 {
                    return f64::INFINITY;
                }
                radii * (p.n + q.n).norm_squared() - d.dot(&mean) / length
            }
        }
    }
}

/// The cells of a body on one level, with the range of children of each.
struct Level<C> {
    cells: [Sample<C>; FRONT * CHILDREN],
    count: usize,
}

impl<C: Copy> Level<C> {
    fn new(first: Sample<C>) -> Self {
        Level {
            cells: [first; FRONT * CHILDREN],
            count: 1,
        }
    }

    /// Returns the children of some of the cells of `parents`, and the range of those of each.
    fn divided<T: Tree<Cell = C>>(
        tree: &T,
        parents: &Level<C>,
        wanted: impl Iterator<Item = usize>,
        ranking: Ranking,
    ) -> (Self, [(usize, usize); FRONT * CHILDREN]) {
        let mut level = Level::new(parents.cells[0]);
        level.count = 0;
        let mut ranges = [(0, 0); FRONT * CHILDREN];
        for parent in wanted {
            if ranges[parent] != (0, 0) {
                continue;
            }
            let start = level.count;
            tree.divide(&parents.cells[parent].cell, ranking, |sample| {
                level.cells[level.count] = sample;
                level.count += 1;
            });
            ranges[parent] = (start, level.count);
        }
        (level, ranges)
    }
}

/// The best pairs so far, in order, of which `most` are kept.
struct Front {
    pairs: [(f64, usize, usize); FRONT],
    count: usize,
    most: usize,
}

impl Front {
    fn new(count: usize, most: usize) -> Self {
        Front {
            pairs: [(0.0, 0, 0); FRONT],
            count,
            most,
        }
    }

    fn offer(&mut self, cost: f64, p: usize, q: usize) {
        if self.count == self.most && cost >= self.pairs[self.most - 1].0 {
            return;
        }
        if self.count < self.most {
            self.count += 1;
        }
        let mut at = self.count - 1;
        while at > 0 && cost < self.pairs[at - 1].0 {
            self.pairs[at] = self.pairs[at - 1];
            at -= 1;
        }
        self.pairs[at] = (cost, p, q);
    }

    fn pairs(&self) -> &[(f64, usize, usize)] {
        &self.pairs[..self.count]
    }
}

/// Returns the best pair of cells of the last level, with `most` pairs (at most [`FRONT`]) kept on each. `kept` is told
/// the pairs of each level, from 1 on, the best first.
pub(super) fn search<T: Tree>(
    trees: [&T; 2],
    ranking: Ranking,
    most: usize,
    mut kept: impl FnMut(usize, [&Sample<T::Cell>; 2]),
) -> [Sample<T::Cell>; 2] {
    let mut levels = trees.map(|tree| Level::new(tree.root()));
    let mut front = Front::new(1, most);
    for level in 1..=T::LEVELS {
        let pairs = front.pairs();
        let (a, of_a) = Level::divided(
            trees[0],
            &levels[0],
            pairs.iter().map(|pair| pair.1),
            ranking,
        );
        let (b, of_b) = Level::divided(
            trees[1],
            &levels[1],
            pairs.iter().map(|pair| pair.2),
            ranking,
        );
        let mut next = Front::new(0, most);
        for &(_, p, q) in pairs {
            for i in of_a[p].0..of_a[p].1 {
                for j in of_b[q].0..of_b[q].1 {
                    next.offer(ranking.cost(&a.cells[i], &b.cells[j]), i, j);
                }
            }
        }
        if next.count == 0 {
            break;
        }
        (levels, front) = ([a, b], next);
        for &(_, p, q) in front.pairs() {
            kept(level, [&levels[0].cells[p], &levels[1].cells[q]]);
        }
    }
    let (_, p, q) = front.pairs[0];
    [levels[0].cells[p], levels[1].cells[q]]
}
