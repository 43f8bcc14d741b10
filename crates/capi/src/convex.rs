//! Convex bodies that are no superovoids: boxes, cylinders, capsules, cones and hulls, against each other and against
//! superovoids.

use super::memory::{Out, copy_points, free};
use super::options::{read_query_options, sovo_query_options};
use super::pair::sovo_contact;
use super::pose::{read_pose, sovo_pose};
use super::shape::{read_shape, sovo_shape};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use superovoid::convex::{ConvexShape, ConvexShapeError, convex_contact};
use superovoid::internals::ovoid_contact;

/// A convex body in its own frame. It is immutable, so that threads can share it.
pub struct sovo_convex(ConvexShape);

impl sovo_convex {
    pub(super) fn of(shape: ConvexShape) -> Self {
        sovo_convex(shape)
    }
}

/// Reads the body behind a handle. `name` is for the error.
///
/// # Safety
/// A pointer that is not NULL must be one of the functions that make a convex body, and not freed.
pub(super) unsafe fn read_convex<'a>(
    convex: *const sovo_convex,
    name: &'static str,
) -> Result<&'a ConvexShape, Failure> {
    // SAFETY: The caller guarantees it.
    let body = unsafe { convex.as_ref() };
    Ok(&body.ok_or(Failure::Null(name))?.0)
}

impl From<ConvexShapeError> for Failure {
    fn from(error: ConvexShapeError) -> Self {
        match error {
            ConvexShapeError::Hull(error) => error.into(),
            _ => Failure::other(SOVO_STATUS_ERROR_GEOMETRY, error.to_string()),
        }
    }
}

/// # Safety
/// The pointer must be NULL or point to memory for a pointer.
unsafe fn make(
    convex: *mut *mut sovo_convex,
    made: impl FnOnce() -> Result<ConvexShape, Failure>,
) -> sovo_status {
    guarded(|| {
        let out = Out::new(convex, "convex")?;
        let made = made()?;
        // SAFETY: The caller guarantees it.
        unsafe { out.write(Box::into_raw(Box::new(sovo_convex(made)))) };
        Ok(())
    })
}

/// Makes a ball about the origin from its radius, metres. It must be freed with sovo_convex_free(), as those of the
/// functions below.
///
/// SOVO_STATUS_ERROR_GEOMETRY: a length that is not finite or not more than 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_convex_ball(
    radius: f64,
    convex: *mut *mut sovo_convex,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe { make(convex, || Ok(ConvexShape::ball(radius)?)) }
}

/// Makes a box with its centre at the origin and edges along the axes from half its edge lengths, metres.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_convex_box(
    half_x: f64,
    half_y: f64,
    half_z: f64,
    convex: *mut *mut sovo_convex,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it, here and below.
    unsafe {
        make(convex, || {
            Ok(ConvexShape::cuboid([half_x, half_y, half_z])?)
        })
    }
}

/// Makes a cylinder about z with its centre at the origin from its radius and its whole length, metres.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_convex_cylinder(
    radius: f64,
    length: f64,
    convex: *mut *mut sovo_convex,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe { make(convex, || Ok(ConvexShape::cylinder(radius, length)?)) }
}

/// Makes a capsule about z with its centre at the origin from its radius and the length of its cylindrical part,
/// metres. A capsule of length 0 is a ball.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_convex_capsule(
    radius: f64,
    length: f64,
    convex: *mut *mut sovo_convex,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe { make(convex, || Ok(ConvexShape::capsule(radius, length)?)) }
}

/// Makes a cone about z, its tip at z = length/2 and its base of this radius at z = -length/2, metres.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_convex_cone(
    radius: f64,
    length: f64,
    convex: *mut *mut sovo_convex,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe { make(convex, || Ok(ConvexShape::cone(radius, length)?)) }
}

/// Makes the convex hull of points (the first coordinate of the first, three numbers each, metres, stride bytes from
/// one to the next), which are copied. Points inside the hull, duplicates and flat sets are allowed.
///
/// SOVO_STATUS_ERROR_GEOMETRY: there is no point, or one is not finite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_convex_hull(
    points: *const f64,
    count: usize,
    stride: usize,
    convex: *mut *mut sovo_convex,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        make(convex, || {
            let points = copy_points(points, count, stride, "points")?;
            Ok(ConvexShape::hull(&points)?)
        })
    }
}

/// Frees a convex body; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_convex_free(convex: *mut sovo_convex) {
    // SAFETY: As above, the caller guarantees it.
    unsafe { free(convex) }
}

/// Computes the signed distance of two convex bodies A and B. Where they overlap it is minus the least depth, with the
/// bracket that options->depth asks for. options: NULL for the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_convex_contact(
    a: *const sovo_convex,
    pose_a: *const sovo_pose,
    b: *const sovo_convex,
    pose_b: *const sovo_pose,
    options: *const sovo_query_options,
    contact: *mut sovo_contact,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it, here and below.
        let a = unsafe { read_convex(a, "a") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_a = unsafe { read_pose(pose_a, "pose_a") }?;
        // SAFETY: As above, the caller guarantees it.
        let b = unsafe { read_convex(b, "b") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_b = unsafe { read_pose(pose_b, "pose_b") }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_query_options(options) }?;
        let out = Out::new(contact, "contact")?;
        let found = convex_contact(a, &pose_a, b, &pose_b, &options)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write((&found).into()) };
        Ok(())
    })
}

/// Computes the signed distance of a superovoid A and a convex body B, like sovo_convex_contact().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_shape_convex_contact(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    convex: *const sovo_convex,
    convex_pose: *const sovo_pose,
    options: *const sovo_query_options,
    contact: *mut sovo_contact,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        // SAFETY: As above, the caller guarantees it.
        let convex = unsafe { read_convex(convex, "convex") }?;
        // SAFETY: As above, the caller guarantees it.
        let convex_pose = unsafe { read_pose(convex_pose, "convex_pose") }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_query_options(options) }?;
        let out = Out::new(contact, "contact")?;
        let found = ovoid_contact(&shape, &pose, convex, &convex_pose, &options)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write((&found).into()) };
        Ok(())
    })
}
