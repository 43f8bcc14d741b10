//! The memory of the search for edges in lanes.

use super::block::Near;
use super::directions::{Directions, Parts};
use super::travel::Travel;
use std::collections::HashMap;
use std::ops::Range;
use superovoid::internals::MAX_LANES;

/// The memory of edges.
#[derive(Default)]
pub(super) struct Edges {
    pub travel: Travel,
    pub directions: Vec<Directions>,
    /// Those of parts of a pair.
    pub of_parts: HashMap<Parts, Directions>,
    /// The pairs that have directions.
    pub separated: Vec<u32>,
    /// The lanes in which each pair is asked, as bits.
    pub lanes: Vec<u8>,
    pub asked: Vec<(u32, u8)>,
    pub near: Vec<Near>,
    pub levels: [Level; 2],
    pub children: [[Vec<u32>; 2]; MAX_LANES],
    pub hard: [Vec<u32>; MAX_LANES],
}

/// The intervals of one size, and their pairs.
#[derive(Default)]
pub(super) struct Level {
    pub intervals: Vec<Interval>,
    pub pairs: Vec<u32>,
}

#[derive(Clone)]
pub(super) struct Interval {
    pub middle: f64,
    pub half: f64,
    pub pairs: Range<usize>,
}
