//! The surface of a body in the cells of an octree, by bounds of the inside-outside function.
//!
//! On a box of A's frame |x|, |y|, |z| and the taper factors have simple bounds, and F increases with the first three
//! and decreases with the last two:
//!
//! ```text
//! F(|x|min, |y|min, |z|min, τmax) ≤ F ≤ F(|x|max, |y|max, |z|max, τmin)
//! ```
//!
//! A cell whose bounds have one sign does not meet the surface and is dropped, so that no cell that meets it is lost.
//! (The papers test F at the centres of the cells.)

use crate::Superovoid;
use crate::pair::problem::PairProblem;
use crate::published::front::{Ranking, Sample, Tree};
use crate::published::trace::CellExtent;
use crate::surface::circles::Circles;
use nalgebra::{Matrix3, Vector3};

/// The number of levels of the tree, with cells of 1/32 of the body.
const LEVELS: usize = 5;

/// A box by its centre and half widths.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    center: Vector3<f64>,
    half: Vector3<f64>,
}

pub(super) struct Octree<'a> {
    shape: &'a Superovoid,
    rotation: Matrix3<f64>,
    center: Vector3<f64>,
}

impl<'a> Octree<'a> {
    /// Makes the tree of a body at a pose.
    pub fn new(shape: &'a Superovoid, rotation: Matrix3<f64>, center: Vector3<f64>) -> Self {
        Octree {
            shape,
            rotation,
            center,
        }
    }

    /// Returns the surface point that represents a cell: the one in the direction of its centre.
    pub fn circles(&self, cell: &Cell) -> Circles {
        self.shape.circles_towards(&cell.center)
    }

    fn meets_surface(&self, cell: &Cell) -> bool {
        let [a1, a2, a3] = self.shape.a;
        let [p1, p2] = self.shape.p;
        let least = (cell.center.abs() - cell.half).map(|x| x.max(0.0));
        let most = cell.center.abs() + cell.half;
        let ends = [-1.0, 1.0].map(|s| {
            let zeta = (cell.center.z + s * cell.half.z) / a3;
            self.shape.taper_factors(zeta)
        });
        let function = |x: &Vector3<f64>, tau: [f64; 2]| {
            let section = (x.x / (a1 * tau[0])).powf(p1) + (x.y / (a2 * tau[1])).powf(p1);
            section.powf(p2 / p1) + (x.z / a3).powf(p2) - 1.0
        };
        let bound = |x: &Vector3<f64>, choose: fn(f64, f64) -> f64| {
            function(x, [0, 1].map(|i| choose(ends[0][i], ends[1][i])))
        };
        bound(&least, f64::max) <= 0.0 && bound(&most, f64::min) >= 0.0
    }

    fn sample(&self, cell: Cell, ranking: Ranking) -> Sample<Cell> {
        let (x, n) = match ranking {
            Ranking::Nearest => (cell.center, Vector3::zeros()),
            Ranking::Opposed { .. } => {
                let circles = self.circles(&cell);
                let n = circles.normal(self.shape).normalize();
                (circles.point(self.shape), self.rotation * n)
            }
        };
        Sample {
            cell,
            x: self.rotation * x + self.center,
            n,
        }
    }
}

/// Returns the centres, each in its body's frame, of the nearest two cells of the last level whose centres are inside
/// their bodies, as in the papers: depth first, and no deeper than where the balls about two cells are farther apart than
/// the best two so far. (The papers take the nearest points of the cells, not their centres.)
pub(super) fn nearest_filled([a, b]: [&Superovoid; 2], problem: &PairProblem) -> [Vector3<f64>; 2] {
    let trees = [
        Octree::new(a, Matrix3::identity(), Vector3::zeros()),
        Octree::new(b, problem.rotation, problem.center),
    ];
    let roots = trees.each_ref().map(Tree::root);
    let mut best = (f64::INFINITY, roots.map(|root| root.cell.center));
    descend(trees.each_ref(), LEVELS, &roots, &mut best);
    best.1
}

/// Looks for pairs nearer than the best among the descendants of two cells, which are `level` levels above the last.
fn descend(
    trees: [&Octree; 2],
    level: usize,
    pair: &[Sample<Cell>; 2],
    best: &mut (f64, [Vector3<f64>; 2]),
) {
    let last = level == 1;
    let children = [0, 1].map(|k| {
        let (mut cells, mut count) = ([pair[k]; 8], 0);
        trees[k].divide(&pair[k].cell, Ranking::Nearest, |sample| {
            if !last || trees[k].shape.gauge(&sample.cell.center) < 1.0 {
                cells[count] = sample;
                count += 1;
            }
        });
        (cells, count)
    });
    let [(of_a, count_a), (of_b, count_b)] = &children;
    let mut order = [(f64::INFINITY, 0, 0); 64];
    let mut count = 0;
    for (i, p) in of_a[..*count_a].iter().enumerate() {
        for (j, q) in of_b[..*count_b].iter().enumerate() {
            let distance = (q.x - p.x).norm();
            let apart = if last {
                distance
            } else {
                distance - p.cell.half.norm() - q.cell.half.norm()
            };
            if apart < best.0 {
                order[count] = (apart, i, j);
                count += 1;
            }
            if last && apart < best.0 {
                *best = (apart, [p.cell.center, q.cell.center]);
            }
        }
    }
    if last {
        return;
    }
    let order = &mut order[..count];
    order.sort_unstable_by(|p, q| p.0.total_cmp(&q.0));
    for &(apart, i, j) in order.iter() {
        if apart >= best.0 {
            return;
        }
        descend(trees, level - 1, &[of_a[i], of_b[j]], best);
    }
}

impl Tree for Octree<'_> {
    type Cell = Cell;
    const LEVELS: usize = LEVELS;

    /// Returns the box around the body; it uses bounds instead of the heights of the widest sections.
    fn root(&self) -> Sample<Cell> {
        let [a1, a2, a3] = self.shape.a;
        let [tx, ty] = self.shape.t.map(f64::abs);
        let cell = Cell {
            center: Vector3::zeros(),
            half: Vector3::new(a1 * (1.0 + tx), a2 * (1.0 + ty), a3),
        };
        self.sample(cell, Ranking::Nearest)
    }

    fn extent(&self, cell: &Cell) -> CellExtent {
        CellExtent::Box {
            center: cell.center.into(),
            half_widths: cell.half,
        }
    }

    fn divide(&self, cell: &Cell, ranking: Ranking, mut found: impl FnMut(Sample<Cell>)) {
        let half = 0.5 * cell.half;
        for octant in 0..8 {
            let side = |bit: usize| if (octant >> bit) & 1 == 0 { -1.0 } else { 1.0 };
            let offset = Vector3::new(side(0), side(1), side(2)).component_mul(&half);
            let child = Cell {
                center: cell.center + offset,
                half,
            };
            if self.meets_surface(&child) {
                found(self.sample(child, ranking));
            }
        }
    }
}
