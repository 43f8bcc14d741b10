//! The convex shape that is nearest to seven numbers, for optimisers whose steps leave the domain of convex bodies.
//!
//! Semi-axes and exponents are limited each by itself. With these exponents the convex tapers are a region about the
//! diagonal tx = ty, on which the limit of a profile is known in closed form: with u = (tx + ty)/2 and v = (tx − ty)/2 the
//! bodies of |v| ≤ r(u) are convex, r by bisection of the [exact test](crate::Superovoid::convexity), and the nearest
//! point minimises `(u − u₀)² + (|v₀| − r(u))²` over u. For e2 < 1 only the diagonal is convex.

use crate::convexity;
use crate::golden_section;
use crate::{Convexity, Parameter, ShapeError, Superovoid};

/// The limits of the shapes that [`ConvexDomain::project`] returns, beside convexity.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConvexDomain {
    /// The least semi-axis, metres. By default 1e-4.
    pub least_semi_axis: f64,
    /// The least and the greatest exponent. By default 0.02 and 1.98, the range in which the library is tested.
    pub exponents: [f64; 2],
    /// The greatest |taper|. By default 0.95.
    pub greatest_taper: f64,
}

impl Default for ConvexDomain {
    fn default() -> Self {
        ConvexDomain {
            least_semi_axis: 1e-4,
            exponents: [0.02, 1.98],
            greatest_taper: 0.95,
        }
    }
}

impl ConvexDomain {
    crate::setters! {
        with_least_semi_axis least_semi_axis: f64,
        with_exponents exponents: [f64; 2],
        with_greatest_taper greatest_taper: f64,
    }

    /// Returns the convex shape nearest to the numbers a1 a2 a3 e1 e2 tx ty, the order of the
    /// [inputs](crate::derivatives): semi-axes and exponents within their limits, then the nearest tapers with which
    /// these exponents make a convex body. A shape of the domain is returned as it is.
    ///
    /// Unequal tapers that are to be brought nearer to each other take some milliseconds, all else about a microsecond.
    ///
    /// # Errors
    /// The error names a number that is not finite, or that the limits leave outside of what a [`Superovoid`] may be.
    ///
    /// ```
    /// use superovoid::derivatives::ConvexDomain;
    ///
    /// // A step has made e1 negative, and the tapers unequal, which no profile with e2 < 1 allows.
    /// let shape = ConvexDomain::default().project([0.05, 0.04, 0.03, -0.1, 0.8, 0.2, 0.1])?;
    /// assert!(shape.is_convex());
    /// assert_eq!(shape.exponents(), [0.02, 0.8]);
    /// assert!((shape.tapers()[0] - 0.15).abs() < 1e-12);
    /// # Ok::<(), superovoid::ShapeError>(())
    /// ```
    pub fn project(&self, numbers: [f64; 7]) -> Result<Superovoid, ShapeError> {
        use Parameter::{A1, A2, A3, E1, E2, Tx, Ty};
        let names = [A1, A2, A3, E1, E2, Tx, Ty];
        if let Some((parameter, value)) = names
            .into_iter()
            .zip(numbers)
            .find(|(_, value)| !value.is_finite())
        {
            return Err(ShapeError { parameter, value });
        }
        let [a1, a2, a3, e1, e2, tx, ty] = numbers;
        let semi_axes = [a1, a2, a3].map(|a| a.max(self.least_semi_axis));
        let [least, greatest] = self.exponents;
        let exponents = [e1, e2].map(|e| e.max(least).min(greatest));
        let limit = convexity::taper_limit(exponents[1]).min(self.greatest_taper);
        let within = [tx, ty].map(|t| t.max(-limit).min(limit));
        // What is no shape is refused before a search in which it would be one.
        Superovoid::new(semi_axes, exponents, [0.0; 2])?;
        let tapers = if is_convex(exponents, within) {
            within
        } else {
            nearest_tapers(exponents, [tx, ty], limit)
        };
        Superovoid::new(semi_axes, exponents, tapers)
    }
}

fn is_convex(exponents: [f64; 2], tapers: [f64; 2]) -> bool {
    convexity::of(exponents, tapers) == Convexity::Convex
}

/// Returns the nearest convex tapers of at most `limit`, from some that are not.
fn nearest_tapers(exponents: [f64; 2], [tx, ty]: [f64; 2], limit: f64) -> [f64; 2] {
    /// The number of places from which the search starts.
    const PLACES: usize = 16;
    let (u, v) = (0.5 * (tx + ty), 0.5 * (tx - ty));
    if exponents[1] < 1.0 {
        let equal = u.max(-limit).min(limit);
        return [equal; 2];
    }
    let tapers = |u: f64, v: f64| [u + v, u - v];
    let widest = |place: f64| {
        let most = v.abs().min(limit - place.abs());
        greatest(most, |r| is_convex(exponents, tapers(place, r.copysign(v))))
    };
    let off = |place: f64| (place - u).powi(2) + (v.abs() - widest(place)).powi(2);
    let place = |k: usize| limit * (2.0 * k as f64 / PLACES as f64 - 1.0);
    let nearest = (0..=PLACES)
        .min_by(|&i, &j| off(place(i)).total_cmp(&off(place(j))))
        .unwrap_or(PLACES / 2);
    let (low, high) = (
        place(nearest.saturating_sub(1)),
        place((nearest + 1).min(PLACES)),
    );
    let (place, _) = golden_section::minimum(off, low, high);
    tapers(place, widest(place).copysign(v))
}

/// Returns the greatest number up to `most` for which a test holds that holds from 0 up to some number.
fn greatest(most: f64, holds: impl Fn(f64) -> bool) -> f64 {
    const HALVINGS: usize = 40;
    if most <= 0.0 || holds(most) {
        return most.max(0.0);
    }
    let (mut low, mut high) = (0.0, most);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is convex stays, all else becomes convex, and no convex tapers of a grid are nearer.
    #[test]
    fn the_projection_is_convex_and_the_nearest() {
        let domain = ConvexDomain::default();
        for e in [[0.3, 0.5], [1.0, 1.0], [0.4, 1.3], [1.6, 1.1], [1.9, 1.7]] {
            for t in [
                [0.1, 0.1],
                [0.5, -0.4],
                [0.9, 0.2],
                [-0.3, -1.4],
                [0.05, 0.0],
            ] {
                let numbers = [1.0, -2.0, 0.5, e[0], e[1], t[0], t[1]];
                let found = domain.project(numbers).expect("finite");
                assert!(found.is_convex(), "{e:?} {t:?}");
                assert_eq!(found.semi_axes(), [1.0, 1e-4, 0.5]);
                assert_eq!(found.exponents(), e);
                let off = |s: [f64; 2]| (s[0] - t[0]).hypot(s[1] - t[1]);
                let least = off(found.tapers());
                if is_convex(e, t) {
                    assert_eq!(found.tapers(), t);
                }
                for i in 0..=76 {
                    for j in 0..=76 {
                        let grid = [i, j].map(|k| f64::from(k) * 0.025 - 0.95);
                        // The search ends within a millionth.
                        if off(grid) < least - 1e-5 {
                            assert!(!is_convex(e, grid), "{e:?} {t:?}: {grid:?} {found:?}");
                        }
                    }
                }
                let again = domain.project([
                    1.0,
                    1e-4,
                    0.5,
                    e[0],
                    e[1],
                    found.tapers()[0],
                    found.tapers()[1],
                ]);
                assert_eq!(again, Ok(found));
            }
        }
    }

    #[test]
    fn numbers_that_are_not_finite_are_named() {
        for k in 0..7 {
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let mut numbers = [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0];
                numbers[k] = bad;
                let error = ConvexDomain::default().project(numbers).unwrap_err();
                assert!(error.value.to_bits() == bad.to_bits(), "{error}");
            }
        }
        let none = ConvexDomain {
            exponents: [-1.0, 3.0],
            ..ConvexDomain::default()
        };
        let error = none
            .project([1.0, 1.0, 1.0, 2.5, 1.0, 0.0, 0.0])
            .unwrap_err();
        assert_eq!(error.parameter, Parameter::E1);
    }
}
