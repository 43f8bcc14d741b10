//! The place where a line leaves a body, by doubling and bisection of its gauge.

/// The largest known s with `gauge(s) ≤ 1` on a line that passes through the body near s = 0:
/// doubling from there to a point outside, then bisection. Returns `None` if no point of the body is found
/// within a few tolerances of s = 0 (a witness can lie outside by its rounding).
pub(crate) fn exit(gauge: impl Fn(f64) -> f64, tolerance: f64) -> Option<f64> {
    /// Doublings from the tolerance to lengths that no body has.
    const DOUBLINGS: usize = 60;
    /// Tolerances that a witness can lie outside.
    const OUTSIDE: f64 = 1e4;
    /// Halvings of the widest stretch down to one rounding.
    const HALVINGS: usize = 130;
    let mut inside = 0.0;
    let mut step = tolerance;
    while gauge(inside) > 1.0 {
        inside -= step;
        step *= 2.0;
        // Also if the tolerance is 0, infinite or not a number, where no step leads anywhere.
        let searching = -inside <= OUTSIDE * tolerance && inside < 0.0 && inside.is_finite();
        if !searching {
            return None;
        }
    }
    let mut step = 0.25 * tolerance;
    let mut outside = (0..DOUBLINGS).find_map(|_| {
        let next = inside + step;
        let left = gauge(next) > 1.0;
        if !left {
            inside = next;
            step *= 2.0;
        }
        left.then_some(next)
    })?;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (inside + outside);
        if middle <= inside || middle >= outside {
            break;
        }
        if gauge(middle) <= 1.0 {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    Some(inside)
}
