//! Contact of two superovoids.

use super::batch::{Batch, one_by_one, sovo_cancel};
use super::memory::{In, Out, Plain, Strided, StridedOut, Versioned, read_sized};
use super::options::{read_query_options, sovo_query_options, zero};
use super::pose::sovo_pose;
use super::shape::{look_at_shape, seal, sovo_shape};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use crate::pair::{PAIRS_PER_BATCH, PairCache, contact_of_valid, solve_batch};
use crate::query::validation::validate_options;
use crate::{Contact, Outcome, Pair, QueryOptions, Superovoid};
use nalgebra::Isometry3;
use std::ffi::c_void;
use std::mem::MaybeUninit;

/// How a query ended.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_outcome {
    /// No query has written here: the value of a contact that is all zero.
    SOVO_OUTCOME_NONE = 0,
    /// The bracket is closed: upper - lower is at most the tolerance.
    SOVO_OUTCOME_CERTIFIED = 1,
    /// Stationary and checked (points on both surfaces, normals opposed, an overlap shown by a common
    /// point), but the bracket is open: a fast depth, or an overlap of bodies that are not convex.
    SOVO_OUTCOME_CONVERGED = 2,
    /// Nothing better than the bracket is known, which is true. While it contains 0 the distance is
    /// its lower end, so that nothing in doubt reads as free.
    SOVO_OUTCOME_NOT_CONVERGED = 3,
    /// Proven to be farther apart than max_distance: distance and lower are that proof, and the points
    /// are not the nearest ones.
    SOVO_OUTCOME_BEYOND = 4,
}
use sovo_outcome::*;

/// The answer of a query, in the world frame, metres.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_contact {
    /// Signed: positive apart, zero touching, negative overlapping, minus the least penetration depth.
    pub distance: f64,
    /// The true signed distance is at least this
    pub lower: f64,
    /// and at most this.
    pub upper: f64,
    /// Witness point on the surface of A.
    pub point_a: [f64; 3],
    /// Witness point on the surface of B: point_a + distance * normal.
    pub point_b: [f64; 3],
    /// Unit vector from A to B.
    pub normal: [f64; 3],
    /// A sovo_outcome.
    pub outcome: u32,
    /// Solver iterations.
    pub iterations: u32,
}

// SAFETY: numbers.
unsafe impl Plain for sovo_contact {}

impl sovo_contact {
    /// All zero: no answer.
    pub const NONE: Self = sovo_contact {
        distance: 0.0,
        lower: 0.0,
        upper: 0.0,
        point_a: [0.0; 3],
        point_b: [0.0; 3],
        normal: [0.0; 3],
        outcome: SOVO_OUTCOME_NONE as u32,
        iterations: 0,
    };
}

impl From<&Contact> for sovo_contact {
    #[inline]
    fn from(contact: &Contact) -> Self {
        sovo_contact {
            distance: contact.distance,
            lower: contact.lower,
            upper: contact.upper,
            point_a: contact.point_a.into(),
            point_b: contact.point_b.into(),
            normal: contact.normal.into_inner().into(),
            outcome: outcome(contact.outcome) as u32,
            iterations: contact.iterations,
        }
    }
}

#[inline]
pub(super) fn outcome(outcome: Outcome) -> sovo_outcome {
    match outcome {
        Outcome::Certified => SOVO_OUTCOME_CERTIFIED,
        Outcome::Converged => SOVO_OUTCOME_CONVERGED,
        Outcome::NotConverged => SOVO_OUTCOME_NOT_CONVERGED,
        Outcome::Beyond => SOVO_OUTCOME_BEYOND,
    }
}

/// Where the last queries of a pair ended, for the next one to start from: it follows a steady motion.
/// The caller's; all zero is empty; a value that can be copied. One that belongs to another pair, or is
/// out of date, costs time but never changes what is proven. Not to be used by two threads at once.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_pair_cache {
    /// The library's.
    pub state: [f64; 38],
    /// A seal over the state; 0 for an empty cache.
    pub seal: u64,
}

// SAFETY: numbers.
unsafe impl Plain for sovo_pair_cache {}

impl sovo_pair_cache {
    const EMPTY: Self = sovo_pair_cache {
        state: [0.0; 38],
        seal: 0,
    };

    /// Whether this is empty or a query has written it.
    #[inline(always)]
    pub(super) fn check(&self) -> Result<(), Failure> {
        let is_zero = || self.seal == 0 && self.bits().all(|word| word == 0);
        if self.seal == seal(self.bits()) || is_zero() {
            Ok(())
        } else {
            Err(not_written())
        }
    }

    /// What a query works on, once [`sovo_pair_cache::check`] has passed; to be sealed again afterwards.
    #[inline(always)]
    pub(super) fn contents(&mut self) -> &mut PairCache {
        const { assert!(size_of::<PairCache>() == size_of::<[f64; 38]>()) };
        // SAFETY: a PairCache is 38 numbers, as its size says, and any bits are a number.
        unsafe { &mut *(&raw mut self.state).cast::<PairCache>() }
    }

    #[inline(always)]
    pub(super) fn seal_again(&mut self) {
        self.seal = if self.contents().is_empty() {
            0
        } else {
            seal(self.bits())
        };
    }

    #[inline(always)]
    fn bits(&self) -> impl Iterator<Item = u64> {
        self.state.iter().map(|x| x.to_bits())
    }
}

#[cold]
fn not_written() -> Failure {
    let text = "cache was neither set to zero nor written by a query";
    Failure::other(SOVO_STATUS_ERROR_CACHE, text)
}

/// Signed distance of two superovoids with witness points, normal and bracket.
///
/// options: NULL for the defaults. cache: NULL, or the pair's; the query starts from it and stores its
/// answer there.
///
/// What is proven: convex bodies apart or touching come back SOVO_OUTCOME_CERTIFIED, their bracket no
/// wider than the tolerance. Overlaps come back SOVO_OUTCOME_CERTIFIED where their depth is proven to be
/// the least, which is asked for by SOVO_DEPTH_CERTIFIED, else SOVO_OUTCOME_CONVERGED. A negative distance
/// is only ever reported with a common point shown to exist, a positive lower bound only with a proof.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_pair_contact(
    shape_a: *const sovo_shape,
    pose_a: *const sovo_pose,
    shape_b: *const sovo_shape,
    pose_b: *const sovo_pose,
    options: *const sovo_query_options,
    cache: *mut sovo_pair_cache,
    contact: *mut sovo_contact,
) -> sovo_status {
    guarded(|| {
        let (mut place_a, mut place_b) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: this pointer and those that follow are as the header demands.
        let a = unsafe { look_at_shape(shape_a, "shape_a", &mut place_a) }?;
        // SAFETY: as above.
        let pose_a = unsafe { In::new(pose_a, "pose_a")?.read() }.checked_isometry('A')?;
        // SAFETY: as above.
        let b = unsafe { look_at_shape(shape_b, "shape_b", &mut place_b) }?;
        // SAFETY: as above.
        let pose_b = unsafe { In::new(pose_b, "pose_b")?.read() }.checked_isometry('B')?;
        let given;
        let options = if options.is_null() {
            &QueryOptions::DEFAULT
        } else {
            // SAFETY: as above.
            given = unsafe { read_query_options(options) }?;
            validate_options(&given)?;
            &given
        };
        let out = Out::new(contact, "contact")?;
        if cache.is_null() {
            let answer = contact_of_valid(a, &pose_a, b, &pose_b, options, None)?;
            // SAFETY: as above.
            unsafe { out.write((&answer).into()) };
            return Ok(());
        }
        let mut copy = sovo_pair_cache::EMPTY;
        let aligned = cache.is_aligned();
        let place = if aligned {
            // SAFETY: as above. Memory of another input does not pass the check of a cache.
            unsafe { &mut *cache }
        } else {
            // SAFETY: as above.
            copy = unsafe { cache.read_unaligned() };
            &mut copy
        };
        place.check()?;
        // Writes to the cache last, and only if it has an answer.
        let warm = Some(place.contents());
        let answer = contact_of_valid(a, &pose_a, b, &pose_b, options, warm)?;
        place.seal_again();
        if !aligned {
            // SAFETY: as above.
            unsafe { cache.write_unaligned(copy) };
        }
        // SAFETY: as above.
        unsafe { out.write((&answer).into()) };
        Ok(())
    })
}

/// Many pairs at once. Element k of an array begins k strides (bytes) after its first element; a
/// stride of 0 in an array that is only read uses its first element for every pair.
///
/// Start from SOVO_PAIR_BATCH_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sovo_pair_batch {
    /// sizeof(sovo_pair_batch).
    pub size: usize,
    /// Number of pairs.
    pub count: usize,
    /// Bodies A.
    pub shapes_a: *const sovo_shape,
    /// Bytes.
    pub shape_a_stride: usize,
    /// Their poses.
    pub poses_a: *const sovo_pose,
    /// Bytes.
    pub pose_a_stride: usize,
    /// Bodies B.
    pub shapes_b: *const sovo_shape,
    /// Bytes.
    pub shape_b_stride: usize,
    /// Their poses.
    pub poses_b: *const sovo_pose,
    /// Bytes.
    pub pose_b_stride: usize,
    /// A cache for each pair, or NULL.
    pub caches: *mut sovo_pair_cache,
    /// Bytes; at least sizeof(sovo_pair_cache).
    pub cache_stride: usize,
    /// Places for the answers.
    pub contacts: *mut sovo_contact,
    /// Bytes; at least sizeof(sovo_contact).
    pub contact_stride: usize,
    /// Called now and then from the calling thread; NULL for none.
    pub cancel: sovo_cancel,
    /// Passed to it.
    pub cancel_data: *mut c_void,
    /// How many threads share the work, no more than the machine has cores. 0 and 1: only the calling
    /// one. The answers do not depend on it.
    pub threads: u32,
    /// 0.
    pub reserved: u32,
}

// SAFETY: numbers, raw pointers and an optional function pointer.
unsafe impl Plain for sovo_pair_batch {}
// SAFETY: the size comes first.
unsafe impl Versioned for sovo_pair_batch {
    const ZERO: Self = sovo_pair_batch {
        size: 0,
        count: 0,
        shapes_a: std::ptr::null(),
        shape_a_stride: 0,
        poses_a: std::ptr::null(),
        pose_a_stride: 0,
        shapes_b: std::ptr::null(),
        shape_b_stride: 0,
        poses_b: std::ptr::null(),
        pose_b_stride: 0,
        caches: std::ptr::null_mut(),
        cache_stride: 0,
        contacts: std::ptr::null_mut(),
        contact_stride: 0,
        cancel: None,
        cancel_data: std::ptr::null_mut(),
        threads: 0,
        reserved: 0,
    };
}

/// sovo_pair_contact() of every pair of a batch, all with the same options (NULL for the defaults).
///
/// Answers agree with those of single calls within the tolerance, but need not have the same last bits, and an
/// overlap whose depth is searched for may be proven by one and not by the other. They depend neither on the
/// number of threads nor on the other pairs.
///
/// All answers are written once all are found, so that on an error, or when cancelled, contacts and
/// caches are as they were; until then they take 112 bytes of memory a pair, and 312 more with caches.
/// The text of an error names the element.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_pair_contact_batch(
    batch: *const sovo_pair_batch,
    options: *const sovo_query_options,
) -> sovo_status {
    guarded(|| {
        // SAFETY: this pointer and those that follow are as the header demands.
        let Some(batch) = (unsafe { read_sized(batch, "batch") })? else {
            return Err(Failure::Null("batch"));
        };
        zero(batch.reserved, "batch->reserved")?;
        // SAFETY: as above.
        let options = unsafe { read_query_options(options) }?;
        validate_options(&options)?;
        let count = batch.count;
        let shapes_a = Strided::new(batch.shapes_a, count, batch.shape_a_stride, "shapes_a")?;
        let poses_a = Strided::new(batch.poses_a, count, batch.pose_a_stride, "poses_a")?;
        let shapes_b = Strided::new(batch.shapes_b, count, batch.shape_b_stride, "shapes_b")?;
        let poses_b = Strided::new(batch.poses_b, count, batch.pose_b_stride, "poses_b")?;
        let contacts = StridedOut::new(batch.contacts, count, batch.contact_stride, "contacts")?;
        let work = Batch {
            count,
            threads: batch.threads,
            cancel: batch.cancel,
            cancel_data: batch.cancel_data,
        };
        let load = |k: usize| -> Result<PlacedBodies, Failure> {
            // SAFETY: k is below the count.
            let (a, b) = unsafe { (shapes_a.get(k), shapes_b.get(k)) };
            let (a, b) = (*a.superovoid("shape_a")?, *b.superovoid("shape_b")?);
            // SAFETY: as above.
            let (pose_a, pose_b) = unsafe { (poses_a.get(k), poses_b.get(k)) };
            Ok(PlacedBodies {
                a,
                pose_a: pose_a.checked_isometry('A')?,
                b,
                pose_b: pose_b.checked_isometry('B')?,
            })
        };
        if batch.caches.is_null() {
            let cold = |first: usize, answers: &mut [sovo_contact]| {
                together(first, answers, load, &options)
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
                let PlacedBodies {
                    a,
                    pose_a,
                    b,
                    pose_b,
                } = load(k)?;
                let contents = Some(cache.contents());
                let answer = contact_of_valid(&a, &pose_a, &b, &pose_b, &options, contents)?;
                cache.seal_again();
                Ok(((&answer).into(), cache))
            })
        };
        let empty = (sovo_contact::NONE, sovo_pair_cache::EMPTY);
        // SAFETY: as above.
        let answers = unsafe { work.run(empty, warm) }?;
        // SAFETY: as above.
        unsafe { contacts.write_all(answers.iter().map(|(contact, _)| *contact)) };
        // SAFETY: as above.
        unsafe { new_caches.write_all(answers.iter().map(|(_, cache)| *cache)) };
        Ok(())
    })
}

/// The bodies of one pair of a batch, checked.
struct PlacedBodies {
    a: Superovoid,
    pose_a: Isometry3<f64>,
    b: Superovoid,
    pose_b: Isometry3<f64>,
}

/// Solves the elements of a chunk in the lanes of the processor; an error comes with its element.
fn together(
    first: usize,
    answers: &mut [sovo_contact],
    load: impl Fn(usize) -> Result<PlacedBodies, Failure>,
    options: &QueryOptions,
) -> Result<(), Failure> {
    let at_element = |k: usize, failure| Failure::Element(first + k, Box::new(failure));
    for (k, answers) in answers.chunks_mut(PAIRS_PER_BATCH).enumerate() {
        let k = k * PAIRS_PER_BATCH;
        let mut failed = None;
        let loaded: [Option<PlacedBodies>; PAIRS_PER_BATCH] = std::array::from_fn(|i| {
            if i >= answers.len() || failed.is_some() {
                return None;
            }
            load(first + k + i)
                .map_err(|failure| failed = Some(at_element(k + i, failure)))
                .ok()
        });
        let Some(some) = loaded.iter().flatten().next() else {
            return failed.map_or(Ok(()), Err);
        };
        let pairs: [Pair; PAIRS_PER_BATCH] = std::array::from_fn(|i| {
            let placed = loaded[i].as_ref().unwrap_or(some);
            Pair {
                a: &placed.a,
                pose_a: &placed.pose_a,
                b: &placed.b,
                pose_b: &placed.pose_b,
            }
        });
        let count = loaded.iter().flatten().count();
        let mut contacts = [Contact::default(); PAIRS_PER_BATCH];
        solve_batch(&pairs[..count], &mut contacts[..count], options)
            .map_err(|e| at_element(k + e.index, e.error.into()))?;
        // An error of an earlier element comes first.
        if let Some(failure) = failed {
            return Err(failure);
        }
        for (answer, contact) in answers.iter_mut().zip(&contacts) {
            *answer = contact.into();
        }
    }
    Ok(())
}
