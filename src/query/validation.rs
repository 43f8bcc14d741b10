//! Validation of poses and options, which every query does first.

use crate::lanes::all_finite;
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::pose::{Pose, UNIT_TOLERANCE};
use nalgebra::{Isometry3, UnitQuaternion};

/// Two poses with quaternions of unit length, if those that were given are off it by more than rounding: most are used as they
/// are, without a copy.
pub(crate) struct Straightened(Option<[Isometry3<f64>; 2]>);

impl Straightened {
    /// Returns these poses, or the given ones.
    #[inline(always)]
    pub fn or<'a>(&'a self, given: [&'a Isometry3<f64>; 2]) -> [&'a Isometry3<f64>; 2] {
        self.0.as_ref().map_or(given, <[_; 2]>::each_ref)
    }
}

/// Validates poses and options; see [`validate_pose`].
#[inline(always)]
pub(crate) fn validate(
    pose_a: &Isometry3<f64>,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Straightened, QueryError> {
    let poses = validate_poses(pose_a, pose_b)?;
    validate_options(options)?;
    Ok(poses)
}

/// Validates the poses of the bodies 'A' and 'B'; see [`validate_pose`].
#[inline(always)]
pub(crate) fn validate_poses(
    pose_a: &Isometry3<f64>,
    pose_b: &Isometry3<f64>,
) -> Result<Straightened, QueryError> {
    if Pose::from(pose_a).are_surely_valid(&Pose::from(pose_b)) {
        return Ok(Straightened(None));
    }
    of_odd_poses(pose_a, pose_b)
}

#[cold]
fn of_odd_poses(
    pose_a: &Isometry3<f64>,
    pose_b: &Isometry3<f64>,
) -> Result<Straightened, QueryError> {
    let poses = [of_odd_pose('A', pose_a)?, of_odd_pose('B', pose_b)?];
    Ok(Straightened(Some(poses)))
}

/// Returns an error for a tolerance or a maximum distance that no query takes.
#[inline]
pub fn validate_options(options: &QueryOptions) -> Result<(), QueryError> {
    validate_lengths(options.tolerance, options.max_distance)
}

/// Returns an error for a pose of body 'A' or 'B' that is not finite or whose quaternion is no rotation, and one with a
/// quaternion of unit length for a pose that is off it by more than rounding. Solvers transform points in different ways, which
/// agree for unit length only: another length would enlarge or move a body.
#[inline]
pub fn validate_pose(
    body: char,
    pose: &Isometry3<f64>,
) -> Result<Option<Isometry3<f64>>, QueryError> {
    let here = Pose::from(pose);
    if here.are_surely_valid(&here) {
        return Ok(None);
    }
    of_odd_pose(body, pose).map(Some)
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
