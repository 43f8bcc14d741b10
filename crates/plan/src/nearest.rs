//! Trees of points, and the nearest point of one: every point is visited in the order of memory, eight at a time, which up to some
//! ten thousands of points is faster than a hierarchy that grows.

use superovoid::internals::{Lanes, MAX_LANES, Piece, SimdLevel, SoaLanes, dispatch, pieces};

/// A tree, or several, of points that lie one after the other.
pub(crate) struct Tree {
    dimension: usize,
    coordinates: Vec<f64>,
    /// The same by columns, of eight points each time; what is missing of the last eight is infinitely far.
    columns: Vec<[f64; MAX_LANES]>,
    /// The parents; a root is its own.
    parents: Vec<usize>,
    /// Whether an edge from a point towards a sample was refused.
    trapped: Vec<bool>,
}

impl Tree {
    pub fn with_roots<'a>(dimension: usize, roots: impl IntoIterator<Item = &'a [f64]>) -> Self {
        let mut tree = Tree {
            dimension,
            coordinates: Vec::new(),
            columns: Vec::new(),
            parents: Vec::new(),
            trapped: Vec::new(),
        };
        for root in roots {
            tree.add(root, tree.parents.len());
        }
        tree
    }

    /// Adds a point; returns its index.
    pub fn add(&mut self, point: &[f64], parent: usize) -> usize {
        let (row, lane) = (
            self.parents.len() / MAX_LANES,
            self.parents.len() % MAX_LANES,
        );
        if lane == 0 {
            let empty = [f64::INFINITY; MAX_LANES];
            self.columns
                .resize(self.columns.len() + self.dimension, empty);
        }
        for (column, x) in self.columns[row * self.dimension..].iter_mut().zip(point) {
            column[lane] = *x;
        }
        self.coordinates.extend_from_slice(point);
        self.parents.push(parent);
        self.trapped.push(false);
        self.parents.len() - 1
    }

    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Notes that an edge from a point was refused.
    pub fn trap(&mut self, index: usize) {
        self.trapped[index] = true;
    }

    /// Whether an edge from a point was refused.
    pub fn is_trapped(&self, index: usize) -> bool {
        self.trapped[index]
    }

    pub fn point(&self, index: usize) -> &[f64] {
        &self.coordinates[index * self.dimension..][..self.dimension]
    }

    /// Returns the index of the point that is nearest to another one.
    pub fn nearest(&self, to: &[f64]) -> usize {
        let (columns, dimension) = (&self.columns, self.dimension.max(1));
        dispatch!(simd => nearest_in_lanes(simd, columns, dimension, to))
    }

    /// Returns the points from one up to its root.
    pub fn to_root(&self, mut index: usize) -> Vec<Vec<f64>> {
        let mut points = vec![self.point(index).to_vec()];
        while self.parents[index] != index {
            index = self.parents[index];
            points.push(self.point(index).to_vec());
        }
        points
    }
}

/// Returns the place of the first of the nearest points. Products and sums are rounded one by one, by all instructions alike.
#[inline(always)]
fn nearest_in_lanes<S: SimdLevel>(
    simd: S,
    columns: &[[f64; MAX_LANES]],
    dimension: usize,
    to: &[f64],
) -> usize {
    let (mut least, mut rows) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
    for first in pieces(simd) {
        let load = |column| Piece::<S>::load_from(simd, column, first);
        let mut best = load(&[f64::INFINITY; MAX_LANES]);
        let (mut best_row, mut row) = (best.splat(0.0), best.splat(0.0));
        for points in columns.chunks_exact(dimension) {
            let mut squared = best.splat(0.0);
            for (column, x) in points.iter().zip(to) {
                let off = load(column) - *x;
                squared = squared + off * off;
            }
            let is_nearer = squared.lt(best);
            best = Lanes::select(is_nearer, squared, best);
            best_row = Lanes::select(is_nearer, row, best_row);
            row = row + 1.0;
        }
        best.store_to(&mut least, first);
        best_row.store_to(&mut rows, first);
    }
    let place = |lane: usize| rows[lane] as usize * MAX_LANES + lane;
    let nearer = |a: usize, b: usize| {
        let is_nearer = least[b] < least[a] || (least[b] == least[a] && place(b) < place(a));
        if is_nearer { b } else { a }
    };
    place((1..MAX_LANES).fold(0, nearer))
}
