//! Slabs of a superovoid between two heights: their support function, and the heights at which they are split.

use crate::Superovoid;
use nalgebra::Vector3;

/// The thickness (in ζ) below which slabs are not split.
const THINNEST: f64 = 1e-10;

/// Returns the height at which a slab is split: that of its witness if it is well inside, otherwise the middle.
/// Returns `None` if the slab is too thin.
pub(crate) fn split_height([low, high]: [f64; 2], witness: f64) -> Option<f64> {
    if high - low < THINNEST {
        return None;
    }
    let margin = 0.1 * (high - low);
    let well_inside = witness > low + margin && witness < high - margin;
    Some(if well_inside {
        witness
    } else {
        0.5 * (low + high)
    })
}

/// Returns the support function and support point of a slab of the body.
pub(crate) fn slab_support(
    shape: &Superovoid,
    n: &Vector3<f64>,
    slab: [f64; 2],
) -> (f64, Vector3<f64>) {
    let whole = slab == [-1.0, 1.0];
    let (h, circles) = if whole {
        shape.support_circles(n)
    } else {
        shape.slab_support_circles(n, slab)
    };
    (h, circles.point(shape))
}
