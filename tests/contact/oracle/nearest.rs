//! The nearest surface point by brute force.
//!
//! A tapered body is the image of the untapered one under `(x, y, z) ↦ (τx x, τy y, z)`, so every
//! direction m from the centre gives a surface point in closed form: m divided by its untapered
//! gauge, then tapered. The distance is the least over many directions, refined from the best few that are
//! not neighbours by a derivative-free search in the plane tangent to the direction.

use super::body::{Body, Shape, fibonacci_sphere, norm};
use super::minimise::nelder_mead;
use nalgebra::Vector3;

/// Effort of the search.
const SAMPLES: usize = 3000;
const REFINED: usize = 6;
const POLISHED: usize = 4;
/// Samples nearer to a better one than this share of the size are not refined.
const NEIGHBOURS: f64 = 0.15;

pub struct Nearest {
    body: Body,
    /// Untapered surface points, of the octants with x, y ≥ 0 (z ≥ 0 without tapers), and their images.
    samples: Vec<(Vector3<f64>, Vector3<f64>)>,
}

impl Nearest {
    pub fn new(shape: Shape) -> Self {
        let body = Body::new(shape);
        let a = Vector3::from(shape.a);
        let mut samples = Vec::new();
        let mut add = |m: Vector3<f64>| {
            let folded = Vector3::new(m.x.abs(), m.y.abs(), m.z);
            if !shape.is_tapered() && m.z < 0.0 {
                return;
            }
            samples.push((untapered(&shape, &folded), towards(&shape, &folded)));
        };
        // The other octants of x, y are reflections.
        for m in fibonacci_sphere(SAMPLES) {
            add(m.component_mul(&a));
        }
        for m in Body::new(Shape {
            t: [0.0; 2],
            ..shape
        })
        .surface_samples(SAMPLES / 2)
        {
            add(m);
        }
        Nearest { body, samples }
    }

    /// The distance from x to the surface, negative inside.
    pub fn signed_distance(&self, x: &Vector3<f64>) -> f64 {
        // The nearest point is on x's side of the body's planes of symmetry.
        let z = if self.body.shape.is_tapered() {
            x.z
        } else {
            x.z.abs()
        };
        let x = Vector3::new(x.x.abs(), x.y.abs(), z);
        let mut ranked: Vec<(f64, usize)> = self
            .samples
            .iter()
            .enumerate()
            .map(|(k, (_, y))| ((y - x).norm_squared(), k))
            .collect();
        let few = 400.min(ranked.len() - 1);
        ranked.select_nth_unstable_by(few, |p, q| p.0.total_cmp(&q.0));
        ranked.truncate(few);
        ranked.sort_by(|p, q| p.0.total_cmp(&q.0));
        let apart = NEIGHBOURS * self.body.shape.size();
        let mut chosen: Vec<usize> = Vec::new();
        for (_, k) in ranked {
            let y = self.samples[k].1;
            if chosen
                .iter()
                .all(|&j| (self.samples[j].1 - y).norm() > apart)
            {
                chosen.push(k);
            }
            if chosen.len() == REFINED {
                break;
            }
        }
        let rough = |k: usize| self.improve(&x, &self.samples[k].0, 0.05, 1e-3, 60);
        let mut found: Vec<(Vector3<f64>, f64)> = chosen.into_iter().map(rough).collect();
        found.sort_by(|p, q| p.1.total_cmp(&q.1));
        // Restarted, as the simplex can collapse along a kink.
        let polish = |(mut m, mut distance): (Vector3<f64>, f64)| {
            for radius in [1e-2, 1e-3, 1e-5] {
                (m, distance) = self.improve(&x, &m, radius, 1e-10, 200);
            }
            distance
        };
        let distance = found.into_iter().take(POLISHED).map(polish);
        let distance = distance.fold(f64::INFINITY, f64::min);
        if self.body.contains(&x) {
            -distance
        } else {
            distance
        }
    }

    /// A better direction near m, and its distance from x.
    fn improve(
        &self,
        x: &Vector3<f64>,
        m: &Vector3<f64>,
        radius: f64,
        smallest: f64,
        evaluations: usize,
    ) -> (Vector3<f64>, f64) {
        let t = m.cross(&Vector3::ith(m.iamin(), 1.0));
        let t = t * (m.norm() / t.norm());
        let b = m.cross(&t) / m.norm();
        let at = |u: &[f64; 2]| m + t * u[0] + b * u[1];
        let minus_distance = |u: &[f64; 2]| -(towards(&self.body.shape, &at(u)) - x).norm();
        let (u, value) = nelder_mead([0.0; 2], radius, smallest, evaluations, minus_distance);
        (at(&u), -value)
    }
}

/// The point of the untapered surface in direction m.
fn untapered(shape: &Shape, m: &Vector3<f64>) -> Vector3<f64> {
    let p = shape.e.map(|e| 2.0 / e);
    let [u, v, w] = [0, 1, 2].map(|i| m[i].abs() / shape.a[i]);
    m / norm(norm(u, v, p[0]), w, p[1])
}

/// Its image under the taper.
pub fn towards(shape: &Shape, m: &Vector3<f64>) -> Vector3<f64> {
    let x = untapered(shape, m);
    let zeta = x.z / shape.a[2];
    let [tx, ty] = shape.t;
    Vector3::new((1.0 + tx * zeta) * x.x, (1.0 + ty * zeta) * x.y, x.z)
}
