//! Batches of pairs by their indices in a table of bodies, as neighbour lists have them.

use super::batch::{BatchStruct, batch_struct, one_by_one, read_batch, sovo_cancel};
use super::memory::{Plain, Strided, StridedOut, Versioned, size_through};
use super::options::{read_query_options, sovo_query_options};
use super::pair::{PlacedBodies, solve_in_lanes, sovo_contact, sovo_pair_cache};
use super::pose::sovo_pose;
use super::shape::{look_at_element, sovo_superovoid};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use std::ffi::c_void;
use superovoid::Contact;
use superovoid::internals::{contact_of_valid, pair_beyond_by_boxes, validate_options};

/// What is wanted of a pair, as bits that can be added: SOVO_WANTED_NEAR + SOVO_WANTED_DISTANCE is a request too.
///
/// UNSTABLE: may change in any release.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_wanted {
    /// The whole answer.
    SOVO_WANTED_CONTACT = 0,
    /// The distance, its bracket and the outcome; the points and the normal are left zero.
    SOVO_WANTED_DISTANCE = 1,
    /// The answer if the bodies may be within the margin of the batch. Where their bounding spheres, or the boxes of elongated
    /// bodies, prove them farther apart, nothing is solved: the outcome is SOVO_OUTCOME_BEYOND, distance and lower are that
    /// proof, and the cache of the pair stays as it is. Other pairs, also some that are farther apart, have their whole
    /// answer.
    SOVO_WANTED_NEAR = 2,
}
use sovo_wanted::*;

const DISTANCE: u8 = SOVO_WANTED_DISTANCE as u8;
const NEAR: u8 = SOVO_WANTED_NEAR as u8;

/// The arrays of a batch of pairs of bodies that are in one table, each body once: pair k is that of the bodies
/// index_a[k] and index_b[k]. Element k of an array begins k strides (bytes) after its first element, whatever its
/// alignment; a stride of 0 in an array that is only read uses its first element for all.
///
/// Start from SOVO_INDEXED_PAIR_BATCH_INIT.
///
/// UNSTABLE: may change in any release.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sovo_indexed_pair_batch {
    /// The size, sizeof(sovo_indexed_pair_batch).
    pub size: usize,
    /// The number of pairs.
    pub count: usize,
    /// The number of bodies in the table.
    pub body_count: usize,
    /// The poses of the bodies.
    pub poses: *const sovo_pose,
    /// The stride of poses, bytes.
    pub pose_stride: usize,
    /// The number of shapes; without body_shapes at least body_count.
    pub shape_count: usize,
    /// The shapes. Only those of bodies that are in a pair are looked at, and so it is with poses.
    pub shapes: *const sovo_superovoid,
    /// The stride of shapes, bytes.
    pub shape_stride: usize,
    /// The indices of the bodies' shapes; NULL: body k has shape k.
    pub body_shapes: *const u32,
    /// The stride of body_shapes, bytes.
    pub body_shape_stride: usize,
    /// The indices of the bodies A.
    pub index_a: *const u32,
    /// The stride of index_a, bytes.
    pub index_a_stride: usize,
    /// The indices of the bodies B.
    pub index_b: *const u32,
    /// The stride of index_b, bytes.
    pub index_b_stride: usize,
    /// What is wanted of each pair, sums of sovo_wanted; NULL: the whole answer of all.
    pub wanted: *const u8,
    /// The stride of wanted, bytes.
    pub wanted_stride: usize,
    /// The margin of SOVO_WANTED_NEAR, metres, 0 or more; 0 leaves those that touch or may touch.
    pub margin: f64,
    /// The caches, one for each pair, or NULL.
    pub caches: *mut sovo_pair_cache,
    /// The stride of caches, bytes; at least sizeof(sovo_pair_cache).
    pub cache_stride: usize,
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
unsafe impl Plain for sovo_indexed_pair_batch {}
// SAFETY: The first field is the size.
unsafe impl Versioned for sovo_indexed_pair_batch {
    const DEFAULT: Self = sovo_indexed_pair_batch {
        size: 0,
        count: 0,
        body_count: 0,
        poses: std::ptr::null(),
        pose_stride: 0,
        shape_count: 0,
        shapes: std::ptr::null(),
        shape_stride: 0,
        body_shapes: std::ptr::null(),
        body_shape_stride: 0,
        index_a: std::ptr::null(),
        index_a_stride: 0,
        index_b: std::ptr::null(),
        index_b_stride: 0,
        wanted: std::ptr::null(),
        wanted_stride: 0,
        margin: 0.0,
        caches: std::ptr::null_mut(),
        cache_stride: 0,
        contacts: std::ptr::null_mut(),
        contact_stride: 0,
        cancel: None,
        cancel_data: std::ptr::null_mut(),
        threads: 0,
        reserved: 0,
    };
    const FIRST: usize = size_through!(sovo_indexed_pair_batch.reserved: u32);
}

batch_struct!(sovo_indexed_pair_batch);

/// Answers pairs of bodies that are in one table, as sovo_pair_contact_batch() answers those of arrays: the same bits
/// where the whole answer is wanted.
///
/// All answers are written once all are found, so that after an error, or a cancellation, contacts and caches are
/// unchanged; until then they take 112 bytes of memory a pair, and 312 more with caches. The text of an error names the
/// pair as the element.
///
/// SOVO_STATUS_ERROR_SIZE: an index that is not in its table, and all that the other batches refuse.
/// SOVO_STATUS_ERROR_OPTION: a number in wanted that is no sum of sovo_wanted, or a margin that is not 0 or more.
///
/// UNSTABLE: may change in any release.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_indexed_pair_contact_batch(
    batch: *const sovo_indexed_pair_batch,
    options: *const sovo_query_options,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let batch = unsafe { read_batch(batch) }?;
        check_margin(batch.margin)?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_query_options(options) }?;
        validate_options(&options)?;
        let count = batch.count;
        let table = Table::new(&batch)?;
        let contacts = StridedOut::new(batch.contacts, count, batch.contact_stride, "contacts")?;
        let work = batch.work();
        // SAFETY: The arrays are as the header demands.
        let load = |k: usize| unsafe { table.load(k) };
        // SAFETY: As above, and k is below the count.
        let early = |k: usize, bodies: &PlacedBodies| unsafe { table.early(k, bodies) };
        // SAFETY: As above, and k is below the count.
        let wanted = |k: usize, contact| unsafe { table.wanted_part(k, contact) };
        if batch.caches.is_null() {
            let cold = |first: usize, answers: &mut [sovo_contact]| {
                solve_in_lanes(first, answers, load, early, &options)?;
                for (k, answer) in answers.iter_mut().enumerate() {
                    *answer = wanted(first + k, *answer);
                }
                Ok(())
            };
            // SAFETY: the callback is as the header demands.
            let answers = unsafe { work.run(sovo_contact::NONE, cold) }?;
            // SAFETY: the places are as the header demands.
            unsafe { contacts.write_all(answers.iter().copied()) };
            return Ok(());
        }
        let (first, stride) = (batch.caches, batch.cache_stride);
        let new_caches = StridedOut::new(first, count, stride, "caches")?;
        let caches = Strided::new(first.cast_const(), count, stride, "caches")?;
        let warm = |first: usize, answers: &mut [(sovo_contact, sovo_pair_cache)]| {
            one_by_one(first, answers, |k| {
                // SAFETY: k is below the count.
                let mut cache = unsafe { caches.get(k) };
                cache.check()?;
                let bodies = load(k)?;
                if let Some(contact) = early(k, &bodies) {
                    return Ok((wanted(k, (&contact).into()), cache));
                }
                let PlacedBodies {
                    a,
                    pose_a,
                    b,
                    pose_b,
                } = bodies;
                let contents = Some(cache.contents());
                let answer = contact_of_valid(&a, &pose_a, &b, &pose_b, &options, contents)?;
                cache.seal_again();
                Ok((wanted(k, (&answer).into()), cache))
            })
        };
        let empty = (sovo_contact::NONE, sovo_pair_cache::EMPTY);
        // SAFETY: As above, the caller guarantees it.
        let answers = unsafe { work.run(empty, warm) }?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { contacts.write_all(answers.iter().map(|(contact, _)| *contact)) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { new_caches.write_all(answers.iter().map(|(_, cache)| *cache)) };
        Ok(())
    })
}

/// The bodies of an indexed batch, the indices of its pairs, and what is wanted of these.
struct Table {
    body_count: usize,
    poses: Strided<sovo_pose>,
    shape_count: usize,
    shapes: Strided<sovo_superovoid>,
    body_shapes: Option<Strided<u32>>,
    index_a: Strided<u32>,
    index_b: Strided<u32>,
    wanted: Option<Strided<u8>>,
    margin: f64,
}

impl Table {
    fn new(batch: &sovo_indexed_pair_batch) -> Result<Self, Failure> {
        let (count, body_count, shape_count) = (batch.count, batch.body_count, batch.shape_count);
        let body_shapes = (!batch.body_shapes.is_null())
            .then(|| {
                let stride = batch.body_shape_stride;
                Strided::new(batch.body_shapes, body_count, stride, "body_shapes")
            })
            .transpose()?;
        if body_shapes.is_none() && shape_count < body_count {
            return Err(Failure::other(
                SOVO_STATUS_ERROR_SIZE,
                format!(
                    "batch->shape_count = {shape_count}: without body_shapes each of the {body_count} bodies has a shape"
                ),
            ));
        }
        let wanted = (!batch.wanted.is_null())
            .then(|| Strided::new(batch.wanted, count, batch.wanted_stride, "wanted"))
            .transpose()?;
        Ok(Table {
            body_count,
            poses: Strided::new(batch.poses, body_count, batch.pose_stride, "poses")?,
            shape_count,
            shapes: Strided::new(batch.shapes, shape_count, batch.shape_stride, "shapes")?,
            body_shapes,
            index_a: Strided::new(batch.index_a, count, batch.index_a_stride, "index_a")?,
            index_b: Strided::new(batch.index_b, count, batch.index_b_stride, "index_b")?,
            wanted,
            margin: batch.margin,
        })
    }

    /// Returns the bodies of one pair, checked.
    ///
    /// # Safety
    /// `k` must be below the count, and the memory must be as the header demands.
    unsafe fn load(&self, k: usize) -> Result<PlacedBodies<'_>, Failure> {
        // SAFETY: The caller guarantees it, here and below.
        let a = within(unsafe { self.index_a.get(k) }, self.body_count, "index_a")?;
        // SAFETY: As above, the caller guarantees it.
        let b = within(unsafe { self.index_b.get(k) }, self.body_count, "index_b")?;
        if let Some(wanted) = &self.wanted {
            // SAFETY: As above, the caller guarantees it.
            check_wanted(unsafe { wanted.get(k) })?;
        }
        // SAFETY: The index is below the number of bodies, here and below.
        let (shape_a, shape_b) = unsafe { (self.shape_of(a)?, self.shape_of(b)?) };
        // SAFETY: As above; the index of a shape is below their number.
        let shape_a = unsafe { look_at_element(&self.shapes, shape_a, "the shape of body A") }?;
        // SAFETY: As above.
        let shape_b = unsafe { look_at_element(&self.shapes, shape_b, "the shape of body B") }?;
        // SAFETY: As above.
        let (pose_a, pose_b) = unsafe { (self.poses.get(a), self.poses.get(b)) };
        Ok(PlacedBodies {
            a: shape_a,
            pose_a: pose_a.isometry("the pose of body A")?,
            b: shape_b,
            pose_b: pose_b.isometry("the pose of body B")?,
        })
    }

    /// # Safety
    /// `body` must be below the number of bodies, and the memory must be as the header demands.
    unsafe fn shape_of(&self, body: usize) -> Result<usize, Failure> {
        match &self.body_shapes {
            None => Ok(body),
            // SAFETY: The caller guarantees it.
            Some(shapes) => within(unsafe { shapes.get(body) }, self.shape_count, "body_shapes"),
        }
    }

    /// Returns the answer of a pair that is wanted only if it is near, and is proven not to be.
    ///
    /// # Safety
    /// `k` must be below the count, and the memory must be as the header demands.
    #[inline]
    unsafe fn early(&self, k: usize, bodies: &PlacedBodies) -> Option<Contact> {
        // SAFETY: The caller guarantees it.
        let wanted = unsafe { self.wanted.as_ref()?.get(k) };
        let PlacedBodies {
            a,
            pose_a,
            b,
            pose_b,
        } = bodies;
        (wanted & NEAR != 0)
            .then(|| pair_beyond_by_boxes(a, pose_a, b, pose_b, self.margin))
            .flatten()
    }

    /// Returns the part of an answer that is wanted.
    ///
    /// # Safety
    /// `k` must be below the count, and the memory must be as the header demands.
    #[inline]
    unsafe fn wanted_part(&self, k: usize, contact: sovo_contact) -> sovo_contact {
        let whole = SOVO_WANTED_CONTACT as u8;
        // SAFETY: The caller guarantees it.
        let wanted = (self.wanted.as_ref()).map_or(whole, |wanted| unsafe { wanted.get(k) });
        if wanted & DISTANCE == 0 {
            return contact;
        }
        sovo_contact {
            point_a: [0.0; 3],
            point_b: [0.0; 3],
            normal: [0.0; 3],
            ..contact
        }
    }
}

/// Returns the index, if it is below the count.
#[inline]
fn within(index: u32, count: usize, name: &'static str) -> Result<usize, Failure> {
    let place = index as usize;
    if place < count {
        return Ok(place);
    }
    Err(Failure::other(
        SOVO_STATUS_ERROR_SIZE,
        format!("{name} is {index}: the table ends before {count}"),
    ))
}

#[inline]
fn check_wanted(wanted: u8) -> Result<(), Failure> {
    if wanted <= DISTANCE | NEAR {
        return Ok(());
    }
    Err(Failure::other(
        SOVO_STATUS_ERROR_OPTION,
        format!("wanted is {wanted}: not a sum of sovo_wanted"),
    ))
}

fn check_margin(margin: f64) -> Result<(), Failure> {
    if margin >= 0.0 {
        return Ok(());
    }
    Err(Failure::other(
        SOVO_STATUS_ERROR_OPTION,
        format!("batch->margin = {margin}: it must be metres, 0 or more"),
    ))
}
