//! Configurations of a robot and the poses of its links.

use super::memory::{Strided, StridedOut, room_for, with_capacity};
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
    let mut numbers = with_capacity(count.min(robot.position_count()))?;
    // SAFETY: The caller guarantees it.
    unsafe { read_numbers((positions, name), count, robot, &mut numbers) }?;
    Ok(robot.configuration(&numbers)?)
}

/// Reads the numbers of a configuration in place of what there is.
///
/// # Safety
/// The pointer must be as the header demands.
unsafe fn read_numbers(
    (positions, name): (*const f64, &'static str),
    count: usize,
    robot: &Robot,
    numbers: &mut Vec<f64>,
) -> Result<(), Failure> {
    // Nothing is read of an array of another length.
    check_count("count", count, robot.position_count())?;
    let strided = Strided::new(positions, count, size_of::<f64>(), name)?;
    numbers.clear();
    // SAFETY: The caller guarantees it.
    numbers.extend((0..count).map(|k| unsafe { strided.get(k) }));
    Ok(())
}

/// The number of configurations that are kept from call to call.
const MOST_KEPT: usize = 1024;

/// The configurations of one call, in memory that is kept for the next one: a call that a planner repeats allocates none.
#[derive(Clone, Default)]
pub(super) struct States {
    numbers: Vec<f64>,
    kept: Vec<Configuration>,
}

/// Configurations in the caller's memory, of `count` numbers each.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub first: *const f64,
    /// The bytes from one configuration to the next.
    pub stride: usize,
    pub count: usize,
    pub rows: usize,
}

impl Rows {
    /// Makes configurations that stand one after the other.
    pub fn dense(first: *const f64, count: usize, rows: usize) -> Self {
        let stride = count.saturating_mul(size_of::<f64>());
        Rows {
            first,
            stride,
            count,
            rows,
        }
    }

    /// Returns the error of configurations that would overlap or exceed an address space.
    fn check(&self) -> Result<(), Failure> {
        let Rows {
            stride,
            count,
            rows,
            ..
        } = *self;
        let size = count.saturating_mul(size_of::<f64>());
        let problem = if rows > 1 && stride < size {
            format!("the configurations, {size} bytes each, would overlap")
        } else if rows
            .checked_mul(stride)
            .is_none_or(|all| all > isize::MAX as usize)
        {
            format!("{rows} configurations are more than memory holds")
        } else {
            return Ok(());
        };
        Err(Failure::other(
            SOVO_STATUS_ERROR_SIZE,
            format!("the stride of positions is {stride} bytes: {problem}"),
        ))
    }
}

impl States {
    /// Reads one configuration.
    ///
    /// # Safety
    /// The pointer must be as the header demands.
    pub unsafe fn one(
        &mut self,
        robot: &Robot,
        positions: (*const f64, &'static str),
        count: usize,
    ) -> Result<&Configuration, Failure> {
        // SAFETY: The caller guarantees it.
        unsafe { self.read(robot, 0, positions, count) }?;
        Ok(&self.kept[0])
    }

    /// Reads both configurations of an edge.
    ///
    /// # Safety
    /// The pointers must be as the header demands.
    pub unsafe fn ends(
        &mut self,
        robot: &Robot,
        from: *const f64,
        to: *const f64,
        count: usize,
    ) -> Result<[&Configuration; 2], Failure> {
        // SAFETY: The caller guarantees it.
        unsafe {
            self.read(robot, 0, (from, "from"), count)?;
            self.read(robot, 1, (to, "to"), count)?;
        }
        Ok([&self.kept[0], &self.kept[1]])
    }

    /// Reads many configurations; the text of an error names that whose positions are wrong.
    ///
    /// # Safety
    /// The pointers must be as the header demands.
    pub unsafe fn all(&mut self, robot: &Robot, from: Rows) -> Result<&[Configuration], Failure> {
        if from.first.is_null() && from.rows > 0 && from.count > 0 {
            return Err(Failure::Null("positions"));
        }
        check_count("count", from.count, robot.position_count())?;
        self.kept.truncate(from.rows.max(MOST_KEPT));
        if from.rows > self.kept.len() {
            // The queries themselves take some hundred bytes for each configuration.
            room_for(from.rows, from.stride.saturating_add(256))?;
        }
        from.check()?;
        for k in 0..from.rows {
            let row = from.first.wrapping_byte_add(k * from.stride);
            // SAFETY: The caller guarantees it.
            let read = unsafe { self.read(robot, k, (row, "positions"), from.count) };
            read.map_err(|error| Failure::Element(k, Box::new(error)))?;
        }
        Ok(&self.kept[..from.rows])
    }

    /// Reads a configuration into a place, at most the one behind those that there are.
    ///
    /// # Safety
    /// The pointer must be as the header demands.
    unsafe fn read(
        &mut self,
        robot: &Robot,
        place: usize,
        (positions, name): (*const f64, &'static str),
        count: usize,
    ) -> Result<(), Failure> {
        // SAFETY: The caller guarantees it.
        unsafe { read_numbers((positions, name), count, robot, &mut self.numbers) }?;
        if place == self.kept.len() {
            self.kept.push(robot.neutral());
        }
        Ok(self.kept[place].set_all(&self.numbers)?)
    }
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
