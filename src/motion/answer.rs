//! The answer of the search for the first contact.

use crate::Contact;

/// When two moving bodies touch first. The [module](crate::motion) states what is proven of each answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeOfImpact {
    /// The bodies are proven to stay apart during the whole motion.
    Free {
        /// The proven clearance: the distance is at least this (metres) at every instant. It is a lower bound, and not a
        /// sharp one.
        clearance: f64,
    },
    /// The bodies touch.
    Hit {
        /// The bodies are proven to be farther apart than `min_separation` up to this instant, where their distance is
        /// within the tolerance of it.
        safe: f64,
        /// The distance is proven to be at most `min_separation` at this instant. The first contact is between the two.
        touching: f64,
        /// The contact at `safe`.
        contact: Contact,
    },
    /// The bodies overlap at the start, or are nearer than `min_separation`, by more than the tolerance.
    Overlapping {
        /// The contact at the start.
        contact: Contact,
    },
    /// Neither is proven: the bodies graze each other, or the queries did not suffice.
    Undecided {
        /// The bodies are proven to be farther apart than `min_separation` up to this instant.
        safe: f64,
        /// The contact at `safe`.
        contact: Contact,
    },
}

impl TimeOfImpact {
    /// Returns the same answer with the bodies swapped.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            TimeOfImpact::Free { .. } => self,
            TimeOfImpact::Hit {
                safe,
                touching,
                contact,
            } => TimeOfImpact::Hit {
                safe,
                touching,
                contact: contact.swapped(),
            },
            TimeOfImpact::Overlapping { contact } => TimeOfImpact::Overlapping {
                contact: contact.swapped(),
            },
            TimeOfImpact::Undecided { safe, contact } => TimeOfImpact::Undecided {
                safe,
                contact: contact.swapped(),
            },
        }
    }
}

/// When two moving bodies touch first of which each may have many parts, as a mesh has.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PartsTimeOfImpact {
    /// The parts of A and B whose contact is given, from 0; 0 for a body of one piece, and where the motion is free.
    pub parts: [u32; 2],
    /// The answer for all parts.
    pub found: TimeOfImpact,
}

impl PartsTimeOfImpact {
    /// Makes the answer of two bodies of one piece.
    pub(crate) fn whole(found: TimeOfImpact) -> Self {
        PartsTimeOfImpact {
            parts: [0, 0],
            found,
        }
    }

    /// Returns the same answer with the bodies swapped.
    #[must_use]
    pub fn swapped(self) -> Self {
        PartsTimeOfImpact {
            parts: [self.parts[1], self.parts[0]],
            found: self.found.swapped(),
        }
    }
}
