//! Trees of points, and the nearest point of one: every point is visited in the order of memory, and left as soon as its
//! first coordinates are too far, which up to some ten thousands of points is faster than a hierarchy that grows.

/// A tree, or several, of points that lie one after the other.
pub(crate) struct Tree {
    dimension: usize,
    coordinates: Vec<f64>,
    /// The parents; a root is its own.
    parents: Vec<usize>,
}

impl Tree {
    pub fn with_roots<'a>(dimension: usize, roots: impl IntoIterator<Item = &'a [f64]>) -> Self {
        let mut tree = Tree {
            dimension,
            coordinates: Vec::new(),
            parents: Vec::new(),
        };
        for root in roots {
            tree.add(root, tree.parents.len());
        }
        tree
    }

    /// Adds a point; returns its index.
    pub fn add(&mut self, point: &[f64], parent: usize) -> usize {
        self.coordinates.extend_from_slice(point);
        self.parents.push(parent);
        self.parents.len() - 1
    }

    pub fn point(&self, index: usize) -> &[f64] {
        &self.coordinates[index * self.dimension..][..self.dimension]
    }

    /// Returns the index of the point that is nearest to another one.
    pub fn nearest(&self, to: &[f64]) -> usize {
        let mut best = (0, f64::INFINITY);
        let points = self.coordinates.chunks_exact(self.dimension);
        for (index, point) in points.enumerate() {
            let squared = squared_within(point, to, best.1);
            if squared < best.1 {
                best = (index, squared);
            }
        }
        best.0
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

/// Returns the squared distance of two points, or a part of it that is not below a limit.
fn squared_within(a: &[f64], b: &[f64], limit: f64) -> f64 {
    let mut sum = 0.0;
    for (a, b) in a.chunks(4).zip(b.chunks(4)) {
        sum += a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        if sum >= limit {
            break;
        }
    }
    sum
}
