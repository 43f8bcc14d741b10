//! A superovoid and the hull of a few points, from the oracle's own surfaces and by brute force.

use super::body::{Body, fibonacci_sphere};
use super::minimise::nelder_mead;
use nalgebra::{Isometry3, Vector3};

/// A body in its own frame, and vertices in the same frame.
pub struct WithPolytope<'a> {
    pub body: &'a Body,
    pub vertices: Vec<Vector3<f64>>,
    /// Support tables with few nodes are enough to rank directions.
    extent: f64,
}

impl<'a> WithPolytope<'a> {
    /// `vertices` in the polytope's frame at `polytope_pose`, the body at `pose`.
    pub fn new(
        body: &'a Body,
        pose: &Isometry3<f64>,
        vertices: &[Vector3<f64>],
        polytope_pose: &Isometry3<f64>,
    ) -> Self {
        let offset = polytope_pose.translation.vector - pose.translation.vector;
        let to_local = |v: &Vector3<f64>| {
            pose.rotation
                .inverse_transform_vector(&(polytope_pose.rotation * v + offset))
        };
        let vertices: Vec<Vector3<f64>> = vertices.iter().map(to_local).collect();
        let extent = vertices.iter().map(|v| v.norm()).fold(0.0, f64::max);
        WithPolytope {
            body,
            vertices,
            extent,
        }
    }

    /// The length that no algorithm can resolve, metres.
    pub fn rounding(&self) -> f64 {
        4e-14 * self.body.shape.size() + 1e-14 * self.extent
    }

    /// Gap along the unit n.
    pub fn gap(&self, n: &Vector3<f64>) -> f64 {
        let lowest = self.vertices.iter().map(|v| n.dot(v));
        lowest.fold(f64::INFINITY, f64::min) - self.body.support(n)
    }

    fn rough_gap(&self, n: &Vector3<f64>) -> f64 {
        let lowest = self.vertices.iter().map(|v| n.dot(v));
        lowest.fold(f64::INFINITY, f64::min) - self.body.rough_support(n)
    }

    /// The largest gap over the sphere: a grid and the normals of all triples of vertices, the best
    /// few climbed.
    pub fn largest_gap(&self, grid: usize, climbs: usize) -> (Vector3<f64>, f64) {
        let mut directions = fibonacci_sphere(grid);
        for i in 0..3 {
            directions.push(Vector3::ith(i, 1.0));
            directions.push(-Vector3::ith(i, 1.0));
        }
        let v = &self.vertices;
        for i in 0..v.len() {
            for j in 0..i {
                for k in 0..j {
                    let n = (v[j] - v[i]).cross(&(v[k] - v[i]));
                    if let Some(n) = n.try_normalize(1e-12 * self.extent * self.extent) {
                        directions.push(n);
                        directions.push(-n);
                    }
                }
            }
        }
        let mut ranked: Vec<(f64, Vector3<f64>)> = directions
            .into_iter()
            .map(|n| (self.rough_gap(&n), n))
            .collect();
        ranked.sort_by(|x, y| y.0.total_cmp(&x.0));
        let mut best = (Vector3::x(), f64::NEG_INFINITY);
        for (_, n) in ranked.into_iter().take(climbs) {
            let found = self.climb(&n, 0.1);
            let found = self.climb(&found.0, 1e-3);
            let found = self.climb(&found.0, 1e-6);
            if found.1 > best.1 {
                best = found;
            }
        }
        best
    }

    fn climb(&self, n: &Vector3<f64>, radius: f64) -> (Vector3<f64>, f64) {
        let t = n.cross(&Vector3::ith(n.iamin(), 1.0)).normalize();
        let b = n.cross(&t);
        let direction = |u: &[f64; 2]| (n + t * u[0] + b * u[1]).normalize();
        let (u, value) = nelder_mead([0.0, 0.0], radius, 1e-13, 250, |u| self.gap(&direction(u)));
        (direction(&u), value)
    }

    /// Distance from x to the hull of the vertices: nearest of all its vertices, edges, triangles
    /// and tetrahedra (Carathéodory: the hull is the union of the last).
    pub fn distance_to_polytope(&self, x: &Vector3<f64>) -> f64 {
        let v = &self.vertices;
        let mut best = f64::INFINITY;
        for i in 0..v.len() {
            best = best.min((v[i] - x).norm());
            for j in 0..i {
                best = best.min(to_segment(x, &v[i], &v[j]));
                for k in 0..j {
                    best = best.min(to_triangle(x, &v[i], &v[j], &v[k]));
                    for l in 0..k {
                        if in_tetrahedron(x, [&v[i], &v[j], &v[k], &v[l]]) {
                            return 0.0;
                        }
                    }
                }
            }
        }
        best
    }

    /// An upper bound of the distance by brute force: surface samples, the nearest few improved.
    pub fn sampled_distance(&self, samples: usize) -> f64 {
        let mut points: Vec<(f64, Vector3<f64>)> = self
            .body
            .surface_samples(samples)
            .into_iter()
            .map(|y| (self.distance_to_polytope(&y), y))
            .collect();
        points.sort_by(|p, q| p.0.total_cmp(&q.0));
        let improve = |y: &Vector3<f64>| {
            let t = y.cross(&Vector3::ith(y.iamin(), 1.0));
            let t = t * (y.norm() / t.norm());
            let b = y.cross(&t) / y.norm();
            let f = |u: &[f64; 2]| {
                let m = y + t * u[0] + b * u[1];
                -self.distance_to_polytope(&(m * self.body.radial_scale(&m)))
            };
            -nelder_mead([0.0; 2], 0.05, 1e-11, 300, f).1
        };
        points
            .iter()
            .take(4)
            .map(|(_, y)| improve(y))
            .fold(f64::INFINITY, f64::min)
    }
}

fn to_segment(x: &Vector3<f64>, p: &Vector3<f64>, q: &Vector3<f64>) -> f64 {
    let u = q - p;
    let s = ((x - p).dot(&u) / u.norm_squared()).clamp(0.0, 1.0);
    if s.is_finite() {
        (p + u * s - x).norm()
    } else {
        f64::INFINITY
    }
}

/// Distance to the inside of a triangle; infinite where the projection falls outside.
fn to_triangle(x: &Vector3<f64>, a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>) -> f64 {
    let n = (b - a).cross(&(c - a));
    let Some(n) = n.try_normalize(0.0) else {
        return f64::INFINITY;
    };
    let side = |p: &Vector3<f64>, q: &Vector3<f64>| (q - p).cross(&(x - p)).dot(&n) >= 0.0;
    if side(a, b) && side(b, c) && side(c, a) {
        (x - a).dot(&n).abs()
    } else {
        f64::INFINITY
    }
}

fn in_tetrahedron(x: &Vector3<f64>, v: [&Vector3<f64>; 4]) -> bool {
    let volume = |a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>, d: &Vector3<f64>| {
        (b - a).dot(&(c - a).cross(&(d - a)))
    };
    let whole = volume(v[0], v[1], v[2], v[3]);
    if whole == 0.0 {
        return false;
    }
    (0..4).all(|k| {
        let mut w = v;
        w[k] = x;
        volume(w[0], w[1], w[2], w[3]) / whole >= 0.0
    })
}
