//! Configurations that wait for others, until a block of them is full.

use crate::lanes::MAX_LANES;

/// The indices of configurations that are not decided yet.
#[derive(Default)]
pub(super) struct Waiting {
    indices: Vec<usize>,
}

impl Waiting {
    /// Adds those of a block that are open.
    pub fn push(&mut self, block: &[usize], open: &[bool; MAX_LANES]) {
        let left = block.iter().zip(open).filter(|(_, open)| **open);
        self.indices.extend(left.map(|(&k, _)| k));
    }

    /// Takes a full block, if there is one.
    pub fn full(&mut self) -> Option<Vec<usize>> {
        (self.indices.len() >= MAX_LANES).then(|| self.indices.drain(..MAX_LANES).collect())
    }

    /// Takes what is left, if anything is.
    pub fn rest(&mut self) -> Option<Vec<usize>> {
        (!self.indices.is_empty()).then(|| std::mem::take(&mut self.indices))
    }
}
