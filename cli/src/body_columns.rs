//! The columns of a body and of a pose in CSV files.

use anyhow::{Result, anyhow, ensure};
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use superovoid::Superovoid;

/// The columns of one body: its shape and its pose.
pub const BODY_COLUMNS: [&str; 14] = [
    "a1", "a2", "a3", "e1", "e2", "tx", "ty", "qw", "qx", "qy", "qz", "px", "py", "pz",
];
/// Those of a pose alone.
pub const POSE_COLUMNS: [&str; 7] = ["qw", "qx", "qy", "qz", "px", "py", "pz"];

/// The largest deviation of a quaternion's length from 1: six decimals or single precision stay
/// within it; a larger one is more likely a mistake than rounding, and is not normalised.
const UNIT_TOLERANCE: f64 = 1e-5;

/// Returns a body of the numbers of [`BODY_COLUMNS`]; the error is `:column: message`, the column with its prefix.
pub fn body(
    numbers: [f64; BODY_COLUMNS.len()],
    prefix: &str,
) -> Result<(Superovoid, Isometry3<f64>)> {
    let [a1, a2, a3, e1, e2, tx, ty, qw, qx, qy, qz, px, py, pz] = numbers;
    let shape = Superovoid::new([a1, a2, a3], [e1, e2], [tx, ty])
        .map_err(|e| anyhow!(":{prefix}{}: {e}", e.parameter.name()))?;
    Ok((shape, pose([qw, qx, qy, qz, px, py, pz], prefix)?))
}

/// Returns a pose of the numbers of [`POSE_COLUMNS`]; the error is as for [`body`].
pub fn pose(numbers: [f64; POSE_COLUMNS.len()], prefix: &str) -> Result<Isometry3<f64>> {
    let [qw, qx, qy, qz, px, py, pz] = numbers;
    let quaternion = Quaternion::new(qw, qx, qy, qz);
    let length = quaternion.norm();
    // Written so that a length of infinity is refused as well.
    ensure!(
        (length - 1.0).abs() <= UNIT_TOLERANCE,
        ":{prefix}qw: the quaternion ({qw}, {qx}, {qy}, {qz}) has length \
         {length}; expected 1 within {UNIT_TOLERANCE:e}, divide it by its length"
    );
    let rotation = UnitQuaternion::new_normalize(quaternion);
    Ok(Isometry3::from_parts(
        Translation3::new(px, py, pz),
        rotation,
    ))
}
