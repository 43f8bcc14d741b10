//! What a bracket proves, in one word.

use super::{Contact, Outcome};

/// What a bracket proves about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The bodies do not touch.
    Free,
    /// They overlap or touch.
    Collision,
    /// Neither is proven: the bracket holds zero, and no common point is known.
    Undecided,
}

impl Contact {
    /// What the bracket proves.
    pub fn status(&self) -> Status {
        if self.lower > 0.0 {
            Status::Free
        } else if self.upper <= 0.0 || (self.distance <= 0.0 && self.outcome == Outcome::Converged)
        {
            // A converged overlap was shown by a common point even if its bracket is open.
            Status::Collision
        } else {
            Status::Undecided
        }
    }

    /// Whether it proves that the bodies are farther apart than `within` (metres).
    #[cfg(any(feature = "urdf", feature = "bvh"))]
    pub(crate) fn is_beyond(&self, within: f64) -> bool {
        self.outcome == Outcome::Beyond || self.lower > within
    }
}
