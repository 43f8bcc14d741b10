//! Proven edges: whether a robot touches nothing on the whole straight line between two configurations; and proven
//! regions, boxes of configurations in which it touches nothing.
//!
//! Data flows one way: [`Line`](line::Line), the motion of every link → [`bounds`], how fast and how bent the points of
//! a body can move → [`posed`], the pairs at one configuration → [`separation`], what one direction proves of an interval →
//! [`search`], which halves intervals, of a line or of a [spline](spline_path). For regions [`cells`] judges a box, and [`grow`] grows one.

pub(crate) mod body;
pub(crate) mod bounds;
pub(crate) mod cells;
pub(crate) mod edge_options;
pub(crate) mod grow;
pub(crate) mod line;
pub(crate) mod posed;
pub(crate) mod region;
pub(crate) mod search;
pub(crate) mod separation;
pub(crate) mod spline_path;

pub(crate) mod query;
mod reach;
