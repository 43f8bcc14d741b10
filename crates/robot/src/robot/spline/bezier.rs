//! Polynomials of one variable s from 0 to 1 by their Bézier points (de Casteljau, 1959; Farin, Curves and Surfaces for
//! CAGD, chapters 4 and 5).
//!
//! ```text
//! q(s) = Σ_i P_i B_i(s)        q'(s) = Σ_i n (P_{i+1} − P_i) B_i(s)
//! ```
//!
//! The Bernstein polynomials B_i are not negative and add up to 1, so that all values lie between the least and the greatest
//! point. De Casteljau's scheme, of means of two neighbours each, yields the points of the parts before and behind any s;
//! and the points of a part lie the closer to its values the shorter it is.

/// Cuts the polynomial at s: its points become those of the part from 0 to s.
pub(crate) fn keep_before(points: &mut [f64], s: f64) {
    for level in 1..points.len() {
        for i in (level..points.len()).rev() {
            points[i] = mean(points[i - 1], points[i], s);
        }
    }
}

/// Cuts the polynomial at s: its points become those of the part from s to 1.
pub(crate) fn keep_behind(points: &mut [f64], s: f64) {
    for level in 1..points.len() {
        for i in 0..points.len() - level {
            points[i] = mean(points[i], points[i + 1], s);
        }
    }
}

/// Returns the value at s; the points are lost.
pub(crate) fn value(points: &mut [f64], s: f64) -> f64 {
    keep_behind(points, s);
    points.first().copied().unwrap_or(0.0)
}

/// Restricts the polynomial to the part from `from` to `to`.
pub(crate) fn restrict(points: &mut [f64], [from, to]: [f64; 2]) {
    keep_before(points, to);
    if from > 0.0 {
        keep_behind(points, (from / to).min(1.0));
    }
}

/// Replaces the points by those of the derivative, one less.
pub(crate) fn derive(points: &mut Vec<f64>) {
    let degree = points.len().saturating_sub(1);
    for i in 0..degree {
        points[i] = degree as f64 * (points[i + 1] - points[i]);
    }
    points.truncate(degree);
}

/// Returns the largest size of a point.
pub(crate) fn largest(points: &[f64]) -> f64 {
    points.iter().fold(0.0, |most, point| most.max(point.abs()))
}

/// Returns an s at which the value is outside a range, the first that halving finds, and the value; `None` if no value is
/// outside by more than a tolerance.
pub(crate) fn outside(
    points: &[f64],
    [lower, upper]: [f64; 2],
    tolerance: f64,
) -> Option<(f64, f64)> {
    let is_outside = |q: &f64| *q < lower - tolerance || *q > upper + tolerance;
    let mut parts = vec![(0.0, 1.0, points.to_vec())];
    while let Some((from, to, points)) = parts.pop() {
        if !points.iter().any(is_outside) {
            continue;
        }
        let ends = [(from, points.first()), (to, points.last())];
        for (s, q) in ends {
            if let Some(&q) = q.filter(|q| is_outside(q)) {
                return Some((s, q));
            }
        }
        let middle = 0.5 * (from + to);
        if middle <= from || middle >= to {
            continue;
        }
        let (mut before, mut behind) = (points.clone(), points);
        keep_before(&mut before, 0.5);
        keep_behind(&mut behind, 0.5);
        parts.push((middle, to, behind));
        parts.push((from, middle, before));
    }
    None
}

fn mean(a: f64, b: f64, s: f64) -> f64 {
    (1.0 - s) * a + s * b
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// By the sum of Bernstein polynomials.
    fn direct(points: &[f64], s: f64) -> f64 {
        let n = points.len() - 1;
        let mut binomial = 1.0;
        let mut sum = 0.0;
        for (i, point) in points.iter().enumerate() {
            sum += binomial * s.powi(i as i32) * (1.0 - s).powi((n - i) as i32) * point;
            binomial *= (n - i) as f64 / (i + 1) as f64;
        }
        sum
    }

    #[test]
    fn parts_have_the_values_of_the_whole_and_their_points_bound_them() {
        let rng = &mut ChaCha8Rng::seed_from_u64(5);
        for round in 0..300 {
            let points: Vec<f64> = (0..2 + round % 6)
                .map(|_| rng.random_range(-2.0..2.0))
                .collect();
            let mut ends = [0, 1].map(|_| rng.random_range(0.0..=1.0));
            ends.sort_by(f64::total_cmp);
            let mut part = points.clone();
            restrict(&mut part, ends);
            let mut slope = points.clone();
            derive(&mut slope);
            restrict(&mut slope, ends);
            for k in 0..=20 {
                let local = f64::from(k) / 20.0;
                let s = ends[0] + local * (ends[1] - ends[0]);
                let exact = direct(&points, s);
                assert!((value(&mut part.clone(), local) - exact).abs() < 1e-13);
                assert!(exact.abs() <= largest(&part) + 1e-13);
                let step = 1e-6;
                let difference =
                    (direct(&points, s + step) - direct(&points, s - step)) / (2.0 * step);
                assert!((value(&mut slope.clone(), local) - difference).abs() < 1e-7);
                assert!(difference.abs() <= largest(&slope) + 1e-7);
            }
        }
    }

    #[test]
    fn values_outside_a_range_are_found_and_no_others() {
        // 4 s (1 − s), whose greatest value is 1 at 1/2; its middle point is 2.
        let points = [0.0, 2.0, 0.0];
        assert_eq!(outside(&points, [0.0, 1.0], 1e-12), None);
        let (s, q) = outside(&points, [-1.0, 1.0 - 1e-6], 1e-12).expect("it is outside");
        assert!((s - 0.5).abs() < 1e-3 && q > 1.0 - 1e-6, "{s} {q}");
        assert_eq!(outside(&points, [0.1, 2.0], 0.0), Some((0.0, 0.0)));
    }
}
