//! The memory of blocks.

use super::block::{Block, Near};
use super::directions::{Directions, Parts};
use super::edge_memory::Edges;
use super::separation::Last;
use crate::scene::part::Placed;
use std::collections::HashMap;

/// What one block leaves to the next, until bodies or pairs change.
pub(in crate::scene) struct Memory {
    pub(super) block: Block,
    /// The pairs that were noted, the last one first.
    pub(super) noted: Vec<u32>,
    pub(super) near: Vec<Near>,
    /// The directions that have separated the pairs.
    pub(super) directions: Vec<Directions>,
    /// What separated each pair of superovoids last.
    pub(super) of_ovoids: Vec<Last>,
    /// Those that have separated parts of a pair.
    pub(super) of_parts: HashMap<Parts, Directions>,
    /// How much more often the hulls of a pair, and its pieces, were of use than of none.
    pub(super) use_of_hulls: Vec<i8>,
    pub(super) use_of_pieces: Vec<i8>,
    pub(super) edges: Edges,
}

impl Memory {
    pub fn new(scene: &Placed, pairs: &[[u32; 2]]) -> Box<Self> {
        Box::new(Memory {
            block: Block::new(scene, pairs),
            noted: Vec::with_capacity(NOTED),
            near: Vec::new(),
            directions: vec![Directions::default(); pairs.len()],
            of_ovoids: vec![Last::default(); pairs.len()],
            of_parts: HashMap::new(),
            use_of_hulls: vec![0; pairs.len()],
            use_of_pieces: vec![0; pairs.len()],
            edges: Edges::default(),
        })
    }
}

/// The number of pairs that are noted.
pub(super) const NOTED: usize = 16;
