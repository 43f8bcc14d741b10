//! The support map: the function by which algorithms for convex bodies know a body, as in parry and Jolt.
//!
//! Superovoids, convex shapes, superquadrics, slabs, hulls of points and half-spaces have one. Radii, gauges, tolerances and
//! rounding are no part of it: they belong to the problem of a pair, or to a moving body.

use crate::Superovoid;
use nalgebra::{Point3, Vector3};

/// A convex body, or the convex hull of another, by its support function. No other crate can implement it.
pub(crate) trait SupportMap {
    /// Returns the largest n·x over the points x of the body, and a point that attains it, both in the body's own frame.
    /// The direction n may have any length but 0, unless the type asks for a unit vector.
    fn local_support(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>);
}

impl SupportMap for Superovoid {
    fn local_support(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let (value, circles) = self.support_circles(n);
        (value, circles.point(self))
    }
}

/// The convex hull of points.
pub(crate) struct Hull<'a>(pub &'a [Point3<f64>]);

impl Hull<'_> {
    /// Returns the first point that is farthest along a direction.
    pub fn farthest_along(&self, n: &Vector3<f64>) -> Vector3<f64> {
        let mut best = (f64::NEG_INFINITY, Vector3::zeros());
        for point in self.0 {
            let height = n.dot(&point.coords);
            if height > best.0 {
                best = (height, point.coords);
            }
        }
        best.1
    }
}

impl SupportMap for Hull<'_> {
    fn local_support(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let point = self.farthest_along(n);
        (n.dot(&point), point)
    }
}
