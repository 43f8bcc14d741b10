//! Oriented bounding boxes.

use crate::Superovoid;
use crate::surface::bounds::BOUND_ACCURACY;
use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

/// A box in any orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// The centre, world frame, metres.
    pub center: Point3<f64>,
    /// The rotation from the box's axes to the world's.
    pub rotation: UnitQuaternion<f64>,
    /// Half the lengths of its edges along its own axes, metres.
    pub half_extents: Vector3<f64>,
}

impl Superovoid {
    /// Returns the smallest box around the body at `pose` among those along the body's own axes, with half extents
    /// rounded up by a relative 1e-12. Its centre is the body's origin: a taper widens both sides alike.
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

    /// Returns a box around the body along its own axes without taking powers: that of [`Superovoid::obb`] without tapers,
    /// a larger one with them.
    #[inline]
    pub(crate) fn quick_obb(&self, pose: &Isometry3<f64>) -> Obb {
        Obb {
            center: pose.translation.vector.into(),
            rotation: pose.rotation,
            half_extents: self.outer_half_extents() * (1.0 + BOUND_ACCURACY),
        }
    }
}
