//! The opponent: contact by proximity (of the kind of Bridson, Fedkiw, Anderson 2002).
//!
//! Vertices and triangles, and edges and edges, that are nearer than a threshold t push each other apart along the unit
//! vector between their nearest points, by a spring of the length t. Nothing says which side is the inner one: where the
//! surfaces have crossed, the springs keep what is inside in, and what is deeper than t is not found.
//!
//! The nearest point of a triangle counts where the foot of the vertex lies in it, that of two edges where it lies within
//! both, so that every near feature has one pair. Candidates come from the hierarchy of the other surface.

use crate::soft::constraint::Contact;
use crate::soft::ray_contact::SurfaceAt;
use nalgebra::Vector3;

/// The edges of a surface, each once, with those of each triangle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edges {
    pub ends: Vec<[u32; 2]>,
    pub of: Vec<[u32; 3]>,
}

impl Edges {
    /// Lists the edges of triangles.
    pub fn new(triangles: &[[u32; 3]]) -> Self {
        let sides =
            |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]].map(|[i, j]| [i.min(j), i.max(j)]);
        let mut ends: Vec<_> = triangles.iter().flat_map(sides).collect();
        ends.sort_unstable();
        ends.dedup();
        let place = |edge: [u32; 2]| ends.partition_point(|other| *other < edge) as u32;
        let of = triangles.iter().map(|t| sides(t).map(place)).collect();
        Edges { ends, of }
    }
}

/// Finds the vertices of A near triangles of B, and puts them behind the contacts of the pair.
pub(crate) fn vertices_and_triangles(
    [a, b]: [(u32, &SurfaceAt); 2],
    range: std::ops::Range<usize>,
    threshold: f64,
    stiffness: f64,
    found: &mut Vec<Contact>,
) {
    let margin = Vector3::repeat(threshold);
    let mut near = Vec::new();
    for v in range {
        if a.1.surface.faces_of(v).is_empty() {
            continue;
        }
        let p = a.1.x[v];
        near.clear();
        b.1.trees
            .hierarchy
            .within(&(p - margin), &(p + margin), |t| near.push(t));
        near.sort_unstable();
        for &t in &near {
            let Some((weights, foot)) = foot(&p, b.1.surface.corners(t, b.1.x)) else {
                continue;
            };
            let apart = p - foot;
            let distance = apart.norm();
            if distance < threshold && distance > 0.0 {
                found.push(Contact {
                    solids: [a.0, b.0],
                    vertices: [[v as u32; 3], b.1.surface.triangles()[t as usize]],
                    weights: [[1.0, 0.0, 0.0], weights],
                    direction: apart / distance,
                    offset: threshold,
                    stiffness,
                });
            }
        }
    }
}

/// Finds the edges of A near edges of B.
pub(crate) fn edges_and_edges(
    [a, b]: [(u32, &SurfaceAt, &Edges); 2],
    range: std::ops::Range<usize>,
    threshold: f64,
    stiffness: f64,
    found: &mut Vec<Contact>,
) {
    let margin = Vector3::repeat(threshold);
    let mut near = Vec::new();
    for &[i, j] in &a.2.ends[range] {
        let (p, q) = (a.1.x[i as usize], a.1.x[j as usize]);
        near.clear();
        let (low, high) = (p.inf(&q) - margin, p.sup(&q) + margin);
        b.1.trees
            .hierarchy
            .within(&low, &high, |t| near.extend(b.2.of[t as usize]));
        near.sort_unstable();
        near.dedup();
        for &edge in &near {
            let [k, l] = b.2.ends[edge as usize];
            let (r, s) = (b.1.x[k as usize], b.1.x[l as usize]);
            let Some([along, across]) = nearest_on_edges(&p, &q, &r, &s) else {
                continue;
            };
            let apart = p + (q - p) * along - (r + (s - r) * across);
            let distance = apart.norm();
            if distance < threshold && distance > 0.0 {
                found.push(Contact {
                    solids: [a.0, b.0],
                    vertices: [[i, j, j], [k, l, l]],
                    weights: [[1.0 - along, along, 0.0], [1.0 - across, across, 0.0]],
                    direction: apart / distance,
                    offset: threshold,
                    stiffness,
                });
            }
        }
    }
}

/// The foot of a point in a triangle with its barycentric weights; none beyond the edges.
fn foot(p: &Vector3<f64>, [a, b, c]: [&Vector3<f64>; 3]) -> Option<([f64; 3], Vector3<f64>)> {
    let (u, v, w) = (b - a, c - a, p - a);
    let normal = u.cross(&v);
    let square = normal.norm_squared();
    let beta = w.cross(&v).dot(&normal) / square;
    let gamma = u.cross(&w).dot(&normal) / square;
    let weights = [1.0 - beta - gamma, beta, gamma];
    let within = weights.iter().all(|x| (0.0..=1.0).contains(x));
    within.then(|| (weights, a + u * beta + v * gamma))
}

/// Where two segments are nearest, within both; none for parallel ones and beyond the ends.
fn nearest_on_edges(
    p: &Vector3<f64>,
    q: &Vector3<f64>,
    r: &Vector3<f64>,
    s: &Vector3<f64>,
) -> Option<[f64; 2]> {
    let (d, e, w) = (q - p, s - r, p - r);
    let (a, b, c) = (d.norm_squared(), d.dot(&e), e.norm_squared());
    let square = a * c - b * b;
    if square <= 1e-12 * a * c {
        return None;
    }
    let (f, g) = (d.dot(&w), e.dot(&w));
    let along = (b * g - c * f) / square;
    let across = (a * g - b * f) / square;
    let inner = |x: f64| x > 0.0 && x < 1.0;
    (inner(along) && inner(across)).then_some([along, across])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feet_and_nearest_points_are_perpendicular() {
        let [a, b, c] = [[0.0; 3], [1.0, 0.0, 0.2], [0.1, 1.0, 0.0]].map(Vector3::from);
        let p = Vector3::new(0.3, 0.4, 0.7);
        let (weights, at) = foot(&p, [&a, &b, &c]).unwrap();
        assert!((a * weights[0] + b * weights[1] + c * weights[2] - at).norm() < 1e-15);
        assert!((p - at).dot(&(b - a)).abs() < 1e-15 && (p - at).dot(&(c - a)).abs() < 1e-15);
        assert!(foot(&Vector3::new(1.0, 1.0, 0.0), [&a, &b, &c]).is_none());
        let [p, q, r, s] =
            [[0.0; 3], [1.0, 0.1, 0.0], [0.5, -0.6, 0.3], [0.4, 0.7, 0.4]].map(Vector3::from);
        let [along, across] = nearest_on_edges(&p, &q, &r, &s).unwrap();
        let apart = p + (q - p) * along - (r + (s - r) * across);
        assert!(apart.dot(&(q - p)).abs() < 1e-15 && apart.dot(&(s - r)).abs() < 1e-15);
        assert!(nearest_on_edges(&p, &q, &p, &q).is_none());
    }

    #[test]
    fn every_edge_is_listed_once() {
        let mesh = crate::soft::mesh::torus(1.0, 0.3, [8, 6]);
        let edges = Edges::new(&mesh.triangles);
        assert_eq!(edges.ends.len(), mesh.triangles.len() * 3 / 2);
        for (t, of) in mesh.triangles.iter().zip(&edges.of) {
            for (k, edge) in of.iter().enumerate() {
                let (i, j) = (t[k], t[(k + 1) % 3]);
                assert_eq!(edges.ends[*edge as usize], [i.min(j), i.max(j)]);
            }
        }
    }
}
