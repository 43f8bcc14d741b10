//! Errors of the queries: inputs that a query cannot work with.

/// An input that a query cannot work with.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A pose holds NaN or infinity.
    #[error("the pose of body {body} is not finite")]
    NonFinitePose {
        /// The body, `'A'` or `'B'`.
        body: char,
    },
    /// A vertex of a vertex query holds NaN or infinity.
    #[error("point {index} (counted from 0) is not finite")]
    NonFinitePoint {
        /// The index of the vertex in the slice, from 0; 0 for a single vertex.
        index: usize,
    },
    /// The slice for the answers is not as long as the slice of pairs or points.
    #[error("{answers} places for {inputs} answers: there must be one for each pair or point")]
    LengthMismatch {
        /// Number of pairs or points.
        inputs: usize,
        /// Length of the slice for the answers.
        answers: usize,
    },
    /// The quaternion of a pose is not of unit length, to 1e-6; [`pose::from_quaternion`](crate::pose::from_quaternion)
    /// makes it so.
    #[error("the rotation of body {body} is a quaternion of length {length}, not 1")]
    Rotation {
        /// The body, `'A'` or `'B'`.
        body: char,
        /// The length of the quaternion.
        length: f64,
    },
    /// The bodies are so far apart, or so large, that their distance exceeds the number range.
    #[error("the distance between the bodies is not a finite number of metres")]
    Overflow,
    /// A polytope has no vertices.
    #[error("the polytope has no vertices")]
    NoVertices,
    /// A vertex of a polytope holds NaN or infinity.
    #[error("vertex {index} of the polytope is not finite")]
    NonFiniteVertex {
        /// The index of the vertex, from 0.
        index: usize,
    },
    /// An option is out of its domain.
    #[error("option {name} = {value}: {requirement}")]
    Option {
        /// The name of the field of the options, such as [`QueryOptions`](crate::QueryOptions).
        name: &'static str,
        /// The value that was refused.
        value: f64,
        /// The requirement that the value does not meet.
        requirement: &'static str,
    },
    /// An input other than an option is out of its domain.
    #[error("{name}: {requirement}")]
    Input {
        /// The name of the input.
        name: &'static str,
        /// The requirement that the value does not meet.
        requirement: &'static str,
    },
    /// No query knows the two kinds of shapes.
    #[error("no query knows the contact of a {a} (body A) with a {b} (body B)")]
    Unsupported {
        /// The kind of body A.
        a: &'static str,
        /// The kind of body B.
        b: &'static str,
    },
}

impl QueryError {
    /// Returns the error of the same query with its bodies swapped.
    pub(crate) fn swapped(self) -> Self {
        let other = |body| if body == 'A' { 'B' } else { 'A' };
        match self {
            QueryError::NonFinitePose { body } => QueryError::NonFinitePose { body: other(body) },
            QueryError::Rotation { body, length } => QueryError::Rotation {
                body: other(body),
                length,
            },
            error => error,
        }
    }
}
