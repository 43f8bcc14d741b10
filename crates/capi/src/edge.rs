//! Edges: the straight line between two configurations of a robot.

use super::clearance::{proven, sovo_clearance};
use super::configuration::{check_count, read_configuration};
use super::memory::{Out, Plain, StridedOut, Versioned, read_sized, size_through};
use super::options::{query_options, sovo_query_options, switch, time_limit, zero};
use super::pair::sovo_contact;
use super::robot::{number, robot_of, sovo_robot};
use super::status::{Failure, guarded, sovo_status};
use superovoid_robot::scene::{BodyId, Counterpart, RobotContact, RobotScene};
use superovoid_robot::{Configuration, EdgeAnswer, EdgeOptions, EdgeStatus};

/// What is proven about an edge.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_edge_status {
    /// Every pair keeps more than min_separation on the whole edge, both ends included.
    SOVO_EDGE_STATUS_FREE = 1,
    /// A pair is proven to touch, or to come to min_separation, at touching.
    SOVO_EDGE_STATUS_HIT = 2,
    /// Neither is proven. Treat it as a hit.
    SOVO_EDGE_STATUS_UNDECIDED = 3,
}
use sovo_edge_status::*;

/// The options of an edge. A field that is zero means the default, and so does a NULL in place of the whole struct.
/// Start from SOVO_EDGE_OPTIONS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sovo_edge_options {
    /// The size, sizeof(sovo_edge_options).
    pub size: usize,
    /// The number of Newton iterations of one start of a pair query. 0: 30.
    pub max_iterations: u32,
    /// 1: the query ends as soon as the edge is known not to be proven free, which is faster. 0: the first contact is
    /// bracketed.
    pub any_contact: u32,
    /// The tolerance of the pair queries, metres. 0: as in sovo_query_options.
    pub tolerance: f64,
    /// The distance, metres, that every pair must keep. 0: no pair may touch.
    pub min_separation: f64,
    /// The motion, metres, below which an interval is not halved again: a pair that is neither proven free nor proven to
    /// touch while none of its points moves farther is undecided. 0: 1e-6.
    pub resolution: f64,
    /// The number of configurations after which the query ends undecided. 0: 10000.
    pub max_states: u32,
    /// Reserved, 0.
    pub reserved: u32,
    /// The time, seconds, after which the query, of one edge or of a batch, ends undecided. 0 and INFINITY: no limit; then
    /// the answer is the same on every machine.
    pub max_time: f64,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_edge_options {}
// SAFETY: The first field is the size.
unsafe impl Versioned for sovo_edge_options {
    const DEFAULT: Self = sovo_edge_options {
        size: 0,
        max_iterations: 0,
        any_contact: 0,
        tolerance: 0.0,
        min_separation: 0.0,
        resolution: 0.0,
        max_states: 0,
        reserved: 0,
        max_time: 0.0,
    };
    const FIRST: usize = size_through!(sovo_edge_options.reserved: u32);
}

/// What is added to the index of an attached body: SOVO_ATTACHED of the header.
const ATTACHED: u32 = 0x8000_0000;

/// The contact of a collision shape of a robot, or of a body that is attached to a link, with another one, or with an
/// obstacle.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_robot_contact {
    /// The contact in the frame of the root link, or in the world for a robot in a scene.
    pub contact: sovo_contact,
    /// The obstacle that is body B, if link_b is UINT32_MAX; otherwise 0.
    pub obstacle: u64,
    /// The link of body A, or the one that carries it.
    pub link_a: u32,
    /// The index of body A among the collision elements of its link, from 0; SOVO_ATTACHED + k if it is the attached body k of
    /// sovo_robot_scene_attached().
    pub collision_a: u32,
    /// The link of body B, or the one that carries it; UINT32_MAX for an obstacle.
    pub link_b: u32,
    /// The index of body B, as that of body A; 0 for an obstacle.
    pub collision_b: u32,
    /// The triangle or box of an obstacle; UINT32_MAX if body B has no parts.
    pub part: u32,
    /// The status, a sovo_collision_status; SOVO_COLLISION_STATUS_NONE if there is no pair.
    pub status: u32,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_robot_contact {}

impl sovo_robot_contact {
    /// The value that is all zero: no pair.
    pub(super) const NONE: Self = sovo_robot_contact {
        contact: sovo_contact::NONE,
        obstacle: 0,
        link_a: 0,
        collision_a: 0,
        link_b: 0,
        collision_b: 0,
        part: 0,
        status: 0,
    };

    pub(super) fn of(scene: &RobotScene, found: &RobotContact) -> Self {
        let attached = |id: BodyId| {
            let mut bodies = (0..).zip(scene.attached());
            let (index, body) = bodies.find(|(_, body)| body.id == id)?;
            Some((number(body.link), ATTACHED | index))
        };
        let (link_a, collision_a) = found
            .attached
            .and_then(attached)
            .unwrap_or((number(found.link), number(found.collision)));
        let obstacle = |id: BodyId| (u32::MAX, 0, id.number());
        let (link_b, collision_b, obstacle) = match found.with {
            Counterpart::Link { link, collision } => (number(link), number(collision), 0),
            Counterpart::Obstacle(id) => obstacle(id),
            Counterpart::Attached(id) => {
                attached(id).map_or_else(|| obstacle(id), |(link, collision)| (link, collision, 0))
            }
        };
        sovo_robot_contact {
            contact: (&found.contact).into(),
            obstacle,
            link_a,
            collision_a,
            link_b,
            collision_b,
            part: found.part.unwrap_or(u32::MAX),
            status: proven(found.status()) as u32,
        }
    }
}

impl From<&sovo_clearance> for sovo_robot_contact {
    fn from(found: &sovo_clearance) -> Self {
        sovo_robot_contact {
            contact: found.contact,
            obstacle: 0,
            link_a: found.link_a,
            collision_a: found.collision_a,
            link_b: found.link_b,
            collision_b: found.collision_b,
            part: u32::MAX,
            status: found.status,
        }
    }
}

/// The answer of an edge. The parameter t runs from 0 at the first configuration to 1 at the second one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_edge {
    /// The pair that touches at touching, or one that is undecided; of an undecided pair it may be missing (status
    /// SOVO_COLLISION_STATUS_NONE).
    pub contact: sovo_robot_contact,
    /// Every configuration with t from 0 to this is proven free; -1 where not even the first one is.
    pub safe: f64,
    /// The least t at which a pair is proven to touch; -1 unless the edge is a hit.
    pub touching: f64,
    /// The share of the edge that is proven free, from 0 to 1. A query that ends early has not looked at all of it.
    pub proven: f64,
    /// The number of configurations at which the robot was posed.
    pub states: u64,
    /// The number of distances that were computed.
    pub distances: u64,
    /// The number of collision shapes of the robot that are not checked. An edge is undecided, not free, if there are
    /// any.
    pub unchecked: u32,
    /// What is proven, a sovo_edge_status; 0 in a struct that is all zero.
    pub status: u32,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_edge {}

impl sovo_edge {
    pub(super) fn of<C>(
        answer: &EdgeAnswer<C>,
        contact_of: impl FnOnce(&C) -> sovo_robot_contact,
    ) -> Self {
        let status = match answer.status {
            EdgeStatus::Free => SOVO_EDGE_STATUS_FREE,
            EdgeStatus::Hit => SOVO_EDGE_STATUS_HIT,
            EdgeStatus::Undecided => SOVO_EDGE_STATUS_UNDECIDED,
        };
        let contact = answer.contact.as_ref();
        sovo_edge {
            contact: contact.map_or(sovo_robot_contact::NONE, contact_of),
            safe: answer.safe.unwrap_or(-1.0),
            touching: answer.touching.unwrap_or(-1.0),
            proven: answer.proven,
            states: answer.states as u64,
            distances: answer.distances as u64,
            unchecked: number(answer.unchecked),
            status: status as u32,
        }
    }
}

/// # Safety
/// The requirements are those of [`read_sized`].
pub(super) unsafe fn read_edge_options(
    pointer: *const sovo_edge_options,
) -> Result<EdgeOptions, Failure> {
    // SAFETY: The caller guarantees it.
    unsafe { read_edge_options_or(pointer, EdgeOptions::default()) }
}

/// Reads the options, with other defaults for the resolution and the states.
///
/// # Safety
/// The requirements are those of [`read_sized`].
pub(super) unsafe fn read_edge_options_or(
    pointer: *const sovo_edge_options,
    default: EdgeOptions,
) -> Result<EdgeOptions, Failure> {
    // SAFETY: The caller guarantees it.
    let options = unsafe { read_sized(pointer, "options") }?;
    let options = options.unwrap_or(sovo_edge_options::DEFAULT);
    zero(options.reserved, "options->reserved")?;
    let any_contact = switch(options.any_contact, "options->any_contact")?;
    Ok(default
        .with_min_separation(options.min_separation)
        .with_resolution(match options.resolution {
            0.0 => default.resolution,
            resolution => resolution,
        })
        .with_first_contact(!any_contact)
        .with_max_time(time_limit(options.max_time)?)
        .with_max_states(match options.max_states {
            0 => default.max_states,
            states => states as usize,
        })
        .with_query(query_options(&sovo_query_options {
            max_iterations: options.max_iterations,
            tolerance: options.tolerance,
            ..sovo_query_options::DEFAULT
        })?))
}

/// Reads both configurations of an edge.
///
/// # Safety
/// The pointers must be as the header demands.
pub(super) unsafe fn read_ends(
    robot: &superovoid_robot::Robot,
    from: *const f64,
    to: *const f64,
    count: usize,
) -> Result<[Configuration; 2], Failure> {
    // SAFETY: The caller guarantees it.
    unsafe {
        Ok([
            read_configuration(robot, (from, "from"), count)?,
            read_configuration(robot, (to, "to"), count)?,
        ])
    }
}

/// Judges the straight line between two configurations, from and to (count numbers each): whether every pair of bodies
/// on different links, adjacent links left out, keeps more than options->min_separation on the whole of it. The answer
/// is a proof, not a sample: an edge that is free has no configuration that touches.
///
/// Every joint moves at a constant rate, from its first position to its second one by the numbers: a continuous joint
/// from 0 to 6 turns by 6 radians, and the shorter way round is that to 6 - 2 pi. A floating joint moves its origin on a
/// straight line and turns the shorter way about a fixed axis. Joints that mimic follow. The proof holds for this motion.
///
/// options: NULL for the defaults. The function allocates memory. Errors of the configurations are those of
/// sovo_robot_link_poses(). SOVO_STATUS_ERROR_OPTION: a length that is negative or not finite, a resolution below 1e-12,
/// a time that is negative or NaN, or an option that sovo_pair_contact() rejects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_edge_free(
    robot: *const sovo_robot,
    from: *const f64,
    to: *const f64,
    count: usize,
    options: *const sovo_edge_options,
    edge: *mut sovo_edge,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let robot = unsafe { robot_of(robot) }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_edge_options(options) }?;
        // SAFETY: As above, the caller guarantees it.
        let [from, to] = unsafe { read_ends(&robot.robot, from, to, count) }?;
        let out = Out::new(edge, "edge")?;
        let answer = robot.robot.edge_free(&from, &to, &options)?;
        let contact = |found: &_| (&sovo_clearance::from(found)).into();
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(sovo_edge::of(&answer, contact)) };
        Ok(())
    })
}

/// Writes, for every velocity of a configuration, the largest distance (metres) that a point of a body moves relative to
/// any other link while the configuration moves by one unit along it: metres per radian, or 1 for a slide. It holds in
/// every configuration within the limits; it is infinite for turns with a planar or floating joint between them and a
/// body. Where the clearance is d, every configuration is free that differs by less than d in the sum of these products.
///
/// count: the velocity_count of the robot. SOVO_STATUS_ERROR_SIZE: another count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_reaches(
    robot: *const sovo_robot,
    reaches: *mut f64,
    count: usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let robot = unsafe { robot_of(robot) }?;
        check_count("count", count, robot.robot.velocity_count())?;
        let places = StridedOut::new(reaches, count, size_of::<f64>(), "reaches")?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(robot.robot.reaches().into_iter()) };
        Ok(())
    })
}
