//! Rays cast at bodies.

use super::body::{Room, Solid, look_at_body, sovo_body, unsupported_kind};
use super::memory::{Out, Plain, StridedOut, read_point, read_vector};
use super::pose::{read_pose, sovo_pose};
use super::status::{Failure, guarded, sovo_status};
use superovoid::{Ray, RayHit, ShapeRef};

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

/// Finds the first hit of the half-line origin + t * direction, 0 <= t <= max_time_of_impact, on a superovoid or a
/// superquadric.
///
/// origin: three numbers, metres; direction: three numbers, any length but zero; max_time_of_impact: at least 0,
/// INFINITY for no limit. solid: 0 for a shell, which a ray from the inside hits where it leaves; any other value for
/// a solid body, which it hits at once.
///
/// SOVO_STATUS_ERROR_UNSUPPORTED: there is no answer for this kind of body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_ray_cast(
    body: *const sovo_body,
    pose: *const sovo_pose,
    origin: *const f64,
    direction: *const f64,
    max_time_of_impact: f64,
    solid: i32,
    hit: *mut sovo_ray_hit,
) -> sovo_status {
    guarded(|| {
        let mut room = Room::new();
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let body = unsafe { look_at_body(body, "body", &mut room) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        // SAFETY: As above, the caller guarantees it.
        let ray = unsafe { read_ray(origin, direction) }?;
        let out = Out::new(hit, "hit")?;
        let found = match body.shape {
            Solid::Shape(ShapeRef::Superovoid(shape)) => {
                shape.ray_cast(&pose, &ray, max_time_of_impact, solid != 0)
            }
            Solid::Shape(ShapeRef::Superquadric(shape)) => {
                shape.ray_cast(&pose, &ray, max_time_of_impact, solid != 0)
            }
            _ => return Err(unsupported_kind("ray cast", body.kind)),
        }?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(sovo_ray_hit::of(found.as_ref())) };
        Ok(())
    })
}

/// Finds every place where the half-line origin + t * direction, 0 <= t <= max_time_of_impact, meets the surface of a
/// superquadric, by increasing t: where it enters and where it leaves.
///
/// The function writes as many as capacity allows, the first ones, and sets total to their number, at most 16; hits may be
/// NULL if capacity is 0. complete is set to 1, or to 0 where a hit may be missing: the ray lies in the surface over a
/// whole stretch to rounding, or there are more than 16.
///
/// SOVO_STATUS_ERROR_UNSUPPORTED: there is no answer for this kind of body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_ray_hits(
    body: *const sovo_body,
    pose: *const sovo_pose,
    origin: *const f64,
    direction: *const f64,
    max_time_of_impact: f64,
    hits: *mut sovo_ray_hit,
    capacity: usize,
    total: *mut usize,
    complete: *mut i32,
) -> sovo_status {
    guarded(|| {
        let mut room = Room::new();
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let body = unsafe { look_at_body(body, "body", &mut room) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        // SAFETY: As above, the caller guarantees it.
        let ray = unsafe { read_ray(origin, direction) }?;
        let places = StridedOut::new(hits, capacity, size_of::<sovo_ray_hit>(), "hits")?;
        let total = Out::new(total, "total")?;
        let complete = Out::new(complete, "complete")?;
        let Solid::Shape(ShapeRef::Superquadric(shape)) = body.shape else {
            return Err(unsupported_kind("ray hits", body.kind));
        };
        let found = shape.ray_hits(&pose, &ray, max_time_of_impact)?;
        let first = found.iter().take(capacity);
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(first.map(|hit| sovo_ray_hit::of(Some(hit)))) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { total.write(found.len()) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { complete.write(found.is_complete().into()) };
        Ok(())
    })
}

/// Reads a ray behind pointers to its origin and to its direction.
///
/// # Safety
/// The requirements are those of [`read_point`], for both.
unsafe fn read_ray(origin: *const f64, direction: *const f64) -> Result<Ray, Failure> {
    // SAFETY: The caller guarantees it, here and below.
    let origin = unsafe { read_point(origin, "origin") }?;
    // SAFETY: As above, the caller guarantees it.
    let direction = unsafe { read_vector(direction, "direction") }?;
    Ok(Ray { origin, direction })
}

impl sovo_ray_hit {
    const MISS: Self = sovo_ray_hit {
        time_of_impact: 0.0,
        point: [0.0; 3],
        normal: [0.0; 3],
        hit: 0,
        reserved: 0,
    };

    fn of(found: Option<&RayHit>) -> Self {
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
