//! Motions with a constant angular velocity: screws, and straight lines with a rotation.
//!
//! With the angular velocity ω = |ω| u, constant in the world, both have one form. The body's origin moves as
//!
//! ```text
//! ȯ = L + exp(t [ω]) S,    S ⟂ ω
//! o = o₀ + t L + (sin |ω|t / |ω|) S + ((1 − cos |ω|t) / |ω|) u × S,    R = exp(t [ω]) R₀
//! ```
//!
//! - **Screw** with the initial velocity v of the origin: the velocity turns with the body, so that L is the part of v
//!   along ω and S the part across.
//! - **Line and spin**: the point o + R c moves with a constant velocity L, so that S = −ω × R₀ c.
//!
//! Nothing is divided by |ω| but sines of multiples of it, so screws with almost no rotation keep all digits.
//!
//! A point x = o + r of the body, r turning with it, has the acceleration ẍ = ω × exp(t [ω]) S + ω × (ω × r), and with
//! |r| ≤ ρ
//!
//! ```text
//! n·ẍ ≤ n·(ω × exp(t [ω]) S) + |ω| |n × ω| ρ
//! ```
//!
//! The first term is a cosine of amplitude |n × ω| |S|, which in a short interval changes by at most that times |ω| for
//! each unit of time.

use crate::pose::from_quaternion;
use crate::query::error::QueryError;
use crate::query::validation::validate_pose;
use nalgebra::{Isometry3, Point3, Quaternion, Translation3, UnitQuaternion, Vector3};

/// A rigid motion of a body over t ∈ [0, 1].
///
/// Angular velocities are constant in the world, in radians over the whole motion; they may exceed a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    start: Isometry3<f64>,
    /// The vector ω and its length; the unit vector u is zero where ω is.
    angular: Vector3<f64>,
    rate: f64,
    axis: Vector3<f64>,
    /// The vectors L and S, and u × S.
    drift: Vector3<f64>,
    swirl: Vector3<f64>,
    across: Vector3<f64>,
}

impl Motion {
    /// Makes the motion of a body that rests at a pose.
    ///
    /// # Errors
    /// The error names a pose that is not finite or whose quaternion is not of unit length.
    pub fn still(pose: Isometry3<f64>) -> Result<Self, QueryError> {
        Motion::new(pose, Vector3::zeros(), Vector3::zeros(), Vector3::zeros())
    }

    /// Makes a screw: the body's origin starts with the velocity `linear` (metres, world axes), and the body turns with
    /// the angular velocity `angular` (radians, world axes), both over t ∈ [0, 1]. The velocity turns with the body, so
    /// that the twist is constant.
    ///
    /// # Errors
    /// The error names a start that is not finite or whose quaternion is not of unit length, or a velocity that is not
    /// finite.
    pub fn screw(
        start: Isometry3<f64>,
        linear: Vector3<f64>,
        angular: Vector3<f64>,
    ) -> Result<Self, QueryError> {
        let axis = direction(&angular);
        let drift = axis * axis.dot(&linear);
        if angular == Vector3::zeros() {
            return Motion::new(start, angular, linear, Vector3::zeros());
        }
        Motion::new(start, angular, drift, linear - drift)
    }

    /// Makes the screw from one pose to another that turns by the smaller angle: FCL's `ScrewMotion`. As for
    /// [`Motion::line_spin`], a turn by π has two axes, of which one is taken.
    ///
    /// With the angle θ and the offset p across the axis, the velocity v across it solves `(sin θ v + (1 − cos θ) u × v)/θ
    /// = p`, so that `v = (θ/2) (cot(θ/2) p − u × p)`.
    ///
    /// # Errors
    /// The error names a pose that is not finite or whose quaternion is not of unit length.
    pub fn screw_between(start: Isometry3<f64>, end: Isometry3<f64>) -> Result<Self, QueryError> {
        let start = checked(start, "start of a motion")?;
        let end = checked(end, "end of a motion")?;
        let offset = end.translation.vector - start.translation.vector;
        let turn = end.rotation.quaternion() * start.rotation.quaternion().conjugate();
        let angular = rotation_vector(&turn);
        let axis = direction(&angular);
        let half = 0.5 * length(&angular);
        if half == 0.0 {
            return Motion::new(start, angular, offset, Vector3::zeros());
        }
        let drift = axis * axis.dot(&offset);
        let across = offset - drift;
        let swirl = across * (half / half.tan()) - axis.cross(&across) * half;
        Motion::new(start, angular, drift, swirl)
    }

    /// Makes the motion from one pose to another in which the body's origin moves on a straight line and the body turns
    /// by the smaller angle about a fixed axis, both steadily: FCL's `InterpMotion` and the interpolation of parry's
    /// `NonlinearRigidMotion`. A quaternion and its negative are the same rotation. A turn by π has two axes, of which
    /// one is taken; for a certain axis, or for more than half a turn, there is [`Motion::line_spin_about`].
    ///
    /// # Errors
    /// The error names a pose that is not finite or whose quaternion is not of unit length.
    pub fn line_spin(start: Isometry3<f64>, end: Isometry3<f64>) -> Result<Self, QueryError> {
        let start = checked(start, "start of a motion")?;
        let end = checked(end, "end of a motion")?;
        let linear = end.translation.vector - start.translation.vector;
        let turn = end.rotation.quaternion() * start.rotation.quaternion().conjugate();
        Motion::new(start, rotation_vector(&turn), linear, Vector3::zeros())
    }

    /// Makes the motion in which the point `center` of the body (its own frame, metres) moves with the constant velocity
    /// `linear` (metres, world axes) while the body turns about it with the angular velocity `angular` (radians, world
    /// axes), both over t ∈ [0, 1].
    ///
    /// # Errors
    /// The error names a start that is not finite or whose quaternion is not of unit length, or a velocity or centre that
    /// is not finite.
    pub fn line_spin_about(
        start: Isometry3<f64>,
        center: Point3<f64>,
        linear: Vector3<f64>,
        angular: Vector3<f64>,
    ) -> Result<Self, QueryError> {
        let start = checked(start, "start of a motion")?;
        let arm = start.rotation * center.coords;
        Motion::new(start, angular, linear, -angular.cross(&arm))
    }

    fn new(
        start: Isometry3<f64>,
        angular: Vector3<f64>,
        drift: Vector3<f64>,
        swirl: Vector3<f64>,
    ) -> Result<Self, QueryError> {
        let start = checked(start, "start of a motion")?;
        let axis = direction(&angular);
        let motion = Motion {
            start,
            angular,
            rate: length(&angular),
            axis,
            drift,
            swirl,
            across: axis.cross(&swirl),
        };
        let numbers = [&motion.angular, &motion.drift, &motion.swirl];
        let end = motion.pose(1.0);
        let finite = numbers.iter().all(|v| v.iter().all(|x| x.is_finite()))
            && motion.rate.is_finite()
            && end.translation.vector.iter().all(|x| x.is_finite())
            && end.rotation.coords.iter().all(|x| x.is_finite());
        if finite {
            Ok(motion)
        } else {
            Err(QueryError::Input {
                name: "velocity of a motion",
                requirement: "must be finite, and so must the poses to which it leads",
            })
        }
    }

    /// Returns the numbers of the motion, from which [`Motion::from_numbers`] makes it again: x, y, z and the quaternion
    /// x, y, z, w of the start, ω, L and S.
    #[doc(hidden)]
    pub fn to_numbers(&self) -> [f64; 16] {
        let mut numbers = [0.0; 16];
        let (place, turn) = (&self.start.translation.vector, &self.start.rotation.coords);
        let vectors = [&self.angular, &self.drift, &self.swirl];
        let all = place
            .iter()
            .chain(turn)
            .chain(vectors.into_iter().flatten());
        for (number, value) in numbers.iter_mut().zip(all) {
            *number = *value;
        }
        numbers
    }

    /// Makes a motion from its numbers.
    ///
    /// # Errors
    /// The error says that they are those of no motion.
    #[doc(hidden)]
    pub fn from_numbers(numbers: &[f64; 16]) -> Result<Self, QueryError> {
        let [x, y, z, i, j, k, w, rest @ ..] = *numbers;
        let start = from_quaternion([x, y, z], [i, j, k, w]).map_err(|_| QueryError::Input {
            name: "start of a motion",
            requirement: "must be finite, with a quaternion that is not zero",
        })?;
        let vector = |k: usize| Vector3::new(rest[k], rest[k + 1], rest[k + 2]);
        Motion::new(start, vector(0), vector(3), vector(6))
    }

    /// Returns the pose at an instant t.
    pub fn pose(&self, t: f64) -> Isometry3<f64> {
        let origin = self.start.translation.vector;
        if self.rate == 0.0 {
            return Isometry3::from_parts(
                Translation3::from(origin + self.drift * t),
                self.start.rotation,
            );
        }
        let half = 0.5 * self.rate * t;
        let (sin, cos) = half.sin_cos();
        // sin |ω|t / |ω| and (1 − cos |ω|t) / |ω|: multiples of sin(|ω|t/2) / |ω|.
        let chord = if half == 0.0 { t } else { t * (sin / half) };
        let [along, across] = [chord * cos, chord * sin];
        let v = self.axis * sin;
        let turn = UnitQuaternion::new_unchecked(Quaternion::new(cos, v.x, v.y, v.z));
        Isometry3::from_parts(
            Translation3::from(origin + self.drift * t + self.swirl * along + self.across * across),
            turn * self.start.rotation,
        )
    }

    /// Returns the velocity of the body's origin at t = 0.
    pub fn linear(&self) -> Vector3<f64> {
        self.drift + self.swirl
    }

    /// Returns the angular velocity.
    pub fn angular(&self) -> Vector3<f64> {
        self.angular
    }

    /// Returns the vector S at an instant: turned with the body.
    fn swirl_at(&self, t: f64) -> Vector3<f64> {
        let (sin, cos) = (self.rate * t).sin_cos();
        self.swirl * cos + self.across * sin
    }
}

/// What the search for the first contact needs to know. The `radius` in the bounds is that of a sphere about the body's
/// origin which contains it.
impl Motion {
    /// Returns the velocity at the instant t of the point of the body that is at `point` then; `pose` is that of t. This
    /// only steers the search and need not be exact.
    pub(super) fn velocity(
        &self,
        t: f64,
        pose: &Isometry3<f64>,
        point: &Point3<f64>,
    ) -> Vector3<f64> {
        if self.rate == 0.0 {
            return self.drift + self.swirl;
        }
        let arm = point.coords - pose.translation.vector;
        self.drift + self.swirl_at(t) + self.angular.cross(&arm)
    }

    /// Returns an upper bound, over all points x of the body and all instants between the two, of n·ẍ for a unit
    /// vector n: of the acceleration in that direction. It may be negative.
    pub(super) fn acceleration(&self, n: &Vector3<f64>, radius: f64, [from, to]: [f64; 2]) -> f64 {
        if self.rate == 0.0 {
            return 0.0;
        }
        let steer = n.cross(&self.angular);
        let across = steer.norm();
        let spin = self.rate * across * radius;
        if self.across == Vector3::zeros() {
            return spin;
        }
        let amplitude = across * self.swirl.norm();
        let half = 0.5 * (to - from);
        // n·(ω × S) = (n × ω)·S.
        let middle = steer.dot(&self.swirl_at(from + half));
        spin + amplitude.min(middle + amplitude * (self.rate * half))
    }

    /// Returns an upper bound of |ẋ| over all points x of the body and all instants.
    pub(super) fn speed(&self, radius: f64) -> f64 {
        self.drift.norm() + self.swirl.norm() + self.rate * radius
    }

    /// Returns a bound of the error of the points of the body at [`Motion::pose`] by rounding, metres.
    pub(super) fn rounding(&self, radius: f64) -> f64 {
        let path = self.drift.norm() + self.swirl.norm();
        let angle = 1.0 + self.rate;
        16.0 * f64::EPSILON * (self.start.translation.vector.norm() + path * angle + radius * angle)
    }
}

/// Returns a pose whose quaternion is of unit length to rounding.
fn checked(pose: Isometry3<f64>, name: &'static str) -> Result<Isometry3<f64>, QueryError> {
    let straight = validate_pose('A', &pose).map_err(|_| QueryError::Input {
        name,
        requirement: "must be finite, with a quaternion of unit length",
    })?;
    Ok(straight.unwrap_or(pose))
}

/// Returns the vector along the axis of a rotation, as long as its angle, at most π.
fn rotation_vector(q: &Quaternion<f64>) -> Vector3<f64> {
    let v = q.imag();
    let (sin, cos) = (v.norm(), q.scalar());
    let [v, cos] = if cos < 0.0 {
        [-v, Vector3::repeat(-cos)]
    } else {
        [v, Vector3::repeat(cos)]
    };
    if sin == 0.0 {
        return Vector3::zeros();
    }
    v * (2.0 * sin.atan2(cos.x) / sin)
}

/// Returns the length of a vector; its square may exceed the number range.
fn length(v: &Vector3<f64>) -> f64 {
    let largest = v.amax();
    if largest > 0.0 {
        largest * (v / largest).norm()
    } else {
        largest
    }
}

/// Returns the unit vector along another, zero for zero.
fn direction(v: &Vector3<f64>) -> Vector3<f64> {
    let largest = v.amax();
    if largest > 0.0 {
        (v / largest).normalize()
    } else {
        Vector3::zeros()
    }
}
