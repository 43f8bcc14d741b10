//! Validation of poses and options, which every query does first.

use crate::lanes::all_finite;
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::pose::{Pose, UNIT_TOLERANCE};
use nalgebra::Isometry3;

#[inline(always)]
pub(crate) fn validate(
    pose_a: &Isometry3<f64>,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<(), QueryError> {
    validate_poses(pose_a, pose_b)?;
    validate_options(options)
}

#[inline]
pub(crate) fn validate_poses(
    pose_a: &Isometry3<f64>,
    pose_b: &Isometry3<f64>,
) -> Result<(), QueryError> {
    if Pose::from(pose_a).are_surely_valid(&Pose::from(pose_b)) {
        return Ok(());
    }
    validate_odd_pose('A', pose_a)?;
    validate_odd_pose('B', pose_b)
}

/// Returns an error for a tolerance or a maximum distance that no query takes.
#[inline]
pub fn validate_options(options: &QueryOptions) -> Result<(), QueryError> {
    validate_lengths(options.tolerance, options.max_distance)
}

/// Returns an error for a pose of body 'A' or 'B' that is not finite or whose quaternion is no rotation.
#[inline]
pub fn validate_pose(body: char, pose: &Isometry3<f64>) -> Result<(), QueryError> {
    let here = Pose::from(pose);
    if here.are_surely_valid(&here) {
        return Ok(());
    }
    validate_odd_pose(body, pose)
}

#[cold]
fn validate_odd_pose(body: char, pose: &Isometry3<f64>) -> Result<(), QueryError> {
    let rotation = pose.rotation.coords.iter();
    let finite = |x: &f64| x.is_finite();
    if !pose.translation.vector.iter().chain(rotation).all(finite) {
        return Err(QueryError::NonFinitePose { body });
    }
    let length = pose.rotation.coords.norm();
    if (length - 1.0).abs() <= UNIT_TOLERANCE {
        Ok(())
    } else {
        Err(QueryError::Rotation { body, length })
    }
}

/// The options that are lengths.
#[inline]
pub(crate) fn validate_lengths(tolerance: f64, max_distance: f64) -> Result<(), QueryError> {
    if !(tolerance >= 0.0 && all_finite(&[tolerance])) {
        let requirement = "metres, finite, at least 0 (0: the default)";
        return odd_option("tolerance", tolerance, requirement);
    }
    if max_distance.is_nan() {
        return odd_option("max_distance", max_distance, "metres or infinity");
    }
    Ok(())
}

#[cold]
fn odd_option(name: &'static str, value: f64, requirement: &'static str) -> Result<(), QueryError> {
    Err(QueryError::Option {
        name,
        value,
        requirement,
    })
}
