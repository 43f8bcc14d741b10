//! The errors of the simulation: a scene that is refused, and a state that diverged.

/// A scene that is refused, with the field and what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {requirement}")]
#[non_exhaustive]
pub struct SceneError {
    /// The path of the field, with indices from 0, such as `bodies[3].shape.semi_axes`.
    pub field: String,
    /// What is asked of the field, with the value that it has where that helps.
    pub requirement: String,
}

impl SceneError {
    pub(crate) fn new(field: impl Into<String>, requirement: impl Into<String>) -> Self {
        SceneError {
            field: field.into(),
            requirement: requirement.into(),
        }
    }
}

/// A simulation that cannot go on; [`World::state`](crate::World::state) keeps the last good state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A position or velocity of a body is not finite, or a body left the range of ±1e6 m.
    #[error("frame {frame}: body {body} diverged")]
    Body {
        /// The frame that failed, from 0.
        frame: u64,
        /// The index of the body.
        body: usize,
    },
    /// A position or velocity of a vertex is not finite, or an edge is 100 times as long as at rest.
    #[error("frame {frame}: vertex {vertex} of cloth {cloth} diverged")]
    Cloth {
        /// The frame that failed, from 0.
        frame: u64,
        /// The index of the cloth.
        cloth: usize,
        /// The index of the vertex.
        vertex: usize,
    },
    /// A position or velocity of a vertex is not finite, or an edge is 100 times as long as the longest at rest.
    #[error("frame {frame}: vertex {vertex} of solid {solid} diverged")]
    Solid {
        /// The frame that failed, from 0.
        frame: u64,
        /// The index of the solid.
        solid: usize,
        /// The index of the vertex.
        vertex: usize,
    },
}
