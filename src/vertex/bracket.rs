//! The bracket of the signed distance that a single surface point proves.

use crate::vertex::newton::Foot;
use crate::vertex::problem::VertexProblem;

/// Returns `[lower, upper]`. Outside the body the tangent plane bounds the distance from below and the length
/// to the surface point from above; inside, that length bounds the depth, and the point being inside bounds
/// the distance by 0.
pub(crate) fn simple_bracket(query: &VertexProblem, foot: &Foot, inside: bool) -> [f64; 2] {
    let length = foot.d.norm() + query.rounding;
    if inside {
        [-length, query.rounding]
    } else {
        [query.lower_bound(foot).max(-query.rounding), length]
    }
}
