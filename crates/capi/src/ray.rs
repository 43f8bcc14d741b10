//! Rays and segments cast at a superovoid.

use super::memory::{Out, Plain, read_point, read_vector};
use super::pose::{read_pose, sovo_pose};
use super::shape::{read_shape, sovo_shape};
use super::status::{Failure, guarded, in_range, sovo_status, sovo_status::*};
use super::surface::finite;
use nalgebra::Isometry3;
use superovoid::{QueryError, Ray, RayHit, Superovoid};

/// The point where a ray meets a surface, world frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_ray_hit {
    /// The t of origin + t * direction; 0 for a miss, like all that follows.
    pub time_of_impact: f64,
    /// The surface point, metres.
    pub point: [f64; 3],
    /// The unit outward normal of the surface there, also where the ray leaves the body. A solid body with the origin
    /// inside is hit at the origin, with the normal opposite to the direction.
    pub normal: [f64; 3],
    /// 1 for a hit, 0 for a miss.
    pub hit: u32,
    /// Reserved, 0.
    pub reserved: u32,
}

/// Finds the first hit of the half-line origin + t * direction, 0 <= t <= max_time_of_impact, on a superovoid.
///
/// origin: three numbers, metres; direction: three numbers, any length but zero; max_time_of_impact: at least 0,
/// INFINITY for no limit. solid: 0 for a shell, which a ray from the inside hits where it leaves; any other value for
/// a solid body, which it hits at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_ray_cast(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    origin: *const f64,
    direction: *const f64,
    max_time_of_impact: f64,
    solid: i32,
    hit: *mut sovo_ray_hit,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        cast(shape, pose, hit, |shape, pose| {
            // SAFETY: As above, the caller guarantees it.
            let ray = read_ray(origin, direction)?;
            Ok(shape.ray_cast(pose, &ray, max_time_of_impact, solid != 0))
        })
    }
}

/// Finds the first hit of the segment between two different points, three numbers each, metres, on a superovoid: that
/// of a sovo_ray_cast() with direction = to - from and t at most 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_segment_cast(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    from: *const f64,
    to: *const f64,
    solid: i32,
    hit: *mut sovo_ray_hit,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        cast(shape, pose, hit, |shape, pose| {
            // SAFETY: As above, the caller guarantees it.
            let from = read_point(from, "from")?;
            // SAFETY: As above, the caller guarantees it.
            let to = read_point(to, "to")?;
            finite(from.coords.as_slice(), "from")?;
            finite(to.coords.as_slice(), "to")?;
            if from == to {
                let text = "from and to are the same point";
                return Err(Failure::other(SOVO_STATUS_ERROR_GEOMETRY, text));
            }
            in_range((to - from).into(), "difference of from and to")?;
            Ok(shape.segment_cast(pose, &from, &to, solid != 0))
        })
    }
}

/// Reads a ray behind pointers to its origin and to its direction.
///
/// # Safety
/// The requirements are those of [`read_point`], for both.
pub(super) unsafe fn read_ray(origin: *const f64, direction: *const f64) -> Result<Ray, Failure> {
    // SAFETY: The caller guarantees it, here and below.
    let origin = unsafe { read_point(origin, "origin") }?;
    // SAFETY: As above, the caller guarantees it.
    let direction = unsafe { read_vector(direction, "direction") }?;
    Ok(Ray { origin, direction })
}

/// # Safety
/// The pointers must be as the header demands.
unsafe fn cast(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    hit: *mut sovo_ray_hit,
    query: impl FnOnce(
        &Superovoid,
        &Isometry3<f64>,
    ) -> Result<Result<Option<RayHit>, QueryError>, Failure>,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller guarantees it, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        let out = Out::new(hit, "hit")?;
        let found = query(&shape, &pose)??;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(sovo_ray_hit::of(found.as_ref())) };
        Ok(())
    })
}

impl sovo_ray_hit {
    const MISS: Self = sovo_ray_hit {
        time_of_impact: 0.0,
        point: [0.0; 3],
        normal: [0.0; 3],
        hit: 0,
        reserved: 0,
    };

    pub(super) fn of(found: Option<&RayHit>) -> Self {
        found.map_or(sovo_ray_hit::MISS, |met| sovo_ray_hit {
            time_of_impact: met.time_of_impact,
            point: met.point.into(),
            normal: met.normal.into_inner().into(),
            hit: 1,
            reserved: 0,
        })
    }
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_ray_hit {}
