//! Contact of a cloth with itself: vertex against triangle and edge against edge, at the thickness t.
//!
//! Both are two points p = Σ a_i x_i and q = Σ b_j x_j of the cloth, with n the unit vector from p to q at the start of
//! the frame, which says the side on which q is:
//!
//! ```text
//! C = n·(q − p) − t ≥ 0,      Δλ = −C / (Σ a_i² w_i + Σ b_j² w_j),      x_j += w_j b_j n Δλ,   x_i −= w_i a_i n Δλ
//! ```
//!
//! with friction as against bodies. Points that are nearer than 2 t at rest keep half of that distance.

use crate::cloth::fabric::FabricBody;
use crate::cloth::hash_grid::{Box3, HashGrid};
use crate::particles::Particles;
use nalgebra::Vector3;

/// The size of a cell over the longest edge: larger ones hold more boxes, in smaller ones each box stands in more cells.
const CELL: f64 = 2.0;

/// Two points of a cloth that are near each other: four particles with their weights, negative on the side of p.
#[derive(Clone, Copy, Debug)]
struct Near {
    particles: [u32; 4],
    weights: [f64; 4],
    normal: Vector3<f64>,
    thickness: f64,
}

/// The contacts of a cloth with itself.
#[derive(Default)]
pub(crate) struct SelfContact {
    /// The vertices at rest, about which features are judged that were neighbours.
    rest: Vec<Vector3<f64>>,
    boxes: Vec<Box3>,
    grid: HashGrid,
    contacts: Vec<Near>,
}

impl SelfContact {
    pub fn new(fabric: &FabricBody, particles: &Particles) -> Self {
        let rest = particles.x[fabric.range.clone()].to_vec();
        SelfContact {
            rest,
            ..SelfContact::default()
        }
    }

    /// Finds what is near at the start of a frame of the given length. What all vertices have in common, the mean
    /// velocity and gravity, brings none nearer to another.
    pub fn find(&mut self, fabric: &FabricBody, particles: &Particles, frame: f64) {
        self.contacts.clear();
        let x = &particles.x;
        let velocities = &particles.v[fabric.range.clone()];
        let mean = velocities.iter().sum::<Vector3<f64>>() / velocities.len() as f64;
        let motion = |v: u32| 1.2 * frame * (particles.v[v as usize] - mean).norm();
        let t = fabric.thickness;
        let first = fabric.range.start;
        // What moves farther than an edge in a frame is not looked for: its neighbours move with it.
        let reach = |v: &[u32]| {
            let most = v.iter().map(|&v| motion(v)).fold(0.0, f64::max);
            0.5 * t + most.min(0.5 * fabric.longest)
        };
        let boxed = |v: &[u32]| {
            let start = x[v[0] as usize];
            let (low, high) = v.iter().fold((start, start), |(l, h), &v| {
                (l.inf(&x[v as usize]), h.sup(&x[v as usize]))
            });
            let reach = Vector3::repeat(reach(v));
            (low - reach, high + reach)
        };
        let (grid, boxes, contacts) = (&mut self.grid, &mut self.boxes, &mut self.contacts);
        let rest = &self.rest;
        let mut add = |particles: [u32; 4], weights: [f64; 4], reach: f64| {
            let sum = |at: &dyn Fn(u32) -> Vector3<f64>| {
                (0..4)
                    .map(|i| at(particles[i]) * weights[i])
                    .sum::<Vector3<f64>>()
            };
            let between = sum(&|v| x[v as usize]);
            let distance = between.norm();
            if distance > 1e-12 && distance < reach {
                let thickness = t.min(0.5 * sum(&|v| rest[v as usize - first]).norm());
                contacts.push(Near {
                    particles,
                    weights,
                    normal: between / distance,
                    thickness,
                });
            }
        };

        boxes.clear();
        boxes.extend(fabric.triangles.iter().map(|triangle| boxed(triangle)));
        grid.fill(boxes, CELL * fabric.longest);
        for v in fabric.range.clone().map(|v| v as u32) {
            grid.near(boxes, &boxed(&[v]), u32::MAX, |k| {
                let triangle = fabric.triangles[k as usize];
                if !triangle.contains(&v) {
                    let [a, b, c] = triangle.map(|v| &x[v as usize]);
                    let weights = on_triangle(&x[v as usize], [a, b, c]);
                    add(
                        [v, triangle[0], triangle[1], triangle[2]],
                        weights,
                        reach(&[v]) + reach(&triangle),
                    );
                }
            });
        }

        boxes.clear();
        boxes.extend(fabric.edges.iter().map(|edge| boxed(&edge.ends)));
        grid.fill(boxes, CELL * fabric.longest);
        for (j, edge) in fabric.edges.iter().enumerate() {
            let [a, b] = edge.ends;
            grid.near(boxes, &boxes[j], j as u32, |k| {
                let [c, d] = fabric.edges[k as usize].ends;
                if a != c && a != d && b != c && b != d {
                    let [pa, pb, pc, pd] = [a, b, c, d].map(|v| &x[v as usize]);
                    // Ends of edges are the business of vertices and triangles.
                    if let Some(weights) = on_edges([pa, pb], [pc, pd]) {
                        add([a, b, c, d], weights, reach(&[a, b]) + reach(&[c, d]));
                    }
                }
            });
        }
    }

    /// Corrects the contacts once.
    pub fn solve(&self, particles: &mut Particles, friction: [f64; 2], push_out: f64) {
        let Particles { x, x0, w, .. } = particles;
        for contact in &self.contacts {
            let v = contact.particles.map(|v| v as usize);
            let between = |x: &[Vector3<f64>]| {
                (0..4)
                    .map(|i| x[v[i]] * contact.weights[i])
                    .sum::<Vector3<f64>>()
            };
            let n = &contact.normal;
            let (now, before) = (between(x), between(x0));
            let error = n.dot(&now) - contact.thickness.min(n.dot(&before) + push_out);
            let weight: f64 = (0..4)
                .map(|i| w[v[i]] * contact.weights[i] * contact.weights[i])
                .sum();
            if error >= 0.0 || weight == 0.0 {
                continue;
            }
            let slip = now - before;
            let slip = slip - n * n.dot(&slip);
            let length = slip.norm();
            let normal = -error / weight;
            let holding = length / weight;
            let tangential = if holding <= friction[0] * normal {
                holding
            } else {
                friction[1] * normal
            };
            let mut step = n * normal;
            if length > 1e-15 {
                step -= slip * (tangential / length);
            }
            for i in 0..4 {
                x[v[i]] += step * (w[v[i]] * contact.weights[i]);
            }
        }
    }
}

/// The weights of a vertex and of the nearest point of a triangle to it.
pub(super) fn on_triangle(p: &Vector3<f64>, [a, b, c]: [&Vector3<f64>; 3]) -> [f64; 4] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let normal = ab.cross(&ac);
    let square = normal.norm_squared();
    let u = ap.cross(&ac).dot(&normal) / square;
    let v = ab.cross(&ap).dot(&normal) / square;
    if u >= 0.0 && v >= 0.0 && u + v <= 1.0 {
        return [1.0, u + v - 1.0, -u, -v];
    }
    let along = |from: &Vector3<f64>, to: &Vector3<f64>| {
        let d = to - from;
        let s = ((p - from).dot(&d) / d.norm_squared()).clamp(0.0, 1.0);
        ((p - from - d * s).norm_squared(), s)
    };
    let sides = [along(a, b), along(b, c), along(c, a)];
    let k = (0..3)
        .min_by(|&i, &j| sides[i].0.total_cmp(&sides[j].0))
        .unwrap_or(0);
    let s = sides[k].1;
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    weights[1 + k] = s - 1.0;
    weights[1 + (k + 1) % 3] = -s;
    weights
}

/// The weights of the nearest points of two edges, if both are inside the edges.
fn on_edges([a, b]: [&Vector3<f64>; 2], [c, d]: [&Vector3<f64>; 2]) -> Option<[f64; 4]> {
    let (u, v, between) = (b - a, d - c, a - c);
    let (uu, uv, vv) = (u.norm_squared(), u.dot(&v), v.norm_squared());
    let (up, vp) = (u.dot(&between), v.dot(&between));
    let determinant = uu * vv - uv * uv;
    if determinant <= 1e-8 * uu * vv {
        return None;
    }
    let s = (uv * vp - vv * up) / determinant;
    let t = (uu * vp - uv * up) / determinant;
    let inside = |s: f64| s > 0.0 && s < 1.0;
    (inside(s) && inside(t)).then_some([1.0 - s, s, t - 1.0, -t])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::Random;

    #[test]
    fn nearest_points_are_those_of_dense_samples() {
        let mut random = Random::new(8);
        let mut point = || Vector3::from([0; 3].map(|_| random.within(-1.0, 1.0)));
        for _ in 0..100 {
            let x = [point(), point(), point(), point()];
            let length = |weights: [f64; 4]| {
                (0..4)
                    .map(|i| x[i] * weights[i])
                    .sum::<Vector3<f64>>()
                    .norm()
            };
            let found = length(on_triangle(&x[0], [&x[1], &x[2], &x[3]]));
            let n = 40;
            let mut least = f64::INFINITY;
            for i in 0..=n {
                for j in 0..=n - i {
                    let (u, v) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
                    least = least.min(length([1.0, u + v - 1.0, -u, -v]));
                }
            }
            assert!(
                found <= least + 1e-12 && found > least - 0.05,
                "{found} {least}"
            );
            if let Some(weights) = on_edges([&x[0], &x[1]], [&x[2], &x[3]]) {
                for i in 0..=n {
                    for j in 0..=n {
                        let (s, t) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
                        assert!(length(weights) <= length([1.0 - s, s, t - 1.0, -t]) + 1e-12);
                    }
                }
            }
        }
    }
}
