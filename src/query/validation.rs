//! Validation of poses and options, which every query does first.

use crate::lanes::all_finite;
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::pose::{Pose, UNIT_TOLERANCE};
use nalgebra::{Isometry3, UnitQuaternion};

#[inline(always)]
pub(crate) fn validate(
    pose_a: &Isometry3<f64>,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<[Isometry3<f64>; 2], QueryError> {
    let poses = validate_poses(pose_a, pose_b)?;
    validate_options(options)?;
    Ok(poses)
}

/// Returns the poses of the bodies 'A' and 'B' as [`validate_pose`] does.
#[inline]
pub(crate) fn validate_poses(
    pose_a: &Isometry3<f64>,
    pose_b: &Isometry3<f64>,
) -> Result<[Isometry3<f64>; 2], QueryError> {
    if Pose::from(pose_a).are_surely_valid(&Pose::from(pose_b)) {
        return Ok([*pose_a, *pose_b]);
    }
    Ok([of_odd_pose('A', pose_a)?, of_odd_pose('B', pose_b)?])
}

/// Returns an error for a tolerance or a maximum distance that no query takes.
#[inline]
pub fn validate_options(options: &QueryOptions) -> Result<(), QueryError> {
    validate_lengths(options.tolerance, options.max_distance)
}

/// Returns the pose of body 'A' or 'B' with a quaternion of unit length, or an error for one that is not finite or whose
/// quaternion is no rotation. Solvers transform points in different ways, which agree for unit length only: another length
/// would enlarge or move a body.
#[inline]
pub fn validate_pose(body: char, pose: &Isometry3<f64>) -> Result<Isometry3<f64>, QueryError> {
    let here = Pose::from(pose);
    if here.are_surely_valid(&here) {
        return Ok(*pose);
    }
    of_odd_pose(body, pose)
}

#[cold]
fn of_odd_pose(body: char, pose: &Isometry3<f64>) -> Result<Isometry3<f64>, QueryError> {
    let rotation = pose.rotation.coords.iter();
    let finite = |x: &f64| x.is_finite();
    if !pose.translation.vector.iter().chain(rotation).all(finite) {
        return Err(QueryError::NonFinitePose { body });
    }
    let length = pose.rotation.coords.norm();
    if (length - 1.0).abs() <= UNIT_TOLERANCE {
        let rotation = UnitQuaternion::new_normalize(pose.rotation.into_inner());
        Ok(Isometry3::from_parts(pose.translation, rotation))
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
