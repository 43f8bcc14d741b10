//! What is refused, and what goes wrong.

use superovoid_json::JsonError;
use superovoid_sim::StepError;

/// An error of a terrain; what was asked for has changed nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TerrainError {
    /// A number is not finite.
    #[error("{0} must be finite")]
    NotFinite(&'static str),
    /// A number is negative.
    #[error("{0} must not be negative")]
    Negative(&'static str),
    /// A direction has no length.
    #[error("{0} must not be zero")]
    Zero(&'static str),
    /// The place is not on the ground.
    #[error("({0}, {1}) is outside of the ground, |x|, |y| ≤ {half}", half = crate::HALF)]
    Outside(f64, f64),
    /// There are as many bodies as there may be.
    #[error("there are {most} bodies, and no more can be added", most = crate::MOST_BODIES)]
    TooMany,
    /// There is no such body.
    #[error("there is no body {0}")]
    NoBody(u32),
    /// There is no such vertex.
    #[error("vertex = {0}: the cloth has vertices 0 to {last}", last = crate::SIDE * crate::SIDE - 1)]
    NoVertex(usize),
    /// There is no such pin.
    #[error("there is no pin {0}")]
    NoPin(usize),
    /// Nothing is grabbed.
    #[error("nothing is grabbed")]
    NothingGrabbed,
    /// There is no place for a walker.
    #[error("a walker does not fit there")]
    NoRoom,
    /// The simulation diverged; undo, [`drape`](crate::Terrain::drape) and loading go on.
    #[error("the cloth diverged: {0}")]
    Diverged(#[from] StepError),
    /// The simulation refuses the scene.
    #[error("{0}")]
    Scene(String),
    /// A text that is no terrain.
    #[error("{0}")]
    Text(#[from] JsonError),
}

/// Refuses numbers that are not finite.
pub(crate) fn finite(name: &'static str, numbers: &[f64]) -> Result<(), TerrainError> {
    if numbers.iter().all(|x| x.is_finite()) {
        Ok(())
    } else {
        Err(TerrainError::NotFinite(name))
    }
}
