//! The turns that a bone may make about its joint, and the presets of them.
//!
//! The frame of a bone has x along it, away from the root, y level (the world's y for a bone that stands or hangs), and z =
//! x × y. The angles α, β, γ turn about the frame's own axes x, then y, then z: R = Rx(α) Ry(β) Rz(γ). So a joint is up to
//! three revolute joints one after the other. At β = ±π/2 the first and the last turn about the same axis, wherefore a
//! range of β beyond ±85° is warned of where all three turn.

use crate::error::SketchError;
use nalgebra::{Matrix3, Point3, Rotation3, UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The middle angle beyond which a joint comes near its singular pose, radians: 85°.
pub const MIDDLE_LIMIT: f64 = 85.0 * PI / 180.0;

/// The ranges of the angles about x, y and z, radians.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Articulation {
    /// The lower and upper end of each.
    pub ranges: [[f64; 2]; 3],
}

/// A ready joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Nothing turns.
    Rigid,
    /// The bone turns about y by ±90°, as a door about its hinge.
    Hinge,
    /// The bone turns about itself by ±90°.
    Pivot,
    /// The bone bends about y from 0 to 150° and turns about itself by ±90°.
    Elbow,
    /// The bone turns about all three, by ±90°, ±85° and ±90°.
    Ball,
}

impl Preset {
    /// Returns its ranges.
    pub fn articulation(self) -> Articulation {
        let quarter = [-FRAC_PI_2, FRAC_PI_2];
        let still = [0.0; 2];
        let ranges = match self {
            Preset::Rigid => [still; 3],
            Preset::Hinge => [still, quarter, still],
            Preset::Pivot => [quarter, still, still],
            Preset::Elbow => [quarter, [0.0, 150.0 * PI / 180.0], still],
            Preset::Ball => [quarter, [-MIDDLE_LIMIT, MIDDLE_LIMIT], quarter],
        };
        Articulation { ranges }
    }
}

impl Articulation {
    /// Requires that the ranges are finite, in order and within a full turn.
    ///
    /// # Errors
    /// The error names the axis.
    pub fn check(&self) -> Result<(), SketchError> {
        for (axis, [lower, upper]) in self.ranges.into_iter().enumerate() {
            // NaN fails.
            if !(-TAU <= lower && lower <= upper && upper <= TAU) {
                return Err(SketchError::Range { axis, lower, upper });
            }
        }
        Ok(())
    }

    /// Returns a warning where the joint turns about all three axes and its middle angle leaves ±85°.
    pub fn warning(&self) -> Option<String> {
        let turns = self.ranges.iter().all(|[lower, upper]| lower < upper);
        let [lower, upper] = self.ranges[1];
        let beyond = lower < -MIDDLE_LIMIT || upper > MIDDLE_LIMIT;
        (turns && beyond).then(|| {
            let [low, high] = [lower, upper].map(f64::to_degrees);
            format!(
                "the middle range of {low:.1}° to {high:.1}° leaves ±85°: at ±90° the first and the last angle turn about the same axis"
            )
        })
    }

    /// Returns the angles nearest to zero within the ranges, radians.
    pub fn neutral(&self) -> [f64; 3] {
        self.ranges
            .map(|[lower, upper]| 0.0_f64.clamp(lower, upper))
    }
}

/// Returns R = Rx(α) Ry(β) Rz(γ).
pub fn rotation(angles: [f64; 3]) -> UnitQuaternion<f64> {
    let axes = [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()];
    let turns = axes
        .iter()
        .zip(angles)
        .map(|(axis, angle)| UnitQuaternion::from_axis_angle(axis, angle));
    turns.fold(UnitQuaternion::identity(), |all, turn| all * turn)
}

/// Returns the frame of a bone at rest.
pub(crate) fn frame(near: Point3<f64>, far: Point3<f64>) -> UnitQuaternion<f64> {
    let x = (far - near).normalize();
    let level = Vector3::z().cross(&x);
    let y = if level.norm() > 1e-3 {
        level.normalize()
    } else {
        (Vector3::y() - x * x.y).normalize()
    };
    let axes = Matrix3::from_columns(&[x, y, x.cross(&y)]);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes))
}
