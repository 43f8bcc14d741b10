//! How a conic program ended.

/// How the conic solver ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConicStatus {
    /// At its full tolerances, 1e-10 of the larger body.
    Solved,
    /// At its reduced tolerances: a nearly degenerate cone, such as that of an exponent near 0 or 2.
    AlmostSolved,
    /// It gave up; only the bracket says what is known.
    Failed,
}
