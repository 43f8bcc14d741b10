//! Where a line leaves a body.

/// The largest known s with `gauge(s) ≤ 1` on a line that passes through the body near s = 0:
/// doubling from there to a point outside, then bisection. None if no point of the body is found
/// within a few tolerances of s = 0 (a witness can lie outside by its rounding).
pub(crate) fn exit(gauge: impl Fn(f64) -> f64, tolerance: f64) -> Option<f64> {
    let mut inside = 0.0;
    let mut step = tolerance;
    while gauge(inside) > 1.0 {
        if -inside > 1e4 * tolerance {
            return None;
        }
        inside -= step;
        step *= 2.0;
    }
    let mut step = 0.25 * tolerance;
    let mut outside = inside + step;
    while gauge(outside) <= 1.0 {
        if step > 1e6 {
            return None;
        }
        inside = outside;
        step *= 2.0;
        outside += step;
    }
    loop {
        let middle = 0.5 * (inside + outside);
        if middle <= inside || middle >= outside {
            return Some(inside);
        }
        if gauge(middle) <= 1.0 {
            inside = middle;
        } else {
            outside = middle;
        }
    }
}
