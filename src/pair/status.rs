//! What a bracket proves, in one word.

use super::Contact;
#[cfg(any(feature = "urdf", feature = "bvh"))]
use super::Outcome;

/// What a bracket proves about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollisionStatus {
    /// The bodies do not touch.
    Free,
    /// They overlap or touch.
    Collision,
    /// Neither is proven: the bracket holds zero.
    Undecided,
}

impl Contact {
    /// What the bracket proves.
    pub fn status(&self) -> CollisionStatus {
        if self.lower > 0.0 {
            CollisionStatus::Free
        } else if self.upper <= 0.0 {
            CollisionStatus::Collision
        } else {
            CollisionStatus::Undecided
        }
    }

    /// Whether it proves that the bodies are farther apart than `max_distance` (metres).
    #[cfg(any(feature = "urdf", feature = "bvh"))]
    pub(crate) fn is_beyond(&self, max_distance: f64) -> bool {
        self.outcome == Outcome::Beyond || self.lower > max_distance
    }
}
