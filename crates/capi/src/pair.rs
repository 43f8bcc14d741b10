//! Contact of two superovoids.

use super::batch::{BatchStruct, batch_struct, one_by_one, read_batch, sovo_cancel};
use super::memory::{In, Out, Plain, Strided, StridedOut, Versioned, size_through};
use super::options::{chosen, read_query_options, sovo_query_options};
use super::pose::sovo_pose;
use super::shape::{look_at_element, look_at_shape, seal, sovo_superovoid};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use nalgebra::{Isometry3, Unit};
use std::borrow::Cow;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use superovoid::PairCache;
use superovoid::internals::{PAIRS_PER_BATCH, contact_of_valid, solve_batch, validate_options};
use superovoid::{Contact, Outcome, Pair, QueryOptions, Superovoid};

/// How a query ended.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_outcome {
    /// No query has written here: this is the value of a contact that is all zero.
    SOVO_OUTCOME_NONE = 0,
    /// The bracket is closed: upper - lower is at most the tolerance.
    SOVO_OUTCOME_CERTIFIED = 1,
    /// The answer is stationary and checked (its points lie on both surfaces, the normals are opposed, a common point
    /// proves the overlap), but its bracket is open: it is a fast depth, an overlap of bodies that are not convex, or any
    /// answer of a body with an exponent within 1e-6 of 0 or 2, of which rounding proves nothing.
    SOVO_OUTCOME_CONVERGED = 2,
    /// Only the bracket is known, which is true. While it contains 0 the distance is its lower end, so that nothing
    /// in doubt reads as free.
    SOVO_OUTCOME_NOT_CONVERGED = 3,
    /// The bodies are proven to be farther apart than max_distance: distance and lower are that proof, and the points
    /// are not the nearest ones.
    SOVO_OUTCOME_BEYOND = 4,
}
use sovo_outcome::*;

/// The answer of a query, in the world frame, metres.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_contact {
    /// The signed distance: positive apart, zero touching, negative overlapping, minus the least penetration depth.
    pub distance: f64,
    /// The true signed distance is at least this.
    pub lower: f64,
    /// The true signed distance is at most this.
    pub upper: f64,
    /// The witness point on the surface of A.
    pub point_a: [f64; 3],
    /// The witness point on the surface of B: point_a + distance * normal.
    pub point_b: [f64; 3],
    /// The unit vector from A to B.
    pub normal: [f64; 3],
    /// The outcome, a sovo_outcome.
    pub outcome: u32,
    /// The number of solver iterations.
    pub iterations: u32,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_contact {}

impl sovo_contact {
    /// The value that is all zero: no answer.
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

impl sovo_contact {
    /// Returns the answer of a query that a program hands back.
    pub(super) fn contact(&self) -> Result<Contact, Failure> {
        let outcomes = [
            (SOVO_OUTCOME_CERTIFIED as u32, Outcome::Certified),
            (SOVO_OUTCOME_CONVERGED as u32, Outcome::Converged),
            (SOVO_OUTCOME_NOT_CONVERGED as u32, Outcome::NotConverged),
            (SOVO_OUTCOME_BEYOND as u32, Outcome::Beyond),
        ];
        let mut contact = Contact::default();
        [contact.distance, contact.lower, contact.upper] = [self.distance, self.lower, self.upper];
        contact.point_a = self.point_a.into();
        contact.point_b = self.point_b.into();
        contact.normal = Unit::new_unchecked(self.normal.into());
        contact.outcome = chosen(
            self.outcome,
            outcomes,
            "contact->outcome",
            "sovo_outcome of an answer",
        )?;
        contact.iterations = self.iterations;
        Ok(contact)
    }
}

#[inline]
pub(super) fn outcome(outcome: Outcome) -> sovo_outcome {
    match outcome {
        Outcome::Certified => SOVO_OUTCOME_CERTIFIED,
        Outcome::Converged => SOVO_OUTCOME_CONVERGED,
        Outcome::Beyond => SOVO_OUTCOME_BEYOND,
        _ => SOVO_OUTCOME_NOT_CONVERGED,
    }
}

/// The warm-start data of one pair, owned by the caller: the next query starts from the last answers and follows a
/// steady motion. All zero is an empty cache, and a cache can be copied. One that belongs to another pair, or is out
/// of date, costs time but never changes what is proven. Two threads must not use one cache at the same time.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_pair_cache {
    /// The state, for the library only.
    pub state: [f64; 38],
    /// A checksum of the state; 0 for an empty cache.
    pub seal: u64,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_pair_cache {}

impl sovo_pair_cache {
    pub(super) const EMPTY: Self = sovo_pair_cache {
        state: [0.0; 38],
        seal: 0,
    };

    /// Whether the cache is empty or was written by a query.
    #[inline(always)]
    pub(super) fn check(&self) -> Result<(), Failure> {
        let is_zero = || self.seal == 0 && self.bits().all(|word| word == 0);
        if self.seal == seal(self.bits()) || is_zero() {
            Ok(())
        } else {
            Err(not_written())
        }
    }

    /// Returns the state on which a query works, once [`sovo_pair_cache::check`] has passed; it is sealed again
    /// afterwards.
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

/// Computes the signed distance of two superovoids, with witness points, normal and bracket.
///
/// options: NULL for the defaults. cache: NULL, or the cache of the pair; the query starts from it and stores its
/// answer there.
///
/// Convex bodies that are apart or touch have the outcome SOVO_OUTCOME_CERTIFIED, with a bracket no wider than the
/// tolerance, unless an exponent is within 1e-6 of 0 or 2. Overlaps have SOVO_OUTCOME_CERTIFIED where their depth is proven
/// to be the least, which SOVO_DEPTH_CERTIFIED requests, otherwise SOVO_OUTCOME_CONVERGED. A negative distance is only
/// reported if a common point is proven to exist, a positive lower bound only with a proof.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_pair_contact(
    shape_a: *const sovo_superovoid,
    pose_a: *const sovo_pose,
    shape_b: *const sovo_superovoid,
    pose_b: *const sovo_pose,
    options: *const sovo_query_options,
    cache: *mut sovo_pair_cache,
    contact: *mut sovo_contact,
) -> sovo_status {
    guarded(|| {
        let (mut place_a, mut place_b) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let a = unsafe { look_at_shape(shape_a, "shape_a", &mut place_a) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_a = unsafe { In::new(pose_a, "pose_a")?.read() }.isometry("pose_a")?;
        // SAFETY: As above, the caller guarantees it.
        let b = unsafe { look_at_shape(shape_b, "shape_b", &mut place_b) }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_b = unsafe { In::new(pose_b, "pose_b")?.read() }.isometry("pose_b")?;
        let given;
        let options = if options.is_null() {
            &QueryOptions::DEFAULT
        } else {
            // SAFETY: As above, the caller guarantees it.
            given = unsafe { read_query_options(options) }?;
            validate_options(&given)?;
            &given
        };
        let out = Out::new(contact, "contact")?;
        if cache.is_null() {
            let answer = contact_of_valid(a, &pose_a, b, &pose_b, options, None)?;
            // SAFETY: As above, the caller guarantees it.
            unsafe { out.write((&answer).into()) };
            return Ok(());
        }
        let mut copy = sovo_pair_cache::EMPTY;
        let aligned = cache.is_aligned();
        let place = if aligned {
            // SAFETY: As above; the memory of another input does not pass the check of a cache.
            unsafe { &mut *cache }
        } else {
            // SAFETY: As above, the caller guarantees it.
            copy = unsafe { cache.read_unaligned() };
            &mut copy
        };
        place.check()?;
        // The cache is written last, and only if there is an answer.
        let warm = Some(place.contents());
        let answer = contact_of_valid(a, &pose_a, b, &pose_b, options, warm)?;
        place.seal_again();
        if !aligned {
            // SAFETY: As above, the caller guarantees it.
            unsafe { cache.write_unaligned(copy) };
        }
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write((&answer).into()) };
        Ok(())
    })
}

/// The arrays of a batch of pairs. Element k of an array begins k strides (bytes) after its first element; a stride
/// of 0 in an array that is only read uses its first element for every pair.
///
/// Start from SOVO_PAIR_BATCH_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sovo_pair_batch {
    /// The size, sizeof(sovo_pair_batch).
    pub size: usize,
    /// The number of pairs.
    pub count: usize,
    /// The bodies A.
    pub shapes_a: *const sovo_superovoid,
    /// The stride of shapes_a, bytes.
    pub shape_a_stride: usize,
    /// The poses of the bodies A.
    pub poses_a: *const sovo_pose,
    /// The stride of poses_a, bytes.
    pub pose_a_stride: usize,
    /// The bodies B.
    pub shapes_b: *const sovo_superovoid,
    /// The stride of shapes_b, bytes.
    pub shape_b_stride: usize,
    /// The poses of the bodies B.
    pub poses_b: *const sovo_pose,
    /// The stride of poses_b, bytes.
    pub pose_b_stride: usize,
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
unsafe impl Plain for sovo_pair_batch {}
// SAFETY: The first field is the size.
unsafe impl Versioned for sovo_pair_batch {
    const DEFAULT: Self = sovo_pair_batch {
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
    const FIRST: usize = size_through!(sovo_pair_batch.reserved: u32);
}

batch_struct!(sovo_pair_batch);

/// Answers every pair of a batch as sovo_pair_contact() does, all with the same options (NULL for the defaults).
///
/// The answers agree with those of single calls within the tolerance, but need not have the same last bits, and an
/// overlap whose depth is searched for may be proven by one and not by the other. They depend neither on the number
/// of threads nor on the other pairs.
///
/// All answers are written once all are found, so that after an error, or a cancellation, contacts and caches are
/// unchanged; until then they take 112 bytes of memory a pair, and 312 more with caches. The text of an error names
/// the element.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_pair_contact_batch(
    batch: *const sovo_pair_batch,
    options: *const sovo_query_options,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let batch = unsafe { read_batch(batch) }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_query_options(options) }?;
        validate_options(&options)?;
        let count = batch.count;
        let pairs = PairArrays::new(&batch)?;
        let contacts = StridedOut::new(batch.contacts, count, batch.contact_stride, "contacts")?;
        let work = batch.work();
        // SAFETY: The arrays are as the header demands.
        let load = |k: usize| unsafe { pairs.load(k) };
        if batch.caches.is_null() {
            let cold = |first: usize, answers: &mut [sovo_contact]| {
                solve_in_lanes(first, answers, load, |_, _| None, &options)
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
        // SAFETY: As above, the caller guarantees it.
        let answers = unsafe { work.run(empty, warm) }?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { contacts.write_all(answers.iter().map(|(contact, _)| *contact)) };
        // SAFETY: As above, the caller guarantees it.
        unsafe { new_caches.write_all(answers.iter().map(|(_, cache)| *cache)) };
        Ok(())
    })
}

/// The bodies of a batch of pairs.
pub(super) struct PairArrays {
    shapes_a: Strided<sovo_superovoid>,
    poses_a: Strided<sovo_pose>,
    shapes_b: Strided<sovo_superovoid>,
    poses_b: Strided<sovo_pose>,
}

impl PairArrays {
    pub(super) fn new(batch: &sovo_pair_batch) -> Result<Self, Failure> {
        let count = batch.count;
        Ok(PairArrays {
            shapes_a: Strided::new(batch.shapes_a, count, batch.shape_a_stride, "shapes_a")?,
            poses_a: Strided::new(batch.poses_a, count, batch.pose_a_stride, "poses_a")?,
            shapes_b: Strided::new(batch.shapes_b, count, batch.shape_b_stride, "shapes_b")?,
            poses_b: Strided::new(batch.poses_b, count, batch.pose_b_stride, "poses_b")?,
        })
    }

    /// Returns the bodies of one pair, checked.
    ///
    /// # Safety
    /// `k` must be below the count, and the memory must be as the header demands.
    pub(super) unsafe fn load(&self, k: usize) -> Result<PlacedBodies<'_>, Failure> {
        // SAFETY: The caller guarantees it.
        let a = unsafe { look_at_element(&self.shapes_a, k, "shape_a") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_a = unsafe { self.poses_a.get(k) }.isometry("pose_a")?;
        // SAFETY: As above, the caller guarantees it.
        let b = unsafe { look_at_element(&self.shapes_b, k, "shape_b") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_b = unsafe { self.poses_b.get(k) }.isometry("pose_b")?;
        Ok(PlacedBodies {
            a,
            pose_a,
            b,
            pose_b,
        })
    }
}

/// The bodies of one pair of a batch.
pub(super) struct PlacedBodies<'a> {
    pub a: Cow<'a, Superovoid>,
    pub pose_a: Isometry3<f64>,
    pub b: Cow<'a, Superovoid>,
    pub pose_b: Isometry3<f64>,
}

/// Solves the elements of a chunk in the lanes of the processor, except those to which `early` has the answer, which take
/// no lane; an error comes with its element.
pub(super) fn solve_in_lanes<'a>(
    first: usize,
    answers: &mut [sovo_contact],
    load: impl Fn(usize) -> Result<PlacedBodies<'a>, Failure>,
    early: impl Fn(usize, &PlacedBodies) -> Option<Contact>,
    options: &QueryOptions,
) -> Result<(), Failure> {
    let mut waiting = Waiting::new(first);
    for k in 0..answers.len() {
        let bodies = match load(first + k) {
            Ok(bodies) => bodies,
            Err(failure) => {
                // An error of an earlier element comes first.
                waiting.solve(answers, options)?;
                return Err(Failure::Element(first + k, Box::new(failure)));
            }
        };
        if let Some(contact) = early(first + k, &bodies) {
            answers[k] = (&contact).into();
            continue;
        }
        waiting.push(k, bodies);
        if waiting.count == PAIRS_PER_BATCH {
            waiting.solve(answers, options)?;
        }
    }
    waiting.solve(answers, options)
}

/// The elements of a chunk that are solved together, with their places in it.
struct Waiting<'a> {
    first: usize,
    count: usize,
    places: [usize; PAIRS_PER_BATCH],
    bodies: [Option<PlacedBodies<'a>>; PAIRS_PER_BATCH],
}

impl<'a> Waiting<'a> {
    fn new(first: usize) -> Self {
        Waiting {
            first,
            count: 0,
            places: [0; PAIRS_PER_BATCH],
            bodies: [const { None }; PAIRS_PER_BATCH],
        }
    }

    #[inline]
    fn push(&mut self, place: usize, bodies: PlacedBodies<'a>) {
        self.places[self.count] = place;
        self.bodies[self.count] = Some(bodies);
        self.count += 1;
    }

    /// Writes the answers of those that wait, after which none do.
    fn solve(
        &mut self,
        answers: &mut [sovo_contact],
        options: &QueryOptions,
    ) -> Result<(), Failure> {
        let count = std::mem::take(&mut self.count);
        let Some(some) = self.bodies[..count].iter().flatten().next() else {
            return Ok(());
        };
        let pairs: [Pair; PAIRS_PER_BATCH] = std::array::from_fn(|i| {
            let waits = self.bodies.get(i).filter(|_| i < count);
            let placed = waits.and_then(Option::as_ref).unwrap_or(some);
            Pair {
                a: &placed.a,
                pose_a: &placed.pose_a,
                b: &placed.b,
                pose_b: &placed.pose_b,
            }
        });
        let mut contacts = [Contact::default(); PAIRS_PER_BATCH];
        solve_batch(&pairs[..count], &mut contacts[..count], options).map_err(|e| {
            let element = self.first + self.places[e.index];
            Failure::Element(element, Box::new(e.error.into()))
        })?;
        for (place, contact) in self.places[..count].iter().zip(&contacts) {
            answers[*place] = contact.into();
        }
        Ok(())
    }
}
