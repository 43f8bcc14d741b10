//! Oriented boxes. Whether two meet, and how far they are apart at least, is told by the balls about their
//! centres or, where these leave it open, by the [separating axes](super::separating_axes).

use crate::Superovoid;
use crate::lanes::on_this_processor_by_fours;
use crate::surface::bounds::BOUND_ACCURACY;
use crate::surface::separating_axes::Gaps;
use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

/// A box in any orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// Centre, world frame, metres.
    pub center: Point3<f64>,
    /// From the box's axes to the world's.
    pub rotation: UnitQuaternion<f64>,
    /// Half of its edges along its own axes, metres.
    pub half_extents: Vector3<f64>,
}

impl Superovoid {
    /// The smallest box around the body at `pose` among those along the body's own axes, its half
    /// extents rounded up by a relative 1e-12. Its centre is the body's: a taper widens both sides
    /// alike.
    ///
    /// ```
    /// use nalgebra::{Isometry3, Vector3};
    /// let body = superovoid::Superovoid::ellipsoid([1.0, 2.0, 3.0])?;
    /// let pose = Isometry3::rotation(Vector3::new(0.3, 0.2, 0.1)); // radians
    /// assert!((body.obb(&pose).half_extents - Vector3::new(1.0, 2.0, 3.0)).norm() < 1e-11);
    /// # Ok::<(), superovoid::ShapeError>(())
    /// ```
    pub fn obb(&self, pose: &Isometry3<f64>) -> Obb {
        Obb {
            center: pose.translation.vector.into(),
            rotation: pose.rotation,
            half_extents: self.local_aabb().max.coords * (1.0 + BOUND_ACCURACY),
        }
    }
}

impl Obb {
    /// Whether the boxes share a point. Gaps within the rounding of centres and half extents count
    /// as sharing one, so that boxes around bodies that meet always do.
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
            && on_this_processor_by_fours!(simd => Gaps::new(simd, self, other, &between).none())
    }

    /// A lower bound of the distance (metres) between what two boxes hold: the widest gap that
    /// their projections onto the 15 axes leave, 0 if they meet. That is the distance of the boxes
    /// where a face or two edges are nearest; vertices nearest to vertices or edges can be farther
    /// apart.
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
        on_this_processor_by_fours!(simd => Gaps::new(simd, self, other, &between).widest())
    }
}

/// What lies between two boxes, world frame.
pub(super) struct Between {
    /// Between their centres.
    pub offset: Vector3<f64>,
    /// What the rounding of centres and half extents, and of a few operations on them, can change in a gap.
    pub slack: f64,
    squared_length: f64,
    /// Of the largest balls inside, in sum.
    inner_radii: f64,
    /// Of the half diagonals.
    squared_diagonals: f64,
}

impl Between {
    #[inline(always)]
    fn new(a: &Obb, b: &Obb) -> Between {
        let larger = |x: f64, y: f64| if x > y { x } else { y };
        let largest = |v: &Vector3<f64>| larger(larger(v.x.abs(), v.y.abs()), v.z.abs());
        let smaller = |x: f64, y: f64| if x < y { x } else { y };
        let least = |v: &Vector3<f64>| smaller(smaller(v.x, v.y), v.z);
        let (a_half, b_half) = (&a.half_extents, &b.half_extents);
        let centers = largest(&a.center.coords) + largest(&b.center.coords);
        let offset = b.center - a.center;
        Between {
            squared_length: offset.norm_squared(),
            slack: 32.0 * f64::EPSILON * (centers + largest(a_half) + largest(b_half)),
            offset,
            inner_radii: least(a_half) + least(b_half),
            squared_diagonals: a_half.norm_squared() + b_half.norm_squared(),
        }
    }

    #[inline(always)]
    fn inner_balls_meet(&self) -> bool {
        // Not where both have left the number range.
        self.squared_length < self.inner_radii * self.inner_radii
    }

    /// Whether the balls around the boxes are: the sum of the half diagonals is at most
    /// `√(2 (|a|² + |b|²))`.
    #[inline(always)]
    fn outer_balls_are_apart(&self) -> bool {
        let reach = (2.0 * self.squared_diagonals).sqrt() + self.slack;
        self.squared_length > reach * reach
    }
}
