//! The errors of scenes.

use super::id::BodyId;
use superovoid::QueryError;
use superovoid::polytope::PolytopeError;

/// The reason why a scene cannot do what was requested. The scene is then unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// No body of the scene has this id: it was removed, or belongs to another scene.
    #[error("the scene has no body {id}: it was removed, or is of another scene")]
    NoBody {
        /// The id.
        id: BodyId,
    },
    /// No group of the scene has this index.
    #[error("the scene has no group {index}; it has {count} (from 0)")]
    NoGroup {
        /// The index.
        index: usize,
        /// The number of groups.
        count: usize,
    },
    /// A pose, or a half-space at its pose, that holds NaN, infinity or no rotation.
    #[error("the pose of a body of group {group:?} is refused: {error}")]
    Pose {
        /// The name of the body's group.
        group: String,
        /// The error of the pose; the body is its A.
        #[source]
        error: QueryError,
    },
    /// A polytope has no vertices, or one that is not finite.
    #[error("an obstacle of group {group:?} is refused: {error}")]
    Polytope {
        /// The name of the obstacle's group.
        group: String,
        /// The error of the polytope.
        #[source]
        error: PolytopeError,
    },
    /// A half-space was added as a body.
    #[error(
        "a body of group {group:?} is refused: it is a half-space; expected one as an obstacle"
    )]
    HalfSpace {
        /// The name of the body's group.
        group: String,
    },
    /// A thin plane was added.
    #[error(
        "a body of group {group:?} is refused: it is a plane; expected a half-space, which is solid below"
    )]
    Plane {
        /// The name of the body's group.
        group: String,
    },
    /// There are more bodies than a 32-bit index can count.
    #[error("a scene holds at most {} bodies", u32::MAX)]
    Full,
    /// The maximum distance is out of its domain.
    #[error("max_distance = {value}: the distance must be at least 0 (infinity is allowed)")]
    MaxDistance {
        /// The value that was rejected.
        value: f64,
    },
    /// The options of the pair queries are out of their domain.
    #[error(transparent)]
    Options(QueryError),
    /// A pair query rejected its input.
    #[error("groups {group_a:?} and {group_b:?}, {error}")]
    Query {
        /// The name of the group of body A.
        group_a: String,
        /// The name of the group of body B.
        group_b: String,
        /// The error of the pair query.
        #[source]
        error: QueryError,
    },
}
