//! Bodies in motion: the time of impact.

use super::batch::{BatchStruct, batch_struct, one_by_one, read_batch, sovo_cancel};
use super::body::sovo_body_kind::SOVO_BODY_KIND_POINT;
use super::body::{Body, BodyBuffer, look_at_body, sovo_body, unsupported};
use super::body_contact::WHOLE;
use super::memory::{Out, Plain, Strided, StridedOut, Versioned, read, read_sized, size_through};
use super::options::{chosen, zero};
use super::pair::sovo_contact;
use super::pose::sovo_pose;
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use nalgebra::{Point3, Vector3};
use std::ffi::c_void;
use superovoid::motion::{
    Motion, PartsTimeOfImpact, TimeOfImpact, TimeOfImpactOptions, vertex_time_of_impact,
};
use superovoid::{QueryError, ShapeRef};

/// The kind of a motion.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_motion_kind {
    /// The point center moves on a straight line while the body turns about it.
    SOVO_MOTION_KIND_LINE_SPIN = 0,
    /// The body moves along a screw: its velocity turns with it, and center is not used.
    SOVO_MOTION_KIND_SCREW = 1,
}
use sovo_motion_kind::*;

/// The motion of a body over t from 0 to 1, both velocities constant. Set start and the velocities, the rest may be
/// zero; zero velocities are a body at rest. sovo_motion_between() makes one from two poses.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_motion {
    /// The pose at t = 0.
    pub start: sovo_pose,
    /// The point of the body, in its own frame, metres, that moves on a straight line; {0, 0, 0} is its origin.
    pub center: [f64; 3],
    /// The velocity of that point (of a screw: of the body's origin at t = 0), metres, along the world's axes.
    pub linear: [f64; 3],
    /// The angular velocity, radians, along the world's axes. It may exceed a turn.
    pub angular: [f64; 3],
    /// The kind, a sovo_motion_kind.
    pub kind: u32,
    /// Reserved, 0.
    pub reserved: u32,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_motion {}

/// The options of a time of impact. A field that is zero means the default, and so does a NULL in place of the whole
/// struct. Start from SOVO_TIME_OF_IMPACT_OPTIONS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sovo_time_of_impact_options {
    /// The size, sizeof(sovo_time_of_impact_options).
    pub size: usize,
    /// The distance at which the bodies count as touching, metres. 0: 0.
    pub min_separation: f64,
    /// How far the distances at safe and touching may be from min_separation, metres. 0: 1e-9 of the largest semi-axis.
    pub tolerance: f64,
    /// The number of distance queries, after which the search ends. 0: 100.
    pub max_queries: u32,
    /// Reserved, 0.
    pub reserved: u32,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_time_of_impact_options {}
// SAFETY: The first field is the size.
unsafe impl Versioned for sovo_time_of_impact_options {
    const DEFAULT: Self = sovo_time_of_impact_options {
        size: 0,
        min_separation: 0.0,
        tolerance: 0.0,
        max_queries: 0,
        reserved: 0,
    };
    const FIRST: usize = size_through!(sovo_time_of_impact_options.reserved: u32);
}

/// What is proven of two motions.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_time_of_impact_outcome {
    /// No query has written here: this is the value of an impact that is all zero.
    SOVO_TIME_OF_IMPACT_NONE = 0,
    /// The bodies are proven to stay farther apart than min_separation. From a start in touch that separates, they are
    /// proven to come no nearer than min_separation - tolerance until they are apart.
    SOVO_TIME_OF_IMPACT_FREE = 1,
    /// The bodies touch: the first contact is proven to be after safe and not after touching.
    SOVO_TIME_OF_IMPACT_HIT = 2,
    /// The bodies overlap at t = 0, or are nearer than min_separation, by more than the tolerance.
    SOVO_TIME_OF_IMPACT_OVERLAPPING = 3,
    /// Neither is proven: the bodies graze each other after safe, or max_queries did not suffice.
    SOVO_TIME_OF_IMPACT_UNDECIDED = 4,
}
use sovo_time_of_impact_outcome::*;

/// When two bodies touch first.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_time_of_impact {
    /// The bodies are proven to be farther apart than min_separation up to this instant. 1 if free, 0 if overlapping.
    pub safe: f64,
    /// Of a hit, an instant at which the distance is proven to be at most min_separation; otherwise 1, or 0 if
    /// overlapping.
    pub touching: f64,
    /// Of a free motion, a proven lower bound of the distance at every instant, metres, not a sharp one; otherwise 0.
    pub clearance: f64,
    /// The contact at safe; all zero if free.
    pub contact: sovo_contact,
    /// The outcome, a sovo_time_of_impact_outcome.
    pub outcome: u32,
    /// The triangle or box to which the contact belongs; UINT32_MAX for bodies without parts, and if free.
    pub part: u32,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_time_of_impact {}

impl sovo_time_of_impact {
    /// The value that is all zero: no answer.
    const NONE: Self = sovo_time_of_impact {
        safe: 0.0,
        touching: 0.0,
        clearance: 0.0,
        contact: sovo_contact::NONE,
        outcome: SOVO_TIME_OF_IMPACT_NONE as u32,
        part: 0,
    };
}

impl From<&TimeOfImpact> for sovo_time_of_impact {
    fn from(found: &TimeOfImpact) -> Self {
        let none = sovo_time_of_impact {
            safe: 1.0,
            touching: 1.0,
            part: WHOLE,
            ..sovo_time_of_impact::NONE
        };
        match found {
            TimeOfImpact::Free { clearance } => sovo_time_of_impact {
                clearance: *clearance,
                outcome: SOVO_TIME_OF_IMPACT_FREE as u32,
                ..none
            },
            TimeOfImpact::Hit {
                safe,
                touching,
                contact,
            } => sovo_time_of_impact {
                safe: *safe,
                touching: *touching,
                contact: contact.into(),
                outcome: SOVO_TIME_OF_IMPACT_HIT as u32,
                ..none
            },
            TimeOfImpact::Overlapping { contact } => sovo_time_of_impact {
                safe: 0.0,
                touching: 0.0,
                contact: contact.into(),
                outcome: SOVO_TIME_OF_IMPACT_OVERLAPPING as u32,
                ..none
            },
            TimeOfImpact::Undecided { safe, contact } => sovo_time_of_impact {
                safe: *safe,
                contact: contact.into(),
                outcome: SOVO_TIME_OF_IMPACT_UNDECIDED as u32,
                ..none
            },
        }
    }
}

/// Makes the motion from one pose to another that turns by the smaller angle. kind: a sovo_motion_kind; the line of
/// SOVO_MOTION_KIND_LINE_SPIN is that of the body's origin. A turn by half a turn has two axes, of which one is taken.
///
/// SOVO_STATUS_ERROR_POSE: a pose that is not finite or whose quaternion is zero.
/// SOVO_STATUS_ERROR_GEOMETRY: the velocities are not finite. SOVO_STATUS_ERROR_OPTION: the kind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_motion_between(
    kind: u32,
    start: *const sovo_pose,
    end: *const sovo_pose,
    motion: *mut sovo_motion,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let from = unsafe { read(start, "start") }?;
        let start = from.isometry("start")?;
        // SAFETY: As above, the caller guarantees it.
        let end = unsafe { read(end, "end") }?.isometry("end")?;
        let out = Out::new(motion, "motion")?;
        let found = match kind_of(kind)? {
            SOVO_MOTION_KIND_LINE_SPIN => Motion::line_spin(start, end),
            SOVO_MOTION_KIND_SCREW => Motion::screw_between(start, end),
        }?;
        // SAFETY: As above, the caller guarantees it.
        unsafe {
            out.write(sovo_motion {
                start: from,
                center: [0.0; 3],
                linear: found.linear().into(),
                angular: found.angular().into(),
                kind,
                reserved: 0,
            })
        };
        Ok(())
    })
}

/// Computes the pose of a body at an instant t of its motion; t may lie beyond 0 and 1.
///
/// SOVO_STATUS_ERROR_POSE: a motion whose start is no pose. SOVO_STATUS_ERROR_GEOMETRY: a motion or t is not finite.
/// SOVO_STATUS_ERROR_OPTION: the kind of the motion. SOVO_STATUS_ERROR_OVERFLOW: the pose at t is not finite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_motion_pose(
    motion: *const sovo_motion,
    t: f64,
    pose: *mut sovo_pose,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let motion = unsafe { read_motion(motion, "motion") }?;
        let out = Out::new(pose, "pose")?;
        if !t.is_finite() {
            return Err(Failure::other(
                SOVO_STATUS_ERROR_GEOMETRY,
                "t is not finite",
            ));
        }
        let found = sovo_pose::of(&motion.pose(t));
        if !found.translation.iter().all(|x| x.is_finite()) {
            return Err(QueryError::Overflow.into());
        }
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}

/// Finds when two moving bodies touch first, or proves that they do not. What is proven holds for the motions as they are
/// given, not for others between the same poses. The kinds may be any that sovo_body_contact() compares. A half-space or a
/// plane must rest.
///
/// Of two bodies with parts, part is that of B. Bodies that begin inside a solid mesh overlap it from the start; otherwise a mesh is met at its surface. The clearance of
/// a free motion against a mesh, a set of boxes or a height field is min_separation. options: NULL for the defaults.
///
/// SOVO_STATUS_ERROR_UNSUPPORTED: there is no answer for these two kinds, which the text names. SOVO_STATUS_ERROR_POSE: a
/// motion whose start is no pose. SOVO_STATUS_ERROR_GEOMETRY: a motion that is not finite, or a half-space or plane that moves.
/// SOVO_STATUS_ERROR_OPTION: an option out of its domain, or the kind of a motion. The text names the motion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_time_of_impact(
    a: *const sovo_body,
    motion_a: *const sovo_motion,
    b: *const sovo_body,
    motion_b: *const sovo_motion,
    options: *const sovo_time_of_impact_options,
    impact: *mut sovo_time_of_impact,
) -> sovo_status {
    guarded(|| {
        let (mut buffer_a, mut buffer_b) = (BodyBuffer::new(), BodyBuffer::new());
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let a = unsafe { look_at_body(a, "a", &mut buffer_a) }?;
        // SAFETY: As above, the caller guarantees it.
        let motion_a = unsafe { read_motion(motion_a, "motion_a") }?;
        // SAFETY: As above, the caller guarantees it.
        let b = unsafe { look_at_body(b, "b", &mut buffer_b) }?;
        // SAFETY: As above, the caller guarantees it.
        let motion_b = unsafe { read_motion(motion_b, "motion_b") }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_options(options) }?;
        let out = Out::new(impact, "impact")?;
        let found = bodies_impact(a, &motion_a, b, &motion_b, &options)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(found) };
        Ok(())
    })
}

/// The arrays of a batch of pairs of moving bodies. Element k of an array begins k strides (bytes) after its first element; a
/// stride of 0 in an array that is only read uses its first element for every pair.
///
/// Start from SOVO_TIME_OF_IMPACT_BATCH_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sovo_time_of_impact_batch {
    /// The size, sizeof(sovo_time_of_impact_batch).
    pub size: usize,
    /// The number of pairs.
    pub count: usize,
    /// The bodies A.
    pub bodies_a: *const sovo_body,
    /// The stride of bodies_a, bytes.
    pub body_a_stride: usize,
    /// The motions of the bodies A.
    pub motions_a: *const sovo_motion,
    /// The stride of motions_a, bytes.
    pub motion_a_stride: usize,
    /// The bodies B.
    pub bodies_b: *const sovo_body,
    /// The stride of bodies_b, bytes.
    pub body_b_stride: usize,
    /// The motions of the bodies B.
    pub motions_b: *const sovo_motion,
    /// The stride of motions_b, bytes.
    pub motion_b_stride: usize,
    /// The places for the answers.
    pub impacts: *mut sovo_time_of_impact,
    /// The stride of impacts, bytes; at least sizeof(sovo_time_of_impact).
    pub impact_stride: usize,
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
unsafe impl Plain for sovo_time_of_impact_batch {}
// SAFETY: The first field is the size.
unsafe impl Versioned for sovo_time_of_impact_batch {
    const DEFAULT: Self = sovo_time_of_impact_batch {
        size: 0,
        count: 0,
        bodies_a: std::ptr::null(),
        body_a_stride: 0,
        motions_a: std::ptr::null(),
        motion_a_stride: 0,
        bodies_b: std::ptr::null(),
        body_b_stride: 0,
        motions_b: std::ptr::null(),
        motion_b_stride: 0,
        impacts: std::ptr::null_mut(),
        impact_stride: 0,
        cancel: None,
        cancel_data: std::ptr::null_mut(),
        threads: 0,
        reserved: 0,
    };

    const FIRST: usize = size_through!(sovo_time_of_impact_batch.reserved: u32);
}

batch_struct!(sovo_time_of_impact_batch);

/// Answers every pair of a batch as sovo_body_time_of_impact() does, to the bit, all with the same options (NULL for the
/// defaults).
///
/// All answers are written once all are found, so that after an error, or a cancellation, impacts are unchanged; until then
/// they take 136 bytes of memory a pair. The text of an error names the element.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_body_time_of_impact_batch(
    batch: *const sovo_time_of_impact_batch,
    options: *const sovo_time_of_impact_options,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let batch = unsafe { read_batch(batch) }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_options(options) }?;
        options.validate()?;
        let count = batch.count;
        let bodies_a = Strided::new(batch.bodies_a, count, batch.body_a_stride, "bodies_a")?;
        let motions_a = Strided::new(batch.motions_a, count, batch.motion_a_stride, "motions_a")?;
        let bodies_b = Strided::new(batch.bodies_b, count, batch.body_b_stride, "bodies_b")?;
        let motions_b = Strided::new(batch.motions_b, count, batch.motion_b_stride, "motions_b")?;
        let impacts = StridedOut::new(batch.impacts, count, batch.impact_stride, "impacts")?;
        let work = batch.work();
        let solve = |first: usize, answers: &mut [sovo_time_of_impact]| {
            one_by_one(first, answers, |k| {
                let (mut buffer_a, mut buffer_b) = (BodyBuffer::new(), BodyBuffer::new());
                // SAFETY: k is below the count; the arrays are as the header demands, here and below.
                let a = unsafe { look_at_body(bodies_a.place(k), "a", &mut buffer_a) }?;
                // SAFETY: As above.
                let motion_a = unsafe { read_motion(motions_a.place(k), "motion_a") }?;
                // SAFETY: As above.
                let b = unsafe { look_at_body(bodies_b.place(k), "b", &mut buffer_b) }?;
                // SAFETY: As above.
                let motion_b = unsafe { read_motion(motions_b.place(k), "motion_b") }?;
                bodies_impact(a, &motion_a, b, &motion_b, &options)
            })
        };
        // SAFETY: the callback is as the header demands.
        let answers = unsafe { work.run(sovo_time_of_impact::NONE, solve) }?;
        // SAFETY: the places are as the header demands.
        unsafe { impacts.write_all(answers.into_iter()) };
        Ok(())
    })
}

/// Returns when two bodies touch first, whichever is named first.
fn bodies_impact(
    a: Body,
    motion_a: &Motion,
    b: Body,
    motion_b: &Motion,
    options: &TimeOfImpactOptions,
) -> Result<sovo_time_of_impact, Failure> {
    if let Some(found) = point_impact(a, motion_a, b, motion_b, options)? {
        return Ok((&found).into());
    }
    if let Some(found) = point_impact(b, motion_b, a, motion_a, options)? {
        return Ok((&found.swapped()).into());
    }
    let (x, y) = (a.shape, b.shape);
    match x.time_of_impact(motion_a, y, motion_b, options) {
        Err(QueryError::Unsupported { .. }) => Err(unsupported("time of impact", a, b)),
        found => {
            let PartsTimeOfImpact { parts, found, .. } = found?;
            let is_free = matches!(found, TimeOfImpact::Free { .. });
            let part = match (x.has_parts(), y.has_parts()) {
                _ if is_free => WHOLE,
                (_, true) => parts[1],
                (true, false) => parts[0],
                (false, false) => WHOLE,
            };
            Ok(sovo_time_of_impact {
                part,
                ..(&found).into()
            })
        }
    }
}

/// Returns when a superovoid and a point touch first; `None` for other bodies.
fn point_impact(
    a: Body,
    motion_a: &Motion,
    b: Body,
    motion_b: &Motion,
    options: &TimeOfImpactOptions,
) -> Result<Option<TimeOfImpact>, Failure> {
    match a.shape {
        ShapeRef::Superovoid(a) if b.kind == SOVO_BODY_KIND_POINT => {
            Ok(Some(vertex_time_of_impact(a, motion_a, motion_b, options)?))
        }
        _ => Ok(None),
    }
}

fn kind_of(number: u32) -> Result<sovo_motion_kind, Failure> {
    let kinds = [
        (
            SOVO_MOTION_KIND_LINE_SPIN as u32,
            SOVO_MOTION_KIND_LINE_SPIN,
        ),
        (SOVO_MOTION_KIND_SCREW as u32, SOVO_MOTION_KIND_SCREW),
    ];
    chosen(number, kinds, "kind", "sovo_motion_kind")
}

/// # Safety
/// The requirements are those of [`read`].
unsafe fn read_motion(pointer: *const sovo_motion, name: &'static str) -> Result<Motion, Failure> {
    // SAFETY: The caller guarantees it.
    let given = unsafe { read(pointer, name) }?;
    let motion = given.motion();
    motion.map_err(|failure| Failure::At(name, Box::new(failure)))
}

impl sovo_motion {
    /// Converts the motion, checked.
    fn motion(&self) -> Result<Motion, Failure> {
        let kind = kind_of(self.kind)?;
        zero(self.reserved, "reserved")?;
        let start = self.start.isometry("start")?;
        let [linear, angular] = [self.linear, self.angular].map(Vector3::from);
        let center = Point3::from(self.center);
        let motion = match kind {
            SOVO_MOTION_KIND_LINE_SPIN => Motion::line_spin_about(start, center, linear, angular),
            SOVO_MOTION_KIND_SCREW if center.iter().all(|x| x.is_finite()) => {
                Motion::screw(start, linear, angular)
            }
            SOVO_MOTION_KIND_SCREW => Err(QueryError::Input {
                name: "center of a motion",
                requirement: "must be finite",
            }),
        };
        Ok(motion?)
    }
}

/// # Safety
/// The requirements are those of [`read_sized`].
unsafe fn read_options(
    pointer: *const sovo_time_of_impact_options,
) -> Result<TimeOfImpactOptions, Failure> {
    let default = TimeOfImpactOptions::default();
    // SAFETY: The caller guarantees it.
    let Some(options) = (unsafe { read_sized(pointer, "options") })? else {
        return Ok(default);
    };
    zero(options.reserved, "options->reserved")?;
    Ok(TimeOfImpactOptions::default()
        .with_min_separation(options.min_separation)
        .with_tolerance(options.tolerance)
        .with_max_queries(match options.max_queries {
            0 => default.max_queries,
            queries => queries,
        }))
}
