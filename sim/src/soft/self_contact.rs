//! Contact of a solid with itself by the rest-ray rule.
//!
//! Along the inward ray of a vertex the exits less the entries are 1 where nothing is folded, and 2 or more where the
//! vertex is inside another part of the body. One of the exits is the vertex's own far side, and not always the first: a
//! thin finger in a thick palm leaves its own side before the palm's, a thick one after. At rest the ray meets a triangle
//! first, and what is near that triangle *along the surface* is the vertex's own side. Of the other exits the first is the
//! contact, if the ray reaches it before its own side, as in (ii) of the contact of two bodies.
//!
//! Near means within the way of the ray at rest, and at least two mean edges, from triangle to neighbouring triangle.

use crate::scene::RayTree;
use crate::soft::contact::{RayContact, SurfaceAt};
use crate::soft::ray::InwardRay;
use crate::soft::surface::{Surface, VertexShapes};
use crate::soft::tree::{SurfaceHit, Trees};
use nalgebra::Vector3;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// For each vertex, the triangles of its own far side.
#[derive(Clone, Debug)]
pub struct OwnSides {
    /// The own side of vertex v is `triangles[starts[v]..starts[v + 1]]`, sorted.
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl OwnSides {
    /// Casts the inward rays of a surface at rest.
    pub fn new(
        surface: &Surface,
        x: &[Vector3<f64>],
        normals: crate::scene::VertexNormals,
    ) -> Self {
        let mut shapes = VertexShapes::default();
        shapes.update(surface, x, normals);
        let trees = Trees::new(surface, x, RayTree::Hierarchy);
        let dual = Dual::new(surface, x);
        let (mut starts, mut triangles) = (vec![0], Vec::new());
        for v in 0..x.len() {
            let own = surface.faces_of(v);
            let ray = InwardRay::new(x[v], -shapes.normals[v]).filter(|_| !own.is_empty());
            let met = ray.and_then(|ray| trees.first((surface, x), &ray, f64::INFINITY, own));
            if let Some(SurfaceHit { triangle, hit }) = met {
                triangles.extend(dual.near(triangle, hit.s.max(2.0 * dual.edge)));
            }
            starts.push(triangles.len() as u32);
        }
        OwnSides { starts, triangles }
    }

    fn of(&self, vertex: usize) -> &[u32] {
        &self.triangles[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// The triangles as a graph: neighbours across edges, with the distances of their middles.
struct Dual {
    neighbours: Vec<Vec<(u32, f64)>>,
    /// The mean edge.
    edge: f64,
}

impl Dual {
    fn new(surface: &Surface, x: &[Vector3<f64>]) -> Self {
        let triangles = surface.triangles();
        let middle = |t: u32| surface.corners(t, x).into_iter().sum::<Vector3<f64>>() / 3.0;
        let edges = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        let mut owner = HashMap::new();
        let mut length = 0.0;
        for (i, t) in triangles.iter().enumerate() {
            for edge in edges(t) {
                owner.insert(edge, i as u32);
                length += (x[edge[0] as usize] - x[edge[1] as usize]).norm();
            }
        }
        let neighbours = |(i, t): (usize, &[u32; 3])| {
            let across = edges(t).map(|[a, b]| owner[&[b, a]]);
            across
                .map(|j| (j, (middle(i as u32) - middle(j)).norm()))
                .to_vec()
        };
        Dual {
            neighbours: triangles.iter().enumerate().map(neighbours).collect(),
            edge: length / (3 * triangles.len()) as f64,
        }
    }

    /// The triangles within a way along the surface, sorted.
    fn near(&self, from: u32, reach: f64) -> Vec<u32> {
        let mut best = HashMap::from([(from, 0.0)]);
        // Ways are not negative, so that their bits are ordered as they are.
        let mut next = BinaryHeap::from([Reverse((0u64, from))]);
        while let Some(Reverse((bits, t))) = next.pop() {
            let way = f64::from_bits(bits);
            if way > best[&t] {
                continue;
            }
            for &(neighbour, step) in &self.neighbours[t as usize] {
                let way = way + step;
                if way <= reach && best.get(&neighbour).is_none_or(|known| way < *known) {
                    best.insert(neighbour, way);
                    next.push(Reverse((way.to_bits(), neighbour)));
                }
            }
        }
        let mut near: Vec<u32> = best.into_keys().collect();
        near.sort_unstable();
        near
    }
}

/// Casts the inward ray of a vertex of a body into the body itself.
pub fn cast_inwards(
    a: &SurfaceAt,
    sides: &OwnSides,
    vertex: u32,
    hits: &mut Vec<SurfaceHit>,
) -> Option<RayContact> {
    let v = vertex as usize;
    let own = a.surface.faces_of(v);
    if own.is_empty() {
        return None;
    }
    let ray = InwardRay::new(a.x[v], -a.shapes.normals[v])?;
    a.trees.all((a.surface, a.x), &ray, own, hits);
    let exits = hits.iter().filter(|hit| hit.hit.leaves).count();
    if 2 * exits < hits.len() + 2 {
        return None;
    }
    let side = sides.of(v);
    let is_own = |hit: &SurfaceHit| side.binary_search(&hit.triangle).is_ok();
    let leaving = || hits.iter().filter(|hit| hit.hit.leaves);
    let other = leaving().find(|hit| !is_own(hit))?;
    let before_own = leaving()
        .find(|hit| is_own(hit))
        .is_none_or(|own| other.hit.s < own.hit.s);
    let cosine = ray.direction.dot(&a.shapes.faces[other.triangle as usize]);
    // A triangle that has the vertex as a neighbour of a neighbour bends with it and is no other fold.
    if !(before_own && cosine > 0.0) {
        return None;
    }
    Some(RayContact {
        vertex,
        triangle: other.triangle,
        weights: other.hit.weights,
        direction: ray.direction,
        depth: other.hit.s,
        cosine: cosine.min(1.0),
    })
}
