//! Rays cast at bodies.

use super::batch::{BatchStruct, batch_struct, one_by_one, read_batch, sovo_cancel};
use super::body::{Body, BodyBuffer, look_at_body, sovo_body, unsupported_kind};
use super::memory::{
    Out, Plain, Strided, StridedOut, Versioned, read_point, read_vector, size_through,
};
use super::pose::{read_pose, sovo_pose};
use super::status::{Failure, guarded, sovo_status};
use nalgebra::Isometry3;
use std::ffi::c_void;
use superovoid::{Ray, RayHit, ShapeRef};

/// The point where a ray meets a surface, world frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_ray_hit {
    /// The t of origin + t * direction; 0 for a miss, like the point and the normal.
    pub time_of_impact: f64,
    /// The surface point, metres.
    pub point: [f64; 3],
    /// The unit outward normal of the surface there, also where the ray leaves the body; of a plane, a triangle or the surface
    /// of a mesh that of the side from which the ray comes. A solid body with the origin inside is hit at the origin, with
    /// the normal opposite to the direction.
    pub normal: [f64; 3],
    /// 1 for a hit, 0 for a miss.
    pub hit: u32,
    /// The triangle of a mesh, box of a set or prism of terrain that is hit; UINT32_MAX of a body of one piece, where the ray
    /// begins inside a solid mesh, and for a miss.
    pub part: u32,
}

/// Finds the first hit of the half-line origin + t * direction, 0 <= t <= max_time_of_impact, on a body of any kind.
///
/// A half-space, a set of boxes, terrain and a solid mesh are solids, whose inner walls are not hit. No ray passes between
/// the triangles of a closed mesh. A ray that grazes an edge or a surface, or lies in a face, to rounding, may hit or miss.
///
/// origin: three numbers, metres; direction: three numbers, any length but zero; max_time_of_impact: at least 0,
/// INFINITY for no limit. solid: 0 for a shell, which a ray from the inside hits where it leaves; any other value for
/// a solid body, which it hits at once.
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
        let mut buffer = BodyBuffer::new();
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let body = unsafe { look_at_body(body, "body", &mut buffer) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        // SAFETY: As above, the caller guarantees it.
        let ray = unsafe { read_ray(origin, direction) }?;
        let out = Out::new(hit, "hit")?;
        let found = cast(body, &pose, &ray, max_time_of_impact, solid != 0)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}

/// Returns the first hit of a ray on a body.
fn cast(
    body: Body,
    pose: &Isometry3<f64>,
    ray: &Ray,
    max_time_of_impact: f64,
    solid: bool,
) -> Result<sovo_ray_hit, Failure> {
    let found = (body.shape).ray_cast(pose, ray, max_time_of_impact, solid)?;
    Ok(sovo_ray_hit::of(found.as_ref()))
}

/// The arrays of a batch of rays, each with a body of its own or, with body_stride and pose_stride 0, all with one. Element
/// k of an array begins k strides (bytes) after its first element; a stride of 0 in an array that is only read uses its first
/// element for every ray.
///
/// Start from SOVO_RAY_BATCH_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sovo_ray_batch {
    /// The size, sizeof(sovo_ray_batch).
    pub size: usize,
    /// The number of rays.
    pub count: usize,
    /// The bodies.
    pub bodies: *const sovo_body,
    /// The stride of bodies, bytes.
    pub body_stride: usize,
    /// The poses of the bodies.
    pub poses: *const sovo_pose,
    /// The stride of poses, bytes.
    pub pose_stride: usize,
    /// The first coordinate of the first origin; each is three numbers, metres, world frame.
    pub origins: *const f64,
    /// The stride of origins, bytes; 3 * sizeof(double) where they are contiguous.
    pub origin_stride: usize,
    /// The first coordinate of the first direction; each is three numbers, world frame.
    pub directions: *const f64,
    /// The stride of directions, bytes; 3 * sizeof(double) where they are contiguous.
    pub direction_stride: usize,
    /// The places for the answers.
    pub hits: *mut sovo_ray_hit,
    /// The stride of hits, bytes; at least sizeof(sovo_ray_hit).
    pub hit_stride: usize,
    /// A callback that is called from time to time from the calling thread; NULL for none.
    pub cancel: sovo_cancel,
    /// The pointer that is passed to it.
    pub cancel_data: *mut c_void,
    /// The number of threads that share the work, limited to the number of cores; 0 and 1 mean the calling one. The
    /// answers do not depend on it.
    pub threads: u32,
    /// Reserved, 0.
    pub reserved: u32,
}

// SAFETY: numbers, raw pointers and an optional function pointer.
unsafe impl Plain for sovo_ray_batch {}
// SAFETY: The first field is the size.
unsafe impl Versioned for sovo_ray_batch {
    const DEFAULT: Self = sovo_ray_batch {
        size: 0,
        count: 0,
        bodies: std::ptr::null(),
        body_stride: 0,
        poses: std::ptr::null(),
        pose_stride: 0,
        origins: std::ptr::null(),
        origin_stride: 0,
        directions: std::ptr::null(),
        direction_stride: 0,
        hits: std::ptr::null_mut(),
        hit_stride: 0,
        cancel: None,
        cancel_data: std::ptr::null_mut(),
        threads: 0,
        reserved: 0,
    };

    const FIRST: usize = size_through!(sovo_ray_batch.reserved: u32);
}

batch_struct!(sovo_ray_batch);

/// Casts every ray of a batch as sovo_body_ray_cast() does, to the bit, all with the same limit, as shells or as solid
/// bodies.
///
/// All answers are written once all are found, so that after an error, or a cancellation, hits are unchanged; until then they
/// take 64 bytes of memory a ray. The text of an error names the element.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_ray_cast_batch(
    batch: *const sovo_ray_batch,
    max_time_of_impact: f64,
    solid: i32,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let batch = unsafe { read_batch(batch) }?;
        let count = batch.count;
        let bodies = Strided::new(batch.bodies, count, batch.body_stride, "bodies")?;
        let poses = Strided::new(batch.poses, count, batch.pose_stride, "poses")?;
        let (origins, directions) = (batch.origins.cast(), batch.directions.cast());
        let origins: Strided<[f64; 3]> =
            Strided::new(origins, count, batch.origin_stride, "origins")?;
        let directions: Strided<[f64; 3]> =
            Strided::new(directions, count, batch.direction_stride, "directions")?;
        let hits = StridedOut::new(batch.hits, count, batch.hit_stride, "hits")?;
        let work = batch.work();
        let solve = |first: usize, answers: &mut [sovo_ray_hit]| {
            one_by_one(first, answers, |k| {
                let mut buffer = BodyBuffer::new();
                // SAFETY: k is below the count; the arrays are as the header demands, here and below.
                let body = unsafe { look_at_body(bodies.place(k), "body", &mut buffer) }?;
                // SAFETY: As above.
                let pose = unsafe { poses.get(k) }.isometry("pose")?;
                // SAFETY: As above.
                let (origin, direction) = unsafe { (origins.get(k), directions.get(k)) };
                let (origin, direction) = (origin.into(), direction.into());
                let ray = Ray { origin, direction };
                cast(body, &pose, &ray, max_time_of_impact, solid != 0)
            })
        };
        // SAFETY: the callback is as the header demands.
        let answers = unsafe { work.run(sovo_ray_hit::MISS, solve) }?;
        // SAFETY: the places are as the header demands.
        unsafe { hits.write_all(answers.into_iter()) };
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
        let mut buffer = BodyBuffer::new();
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let body = unsafe { look_at_body(body, "body", &mut buffer) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        // SAFETY: As above, the caller guarantees it.
        let ray = unsafe { read_ray(origin, direction) }?;
        let places = StridedOut::new(hits, capacity, size_of::<sovo_ray_hit>(), "hits")?;
        let total = Out::new(total, "total")?;
        let complete = Out::new(complete, "complete")?;
        let ShapeRef::Superquadric(shape) = body.shape else {
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
        part: u32::MAX,
    };

    fn of(found: Option<&RayHit>) -> Self {
        found.map_or(sovo_ray_hit::MISS, |met| sovo_ray_hit {
            time_of_impact: met.time_of_impact,
            point: met.point.into(),
            normal: met.normal.into_inner().into(),
            hit: 1,
            part: met.part.unwrap_or(u32::MAX),
        })
    }
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_ray_hit {}
