//! Clearances of a robot's links.

use super::configuration::{check_count, read_configuration};
use super::memory::{Out, Plain, StridedOut, Versioned, read_sized, size_through};
use super::options::{query_options, sovo_query_options, switch};
use super::pair::sovo_contact;
use super::robot::{number, robot_of, sovo_robot};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use superovoid_robot::{
    Clearance, ClearanceError, ClearanceGradient, ClearanceOptions, CollisionStatus, Configuration,
    smooth_minimum,
};

impl From<ClearanceError> for Failure {
    fn from(error: ClearanceError) -> Self {
        let text = error.to_string();
        match error {
            ClearanceError::Configuration(error) => error.into(),
            ClearanceError::Options(error) => error.into(),
            ClearanceError::Unchecked(_) => Failure::other(SOVO_STATUS_ERROR_UNCHECKED, text),
            ClearanceError::Query { error, .. } => {
                Failure::other(Failure::Query(error).status(), text)
            }
            _ => Failure::other(SOVO_STATUS_ERROR_OPTION, text),
        }
    }
}

/// What is proven about a pair of bodies.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_collision_status {
    /// There is no pair: this is the value of a clearance that is all zero.
    SOVO_COLLISION_STATUS_NONE = 0,
    /// The bodies do not touch.
    SOVO_COLLISION_STATUS_FREE = 1,
    /// They overlap or touch.
    SOVO_COLLISION_STATUS_COLLISION = 2,
    /// Neither is proven. Treat it as a collision.
    SOVO_COLLISION_STATUS_UNDECIDED = 3,
}
use sovo_collision_status::*;

/// The contact of two collision shapes on different links.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_clearance {
    /// The contact in the frame of the root link.
    pub contact: sovo_contact,
    /// The link of body A, which is less than link_b.
    pub link_a: u32,
    /// The index of body A among the collision elements of its link, from 0.
    pub collision_a: u32,
    /// The link of body B.
    pub link_b: u32,
    /// The index of body B among the collision elements of its link, from 0.
    pub collision_b: u32,
    /// The status, a sovo_collision_status.
    pub status: u32,
    /// Reserved, 0.
    pub reserved: u32,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_clearance {}

impl sovo_clearance {
    /// The value that is all zero: no pair.
    const NONE: Self = sovo_clearance {
        contact: sovo_contact::NONE,
        link_a: 0,
        collision_a: 0,
        link_b: 0,
        collision_b: 0,
        status: SOVO_COLLISION_STATUS_NONE as u32,
        reserved: 0,
    };
}

impl From<&Clearance> for sovo_clearance {
    fn from(found: &Clearance) -> Self {
        sovo_clearance {
            contact: (&found.contact).into(),
            link_a: number(found.link_a),
            collision_a: number(found.collision_a),
            link_b: number(found.link_b),
            collision_b: number(found.collision_b),
            status: proven(found.status()) as u32,
            reserved: 0,
        }
    }
}

pub(super) fn proven(status: CollisionStatus) -> sovo_collision_status {
    match status {
        CollisionStatus::Free => SOVO_COLLISION_STATUS_FREE,
        CollisionStatus::Collision => SOVO_COLLISION_STATUS_COLLISION,
        CollisionStatus::Undecided => SOVO_COLLISION_STATUS_UNDECIDED,
    }
}

/// The options of a clearance query; NULL in place of the whole struct means the defaults. Start from
/// SOVO_CLEARANCE_OPTIONS_INIT. In all fields but max_distance zero means the default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sovo_clearance_options {
    /// The size, sizeof(sovo_clearance_options).
    pub size: usize,
    /// The depth mode, a sovo_depth.
    pub depth: u32,
    /// The number of Newton iterations of one start; 0 means 30.
    pub max_iterations: u32,
    /// The widest bracket, metres, of an answer that counts as certified; 0 means that of sovo_query_options.
    pub tolerance: f64,
    /// The distance, metres, beyond which pairs are left out, most of them unsolved; INFINITY, the default, is
    /// no limit.
    pub max_distance: f64,
    /// 1 includes the pairs of links that are joined by one joint, by turning joints in series at one point, or rigidly
    /// fixed to each other; 0 leaves them out.
    pub include_adjacent: u32,
    /// 1: the answers may leave out the collision shapes that are not checked, which sovo_robot_unchecked() tells.
    /// 0: a query on a robot that has one ends with SOVO_STATUS_ERROR_UNCHECKED, so that nothing unchecked passes for
    /// free.
    pub allow_unchecked: u32,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_clearance_options {}
// SAFETY: The first field is the size.
unsafe impl Versioned for sovo_clearance_options {
    const DEFAULT: Self = sovo_clearance_options {
        size: 0,
        depth: 0,
        max_iterations: 0,
        tolerance: 0.0,
        max_distance: f64::INFINITY,
        include_adjacent: 0,
        allow_unchecked: 0,
    };
    const FIRST: usize = size_through!(sovo_clearance_options.allow_unchecked: u32);
}

/// # Safety
/// The requirements are those of [`read_sized`].
unsafe fn read_clearance_options(
    pointer: *const sovo_clearance_options,
) -> Result<ClearanceOptions, Failure> {
    // SAFETY: The caller guarantees it.
    let options = unsafe { read_sized(pointer, "options") }?;
    let options = options.unwrap_or(sovo_clearance_options::DEFAULT);
    Ok(ClearanceOptions::default()
        .with_max_distance(options.max_distance)
        .with_include_adjacent(switch(
            options.include_adjacent,
            "options->include_adjacent",
        )?)
        .with_allow_unchecked(switch(options.allow_unchecked, "options->allow_unchecked")?)
        .with_query(query_options(&sovo_query_options {
            depth: options.depth,
            max_iterations: options.max_iterations,
            tolerance: options.tolerance,
            ..sovo_query_options::DEFAULT
        })?))
}

/// Reads the robot, the configuration and the options of a query.
type Asked<'a> = (&'a sovo_robot, Configuration, ClearanceOptions);

/// # Safety
/// The pointers must be as the header demands.
unsafe fn read_query<'a>(
    robot: *const sovo_robot,
    positions: *const f64,
    count: usize,
    options: *const sovo_clearance_options,
) -> Result<Asked<'a>, Failure> {
    // SAFETY: The caller guarantees it.
    unsafe {
        let robot = robot_of(robot)?;
        let options = read_clearance_options(options)?;
        let configuration = read_configuration(&robot.robot, (positions, "positions"), count)?;
        Ok((robot, configuration, options))
    }
}

/// Finds the contacts of the bodies on different links in a configuration (count numbers), closest or deepest first.
/// Links that are joined by one joint, by turning joints in series at one point, or rigidly fixed together are left out by
/// default.
///
/// The function writes as many contacts as capacity allows, the closest ones, and sets total to their number;
/// clearances may be NULL if capacity is 0. options: NULL for the defaults. Like the functions below it allocates
/// memory.
///
/// Errors of the configuration are those of sovo_robot_link_poses(). SOVO_STATUS_ERROR_OPTION: a max_distance that is
/// negative or NaN, or an option that sovo_pair_contact() rejects. SOVO_STATUS_ERROR_UNCHECKED: the robot has
/// collision shapes that are not checked, and options->allow_unchecked is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_clearances(
    robot: *const sovo_robot,
    positions: *const f64,
    count: usize,
    options: *const sovo_clearance_options,
    clearances: *mut sovo_clearance,
    capacity: usize,
    total: *mut usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let (robot, configuration, options) =
            unsafe { read_query(robot, positions, count, options) }?;
        let stride = size_of::<sovo_clearance>();
        let places = StridedOut::new(clearances, capacity, stride, "clearances")?;
        let out = Out::new(total, "total")?;
        let pairs = robot.robot.clearances(&configuration, &options)?.pairs;
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(pairs.iter().take(capacity).map(Into::into)) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(pairs.len()) };
        Ok(())
    })
}

/// Finds the contacts of sovo_robot_clearances() and the gradients of their distances by the velocities of the joints.
///
/// gradients: room for capacity rows of velocity_count numbers each, contiguous, where velocity_count is that of the
/// robot. The velocities stand in the order of the positions; a floating joint has six, the
/// velocity of its child's origin and the angular velocity, both along the axes of the joint's frame. A row is NaN where
/// the contact is not converged.
///
/// SOVO_STATUS_ERROR_SIZE: a wrong velocity_count. Other errors are those of sovo_robot_clearances().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_clearance_gradients(
    robot: *const sovo_robot,
    positions: *const f64,
    count: usize,
    options: *const sovo_clearance_options,
    clearances: *mut sovo_clearance,
    gradients: *mut f64,
    velocity_count: usize,
    capacity: usize,
    total: *mut usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let (robot, configuration, options) =
            unsafe { read_query(robot, positions, count, options) }?;
        check_count(
            "velocity_count",
            velocity_count,
            robot.robot.velocity_count(),
        )?;
        let stride = size_of::<sovo_clearance>();
        let places = StridedOut::new(clearances, capacity, stride, "clearances")?;
        let numbers = capacity.saturating_mul(velocity_count);
        let rows = StridedOut::new(gradients, numbers, size_of::<f64>(), "gradients")?;
        let out = Out::new(total, "total")?;
        let found = robot.robot.clearance_gradients(&configuration, &options)?;
        let written = || found.iter().take(capacity);
        let row = |found: &ClearanceGradient| {
            let none = || vec![f64::NAN; velocity_count];
            found.dense(velocity_count).unwrap_or_else(none)
        };
        // SAFETY: As above, the caller guarantees it, here and below.
        unsafe {
            places.write_all(written().map(|found| (&found.clearance).into()));
            rows.write_all(written().flat_map(row));
            out.write(found.len());
        }
        Ok(())
    })
}

/// Computes a smooth lower bound of the distances of sovo_robot_clearance_gradients() for optimisers that want a single
/// function: value is -T ln(sum of exp(-distance/T)), at most the least distance and less than it by at most
/// T ln(number of pairs), with T = temperature, metres. Pairs beyond options->max_distance do not count, so that the
/// value jumps, by about T exp(-max_distance/T), where a pair comes within it.
///
/// gradient: the derivatives of value by the velocities of the joints, velocity_count numbers, that of the robot.
///
/// Without a pair value is infinite and the gradient 0; where a pair is not converged all of them are NaN.
///
/// SOVO_STATUS_ERROR_OPTION: a temperature that is not positive and finite. SOVO_STATUS_ERROR_SIZE: a wrong
/// velocity_count. Other errors are those of sovo_robot_clearances().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_smooth_minimum(
    robot: *const sovo_robot,
    positions: *const f64,
    count: usize,
    options: *const sovo_clearance_options,
    temperature: f64,
    value: *mut f64,
    gradient: *mut f64,
    velocity_count: usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let (robot, configuration, options) =
            unsafe { read_query(robot, positions, count, options) }?;
        let velocities = robot.robot.velocity_count();
        check_count("velocity_count", velocity_count, velocities)?;
        if !(temperature > 0.0 && temperature.is_finite()) {
            let text = format!("temperature = {temperature}: it must be positive and finite");
            return Err(Failure::other(SOVO_STATUS_ERROR_OPTION, text));
        }
        let out = Out::new(value, "value")?;
        let places = StridedOut::new(gradient, velocity_count, size_of::<f64>(), "gradient")?;
        let rows = robot.robot.clearance_gradients(&configuration, &options)?;
        let found = match smooth_minimum(&rows, velocities, temperature) {
            Some(found) => (found.value, found.gradient),
            None if rows.is_empty() => (f64::INFINITY, vec![0.0; velocities]),
            None => (f64::NAN, vec![f64::NAN; velocities]),
        };
        // SAFETY: As above, the caller guarantees it, here and below.
        unsafe {
            out.write(found.0);
            places.write_all(found.1.into_iter());
        }
        Ok(())
    })
}

/// Finds the first of sovo_robot_clearances() alone, which takes less time: the least distance and its pair. The
/// bracket is that of this pair. The result is all zero, with the status SOVO_COLLISION_STATUS_NONE, if no pair is
/// within options->max_distance, or if the robot has none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_closest(
    robot: *const sovo_robot,
    positions: *const f64,
    count: usize,
    options: *const sovo_clearance_options,
    clearance: *mut sovo_clearance,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let (robot, configuration, options) =
            unsafe { read_query(robot, positions, count, options) }?;
        let out = Out::new(clearance, "clearance")?;
        let closest = robot.robot.closest(&configuration, &options)?;
        let found = closest.as_ref().map_or(sovo_clearance::NONE, Into::into);
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}

/// Tests whether any two bodies of different links touch or overlap: in_collision is set to 0 if every pair is proven
/// to be free, and to 1 otherwise, also where a pair could not be decided. The test ends at the first pair that is
/// not free and is the fastest of these functions. options->max_distance is ignored. A collision is the answer also
/// where other collision shapes are not checked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_in_collision(
    robot: *const sovo_robot,
    positions: *const f64,
    count: usize,
    options: *const sovo_clearance_options,
    in_collision: *mut i32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let (robot, configuration, options) =
            unsafe { read_query(robot, positions, count, options) }?;
        let out = Out::new(in_collision, "in_collision")?;
        let found = robot.robot.in_collision(&configuration, &options)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(i32::from(found)) };
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_a_pair_name_its_links() {
        let overflow = ClearanceError::Query {
            link_a: "a".to_owned(),
            link_b: "b".to_owned(),
            error: superovoid::QueryError::Overflow,
        };
        let failure = Failure::from(overflow);
        assert_eq!(failure.status(), SOVO_STATUS_ERROR_OVERFLOW);
        assert!(failure.to_string().starts_with("links \"a\" and \"b\": "));
    }
}
