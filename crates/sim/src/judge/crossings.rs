//! The judge of what has passed through a cloth: edges that cross triangles.

use crate::judge::rotation;
use crate::scene::{Scene, Shape};
use crate::state::State;
use nalgebra::Vector3;

/// How many edges cross triangles of a cloth, or edges of the cloth triangles of something else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Crossings {
    /// Edges of the cloth through triangles of its own that have no vertex of theirs.
    pub own: usize,
    /// Edges of the cloth through triangles of other cloths, and edges of these through its triangles.
    pub cloths: usize,
    /// Edges of the cloth through triangles of meshes, and edges of these through its triangles.
    pub meshes: usize,
}

/// The vertices of a surface in the world, with its triangles.
struct Sheet<'a> {
    at: Vec<Vector3<f64>>,
    triangles: &'a [[u32; 3]],
    edges: Vec<[u32; 2]>,
}

impl<'a> Sheet<'a> {
    fn new(at: Vec<Vector3<f64>>, triangles: &'a [[u32; 3]]) -> Self {
        let sides = |t: &[u32; 3]| {
            [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]].map(|[i, j]| [i.min(j), i.max(j)])
        };
        let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(sides).collect();
        edges.sort_unstable();
        edges.dedup();
        Sheet {
            at,
            triangles,
            edges,
        }
    }
}

/// Counts the edges that cross triangles, of a cloth with itself, with other cloths and with meshes: every edge against every
/// triangle whose box it meets, by the signs of volumes. What touches in one plane does not count.
pub fn cloth_crossings(scene: &Scene, state: &State, cloth: usize) -> Crossings {
    let sheet = |c: usize| {
        let at = state.cloths[c]
            .positions
            .iter()
            .map(|&p| p.into())
            .collect();
        Sheet::new(at, &scene.cloths[c].triangles)
    };
    let own = sheet(cloth);
    let both = |other: &Sheet| crossed(&own, other, false) + crossed(other, &own, false);
    let mut found = Crossings {
        own: crossed(&own, &own, true),
        ..Crossings::default()
    };
    for other in (0..scene.cloths.len()).filter(|c| *c != cloth) {
        found.cloths += both(&sheet(other));
    }
    for (body, at) in scene.bodies.iter().zip(&state.bodies) {
        if let Shape::Mesh {
            vertices,
            triangles,
        } = &body.shape
        {
            let (q, x) = (rotation(at), Vector3::from(at.position));
            let placed = vertices.iter().map(|&v| q * Vector3::from(v) + x).collect();
            found.meshes += both(&Sheet::new(placed, triangles));
        }
    }
    found
}

fn crossed(edges: &Sheet, triangles: &Sheet, same: bool) -> usize {
    let limits = |points: &[&Vector3<f64>]| {
        points
            .iter()
            .fold((*points[0], *points[0]), |(l, h), p| (l.inf(p), h.sup(p)))
    };
    let boxed = |t: &[u32; 3]| limits(&t.map(|v| &triangles.at[v as usize]));
    let mut sorted: Vec<_> = triangles.triangles.iter().map(|t| (boxed(t), *t)).collect();
    sorted.sort_by(|a, b| a.0.0.x.total_cmp(&b.0.0.x));
    let widest = sorted
        .iter()
        .map(|((low, high), _)| high.x - low.x)
        .fold(0.0, f64::max);
    let mut count = 0;
    for [i, j] in &edges.edges {
        let [p, q] = [*i, *j].map(|v| &edges.at[v as usize]);
        let (low, high) = limits(&[p, q]);
        let first = sorted.partition_point(|(bounds, _)| bounds.0.x < low.x - widest);
        for ((from, to), t) in &sorted[first..] {
            if from.x > high.x {
                break;
            }
            let apart = (0..3).any(|k| from[k] > high[k] || to[k] < low[k]);
            if apart || (same && (t.contains(i) || t.contains(j))) {
                continue;
            }
            let [a, b, c] = t.map(|v| &triangles.at[v as usize]);
            count += usize::from(pierces([p, q], [a, b, c]));
        }
    }
    count
}

/// Whether a segment crosses a triangle: its ends are on both sides, and it sees the three sides turn one way.
fn pierces([p, q]: [&Vector3<f64>; 2], [a, b, c]: [&Vector3<f64>; 3]) -> bool {
    let volume = |a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>, d: &Vector3<f64>| {
        (b - a).cross(&(c - a)).dot(&(d - a))
    };
    if volume(a, b, c, p) * volume(a, b, c, q) >= 0.0 {
        return false;
    }
    let turns = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
    turns.iter().all(|v| *v > 0.0) || turns.iter().all(|v| *v < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Body;
    use crate::{World, scenes};

    #[test]
    fn crossings_are_counted() {
        let mut scene = scenes::tablecloth(3, 3);
        // Another cloth stands on its edge across the first, where no vertex of either is.
        let mut other = scene.cloths[0].clone();
        for v in &mut other.vertices {
            *v = [v[0] * 0.101 + 0.9, 0.7, 3.1 + 0.1 * v[1]];
        }
        for cloth in [&mut scene.cloths[0], &mut other] {
            cloth.contact = crate::scene::ClothContact::Vertices;
        }
        scene.cloths.push(other);
        let spike = Shape::Mesh {
            vertices: vec![
                [0.0, 0.0, 4.0],
                [0.1, 0.0, 2.0],
                [0.0, 0.1, 2.0],
                [-0.1, -0.1, 2.0],
            ],
            triangles: vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
        };
        scene.bodies.push(Body {
            shape: spike,
            position: [-1.1, -0.7, 0.0],
            ..scene.bodies[0].clone()
        });
        let world = World::new(&scene).unwrap();
        let found = cloth_crossings(&scene, world.state(), 0);
        assert_eq!(found.own, 0);
        // Of the other cloth 3 columns and 2 diagonals go through the first, whose diagonal from its middle goes through the other.
        assert_eq!((found.cloths, found.meshes), (6, 3));
    }
}
