//! A bounding-volume hierarchy over the triangles of a surface: built once, refitted whenever the surface moves.
//!
//! The triangles are halved about the median of their middles on the longest axis until four are left. The nodes lie in
//! preorder: the left child of a node follows it, so that the boxes are made again by one pass from the back.

use crate::soft::ray::InwardRay;
use crate::soft::surface::Surface;
use nalgebra::Vector3;

/// The most triangles of a leaf.
const LEAF: usize = 4;
/// More than the depth of a hierarchy over as many triangles as a scene may have.
const DEPTH: usize = 64;

#[derive(Clone, Copy, Debug)]
struct Node {
    low: Vector3<f64>,
    high: Vector3<f64>,
    /// The triangles of a leaf: `order[first..first + count]`. An inner node has none.
    first: u32,
    count: u32,
    /// The right child of an inner node.
    right: u32,
}

/// The hierarchy of a surface.
#[derive(Clone, Debug, Default)]
pub struct Hierarchy {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl Hierarchy {
    /// Builds the hierarchy of a surface with vertices at x.
    ///
    /// # Panics
    /// It panics if there are fewer positions than the surface has vertices.
    pub fn new(surface: &Surface, x: &[Vector3<f64>]) -> Self {
        let count = surface.triangles().len();
        let middle = |t: usize| {
            surface
                .corners(t as u32, x)
                .into_iter()
                .sum::<Vector3<f64>>()
        };
        let middles: Vec<Vector3<f64>> = (0..count).map(middle).collect();
        let mut made = Hierarchy {
            nodes: Vec::new(),
            order: (0..count as u32).collect(),
        };
        made.build(0, count, &middles);
        made.refit(surface, x);
        made
    }

    fn build(&mut self, first: usize, end: usize, middles: &[Vector3<f64>]) {
        let node = self.nodes.len();
        let leaf = end - first <= LEAF;
        self.nodes.push(Node {
            low: Vector3::zeros(),
            high: Vector3::zeros(),
            first: first as u32,
            count: if leaf { (end - first) as u32 } else { 0 },
            right: 0,
        });
        if leaf {
            return;
        }
        let part = &mut self.order[first..end];
        let (mut low, mut high) = (middles[part[0] as usize], middles[part[0] as usize]);
        for &t in part.iter() {
            low = low.inf(&middles[t as usize]);
            high = high.sup(&middles[t as usize]);
        }
        let axis = (high - low).imax();
        let half = part.len() / 2;
        let by = |&i: &u32, &j: &u32| {
            let at = |t: u32| middles[t as usize][axis];
            at(i).total_cmp(&at(j)).then(i.cmp(&j))
        };
        part.select_nth_unstable_by(half, by);
        self.build(first, first + half, middles);
        self.nodes[node].right = self.nodes.len() as u32;
        self.build(first + half, end, middles);
    }

    /// Makes the boxes again for vertices at x.
    ///
    /// # Panics
    /// It panics if the surface is not the one of which the hierarchy was built, or if positions lack.
    pub fn refit(&mut self, surface: &Surface, x: &[Vector3<f64>]) {
        for i in (0..self.nodes.len()).rev() {
            let node = self.nodes[i];
            let (low, high) = if node.count > 0 {
                let range = node.first as usize..(node.first + node.count) as usize;
                let corners = self.order[range]
                    .iter()
                    .flat_map(|&t| surface.corners(t, x));
                let nothing = (
                    Vector3::repeat(f64::INFINITY),
                    Vector3::repeat(f64::NEG_INFINITY),
                );
                corners.fold(nothing, |(low, high), p| (low.inf(p), high.sup(p)))
            } else {
                let (left, right) = (&self.nodes[i + 1], &self.nodes[node.right as usize]);
                (left.low.inf(&right.low), left.high.sup(&right.high))
            };
            (self.nodes[i].low, self.nodes[i].high) = (low, high);
        }
    }

    /// The box of the whole surface; one that nothing meets if there is no triangle.
    pub fn bounds(&self) -> [Vector3<f64>; 2] {
        self.nodes.first().map_or(
            [
                Vector3::repeat(f64::INFINITY),
                Vector3::repeat(f64::NEG_INFINITY),
            ],
            |root| [root.low, root.high],
        )
    }

    /// Calls `meet` with every triangle whose leaf the ray meets before the limit, and with the limit; it returns the
    /// limit from there on.
    #[inline]
    pub fn along(&self, ray: &InwardRay, mut limit: f64, mut meet: impl FnMut(u32, f64) -> f64) {
        let mut stack = [0u32; DEPTH];
        let mut top = usize::from(!self.nodes.is_empty());
        while top > 0 {
            top -= 1;
            let i = stack[top];
            let node = &self.nodes[i as usize];
            if ray.enters(&node.low, &node.high, limit).is_none() {
                continue;
            }
            if node.count > 0 {
                let range = node.first as usize..(node.first + node.count) as usize;
                for &t in &self.order[range] {
                    limit = meet(t, limit);
                }
                continue;
            }
            // The child that begins earlier along the ray lies on top.
            let (left, right) = (
                &self.nodes[i as usize + 1],
                &self.nodes[node.right as usize],
            );
            let ahead = (left.low + left.high - right.low - right.high).dot(&ray.direction) > 0.0;
            let pair = if ahead {
                [i + 1, node.right]
            } else {
                [node.right, i + 1]
            };
            stack[top..top + 2].copy_from_slice(&pair);
            top += 2;
        }
    }

    /// Calls `found` with every triangle whose leaf meets a box.
    pub fn within(&self, low: &Vector3<f64>, high: &Vector3<f64>, mut found: impl FnMut(u32)) {
        let mut stack = [0u32; DEPTH];
        let mut top = usize::from(!self.nodes.is_empty());
        while top > 0 {
            top -= 1;
            let i = stack[top];
            let node = &self.nodes[i as usize];
            if (0..3).any(|k| node.low[k] > high[k] || node.high[k] < low[k]) {
                continue;
            }
            if node.count > 0 {
                let range = node.first as usize..(node.first + node.count) as usize;
                self.order[range].iter().for_each(|&t| found(t));
            } else {
                stack[top..top + 2].copy_from_slice(&[node.right, i + 1]);
                top += 2;
            }
        }
    }
}
