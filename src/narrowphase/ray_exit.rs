//! The place where a line leaves a body, by doubling and bisection of its gauge.

/// Returns the largest known s with `gauge(s) ≤ 1` on a line that passes through the body near s = 0: by doubling from
/// there to a point outside, then by bisection. Returns `None` if no point of the body is found within a few tolerances
/// of s = 0 (a witness can lie outside by its rounding).
pub(crate) fn exit(gauge: impl Fn(f64) -> f64, tolerance: f64) -> Option<f64> {
    /// The number of doublings from the tolerance to lengths that no body has.
    const DOUBLINGS: usize = 60;
    /// The number of tolerances by which a witness can lie outside.
    const OUTSIDE: f64 = 1e4;
    /// The number of halvings of the widest stretch down to one rounding.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_leaves_a_ball_and_a_box_where_geometry_says() {
        let ball = |s: f64| (s * s + 0.36_f64).sqrt();
        assert!((exit(ball, 1e-9).expect("inside") - 0.8).abs() < 1e-12);
        let cuboid = |s: f64| (0.5 + s).abs().max(0.3);
        assert!((exit(cuboid, 1e-9).expect("inside") - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_line_that_begins_outside_by_rounding_is_followed_and_one_far_outside_is_not() {
        let ball = |s: f64| (s + 1.0 + 1e-9).abs();
        assert!(exit(ball, 1e-9).expect("by rounding").abs() < 3e-9);
        assert!(exit(|s: f64| (s + 2.0).abs(), 1e-9).is_none());
        assert!(exit(|s: f64| (s + 2.0).abs(), 0.0).is_none());
    }
}
