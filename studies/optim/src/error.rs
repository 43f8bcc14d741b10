use superovoid::{QueryError, ShapeError};

/// An input that a formulation cannot work with, or a solver that refused its problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OptimError {
    /// A pose holds NaN or infinity.
    #[error("the pose of body {body} is not finite")]
    NonFinitePose {
        /// `'A'` or `'B'`.
        body: char,
    },
    /// The conic form covers untapered bodies only.
    #[error("body {body} has tapers {tapers:?}: the conic form needs both to be 0")]
    Tapered {
        /// `'A'` or `'B'`.
        body: char,
        /// Its tapers.
        tapers: [f64; 2],
    },
    /// The estimate on the centre line needs a centre line.
    #[error("the centres coincide: the initial estimate needs a line through two distinct centres")]
    Concentric,
    /// The sizes or the distance of the bodies exceed the number range once scaled to each other.
    #[error("the bodies differ too much in size or are too far apart to be scaled together")]
    Range,
    /// A shape left its domain when it was scaled.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The reference query refused its input.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The conic solver refused the problem or ended without a point.
    #[error("the conic solver found no point: {0}")]
    Conic(String),
}
