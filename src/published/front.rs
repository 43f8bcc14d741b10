//! The initial guess: a nearest pair of cells of two trees, searched level by level.
//!
//! Both bodies' surfaces are divided into cells, each into smaller ones, and so on. On each level every
//! kept pair of cells is replaced by all pairs of their children, and the best [`FRONT`] of these are
//! kept. The papers keep one, which is lost as soon as the cell of the nearest point has its centre
//! farther away than another.

use nalgebra::Vector3;

/// Pairs kept on a level.
const FRONT: usize = 16;
/// Children that a cell may have.
const CHILDREN: usize = 8;

/// What makes a pair of surface points better than another.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Ranking {
    /// A shorter distance, as in the papers. Of overlapping bodies it finds where their surfaces
    /// cross, which is of no use.
    Nearest,
    /// A larger gap along a common normal. With the difference d = Q − P, the unit mean m of the normals
    /// n_P and −n_Q, and R the sum of the bodies' radii, it is about `d·m − R |n_P + n_Q|²`: d·m is at
    /// least the gap along m, and comes down to it as P and Q move to the support points of ±m, by
    /// the square of the angles that the normals turn through. The distance is the largest gap, apart
    /// or overlapping. Half of that R takes pairs that only look deep, twice of it is no better.
    Opposed {
        /// Sum of the bodies' radii.
        radii: f64,
    },
}

/// A cell, and the surface point that stands for it, in A's frame.
#[derive(Clone, Copy)]
pub(super) struct Sample<C> {
    pub cell: C,
    pub x: Vector3<f64>,
    /// Unit normal; only for [`Ranking::Opposed`].
    pub n: Vector3<f64>,
}

/// A body's surface in cells.
pub(super) trait Tree {
    type Cell: Copy;
    /// Levels below the root.
    const LEVELS: usize;

    fn root(&self) -> Sample<Self::Cell>;
    /// Calls `found` with at most [`CHILDREN`] children.
    fn divide(&self, cell: &Self::Cell, ranking: Ranking, found: impl FnMut(Sample<Self::Cell>));
}

impl Ranking {
    /// The smaller the better.
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

/// A body's cells on one level, with the range of children of each.
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

    /// The children of some of the cells of `parents`, and the range of those of each.
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

/// The best pairs so far, the best first.
struct Front {
    pairs: [(f64, usize, usize); FRONT],
    count: usize,
}

impl Front {
    fn offer(&mut self, cost: f64, p: usize, q: usize) {
        if self.count == FRONT && cost >= self.pairs[FRONT - 1].0 {
            return;
        }
        if self.count < FRONT {
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

/// The best pair of cells of the last level.
pub(super) fn search<T: Tree>(trees: [&T; 2], ranking: Ranking) -> [Sample<T::Cell>; 2] {
    let mut levels = trees.map(|tree| Level::new(tree.root()));
    let mut front = Front {
        pairs: [(0.0, 0, 0); FRONT],
        count: 1,
    };
    for _ in 0..T::LEVELS {
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
        let mut next = Front {
            pairs: [(0.0, 0, 0); FRONT],
            count: 0,
        };
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
    }
    let (_, p, q) = front.pairs[0];
    [levels[0].cells[p], levels[1].cells[q]]
}
