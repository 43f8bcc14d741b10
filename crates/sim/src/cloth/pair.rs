//! Two features of cloths, a vertex and a triangle or two edges: nearest points, and directions that separate them.

use nalgebra::Vector3;

/// The least gap that is kept, over the thickness.
pub(super) const FLOOR: f64 = 1e-3;

/// Two features that may meet: four particles, of which the first `split` are on the side of q, with the weights of the
/// nearest points, negative on the side of p.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub particles: [u32; 4],
    pub split: usize,
    pub thickness: f64,
    /// The distance when it was listed.
    pub distance: f64,
    pub weights: [f64; 4],
    pub normal: Vector3<f64>,
    /// The direction that separated them last in a substep, or zero.
    pub apart: Vector3<f64>,
    /// Whether they may come within their thickness in this frame.
    pub active: bool,
}

impl Pair {
    /// The nearest points of the features at positions: the weights.
    pub fn nearest(&self, x: &[Vector3<f64>]) -> Option<[f64; 4]> {
        let [a, b, c, d] = self.particles.map(|v| &x[v as usize]);
        if self.split == 1 {
            Some(on_triangle(a, [b, c, d]))
        } else {
            on_edges([a, b], [c, d])
        }
    }

    /// How far q's side is in front of p's along a direction.
    pub fn gap(&self, n: &Vector3<f64>, x: &[Vector3<f64>]) -> f64 {
        let along = self.particles.map(|v| n.dot(&x[v as usize]));
        let front = along[..self.split]
            .iter()
            .fold(f64::INFINITY, |m, h| m.min(*h));
        let back = along[self.split..]
            .iter()
            .fold(f64::NEG_INFINITY, |m, h| m.max(*h));
        front - back
    }

    /// A direction that separates the features, from p to q, with the distance: none where they touch. Of edges whose
    /// nearest points are ends the line between these is taken: it separates all the same where the edges are apart.
    pub fn direction(&self, x: &[Vector3<f64>]) -> Option<Vector3<f64>> {
        let [a, b, c, d] = self.particles.map(|v| &x[v as usize]);
        let between = match self.nearest(x) {
            Some(weights) => {
                let between = a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3];
                let across = if self.split == 1 {
                    (c - b).cross(&(d - b))
                } else {
                    (b - a).cross(&(d - c))
                };
                // Of nearest points inside both features the line between is along the cross product, which is sharper.
                let along = across.dot(&between);
                if along * along > 0.998 * across.norm_squared() * between.norm_squared() {
                    across * along.signum()
                } else {
                    between
                }
            }
            None => ends_apart([a, b], [c, d]),
        };
        between.try_normalize(1e-150)
    }
}

/// The line from the second of two edges to the first between the nearest points, of which one is an end.
pub(super) fn ends_apart([a, b]: [&Vector3<f64>; 2], [c, d]: [&Vector3<f64>; 2]) -> Vector3<f64> {
    let (u, v, ca, cb) = (b - a, d - c, a - c, b - c);
    let per = |square: f64| 1.0 / square.max(1e-300);
    let (per_u, per_v) = (per(u.norm_squared()), per(v.norm_squared()));
    let on = |share: f64| share.clamp(0.0, 1.0);
    // From each end the line to its foot on the other edge.
    let lines = [
        ca - v * on(ca.dot(&v) * per_v),
        cb - v * on(cb.dot(&v) * per_v),
        ca + u * on(-ca.dot(&u) * per_u),
        (ca - v) + u * on((v - ca).dot(&u) * per_u),
    ];
    let mut least = (lines[0].norm_squared(), &lines[0]);
    for line in &lines[1..] {
        let square = line.norm_squared();
        least = if square < least.0 {
            (square, line)
        } else {
            least
        };
    }
    *least.1
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
pub(super) fn on_edges([a, b]: [&Vector3<f64>; 2], [c, d]: [&Vector3<f64>; 2]) -> Option<[f64; 4]> {
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
