//! What can be wrong with a fit's input.

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// Fewer points than unknowns.
    #[error("{found} points are too few: a superovoid with its pose needs at least {needed}")]
    TooFewPoints {
        /// How many there are.
        found: usize,
        /// How many it takes.
        needed: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("point {index} is not finite")]
    NonFinitePoint {
        /// Its index, from 0.
        index: usize,
    },
    /// All points coincide.
    #[error("all points are at one place: they have no extent to fit")]
    OnePlace,
    /// The points lie on a line.
    #[error("all points lie on one line: a body cannot be fitted to them")]
    Straight,
    /// The points lie in a plane.
    #[error("all points lie in one plane: a body cannot be fitted to them")]
    Flat,
    /// Coordinates whose squares leave the number range.
    #[error("the largest coordinate is {largest:e}: it must lie between 1e-150 and 1e150")]
    Size {
        /// The largest absolute coordinate.
        largest: f64,
    },
    /// An axis that is not finite or has no direction.
    #[error("the axis must have a finite direction of length 1 and go through a finite point")]
    Axis,
    /// No body of the family is near the points: none met had a finite size within the domain.
    #[error("no superovoid was found near these points")]
    NotFound,
    /// The progress callback returned false.
    #[error("the fit was cancelled")]
    Cancelled,
}
