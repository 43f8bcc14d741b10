//! Contact of a solid with itself by the rest-ray rule.
//!
//! A ray that starts on a body's surface and goes inwards has one more exit than entries while the body lies nowhere on
//! itself. Two or more exits too many say that the vertex has another part of the body around it. All exits but one are
//! then exits of other parts; the one that is not lies on the far side of the vertex's own part, and whether it comes
//! first depends on which part is the thicker. The body at rest tells which it is: there the ray meets a triangle first,
//! and what is near that triangle *along the surface* is the vertex's own side. The first exit elsewhere is the contact,
//! provided that the ray has not left its own side by then, which is (ii) of the contact of two bodies.
//!
//! Near means within the way of the ray at rest, and at least two mean edges, from triangle to neighbouring triangle. The
//! way is searched when an exit is to be judged, by A* with the straight distance at rest, so that nothing is stored but
//! one triangle for each vertex.

use crate::scene::RayTree;
use crate::soft::ray::InwardRay;
use crate::soft::ray_contact::{RayContact, SurfaceAt};
use crate::soft::surface::{Surface, VertexShapes};
use crate::soft::tree::{SurfaceHit, Trees};
use nalgebra::Vector3;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// For each vertex of a body at rest the triangle that its inward ray meets first, and how far its own far side goes.
#[derive(Clone, Debug)]
pub struct OwnSides {
    /// The triangle and the way along the surface that counts as near; none where the ray meets nothing.
    met: Vec<Option<(u32, f64)>>,
    /// The triangles across the three edges of each triangle.
    neighbours: Vec<[u32; 3]>,
    /// The middles of the triangles at rest.
    middles: Vec<Vector3<f64>>,
}

impl OwnSides {
    /// Casts the inward rays of a surface at rest.
    ///
    /// # Panics
    /// It panics if there are fewer positions than the surface has vertices.
    pub fn new(
        surface: &Surface,
        x: &[Vector3<f64>],
        normals: crate::scene::VertexNormals,
    ) -> Self {
        let mut shapes = VertexShapes::default();
        shapes.update(surface, x, normals);
        let trees = Trees::new(surface, x, RayTree::Hierarchy);
        let least = 2.0 * mean_edge(surface, x);
        let met = |v: usize| {
            let own = surface.faces_of(v);
            let ray = InwardRay::new(x[v], -shapes.normals[v]).filter(|_| !own.is_empty())?;
            let SurfaceHit { triangle, hit } =
                trees.first((surface, x), &ray, f64::INFINITY, own)?;
            Some((triangle, hit.s.max(least)))
        };
        let middle = |t: u32| surface.corners(t, x).into_iter().sum::<Vector3<f64>>() / 3.0;
        OwnSides {
            met: (0..x.len()).map(met).collect(),
            neighbours: neighbours(surface),
            middles: (0..surface.triangles().len() as u32).map(middle).collect(),
        }
    }

    /// Whether a triangle belongs to the own far side of a vertex.
    fn has(&self, vertex: usize, triangle: u32) -> bool {
        self.met[vertex].is_some_and(|(from, margin)| self.near(from, triangle, margin))
    }

    /// Whether the shortest way from triangle to neighbouring triangle, by their middles, is within a margin.
    fn near(&self, from: u32, to: u32, margin: f64) -> bool {
        let apart = |a: u32, b: u32| (self.middles[a as usize] - self.middles[b as usize]).norm();
        if apart(from, to) > margin {
            return false;
        }
        let mut best = HashMap::from([(from, 0.0)]);
        // Ways are not negative, so that their bits are ordered as they are.
        let mut next = BinaryHeap::from([Reverse((apart(from, to).to_bits(), from))]);
        while let Some(Reverse((_, t))) = next.pop() {
            if t == to {
                return true;
            }
            let way = best[&t];
            for &neighbour in &self.neighbours[t as usize] {
                let way = way + apart(t, neighbour);
                let whole = way + apart(neighbour, to);
                if whole <= margin && best.get(&neighbour).is_none_or(|known| way < *known) {
                    best.insert(neighbour, way);
                    next.push(Reverse((whole.to_bits(), neighbour)));
                }
            }
        }
        false
    }
}

fn mean_edge(surface: &Surface, x: &[Vector3<f64>]) -> f64 {
    let triangles = surface.triangles();
    let length = |t: u32| {
        let [a, b, c] = surface.corners(t, x);
        (b - a).norm() + (c - b).norm() + (a - c).norm()
    };
    (0..triangles.len() as u32).map(length).sum::<f64>() / (3 * triangles.len()) as f64
}

/// The triangles across the edges; a surface is closed, so that there is one across each.
fn neighbours(surface: &Surface) -> Vec<[u32; 3]> {
    let edges = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let mut owner = HashMap::new();
    for (i, t) in surface.triangles().iter().enumerate() {
        for edge in edges(t) {
            owner.insert(edge, i as u32);
        }
    }
    let across = |t: &[u32; 3]| edges(t).map(|[a, b]| owner[&[b, a]]);
    surface.triangles().iter().map(across).collect()
}

/// Casts the inward ray of a vertex of a body into the body itself. `hits` is overwritten: it spares an allocation a ray.
///
/// # Panics
/// It panics if there is no such vertex, or if `sides` are those of another surface.
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
    let is_own = |hit: &SurfaceHit| sides.has(v, hit.triangle);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::VertexNormals;
    use crate::soft::mesh::{ball, torus};

    fn ready(mesh: &crate::soft::SolidMesh) -> (Surface, Vec<Vector3<f64>>, OwnSides) {
        let surface = Surface::new(&mesh.vertices, &mesh.triangles).unwrap();
        let x: Vec<Vector3<f64>> = mesh.vertices.iter().map(|&v| v.into()).collect();
        let own = OwnSides::new(&surface, &x, VertexNormals::Angle);
        (surface, x, own)
    }

    /// Every ray of a ball crosses it, and half of the ball is near what it meets.
    #[test]
    fn what_is_stored_grows_with_the_mesh_and_not_with_what_is_near() {
        for refined in [2, 4] {
            let mesh = ball(0.1, refined, 1);
            let (surface, x, own) = ready(&mesh);
            assert_eq!(own.met.len(), x.len());
            assert_eq!(own.neighbours.len(), surface.triangles().len());
            assert_eq!(own.middles.len(), surface.triangles().len());
            let near = (0..surface.triangles().len() as u32).filter(|&t| own.has(0, t));
            assert!(near.count() > surface.triangles().len() / 4);
        }
    }

    /// The ways by relaxation of all triangles, until nothing changes.
    #[test]
    fn near_is_what_the_shortest_ways_say() {
        let mesh = torus(0.1, 0.03, [20, 10]);
        let (surface, x, own) = ready(&mesh);
        let middle = |t: usize| {
            let [a, b, c] = surface.triangles()[t].map(|v| x[v as usize]);
            (a + b + c) / 3.0
        };
        let count = surface.triangles().len();
        let share = |s: usize, t: usize| {
            let [s, t] = [s, t].map(|t| surface.triangles()[t]);
            s.iter().filter(|v| t.contains(v)).count() == 2
        };
        let mut joined = Vec::new();
        for s in 0..count {
            joined.extend((0..count).filter(|&t| share(s, t)).map(|t| (s, t)));
        }
        for from in [0, 77, 301] {
            let mut ways = vec![f64::INFINITY; count];
            ways[from] = 0.0;
            loop {
                let mut changed = false;
                for &(s, t) in &joined {
                    let way = ways[s] + (middle(s) - middle(t)).norm();
                    if way < ways[t] {
                        (ways[t], changed) = (way, true);
                    }
                }
                if !changed {
                    break;
                }
            }
            for margin in [0.05, 0.11, 0.2] {
                let mut inside = 0;
                for (t, way) in ways.iter().enumerate() {
                    if (way - margin).abs() > 1e-9 {
                        assert_eq!(own.near(from as u32, t as u32, margin), *way < margin);
                        inside += usize::from(*way < margin);
                    }
                }
                assert!(inside > 1 && inside < count);
            }
        }
    }
}
