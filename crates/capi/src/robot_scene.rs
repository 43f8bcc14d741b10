//! A robot among obstacles.

use super::body::sovo_body;
use super::configuration::States;
use super::edge::{read_edge_options, sovo_edge, sovo_edge_options, sovo_robot_contact};
use super::memory::{Out, StridedOut, free};
use super::options::{read_scene_options, sovo_query_options};
use super::pose::{read_pose, sovo_pose};
use super::robot::{number, part, read_bytes, read_text, robot_of, sovo_robot, texts};
use super::scene::{numbered, read_obstacle};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use std::ffi::{CString, c_char};
use superovoid_robot::scene::{BodyId, RobotScene, RobotSceneError, SceneOptions};
use superovoid_robot::{Configuration, Srdf};

/// A robot among obstacles. Its collision shapes are compared with those of other links, except adjacent links and
/// pairs that are allowed to collide, and with every obstacle; obstacles are not compared with each other. The root link
/// is at the origin of the world until sovo_robot_scene_set_base() moves it.
///
/// Like a sovo_scene it changes, by queries too: no two threads may use one at the same time. Each thread takes a copy,
/// from sovo_robot_scene_copy(). Queries take the numbers of configurations in the order of sovo_robot_joint(), so that no
/// name is looked up, and they take no lock.
#[derive(Clone)]
pub struct sovo_robot_scene {
    pub(super) scene: RobotScene,
    /// The configurations of the last query, whose memory the next one uses.
    pub(super) states: States,
    /// The warnings of the SRDF that was applied last.
    warnings: Vec<CString>,
    /// The names of the objects of the attached bodies, in their order.
    pub(super) attached_names: Vec<CString>,
}

impl From<RobotSceneError> for Failure {
    fn from(error: RobotSceneError) -> Self {
        match error {
            RobotSceneError::Configuration(error) => error.into(),
            RobotSceneError::Scene(error) => error.into(),
            RobotSceneError::Spline(error) => error.into(),
            RobotSceneError::Edge(error) => {
                Failure::other(SOVO_STATUS_ERROR_OPTION, error.to_string())
            }
            RobotSceneError::Unchecked(error) => {
                Failure::other(SOVO_STATUS_ERROR_UNCHECKED, error.to_string())
            }
            RobotSceneError::Padding { .. } | RobotSceneError::Scale { .. } => {
                Failure::other(SOVO_STATUS_ERROR_OPTION, error.to_string())
            }
            RobotSceneError::Unattachable { .. } => {
                Failure::other(SOVO_STATUS_ERROR_UNSUPPORTED, error.to_string())
            }
            _ => Failure::other(SOVO_STATUS_ERROR_CONFIGURATION, error.to_string()),
        }
    }
}

/// Makes the scene of a robot without obstacles, which must be freed with sovo_robot_scene_free(). The robot may be
/// freed at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_new(
    robot: *const sovo_robot,
    scene: *mut *mut sovo_robot_scene,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let robot = unsafe { robot_of(robot) }?;
        let out = Out::new(scene, "scene")?;
        let made = sovo_robot_scene {
            scene: RobotScene::new(robot.robot.clone())?,
            states: States::default(),
            warnings: Vec::new(),
            attached_names: Vec::new(),
        };
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(Box::into_raw(Box::new(made))) };
        Ok(())
    })
}

/// Makes a copy of a scene, with the same numbers of its bodies, for another thread or for changes that are tried: shapes,
/// names and the hierarchy of obstacles are shared until one of the two changes them. It must be freed with
/// sovo_robot_scene_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_copy(
    scene: *const sovo_robot_scene,
    copy: *mut *mut sovo_robot_scene,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { scene.as_ref() }.ok_or(Failure::Null("scene"))?;
        let out = Out::new(copy, "copy")?;
        let made = scene.clone();
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(Box::into_raw(Box::new(made))) };
        Ok(())
    })
}

/// Frees a scene; NULL is allowed. Hulls, meshes, sets of boxes and height fields that were added remain valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_free(scene: *mut sovo_robot_scene) {
    // SAFETY: As above, the caller guarantees it.
    unsafe { free(scene) }
}

/// Adds a body as an obstacle, to the group of a name, which may hold others. The kinds are those of sovo_scene_add(), and
/// so is what is shared. obstacle: set to its number, which is never used again in this scene.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: the name of a link or an attached object. SOVO_STATUS_ERROR_UNSUPPORTED: a kind that a scene does not take.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_add_obstacle(
    scene: *mut sovo_robot_scene,
    group: *const c_char,
    body: *const sovo_body,
    pose: *const sovo_pose,
    obstacle: *mut u64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it, here and below.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let group = unsafe { read_text(group, "group") }?;
        // SAFETY: As above, the caller guarantees it.
        let shape = unsafe { read_obstacle(body) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        let out = Out::new(obstacle, "obstacle")?;
        let id = scene.scene.add_obstacle(group, shape, pose)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(id.number()) };
        Ok(())
    })
}

/// Moves an obstacle.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: a number that belongs to no obstacle, or to a removed one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_move_obstacle(
    scene: *mut sovo_robot_scene,
    obstacle: u64,
    pose: *const sovo_pose,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        let moved = scene
            .scene
            .move_obstacle(BodyId::from_number(obstacle), pose);
        moved.map_err(|error| numbered("obstacle", obstacle, error.into()))
    })
}

/// Removes an obstacle; its number is invalid from then on. The errors are those of sovo_robot_scene_move_obstacle().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_remove_obstacle(
    scene: *mut sovo_robot_scene,
    obstacle: u64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        let removed = scene.scene.remove_obstacle(BodyId::from_number(obstacle));
        removed.map_err(|error| numbered("obstacle", obstacle, error.into()))
    })
}

/// Sets the pose of the root link in the world, with which the whole robot moves; obstacles stay where they are. It is
/// the identity at first.
///
/// SOVO_STATUS_ERROR_POSE: a pose that is not finite, or whose quaternion is not of length 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_set_base(
    scene: *mut sovo_robot_scene,
    pose: *const sovo_pose,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        Ok(scene.scene.set_base(pose)?)
    })
}

/// Writes the pose of the root link in the world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_base(
    scene: *const sovo_robot_scene,
    pose: *mut sovo_pose,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { scene.as_ref() }.ok_or(Failure::Null("scene"))?;
        let out = Out::new(pose, "pose")?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(sovo_pose::of(&scene.scene.base())) };
        Ok(())
    })
}

/// Applies the collision settings of an SRDF document, MoveIt's semantic description of a robot: its text is length bytes
/// of UTF-8, which need not end with a zero. Pairs of links that it disables are not compared from then on, in addition to
/// adjacent links. An element with a link that the robot does not have is without effect. warning_count: NULL, or set to
/// the number of warnings about such elements, and about the name of another robot, for sovo_robot_scene_warning().
///
/// SOVO_STATUS_ERROR_TEXT: a text that is not UTF-8. SOVO_STATUS_ERROR_URDF: a text that is no SRDF; the text of the error
/// gives line, column and what was expected there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_apply_srdf(
    scene: *mut sovo_robot_scene,
    text: *const c_char,
    length: usize,
    warning_count: *mut u32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let srdf = Srdf::from_srdf_str(unsafe { read_bytes(text, length) }?)?;
        let warnings = scene.scene.apply_srdf(&srdf);
        scene.warnings = texts(warnings.iter());
        if let Ok(out) = Out::new(warning_count, "warning_count") {
            // SAFETY: As above, the caller guarantees it.
            unsafe { out.write(number(scene.warnings.len())) };
        }
        Ok(())
    })
}

/// Writes a warning of the SRDF that was applied last, with its line and column. The text belongs to the scene until
/// another SRDF is applied to it or it is freed.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: an index that is not below the number of warnings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_warning(
    scene: *const sovo_robot_scene,
    index: u32,
    warning: *mut *const c_char,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { scene.as_ref() }.ok_or(Failure::Null("scene"))?;
        let out = Out::new(warning, "warning")?;
        let found = part(&scene.warnings, index, "warning")?.as_ptr();
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}

/// Sets whether answers may leave out the collision shapes of sovo_robot_unchecked(): with allow_unchecked other than 0 they
/// may, with 0, the default, a query on a robot that has one ends with SOVO_STATUS_ERROR_UNCHECKED. An edge is never
/// free with them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_set_allow_unchecked(
    scene: *mut sovo_robot_scene,
    allow_unchecked: i32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        unsafe { used(scene) }?
            .scene
            .set_allow_unchecked(allow_unchecked != 0);
        Ok(())
    })
}

/// Sets whether two may collide, by the names of links, attached objects or groups of obstacles: with allowed other than 0
/// they are not compared, with 0 they are, also if they are adjacent links, or an object and one of its touch links.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: a name that nothing in the scene has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_allow(
    scene: *mut sovo_robot_scene,
    a: *const c_char,
    b: *const c_char,
    allowed: i32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let (a, b) = unsafe { (read_text(a, "a")?, read_text(b, "b")?) };
        let found = if allowed != 0 {
            scene.scene.allow(a, b)
        } else {
            scene.scene.forbid(a, b)
        };
        if found {
            return Ok(());
        }
        Err(scene.unknown([a, b]))
    })
}

/// Tests whether any pair that is compared touches or overlaps in a configuration (count numbers): in_collision is set to
/// 0 if every pair is proven to be free, and to 1 otherwise, also where a pair could not be decided.
/// options->max_distance is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_in_collision(
    scene: *mut sovo_robot_scene,
    positions: *const f64,
    count: usize,
    options: *const sovo_query_options,
    in_collision: *mut i32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let (scene, configuration, options) =
            unsafe { read_query(scene, positions, count, options) }?;
        let out = Out::new(in_collision, "in_collision")?;
        let found = scene.in_collision(configuration, &options)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(i32::from(found)) };
        Ok(())
    })
}

/// Finds the least distance of all pairs that are compared, and its pair. The result is all zero, with the status
/// SOVO_COLLISION_STATUS_NONE, if no pair is within options->max_distance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_closest(
    scene: *mut sovo_robot_scene,
    positions: *const f64,
    count: usize,
    options: *const sovo_query_options,
    contact: *mut sovo_robot_contact,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let (scene, configuration, options) =
            unsafe { read_query(scene, positions, count, options) }?;
        let out = Out::new(contact, "contact")?;
        let found = scene.closest(configuration, &options)?;
        let found = found.as_ref().map_or(sovo_robot_contact::NONE, |found| {
            sovo_robot_contact::of(scene, found)
        });
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}

/// Finds every pair that is compared and not proven to be farther apart than options->max_distance, closest or deepest
/// first. The function writes as many as capacity allows, the closest ones, and sets total to their number; contacts may be
/// NULL if capacity is 0. It allocates memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_contacts(
    scene: *mut sovo_robot_scene,
    positions: *const f64,
    count: usize,
    options: *const sovo_query_options,
    contacts: *mut sovo_robot_contact,
    capacity: usize,
    total: *mut usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let (scene, configuration, options) =
            unsafe { read_query(scene, positions, count, options) }?;
        let stride = size_of::<sovo_robot_contact>();
        let places = StridedOut::new(contacts, capacity, stride, "contacts")?;
        let out = Out::new(total, "total")?;
        let found = scene.contacts(configuration, &options)?;
        let written = found.iter().take(capacity);
        let written = written.map(|found| sovo_robot_contact::of(scene, found));
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(written) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found.len()) };
        Ok(())
    })
}

/// Judges the straight line between two configurations as sovo_robot_edge_free() does, for all pairs that the scene
/// compares.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_edge_free(
    scene: *mut sovo_robot_scene,
    from: *const f64,
    to: *const f64,
    count: usize,
    options: *const sovo_edge_options,
    edge: *mut sovo_edge,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let sovo_robot_scene { scene, states, .. } = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_edge_options(options) }?;
        // SAFETY: As above, the caller guarantees it.
        let [from, to] = unsafe { states.ends(scene.robot(), from, to, count) }?;
        let out = Out::new(edge, "edge")?;
        let answer = scene.edge_free(from, to, &options)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe {
            out.write(sovo_edge::of(&answer, |found| {
                sovo_robot_contact::of(scene, found)
            }))
        };
        Ok(())
    })
}

/// # Safety
/// The handle must be NULL, or a scene that nothing else uses at the same time.
pub(super) unsafe fn used<'a>(
    scene: *mut sovo_robot_scene,
) -> Result<&'a mut sovo_robot_scene, Failure> {
    // SAFETY: The caller guarantees it.
    unsafe { scene.as_mut() }.ok_or(Failure::Null("scene"))
}

/// What a query is asked.
type Asked<'a> = (&'a mut RobotScene, &'a Configuration, SceneOptions);

/// # Safety
/// The pointers must be as the header demands.
unsafe fn read_query<'a>(
    scene: *mut sovo_robot_scene,
    positions: *const f64,
    count: usize,
    options: *const sovo_query_options,
) -> Result<Asked<'a>, Failure> {
    // SAFETY: The caller guarantees it.
    unsafe {
        let sovo_robot_scene { scene, states, .. } = used(scene)?;
        let options = read_scene_options(options)?;
        let configuration = states.one(scene.robot(), (positions, "positions"), count)?;
        Ok((scene, configuration, options))
    }
}
