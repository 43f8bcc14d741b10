//! The columns of a body and of a pose in CSV files.

use anyhow::{Result, anyhow};
use nalgebra::Isometry3;
use superovoid::Superovoid;
use superovoid::pose::from_quaternion;

/// The columns of one body: its shape and its pose.
pub const BODY_COLUMNS: [&str; 14] = [
    "a1", "a2", "a3", "e1", "e2", "tx", "ty", "qw", "qx", "qy", "qz", "px", "py", "pz",
];
/// Those of a pose alone.
pub const POSE_COLUMNS: [&str; 7] = ["qw", "qx", "qy", "qz", "px", "py", "pz"];

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

/// Returns a pose of the numbers of [`POSE_COLUMNS`], whose quaternion is divided by its length; the error is as for
/// [`body`].
pub fn pose(numbers: [f64; POSE_COLUMNS.len()], prefix: &str) -> Result<Isometry3<f64>> {
    let [qw, qx, qy, qz, px, py, pz] = numbers;
    from_quaternion([px, py, pz], [qx, qy, qz, qw]).map_err(|error| anyhow!(":{prefix}qw: {error}"))
}
