//! Slabs of a superovoid between two heights: their support function, and the heights at which they are split.

use crate::Superovoid;
use crate::surface::support_map::SupportMap;
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

/// A slab of a superovoid, or its hull.
#[derive(Clone, Copy)]
pub(crate) struct Slab<'a> {
    pub shape: &'a Superovoid,
    /// The heights ζ between which it lies.
    pub heights: [f64; 2],
}

impl SupportMap for Slab<'_> {
    fn local_support(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let whole = self.heights == [-1.0, 1.0];
        let (h, circles) = if whole {
            self.shape.support_circles(n)
        } else {
            self.shape.slab_support_circles(n, self.heights)
        };
        (h, circles.point(self.shape))
    }
}
