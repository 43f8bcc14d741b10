//! Bounding volumes: axis-aligned boxes and bounding spheres.

use crate::Superovoid;
use crate::golden_section::minimum;
use crate::shape::radii::{ROUNDED_UP, largest_on_half_turn, section_reach};
use nalgebra::{Isometry3, Point3, Vector3};

/// A box whose faces are perpendicular to the axes of its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The smallest coordinates, metres.
    pub min: Point3<f64>,
    /// The largest coordinates, metres.
    pub max: Point3<f64>,
}

impl Aabb {
    /// Returns a lower bound of the distance (metres) between the contents of two boxes: the distance of the boxes, 0
    /// if they meet.
    #[inline]
    pub fn distance(&self, other: &Aabb) -> f64 {
        let gap = |i: usize| {
            (other.min[i] - self.max[i])
                .max(self.min[i] - other.max[i])
                .max(0.0)
        };
        Vector3::new(gap(0), gap(1), gap(2)).norm()
    }

    /// Whether the boxes share a point, faces included. Gaps within the rounding of the boxes' coordinates count as
    /// shared, so that boxes around bodies that meet always intersect.
    ///
    /// ```
    /// use nalgebra::Isometry3;
    /// let ball = superovoid::Superovoid::sphere(1.0)?;
    /// let at = |x, y| ball.aabb(&Isometry3::translation(x, y, 0.0)); // metres
    /// assert!(at(0.0, 0.0).intersects(&at(1.9, 1.9)));
    /// assert!(!at(0.0, 0.0).intersects(&at(2.1, 0.0)));
    /// # Ok::<(), superovoid::ShapeError>(())
    /// ```
    #[inline]
    pub fn intersects(&self, other: &Aabb) -> bool {
        let largest = |b: &Aabb| b.min.coords.amax().max(b.max.coords.amax());
        let rounding = BOUND_ACCURACY * (largest(self) + largest(other));
        (0..3).all(|i| {
            other.min[i] - self.max[i] <= rounding && self.min[i] - other.max[i] <= rounding
        })
    }
}

/// The accuracy of bounds, relative to the coordinates: that of the support function.
pub const BOUND_ACCURACY: f64 = 1e-12;

/// A sphere that contains a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingSphere {
    /// The centre, metres.
    pub center: Point3<f64>,
    /// The radius, metres.
    pub radius: f64,
}

impl BoundingSphere {
    /// Returns the sphere moved by the pose of its body.
    ///
    /// ```
    /// use nalgebra::{Isometry3, Point3};
    /// let ball = superovoid::Superovoid::sphere(0.5)?.bounding_sphere();
    /// let moved = ball.transformed(&Isometry3::translation(1.0, 2.0, 3.0));
    /// assert_eq!(moved.center, Point3::new(1.0, 2.0, 3.0));
    /// # Ok::<(), superovoid::ShapeError>(())
    /// ```
    pub fn transformed(&self, pose: &Isometry3<f64>) -> BoundingSphere {
        BoundingSphere {
            center: pose * self.center,
            radius: self.radius,
        }
    }

    /// Returns a lower bound of the distance (metres) between the contents of two spheres: the distance of the
    /// spheres, 0 if they meet.
    ///
    /// ```
    /// use nalgebra::Isometry3;
    /// let ball = superovoid::Superovoid::sphere(0.5)?.bounding_sphere();
    /// let moved = ball.transformed(&Isometry3::translation(3.0, 0.0, 0.0));
    /// assert_eq!(ball.distance(&moved), 2.0);
    /// # Ok::<(), superovoid::ShapeError>(())
    /// ```
    pub fn distance(&self, other: &BoundingSphere) -> f64 {
        ((other.center - self.center).norm() - self.radius - other.radius).max(0.0)
    }

    /// Whether the spheres share a point. Gaps within the rounding of centres and radii count as shared, so that
    /// spheres around bodies that meet always intersect.
    ///
    /// ```
    /// use nalgebra::Isometry3;
    /// let ball = superovoid::Superovoid::sphere(0.5)?.bounding_sphere();
    /// let at = |x| ball.transformed(&Isometry3::translation(x, 0.0, 0.0)); // metres
    /// assert!(ball.intersects(&at(0.9)) && !ball.intersects(&at(1.1)));
    /// # Ok::<(), superovoid::ShapeError>(())
    /// ```
    pub fn intersects(&self, other: &BoundingSphere) -> bool {
        let largest = |b: &BoundingSphere| b.center.coords.amax() + b.radius;
        self.distance(other) <= BOUND_ACCURACY * (largest(self) + largest(other))
    }
}

impl Superovoid {
    /// Returns the smallest box around the body in its own frame. For exponents within 1e-6 of 0 or 2 it is a larger
    /// one, with half extents `a1 (1 + |tx|)`, `a2 (1 + |ty|)`, `a3`.
    pub fn local_aabb(&self) -> Aabb {
        // Without tapers the half extents are the semi-axes exactly.
        if !self.is_tapered() || !self.traits.provable() {
            let max = Point3::from(self.outer_half_extents());
            return Aabb { min: -max, max };
        }
        let x = self.support(&Vector3::x()).value;
        let y = self.support(&Vector3::y()).value;
        let max = Point3::new(x, y, self.a[2]);
        Aabb { min: -max, max }
    }

    /// Returns the smallest box around the body at `pose`, along the world axes. For exponents within 1e-6 of 0 or 2
    /// it is the box around [`Superovoid::local_aabb`].
    pub fn aabb(&self, pose: &Isometry3<f64>) -> Aabb {
        if !self.traits.provable() {
            let turned = pose.rotation.to_rotation_matrix().into_inner().abs();
            let center = Point3::from(pose.translation.vector);
            let half = turned * self.outer_half_extents();
            return Aabb {
                min: center - half,
                max: center + half,
            };
        }
        let mut aabb = Aabb {
            min: Point3::origin(),
            max: Point3::origin(),
        };
        for i in 0..3 {
            let axis = pose
                .rotation
                .inverse_transform_vector(&Vector3::ith(i, 1.0));
            let center = pose.translation.vector[i];
            let ahead = self.support(&axis).value;
            // Without tapers the body is symmetric about its centre.
            let behind = if self.is_tapered() {
                self.support(&-axis).value
            } else {
                ahead
            };
            aabb.max[i] = center + ahead;
            aabb.min[i] = center - behind;
        }
        aabb
    }

    /// Returns half extents of a box around the body without taking powers, which rounding spoils for exponents near
    /// 0 and 2.
    pub(crate) fn outer_half_extents(&self) -> Vector3<f64> {
        let [a1, a2, a3] = self.a;
        let [tx, ty] = self.t;
        Vector3::new(a1 * (1.0 + tx.abs()), a2 * (1.0 + ty.abs()), a3)
    }

    /// Returns the smallest sphere around the body, in its own frame. By symmetry its centre lies on the z axis; its
    /// radius is rounded up by a relative 1e-9.
    ///
    /// The sphere about (0, 0, c) needs the largest distance of a surface point from there, which is convex in c; its
    /// minimum is found by a golden-section search.
    pub fn bounding_sphere(&self) -> BoundingSphere {
        if !self.is_tapered() {
            return BoundingSphere {
                center: Point3::origin(),
                radius: self.outer_radius,
            };
        }
        let farthest =
            |c: f64| largest_on_half_turn(|phi| section_reach(self.a, self.p, self.t, phi, c));
        let (c, radius) = minimum(farthest, -self.outer_radius, self.outer_radius);
        BoundingSphere {
            center: Point3::new(0.0, 0.0, c),
            radius: radius * ROUNDED_UP,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Returns the least and largest distance of surface points from the centre, over an even grid of directions for
    /// each circle.
    fn sampled_radii(a: [f64; 3], e: [f64; 2], t: [f64; 2]) -> [f64; 2] {
        const STEPS: usize = 400;
        let on_circle = |k: usize, e: f64| {
            let (s, c) = (k as f64 / STEPS as f64 * std::f64::consts::FRAC_PI_2).sin_cos();
            let r = (c.powf(2.0 / e) + s.powf(2.0 / e)).powf(0.5 * e);
            [c / r, s / r]
        };
        let section: Vec<_> = (0..=STEPS).map(|k| on_circle(k, e[0])).collect();
        let mut radii = [f64::INFINITY, 0.0_f64];
        for k in 0..=STEPS {
            let [rho, zeta] = on_circle(k, e[1]);
            for zeta in [zeta, -zeta] {
                let half = [0, 1].map(|i| a[i] * (1.0 + t[i] * zeta) * rho);
                for [xi, eta] in &section {
                    let x = Vector3::new(half[0] * xi, half[1] * eta, a[2] * zeta).norm();
                    radii = [radii[0].min(x), radii[1].max(x)];
                }
            }
        }
        radii
    }

    /// Box-like tapered bodies once had an inner radius that was too large: the samples of the
    /// profile skipped their sides.
    #[test]
    fn radii_hold_for_every_shape_and_are_close() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for i in 0..400 {
            let a = [0; 3].map(|_| rng.random_range(0.1..1.0));
            let e = [0; 2].map(|_| match i % 3 {
                0 => rng.random_range(0.02..0.2),
                1 => rng.random_range(1.8..1.98),
                _ => rng.random_range(0.02..1.98),
            });
            let t = [0; 2].map(|_| rng.random_range(-0.95..0.95));
            let shape = Superovoid::new(a, e, t).expect("valid");
            let [least, largest] = sampled_radii(a, e, t);
            let (inner, outer) = (shape.inner_radius, shape.outer_radius);
            assert!(inner <= least * (1.0 + 1e-12), "{shape:?}: {least}");
            assert!(outer >= largest * (1.0 - 1e-12), "{shape:?}: {largest}");
            assert!(inner > 0.98 * least && outer < 1.02 * largest, "{shape:?}");
        }
    }
}
