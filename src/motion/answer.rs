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
