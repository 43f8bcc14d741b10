//! Options of the vertex query.

use crate::query::options::DepthMode;

/// The options of a vertex query. `VertexOptions::default()` suits nearly everyone.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct VertexOptions {
    /// The widest bracket, in metres, of an answer that counts as certified. The value 0, which is the default, means
    /// 1e-10 of the largest semi-axis.
    pub tolerance: f64,
    /// The number of Newton iterations from one start; the default is 50. More than 1000 count as 1000.
    pub max_iterations: u32,
    /// The query stops as soon as the vertex is proven to be farther away than this (metres). The default is infinity.
    pub max_distance: f64,
    /// The effort of the search for the depth of vertices inside convex bodies: a certified depth may take 2048
    /// directions instead of 512, where its bracket does not close before.
    pub depth: DepthMode,
}

impl VertexOptions {
    /// The options of [`Default`].
    pub const DEFAULT: VertexOptions = VertexOptions {
        tolerance: 0.0,
        max_iterations: 50,
        max_distance: f64::INFINITY,
        depth: DepthMode::Fast,
    };

    crate::setters! {
        with_tolerance tolerance: f64,
        with_max_iterations max_iterations: u32,
        with_max_distance max_distance: f64,
        with_depth depth: DepthMode,
    }
}

impl Default for VertexOptions {
    #[inline]
    fn default() -> Self {
        Self::DEFAULT
    }
}
