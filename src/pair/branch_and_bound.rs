//! Certified least depth: branch and bound over all directions.
//!
//! The sphere of directions is divided into spherical triangles, at first those of an octahedron, or of
//! a pyramid about the known depth's direction where only directions near the centre line can do better
//! (see [`Search::cone`]).
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
use nalgebra::{Unit, Vector3};

/// A spherical triangle: corner indices and the bound of g over it.
#[derive(Clone, Copy)]
struct Cell {
    bound: f64,
    corners: [u16; 3],
}

/// Cells that are split in one go, so that the support functions of their midpoints are evaluated
/// together.
const TOGETHER: usize = crate::pair::problem::TOGETHER;

/// Directions that are to be evaluated.
struct Wanted {
    directions: [Vector3<f64>; TOGETHER],
    count: usize,
}

impl Default for Wanted {
    fn default() -> Self {
        Wanted {
            directions: [Vector3::z(); TOGETHER],
            count: 0,
        }
    }
}

/// A cell that is to be split between the first two corners.
#[derive(Clone, Copy)]
struct Split {
    cell: Cell,
    edge: [u16; 3],
    middle: Middle,
}

/// The direction halfway along an edge: evaluated, or among those that are to be.
#[derive(Clone, Copy)]
enum Middle {
    Known(u16),
    Wanted(usize),
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

    fn run(&mut self, iterations: &mut u32) -> (Penetration, f64) {
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
        match self.cone() {
            Some(angle) => self.pyramid(angle, iterations),
            None => self.octahedron(iterations),
        }
        loop {
            let mut split: [Option<Split>; TOGETHER] = [None; TOGETHER];
            let mut wanted = Wanted::default();
            for place in &mut split {
                let Some(highest) = self.cells[..self.cell_count].first() else {
                    break;
                };
                let done = highest.bound <= self.best.gap + self.tolerance;
                let full = self.evaluated + wanted.count == EVALUATIONS
                    || self.cell_count + 2 * TOGETHER > CELLS;
                if done || full {
                    break;
                }
                *place = self.pop().map(|cell| self.halve(cell, &mut wanted));
            }
            if split[0].is_none() {
                let left = self.cells[..self.cell_count].first();
                return left.map_or(discarded, |cell| discarded.max(cell.bound));
            }
            let first = self.evaluate_all(&wanted, iterations);
            for Split {
                cell,
                edge: [a, b, opposite],
                middle,
            } in split.into_iter().flatten()
            {
                let middle = match middle {
                    Middle::Known(index) => index,
                    Middle::Wanted(place) => first + place as u16,
                };
                for corners in [[a, middle, opposite], [middle, b, opposite]] {
                    let bound = self.bound(corners).min(cell.bound);
                    if bound > self.best.gap + self.tolerance {
                        self.push(Cell { bound, corners });
                    } else {
                        discarded = discarded.max(bound);
                    }
                }
            }
        }
    }

    /// The angle about the best normal within which all directions lie that can do better, if that
    /// is less than a hemisphere.
    ///
    /// The bodies hold balls of radii r_A and r_B about points c apart, so along a direction at the
    /// angle φ from c the depth is at least `r_A + r_B − |c| cos φ`: less than a known depth δ only if
    /// `cos φ > (r_A + r_B − δ)/|c|`.
    fn cone(&self) -> Option<f64> {
        const WIDEST: f64 = 1.2;
        const ROUNDING: f64 = 1e-9;
        let center = self.problem.center();
        let [ra, rb] = self.problem.inner_radii();
        let cosine = (ra + rb + self.best.gap) / center.norm() - ROUNDING;
        let whole_sphere = self.signs.iter().any(Option::is_some) || !(0.0..1.0).contains(&cosine);
        if whole_sphere {
            return None;
        }
        let angle = cosine.acos() + center.angle(&self.best.normal) + ROUNDING;
        (angle < WIDEST).then_some(angle)
    }

    /// Four cells around the best normal that cover a cone of this angle.
    fn pyramid(&mut self, angle: f64, iterations: &mut u32) {
        let apex = self.best.normal;
        let axes = crate::surface::tangents(&Unit::new_unchecked(apex));
        // The middles of the edges opposite the apex are nearer to it than their ends.
        let reach = std::f64::consts::SQRT_2 * angle.tan();
        let top = self.evaluate(apex, iterations);
        let [east, north] = axes.map(|axis| axis * reach);
        let ring = [east, north, -east, -north]
            .map(|side| self.evaluate((apex + side).normalize(), iterations));
        for k in 0..4 {
            let corners = [top, ring[k], ring[(k + 1) % 4]];
            let bound = self.bound(corners);
            self.push(Cell { bound, corners });
        }
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
        self.take(n, probe, iterations)
    }

    fn take(&mut self, n: Vector3<f64>, probe: Probe, iterations: &mut u32) -> u16 {
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

    /// Where a cell is to be split. The direction halfway along an edge is evaluated once for both cells
    /// of the edge.
    fn halve(&mut self, cell: Cell, wanted: &mut Wanted) -> Split {
        let edge = self.longest_edge_first(cell.corners);
        let [a, b, _] = edge;
        // Corner 0 never pairs with itself, so the key 0 marks an empty slot.
        let key = (u32::from(a.min(b)) << 16) | u32::from(a.max(b));
        let mut slot = (key.wrapping_mul(0x9E37_79B1) >> 8) as usize % SLOTS;
        while self.midpoints[slot].0 != 0 && self.midpoints[slot].0 != key {
            slot = (slot + 1) % SLOTS;
        }
        let next = self.evaluated + wanted.count;
        let index = if self.midpoints[slot].0 == key {
            usize::from(self.midpoints[slot].1)
        } else {
            let sum = self.directions[usize::from(a)] + self.directions[usize::from(b)];
            wanted.directions[wanted.count] = sum.normalize();
            wanted.count += 1;
            self.midpoints[slot] = (key, next as u16);
            next
        };
        let middle = match index.checked_sub(self.evaluated) {
            Some(place) => Middle::Wanted(place),
            None => Middle::Known(index as u16),
        };
        Split { cell, edge, middle }
    }

    /// Evaluates the directions together; the place of the first.
    fn evaluate_all(&mut self, wanted: &Wanted, iterations: &mut u32) -> u16 {
        let first = self.evaluated;
        if wanted.count == 0 {
            return first as u16;
        }
        let probes = self
            .problem
            .probe_together(&wanted.directions, wanted.count);
        for (n, probe) in wanted.directions.iter().zip(probes).take(wanted.count) {
            self.take(*n, probe, iterations);
        }
        first as u16
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

    /// Upper bound of g over a cell; any that lets the cell be discarded will do.
    fn bound(&self, corners: [u16; 3]) -> f64 {
        let enough = self.best.gap + self.tolerance;
        let m = corners.map(|i| self.directions[usize::from(i)]);
        let z = corners.map(|i| self.z[usize::from(i)]);
        let normal = (m[1] - m[0]).cross(&(m[2] - m[0]));
        let plane_distance = normal.dot(&m[0]).abs() / normal.norm();
        let on_sphere = |v: f64| if v < 0.0 { v } else { v / plane_distance };
        let payoff = |ball: f64| {
            std::array::from_fn(|k| std::array::from_fn(|i| (z[k] + m[k] * ball).dot(&m[i])))
        };
        let on_plane = |g: f64| if g < 0.0 { g } else { g * plane_distance };
        let plain = on_sphere(game_value(&payoff(0.0), on_plane(enough)));
        if self.ball == 0.0 || plain <= enough {
            return plain;
        }
        let swept = game_value(&payoff(self.ball), on_plane(enough + self.ball));
        plain.min(on_sphere(swept) - self.ball)
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
/// payoff: the least of `max_i Σ_k x_k P_ki` over mixed rows x; or any upper bound of it that is
/// `enough`. Every x gives an upper bound, so trying the point where all columns are equal, pure rows,
/// and the points of two rows at which two columns are equal never errs on the unsafe side and contains
/// the optimum. Where the columns have such a point too, the first is it.
fn game_value(p: &[[f64; 3]; 3], enough: f64) -> f64 {
    let column = |x: &[f64; 3], i: usize| x[0] * p[0][i] + x[1] * p[1][i] + x[2] * p[2][i];
    let most = |x: &[f64; 3]| column(x, 0).max(column(x, 1)).max(column(x, 2));
    let mut value = f64::INFINITY;
    if let Some(x) = equalising(|k, i| p[k][i]) {
        value = most(&x);
        if value <= enough || equalising(|k, i| p[i][k]).is_some() {
            return value;
        }
    }
    for k in 0..3 {
        let next = (k + 1) % 3;
        value = value.min(p[k][0].max(p[k][1]).max(p[k][2]));
        for (i, j) in [(1, 0), (2, 0), (2, 1)] {
            let (here, there) = (p[k][i] - p[k][j], p[next][i] - p[next][j]);
            let weight = there / (there - here);
            if (0.0..=1.0).contains(&weight) {
                let mut x = [0.0; 3];
                (x[k], x[next]) = (weight, 1.0 - weight);
                value = value.min(most(&x));
            }
        }
        if value <= enough {
            break;
        }
    }
    value
}

/// The mixture of rows k against which every column i is worth the same, if there is one.
fn equalising(p: impl Fn(usize, usize) -> f64) -> Option<[f64; 3]> {
    let against = |j: usize| Vector3::new(p(0, 0) - p(0, j), p(1, 0) - p(1, j), p(2, 0) - p(2, j));
    let x = against(1).cross(&against(2));
    let sum = x.sum();
    let x = [x[0] / sum, x[1] / sum, x[2] / sum];
    x.iter().all(|w| *w >= 0.0).then_some(x)
}
