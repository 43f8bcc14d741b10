//! Many configurations of a robot among obstacles.

use super::configuration::{check_count, read_configuration};
use super::edge::sovo_robot_contact;
use super::memory::{StridedOut, room_for, with_capacity};
use super::options::{read_query_options, sovo_query_options};
use super::robot_scene::{sovo_robot_scene, used};
use super::status::{Failure, guarded, sovo_status};
use superovoid_robot::Configuration;
use superovoid_robot::scene::{RobotScene, SceneOptions};

/// Tests many configurations as sovo_robot_scene_in_collision() tests one, eight at a time, which is several times
/// faster. positions: one configuration of count numbers after the other, configurations of them. threads: 0 and 1 for
/// the calling thread alone; the answers are the same on any number of threads. in_collision: one number for each
/// configuration, 0 or 1. Nothing is written if there is an error; its text names the configuration whose positions are
/// wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_in_collision_batch(
    scene: *mut sovo_robot_scene,
    positions: *const f64,
    count: usize,
    configurations: usize,
    options: *const sovo_query_options,
    threads: u32,
    in_collision: *mut i32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let (states, options) =
            unsafe { read_batch(scene, positions, count, configurations, options) }?;
        let places = StridedOut::new(in_collision, states.len(), size_of::<i32>(), "in_collision")?;
        let found = scene.in_collision_batch(&states, &options, workers(threads))?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(found.into_iter().map(i32::from)) };
        Ok(())
    })
}

/// Finds the closest pair of many configurations as sovo_robot_scene_closest() finds that of one. contacts: one for each
/// configuration. Otherwise it is like sovo_robot_scene_in_collision_batch().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_closest_batch(
    scene: *mut sovo_robot_scene,
    positions: *const f64,
    count: usize,
    configurations: usize,
    options: *const sovo_query_options,
    threads: u32,
    contacts: *mut sovo_robot_contact,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let (states, options) =
            unsafe { read_batch(scene, positions, count, configurations, options) }?;
        let size = size_of::<sovo_robot_contact>();
        let places = StridedOut::new(contacts, states.len(), size, "contacts")?;
        let found = scene.closest_batch(&states, &options, workers(threads))?;
        let contact =
            |found: &Option<_>| found.as_ref().map_or(sovo_robot_contact::NONE, Into::into);
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(found.iter().map(contact)) };
        Ok(())
    })
}

/// Finds the clearance of many configurations, metres: the distance of the closest pair, or max_distance if that is
/// farther apart, and 0 for a configuration that is in collision. Every pair is proven to be that far apart. A
/// configuration ends with its first overlap, whose depth is not sought. clearances: one number for each configuration.
/// Otherwise it is like sovo_robot_scene_in_collision_batch().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_clearance_batch(
    scene: *mut sovo_robot_scene,
    positions: *const f64,
    count: usize,
    configurations: usize,
    options: *const sovo_query_options,
    threads: u32,
    clearances: *mut f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let (states, options) =
            unsafe { read_batch(scene, positions, count, configurations, options) }?;
        let places = StridedOut::new(clearances, states.len(), size_of::<f64>(), "clearances")?;
        let found = scene.clearance_batch(&states, &options, workers(threads))?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(found.into_iter()) };
        Ok(())
    })
}

/// Returns the number of threads, at most as many as the machine runs at once.
fn workers(threads: u32) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (threads.max(1) as usize).min(cores)
}

/// # Safety
/// The pointers must be as the header demands.
unsafe fn read_batch(
    scene: &RobotScene,
    positions: *const f64,
    count: usize,
    configurations: usize,
    options: *const sovo_query_options,
) -> Result<(Vec<Configuration>, SceneOptions), Failure> {
    // SAFETY: The caller guarantees it, here and below.
    let query = unsafe { read_query_options(options) }?;
    if positions.is_null() && configurations > 0 && count > 0 {
        return Err(Failure::Null("positions"));
    }
    check_count("count", count, scene.robot().position_count())?;
    // The queries themselves take some hundred bytes for each configuration.
    room_for(configurations, 256 + count.saturating_mul(size_of::<f64>()))?;
    let mut states = with_capacity(configurations)?;
    for k in 0..configurations {
        let first = positions.wrapping_add(k.saturating_mul(count));
        // SAFETY: As above, the caller guarantees it.
        let state = unsafe { read_configuration(scene.robot(), (first, "positions"), count) };
        states.push(state.map_err(|error| Failure::Element(k, Box::new(error)))?);
    }
    let max_distance = query.max_distance;
    Ok((
        states,
        SceneOptions::default()
            .with_max_distance(max_distance)
            .with_query(query),
    ))
}
