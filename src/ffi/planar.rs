//! Contact in the plane.

use super::memory::{Out, read_numbers};
use super::pair::outcome;
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use crate::planar::{Superellipse, segment_contact};
use nalgebra::{Isometry2, Point2, Vector2};

/// The answer of a query in the plane, world frame, metres; the fields mean what they mean in
/// sovo_contact.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_planar_contact {
    /// Signed distance.
    pub distance: f64,
    /// The true distance is at least this
    pub lower: f64,
    /// and at most this.
    pub upper: f64,
    /// On the superellipse.
    pub point_a: [f64; 2],
    /// On the segment.
    pub point_b: [f64; 2],
    /// Unit vector from the superellipse to the segment.
    pub normal: [f64; 2],
    /// A sovo_outcome.
    pub outcome: u32,
    /// Solver iterations.
    pub iterations: u32,
}

/// Signed distance of the superellipse |x/a1|^(2/e) + |y/a2|^(2/e) = 1 and a segment, both in the plane.
///
/// semi_axes: a1, a2, metres; exponent: e, between 0 and 2; translation: two numbers, metres, and angle,
/// radians, counter-clockwise: the superellipse's pose; from and to: two numbers each, metres, world
/// frame. Equal ends are a point.
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
        // SAFETY: this pointer and those that follow are as the header demands.
        let semi_axes = unsafe { read_numbers::<2>(semi_axes, "semi_axes") }?;
        // SAFETY: as above.
        let translation = unsafe { read_numbers::<2>(translation, "translation") }?;
        // SAFETY: as above.
        let from = unsafe { read_numbers::<2>(from, "from") }?;
        // SAFETY: as above.
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
        // SAFETY: as above.
        unsafe { out.write(answer) };
        Ok(())
    })
}
