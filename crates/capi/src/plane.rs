//! Contact of a superovoid and a plane or half-space.

use super::memory::{Out, read_vector};
use super::pair::sovo_contact;
use super::pose::{read_pose, sovo_pose};
use super::shape::{read_shape, sovo_shape};
use super::status::{Failure, guarded, sovo_status};
use nalgebra::{Isometry3, Vector3};
use superovoid::{
    Contact, HalfSpace, Plane, QueryError, Superovoid, half_space_contact, plane_contact,
};

/// Computes, in closed form, the signed distance of a superovoid A and the thin plane B of all x with normal . x =
/// offset, world frame: both of its sides are free, and a body that straddles it overlaps it by the smaller of the
/// two translations that clear it. normal: three numbers, of any length but zero; normal and offset are divided by
/// its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_plane_contact(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    normal: *const f64,
    offset: f64,
    contact: *mut sovo_contact,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        answer(shape, pose, normal, contact, |shape, pose, normal| {
            plane_contact(shape, pose, &Plane::new(normal, offset)?)
        })
    }
}

/// Computes, in closed form, the signed distance of a superovoid A and the solid half-space B of all x with normal .
/// x <= offset, world frame. normal: three numbers, of any length but zero, out of the solid; normal and offset are
/// divided by its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_half_space_contact(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    normal: *const f64,
    offset: f64,
    contact: *mut sovo_contact,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        answer(shape, pose, normal, contact, |shape, pose, normal| {
            half_space_contact(shape, pose, &HalfSpace::new(normal, offset)?)
        })
    }
}

/// # Safety
/// The pointers must be as the header demands.
unsafe fn answer(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    normal: *const f64,
    contact: *mut sovo_contact,
    query: impl FnOnce(&Superovoid, &Isometry3<f64>, Vector3<f64>) -> Result<Contact, QueryError>,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller guarantees it, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        // SAFETY: As above, the caller guarantees it.
        let normal = unsafe { read_vector(normal, "normal") }?;
        let out = Out::new(contact, "contact")?;
        let found = query(&shape, &pose, normal).map_err(Failure::from)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write((&found).into()) };
        Ok(())
    })
}
