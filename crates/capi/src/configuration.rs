//! Configurations of a robot and the poses of its links.

use super::memory::{Strided, StridedOut, with_capacity};
use super::pose::sovo_pose;
use super::robot::{robot_of, sovo_robot};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use superovoid_robot::{Configuration, Robot};

/// Writes the neutral configuration: every joint at zero, or at the limit nearest to zero where zero is outside;
/// floating joints at the identity. count: the position_count of the robot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_neutral(
    robot: *const sovo_robot,
    positions: *mut f64,
    count: usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let robot = unsafe { robot_of(robot) }?;
        let numbers = robot.robot.neutral().to_vec();
        check_count("count", count, numbers.len())?;
        let places = StridedOut::new(positions, count, size_of::<f64>(), "positions")?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(numbers.into_iter()) };
        Ok(())
    })
}

pub(super) fn check_count(name: &str, count: usize, expected: usize) -> Result<(), Failure> {
    if count == expected {
        return Ok(());
    }
    Err(Failure::other(
        SOVO_STATUS_ERROR_SIZE,
        format!("{name} = {count}: the robot needs {expected}"),
    ))
}

/// # Safety
/// The pointer must be as the header demands.
pub(super) unsafe fn read_configuration(
    robot: &Robot,
    (positions, name): (*const f64, &'static str),
    count: usize,
) -> Result<Configuration, Failure> {
    // Nothing is read of an array of another length.
    check_count("count", count, robot.position_count())?;
    let strided = Strided::new(positions, count, size_of::<f64>(), name)?;
    let mut numbers = with_capacity(count)?;
    // SAFETY: The caller guarantees it.
    numbers.extend((0..count).map(|k| unsafe { strided.get(k) }));
    Ok(robot.configuration(&numbers)?)
}

/// Writes the pose of every link in the frame of the root link, in the order of the links. positions: a configuration
/// of count numbers; pose_count: the link_count of the robot.
///
/// SOVO_STATUS_ERROR_SIZE: a wrong count. SOVO_STATUS_ERROR_CONFIGURATION: a position that is not finite or outside
/// the limits of its joint, or a quaternion whose length is not 1 to 1e-6; the text names the joint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_link_poses(
    robot: *const sovo_robot,
    positions: *const f64,
    count: usize,
    poses: *mut sovo_pose,
    pose_count: usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let robot = unsafe { robot_of(robot) }?;
        // SAFETY: As above, the caller guarantees it.
        let configuration =
            unsafe { read_configuration(&robot.robot, (positions, "positions"), count) }?;
        check_count("pose_count", pose_count, robot.links.len())?;
        let places = StridedOut::new(poses, pose_count, size_of::<sovo_pose>(), "poses")?;
        let found = robot.robot.forward_kinematics(&configuration)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(found.iter().map(sovo_pose::of)) };
        Ok(())
    })
}
