//! Intersection and least distance of two oriented boxes: by the spheres about their centres, or by the [separating
//! axes](super::separating_axes) where these leave it open.

use crate::lanes::dispatch_four_lanes;
use crate::surface::obb::Obb;
use crate::surface::separating_axes::{Between, Gaps};

impl Obb {
    /// Whether the boxes share a point. Gaps within the rounding of centres and half extents count as shared, so that
    /// boxes around bodies that meet always intersect.
    ///
    /// ```
    /// use nalgebra::{Isometry3, Vector3};
    /// let needle = superovoid::Superovoid::superellipsoid([1.0, 0.01, 0.01], [0.5, 0.5])?;
    /// let here = needle.obb(&Isometry3::identity());
    /// let turn = Vector3::z() * 0.7; // radians
    /// let at = |y| needle.obb(&Isometry3::new(Vector3::new(0.0, y, 0.0), turn));
    /// assert!(here.intersects(&at(0.02)) && !here.intersects(&at(0.7)));
    /// # Ok::<(), superovoid::ShapeError>(())
    /// ```
    pub fn intersects(&self, other: &Obb) -> bool {
        let between = Between::new(self, other);
        if between.inner_balls_meet() {
            return true;
        }
        !between.outer_balls_are_apart()
            && dispatch_four_lanes!(simd => Gaps::new(simd, self, other, &between).none())
    }

    /// Returns a lower bound of the distance (metres) between the contents of two boxes: the widest gap between their
    /// projections onto the 15 axes, 0 if they meet. That is the distance of the boxes where a face or two edges are
    /// nearest; where vertices are nearest to vertices or edges, the boxes can be farther apart.
    ///
    /// ```
    /// use nalgebra::Isometry3;
    /// let body = superovoid::Superovoid::superellipsoid([1.0; 3], [0.1, 0.1])?;
    /// let at = |x| body.obb(&Isometry3::translation(x, 0.0, 0.0));
    /// assert!((at(0.0).distance_bound(&at(5.0)) - 3.0).abs() < 1e-10); // metres
    /// # Ok::<(), superovoid::ShapeError>(())
    /// ```
    pub fn distance_bound(&self, other: &Obb) -> f64 {
        let between = Between::new(self, other);
        if between.inner_balls_meet() {
            return 0.0;
        }
        dispatch_four_lanes!(simd => Gaps::new(simd, self, other, &between).widest())
    }
}
