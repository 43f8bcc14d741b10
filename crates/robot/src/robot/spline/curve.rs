//! A spline of configurations.

use super::bezier;

/// A motion by piecewise polynomials of the numbers of a configuration
/// ([`Configuration::to_vec`](crate::Configuration::to_vec)), continuous in time: cubic or quintic Hermite pieces as a ROS
/// `JointTrajectory` means them, polynomials as Drake's `PiecewisePolynomial`, or a B-spline. It is kept as Bézier points,
/// of which it is the exact curve; from what it was made it differs by rounding.
///
/// ```
/// use superovoid_robot::Spline;
///
/// // One joint from 0 to 1 in two seconds, at rest at both ends.
/// let spline = Spline::cubic(&[0.0, 2.0], &[[0.0], [1.0]], &[[0.0], [0.0]])?;
/// assert_eq!(spline.position(1.0), [0.5]);
/// # Ok::<(), superovoid_robot::SplineError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    pub(super) degree: usize,
    /// The number of numbers of a configuration.
    pub(super) width: usize,
    /// The ends of the pieces.
    pub(super) times: Vec<f64>,
    /// For every piece and every number the Bézier points.
    pub(super) points: Vec<f64>,
}

/// The reason why a spline cannot be made, or cannot be a motion of a robot.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SplineError {
    /// There are too few or too many of something.
    #[error("{count} {of}; expected {expected}")]
    Count {
        /// What there is.
        of: &'static str,
        /// The number that was given.
        count: usize,
        /// The number that is needed.
        expected: usize,
    },
    /// The degree is out of its domain.
    #[error("degree {degree}: expected 1 to {}", Spline::MOST_DEGREE)]
    Degree {
        /// The degree.
        degree: usize,
    },
    /// A number is not finite.
    #[error("{of} {index} holds a number that is not finite")]
    NotFinite {
        /// What holds it.
        of: &'static str,
        /// Its index.
        index: usize,
    },
    /// Times or knots are not in order.
    #[error("time {index} = {time} is not after the one before it")]
    Times {
        /// The index of the time or knot.
        index: usize,
        /// Its value.
        time: f64,
    },
    /// The curve jumps.
    #[error("number {number} jumps at the time {time}")]
    Jump {
        /// The index of the number of the configuration.
        number: usize,
        /// The time.
        time: f64,
    },
    /// A joint leaves its limits.
    #[error("joint {joint:?} = {value} at the time {time}: outside its limits, {lower} to {upper}")]
    OutsideLimits {
        /// The joint.
        joint: String,
        /// A time at which it is outside.
        time: f64,
        /// The position there.
        value: f64,
        /// The lower limit.
        lower: f64,
        /// The upper limit.
        upper: f64,
    },
    /// A joint of several degrees of freedom moves.
    #[error("joint {joint:?} moves; a planar or floating joint must rest on a spline")]
    Moves {
        /// The joint.
        joint: String,
    },
}

impl Spline {
    /// The highest degree of a piece.
    pub const MOST_DEGREE: usize = 15;

    /// Returns the ends of the pieces, in the order of time: at least two.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Returns the degree of the pieces.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Returns the numbers of the configuration at a time; before the first and after the last one they are those there.
    pub fn position(&self, time: f64) -> Vec<f64> {
        let after = self.times.partition_point(|end| *end <= time);
        let piece = after.clamp(1, self.pieces()) - 1;
        let (from, to) = (self.times[piece], self.times[piece + 1]);
        let s = ((time - from) / (to - from)).clamp(0.0, 1.0);
        let value = |number| bezier::value(&mut self.piece(piece, number).to_vec(), s);
        (0..self.width).map(value).collect()
    }

    /// Returns the number of numbers of a configuration.
    pub fn position_count(&self) -> usize {
        self.width
    }

    pub(crate) fn pieces(&self) -> usize {
        self.times.len() - 1
    }

    /// Returns the Bézier points of a number on a piece.
    pub(crate) fn piece(&self, piece: usize, number: usize) -> &[f64] {
        let count = self.degree + 1;
        let first = (piece * self.width + number) * count;
        &self.points[first..first + count]
    }

    /// Returns the time at a parameter that runs by 1 on every piece.
    pub(crate) fn time(&self, u: f64) -> f64 {
        let piece = (u as usize).min(self.pieces() - 1);
        let (from, to) = (self.times[piece], self.times[piece + 1]);
        match u - piece as f64 {
            1.0 => to,
            s => from + s * (to - from),
        }
    }

    /// Returns the least and the greatest Bézier point of a number: all its positions lie between them.
    pub(crate) fn range(&self, number: usize) -> [f64; 2] {
        let pieces = (0..self.pieces()).flat_map(|piece| self.piece(piece, number));
        pieces.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &q| {
            [low.min(q), high.max(q)]
        })
    }
}
