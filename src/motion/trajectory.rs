//! What the search for the first contact needs to know of a moving rigid body.

use nalgebra::{Isometry3, Point3, Vector3};

/// A rigid motion over an interval of time, in a frame that both bodies of a pair share and that does not accelerate as
/// far as the bounds are concerned. Instants are plain numbers, usually in [0, 1]; velocities are per unit of time.
///
/// The `radius` in the bounds is that of a sphere about the body's origin which contains it.
pub(crate) trait Trajectory {
    /// Returns the pose of the body at an instant.
    fn pose(&self, t: f64) -> Isometry3<f64>;

    /// Returns the velocity at the instant t of the point of the body that is at `point` then; `pose` is that of t. This
    /// only steers the search and need not be exact.
    fn velocity(&self, t: f64, pose: &Isometry3<f64>, point: &Point3<f64>) -> Vector3<f64>;

    /// Returns an upper bound, over all points x of the body and all instants between the two, of n·ẍ for a unit
    /// vector n: of the acceleration in that direction. It may be negative.
    fn acceleration(&self, n: &Vector3<f64>, radius: f64, between: [f64; 2]) -> f64;

    /// Returns an upper bound, over the same points and instants, of |ẋ|.
    fn speed(&self, radius: f64, between: [f64; 2]) -> f64;

    /// Returns a bound of the error of the points of the body at [`Trajectory::pose`] by rounding, metres.
    fn rounding(&self, radius: f64) -> f64;
}
