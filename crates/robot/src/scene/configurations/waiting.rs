//! Configurations that wait for others, until a block of them is full.

use superovoid::internals::MAX_LANES;

/// The indices of configurations that are not decided yet.
#[derive(Default)]
pub(super) struct Waiting {
    indices: Vec<usize>,
}

impl Waiting {
    /// Adds those of the block at `first` whose lanes are open.
    pub fn push(&mut self, first: usize, open: &[bool]) {
        let lanes = (0..open.len()).filter(|&lane| open[lane]);
        self.indices.extend(lanes.map(|lane| first + lane));
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
