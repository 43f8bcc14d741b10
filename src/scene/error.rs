//! What a scene refuses.

use super::id::BodyId;
use crate::QueryError;
use crate::polytope::PolytopeError;

/// Why a scene cannot do what it was asked for. It is then as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
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
        /// How many groups there are.
        count: usize,
    },
    /// A pose, or a half-space at its pose, that holds NaN, infinity or no rotation.
    #[error("the pose of a body of group {group:?} is refused: {error}")]
    Pose {
        /// Name of the body's group.
        group: String,
        /// What is wrong; the body is its A.
        #[source]
        error: QueryError,
    },
    /// A polytope without vertices, or with one that is not finite.
    #[error("an obstacle of group {group:?} is refused: {error}")]
    Polytope {
        /// Name of the obstacle's group.
        group: String,
        /// What is wrong.
        #[source]
        error: PolytopeError,
    },
    /// More bodies than a 32-bit index can name.
    #[error("a scene holds at most {} bodies", u32::MAX)]
    Full,
    /// The distance of interest is out of its domain.
    #[error("max_distance = {value}: the distance must be at least 0 (infinity is allowed)")]
    MaxDistance {
        /// The value that was refused.
        value: f64,
    },
    /// The options of the pair queries are out of their domain.
    #[error(transparent)]
    Options(QueryError),
    /// A pair query refused its input.
    #[error("groups {group_a:?} and {group_b:?}, {error}")]
    Query {
        /// Name of the group of body A.
        group_a: String,
        /// Name of the group of body B.
        group_b: String,
        /// Why.
        #[source]
        error: QueryError,
    },
}
