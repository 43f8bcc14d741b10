//! Certified least depth: branch and bound over all directions.
//!
//! The sphere of directions is divided into spherical triangles, at first those of an octahedron, or of
//! a pyramid about the known depth's direction where only directions near the centre line can do better
//! (see [`Search::cone`]).
//! The support points of a corner give `g(m) ≤ z_k·m` for every m. This holds for any two points of the bodies, so that
//! approximate support points suffice. A direction of the cell with
//! unit corners m_i is q/|q|, `q = Σ y_i m_i`, `y ≥ 0`, `Σ y_i = 1`, so on the cell's plane
//!
//! ```text
//! g(q) ≤ max over y of min over k of Σ_i y_i (z_k·m_i) = v
//! ```
//!
//! the value of a 3×3 matrix game. As `ϱ ≤ |q| ≤ 1`, ϱ the plane's distance from the origin, the cell
//! holds no g above v (v < 0) or v/ϱ (v ≥ 0). Cells are split at their longest edge (of thin bodies: by a
//! [`Metric`] that suits them) until no bound exceeds the best g found by more than the tolerance.
//!
//! A body that is a smaller one swept by a sphere of radius r has a support function with a term
//! r |m|, which is constant on the sphere. Taken out before bounding (for an ellipsoid
//! `r = min a²/max a`) it makes the bound of round bodies exact. The same holds for directions among
//! which the radii of curvature are at least r: those about the best one found, where cells would have to
//! be smallest. If their r is as large as its depth, none of them does better (see [`bounds::LocalOptimum`]).

use crate::lanes::{RowColumn, RowRefs};
use crate::narrowphase::ascent;
use crate::narrowphase::branch_and_bound::bounds;
use crate::narrowphase::branch_and_bound::bounds::{Cone, Known, LocalOptimum};
use crate::narrowphase::branch_and_bound::initial_penetration::InitialPenetration;
use crate::narrowphase::branch_and_bound::metric::Metric;
use crate::narrowphase::branch_and_bound::precision::{Evaluate, Node, Precision};
use crate::narrowphase::convex_pair::DIRECTIONS_PER_BATCH;
use crate::narrowphase::convex_pair::Penetration;
use crate::surface::curvature::ANGLES;
use nalgebra::{Unit, Vector3};

/// A spherical triangle: corner indices, the longest edge first, and the bound of g over it.
#[derive(Clone, Copy)]
struct Cell {
    bound: f64,
    corners: [u16; 3],
}

impl Cell {
    const EMPTY: Cell = Cell {
        bound: 0.0,
        corners: [0; 3],
    };
}

/// The edges whose middles are to be evaluated.
struct Wanted {
    /// The indices of their first ends, and those of their second ones.
    edges: [[u16; DIRECTIONS_PER_BATCH]; 2],
    count: usize,
}

/// A cell that is to be split between its first two corners, and the index of the direction halfway.
#[derive(Clone, Copy)]
struct Split {
    cell: Cell,
    middle: u16,
}

/// All of the search's memory, so that a query allocates nothing: room for EVALUATIONS directions (eight numbers each),
/// and for TWICE as many cells (16 bytes) and edge midpoints (6 bytes); both are powers of two.
pub(super) struct Memory<T, const EVALUATIONS: usize, const TWICE: usize> {
    nodes: [Node<T>; EVALUATIONS],
    cells: [Cell; TWICE],
    edges: [u32; TWICE],
    midpoints: [u16; TWICE],
}

impl<T: Precision, const EVALUATIONS: usize, const TWICE: usize> Memory<T, EVALUATIONS, TWICE> {
    /// The memory of a new search: all zeros, which are the cheapest to write.
    pub(super) fn empty() -> Self {
        const { assert!(TWICE == 2 * EVALUATIONS && TWICE.is_power_of_two()) };
        Memory {
            nodes: [[T::default(); 8]; EVALUATIONS],
            cells: [Cell::EMPTY; TWICE],
            edges: [0; TWICE],
            midpoints: [0; TWICE],
        }
    }

    pub(super) fn borrow(&mut self) -> Buffers<'_, T> {
        Buffers {
            nodes: &mut self.nodes,
            cells: &mut self.cells,
            edges: &mut self.edges,
            midpoints: &mut self.midpoints,
        }
    }
}

/// The memory of a search, of any size.
pub(super) struct Buffers<'a, T> {
    nodes: &'a mut [Node<T>],
    cells: &'a mut [Cell],
    /// A hash table: the indices of an edge's ends, 0 where there is none, and of its midpoint.
    edges: &'a mut [u32],
    midpoints: &'a mut [u16],
}

pub(super) struct Search<'a, P, T> {
    problem: &'a P,
    memory: Buffers<'a, T>,
    evaluated: usize,
    /// The cells still to be split are a queue in a ring buffer. Coarse cells come first, so that a better direction is found
    /// before fine cells around a worse one are split.
    first_cell: usize,
    cell_count: usize,
    best: Penetration,
    /// Whether `best` is stationary, not just the best direction evaluated.
    best_is_local: bool,
    /// The bound of g about `best`, from the first time that it is needed on.
    local_optimum: Option<LocalOptimum>,
    /// The largest bound of the cells that were not worth keeping.
    discarded: f64,
    tolerance: f64,
    signs: Signs,
    metric: Option<Metric>,
    ahead: Option<Vector3<f64>>,
}

/// The angle about the best direction within which the curvature is examined first.
const CONE: f64 = 0.12;

/// The number of directions that are evaluated before that: coarse cells are wider than the cones, and the first directions
/// often include a better one.
const COARSE_DIRECTIONS: usize = 16;

/// The length by which the points in lanes may be short of the support points in sum, see
/// [`crate::surface::support_lanes`].
const OUT_OF_REACH: f64 = 2e-5;

/// The signs that the coordinates of the direction must have, where they must have one.
pub(crate) type Signs = [Option<f64>; 3];

impl<'a, P: Evaluate<T>, T: Precision> Search<'a, P, T> {
    pub fn new(
        problem: &'a P,
        memory: Buffers<'a, T>,
        found: InitialPenetration,
        tolerance: f64,
    ) -> Self {
        let (best, best_is_local) = match found {
            InitialPenetration::Local(best) => (best, true),
            InitialPenetration::Any(best) => (best, false),
        };
        Search {
            problem,
            memory,
            evaluated: 0,
            first_cell: 0,
            cell_count: 0,
            best,
            best_is_local,
            local_optimum: None,
            discarded: f64::NEG_INFINITY,
            tolerance,
            signs: [None; 3],
            metric: Metric::new(&problem.spread()),
            ahead: problem.is_even().then(|| {
                let center = problem.center();
                // Of bodies about the same centre either half will do.
                center
                    .try_normalize(f64::MIN_POSITIVE)
                    .unwrap_or_else(Vector3::z)
            }),
        }
    }

    /// Restricts the search to the directions with these signs.
    pub fn within(self, signs: Signs) -> Self {
        Search { signs, ..self }
    }

    /// Searches until no cell can hold a better direction, or until there is no room for more, and returns the best
    /// penetration and the bound of g over all directions.
    pub fn run(mut self, iterations: &mut u32) -> (Penetration, f64) {
        self.exhaust(iterations);
        self.conclude(iterations)
    }

    /// Searches as [`Search::run`] does. Returns `Err` with what was found if there is no room for more.
    pub fn run_to_the_end(
        mut self,
        iterations: &mut u32,
    ) -> Result<(Penetration, f64), InitialPenetration> {
        self.exhaust(iterations);
        if self.cell_count == 0 {
            return Ok(self.conclude(iterations));
        }
        *iterations += self.evaluated as u32;
        Err(if self.best_is_local {
            InitialPenetration::Local(self.best)
        } else {
            InitialPenetration::Any(self.best)
        })
    }

    fn exhaust(&mut self, iterations: &mut u32) {
        if let Some(angle) = self.cone() {
            let (axis, share) = (self.problem.center().normalize(), Self::SHARE);
            // The middles of the base's edges are nearer to the axis than its corners.
            self.pyramid(axis, [1.0, angle.tan() / share.cos()], iterations);
        } else if let Some(ahead) = self.ahead.filter(|ahead| self.is_within(ahead)) {
            // A little more than the hemisphere, as corners are rounded.
            self.pyramid(ahead, [-2e-6, 1.0], iterations);
        } else {
            self.octahedron(iterations);
        }
        while self.split_some(iterations) {}
    }

    /// Whether the best normal is well within the hemisphere about this direction, which is to be searched.
    fn is_within(&self, ahead: &Vector3<f64>) -> bool {
        self.signs.iter().all(Option::is_none) && self.best.normal.dot(ahead) > 0.1
    }

    fn conclude(mut self, iterations: &mut u32) -> (Penetration, f64) {
        let upper = self.highest_bound().max(self.discarded);
        if !self.best_is_local {
            let Penetration { normal, gap, .. } = self.best;
            let local = ascent::local_maximum(self.problem, &normal, gap, iterations);
            // Its witnesses line up with its normal, which the support points of a direction need
            // not: worth the last bit of the gap.
            if local.gap >= self.best.gap - 0.1 * self.problem.tolerance() {
                self.best = local;
            }
        }
        *iterations += self.evaluated as u32;
        (self.best, upper.max(self.best.gap))
    }

    /// Splits the next few cells that may hold a better direction. Returns false if there are none, or if there is no
    /// room for more.
    fn split_some(&mut self, iterations: &mut u32) -> bool {
        /// The number of cells that are split at once, as often two of them have the edge in common.
        const MOST: usize = 2 * DIRECTIONS_PER_BATCH;
        let mut splits = [Split {
            cell: Cell::EMPTY,
            middle: 0,
        }; MOST];
        let mut count = 0;
        let mut wanted = Wanted {
            edges: [[0; DIRECTIONS_PER_BATCH]; 2],
            count: 0,
        };
        let [nodes, cells] = [self.memory.nodes.len(), self.memory.cells.len()];
        while wanted.count < DIRECTIONS_PER_BATCH && count < MOST {
            let full = self.evaluated + wanted.count == nodes || self.cell_count + 2 * MOST > cells;
            if full {
                break;
            }
            let Some(cell) = self.pop() else { break };
            // The best may have become better since.
            if self.is_worth_keeping(cell.bound) {
                splits[count] = self.halve(cell, &mut wanted);
                count += 1;
            }
        }
        self.evaluate_middles(&wanted, iterations);
        let (vectors, _) = splits.as_chunks::<DIRECTIONS_PER_BATCH>();
        self.keep_halves(&vectors[0], count.min(DIRECTIONS_PER_BATCH));
        if count > DIRECTIONS_PER_BATCH {
            self.keep_halves(&vectors[1], count - DIRECTIONS_PER_BATCH);
        }
        count > 0
    }

    /// Whether a cell of this bound may hold a direction that is better by more than the tolerance; if
    /// not, its bound is all that is remembered.
    fn is_worth_keeping(&mut self, bound: f64) -> bool {
        let keep = bound > self.best.gap + self.tolerance;
        if !keep {
            self.discarded = self.discarded.max(bound);
        }
        keep
    }

    fn keep_halves(&mut self, splits: &[Split; DIRECTIONS_PER_BATCH], count: usize) {
        if self.local_optimum.is_none() && self.evaluated >= COARSE_DIRECTIONS {
            // The bound about what is not stationary is less tight, but it takes out the ball that rolls everywhere.
            let worth_it = self.best_is_local || self.problem.rolling_ball() > 0.0;
            self.local_optimum = worth_it.then(|| self.look_around());
        }
        let local_optimum = self.local_optimum.take();
        let mut places = [[0; DIRECTIONS_PER_BATCH]; 4];
        for (k, split) in splits.iter().enumerate() {
            let [a, b, opposite] = split.cell.corners;
            (places[0][k], places[1][k]) = (a, b);
            (places[2][k], places[3][k]) = (opposite, split.middle);
        }
        let nodes = &*self.memory.nodes;
        let corners = [
            at(nodes, &places[0]),
            at(nodes, &places[1]),
            at(nodes, &places[2]),
            at(nodes, &places[3]),
        ];
        let known = Known {
            local_optimum: local_optimum.as_ref(),
            metric: self.metric.as_ref(),
            ahead: self.ahead.as_ref(),
        };
        let halves = bounds::halves(corners, count, known);
        for (k, split) in splits[..count].iter().enumerate() {
            let ([a, b, opposite], middle) = (split.cell.corners, split.middle);
            for (half, end) in [a, b].into_iter().enumerate() {
                // A bound that is not a number bounds nothing.
                let bound: f64 = halves.bounds[half][k].into();
                let bound = bound.min(split.cell.bound);
                if self.is_worth_keeping(bound) {
                    let cosines = [
                        halves.cosines.to_ends[k],
                        halves.cosines.to_opposite[k],
                        halves.cosines.sides[half][k],
                    ];
                    let corners = longest_edge_first([end, middle, opposite], cosines);
                    self.push(Cell { bound, corners });
                }
            }
        }
        self.local_optimum = local_optimum;
    }

    /// Returns what bounds g about the best direction.
    fn look_around(&self) -> LocalOptimum {
        let Penetration { normal, xa, xb, .. } = self.best;
        let d = xb - xa;
        let along = d.dot(&normal);
        let [na, nb] = self
            .problem
            .outward_normals(&xa, &xb, &normal)
            .unwrap_or([normal, -normal])
            .map(|n| n.normalize());
        let anywhere = self.problem.rolling_ball();
        let angles = [2.0 * CONE, CONE, CONE / 3.0, CONE / 9.0];
        let balls = self.problem.least_radii_within(angles, &normal);
        let cone = |k: usize| Cone {
            cosine: angles[k].cos(),
            ball: balls[k].max(anywhere),
        };
        // The widest in which all is settled, and a wider one, in which it may be, too.
        let settled = |k: &usize| cone(*k).ball >= -along;
        let narrow = (1..ANGLES).find(settled).unwrap_or(ANGLES - 1);
        let cones = [cone(narrow - 1), cone(narrow)];
        LocalOptimum {
            normal,
            along,
            beside: (d - normal * along).norm() + self.problem.rounding(),
            mismatch: (na - normal).norm() + (nb + normal).norm() + self.problem.normal_rounding(),
            enough: self.best.gap + self.tolerance,
            anywhere,
            cones,
        }
    }

    /// Returns the angle about the centre line within which all directions lie that can do better, if that is much less
    /// than a hemisphere.
    ///
    /// The bodies contain spheres of radii r_A and r_B about points c apart, so along a direction at the
    /// angle φ from c the depth is at least `r_A + r_B − |c| cos φ`: less than a known depth δ only if
    /// `cos φ > (r_A + r_B − δ)/|c|`.
    fn cone(&self) -> Option<f64> {
        const WIDEST: f64 = 1.2;
        /// What double precision rounds; corners are rounded to the precision of the search.
        const ROUNDING: f64 = 1e-9;
        let [ra, rb] = self.problem.inner_radii();
        let cosine = (ra + rb + self.best.gap) / self.problem.center().norm() - ROUNDING;
        let whole_sphere = self.signs.iter().any(Option::is_some) || !(0.0..1.0).contains(&cosine);
        let angle = (!whole_sphere).then(|| cosine.acos() + ROUNDING + T::ROUNDING);
        angle.filter(|&angle| angle < WIDEST)
    }

    const SIDES: usize = DIRECTIONS_PER_BATCH - 1;
    /// Half the angle that a side of a pyramid takes.
    const SHARE: f64 = std::f64::consts::PI / Self::SIDES as f64;

    /// Begins with cells around the best normal, which must lie among them (in a cone of directions that can do better
    /// it does, as it does as well as itself). Their base has its corners at this height along the axis, and this far
    /// from it. All corners are evaluated at once.
    fn pyramid(&mut self, axis: Vector3<f64>, [height, radius]: [f64; 2], iterations: &mut u32) {
        let [east, north] = crate::surface::tangents(&Unit::new_unchecked(axis));
        let mut corners = [self.best.normal; DIRECTIONS_PER_BATCH];
        for (k, corner) in corners[..Self::SIDES].iter_mut().enumerate() {
            let (sin, cos) = (2.0 * Self::SHARE * k as f64).sin_cos();
            *corner = (axis * height + (east * cos + north * sin) * radius).normalize();
        }
        self.evaluate(&columns(&corners), DIRECTIONS_PER_BATCH, iterations);
        let last = Self::SIDES as u16;
        self.begin::<{ DIRECTIONS_PER_BATCH - 1 }>(std::array::from_fn(|k| {
            let k = k as u16;
            [last, k, (k + 1) % last]
        }));
    }

    fn octahedron(&mut self, iterations: &mut u32) {
        let mut corners = [Vector3::z(); DIRECTIONS_PER_BATCH];
        let mut count = 0;
        let axes = [0, 1, 2].map(|axis| {
            [1.0, -1.0].map(|sign| {
                let searched = self.signs[axis].is_none_or(|only| only == sign);
                searched.then(|| {
                    corners[count] = Vector3::ith(axis, sign);
                    count += 1;
                    count as u16 - 1
                })
            })
        });
        self.evaluate(&columns(&corners), count, iterations);
        for x in axes[0].into_iter().flatten() {
            for y in axes[1].into_iter().flatten() {
                for z in axes[2].into_iter().flatten() {
                    self.begin([[x, y, z]]);
                }
            }
        }
    }

    /// Adds the first cells.
    fn begin<const COUNT: usize>(&mut self, cells: [[u16; 3]; COUNT]) {
        for corners in cells {
            let [a, b, c] = corners.map(|i| {
                let m = self.direction(usize::from(i));
                self.metric.as_ref().map_or(m, |metric| metric.of(&m))
            });
            let cosines = [a.dot(&b), b.dot(&c), c.dot(&a)];
            let corners = longest_edge_first(corners, cosines);
            let bound = f64::INFINITY;
            self.push(Cell { bound, corners });
        }
    }

    /// Returns the direction of that index.
    fn direction(&self, index: usize) -> Vector3<f64> {
        let [x, y, z, ..] = self.memory.nodes[index];
        Vector3::new(x.into(), y.into(), z.into())
    }

    /// Takes a better direction, sharpened by Newton's method where that works. Of non-convex bodies only pairs of
    /// their true surfaces count, not support points of their hulls. Its g may be less than `gap`, which
    /// approximate support points gave.
    fn improve(&mut self, n: Vector3<f64>, gap: f64, iterations: &mut u32) {
        let higher = |found: &Penetration| found.gap > self.best.gap;
        let local = self.problem.sharpen(&n, gap - OUT_OF_REACH, iterations);
        let (found, is_local) = match local.filter(higher) {
            None if self.problem.takes_support_points() => {
                (Some(Penetration::along(self.problem, &n)), false)
            }
            local => (local, true),
        };
        if let Some(found) = found.filter(higher) {
            self.best = found;
            self.best_is_local = is_local;
            self.local_optimum = None;
        }
    }

    /// Returns where a cell is to be split. The direction halfway along an edge is evaluated once for both cells of the
    /// edge.
    fn halve(&mut self, cell: Cell, wanted: &mut Wanted) -> Split {
        let [a, b, _] = cell.corners;
        // Corner 0 never pairs with itself, so the key 0 marks an empty slot.
        let key = (u32::from(a.min(b)) << 16) | u32::from(a.max(b));
        let Buffers {
            edges, midpoints, ..
        } = &mut self.memory;
        let last = edges.len() - 1;
        let mut slot = (key.wrapping_mul(0x9E37_79B1) >> 8) as usize & last;
        while edges[slot] != 0 && edges[slot] != key {
            slot = (slot + 1) & last;
        }
        if edges[slot] != key {
            let next = self.evaluated + wanted.count;
            (edges[slot], midpoints[slot]) = (key, next as u16);
            wanted.edges[0][wanted.count] = a;
            wanted.edges[1][wanted.count] = b;
            wanted.count += 1;
        }
        let middle = midpoints[slot];
        Split { cell, middle }
    }

    fn evaluate_middles(&mut self, wanted: &Wanted, iterations: &mut u32) {
        if wanted.count > 0 {
            let [a, b] = &wanted.edges;
            let nodes = &*self.memory.nodes;
            let middles = bounds::middles([at(nodes, a), at(nodes, b)], self.metric.as_ref());
            self.evaluate(&middles, wanted.count, iterations);
        }
    }

    /// Evaluates the first of the directions at once.
    fn evaluate(&mut self, directions: &[RowColumn<T>; 3], count: usize, iterations: &mut u32) {
        let found = self.problem.nodes(directions, count);
        let mut highest = (f64::NEG_INFINITY, self.evaluated);
        for node in &found[..count] {
            let gap: f64 = node[6].into();
            if gap > highest.0 {
                highest = (gap, self.evaluated);
            }
            self.memory.nodes[self.evaluated] = *node;
            self.evaluated += 1;
        }
        if highest.0 > self.best.gap + self.tolerance {
            // The pair's functions take unit vectors, which those of single precision are not quite.
            let n = self.direction(highest.1).normalize();
            self.improve(n, highest.0, iterations);
        }
    }

    /// Adds a cell to the queue, which must have room for it.
    fn push(&mut self, cell: Cell) {
        let last = self.memory.cells.len() - 1;
        self.memory.cells[(self.first_cell + self.cell_count) & last] = cell;
        self.cell_count += 1;
    }

    fn pop(&mut self) -> Option<Cell> {
        self.cell_count = self.cell_count.checked_sub(1)?;
        let cell = self.memory.cells[self.first_cell];
        self.first_cell = (self.first_cell + 1) & (self.memory.cells.len() - 1);
        Some(cell)
    }

    /// Returns the highest bound of the cells in the queue; −∞ if there is none.
    fn highest_bound(&self) -> f64 {
        let last = self.memory.cells.len() - 1;
        let cell = |k: usize| &self.memory.cells[(self.first_cell + k) & last];
        let bounds = (0..self.cell_count).map(|k| cell(k).bound);
        bounds.fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Returns the nodes of these indices.
#[inline(always)]
fn at<'a, T>(nodes: &'a [Node<T>], places: &[u16; DIRECTIONS_PER_BATCH]) -> RowRefs<'a, T> {
    let [a, b, c, d, e, f, g, h] = *places;
    [
        &nodes[usize::from(a)],
        &nodes[usize::from(b)],
        &nodes[usize::from(c)],
        &nodes[usize::from(d)],
        &nodes[usize::from(e)],
        &nodes[usize::from(f)],
        &nodes[usize::from(g)],
        &nodes[usize::from(h)],
    ]
}

/// Returns vectors component by component.
fn columns<T: Precision>(v: &[Vector3<f64>; DIRECTIONS_PER_BATCH]) -> [RowColumn<T>; 3] {
    [0, 1, 2].map(|axis| v.map(|v| T::of(v[axis])))
}

/// Returns the corners turned around so that their first edge is the one of the least cosine; the cosines are those of
/// the edges that begin at them.
fn longest_edge_first<T: PartialOrd>([a, b, c]: [u16; 3], [ab, bc, ca]: [T; 3]) -> [u16; 3] {
    if ab <= bc && ab <= ca {
        [a, b, c]
    } else if bc <= ca {
        [b, c, a]
    } else {
        [c, a, b]
    }
}
