//! All roots of a difference of two convex functions on an interval.
//!
//! For d = f − g on [l, r], both convex, with the tangents and the chord of each,
//!
//! ```text
//! max(tangents of f) − chord of g  ≤  d  ≤  chord of f − max(tangents of g)
//! f'(l) − g'(r)  ≤  d'  ≤  f'(r) − g'(l)
//! ```
//!
//! The outer bounds are piecewise linear, so that their extreme values are at l, r and where the tangents meet. An interval on
//! which a bound has one sign holds no root; one on which d' has one sign holds at most one, which a safeguarded Newton's
//! method finds; any other is halved. So no root is skipped, except pairs that are nearer to each other than the resolution.

/// The two functions and their slopes at a place. A slope may be infinite, and where there is none it is any subgradient.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    pub s: f64,
    pub f: f64,
    pub f1: f64,
    pub g: f64,
    pub g1: f64,
}

impl Sample {
    pub fn difference(&self) -> f64 {
        self.f - self.g
    }
}

/// The number of intervals that are examined before the search gives up: a line within rounding of the surface over a
/// whole stretch needs more, any other a few dozen.
const MAX_INTERVALS: usize = 4096;
/// More than the halvings of a double precision interval.
const MAX_DEPTH: usize = 80;

/// Passes all roots between `low` and `high` to `root`, in order; returns whether the search is complete.
pub(super) fn roots(
    sample: impl Fn(f64) -> Sample,
    [low, high]: [f64; 2],
    resolution: f64,
    mut root: impl FnMut(f64),
) -> bool {
    let mut ends = [Sample::default(); MAX_DEPTH];
    let mut depth = 0;
    let (mut left, mut right) = (sample(low), sample(high));
    for _ in 0..MAX_INTERVALS {
        let resolved = right.s - left.s <= resolution || depth == MAX_DEPTH;
        let changes = (left.difference() < 0.0) != (right.difference() < 0.0);
        if resolved || is_monotone(&left, &right) {
            if changes {
                root(only_root(&sample, left, right, resolution));
            }
        } else if changes || !has_one_sign(&left, &right) {
            ends[depth] = right;
            depth += 1;
            right = sample(0.5 * (left.s + right.s));
            continue;
        }
        if depth == 0 {
            return true;
        }
        left = right;
        depth -= 1;
        right = ends[depth];
    }
    false
}

fn is_monotone(left: &Sample, right: &Sample) -> bool {
    left.f1 - right.g1 > 0.0 || right.f1 - left.g1 < 0.0
}

/// Whether the bounds prove that the difference has the sign that it has at both ends.
fn has_one_sign(left: &Sample, right: &Sample) -> bool {
    let width = right.s - left.s;
    if left.difference() >= 0.0 {
        least(
            [left.f, left.f1],
            [right.f, right.f1],
            [left.g, right.g],
            width,
        ) > 0.0
    } else {
        least(
            [left.g, left.g1],
            [right.g, right.g1],
            [left.f, right.f],
            width,
        ) > 0.0
    }
}

/// Returns the least value of the tangents at both ends of one function over the chord of another.
fn least([f0, slope0]: [f64; 2], [f1, slope1]: [f64; 2], [g0, g1]: [f64; 2], width: f64) -> f64 {
    let ends = (f0 - g0).min(f1 - g1);
    match (slope0.is_finite(), slope1.is_finite()) {
        (true, true) => {
            let bend = slope1 - slope0;
            if bend <= 0.0 {
                return ends;
            }
            // Where f0 + slope0 x = f1 − slope1 (width − x).
            let x = ((f1 - f0 - slope1 * width) / -bend).clamp(0.0, width);
            let tangent = (f0 + slope0 * x).max(f1 - slope1 * (width - x));
            ends.min(tangent - (g0 + (g1 - g0) * (x / width)))
        }
        (true, false) => ends.min(f0 + slope0 * width - g1),
        (false, true) => ends.min(f1 - slope1 * width - g0),
        (false, false) => f64::NEG_INFINITY,
    }
}

/// Returns the root between two ends of different signs, by Newton's method, with a bisection where a step leaves the
/// interval or does not halve it.
fn only_root(
    sample: &impl Fn(f64) -> Sample,
    mut left: Sample,
    mut right: Sample,
    resolution: f64,
) -> f64 {
    const ITERATIONS: usize = 200;
    let below = left.difference() < 0.0;
    let mut at = if left.difference().abs() < right.difference().abs() {
        left
    } else {
        right
    };
    let mut step = right.s - left.s;
    for _ in 0..ITERATIONS {
        let width = right.s - left.s;
        let newton = at.s - at.difference() / (at.f1 - at.g1);
        let inside = newton > left.s && newton < right.s && (newton - at.s).abs() <= 0.5 * step;
        let next = if inside {
            newton
        } else {
            0.5 * (left.s + right.s)
        };
        step = (next - at.s).abs();
        if at.difference() == 0.0 || width <= 0.25 * resolution {
            break;
        }
        let close = inside && step <= 0.25 * resolution;
        at = sample(next);
        if (at.difference() < 0.0) == below {
            left = at;
        } else {
            right = at;
        }
        if close {
            break;
        }
    }
    at.s
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(sample: impl Fn(f64) -> Sample, range: [f64; 2]) -> Vec<f64> {
        let mut found = Vec::new();
        assert!(roots(sample, range, 1e-15, |s| found.push(s)));
        found
    }

    #[test]
    fn four_roots_of_a_quartic_are_found() {
        // (s² − 1)(s² − 4) = (s⁴ + 4) − 5 s².
        let sample = |s: f64| Sample {
            s,
            f: s.powi(4) + 4.0,
            f1: 4.0 * s.powi(3),
            g: 5.0 * s * s,
            g1: 10.0 * s,
        };
        let found = all(sample, [-3.0, 3.1]);
        assert_eq!(found.len(), 4);
        for (s, exact) in found.iter().zip([-2.0, -1.0, 1.0, 2.0]) {
            assert!((s - exact).abs() < 1e-14, "{found:?}");
        }
    }

    #[test]
    fn two_roots_a_millionth_apart_are_two() {
        // s² = 1e-12, beside a parabola that changes nothing.
        let sample = |s: f64| Sample {
            s,
            f: 3.0 * s * s,
            f1: 6.0 * s,
            g: 2.0 * s * s + 2.5e-13,
            g1: 4.0 * s,
        };
        assert_eq!(all(sample, [-1.0, 1.3]).len(), 2);
    }
}
