//! Proven edges: whether a robot touches nothing on the whole straight line between two configurations.
//!
//! Data flows one way: [`Line`](line::Line), the motion of every link → [`bounds`], how fast and how bent the points of
//! a body can move → [`separation`], what one direction proves of an interval → [`search`], which halves intervals.

pub(crate) mod body;
pub(crate) mod bounds;
pub(crate) mod edge_options;
pub(crate) mod line;
pub(crate) mod search;
pub(crate) mod separation;

pub(crate) mod query;
mod reach;
