//! Derivatives of a circle's point by its exponent, at fixed primal-dual direction.
//!
//! The primal-dual coordinates (g, h) of a point lie on the P-norm circle, P ≥ 2. Their direction is held fixed while P
//! changes, so (g, h) = k (G, H) with k = (|G|^P + |H|^P)^(−1/P). With `L_m = |g|^P ln^m|g| + |h|^P ln^m|h|` and
//! k = 1 at the present P,
//!
//! ```text
//! ∂ ln k/∂P = −L_1/P =: k1        ∂² ln k/∂P² = 2 L_1/P² − (L_2 − L_1²)/P =: k2
//! g  = |g|                 ∂ ln g /∂P = k1                        ∂² ln g /∂P² = k2
//! g' = |g|^(P−1)           ∂ ln g'/∂P = ln|g| + (P − 1) k1        ∂² ln g'/∂P² = 2 k1 + (P − 1) k2
//! ```
//!
//! As P ≥ 2, the products g' ln|g| and g' ln²|g| vanish with g, and nothing is unbounded: not at flat faces, where the
//! derivatives at fixed normal are, and not at ridges, where those at fixed point are.

/// A number with its first and second derivative by the squareness exponent e.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ByExponent {
    pub value: f64,
    pub first: f64,
    pub second: f64,
}

impl ByExponent {
    /// Returns the product of two numbers that depend on the same exponent.
    #[inline(always)]
    pub fn times(self, other: ByExponent) -> ByExponent {
        ByExponent {
            value: self.value * other.value,
            first: self.first * other.value + self.value * other.first,
            second: self.second * other.value
                + 2.0 * self.first * other.first
                + self.value * other.second,
        }
    }
}

/// The point (u, v) of a circle and its dual (u', v'), each with its derivatives by the exponent e.
#[derive(Clone, Copy, Debug)]
pub(super) struct CircleByExponent {
    pub u: ByExponent,
    pub v: ByExponent,
    pub u_dual: ByExponent,
    pub v_dual: ByExponent,
}

impl CircleByExponent {
    /// Makes the derivatives at the primal-dual coordinates (g, h), which are on their circle, with the duals (g',
    /// h') of these. `[p, q]` are the exponents of the circle and of its dual, and `[log_g, log_h]` is (ln|g|, ln|h|), any
    /// number where the logarithm is infinite: there it only stands in products that vanish.
    #[inline(always)]
    pub fn new(
        [g, h]: [f64; 2],
        [log_g, log_h]: [f64; 2],
        [g_dual, h_dual]: [f64; 2],
        [p, q]: [f64; 2],
    ) -> Self {
        let primal = p >= 2.0;
        // The derivatives are those of p = 2/e and q = 2/(2 − e), by e.
        let (power, once, twice) = if primal {
            (p, -0.5 * p * p, 0.5 * p * p * p)
        } else {
            (q, 0.5 * q * q, 0.5 * q * q * q)
        };
        let (share_g, share_h) = (g * g_dual * log_g, h * h_dual * log_h);
        let one = share_g + share_h;
        let two = share_g * log_g + share_h * log_h;
        let k1 = -one / power;
        let k2 = 2.0 * one / (power * power) - (two - one * one) / power;
        let steep = power - 1.0;
        let (dual_g, dual_h) = (log_g + steep * k1, log_h + steep * k1);
        let dual = 2.0 * k1 + steep * k2;
        let coordinates = [
            by_exponent(g, [k1, k2], [once, twice]),
            by_exponent(h, [k1, k2], [once, twice]),
        ];
        let duals = [
            by_exponent(g_dual, [dual_g, dual], [once, twice]),
            by_exponent(h_dual, [dual_h, dual], [once, twice]),
        ];
        let ([u, v], [u_dual, v_dual]) = if primal {
            (coordinates, duals)
        } else {
            (duals, coordinates)
        };
        CircleByExponent {
            u,
            v,
            u_dual,
            v_dual,
        }
    }
}

/// Returns a number with derivatives by e from those of its logarithm by the power, and those of the power by e.
#[inline(always)]
fn by_exponent(value: f64, [l1, l2]: [f64; 2], [once, twice]: [f64; 2]) -> ByExponent {
    ByExponent {
        value,
        first: value * l1 * once,
        second: value * ((l1 * l1 + l2) * once * once + l1 * twice),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::circle::Circle;

    /// The derivatives agree with differences of the circle's own points, for boxes, round and pointed circles.
    #[test]
    fn derivatives_agree_with_differences() {
        let at = |e: f64, [g, h]: [f64; 2]| {
            let (p, q) = (2.0 / e, 2.0 / (2.0 - e));
            if p >= 2.0 {
                Circle::from_primal(g, h, p)
            } else {
                Circle::from_dual(g, h, q)
            }
        };
        for e in [0.1, 0.5, 0.99, 1.01, 1.5, 1.9] {
            for direction in [
                [1.0, 0.0],
                [0.8, 0.3],
                [-0.7, 0.69],
                [0.2, -0.9],
                [0.0, 1.0],
            ] {
                let c = at(e, direction);
                let (p, q) = (2.0 / e, 2.0 / (2.0 - e));
                let (point, dual) = ([c.u, c.v], [c.u_dual, c.v_dual]);
                let logarithms = |c: [f64; 2]| c.map(|x| x.abs().max(f64::MIN_POSITIVE).ln());
                let found = if p >= 2.0 {
                    CircleByExponent::new(point, logarithms(point), dual, [p, q])
                } else {
                    CircleByExponent::new(dual, logarithms(dual), point, [p, q])
                };
                let step = 1e-4;
                let (more, less) = (at(e + step, direction), at(e - step, direction));
                let numbers = |c: &Circle| [c.u, c.v, c.u_dual, c.v_dual];
                let all = [found.u, found.v, found.u_dual, found.v_dual];
                for (k, by_exponent) in all.iter().enumerate() {
                    let (up, here, down) = (numbers(&more)[k], numbers(&c)[k], numbers(&less)[k]);
                    let first = (up - down) / (2.0 * step);
                    let second = (up - 2.0 * here + down) / (step * step);
                    assert!((by_exponent.value - here).abs() < 1e-14);
                    assert!(
                        (by_exponent.first - first).abs() < 2e-4,
                        "{e} {direction:?} {k}"
                    );
                    let close = 1e-2 + 1e-2 * second.abs();
                    assert!(
                        (by_exponent.second - second).abs() < close,
                        "{e} {direction:?} {k}"
                    );
                }
            }
        }
    }
}
