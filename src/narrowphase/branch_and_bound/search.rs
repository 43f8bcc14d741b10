//! Certified least depth: branch and bound over all directions.
//!
//! The sphere of directions is divided into spherical triangles, at first those of an octahedron, or of
//! a pyramid about the known depth's direction where only directions near the centre line can do better
//! (see [`Search::cone`]).
//! The support points of a corner give `g(m) ≤ z_k·m` for every m (as any two points of the bodies do, so that
//! they need not reach quite as far as possible). A direction of the cell with
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
//! be smallest. If their r is as large as its depth, none of them does better (see [`bounds::Summit`]).

use crate::narrowphase::ascent;
use crate::narrowphase::branch_and_bound::bounds;
use crate::narrowphase::branch_and_bound::bounds::{Cone, Summit};
use crate::narrowphase::branch_and_bound::initial_penetration::InitialPenetration;
use crate::narrowphase::branch_and_bound::metric::Metric;
use crate::narrowphase::branch_and_bound::node::Node;
use crate::narrowphase::convex_pair::Penetration;
use crate::narrowphase::convex_pair::{ConvexPair, DIRECTIONS_PER_BATCH, SupportPair};
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

/// The directions that are to be evaluated.
struct Wanted {
    directions: [Vector3<f64>; DIRECTIONS_PER_BATCH],
    count: usize,
}

impl Default for Wanted {
    fn default() -> Self {
        Wanted {
            directions: [Vector3::z(); DIRECTIONS_PER_BATCH],
            count: 0,
        }
    }
}

/// A cell that is to be split between its first two corners, and the index of the direction halfway.
#[derive(Clone, Copy)]
struct Split {
    cell: Cell,
    middle: u16,
}

/// All of the search's memory, so that a query allocates nothing: room for EVALUATIONS directions
/// (48 bytes each), and for TWICE as many cells (16 bytes) and edge midpoints (6 bytes).
pub(super) struct Memory<const EVALUATIONS: usize, const TWICE: usize> {
    nodes: [Node; EVALUATIONS],
    cells: [Cell; TWICE],
    /// A hash table: the indices of an edge's ends, 0 where there is none, and of its midpoint.
    edges: [u32; TWICE],
    midpoints: [u16; TWICE],
}

impl<const EVALUATIONS: usize, const TWICE: usize> Memory<EVALUATIONS, TWICE> {
    /// The memory of a new search: all zeros, which are the cheapest to write.
    pub(super) const EMPTY: Self = Memory {
        nodes: [Node {
            m: Vector3::new(0.0, 0.0, 0.0),
            z: Vector3::new(0.0, 0.0, 0.0),
        }; EVALUATIONS],
        cells: [Cell::EMPTY; TWICE],
        edges: [0; TWICE],
        midpoints: [0; TWICE],
    };
}

pub(super) struct Search<'a, P, const EVALUATIONS: usize, const TWICE: usize> {
    problem: &'a P,
    memory: &'a mut Memory<EVALUATIONS, TWICE>,
    evaluated: usize,
    /// The cells still to be looked at are a queue in a ring: coarse ones come first, so that a better
    /// direction is met before anything is refined in vain.
    first_cell: usize,
    cell_count: usize,
    best: Penetration,
    /// Whether `best` is stationary, not just the best direction evaluated.
    best_is_local: bool,
    /// What is known of the directions about `best`, once that was needed.
    summit: Option<Summit>,
    /// The largest bound of the cells that were not worth keeping.
    discarded: f64,
    tolerance: f64,
    signs: Signs,
    metric: Option<Metric>,
}

/// The angle about the best direction within which the curvature is examined first.
const CONE: f64 = 0.12;

/// The number of directions that are evaluated before that: coarse cells reach beyond the cones, and a better direction
/// is often found among the first.
const COARSE_DIRECTIONS: usize = 16;

/// The length by which the points in lanes may be short of the support points in sum, see
/// [`crate::surface::support_lanes`].
const OUT_OF_REACH: f64 = 2e-5;

/// The signs that the coordinates of the direction must have, where they must have one.
pub(crate) type Signs = [Option<f64>; 3];

impl<'a, P: ConvexPair, const EVALUATIONS: usize, const TWICE: usize>
    Search<'a, P, EVALUATIONS, TWICE>
{
    pub fn new(
        problem: &'a P,
        memory: &'a mut Memory<EVALUATIONS, TWICE>,
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
            summit: None,
            discarded: f64::NEG_INFINITY,
            tolerance,
            signs: [None; 3],
            metric: Metric::new(&problem.spread()),
        }
    }

    /// Restricts the search to the directions with these signs.
    pub fn within(self, signs: Signs) -> Self {
        Search { signs, ..self }
    }

    pub fn run(mut self, iterations: &mut u32) -> (Penetration, f64) {
        match self.cone() {
            Some(angle) => self.pyramid(angle, iterations),
            None => self.octahedron(iterations),
        }
        while self.split_some(iterations) {}
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
        let mut wanted = Wanted::default();
        while wanted.count < DIRECTIONS_PER_BATCH && count < MOST {
            let full =
                self.evaluated + wanted.count == EVALUATIONS || self.cell_count + 2 * MOST > TWICE;
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
        self.evaluate_all(&wanted, iterations);
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
        if self.best_is_local && self.summit.is_none() && self.evaluated >= COARSE_DIRECTIONS {
            self.summit = Some(self.look_around());
        }
        let summit = self.summit.take();
        let at = |index: u16| &self.memory.nodes[usize::from(index)];
        let corner = |i: usize| splits.each_ref().map(|split| at(split.cell.corners[i]));
        let middles = splits.each_ref().map(|split| at(split.middle));
        let halves = bounds::halves(
            [corner(0), corner(1), corner(2), middles],
            count,
            summit.as_ref(),
            self.metric.as_ref(),
        );
        for (k, split) in splits[..count].iter().enumerate() {
            let ([a, b, opposite], middle) = (split.cell.corners, split.middle);
            for (half, end) in [a, b].into_iter().enumerate() {
                // A bound that is not a number bounds nothing.
                let bound = halves.bounds[half][k].min(split.cell.bound);
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
        self.summit = summit;
    }

    /// Returns what bounds g about the best direction.
    fn look_around(&self) -> Summit {
        let Penetration { normal, xa, xb, .. } = self.best;
        let d = xb - xa;
        let along = d.dot(&normal);
        let [na, nb] = self
            .problem
            .outward_normals(&xa, &xb, &normal)
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
        Summit {
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
        const ROUNDING: f64 = 1e-9;
        let [ra, rb] = self.problem.inner_radii();
        let cosine = (ra + rb + self.best.gap) / self.problem.center().norm() - ROUNDING;
        let whole_sphere = self.signs.iter().any(Option::is_some) || !(0.0..1.0).contains(&cosine);
        let angle = (!whole_sphere).then(|| cosine.acos() + ROUNDING);
        angle.filter(|&angle| angle < WIDEST)
    }

    /// Begins with cells around the best normal that cover a cone of this angle about the centre line. (That normal
    /// lies in the cone, as it does as well as itself.) Their corners are evaluated at once.
    fn pyramid(&mut self, angle: f64, iterations: &mut u32) {
        const SIDES: u16 = DIRECTIONS_PER_BATCH as u16 - 1;
        let axis = self.problem.center().normalize();
        let [east, north] = crate::surface::tangents(&Unit::new_unchecked(axis));
        let share = std::f64::consts::PI / f64::from(SIDES);
        // The middles of the base's edges are nearer to the axis than its corners.
        let reach = angle.tan() / share.cos();
        let mut wanted = Wanted::default();
        for k in 0..SIDES {
            let (sin, cos) = (2.0 * share * f64::from(k)).sin_cos();
            wanted.add((axis + (east * cos + north * sin) * reach).normalize());
        }
        wanted.add(self.best.normal);
        self.evaluate_all(&wanted, iterations);
        self.begin::<{ SIDES as usize }>(std::array::from_fn(|k| {
            let k = k as u16;
            [SIDES, k, (k + 1) % SIDES]
        }));
    }

    fn octahedron(&mut self, iterations: &mut u32) {
        let mut wanted = Wanted::default();
        let axes = [0, 1, 2].map(|axis| {
            [1.0, -1.0].map(|sign| {
                let searched = self.signs[axis].is_none_or(|only| only == sign);
                searched.then(|| {
                    wanted.add(Vector3::ith(axis, sign));
                    wanted.count as u16 - 1
                })
            })
        });
        self.evaluate_all(&wanted, iterations);
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
                let m = self.memory.nodes[usize::from(i)].m;
                self.metric.as_ref().map_or(m, |metric| metric.of(&m))
            });
            let cosines = [a.dot(&b), b.dot(&c), c.dot(&a)];
            let corners = longest_edge_first(corners, cosines);
            let bound = f64::INFINITY;
            self.push(Cell { bound, corners });
        }
    }

    fn remember(&mut self, n: Vector3<f64>, support: &SupportPair) -> u16 {
        let index = self.evaluated;
        self.memory.nodes[index] = Node {
            m: n,
            z: support.z(),
        };
        self.evaluated += 1;
        index as u16
    }

    /// Takes a better direction, sharpened by Newton's method where that works. Of non-convex bodies only pairs of
    /// their true surfaces count, not support points of their hulls. Its g may be less than `gap`, as points in lanes
    /// need not reach quite as far as possible.
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
            self.summit = None;
        }
    }

    /// Returns where a cell is to be split. The direction halfway along an edge is evaluated once for both cells of the
    /// edge.
    fn halve(&mut self, cell: Cell, wanted: &mut Wanted) -> Split {
        let [a, b, _] = cell.corners;
        // Corner 0 never pairs with itself, so the key 0 marks an empty slot.
        let key = (u32::from(a.min(b)) << 16) | u32::from(a.max(b));
        let mut slot = (key.wrapping_mul(0x9E37_79B1) >> 8) as usize % TWICE;
        let next = self.evaluated + wanted.count;
        let Memory {
            nodes,
            edges,
            midpoints,
            ..
        } = &mut *self.memory;
        while edges[slot] != 0 && edges[slot] != key {
            slot = (slot + 1) % TWICE;
        }
        if edges[slot] != key {
            (edges[slot], midpoints[slot]) = (key, next as u16);
            let [a, b] = [a, b].map(|i| nodes[usize::from(i)].m);
            let middle = self
                .metric
                .as_ref()
                .map_or_else(|| a + b, |metric| metric.middle(&a, &b));
            wanted.add(middle.normalize());
        }
        let middle = midpoints[slot];
        Split { cell, middle }
    }

    /// Evaluates the directions at once and returns the index of the first.
    fn evaluate_all(&mut self, wanted: &Wanted, iterations: &mut u32) -> u16 {
        let first = self.evaluated;
        if wanted.count == 0 {
            return first as u16;
        }
        let supports = self.problem.support_pairs(&wanted.directions, wanted.count);
        let found = wanted.directions.iter().zip(supports).take(wanted.count);
        let mut highest = (f64::NEG_INFINITY, first);
        for (n, support) in found {
            if support.gap > highest.0 {
                highest = (support.gap, self.evaluated);
            }
            self.remember(*n, &support);
        }
        if highest.0 > self.best.gap + self.tolerance {
            let n = self.memory.nodes[highest.1].m;
            self.improve(n, highest.0, iterations);
        }
        first as u16
    }

    /// Adds a cell to the queue, which must have room for it.
    fn push(&mut self, cell: Cell) {
        self.memory.cells[(self.first_cell + self.cell_count) % TWICE] = cell;
        self.cell_count += 1;
    }

    fn pop(&mut self) -> Option<Cell> {
        self.cell_count = self.cell_count.checked_sub(1)?;
        let cell = self.memory.cells[self.first_cell];
        self.first_cell = (self.first_cell + 1) % TWICE;
        Some(cell)
    }

    /// Returns the highest bound of the cells in the queue; −∞ if there is none.
    fn highest_bound(&self) -> f64 {
        let cell = |k: usize| &self.memory.cells[(self.first_cell + k) % TWICE];
        let bounds = (0..self.cell_count).map(|k| cell(k).bound);
        bounds.fold(f64::NEG_INFINITY, f64::max)
    }
}

impl Wanted {
    fn add(&mut self, direction: Vector3<f64>) {
        self.directions[self.count] = direction;
        self.count += 1;
    }
}

/// Returns the corners turned around so that their first edge is the one of the least cosine; the cosines are those of
/// the edges that begin at them.
fn longest_edge_first([a, b, c]: [u16; 3], [ab, bc, ca]: [f64; 3]) -> [u16; 3] {
    if ab <= bc && ab <= ca {
        [a, b, c]
    } else if bc <= ca {
        [b, c, a]
    } else {
        [c, a, b]
    }
}
