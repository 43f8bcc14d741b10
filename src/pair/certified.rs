//! Certified least depth: branch and bound over all directions.
//!
//! The sphere of directions is divided into spherical triangles, at first those of an octahedron.
//! The support points of a corner give `g(m) ≤ z_k·m` for every m. A direction of the cell with
//! unit corners m_i is q/|q|, `q = Σ y_i m_i`, `y ≥ 0`, `Σ y_i = 1`, so on the cell's plane
//!
//! ```text
//! g(q) ≤ max over y of min over k of Σ_i y_i (z_k·m_i) = v
//! ```
//!
//! the value of a 3×3 matrix game. As `ϱ ≤ |q| ≤ 1`, ϱ the plane's distance from the origin, the cell
//! holds no g above v (v < 0) or v/ϱ (v ≥ 0). The cell with the highest bound is split at its longest
//! edge until no bound exceeds the best g found by more than the tolerance.
//!
//! A body that is a smaller one swept by a ball of radius r has a support function with a term
//! r |m|, which is constant on the sphere. Taken out before bounding (for an ellipsoid
//! `r = min a²/max a`) it makes the bound of round bodies exact.

use crate::Superovoid;
use crate::pair::depth::{self, Penetration};
use crate::pair::problem::Problem;
use nalgebra::Vector3;

/// Directions evaluated before the bracket is returned open.
pub(crate) const MOST_EVALUATIONS: usize = 2048;
const MOST_CELLS: usize = 2 * MOST_EVALUATIONS + 16;
/// Slots of the table of edge midpoints; a power of two.
const SLOTS: usize = 2 * MOST_EVALUATIONS;

/// A spherical triangle: corner indices and the bound of g over it.
#[derive(Clone, Copy)]
struct Cell {
    bound: f64,
    corners: [u16; 3],
}

/// All of the search's memory: about 200 kB of stack, so that a query allocates nothing.
struct Search<'a> {
    problem: &'a Problem,
    directions: [Vector3<f64>; MOST_EVALUATIONS],
    z: [Vector3<f64>; MOST_EVALUATIONS],
    evaluated: usize,
    cells: [Cell; MOST_CELLS],
    cell_count: usize,
    midpoints: [(u32, u16); SLOTS],
    best: Penetration,
    ball: f64,
    tolerance: f64,
}

/// The best penetration and an upper bound of g over all directions, closed to `tolerance` unless
/// the cap on evaluations was reached.
#[inline(never)]
pub(crate) fn least_depth(
    problem: &Problem,
    found: Penetration,
    tolerance: f64,
    iterations: &mut u32,
) -> (Penetration, f64) {
    let zero = Vector3::zeros();
    let mut search = Search {
        problem,
        directions: [zero; MOST_EVALUATIONS],
        z: [zero; MOST_EVALUATIONS],
        evaluated: 0,
        cells: [Cell {
            bound: 0.0,
            corners: [0; 3],
        }; MOST_CELLS],
        cell_count: 0,
        midpoints: [(0, 0); SLOTS],
        best: found,
        ball: rolling_ball(&problem.a) + rolling_ball(&problem.b),
        tolerance,
    };
    let upper = search.run(iterations);
    *iterations += search.evaluated as u32;
    (search.best, upper.max(search.best.gap))
}

/// Radius of the largest ball that, swept over a smaller convex body, gives an ellipsoid: its
/// least radius of curvature. 0 for other shapes.
fn rolling_ball(shape: &Superovoid) -> f64 {
    if !shape.is_ellipsoid() {
        return 0.0;
    }
    let [a1, a2, a3] = shape.a;
    let least = a1.min(a2).min(a3);
    least * least / a1.max(a2).max(a3)
}

impl Search<'_> {
    fn run(&mut self, iterations: &mut u32) -> f64 {
        // Bounds of the cells that were not worth keeping.
        let mut discarded = f64::NEG_INFINITY;
        self.octahedron(iterations);
        while let Some(cell) = self.pop() {
            if cell.bound <= self.best.gap + self.tolerance {
                return discarded.max(cell.bound);
            }
            let full = self.evaluated == MOST_EVALUATIONS || self.cell_count + 2 > MOST_CELLS;
            if full {
                return discarded.max(cell.bound);
            }
            let [a, b, opposite] = self.longest_edge_first(cell.corners);
            let middle = self.midpoint(a, b, iterations);
            for corners in [[a, middle, opposite], [middle, b, opposite]] {
                let bound = self.bound(corners).min(cell.bound);
                if bound > self.best.gap + self.tolerance {
                    self.push(Cell { bound, corners });
                } else {
                    discarded = discarded.max(bound);
                }
            }
        }
        discarded
    }

    fn octahedron(&mut self, iterations: &mut u32) {
        let mut corner =
            |axis: usize, sign: f64| self.evaluate(Vector3::ith(axis, sign), iterations);
        let axes = [0, 1, 2].map(|i| [corner(i, 1.0), corner(i, -1.0)]);
        for x in axes[0] {
            for y in axes[1] {
                for z in axes[2] {
                    let bound = self.bound([x, y, z]);
                    self.push(Cell {
                        bound,
                        corners: [x, y, z],
                    });
                }
            }
        }
    }

    fn evaluate(&mut self, n: Vector3<f64>, iterations: &mut u32) -> u16 {
        let probe = self.problem.probe(&n);
        let index = self.evaluated;
        (self.directions[index], self.z[index]) = (n, probe.z());
        self.evaluated += 1;
        if probe.gap > self.best.gap + self.tolerance {
            let here = Penetration {
                normal: n,
                gap: probe.gap,
                xa: probe.xa,
                xb: probe.xb,
            };
            let local = depth::local_maximum(self.problem, &n, iterations);
            self.best = if local.gap >= here.gap { local } else { here };
        }
        index as u16
    }

    /// The direction halfway between two corners, evaluated once for both cells of the edge.
    fn midpoint(&mut self, a: u16, b: u16, iterations: &mut u32) -> u16 {
        // Corner 0 never pairs with itself, so the key 0 marks an empty slot.
        let key = (u32::from(a.min(b)) << 16) | u32::from(a.max(b));
        let mut slot = (key.wrapping_mul(0x9E37_79B1) >> 8) as usize % SLOTS;
        while self.midpoints[slot].0 != 0 {
            if self.midpoints[slot].0 == key {
                return self.midpoints[slot].1;
            }
            slot = (slot + 1) % SLOTS;
        }
        let sum = self.directions[usize::from(a)] + self.directions[usize::from(b)];
        let index = self.evaluate(sum.normalize(), iterations);
        self.midpoints[slot] = (key, index);
        index
    }

    fn longest_edge_first(&self, corners: [u16; 3]) -> [u16; 3] {
        let cosine = |i: usize| {
            let [a, b] = [corners[i], corners[(i + 1) % 3]].map(usize::from);
            self.directions[a].dot(&self.directions[b])
        };
        let i = (0..3)
            .min_by(|&i, &j| cosine(i).total_cmp(&cosine(j)))
            .unwrap_or(0);
        [corners[i], corners[(i + 1) % 3], corners[(i + 2) % 3]]
    }

    /// Upper bound of g over a cell.
    fn bound(&self, corners: [u16; 3]) -> f64 {
        let m = corners.map(|i| self.directions[usize::from(i)]);
        let z = corners.map(|i| self.z[usize::from(i)]);
        let normal = (m[1] - m[0]).cross(&(m[2] - m[0]));
        let plane_distance = normal.dot(&m[0]).abs() / normal.norm();
        let on_sphere = |v: f64| if v < 0.0 { v } else { v / plane_distance };
        let payoff = |ball: f64| {
            std::array::from_fn(|k| std::array::from_fn(|i| (z[k] + m[k] * ball).dot(&m[i])))
        };
        let plain = on_sphere(game_value(&payoff(0.0)));
        if self.ball == 0.0 {
            return plain;
        }
        plain.min(on_sphere(game_value(&payoff(self.ball))) - self.ball)
    }

    fn push(&mut self, cell: Cell) {
        let mut i = self.cell_count;
        self.cells[i] = cell;
        self.cell_count += 1;
        while i > 0 && self.cells[(i - 1) / 2].bound < self.cells[i].bound {
            self.cells.swap(i, (i - 1) / 2);
            i = (i - 1) / 2;
        }
    }

    /// Removes the cell with the highest bound.
    fn pop(&mut self) -> Option<Cell> {
        self.cell_count = self.cell_count.checked_sub(1)?;
        let top = self.cells[0];
        self.cells[0] = self.cells[self.cell_count];
        let mut i = 0;
        loop {
            let children = [2 * i + 1, 2 * i + 2]
                .into_iter()
                .filter(|&c| c < self.cell_count);
            let highest =
                children.max_by(|&c, &d| self.cells[c].bound.total_cmp(&self.cells[d].bound));
            match highest {
                Some(c) if self.cells[c].bound > self.cells[i].bound => {
                    self.cells.swap(i, c);
                    i = c;
                }
                _ => return Some(top),
            }
        }
    }
}

/// Value of the game in which the row player k minimises and the column player i maximises the
/// payoff: the least of `max_i Σ_k x_k P_ki` over mixed rows x. Every x gives an upper bound, so
/// trying pure rows, the points of two rows at which two columns are equal, and the point at which
/// all three are, never errs on the unsafe side and contains the optimum.
fn game_value(p: &[[f64; 3]; 3]) -> f64 {
    let mut value = f64::INFINITY;
    let mut offer = |x: [f64; 3]| {
        if x.iter().all(|w| *w >= 0.0) {
            let column = |i: usize| x[0] * p[0][i] + x[1] * p[1][i] + x[2] * p[2][i];
            value = column(0).max(column(1)).max(column(2)).min(value);
        }
    };
    for k in 0..3 {
        let next = (k + 1) % 3;
        let mut pure = [0.0; 3];
        pure[k] = 1.0;
        offer(pure);
        for i in 0..3 {
            for j in 0..i {
                let (here, there) = (p[k][i] - p[k][j], p[next][i] - p[next][j]);
                let weight = there / (there - here);
                let mut x = [0.0; 3];
                x[k] = weight;
                x[next] = 1.0 - weight;
                offer(x);
            }
        }
    }
    let against = |j: usize| Vector3::from_fn(|k, _| p[k][0] - p[k][j]);
    let x = against(1).cross(&against(2));
    let sum = x.sum();
    offer([x[0] / sum, x[1] / sum, x[2] / sum]);
    value
}
