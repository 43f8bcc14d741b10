//! Contact in two dimensions.

use super::memory::{Out, read_numbers};
use super::pair::outcome;
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use nalgebra::{Isometry2, Point2, Vector2};
use superovoid::planar::{Superellipse, segment_contact};

/// The answer of a query in two dimensions, world frame, metres; the fields have the meaning that they have in
/// sovo_contact.
///
/// UNSTABLE: may change in any release.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_planar_contact {
    /// The signed distance.
    pub distance: f64,
    /// The true distance is at least this.
    pub lower: f64,
    /// The true distance is at most this.
    pub upper: f64,
    /// The witness point on the superellipse.
    pub point_a: [f64; 2],
    /// The witness point on the segment.
    pub point_b: [f64; 2],
    /// The unit vector from the superellipse to the segment.
    pub normal: [f64; 2],
    /// The outcome, a sovo_outcome.
    pub outcome: u32,
    /// The number of solver iterations.
    pub iterations: u32,
}

/// Computes the signed distance of the superellipse |x/a1|^(2/e) + |y/a2|^(2/e) = 1 and a segment, in two dimensions.
///
/// semi_axes: a1, a2, metres; exponent: e, between 0 and 2; translation: two numbers, metres, and angle,
/// radians, counter-clockwise: the superellipse's pose; from and to: two numbers each, metres, world
/// frame. Equal ends are a point.
///
/// UNSTABLE: may change in any release.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_planar_segment_contact(
    semi_axes: *const f64,
    exponent: f64,
    translation: *const f64,
    angle: f64,
    from: *const f64,
    to: *const f64,
    contact: *mut sovo_planar_contact,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let semi_axes = unsafe { read_numbers::<2>(semi_axes, "semi_axes") }?;
        // SAFETY: As above, the caller guarantees it.
        let translation = unsafe { read_numbers::<2>(translation, "translation") }?;
        // SAFETY: As above, the caller guarantees it.
        let from = unsafe { read_numbers::<2>(from, "from") }?;
        // SAFETY: As above, the caller guarantees it.
        let to = unsafe { read_numbers::<2>(to, "to") }?;
        let out = Out::new(contact, "contact")?;
        if !angle.is_finite() {
            return Err(Failure::other(
                SOVO_STATUS_ERROR_POSE,
                "angle is not finite",
            ));
        }
        let shape = Superellipse::new(semi_axes, exponent)?;
        let pose = Isometry2::new(Vector2::from(translation), angle);
        let found = segment_contact(&shape, &pose, &Point2::from(from), &Point2::from(to))?;
        let answer = sovo_planar_contact {
            distance: found.distance,
            lower: found.lower,
            upper: found.upper,
            point_a: found.point_a.into(),
            point_b: found.point_b.into(),
            normal: found.normal.into_inner().into(),
            outcome: outcome(found.outcome) as u32,
            iterations: found.iterations,
        };
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write(answer) };
        Ok(())
    })
}
