//! What a bracket proves, in one word.

use super::Contact;
#[cfg(any(feature = "urdf", feature = "bvh"))]
use super::Outcome;

/// What a bracket proves about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The bodies do not touch.
    Free,
    /// They overlap or touch.
    Collision,
    /// Neither is proven: the bracket holds zero.
    Undecided,
}

impl Contact {
    /// What the bracket proves.
    pub fn status(&self) -> Status {
        if self.lower > 0.0 {
            Status::Free
        } else if self.upper <= 0.0 {
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
