//! Bounding volumes.

use super::memory::{Out, Plain, read};
use super::pose::{read_pose, sovo_pose};
use super::shape::{read_shape, sovo_superovoid};
use super::status::{Failure, guarded, in_range, sovo_status, sovo_status::*};
use nalgebra::{Point3, Vector3};
use superovoid::{Aabb, BoundingSphere, Obb};

/// A sphere, metres.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_bounding_sphere {
    /// The centre.
    pub center: [f64; 3],
    /// The radius.
    pub radius: f64,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_bounding_sphere {}

/// A box with faces perpendicular to the axes of its frame, metres.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_aabb {
    /// The smallest coordinates.
    pub min: [f64; 3],
    /// The largest coordinates.
    pub max: [f64; 3],
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_aabb {}

/// A box in any orientation.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_obb {
    /// The centre and the axes.
    pub pose: sovo_pose,
    /// Half the lengths of the edges along its own axes, metres.
    pub half_extents: [f64; 3],
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_obb {}

/// Writes a sphere, about the origin of the body's own frame, that contains the body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superovoid_bounding_sphere(
    shape: *const sovo_superovoid,
    sphere: *mut sovo_bounding_sphere,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        let out = Out::new(sphere, "sphere")?;
        let BoundingSphere { center, radius } = shape.bounding_sphere();
        let [x, y, z, radius] = in_range([center.x, center.y, center.z, radius], "sphere")?;
        let center = [x, y, z];
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(sovo_bounding_sphere { center, radius }) };
        Ok(())
    })
}

/// Writes the smallest box along the world's axes around the body at a pose, to a relative 1e-12; for exponents
/// within 1e-6 of 0 or 2 it is a larger one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superovoid_aabb(
    shape: *const sovo_superovoid,
    pose: *const sovo_pose,
    aabb: *mut sovo_aabb,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        let out = Out::new(aabb, "aabb")?;
        let Aabb { min, max } = shape.aabb(&pose);
        let (min, max) = (in_range(min.into(), "box")?, in_range(max.into(), "box")?);
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(sovo_aabb { min, max }) };
        Ok(())
    })
}

/// Writes the smallest box along the body's own axes around the body at a pose, to a relative 1e-12.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_superovoid_obb(
    shape: *const sovo_superovoid,
    pose: *const sovo_pose,
    obb: *mut sovo_obb,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        let out = Out::new(obb, "obb")?;
        let obb = sovo_obb {
            pose: sovo_pose::of(&pose),
            half_extents: in_range(shape.obb(&pose).half_extents.into(), "box")?,
        };
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(obb) };
        Ok(())
    })
}

/// Writes a lower bound of the distance, metres, between the contents of two spheres: the distance of the spheres, 0
/// if they meet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_bounding_sphere_distance(
    a: *const sovo_bounding_sphere,
    b: *const sovo_bounding_sphere,
    distance: *mut f64,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe { bound(a, b, distance, checked_sphere, BoundingSphere::distance) }
}

/// Writes a lower bound of the distance, metres, between the contents of two boxes: the distance of the boxes, 0 if
/// they meet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_aabb_distance(
    a: *const sovo_aabb,
    b: *const sovo_aabb,
    distance: *mut f64,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe { bound(a, b, distance, checked_aabb, Aabb::distance) }
}

/// Writes a lower bound of the distance, metres, between the contents of two boxes: the widest gap between their
/// projections onto the 15 axes of the separating-axis test, 0 if they meet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_obb_distance(
    a: *const sovo_obb,
    b: *const sovo_obb,
    distance: *mut f64,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe { bound(a, b, distance, checked_obb, Obb::distance_bound) }
}

/// # Safety
/// The pointers must be as the header demands.
unsafe fn bound<T: Plain, U>(
    a: *const T,
    b: *const T,
    distance: *mut f64,
    checked: impl Fn(T, &'static str) -> Result<U, Failure>,
    measure: impl Fn(&U, &U) -> f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller guarantees it, here and below.
        let a = checked(unsafe { read(a, "a") }?, "a")?;
        // SAFETY: As above, the caller guarantees it.
        let b = checked(unsafe { read(b, "b") }?, "b")?;
        let out = Out::new(distance, "distance")?;
        let value = measure(&a, &b);
        if !value.is_finite() {
            return Err(superovoid::QueryError::Overflow.into());
        }
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(value) };
        Ok(())
    })
}

fn checked_sphere(
    sphere: sovo_bounding_sphere,
    name: &'static str,
) -> Result<BoundingSphere, Failure> {
    let sovo_bounding_sphere { center, radius } = sphere;
    if center.iter().all(|x| x.is_finite()) && radius >= 0.0 && radius.is_finite() {
        Ok(BoundingSphere {
            center: Point3::from(center),
            radius,
        })
    } else {
        Err(geometry(
            name,
            "a sphere is finite and its radius at least 0",
        ))
    }
}

fn checked_aabb(aabb: sovo_aabb, name: &'static str) -> Result<Aabb, Failure> {
    let sovo_aabb { min, max } = aabb;
    let finite = min.iter().chain(&max).all(|x| x.is_finite());
    if finite && (0..3).all(|i| min[i] <= max[i]) {
        let (min, max) = (Point3::from(min), Point3::from(max));
        Ok(Aabb { min, max })
    } else {
        Err(geometry(
            name,
            "a box is finite and its min at most its max",
        ))
    }
}

fn checked_obb(obb: sovo_obb, name: &'static str) -> Result<Obb, Failure> {
    let pose = obb.pose.isometry(name)?;
    if obb.half_extents.iter().all(|&x| x >= 0.0 && x.is_finite()) {
        Ok(Obb {
            center: pose.translation.vector.into(),
            rotation: pose.rotation,
            half_extents: Vector3::from(obb.half_extents),
        })
    } else {
        Err(geometry(name, "half extents are finite and at least 0"))
    }
}

fn geometry(name: &str, requirement: &str) -> Failure {
    Failure::other(SOVO_STATUS_ERROR_GEOMETRY, format!("{name}: {requirement}"))
}
