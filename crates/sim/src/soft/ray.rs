//! Watertight rays against triangles (Woop, Benthin, Wald 2013).
//!
//! The axes are permuted so that the ray's largest direction is the third, and sheared so that the ray is the third axis:
//!
//! ```text
//! p' = (p₁ − S₁ p₃, p₂ − S₂ p₃, S₃ p₃),    S₁ = d₁/d₃,  S₂ = d₂/d₃,  S₃ = 1/d₃,    p from the origin of the ray
//! U = c₁ b₂ − c₂ b₁,   V = a₁ c₂ − a₂ c₁,   W = b₁ a₂ − b₂ a₁,    s = (U a₃ + V b₃ + W c₃)/(U + V + W)
//! ```
//!
//! A vertex is moved in the same way whatever triangle it belongs to, and the edge function of an edge is the exact
//! negative in the other triangle, because the same two rounded products are subtracted. A triangle is hit unless two of U,
//! V, W have strict opposite signs, so that a ray through an edge or a vertex hits at least one of the triangles there: no
//! ray slips between two.

use nalgebra::Vector3;

/// A ray with a unit direction, prepared for triangles and boxes.
#[derive(Clone, Copy, Debug)]
pub struct InwardRay {
    /// Where it begins, metres.
    pub origin: Vector3<f64>,
    /// The unit direction.
    pub direction: Vector3<f64>,
    inverse: Vector3<f64>,
    axes: [usize; 3],
    shear: [f64; 3],
}

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// The way along the ray, metres, more than zero.
    pub s: f64,
    /// The barycentric weights of the three corners.
    pub weights: [f64; 3],
    /// Whether the ray leaves through the triangle: its direction and the outward normal make an acute angle.
    pub leaves: bool,
}

impl InwardRay {
    /// Prepares a ray; none if the direction is zero or something is not finite.
    pub fn new(origin: Vector3<f64>, direction: Vector3<f64>) -> Option<Self> {
        let length = direction.norm();
        let finite = length.is_finite() && origin.iter().all(|x| x.is_finite());
        if !(finite && length > 0.0) {
            return None;
        }
        let d = direction / length;
        let k = d.iamax();
        let [mut i, mut j] = [(k + 1) % 3, (k + 2) % 3];
        // The turn of the triangles is kept where the third axis is turned round.
        if d[k] < 0.0 {
            std::mem::swap(&mut i, &mut j);
        }
        Some(InwardRay {
            origin,
            direction: d,
            inverse: d.map(|x| 1.0 / x),
            axes: [i, j, k],
            shear: [d[i] / d[k], d[j] / d[k], 1.0 / d[k]],
        })
    }

    /// Returns the point after a way s.
    pub fn at(&self, s: f64) -> Vector3<f64> {
        self.origin + self.direction * s
    }

    #[inline]
    fn sheared(&self, p: &Vector3<f64>) -> [f64; 3] {
        let p = p - self.origin;
        let [i, j, k] = self.axes;
        let [a, b, c] = self.shear;
        [p[i] - a * p[k], p[j] - b * p[k], c * p[k]]
    }

    /// Returns the hit on a triangle ahead of the origin.
    #[inline]
    pub fn triangle(&self, corners: [&Vector3<f64>; 3]) -> Option<TriangleHit> {
        let [a, b, c] = corners.map(|p| self.sheared(p));
        let u = c[0] * b[1] - c[1] * b[0];
        let v = a[0] * c[1] - a[1] * c[0];
        let w = b[0] * a[1] - b[1] * a[0];
        if (u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0) {
            return None;
        }
        let sum = u + v + w;
        let s = (u * a[2] + v * b[2] + w * c[2]) / sum;
        // A triangle seen from its edge has sum 0, and its neighbours are hit instead.
        if !(s > 0.0 && s.is_finite()) {
            return None;
        }
        Some(TriangleHit {
            s,
            weights: [u / sum, v / sum, w / sum],
            // Seen along the ray, a triangle that is left turns clockwise about it.
            leaves: sum < 0.0,
        })
    }

    /// Returns where the ray enters a box, or none if it misses it or enters it beyond the limit. Rounding never misses a
    /// box that is met.
    #[inline]
    pub fn enters(&self, low: &Vector3<f64>, high: &Vector3<f64>, limit: f64) -> Option<f64> {
        let (mut near, mut far) = (0.0f64, limit);
        for k in 0..3 {
            if self.direction[k] == 0.0 {
                // The ray stays between the two sides, or beyond one of them.
                if self.origin[k] < low[k] || self.origin[k] > high[k] {
                    return None;
                }
                continue;
            }
            let a = (low[k] - self.origin[k]) * self.inverse[k];
            let b = (high[k] - self.origin[k]) * self.inverse[k];
            near = near.max(a.min(b) * (1.0 - 4.0 * f64::EPSILON));
            far = far.min(a.max(b) * (1.0 + 4.0 * f64::EPSILON));
        }
        (near <= far).then_some(near)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::Random;
    use crate::soft::mesh::torus;

    #[test]
    fn a_ray_that_leaves_says_so_and_its_weights_give_the_point() {
        let corners = [[0.0, 0.0, 2.0], [1.0, 0.0, 2.5], [0.0, 1.0, 2.0]].map(Vector3::from);
        for axis in 0..3 {
            let turned =
                |v: &Vector3<f64>| Vector3::new(v[axis], v[(axis + 1) % 3], v[(axis + 2) % 3]);
            let [a, b, c] = corners.each_ref().map(turned);
            let normal = (b - a).cross(&(c - a));
            for sign in [1.0, -1.0] {
                let target = a * 0.2 + b * 0.3 + c * 0.5;
                let origin = target - normal * sign + Vector3::repeat(0.01);
                let ray = InwardRay::new(origin, target - origin).unwrap();
                let hit = ray.triangle([&a, &b, &c]).unwrap();
                assert_eq!(hit.leaves, sign > 0.0, "axis {axis}");
                assert!((hit.s - (target - origin).norm()).abs() < 1e-14);
                let [u, v, w] = hit.weights;
                assert!((a * u + b * v + c * w - target).norm() < 1e-14);
                assert!((hit.weights[1] - 0.3).abs() < 1e-13);
            }
        }
    }

    /// Rays from beneath a closed mesh through points of its edges and through its vertices, to within rounding, hit it.
    #[test]
    fn no_ray_slips_between_two_triangles() {
        let mesh = torus(0.1, 0.03, [20, 10]);
        let x: Vec<Vector3<f64>> = mesh.vertices.iter().map(|&v| v.into()).collect();
        let mut random = Random::new(5);
        let mut on_edges = 0;
        for t in &mesh.triangles {
            let [a, b, c] = t.map(|v| x[v as usize]);
            let normal = (b - a).cross(&(c - a)).normalize();
            for (p, q) in [(a, b), (b, c), (c, a)] {
                for share in [
                    0.0,
                    1e-17,
                    0.25,
                    random.within(0.0, 1.0),
                    random.within(0.0, 1.0),
                ] {
                    let target = p + (q - p) * share;
                    // The ray begins inside: whatever it hits here is on its way out, and it cannot miss all.
                    let origin = target - normal * 0.004
                        + Vector3::from([0; 3].map(|_| random.within(-0.001, 0.001)));
                    let ray = InwardRay::new(origin, target - origin).unwrap();
                    let hits: Vec<_> = mesh
                        .triangles
                        .iter()
                        .filter_map(|t| ray.triangle(t.map(|v| &x[v as usize])))
                        .filter(|hit| (hit.s - (target - origin).norm()).abs() < 1e-9)
                        .collect();
                    assert!(!hits.is_empty(), "{t:?} {share}");
                    on_edges += usize::from(hits.len() > 1);
                }
            }
        }
        // Some of them meet an edge or a vertex so exactly that several triangles count it.
        assert!(on_edges > 0);
    }

    #[test]
    fn exact_edges_and_vertices_of_a_grid_are_hit() {
        let at = |i: i32, j: i32| Vector3::new(f64::from(i), f64::from(j), 0.25);
        for i in -2..2 {
            for j in -2..2 {
                for [dx, dy] in [[0.0, 0.0], [0.5, 0.5], [0.5, 0.0], [0.0, 0.5], [0.25, 0.25]] {
                    let origin = Vector3::new(f64::from(i) + dx, f64::from(j) + dy, -3.0);
                    for ray in [Vector3::z(), Vector3::new(1e-17, 0.0, 1.0)] {
                        let ray = InwardRay::new(origin, ray).unwrap();
                        let mut hits = 0;
                        for k in -4..4 {
                            for l in -4..4 {
                                let [a, b, c, d] =
                                    [at(k, l), at(k + 1, l), at(k + 1, l + 1), at(k, l + 1)];
                                hits += usize::from(ray.triangle([&a, &b, &c]).is_some());
                                hits += usize::from(ray.triangle([&a, &c, &d]).is_some());
                            }
                        }
                        assert!(hits >= 1, "{origin:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_ray_is_none() {
        assert!(InwardRay::new(Vector3::zeros(), Vector3::zeros()).is_none());
        assert!(InwardRay::new(Vector3::zeros(), Vector3::repeat(f64::NAN)).is_none());
        assert!(InwardRay::new(Vector3::repeat(f64::INFINITY), Vector3::x()).is_none());
    }
}
