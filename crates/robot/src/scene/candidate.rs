//! Candidates of the broad phase.

use std::cmp::Ordering;

/// Two bodies that may be close, by their slots.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) a: u32,
    pub(super) b: u32,
    /// A lower bound of their distance, metres.
    pub(super) apart: f64,
}

impl Candidate {
    /// Orders candidates by their bound, and equal ones by their slots, so that the order is deterministic.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let by_bound = self.apart.total_cmp(&other.apart);
        by_bound.then_with(|| (self.a, self.b).cmp(&(other.a, other.b)))
    }
}
