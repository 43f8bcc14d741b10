//! Proofs of edges, each made once: the conservative intervals of
//! [`edge_free`](superovoid_robot::scene::RobotScene::edge_free), whose answers are kept, so that an edge that was refused is
//! not tried again, and one that was proven is not proven again when another one of its path is repaired.

use super::error::PlanError;
use std::collections::HashMap;
use superovoid_robot::scene::RobotScene;
use superovoid_robot::{Configuration, EdgeOptions};

#[derive(Default)]
pub(crate) struct Proofs {
    /// Whether an edge, by the bits of its numbers from one end to the other, is proven free.
    known: HashMap<Vec<u64>, bool>,
}

/// The bits of both ends.
pub(crate) fn key([from, to]: [&[f64]; 2]) -> Vec<u64> {
    from.iter()
        .chain(to)
        .map(|number| number.to_bits())
        .collect()
}

impl Proofs {
    /// Whether an edge was refused.
    pub fn refused(&self, ends: [&[f64]; 2]) -> bool {
        !self.known.is_empty() && self.known.get(&key(ends)) == Some(&false)
    }

    /// Returns what is known of an edge.
    pub fn known(&self, ends: [&[f64]; 2]) -> Option<bool> {
        self.known.get(&key(ends)).copied()
    }

    /// Proves an edge free until `stop` says that it has to end; returns false where it is refused: it touches, or it is undecided.
    pub fn prove(
        &mut self,
        scene: &mut RobotScene,
        ends: [&[f64]; 2],
        [from, to]: [&Configuration; 2],
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<bool, PlanError> {
        let options = EdgeOptions::default().with_first_contact(false);
        let answer = scene.edge_free_until(from, to, &options, stop)?;
        let free = answer.is_free();
        self.known.insert(key(ends), free);
        Ok(free)
    }
}
