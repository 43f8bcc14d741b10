//! Paddings and scales of the links of a robot among obstacles, and what may collide.

use super::memory::Out;
use super::robot::read_text;
use super::robot_scene::{sovo_robot_scene, used};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use std::ffi::c_char;

/// Pads a link or an attached object: its bodies are taken to be larger by so many metres on all sides, round at corners
/// and edges. All its pairs count it: their distance is less by the paddings of both, they collide where it is at most 0, the
/// witnesses are on the padded surfaces, and an edge keeps its minimum separation from there. 0 ends it. An attached object
/// has its own padding, and not that of its link.
///
/// SOVO_STATUS_ERROR_OPTION: a padding that is negative or not finite. SOVO_STATUS_ERROR_CONFIGURATION: a name that no link
/// and no attached object has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_set_padding(
    scene: *mut sovo_robot_scene,
    name: *const c_char,
    metres: f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let name = unsafe { read_text(name, "name") }?;
        Ok(scene.scene.set_padding(name, metres)?)
    })
}

/// Writes the padding of a link or an attached object, metres.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: a name that nothing in the scene has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_padding(
    scene: *const sovo_robot_scene,
    name: *const c_char,
    metres: *mut f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { scene.as_ref() }.ok_or(Failure::Null("scene"))?;
        // SAFETY: As above, the caller guarantees it.
        let name = unsafe { read_text(name, "name") }?;
        let out = Out::new(metres, "metres")?;
        let found = scene
            .scene
            .padding(name)
            .ok_or_else(|| scene.unknown([name]));
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found?) };
        Ok(())
    })
}

/// Pads a pair in addition to the paddings of both: two links or attached objects, or one of them and an obstacle. The
/// witnesses move by half of it each. 0 ends it.
///
/// SOVO_STATUS_ERROR_OPTION: a padding that is negative or not finite. SOVO_STATUS_ERROR_CONFIGURATION: a name that nothing
/// in the scene has, or two obstacles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_set_pair_padding(
    scene: *mut sovo_robot_scene,
    a: *const c_char,
    b: *const c_char,
    metres: f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let (a, b) = unsafe { (read_text(a, "a")?, read_text(b, "b")?) };
        Ok(scene.scene.set_pair_padding(a, b, metres)?)
    })
}

/// Writes the padding of a pair in addition to the paddings of both, metres.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: a name that nothing in the scene has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_pair_padding(
    scene: *const sovo_robot_scene,
    a: *const c_char,
    b: *const c_char,
    metres: *mut f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { scene.as_ref() }.ok_or(Failure::Null("scene"))?;
        // SAFETY: As above, the caller guarantees it.
        let (a, b) = unsafe { (read_text(a, "a")?, read_text(b, "b")?) };
        let out = Out::new(metres, "metres")?;
        let found = scene.scene.pair_padding(a, b);
        let found = found.ok_or_else(|| scene.unknown([a, b]));
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found?) };
        Ok(())
    })
}

/// Multiplies the collision shapes of a link by a factor, each about the origin of its own frame; 1 are the shapes of the
/// robot again. Objects that are attached to the link are not scaled.
///
/// SOVO_STATUS_ERROR_OPTION: a factor that is not finite or not above 0, or that leaves no valid shape.
/// SOVO_STATUS_ERROR_CONFIGURATION: an unknown link.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_set_scale(
    scene: *mut sovo_robot_scene,
    link: *const c_char,
    factor: f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let link = unsafe { read_text(link, "link") }?;
        Ok(scene.scene.set_scale(link, factor)?)
    })
}

/// Tells whether two may collide, by the names of links, attached objects or groups of obstacles: allowed is set to 1 if they
/// are not compared, otherwise to 0. Obstacles are never compared with each other, whatever is allowed.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: a name that nothing in the scene has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_is_allowed(
    scene: *const sovo_robot_scene,
    a: *const c_char,
    b: *const c_char,
    allowed: *mut i32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { scene.as_ref() }.ok_or(Failure::Null("scene"))?;
        // SAFETY: As above, the caller guarantees it.
        let (a, b) = unsafe { (read_text(a, "a")?, read_text(b, "b")?) };
        let out = Out::new(allowed, "allowed")?;
        let found = scene.scene.is_allowed(a, b);
        let found = found.ok_or_else(|| scene.unknown([a, b]));
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(i32::from(found?)) };
        Ok(())
    })
}

/// Sets whether a link, an attached object or a group of obstacles may collide in pairs for which nothing else is set:
/// allowed is 1 (such pairs are not compared), 0 (they are), or -1, the initial value, for no default.
///
/// SOVO_STATUS_ERROR_OPTION: another number. SOVO_STATUS_ERROR_CONFIGURATION: a name that nothing in the scene has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_robot_scene_set_default(
    scene: *mut sovo_robot_scene,
    name: *const c_char,
    allowed: i32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let name = unsafe { read_text(name, "name") }?;
        let default = match allowed {
            -1 => None,
            0 | 1 => Some(allowed == 1),
            _ => {
                let problem = format!("allowed = {allowed}: it must be -1, 0 or 1");
                return Err(Failure::other(SOVO_STATUS_ERROR_OPTION, problem));
            }
        };
        let known = scene.scene.set_default(name, default);
        known.then_some(()).ok_or_else(|| scene.unknown([name]))
    })
}

impl sovo_robot_scene {
    /// Returns the error of names of which one is that of nothing.
    pub(super) fn unknown<const N: usize>(&self, names: [&str; N]) -> Failure {
        let is_known = |name: &&&str| self.scene.scene().find_group(name).is_some();
        let place = names.iter().take_while(is_known).count();
        let argument = match N {
            1 => "name",
            _ => ["a", "b"][place.min(1)],
        };
        let name = names.get(place).unwrap_or(&"");
        Failure::other(
            SOVO_STATUS_ERROR_CONFIGURATION,
            format!(
                "{argument}: {name:?} is neither a link nor an attached object nor a group of obstacles"
            ),
        )
    }
}
