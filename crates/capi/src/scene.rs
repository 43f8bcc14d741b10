//! Scenes.

use super::body::sovo_body_kind::*;
use super::body::{Made, sovo_body, unsupported_kind};
use super::clearance::{proven, sovo_collision_status};
use super::memory::{Out, Plain, StridedOut, free, read};
use super::options::{read_scene_options, sovo_query_options};
use super::pair::sovo_contact;
use super::pose::{read_pose, sovo_pose};
use super::robot::read_text;
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use nalgebra::Point3;
use std::ffi::c_char;
use std::sync::Arc;
use superovoid::polytope::{ConvexHull, Cuboid};
use superovoid::{Shape, ShapeRef};
use superovoid_robot::scene::{BodyId, Group, Scene, SceneContact, SceneError};

/// A scene: bodies and obstacles that are added, moved and removed, a broad phase, and the contacts among them. Each
/// body is in a group (a link, an object): bodies of one group are never compared, nor are those of two groups that
/// may collide. Obstacles are compared with bodies only, not with each other.
///
/// Unlike the other handles a scene changes, by queries too, which keep warm starts: no two threads may use one scene
/// at the same time.
pub struct sovo_scene(Scene);

/// The contact of two bodies of a scene, or of a body and an obstacle.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_scene_contact {
    /// The contact in the world frame. For a mesh or a set of boxes it is that with the nearest part.
    pub contact: sovo_contact,
    /// The body A.
    pub body_a: u64,
    /// The body B, which may be an obstacle.
    pub body_b: u64,
    /// The triangle or box of body B; UINT32_MAX if it has no parts.
    pub part: u32,
    /// The status, a sovo_collision_status.
    pub status: u32,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_scene_contact {}

impl sovo_scene_contact {
    const NONE: Self = sovo_scene_contact {
        contact: sovo_contact::NONE,
        body_a: 0,
        body_b: 0,
        part: 0,
        status: sovo_collision_status::SOVO_COLLISION_STATUS_NONE as u32,
    };
}

impl From<&SceneContact> for sovo_scene_contact {
    fn from(found: &SceneContact) -> Self {
        sovo_scene_contact {
            contact: (&found.contact).into(),
            body_a: found.a.number(),
            body_b: found.b.number(),
            part: found.part.unwrap_or(u32::MAX),
            status: proven(found.status()) as u32,
        }
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        let status = match &error {
            SceneError::Full => SOVO_STATUS_ERROR_SIZE,
            SceneError::MaxDistance { .. } => SOVO_STATUS_ERROR_OPTION,
            SceneError::Polytope { .. } | SceneError::HalfSpace { .. } => {
                SOVO_STATUS_ERROR_GEOMETRY
            }
            SceneError::Pose { error, .. }
            | SceneError::Options(error)
            | SceneError::Query { error, .. } => Failure::Query(*error).status(),
            _ => SOVO_STATUS_ERROR_CONFIGURATION,
        };
        Failure::other(status, error.to_string())
    }
}

/// Makes an empty scene, which must be freed with sovo_scene_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_scene_new(scene: *mut *mut sovo_scene) -> sovo_status {
    guarded(|| {
        let out = Out::new(scene, "scene")?;
        // SAFETY: The caller passes pointers as the header demands, here and below.
        unsafe { out.write(Box::into_raw(Box::new(sovo_scene(Scene::new())))) };
        Ok(())
    })
}

/// Frees a scene; NULL is allowed. Hulls, meshes, sets of boxes and height fields that were added remain valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_scene_free(scene: *mut sovo_scene) {
    // SAFETY: As above, the caller guarantees it.
    unsafe { free(scene) }
}

/// Finds the group of a name, which is UTF-8 and ends with a zero; adds it if there is none yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_scene_group(
    scene: *mut sovo_scene,
    name: *const c_char,
    group: *mut u32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let name = unsafe { read_text(name, "name") }?;
        let out = Out::new(group, "group")?;
        let index = u32::try_from(scene.group(name).index()).map_err(|_| SceneError::Full)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(index) };
        Ok(())
    })
}

/// Sets whether two groups may collide: with allowed other than 0 they are not compared, with 0, the initial value,
/// they are.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: a group that the scene does not have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_scene_allow(
    scene: *mut sovo_scene,
    group_a: u32,
    group_b: u32,
    allowed: i32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        let (a, b) = (group_of(scene, group_a)?, group_of(scene, group_b)?);
        if allowed != 0 {
            scene.allowed_mut().allow(a, b);
        } else {
            scene.allowed_mut().forbid(a, b);
        }
        Ok(())
    })
}

/// Adds a body of any kind but a plane. It is compared with all other bodies and with all obstacles; with
/// as_obstacle other than 0 it is an obstacle, which is compared with bodies only. A half-space can only be an obstacle. id: set to its number, which is never used again in this scene.
///
/// Hulls, meshes, sets of boxes and height fields are shared: they may be freed, and added again, at any time. Points are copied.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: a group that the scene does not have. SOVO_STATUS_ERROR_UNSUPPORTED: a kind that a
/// scene does not take. SOVO_STATUS_ERROR_GEOMETRY: a half-space that is no obstacle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_scene_add(
    scene: *mut sovo_scene,
    group: u32,
    body: *const sovo_body,
    pose: *const sovo_pose,
    as_obstacle: i32,
    id: *mut u64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let shape = unsafe { read_obstacle(body) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        let out = Out::new(id, "id")?;
        let group = group_of(scene, group)?;
        let added = if as_obstacle != 0 {
            scene.add_obstacle(group, shape, pose)?
        } else {
            scene.add(group, shape, pose)?
        };
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(added.number()) };
        Ok(())
    })
}

/// Moves a body or an obstacle.
///
/// SOVO_STATUS_ERROR_CONFIGURATION: a number that belongs to no body, or to a removed one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_scene_move(
    scene: *mut sovo_scene,
    body: u64,
    pose: *const sovo_pose,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        let moved = scene.move_to(BodyId::from_number(body), pose);
        moved.map_err(|error| numbered("body", body, error.into()))
    })
}

/// Removes a body or an obstacle; its number is invalid from then on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_scene_remove(scene: *mut sovo_scene, body: u64) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        let removed = scene.remove(BodyId::from_number(body));
        removed.map_err(|error| numbered("body", body, error.into()))
    })
}

/// Writes the number of bodies and obstacles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_scene_count(
    scene: *const sovo_scene,
    count: *mut usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { scene.as_ref() }.ok_or(Failure::Null("scene"))?;
        let out = Out::new(count, "count")?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(scene.0.len()) };
        Ok(())
    })
}

/// Finds every contact within options->max_distance, closest or deepest first. The function
/// writes as many as capacity allows, the closest ones, and sets total to their number; contacts may be NULL if
/// capacity is 0.
///
/// options: NULL for the defaults. Like the functions below it allocates memory.
///
/// SOVO_STATUS_ERROR_OPTION: a max_distance that is negative or NaN, or an option that sovo_pair_contact() rejects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_scene_contacts(
    scene: *mut sovo_scene,
    options: *const sovo_query_options,
    contacts: *mut sovo_scene_contact,
    capacity: usize,
    total: *mut usize,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_scene_options(options) }?;
        let stride = size_of::<sovo_scene_contact>();
        let places = StridedOut::new(contacts, capacity, stride, "contacts")?;
        let out = Out::new(total, "total")?;
        let found = scene.contacts(&options)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(found.iter().take(capacity).map(Into::into)) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found.len()) };
        Ok(())
    })
}

/// Finds the first of sovo_scene_contacts() alone, which takes less time: the least distance and its pair. The result
/// is all zero, with the status SOVO_COLLISION_STATUS_NONE, if nothing is within options->max_distance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_scene_closest(
    scene: *mut sovo_scene,
    options: *const sovo_query_options,
    contact: *mut sovo_scene_contact,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_scene_options(options) }?;
        let out = Out::new(contact, "contact")?;
        let found = scene.closest(&options)?;
        let found = found.as_ref().map_or(sovo_scene_contact::NONE, Into::into);
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}

/// Tests whether any pair that is compared touches or overlaps: in_collision is set to 0 if every pair is proven to
/// be free, and to 1 otherwise, also where a pair could not be decided. This is the fastest of these functions.
/// options->max_distance is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_scene_in_collision(
    scene: *mut sovo_scene,
    options: *const sovo_query_options,
    in_collision: *mut i32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it.
        let scene = unsafe { used(scene) }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_scene_options(options) }?;
        let out = Out::new(in_collision, "in_collision")?;
        let found = scene.in_collision(&options)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(i32::from(found)) };
        Ok(())
    })
}

/// # Safety
/// The handle must be NULL, or a scene that nothing else uses at the same time.
unsafe fn used<'a>(scene: *mut sovo_scene) -> Result<&'a mut Scene, Failure> {
    // SAFETY: The caller guarantees it.
    let scene = unsafe { scene.as_mut() }.ok_or(Failure::Null("scene"))?;
    Ok(&mut scene.0)
}

/// Returns the error of a body or an obstacle with the number by which the program knows it.
pub(super) fn numbered(name: &str, number: u64, failure: Failure) -> Failure {
    Failure::other(failure.status(), format!("{name} = {number}: {failure}"))
}

fn group_of(scene: &Scene, index: u32) -> Result<Group, Failure> {
    Ok(scene.group_at(index)?)
}

/// Reads a body that a scene keeps.
///
/// # Safety
/// The pointer must be NULL or to a body as the header demands.
pub(super) unsafe fn read_obstacle(body: *const sovo_body) -> Result<Shape, Failure> {
    // SAFETY: The caller guarantees it.
    let body = unsafe { read(body, "body") }?;
    // SAFETY: As above, the caller guarantees it.
    let shape = unsafe { obstacle(&body) };
    shape.map_err(|failure| Failure::At("body", Box::new(failure)))
}

/// # Safety
/// The pointers of the body must be as the header demands.
unsafe fn obstacle(body: &sovo_body) -> Result<Shape, Failure> {
    let kind = body.kind()?;
    // SAFETY: The members are those of the kind, and as the caller guarantees.
    unsafe {
        // These are polytopes for the scene, which asks for their corners.
        match kind {
            SOVO_BODY_KIND_CUBOID => return Ok(Cuboid::new(body.data.half_extents)?.into()),
            SOVO_BODY_KIND_SEGMENT => return Ok(body.segment()?.into()),
            SOVO_BODY_KIND_TRIANGLE => return Ok(body.triangle()?.into()),
            SOVO_BODY_KIND_POINT => return Ok(ConvexHull::new(vec![Point3::origin()])?.into()),
            SOVO_BODY_KIND_POINTS => {
                return Ok(ConvexHull::new(body.points()?.into_owned())?.into());
            }
            _ => {}
        }
        let mut made = Made::Nothing;
        Ok(match body.look(&mut made)?.shape {
            ShapeRef::Superovoid(shape) => (*shape).into(),
            ShapeRef::Convex(_) if kind == SOVO_BODY_KIND_HULL => {
                Shape::Convex(Arc::clone(&(*body.data.hull).0))
            }
            ShapeRef::Convex(shape) => shape.clone().into(),
            ShapeRef::HalfSpace(shape) => (*shape).into(),
            ShapeRef::Superquadric(shape) => (*shape).into(),
            ShapeRef::Mesh(_) => Arc::clone(&(*body.data.tri_mesh).0).into(),
            ShapeRef::Boxes(_) => Arc::clone(&(*body.data.box_set).0).into(),
            ShapeRef::HeightField(_) => Arc::clone(&(*body.data.height_field).0).into(),
            _ => return Err(unsupported_kind("scene", kind)),
        })
    }
}
