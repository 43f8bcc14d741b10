//! Contact of a superovoid and a segment, triangle, box or hull of points.

use super::memory::{Out, read_numbers, read_point, read_points};
use super::options::{read_query_options, sovo_query_options};
use super::pair::sovo_contact;
use super::pose::{read_pose, sovo_pose};
use super::shape::{read_shape, sovo_shape};
use super::status::{Failure, guarded, sovo_status};
use nalgebra::{Isometry3, Point3};
use superovoid::polytope::{Cuboid, Polytope, PolytopeError, Segment, Triangle, polytope_contact};

/// Computes the signed distance of a superovoid A and the segment B between two points, three numbers each, metres,
/// world frame. The ends may coincide. A segment, like a triangle, has no interior: its depth is the length of the
/// least translation that separates it.
///
/// options: NULL for the defaults. What is proven is as in sovo_pair_contact(), but the tolerance is raised to 3e-14
/// of the distance of the two frames' origins and 6e-14 of the largest coordinate of a vertex.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_segment_contact(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    from: *const f64,
    to: *const f64,
    options: *const sovo_query_options,
    contact: *mut sovo_contact,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        answer(shape, pose, options, contact, || {
            // SAFETY: As above, the caller guarantees it.
            let from = read_point(from, "from")?;
            // SAFETY: As above, the caller guarantees it.
            let to = read_point(to, "to")?;
            Ok((Segment::new(from, to)?, Isometry3::identity()))
        })
    }
}

/// Computes the signed distance of a superovoid A and a two-sided triangle B, world frame. corners: nine numbers,
/// metres, one corner after the other, in either order. The triangle may be degenerate.
///
/// Options and proof are as for sovo_segment_contact().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_triangle_contact(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    corners: *const f64,
    options: *const sovo_query_options,
    contact: *mut sovo_contact,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        answer(shape, pose, options, contact, || {
            // SAFETY: As above, the caller guarantees it.
            let [ax, ay, az, bx, by, bz, cx, cy, cz] = read_numbers(corners, "corners")?;
            let corners = [[ax, ay, az], [bx, by, bz], [cx, cy, cz]].map(Point3::from);
            Ok((Triangle::new(corners)?, Isometry3::identity()))
        })
    }
}

/// Computes the signed distance of a superovoid A and a solid box B with its centre at the origin of box_pose and
/// edges along its axes. half_extents: three numbers, metres, at least 0.
///
/// Options and proof are as for sovo_segment_contact().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_box_contact(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    half_extents: *const f64,
    box_pose: *const sovo_pose,
    options: *const sovo_query_options,
    contact: *mut sovo_contact,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        answer(shape, pose, options, contact, || {
            // SAFETY: As above, the caller guarantees it.
            let half_extents = read_numbers(half_extents, "half_extents")?;
            // SAFETY: As above, the caller guarantees it.
            let box_pose = read_pose(box_pose, "box_pose")?;
            Ok((Cuboid::new(half_extents)?, box_pose))
        })
    }
}

/// Computes the signed distance of a superovoid A and the convex hull B of points in the frame of hull_pose. points:
/// the first coordinate of the first of count points, three numbers each, metres, stride bytes from one to the next.
/// Points inside the hull, duplicates and flat sets are allowed; each costs time.
///
/// Options and proof are as for sovo_segment_contact(). Points that are not contiguous and aligned are copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_hull_contact(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    points: *const f64,
    count: usize,
    stride: usize,
    hull_pose: *const sovo_pose,
    options: *const sovo_query_options,
    contact: *mut sovo_contact,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        answer(shape, pose, options, contact, || {
            // SAFETY: As above, the caller guarantees it.
            let points = read_points(points, count, stride, "points")?;
            if points.is_empty() {
                return Err(PolytopeError::Empty.into());
            }
            // SAFETY: As above, the caller guarantees it.
            let hull_pose = read_pose(hull_pose, "hull_pose")?;
            Ok((Hull(points), hull_pose))
        })
    }
}

/// The hull of a program's points.
pub(super) struct Hull<'a>(pub std::borrow::Cow<'a, [Point3<f64>]>);

impl Polytope for Hull<'_> {
    fn vertices(&self) -> &[Point3<f64>] {
        &self.0
    }
}

/// # Safety
/// The pointers must be as the header demands.
unsafe fn answer<P: Polytope>(
    shape: *const sovo_shape,
    pose: *const sovo_pose,
    options: *const sovo_query_options,
    contact: *mut sovo_contact,
    polytope: impl FnOnce() -> Result<(P, Isometry3<f64>), Failure>,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller guarantees it, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        let (polytope, polytope_pose) = polytope()?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_query_options(options) }?;
        let out = Out::new(contact, "contact")?;
        let found = polytope_contact(&shape, &pose, &polytope, &polytope_pose, &options)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write((&found).into()) };
        Ok(())
    })
}
