//! The octree of the paper: each triangle is put into cells that are larger than its box, and as small as that allows;
//! so its box meets eight of them at most, and they all list it.
//!
//! The tree is traversed by the ray's parameters (Revelles, Ureña, Lastra 2000): of a cell one knows where the ray enters
//! and leaves each of its three slabs; those of the children follow from the middle between them, and the next child is
//! that behind the plane that the ray meets first. A direction with negative parts is mirrored, and so are the children's
//! numbers. It is rebuilt in every step.

use crate::soft::ray::InwardRay;
use crate::soft::surface::Surface;
use nalgebra::Vector3;

/// The deepest level: cells of 1/4096 of the root.
const DEEPEST: u32 = 12;
/// By this share of the root's side the boxes of triangles are enlarged, so that a ray along a cell's side misses none.
const SLACK: f64 = 1e-9;
/// By this share of the largest coordinate as well, as rounding grows with the distance from the origin.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Cell {
    /// The eight children, each one's place or `NONE`.
    children: [u32; 8],
    /// The first triangle of the cell in the lists, or `NONE`.
    head: u32,
}

impl Cell {
    const EMPTY: Cell = Cell {
        children: [NONE; 8],
        head: NONE,
    };
}

/// The octree of a surface at one time.
#[derive(Clone, Debug, Default)]
pub struct Octree {
    cells: Vec<Cell>,
    /// Triangles in cells, each with the place of the next one of its cell.
    entries: Vec<(u32, u32)>,
    low: Vector3<f64>,
    side: f64,
}

impl Octree {
    /// Builds the octree of a surface with vertices at x.
    ///
    /// # Panics
    /// It panics if there are fewer positions than the surface has vertices.
    pub fn rebuild(&mut self, surface: &Surface, x: &[Vector3<f64>]) {
        self.cells.clear();
        self.cells.push(Cell::EMPTY);
        self.entries.clear();
        let boxes = |t: u32| {
            let [a, b, c] = surface.corners(t, x);
            (a.inf(b).inf(c), a.sup(b).sup(c))
        };
        let count = surface.triangles().len() as u32;
        let nothing = (
            Vector3::repeat(f64::INFINITY),
            Vector3::repeat(f64::NEG_INFINITY),
        );
        let (low, high) = (0..count)
            .map(boxes)
            .fold(nothing, |(low, high), (l, h)| (low.inf(&l), high.sup(&h)));
        let side = (high - low).max();
        let slack = SLACK * side + ROUNDING * low.amax().max(high.amax());
        let slack = Vector3::repeat(slack);
        self.low = low - slack * 4.0;
        self.side = side + 8.0 * slack.x;
        for t in 0..count {
            let (l, h) = boxes(t);
            self.insert(t, &(l - slack), &(h + slack));
        }
    }

    fn insert(&mut self, t: u32, low: &Vector3<f64>, high: &Vector3<f64>) {
        let largest = (high - low).max();
        let mut level = 0;
        let mut cell = self.side;
        while level < DEEPEST && 0.5 * cell > largest {
            cell *= 0.5;
            level += 1;
        }
        let last = (1u32 << level) - 1;
        let at = |p: f64, k: usize| (((p - self.low[k]) / cell).max(0.0) as u32).min(last);
        let (from, to) = (
            [0, 1, 2].map(|k| at(low[k], k)),
            [0, 1, 2].map(|k| at(high[k], k)),
        );
        for i in from[0]..=to[0] {
            for j in from[1]..=to[1] {
                for k in from[2]..=to[2] {
                    let cell = self.cell([i, j, k], level) as usize;
                    self.entries.push((t, self.cells[cell].head));
                    self.cells[cell].head = self.entries.len() as u32 - 1;
                }
            }
        }
    }

    /// The cell of a level at a place, made if it is new.
    fn cell(&mut self, place: [u32; 3], level: u32) -> u32 {
        let mut cell = 0u32;
        for bit in (0..level).rev() {
            let child = (0..3)
                .map(|k| ((place[k] >> bit & 1) << k) as usize)
                .sum::<usize>();
            let mut next = self.cells[cell as usize].children[child];
            if next == NONE {
                next = self.cells.len() as u32;
                self.cells.push(Cell::EMPTY);
                self.cells[cell as usize].children[child] = next;
            }
            cell = next;
        }
        cell
    }

    /// The most cells that a triangle is in.
    #[cfg(test)]
    pub(crate) fn most_cells_of_a_triangle(&self) -> usize {
        let mut counts = std::collections::BTreeMap::new();
        for (t, _) in &self.entries {
            *counts.entry(t).or_insert(0) += 1;
        }
        counts.into_values().max().unwrap_or(0)
    }

    /// Calls `meet` with every triangle of the cells that the ray meets before the limit, and with the limit; it returns
    /// the limit from there on. A triangle in several cells is met several times.
    pub fn along(&self, ray: &InwardRay, limit: f64, mut meet: impl FnMut(u32, f64) -> f64) {
        let mut mirror = 0;
        let (mut t0, mut t1) = ([0.0; 3], [0.0; 3]);
        for k in 0..3 {
            let (low, high) = (self.low[k], self.low[k] + self.side);
            let (mut origin, mut d) = (ray.origin[k], ray.direction[k]);
            if d < 0.0 {
                origin = low + high - origin;
                d = -d;
                mirror |= 1 << k;
            }
            // A ray across an axis is within its slab all the time or never: a tiny part of the direction says so.
            let d = d.max(1e-200);
            t0[k] = (low - origin) / d;
            t1[k] = (high - origin) / d;
        }
        if self.cells.is_empty() {
            return;
        }
        let walk = &mut Walk {
            tree: self,
            mirror,
            limit,
        };
        let enters = t0[0].max(t0[1]).max(t0[2]);
        let leaves = t1[0].min(t1[1]).min(t1[2]);
        if enters <= leaves {
            walk.cell(0, t0, t1, &mut meet);
        }
    }
}

struct Walk<'a> {
    tree: &'a Octree,
    mirror: usize,
    limit: f64,
}

impl Walk<'_> {
    fn cell(
        &mut self,
        cell: u32,
        t0: [f64; 3],
        t1: [f64; 3],
        meet: &mut impl FnMut(u32, f64) -> f64,
    ) {
        let leaves = t1[0].min(t1[1]).min(t1[2]);
        let enters = t0[0].max(t0[1]).max(t0[2]);
        if leaves < 0.0 || enters > self.limit {
            return;
        }
        let node = &self.tree.cells[cell as usize];
        let mut entry = node.head;
        while entry != NONE {
            let (t, next) = self.tree.entries[entry as usize];
            self.limit = meet(t, self.limit);
            entry = next;
        }
        if node.children == [NONE; 8] {
            return;
        }
        let tm = [0, 1, 2].map(|k| 0.5 * (t0[k] + t1[k]));
        // The ray enters by the plane of `enters`; beyond the middle of another axis it is in that axis' upper half.
        let mut child: usize = (0..3).filter(|&k| tm[k] < enters).map(|k| 1 << k).sum();
        loop {
            let upper = |k: usize| child >> k & 1 == 1;
            let from = [0, 1, 2].map(|k| if upper(k) { tm[k] } else { t0[k] });
            let to = [0, 1, 2].map(|k| if upper(k) { t1[k] } else { tm[k] });
            let next = node.children[child ^ self.mirror];
            if next != NONE {
                self.cell(next, from, to, meet);
            }
            // The next child lies behind the plane that is met first; behind an upper one the cell ends.
            let axis = (0..3).min_by(|&i, &j| to[i].total_cmp(&to[j])).unwrap_or(0);
            if upper(axis) {
                return;
            }
            child |= 1 << axis;
        }
    }
}
