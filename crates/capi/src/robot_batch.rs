//! Many configurations of a robot among obstacles.

use super::configuration::{Rows, check_count, read_configuration};
use super::edge::{read_edge_options, sovo_edge, sovo_edge_options, sovo_robot_contact};
use super::memory::{Out, Plain, Strided, StridedOut, room_for};
use super::options::{read_scene_options, sovo_query_options};
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
        let (scene, states, options) = unsafe {
            read_batch(
                scene,
                Rows::dense(positions, count, configurations),
                options,
            )
        }?;
        let places = StridedOut::new(in_collision, states.len(), size_of::<i32>(), "in_collision")?;
        let found = scene.in_collision_batch(states, &options, workers(threads))?;
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
        let (scene, states, options) = unsafe {
            read_batch(
                scene,
                Rows::dense(positions, count, configurations),
                options,
            )
        }?;
        let size = size_of::<sovo_robot_contact>();
        let places = StridedOut::new(contacts, states.len(), size, "contacts")?;
        let found = scene.closest_batch(states, &options, workers(threads))?;
        let contact = |found: &Option<_>| {
            let found = found.as_ref();
            found.map_or(sovo_robot_contact::NONE, |found| {
                sovo_robot_contact::of(scene, found)
            })
        };
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
        let (scene, states, options) = unsafe {
            read_batch(
                scene,
                Rows::dense(positions, count, configurations),
                options,
            )
        }?;
        let places = StridedOut::new(clearances, states.len(), size_of::<f64>(), "clearances")?;
        let found = scene.clearance_batch(states, &options, workers(threads))?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(found.into_iter()) };
        Ok(())
    })
}

/// Finds a configuration among many that is in collision, for instance of the states along a path: found is set to its
/// index, and to SIZE_MAX if every one is proven to be free, which says nothing about those between them
/// (sovo_robot_scene_edge_free() judges these). The ends and the middle are tested first, then the quarters and so on, eight
/// at a time, and the function ends with the first eight that have a collision. positions: configurations of count
/// numbers each, radians and metres; stride: the bytes from one configuration to the next, count * sizeof(double) if
/// nothing is between them. options->max_distance is ignored.
///
/// SOVO_STATUS_ERROR_SIZE: a count that is not the position_count of the robot, or a stride with which configurations
/// would overlap. SOVO_STATUS_ERROR_CONFIGURATION: a position that is not finite or outside its limits; the text names the
/// configuration and the joint. SOVO_STATUS_ERROR_UNCHECKED: see sovo_robot_scene_set_allow_unchecked().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_find_collision(
    scene: *mut sovo_robot_scene,
    positions: *const f64,
    stride: usize,
    count: usize,
    configurations: usize,
    options: *const sovo_query_options,
    found: *mut usize,
) -> sovo_status {
    guarded(|| {
        let rows = Rows {
            first: positions,
            stride,
            count,
            rows: configurations,
        };
        // SAFETY: As above, the caller guarantees it.
        let (scene, states, options) = unsafe { read_batch(scene, rows, options) }?;
        let out = Out::new(found, "found")?;
        let index = scene.find_collision(states, &options)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(index.unwrap_or(usize::MAX)) };
        Ok(())
    })
}

/// Finds a state that is in collision among those at k / states of the straight line between two configurations, k from 1 to
/// states; from itself is not among them. found is set to k, and to SIZE_MAX if every one is proven to be free. The joints move
/// as in sovo_robot_edge_free(). Otherwise it is like sovo_robot_scene_find_collision(), but no configurations are made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_find_collision_between(
    scene: *mut sovo_robot_scene,
    from: *const f64,
    to: *const f64,
    count: usize,
    states: usize,
    options: *const sovo_query_options,
    found: *mut usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_scene_options(options) }?;
        let (scene, kept) = (&mut scene.scene, &mut scene.states);
        // SAFETY: As above, the caller guarantees it.
        let [from, to] = unsafe { kept.ends(scene.robot(), from, to, count) }?;
        let out = Out::new(found, "found")?;
        let index = scene.find_collision_between(from, to, states, &options)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(index.unwrap_or(usize::MAX)) };
        Ok(())
    })
}

/// How many configurations each step of sovo_robot_scene_in_collision_batch(), sovo_robot_scene_find_collision() and
/// sovo_robot_scene_find_collision_between() has decided: each counts for the most expensive step that was asked in the block
/// that decided it. Where batches are answered one by one, because there are very many obstacles, they count none.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct sovo_step_counts {
    /// Balls around and inside the bodies, and boxes.
    pub bounds: u64,
    /// Directions that separate the bodies, eight configurations at once.
    pub directions: u64,
    /// Distances of the hulls of the bodies.
    pub hulls: u64,
    /// Directions and hulls of pieces of meshes.
    pub pieces: u64,
    /// Contacts of the bodies as they are.
    pub contacts: u64,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_step_counts {}

/// Writes how many configurations each step has decided since the scene was made or copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_step_counts(
    scene: *mut sovo_robot_scene,
    counts: *mut sovo_step_counts,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let scene = unsafe { used(scene) }?;
        let out = Out::new(counts, "counts")?;
        let found = scene.scene.step_counts();
        // SAFETY: As above, the caller guarantees it.
        unsafe {
            out.write(sovo_step_counts {
                bounds: found.bounds,
                directions: found.directions,
                hulls: found.hulls,
                pieces: found.pieces,
                contacts: found.contacts,
            });
        }
        Ok(())
    })
}

/// Judges many edges as sovo_robot_scene_edge_free() judges one, each to the last bit. from and to: the ends of the edge_count
/// edges, count numbers each, one after the other; edges: one for each. options->max_time is that of the whole batch: where it
/// ends, the edges that are left are undecided, at 0 states. threads: 0 and 1 for the calling thread alone. Nothing is
/// written if there is an error; its text names the edge whose positions are wrong. The function allocates memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_edge_free_batch(
    scene: *mut sovo_robot_scene,
    from: *const f64,
    to: *const f64,
    count: usize,
    edge_count: usize,
    options: *const sovo_edge_options,
    threads: u32,
    edges: *mut sovo_edge,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = &mut unsafe { used(scene) }?.scene;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_edge_options(options) }?;
        let robot = scene.robot();
        check_count("count", count, robot.position_count())?;
        let stride = count * size_of::<f64>();
        let from = Strided::new(from, edge_count, stride, "from")?;
        let to = Strided::new(to, edge_count, stride, "to")?;
        let places = StridedOut::new(edges, edge_count, size_of::<sovo_edge>(), "edges")?;
        // Answers, and both configurations.
        room_for(edge_count, 2 * stride + 1024)?;
        let mut ends = Vec::with_capacity(edge_count);
        for k in 0..edge_count {
            let end = |of: &Strided<f64>, name| {
                // SAFETY: As above, the caller guarantees it.
                let read = unsafe { read_configuration(robot, (of.place(k), name), count) };
                read.map_err(|error| {
                    Failure::At(name, Box::new(Failure::Element(k, Box::new(error))))
                })
            };
            ends.push([end(&from, "from")?, end(&to, "to")?]);
        }
        let answers = scene.edge_free_batch(&ends, &options, workers(threads))?;
        let edge = |answer| sovo_edge::of(answer, |found| sovo_robot_contact::of(scene, found));
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(answers.iter().map(edge)) };
        Ok(())
    })
}

/// Returns the number of threads, at most as many as the machine runs at once.
fn workers(threads: u32) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (threads.max(1) as usize).min(cores)
}

/// What many configurations are asked.
type Asked<'a> = (&'a mut RobotScene, &'a [Configuration], SceneOptions);

/// # Safety
/// The pointers must be as the header demands.
unsafe fn read_batch<'a>(
    scene: *mut sovo_robot_scene,
    rows: Rows,
    options: *const sovo_query_options,
) -> Result<Asked<'a>, Failure> {
    // SAFETY: The caller guarantees it.
    unsafe {
        let sovo_robot_scene { scene, states, .. } = used(scene)?;
        let options = read_scene_options(options)?;
        let states = states.all(scene.robot(), rows)?;
        Ok((scene, states, options))
    }
}
