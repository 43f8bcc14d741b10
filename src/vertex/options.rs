//! Options of the vertex query.

use crate::query::options::DepthMode;

/// What a point query is asked for. `VertexOptions::default()` suits nearly everyone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexOptions {
    /// Widest bracket, in metres, of an answer that counts as certified; `0` (the default) means 1e-10 of
    /// the largest semi-axis.
    pub tolerance: f64,
    /// Iterations of Newton's method from one start; the default is 50. More than 1000 count as 1000.
    pub max_iterations: u32,
    /// Stop as soon as the point is proven to be farther away than this (metres); default infinity.
    pub max_distance: f64,
    /// How long the depth of points inside convex bodies is searched for: certified in 2048 directions
    /// instead of 512, where its bracket does not close before.
    pub depth: DepthMode,
}

impl Default for VertexOptions {
    fn default() -> Self {
        VertexOptions {
            tolerance: 0.0,
            max_iterations: 50,
            max_distance: f64::INFINITY,
            depth: DepthMode::Fast,
        }
    }
}
