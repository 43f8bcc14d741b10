//! Points of synthetic superovoids, by a parametrisation of their own.
//!
//! A direction m gives the surface point m/‖m‖ of the untapered body, `‖m‖` the nested norm, which the taper
//! then moves sideways. The directions of a cube's grid make triangles; points are drawn in the
//! triangles in proportion to their area.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub a: [f64; 3],
    pub e: [f64; 2],
    pub t: [f64; 2],
}

/// `(u^p + v^p)^(1/p)`.
fn norm(u: f64, v: f64, p: f64) -> f64 {
    let (small, large) = if u < v { (u, v) } else { (v, u) };
    if large == 0.0 {
        return 0.0;
    }
    large * ((small / large).powf(p).ln_1p() / p).exp()
}

impl Shape {
    /// The untapered gauge of a point that is relative to the semi-axes.
    fn gauge(&self, m: &Vector3<f64>) -> f64 {
        let section = norm(m.x.abs(), m.y.abs(), 2.0 / self.e[0]);
        norm(section, m.z.abs(), 2.0 / self.e[1])
    }

    /// The surface point of a direction.
    pub fn point(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        let s = direction / self.gauge(direction);
        Vector3::new(
            self.a[0] * (1.0 + self.t[0] * s.z) * s.x,
            self.a[1] * (1.0 + self.t[1] * s.z) * s.y,
            self.a[2] * s.z,
        )
    }

    /// Distance from a point to the surface point met by scaling its section and height: an upper bound
    /// of the distance from the surface.
    pub fn above(&self, x: &Vector3<f64>) -> f64 {
        let zeta = (x.z / self.a[2]).clamp(-1.0, 1.0);
        let m = Vector3::new(
            x.x / (self.a[0] * (1.0 + self.t[0] * zeta)),
            x.y / (self.a[1] * (1.0 + self.t[1] * zeta)),
            zeta,
        );
        if m.norm() == 0.0 {
            return self.a[0].min(self.a[1]).min(self.a[2]);
        }
        (self.point(&m) - x).norm()
    }

    /// `count` surface points, spread evenly by area.
    pub fn sample(&self, count: usize, random: &mut ChaCha8Rng) -> Vec<Vector3<f64>> {
        const GRID: usize = 24;
        let direction = |side: usize, i: f64, j: f64| {
            let sign = if side.is_multiple_of(2) { 1.0 } else { -1.0 };
            let f = |k: f64| (0.25 * std::f64::consts::PI * (2.0 * k / GRID as f64 - 1.0)).tan();
            let (u, v) = (f(i), f(j));
            match side / 2 {
                0 => Vector3::new(sign, u, v),
                1 => Vector3::new(u, sign, v),
                _ => Vector3::new(u, v, sign),
            }
        };
        let mut triangles = Vec::new();
        let mut total = 0.0;
        for side in 0..6 {
            for i in 0..GRID {
                for j in 0..GRID {
                    let at = |di: usize, dj: usize| [(i + di) as f64, (j + dj) as f64];
                    for corners in [
                        [at(0, 0), at(1, 0), at(1, 1)],
                        [at(0, 0), at(1, 1), at(0, 1)],
                    ] {
                        let directions = corners.map(|[i, j]| direction(side, i, j));
                        let [a, b, c] = directions.map(|d| self.point(&d));
                        total += 0.5 * (b - a).cross(&(c - a)).norm();
                        triangles.push((total, directions));
                    }
                }
            }
        }
        (0..count)
            .map(|k| {
                let position = (k as f64 + random.random::<f64>()) / count as f64 * total;
                let chosen = triangles
                    .partition_point(|t| t.0 < position)
                    .min(triangles.len() - 1);
                let [a, b, c] = triangles[chosen].1;
                let (mut u, mut v) = (random.random::<f64>(), random.random::<f64>());
                if u + v > 1.0 {
                    (u, v) = (1.0 - u, 1.0 - v);
                }
                self.point(&(a + (b - a) * u + (c - a) * v))
            })
            .collect()
    }
}

/// A normal deviate.
pub fn normal(random: &mut ChaCha8Rng) -> f64 {
    let u: f64 = 1.0 - random.random::<f64>();
    let v: f64 = random.random();
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

pub fn pose(random: &mut ChaCha8Rng) -> Isometry3<f64> {
    let q = nalgebra::Quaternion::new(
        normal(random),
        normal(random),
        normal(random),
        normal(random),
    );
    let mut t = || random.random_range(-3.0..3.0);
    Isometry3::from_parts(
        Translation3::new(t(), t(), t()),
        UnitQuaternion::from_quaternion(q),
    )
}

pub fn points(local: &[Vector3<f64>], pose: &Isometry3<f64>) -> Vec<Point3<f64>> {
    local.iter().map(|x| pose * Point3::from(*x)).collect()
}
