//! Slabs of a superovoid between two heights: their support function, and where they are split.

use crate::Superovoid;
use nalgebra::Vector3;

/// Slabs thinner than this (in ζ) are not split.
const THINNEST: f64 = 1e-10;

/// Where to split a slab: at the height of its witness, if that is well inside, or in the middle. None if
/// it is too thin.
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

/// Support function and point of a slab of the body.
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
