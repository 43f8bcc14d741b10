//! Superhyperboloids and supertoroids against superovoids, convex bodies, points, planes and rays.

use super::convex::{read_convex, sovo_convex};
use super::memory::{Out, StridedOut, read_point, read_vector};
use super::options::{
    read_query_options, read_vertex_options, sovo_query_options, sovo_vertex_options,
};
use super::pair::sovo_contact;
use super::pose::{read_pose, sovo_pose};
use super::ray::{read_ray, sovo_ray_hit};
use super::shape::{read_shape, sovo_shape};
use super::status::{Failure, guarded, sovo_status};
use super::superquadric::{read_superquadric, sovo_superquadric};
use nalgebra::Isometry3;
use superovoid::superquadric::Superquadric;
use superovoid::{Contact, HalfSpace, Plane};

/// # Safety
/// The pointers must be as the header demands.
unsafe fn answer(
    superquadric: *const sovo_superquadric,
    pose: *const sovo_pose,
    contact: *mut sovo_contact,
    query: impl FnOnce(&Superquadric, &Isometry3<f64>) -> Result<Contact, Failure>,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller guarantees it, here and below.
        let body = unsafe { read_superquadric(superquadric) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        let out = Out::new(contact, "contact")?;
        let found = query(body, &pose)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write((&found).into()) };
        Ok(())
    })
}

/// Computes the signed distance of a superquadric A and a superovoid B.
///
/// Apart the bracket is closed at the tolerance, SOVO_OUTCOME_CERTIFIED, or the answer is SOVO_OUTCOME_NOT_CONVERGED. In
/// overlap the distance is minus the length of a translation that is proven to separate the bodies,
/// SOVO_OUTCOME_CONVERGED; one sheet of two answers as every convex body. A superovoid that is not convex counts by its
/// hull below and by its own surface above. options: NULL for the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_shape_contact(
    superquadric: *const sovo_superquadric,
    pose: *const sovo_pose,
    shape: *const sovo_shape,
    shape_pose: *const sovo_pose,
    options: *const sovo_query_options,
    contact: *mut sovo_contact,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        answer(superquadric, pose, contact, |body, pose| {
            // SAFETY: As above, the caller guarantees it.
            let shape = read_shape(shape, "shape")?;
            // SAFETY: As above, the caller guarantees it.
            let shape_pose = read_pose(shape_pose, "shape_pose")?;
            // SAFETY: As above, the caller guarantees it.
            let options = read_query_options(options)?;
            Ok(body.contact(pose, &shape.into(), &shape_pose, &options)?)
        })
    }
}

/// Computes the signed distance of a superquadric A and a convex body B, as sovo_superquadric_shape_contact() does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_convex_contact(
    superquadric: *const sovo_superquadric,
    pose: *const sovo_pose,
    convex: *const sovo_convex,
    convex_pose: *const sovo_pose,
    options: *const sovo_query_options,
    contact: *mut sovo_contact,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        answer(superquadric, pose, contact, |body, pose| {
            // SAFETY: As above, the caller guarantees it.
            let convex = read_convex(convex, "convex")?;
            // SAFETY: As above, the caller guarantees it.
            let convex_pose = read_pose(convex_pose, "convex_pose")?;
            // SAFETY: As above, the caller guarantees it.
            let options = read_query_options(options)?;
            Ok(body.contact(pose, convex, &convex_pose, &options)?)
        })
    }
}

/// Computes the signed distance of a superquadric A and a point B, three numbers, metres, world frame: outside it is
/// certified, inside it is the least of many local minima, SOVO_OUTCOME_CONVERGED, except for one sheet of two, which
/// is convex. The normal points out of the surface. options: NULL for the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_point_contact(
    superquadric: *const sovo_superquadric,
    pose: *const sovo_pose,
    point: *const f64,
    options: *const sovo_vertex_options,
    contact: *mut sovo_contact,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        answer(superquadric, pose, contact, |body, pose| {
            // SAFETY: As above, the caller guarantees it.
            let point = read_point(point, "point")?;
            // SAFETY: As above, the caller guarantees it.
            let options = read_vertex_options(options)?;
            Ok(body.point_contact(pose, &point, &options)?)
        })
    }
}

/// Computes, by the support function, the signed distance of a superquadric A and the thin plane B of all x with
/// normal . x = offset, world frame, as sovo_plane_contact() does for a superovoid. Two sheets on either side of a
/// plane are apart from it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_plane_contact(
    superquadric: *const sovo_superquadric,
    pose: *const sovo_pose,
    normal: *const f64,
    offset: f64,
    contact: *mut sovo_contact,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        answer(superquadric, pose, contact, |body, pose| {
            // SAFETY: As above, the caller guarantees it.
            let normal = read_vector(normal, "normal")?;
            Ok(body.plane_contact(pose, &Plane::new(normal, offset)?)?)
        })
    }
}

/// Computes, by the support function, the signed distance of a superquadric A and the solid half-space B of all x with
/// normal . x <= offset, world frame, as sovo_half_space_contact() does for a superovoid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_half_space_contact(
    superquadric: *const sovo_superquadric,
    pose: *const sovo_pose,
    normal: *const f64,
    offset: f64,
    contact: *mut sovo_contact,
) -> sovo_status {
    // SAFETY: As above, the caller guarantees it.
    unsafe {
        answer(superquadric, pose, contact, |body, pose| {
            // SAFETY: As above, the caller guarantees it.
            let normal = read_vector(normal, "normal")?;
            Ok(body.half_space_contact(pose, &HalfSpace::new(normal, offset)?)?)
        })
    }
}

/// Finds the first hit of the half-line origin + t * direction, 0 <= t <= max_time_of_impact, on a superquadric; the
/// arguments are those of sovo_ray_cast().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_ray_cast(
    superquadric: *const sovo_superquadric,
    pose: *const sovo_pose,
    origin: *const f64,
    direction: *const f64,
    max_time_of_impact: f64,
    solid: i32,
    hit: *mut sovo_ray_hit,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it, here and below.
        let body = unsafe { read_superquadric(superquadric) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        // SAFETY: As above, the caller guarantees it.
        let ray = unsafe { read_ray(origin, direction) }?;
        let out = Out::new(hit, "hit")?;
        let found = body.ray_cast(&pose, &ray, max_time_of_impact, solid != 0)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(sovo_ray_hit::of(found.as_ref())) };
        Ok(())
    })
}

/// Finds every place where the half-line origin + t * direction, 0 <= t <= max_time_of_impact, meets the surface of a
/// superquadric, by increasing t: where it enters and where it leaves.
///
/// hits: room for capacity hits, at most 16 are ever found; count receives the number found, which may exceed the
/// capacity: then only the first are written. complete receives 1, or 0 where a hit may be missing: the ray lies in the
/// surface over a whole stretch to rounding, or there are more than 16.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superquadric_ray_hits(
    superquadric: *const sovo_superquadric,
    pose: *const sovo_pose,
    origin: *const f64,
    direction: *const f64,
    max_time_of_impact: f64,
    hits: *mut sovo_ray_hit,
    capacity: usize,
    count: *mut usize,
    complete: *mut u32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: As above, the caller guarantees it, here and below.
        let body = unsafe { read_superquadric(superquadric) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        // SAFETY: As above, the caller guarantees it.
        let ray = unsafe { read_ray(origin, direction) }?;
        let places = StridedOut::new(hits, capacity, size_of::<sovo_ray_hit>(), "hits")?;
        let count = Out::new(count, "count")?;
        let complete = Out::new(complete, "complete")?;
        let found = body.ray_hits(&pose, &ray, max_time_of_impact)?;
        let first = found.iter().take(capacity);
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(first.map(|hit| sovo_ray_hit::of(Some(hit)))) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { count.write(found.len()) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { complete.write(found.is_complete().into()) };
        Ok(())
    })
}
