//! Patches: neighbouring triangles of a cloth that share a box and a measure of how they move.
//!
//! A patch keeps the mean m of its vertices, and the length of the way on which they left it: with `path` grown by
//! max |x − x₀ − (m − m₀)| in every substep,
//!
//! ```text
//! |x(t) − x(s)| ≤ |m(t) − m(s)| + path(t) − path(s)                                     for a vertex of one patch
//! |(x − y)(t) − (x − y)(s)| ≤ |(m − l)(t) − (m − l)(s)| + (path(t) − path(s) of both)   for vertices x and y of two, of means m and l
//! ```
//!
//! So what was apart at s by more than these lengths is so at t. A mark keeps what is needed of s.

use crate::cloth::fabric::FabricBody;
use crate::cloth::tree::{Box3, Tree};
use crate::particles::Particles;
use nalgebra::Vector3;
use std::collections::HashMap;

/// The most triangles of a patch.
const MOST: usize = 32;

/// The box and the mean of a patch at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub low: Vector3<f64>,
    pub high: Vector3<f64>,
    pub mean: Vector3<f64>,
}

/// What is kept of a patch to measure how far it goes from here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    mean: Vector3<f64>,
    path: f64,
}

/// Neighbouring triangles of a cloth.
pub(super) struct Patch {
    pub cloth: usize,
    /// Its triangles, of which every one is in one patch, and their particles.
    pub triangles: Vec<u32>,
    pub vertices: Vec<u32>,
    /// The edges and the particles that are in no patch before it.
    pub edges: Vec<u32>,
    pub corners: Vec<u32>,
    /// Where it is at the start of the substep and now.
    pub at: [Place; 2],
    /// The length of the way at the start of the substep, and what the substep adds.
    path: f64,
    ahead: f64,
}

/// All patches of the cloths of a world, cloth by cloth.
#[derive(Default)]
pub(crate) struct Patches {
    pub all: Vec<Patch>,
    /// Where those of each cloth begin, and the end.
    first: Vec<usize>,
    /// The mean of their means at the start of the substep and now.
    pub middle: [Vector3<f64>; 2],
}

/// Widens a box until it contains a point. `inf` and `sup` cost several times as much.
#[inline]
pub(super) fn widen(low: &mut Vector3<f64>, high: &mut Vector3<f64>, p: &Vector3<f64>) {
    for k in 0..3 {
        low[k] = if p[k] < low[k] { p[k] } else { low[k] };
        high[k] = if p[k] > high[k] { p[k] } else { high[k] };
    }
}

fn place(vertices: &[u32], x: &[Vector3<f64>]) -> Place {
    let start = x[vertices[0] as usize];
    let (mut low, mut high, mut sum) = (start, start, Vector3::zeros());
    for &v in vertices {
        let p = &x[v as usize];
        widen(&mut low, &mut high, p);
        sum += p;
    }
    Place {
        low,
        high,
        mean: sum / vertices.len() as f64,
    }
}

impl Place {
    /// The box about another origin.
    fn about(&self, origin: &Vector3<f64>) -> Box3 {
        (self.low - origin, self.high - origin)
    }
}

impl Patch {
    /// The box where the substep begins.
    pub fn start_box(&self) -> Box3 {
        (self.at[0].low, self.at[0].high)
    }

    /// The box of the whole substep.
    pub fn swept(&self) -> Box3 {
        let [start, end] = &self.at;
        (start.low.inf(&end.low), start.high.sup(&end.high))
    }

    /// The box of the whole substep about an origin that moves.
    pub fn swept_about(&self, middle: &[Vector3<f64>; 2]) -> Box3 {
        let [start, end] = [0, 1].map(|k| self.at[k].about(&middle[k]));
        (start.0.inf(&end.0), start.1.sup(&end.1))
    }

    /// Keeps where the substep begins.
    pub fn mark(&self) -> Mark {
        Mark {
            mean: self.at[0].mean,
            path: self.path,
        }
    }

    /// The farthest that a vertex can be in this substep from where it was at a mark.
    pub fn since(&self, mark: &Mark) -> f64 {
        let way = |place: &Place| (place.mean - mark.mean).norm();
        self.path + self.ahead - mark.path + way(&self.at[0]).max(way(&self.at[1]))
    }

    /// Keeps where the substep begins for this patch and another.
    pub fn mark_with(&self, other: &Patch) -> Mark {
        Mark {
            mean: self.at[0].mean - other.at[0].mean,
            path: self.path + other.path,
        }
    }

    /// The most by which a vertex of this patch and one of another can have moved against one another since a mark of both.
    pub fn since_with(&self, other: &Patch, mark: &Mark) -> f64 {
        let way = |k: usize| (self.at[k].mean - other.at[k].mean - mark.mean).norm_squared();
        let paths = self.path + self.ahead + other.path + other.ahead - mark.path;
        paths + way(0).max(way(1)).sqrt()
    }
}

impl Patches {
    pub fn new(cloths: &[FabricBody], particles: &Particles) -> Self {
        let (mut all, mut begin) = (Vec::new(), vec![0]);
        for (c, cloth) in cloths.iter().enumerate() {
            let center = |corners: &[u32; 3]| {
                let corners = corners.map(|v| particles.x[v as usize]);
                corners.iter().sum::<Vector3<f64>>() / 3.0
            };
            let centers: Vec<_> = cloth.triangles.iter().map(center).collect();
            let mut edges: HashMap<[u32; 2], u32> = HashMap::new();
            for (e, edge) in cloth.edges.iter().enumerate() {
                let [i, j] = edge.ends;
                edges.insert([i.min(j), i.max(j)], e as u32);
            }
            let mut taken = vec![false; cloth.range.len()];
            for triangles in Tree::new(&centers, MOST).leaves() {
                let corners = triangles.iter().flat_map(|&t| cloth.triangles[t as usize]);
                let mut vertices: Vec<u32> = corners.collect();
                vertices.sort_unstable();
                vertices.dedup();
                let mut own = Vec::new();
                for &t in &triangles {
                    let [a, b, c] = cloth.triangles[t as usize];
                    for [i, j] in [[a, b], [b, c], [c, a]] {
                        own.extend(edges.remove(&[i.min(j), i.max(j)]));
                    }
                }
                let mut first =
                    |v: &u32| !std::mem::replace(&mut taken[*v as usize - cloth.range.start], true);
                let corners = vertices.iter().copied().filter(&mut first).collect();
                let at = [place(&vertices, &particles.x); 2];
                all.push(Patch {
                    cloth: c,
                    triangles,
                    vertices,
                    edges: own,
                    corners,
                    at,
                    path: 0.0,
                    ahead: 0.0,
                });
            }
            begin.push(all.len());
        }
        let mut made = Patches {
            all,
            first: begin,
            ..Patches::default()
        };
        made.center(1);
        made.center(0);
        made
    }

    /// The patches of a cloth.
    pub fn of(&self, c: usize) -> std::ops::Range<usize> {
        self.first[c]..self.first[c + 1]
    }

    fn center(&mut self, k: usize) {
        let means = self.all.iter().map(|patch| patch.at[k].mean);
        self.middle[k] = means.sum::<Vector3<f64>>() / self.all.len().max(1) as f64;
    }

    /// Takes what the particles of the cloths that are awake move in the substep.
    pub fn measure(&mut self, cloths: &[FabricBody], Particles { x, x0, .. }: &Particles) {
        for patch in &mut self.all {
            if cloths[patch.cloth].asleep {
                continue;
            }
            patch.at[1] = place(&patch.vertices, x);
            let way = patch.at[1].mean - patch.at[0].mean;
            let mut most: f64 = 0.0;
            for &v in &patch.vertices {
                let d = x[v as usize] - x0[v as usize] - way;
                let square = d.x * d.x + d.y * d.y + d.z * d.z;
                most = if square > most { square } else { most };
            }
            patch.ahead = most.sqrt();
        }
        self.center(1);
    }

    /// Ends a substep: where the patches are is where the next one begins.
    pub fn leave(&mut self) {
        for patch in &mut self.all {
            patch.at[0] = patch.at[1];
            patch.path += std::mem::take(&mut patch.ahead);
        }
        self.middle[0] = self.middle[1];
    }

    /// Takes up patches of a cloth that was put elsewhere: no mark holds for it.
    pub fn put(&mut self, c: usize, x: &[Vector3<f64>]) {
        for patch in &mut self.all[self.first[c]..self.first[c + 1]] {
            patch.at = [place(&patch.vertices, x); 2];
            patch.ahead = 0.0;
        }
        self.center(0);
        self.center(1);
    }
}
