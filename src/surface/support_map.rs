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
        // Four maxima side by side do not wait for each other. Of equally high points it is the first.
        const WIDTH: usize = 4;
        let mut best = [(f64::NEG_INFINITY, usize::MAX); WIDTH];
        let (rows, rest) = self.0.as_chunks::<WIDTH>();
        for (row, points) in rows.iter().enumerate() {
            for (best, point) in best.iter_mut().zip(points) {
                let height = n.dot(&point.coords);
                let is_higher = height > best.0;
                best.0 = if is_higher { height } else { best.0 };
                best.1 = if is_higher { row } else { best.1 };
            }
        }
        let mut highest = (f64::NEG_INFINITY, usize::MAX);
        for (column, (height, row)) in best.into_iter().enumerate() {
            let place = row.saturating_mul(WIDTH).saturating_add(column);
            if height > highest.0 || (height == highest.0 && place < highest.1) {
                highest = (height, place);
            }
        }
        let mut found = self
            .0
            .get(highest.1)
            .map_or_else(Vector3::zeros, |p| p.coords);
        for point in rest {
            let height = n.dot(&point.coords);
            if height > highest.0 {
                highest.0 = height;
                found = point.coords;
            }
        }
        found
    }
}

impl SupportMap for Hull<'_> {
    fn local_support(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let point = self.farthest_along(n);
        (n.dot(&point), point)
    }
}
