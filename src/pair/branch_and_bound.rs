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

use crate::pair::depth::{self, Penetration};
use crate::pair::problem::{ConvexPair, Probe};
use nalgebra::Vector3;

/// A spherical triangle: corner indices and the bound of g over it.
#[derive(Clone, Copy)]
struct Cell {
    bound: f64,
    corners: [u16; 3],
}

/// All of the search's memory, so that a query allocates nothing: room for EVALUATIONS directions
/// (48 bytes each), CELLS cells (16 bytes, twice as many and a few) and SLOTS edge midpoints (8
/// bytes, twice as many, a power of two).
struct Search<'a, P, const EVALUATIONS: usize, const CELLS: usize, const SLOTS: usize> {
    problem: &'a P,
    directions: [Vector3<f64>; EVALUATIONS],
    z: [Vector3<f64>; EVALUATIONS],
    evaluated: usize,
    cells: [Cell; CELLS],
    cell_count: usize,
    midpoints: [(u32, u16); SLOTS],
    best: Penetration,
    /// Whether `best` is stationary, not just the best direction evaluated.
    best_is_local: bool,
    ball: f64,
    tolerance: f64,
    signs: Signs,
}

/// The best penetration and an upper bound of g over all directions, closed to `tolerance` unless
/// 2048 directions were not enough. Uses about 200 kB of stack.
#[inline(never)]
pub(crate) fn certified<P: ConvexPair>(
    problem: &P,
    found: Penetration,
    tolerance: f64,
    iterations: &mut u32,
) -> (Penetration, f64) {
    Search::<P, 2048, 4112, 4096>::new(problem, found, tolerance).run(iterations)
}

/// The same for B a point in A: in `tolerance`, 512 directions and 50 kB of stack, and only over the
/// octants that can hold the least depth. A sign is given for each axis whose reflection maps A to
/// itself: turned to the point's side, n·x grows and h(n) stays.
#[inline(never)]
pub(crate) fn of_point<P: ConvexPair>(
    problem: &P,
    found: Penetration,
    signs: Signs,
    tolerance: f64,
    iterations: &mut u32,
) -> (Penetration, f64) {
    let mut search = Search::<P, 512, 1040, 1024>::new(problem, found, tolerance);
    search.signs = signs;
    search.run(iterations)
}

/// The sign that a coordinate of the direction must have, where it must have one.
pub(crate) type Signs = [Option<f64>; 3];

/// The same with at most 256 directions and 25 kB of stack, to 1e-5 of the larger body: it finds the
/// least depth itself, to the accuracy of Newton, whenever no other local one is that close.
#[inline(never)]
pub(crate) fn fast<P: ConvexPair>(
    problem: &P,
    found: Penetration,
    iterations: &mut u32,
) -> (Penetration, f64) {
    const COARSE: f64 = 1e-5;
    Search::<P, 256, 528, 512>::new(problem, found, COARSE).run(iterations)
}

impl<'a, P: ConvexPair, const EVALUATIONS: usize, const CELLS: usize, const SLOTS: usize>
    Search<'a, P, EVALUATIONS, CELLS, SLOTS>
{
    fn new(problem: &'a P, found: Penetration, tolerance: f64) -> Self {
        let zero = Vector3::zeros();
        Search {
            problem,
            directions: [zero; EVALUATIONS],
            z: [zero; EVALUATIONS],
            evaluated: 0,
            cells: [Cell {
                bound: 0.0,
                corners: [0; 3],
            }; CELLS],
            cell_count: 0,
            midpoints: [(0, 0); SLOTS],
            best: found,
            best_is_local: true,
            ball: problem.rolling_ball(),
            tolerance,
            signs: [None; 3],
        }
    }

    fn run(mut self, iterations: &mut u32) -> (Penetration, f64) {
        let upper = self.search(iterations);
        if !self.best_is_local {
            let local = depth::local_maximum(self.problem, &self.best.normal, iterations);
            // Its witnesses line up with its normal, which the support points of a direction need
            // not: worth the last bit of the gap.
            if local.gap >= self.best.gap - 0.1 * self.problem.tolerance() {
                self.best = local;
            }
        }
        *iterations += self.evaluated as u32;
        (self.best, upper.max(self.best.gap))
    }

    fn search(&mut self, iterations: &mut u32) -> f64 {
        // Bounds of the cells that were not worth keeping.
        let mut discarded = f64::NEG_INFINITY;
        self.octahedron(iterations);
        while let Some(cell) = self.pop() {
            if cell.bound <= self.best.gap + self.tolerance {
                return discarded.max(cell.bound);
            }
            let full = self.evaluated == EVALUATIONS || self.cell_count + 2 > CELLS;
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
        let signs = self.signs;
        let mut corner = |axis: usize, sign: f64| {
            let searched = signs[axis].is_none_or(|only| only == sign);
            searched.then(|| self.evaluate(Vector3::ith(axis, sign), iterations))
        };
        let axes = [0, 1, 2].map(|i| [corner(i, 1.0), corner(i, -1.0)]);
        for x in axes[0].into_iter().flatten() {
            for y in axes[1].into_iter().flatten() {
                for z in axes[2].into_iter().flatten() {
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
            self.improve(n, probe, iterations);
        }
        index as u16
    }

    /// Takes a better direction, sharpened by Newton where that works. Of non-convex bodies only
    /// pairs of their true surfaces count, not support points of their hulls.
    fn improve(&mut self, n: Vector3<f64>, probe: Probe, iterations: &mut u32) {
        if let Some(local) = self.problem.sharpen(&n, iterations) {
            self.best = local;
            self.best_is_local = true;
        } else if self.problem.takes_support_points() {
            self.best = Penetration {
                normal: n,
                gap: probe.gap,
                xa: probe.xa,
                xb: probe.xb,
            };
            self.best_is_local = false;
        }
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
