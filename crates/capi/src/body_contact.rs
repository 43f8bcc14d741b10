//! The contact of two bodies of any kind.

use super::batch::{BatchStruct, batch_struct, one_by_one, read_batch, sovo_cancel};
use super::body::sovo_body_kind::SOVO_BODY_KIND_POINT;
use super::body::{Body, BodyBuffer, look_at_body, sovo_body, unsupported};
use super::memory::{In, Out, Plain, Strided, StridedOut, Versioned, no_memory, size_through};
use super::options::{Options, read_options, sovo_query_options};
use super::pair::{sovo_contact, sovo_outcome::SOVO_OUTCOME_BEYOND};
use super::pose::sovo_pose;
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use nalgebra::Isometry3;
use std::ffi::c_void;
use superovoid::{Contact, PartsContact, QueryError, ShapeRef, vertex_contact};

/// The contact of two parts: of a triangle mesh, a set of boxes or a height field, or a whole body of one piece.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_part_contact {
    /// The contact.
    pub contact: sovo_contact,
    /// The triangles, boxes or prisms of A and of B that it belongs to; UINT32_MAX for a body without parts, and for both where
    /// all parts are farther than the maximum distance.
    pub parts: [u32; 2],
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_part_contact {}

/// The number that stands for a body without parts.
pub(super) const WHOLE: u32 = u32::MAX;

impl sovo_part_contact {
    const NONE: Self = sovo_part_contact {
        contact: sovo_contact::NONE,
        parts: [WHOLE; 2],
    };

    /// The answer of bodies of which all parts are proven to be farther apart than a distance.
    pub(super) fn beyond(max_distance: f64) -> Self {
        sovo_part_contact {
            contact: sovo_contact {
                distance: max_distance,
                lower: max_distance,
                upper: f64::INFINITY,
                outcome: SOVO_OUTCOME_BEYOND as u32,
                ..sovo_contact::NONE
            },
            parts: [WHOLE; 2],
        }
    }
}

impl From<&Contact> for sovo_part_contact {
    #[inline]
    fn from(found: &Contact) -> Self {
        sovo_part_contact {
            contact: found.into(),
            parts: [WHOLE; 2],
        }
    }
}

/// Computes the signed distance of two bodies A and B, of any kinds that the library can compare, with witness points,
/// normal and bracket. Swapping the bodies swaps the points and turns the normal.
///
/// options: NULL for the defaults. parts: NULL, or two numbers for the triangles, boxes or prisms of A and of B to which the
/// contact belongs; UINT32_MAX for a body without parts, and for both where all parts are farther than
/// options->max_distance.
///
/// What is proven, by the kinds of the bodies:
///
/// - Two superovoids are answered as by sovo_pair_contact(), which can start from a cache.
/// - A superovoid and a point are answered as by sovo_vertex_contact(), with its defaults.
/// - Convex bodies that are apart or touch have a bracket that is closed at the tolerance. Where they overlap the distance
///   is minus the least depth, with the bracket that options->depth asks for. Against segments, triangles, boxes and hulls
///   the tolerance of a superovoid is raised to 3e-14 of the distance of the two frames' origins and 6e-14 of the largest
///   coordinate of a vertex.
/// - Half-spaces and planes are answered in closed form. Two of these that are not parallel, or two half-spaces that face the
///   same way, have distance -INFINITY: no translation separates them, and both points are a common point. A mesh, a
///   set of boxes or a height field with parts on both sides of a plane is apart from it where each part is.
/// - A point, a segment or points against anything but a superovoid, half-space or plane are made a hull for the query,
///   which allocates.
/// - Of a mesh, a set of boxes or a height field the answer is that of the part with the least signed distance, and the bracket holds for
///   the least of all parts. Inside a solid mesh the distance is minus the way along the normal at the nearest triangle
///   until the whole body has passed it, with an open bracket that is true of the solid. If all parts are proven to be
///   farther than options->max_distance, the points and the normal are zero.
/// - A superquadric that is apart has a closed bracket, or the answer is SOVO_OUTCOME_NOT_CONVERGED. In overlap the distance
///   is minus the length of a translation that is proven to separate the bodies, SOVO_OUTCOME_CONVERGED. A superovoid that
///   is not convex counts by its hull below and by its own surface above. A point inside has the least of many local
///   minima. One sheet of two answers as every convex body.
///
/// SOVO_STATUS_ERROR_UNSUPPORTED: there is no answer for these two kinds, which the text names. Other errors name the body,
/// as in: b: radius = -1: it must be finite and more than 0 metres.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_contact(
    a: *const sovo_body,
    pose_a: *const sovo_pose,
    b: *const sovo_body,
    pose_b: *const sovo_pose,
    options: *const sovo_query_options,
    contact: *mut sovo_contact,
    parts: *mut u32,
) -> sovo_status {
    guarded(|| {
        let (mut buffer_a, mut buffer_b) = (BodyBuffer::new(), BodyBuffer::new());
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let a = unsafe { look_at_body(a, "a", &mut buffer_a) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_a = unsafe { In::new(pose_a, "pose_a")?.read() }.isometry("pose_a")?;
        // SAFETY: As above, the caller guarantees it.
        let b = unsafe { look_at_body(b, "b", &mut buffer_b) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_b = unsafe { In::new(pose_b, "pose_b")?.read() }.isometry("pose_b")?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_options(options) }?;
        let out = Out::new(contact, "contact")?;
        let found = bodies_contact(a, &pose_a, b, &pose_b, &options)?;
        if !parts.is_null() {
            // SAFETY: As above, the caller guarantees it.
            unsafe { parts.cast::<[u32; 2]>().write_unaligned(found.parts) };
        }
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found.contact) };
        Ok(())
    })
}

/// Returns the contact of two bodies, whichever is named first.
fn bodies_contact(
    a: Body,
    pose_a: &Isometry3<f64>,
    b: Body,
    pose_b: &Isometry3<f64>,
    options: &Options,
) -> Result<sovo_part_contact, Failure> {
    if b.kind == SOVO_BODY_KIND_POINT
        && let Some(found) = point_contact(a, pose_a, pose_b, options)?
    {
        return Ok((&found).into());
    }
    if a.kind == SOVO_BODY_KIND_POINT
        && let Some(found) = point_contact(b, pose_b, pose_a, options)?
    {
        return Ok((&found.swapped()).into());
    }
    let (x, y) = (a.shape, b.shape);
    match x.contact(pose_a, y, pose_b, &options.query) {
        Err(QueryError::Unsupported { .. }) => Err(unsupported("contact", a, b)),
        Err(error) => Err(error.into()),
        Ok(None) => Ok(sovo_part_contact::beyond(options.query.max_distance)),
        Ok(Some(PartsContact { parts, contact, .. })) => Ok(sovo_part_contact {
            contact: (&contact).into(),
            parts: parts_of(x, y, parts),
        }),
    }
}

pub(super) fn check_margin(margin: f64) -> Result<(), Failure> {
    if margin.is_nan() {
        let text = "margin = NaN: it must be metres or infinity";
        return Err(Failure::other(SOVO_STATUS_ERROR_OPTION, text));
    }
    Ok(())
}

/// Returns the parts of an answer as programs see them.
pub(super) fn parts_of(x: ShapeRef, y: ShapeRef, [of_x, of_y]: [u32; 2]) -> [u32; 2] {
    let part = |shape: ShapeRef, part| if shape.has_parts() { part } else { WHOLE };
    [part(x, of_x), part(y, of_y)]
}

/// Returns the contact of a superovoid or superquadric with a point; `None` for other bodies.
fn point_contact(
    a: Body,
    pose_a: &Isometry3<f64>,
    point: &Isometry3<f64>,
    options: &Options,
) -> Result<Option<Contact>, Failure> {
    let point = point.translation.vector.into();
    Ok(match a.shape {
        ShapeRef::Superovoid(a) => Some(vertex_contact(a, pose_a, &point, &options.vertex())?),
        ShapeRef::Superquadric(a) => Some(a.point_contact(pose_a, &point, &options.vertex())?),
        _ => None,
    })
}

/// Finds every two parts of the bodies A and B whose signed distance is at most margin (metres, may be negative or
/// INFINITY), in no particular order: triangles of meshes, boxes of sets, prisms of height fields, and bodies of one piece
/// as a whole. A solid mesh
/// counts by its triangles: what is wholly inside has no contact.
///
/// The function writes as many as capacity allows and sets total to their number; contacts may be NULL if capacity is
/// 0. options: as for sovo_body_contact(), except that max_distance is ignored. The function allocates memory.
///
/// SOVO_STATUS_ERROR_OPTION: a margin that is NaN. Other errors are those of sovo_body_contact().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_contacts(
    a: *const sovo_body,
    pose_a: *const sovo_pose,
    b: *const sovo_body,
    pose_b: *const sovo_pose,
    margin: f64,
    options: *const sovo_query_options,
    contacts: *mut sovo_part_contact,
    capacity: usize,
    total: *mut usize,
) -> sovo_status {
    guarded(|| {
        let (mut buffer_a, mut buffer_b) = (BodyBuffer::new(), BodyBuffer::new());
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let a = unsafe { look_at_body(a, "a", &mut buffer_a) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_a = unsafe { In::new(pose_a, "pose_a")?.read() }.isometry("pose_a")?;
        // SAFETY: As above, the caller guarantees it.
        let b = unsafe { look_at_body(b, "b", &mut buffer_b) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_b = unsafe { In::new(pose_b, "pose_b")?.read() }.isometry("pose_b")?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_options(options) }?.query;
        check_margin(margin)?;
        let stride = size_of::<sovo_part_contact>();
        let places = StridedOut::new(contacts, capacity, stride, "contacts")?;
        let total_out = Out::new(total, "total")?;
        let mut found: Vec<sovo_part_contact> = Vec::new();
        let (mut count, mut memory) = (0, Ok(()));
        let (x, y) = (a.shape, b.shape);
        let visit = |part: PartsContact| {
            count += 1;
            if found.len() < capacity {
                memory = found.try_reserve(1);
                if memory.is_err() {
                    return false;
                }
                found.push(sovo_part_contact {
                    contact: (&part.contact).into(),
                    parts: parts_of(x, y, part.parts),
                });
            }
            true
        };
        match x.contacts(&pose_a, y, &pose_b, margin, &options, visit) {
            Err(QueryError::Unsupported { .. }) => return Err(unsupported("contacts", a, b)),
            done => done?,
        }
        memory.map_err(|_| no_memory(count, stride))?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { places.write_all(found.into_iter()) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { total_out.write(count) };
        Ok(())
    })
}

/// The arrays of a batch of pairs of bodies of any kind. Element k of an array begins k strides (bytes) after its first
/// element; a stride of 0 in an array that is only read uses its first element for every pair.
///
/// Start from SOVO_BODY_BATCH_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sovo_body_batch {
    /// The size, sizeof(sovo_body_batch).
    pub size: usize,
    /// The number of pairs.
    pub count: usize,
    /// The bodies A.
    pub bodies_a: *const sovo_body,
    /// The stride of bodies_a, bytes.
    pub body_a_stride: usize,
    /// The poses of the bodies A.
    pub poses_a: *const sovo_pose,
    /// The stride of poses_a, bytes.
    pub pose_a_stride: usize,
    /// The bodies B.
    pub bodies_b: *const sovo_body,
    /// The stride of bodies_b, bytes.
    pub body_b_stride: usize,
    /// The poses of the bodies B.
    pub poses_b: *const sovo_pose,
    /// The stride of poses_b, bytes.
    pub pose_b_stride: usize,
    /// The places for the answers.
    pub contacts: *mut sovo_part_contact,
    /// The stride of contacts, bytes; at least sizeof(sovo_part_contact).
    pub contact_stride: usize,
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
unsafe impl Plain for sovo_body_batch {}
// SAFETY: The first field is the size.
unsafe impl Versioned for sovo_body_batch {
    const DEFAULT: Self = sovo_body_batch {
        size: 0,
        count: 0,
        bodies_a: std::ptr::null(),
        body_a_stride: 0,
        poses_a: std::ptr::null(),
        pose_a_stride: 0,
        bodies_b: std::ptr::null(),
        body_b_stride: 0,
        poses_b: std::ptr::null(),
        pose_b_stride: 0,
        contacts: std::ptr::null_mut(),
        contact_stride: 0,
        cancel: None,
        cancel_data: std::ptr::null_mut(),
        threads: 0,
        reserved: 0,
    };
    const FIRST: usize = size_through!(sovo_body_batch.reserved: u32);
}

batch_struct!(sovo_body_batch);

/// Answers every pair of a batch as sovo_body_contact() does, to the bit, all with the same options (NULL for the
/// defaults). Many pairs of superovoids are answered faster by sovo_pair_contact_batch().
///
/// All answers are written once all are found, so that after an error, or a cancellation, contacts are unchanged; until
/// then they take 120 bytes of memory a pair. The text of an error names the element.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_contact_batch(
    batch: *const sovo_body_batch,
    options: *const sovo_query_options,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let batch = unsafe { read_batch(batch) }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_options(options) }?;
        let count = batch.count;
        let pairs = BodyArrays::new(&batch)?;
        let contacts = StridedOut::new(batch.contacts, count, batch.contact_stride, "contacts")?;
        let solve = |first: usize, answers: &mut [sovo_part_contact]| {
            one_by_one(first, answers, |k| {
                let contact = |a: Body, pose_a: &_, b: Body, pose_b: &_| {
                    bodies_contact(a, pose_a, b, pose_b, &options)
                };
                // SAFETY: k is below the count, and the arrays are as the header demands.
                unsafe { pairs.with(k, contact) }
            })
        };
        // SAFETY: the callback is as the header demands.
        let answers = unsafe { batch.work().run(sovo_part_contact::NONE, solve) }?;
        // SAFETY: the places are as the header demands.
        unsafe { contacts.write_all(answers.into_iter()) };
        Ok(())
    })
}

/// The bodies of a batch and their poses.
pub(super) struct BodyArrays {
    bodies_a: Strided<sovo_body>,
    poses_a: Strided<sovo_pose>,
    bodies_b: Strided<sovo_body>,
    poses_b: Strided<sovo_pose>,
}

impl BodyArrays {
    pub(super) fn new(batch: &sovo_body_batch) -> Result<Self, Failure> {
        let count = batch.count;
        Ok(BodyArrays {
            bodies_a: Strided::new(batch.bodies_a, count, batch.body_a_stride, "bodies_a")?,
            poses_a: Strided::new(batch.poses_a, count, batch.pose_a_stride, "poses_a")?,
            bodies_b: Strided::new(batch.bodies_b, count, batch.body_b_stride, "bodies_b")?,
            poses_b: Strided::new(batch.poses_b, count, batch.pose_b_stride, "poses_b")?,
        })
    }

    /// Calls a function with the bodies of one pair, checked.
    ///
    /// # Safety
    /// `k` must be below the count, and the memory must be as the header demands.
    pub(super) unsafe fn with<R>(
        &self,
        k: usize,
        call: impl FnOnce(Body, &Isometry3<f64>, Body, &Isometry3<f64>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let (mut buffer_a, mut buffer_b) = (BodyBuffer::new(), BodyBuffer::new());
        // SAFETY: The caller guarantees it, here and below.
        let a = unsafe { look_at_body(self.bodies_a.place(k), "a", &mut buffer_a) }?;
        // SAFETY: As above.
        let pose_a = unsafe { self.poses_a.get(k) }.isometry("pose_a")?;
        // SAFETY: As above.
        let b = unsafe { look_at_body(self.bodies_b.place(k), "b", &mut buffer_b) }?;
        // SAFETY: As above.
        let pose_b = unsafe { self.poses_b.get(k) }.isometry("pose_b")?;
        call(a, &pose_a, b, &pose_b)
    }
}
