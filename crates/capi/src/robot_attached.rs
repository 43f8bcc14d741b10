//! Objects that are attached to the links of a robot among obstacles.

use super::body::sovo_body;
use super::configuration::read_configuration;
use super::memory::{Out, Plain};
use super::pose::{read_pose, sovo_pose};
use super::robot::{number, part, read_text, read_texts, text};
use super::robot_scene::{sovo_robot_scene, used};
use super::scene::read_obstacle;
use super::status::{Failure, guarded, sovo_status};
use std::ffi::c_char;

/// A body that is attached to a link.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_attached_body {
    /// Its number: that of sovo_robot_scene_attach(), or the one that it had as an obstacle.
    pub body: u64,
    /// The name of the object, which may have several bodies. The text belongs to the scene until the object is detached.
    pub name: *const c_char,
    /// The link that carries it.
    pub link: u32,
    /// Reserved, 0.
    pub reserved: u32,
    /// The pose in the frame of the link.
    pub pose: sovo_pose,
}

// SAFETY: The struct consists of numbers and a pointer, for which any bits are valid.
unsafe impl Plain for sovo_attached_body {}

/// Attaches a body to a link, such as what a gripper holds, at a pose in the frame of the link: it moves with it in all
/// queries. It is compared with all obstacles, links and attached objects, but for its link, what else is attached to that,
/// and its touch links: touch_links are the names of count links or attached objects, NULL if there are none.
/// sovo_robot_scene_allow() sets other pairs. The kinds are those of sovo_robot_scene_add_obstacle() that have bounds; an
/// object of several bodies is added as an obstacle first, and then attached with sovo_robot_scene_attach_obstacle().
/// attached: NULL, or set to its number.
///
/// In contacts collision_a or collision_b of a sovo_robot_contact say that a body is an attached one.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: a name that a link, an obstacle or an attached object has, or an unknown link or touch
/// link. SOVO_STATUS_ERROR_UNSUPPORTED: a half-space, or a kind that a scene does not take.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_attach(
    scene: *mut sovo_robot_scene,
    name: *const c_char,
    link: *const c_char,
    body: *const sovo_body,
    pose: *const sovo_pose,
    touch_links: *const *const c_char,
    count: usize,
    attached: *mut u64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let (name, link) = unsafe { (read_text(name, "name")?, read_text(link, "link")?) };
        // SAFETY: As above, the caller guarantees it.
        let (shape, pose) = unsafe { (read_obstacle(body)?, read_pose(pose, "pose")?) };
        // SAFETY: As above, the caller guarantees it.
        let touching = unsafe { read_texts(touch_links, count, "touch_links") }?;
        let id = scene.scene.attach(name, link, shape, pose, &touching)?;
        scene.attached_names.push(text(name));
        if let Ok(out) = Out::new(attached, "attached") {
            // SAFETY: As above, the caller guarantees it.
            unsafe { out.write(id.number()) };
        }
        Ok(())
    })
}

/// Attaches all obstacles of a name to a link, as sovo_robot_scene_attach() does, at the poses relative to the link that
/// they have in a configuration (position_count numbers). Their numbers stay.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: a name that no obstacle has, an unknown link or touch link, or a wrong position.
/// SOVO_STATUS_ERROR_UNSUPPORTED: a half-space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_attach_obstacle(
    scene: *mut sovo_robot_scene,
    name: *const c_char,
    link: *const c_char,
    touch_links: *const *const c_char,
    count: usize,
    positions: *const f64,
    position_count: usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let (name, link) = unsafe { (read_text(name, "name")?, read_text(link, "link")?) };
        // SAFETY: As above, the caller guarantees it.
        let touching = unsafe { read_texts(touch_links, count, "touch_links") }?;
        let robot = scene.scene.robot();
        // SAFETY: As above, the caller guarantees it.
        let at = unsafe { read_configuration(robot, (positions, "positions"), position_count) }?;
        scene.scene.attach_obstacle(name, link, &touching, &at)?;
        let bodies = scene.scene.attached().count();
        scene.attached_names.resize(bodies, text(name));
        Ok(())
    })
}

/// Detaches an object. With a configuration (count numbers) its bodies are obstacles from then on, where they are in it,
/// with the same numbers; with NULL for positions they are removed. Its touch links and its padding end. The bodies that
/// were attached after it have other indices from then on.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: a name that no attached object has, or a wrong position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_detach(
    scene: *mut sovo_robot_scene,
    name: *const c_char,
    positions: *const f64,
    count: usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let name = unsafe { read_text(name, "name") }?;
        let left_at = if positions.is_null() {
            None
        } else {
            let robot = scene.scene.robot();
            // SAFETY: As above, the caller guarantees it.
            Some(unsafe { read_configuration(robot, (positions, "positions"), count) }?)
        };
        scene.scene.detach(name, left_at.as_ref())?;
        let gone = text(name);
        scene.attached_names.retain(|known| *known != gone);
        Ok(())
    })
}

/// Writes the number of attached bodies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_attached_count(
    scene: *const sovo_robot_scene,
    count: *mut u32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { scene.as_ref() }.ok_or(Failure::Null("scene"))?;
        let out = Out::new(count, "count")?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(number(scene.attached_names.len())) };
        Ok(())
    })
}

/// Writes the attached body of an index; they are numbered from 0, those that were attached first first.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: an index that is not below the number of attached bodies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_attached(
    scene: *const sovo_robot_scene,
    index: u32,
    attached: *mut sovo_attached_body,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { scene.as_ref() }.ok_or(Failure::Null("scene"))?;
        let out = Out::new(attached, "attached")?;
        let bodies: Vec<_> = scene.scene.attached().collect();
        let body = part(&bodies, index, "attached body")?;
        let name = part(&scene.attached_names, index, "attached body")?;
        let found = sovo_attached_body {
            body: body.id.number(),
            name: name.as_ptr(),
            link: number(body.link),
            reserved: 0,
            pose: sovo_pose::of(&body.pose),
        };
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}
