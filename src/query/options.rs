//! Options of the exact queries.

/// How the depth of overlapping bodies is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DepthMode {
    /// A shallow overlap is solved from the centre line, a deep one by a branch and bound that stops
    /// early: the least depth in nearly every case, its bracket open.
    #[default]
    Fast,
    /// Branch and bound over all directions: the bracket closes to 1e-6 of the larger semi-axis
    /// (or the tolerance, if that is larger), unless 2048 directions do not suffice. Needs about
    /// 250 kB of stack.
    Certified,
}

/// What a pair query is asked for. `QueryOptions::default()` suits nearly everyone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryOptions {
    /// Widest bracket, in metres, of an answer that counts as certified. `0` (the default)
    /// means 1e-9 of the largest semi-axis of the two bodies.
    pub tolerance: f64,
    /// Newton iterations of one start; default 30. More than 1000 count as 1000.
    pub max_iterations: u32,
    /// Stop as soon as the bodies are proven to be farther apart than this (metres); default
    /// infinity.
    pub max_distance: f64,
    /// Fast or certified depth of overlapping bodies.
    pub depth: DepthMode,
}

/// Iterations that nothing needs: more are not made, so that every query ends.
pub(crate) const MAX_ITERATIONS: u32 = 1000;

impl QueryOptions {
    pub(crate) const DEFAULT: QueryOptions = QueryOptions {
        tolerance: 0.0,
        max_iterations: 30,
        max_distance: f64::INFINITY,
        depth: DepthMode::Fast,
    };

    /// Whether this lower bound (metres) is all that is asked for.
    #[inline(always)]
    pub(crate) fn is_beyond(&self, lower: f64) -> bool {
        self.max_distance < lower
    }
}

impl Default for QueryOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}
