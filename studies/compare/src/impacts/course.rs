//! A question of the comparison, and an answer.

use anyhow::Result;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::NonlinearRigidMotion;
use superovoid::Superovoid;
use superovoid::motion::Motion;

/// Metres, beside semi-axes of 0.3 to 1: hulls were measured to be wrong by up to 0.06 (docs/reports/comparison.md).
pub const MARGIN: f64 = 0.1;

/// A body on its way: the origin moves by `linear`, the body turns by `angular` (world axes).
#[derive(Clone)]
pub struct Course {
    pub shape: Superovoid,
    pub start: Isometry3<f64>,
    pub linear: Vector3<f64>,
    pub angular: Vector3<f64>,
}

impl Course {
    pub fn at(&self, t: f64) -> Isometry3<f64> {
        let turn = UnitQuaternion::from_scaled_axis(self.angular * t);
        let place = self.start.translation.vector + self.linear * t;
        Isometry3::from_parts(place.into(), turn * self.start.rotation)
    }

    pub fn motion(&self) -> Result<Motion> {
        let center = nalgebra::Point3::origin();
        Ok(Motion::line_spin_about(
            self.start,
            center,
            self.linear,
            self.angular,
        )?)
    }

    pub fn for_parry(&self) -> NonlinearRigidMotion {
        let vector = |v: &Vector3<f64>| Vector::new(v.x, v.y, v.z);
        let q = self.start.rotation.coords;
        let start = Pose::from_parts(
            vector(&self.start.translation.vector),
            Rotation::from_xyzw(q.x, q.y, q.z, q.w),
        );
        NonlinearRigidMotion::new(
            start,
            Vector::ZERO,
            vector(&self.linear),
            vector(&self.angular),
        )
    }
}

/// What an engine says of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    Free,
    /// The instant of the first contact.
    Hit(f64),
    /// It says that it does not know, or ends the program.
    Unknown,
}
