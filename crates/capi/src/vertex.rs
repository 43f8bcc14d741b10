//! Contact of a superovoid and vertices.

use super::batch::{BatchStruct, CHUNK, batch_struct, read_batch, sovo_cancel};
use super::memory::{Out, Plain, Strided, StridedOut, Versioned, read_point, size_through};
use super::options::{read_vertex_options, sovo_vertex_options};
use super::pair::sovo_contact;
use super::pose::{read_pose, sovo_pose};
use super::shape::{read_shape, sovo_superovoid};
use super::status::{Failure, guarded, sovo_status};
use nalgebra::Point3;
use std::ffi::c_void;
use superovoid::internals::{GROUP, PlacedBody};
use superovoid::{Contact, vertex_contact};

/// Computes the signed distance of a superovoid A and a vertex B, three numbers, metres, world frame: negative
/// inside, where the bracket is one of the least distance to the surface. The normal points out of the surface.
///
/// options: NULL for the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_vertex_contact(
    shape: *const sovo_superovoid,
    pose: *const sovo_pose,
    point: *const f64,
    options: *const sovo_vertex_options,
    contact: *mut sovo_contact,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        // SAFETY: As above, the caller guarantees it.
        let point = unsafe { read_point(point, "point") }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_vertex_options(options) }?;
        let out = Out::new(contact, "contact")?;
        let answer = vertex_contact(&shape, &pose, &point, &options)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write((&answer).into()) };
        Ok(())
    })
}

/// The arrays of a batch of vertices against one superovoid. Start from SOVO_VERTEX_BATCH_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sovo_vertex_batch {
    /// The size, sizeof(sovo_vertex_batch).
    pub size: usize,
    /// The number of vertices.
    pub count: usize,
    /// The first coordinate of the first vertex; each is three numbers, metres, world frame.
    pub points: *const f64,
    /// The stride of points, bytes; 3 * sizeof(double) where the vertices are contiguous.
    pub point_stride: usize,
    /// The places for the answers.
    pub contacts: *mut sovo_contact,
    /// The stride of contacts, bytes; at least sizeof(sovo_contact).
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
unsafe impl Plain for sovo_vertex_batch {}
// SAFETY: The first field is the size.
unsafe impl Versioned for sovo_vertex_batch {
    const DEFAULT: Self = sovo_vertex_batch {
        size: 0,
        count: 0,
        points: std::ptr::null(),
        point_stride: 0,
        contacts: std::ptr::null_mut(),
        contact_stride: 0,
        cancel: None,
        cancel_data: std::ptr::null_mut(),
        threads: 0,
        reserved: 0,
    };
    const FIRST: usize = size_through!(sovo_vertex_batch.reserved: u32);
}

batch_struct!(sovo_vertex_batch);

/// Answers every vertex of a batch as sovo_vertex_contact() does. With options->max_distance, groups of 64
/// consecutive vertices whose box is farther away than that are answered as a whole.
///
/// The answers agree with those of single calls within the tolerance, and prove as much, but need not have the same
/// last bits. They depend neither on the number of threads nor, apart from those groups, on the other vertices.
///
/// All answers are written once all are found, so that after an error, or a cancellation, they are unchanged; until
/// then they take 112 bytes of memory a vertex. The text of an error names the vertex.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_vertex_contact_batch(
    shape: *const sovo_superovoid,
    pose: *const sovo_pose,
    batch: *const sovo_vertex_batch,
    options: *const sovo_vertex_options,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        // SAFETY: As above, the caller guarantees it.
        let batch = unsafe { read_batch(batch) }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_vertex_options(options) }?;
        let (count, first) = (batch.count, batch.points.cast::<[f64; 3]>());
        let points = Strided::new(first, count, batch.point_stride, "points")?;
        let contacts = StridedOut::new(batch.contacts, count, batch.contact_stride, "contacts")?;
        let body = PlacedBody::new(&shape, &pose, &options)?;
        let work = batch.work();
        // A chunk is a group.
        const { assert!(CHUNK == GROUP) };
        let solve = |first: usize, answers: &mut [sovo_contact]| {
            let mut here = [Point3::origin(); GROUP];
            let mut found = [Contact::default(); GROUP];
            let (here, found) = (&mut here[..answers.len()], &mut found[..answers.len()]);
            for (k, point) in here.iter_mut().enumerate() {
                // SAFETY: the index is below the count.
                *point = Point3::from(unsafe { points.get(first + k) });
            }
            body.solve_group(first, here, found)
                .map_err(|(index, error)| Failure::Element(index, Box::new(error.into())))?;
            for (answer, contact) in answers.iter_mut().zip(found) {
                *answer = (&*contact).into();
            }
            Ok(())
        };
        // SAFETY: the callback is as the header demands.
        let answers = unsafe { work.run(sovo_contact::NONE, solve) }?;
        // SAFETY: the places are as the header demands.
        unsafe { contacts.write_all(answers.into_iter()) };
        Ok(())
    })
}
