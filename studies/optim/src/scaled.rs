//! Every formulation is solved with the largest semi-axis as unit of length and A's centre as
//! origin, so that the solvers' absolute tolerances mean the same for all sizes and places.

use crate::OptimError;
use nalgebra::{Isometry3, Matrix3, Point3, Vector3};
use superovoid::Superovoid;

/// A body in the scaled frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    pub shape: Superovoid,
    /// Its axes as columns.
    pub rotation: Matrix3<f64>,
    pub centre: Vector3<f64>,
}

/// A pair in the scaled frame, and the way back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScaledPair {
    pub bodies: [Body; 2],
    /// Metres per unit.
    pub unit: f64,
    origin: Point3<f64>,
}

impl ScaledPair {
    pub fn new(
        a: &Superovoid,
        pose_a: &Isometry3<f64>,
        b: &Superovoid,
        pose_b: &Isometry3<f64>,
    ) -> Result<Self, OptimError> {
        for (body, pose) in [('A', pose_a), ('B', pose_b)] {
            let mut numbers = pose
                .translation
                .vector
                .iter()
                .chain(pose.rotation.coords.iter());
            if !numbers.all(|x| x.is_finite()) {
                return Err(OptimError::NonFinitePose { body });
            }
        }
        let unit = [a, b]
            .into_iter()
            .flat_map(Superovoid::semi_axes)
            .fold(0.0, f64::max);
        let origin = Point3::from(pose_a.translation.vector);
        let body = |shape: &Superovoid, pose: &Isometry3<f64>| -> Result<Body, OptimError> {
            let axes = shape.semi_axes().map(|x| x / unit);
            let centre = (pose.translation.vector - origin.coords) / unit;
            if !centre.norm_squared().is_finite() {
                return Err(OptimError::Range);
            }
            Ok(Body {
                shape: Superovoid::new(axes, shape.exponents(), shape.tapers())?,
                rotation: pose.rotation.to_rotation_matrix().into_inner(),
                centre,
            })
        };
        Ok(ScaledPair {
            bodies: [body(a, pose_a)?, body(b, pose_b)?],
            unit,
            origin,
        })
    }

    /// A point of the scaled frame, in the world.
    pub fn in_world(&self, point: &Vector3<f64>) -> Point3<f64> {
        self.origin + point * self.unit
    }
}
