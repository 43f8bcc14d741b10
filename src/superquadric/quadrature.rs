//! The tanh-sinh quadrature (Takahasi and Mori 1974): a substitution under which the ends of the interval lie infinitely far
//! out, where the integrand falls off doubly exponentially. Powers with broken exponents at an end, which a polynomial
//! rule approaches slowly, do not slow it down.

/// The half-width of the substituted interval: beyond it a weight is below 1e-17 of the whole.
const REACH: f64 = 3.4;
/// The number of nodes on either side of the middle.
const NODES: i32 = 136;

/// Returns the integral over [0, length] of a function that is smooth inside. The function is given its argument and the
/// distance of the argument from the far end, both without cancellation.
pub(super) fn integral(length: f64, f: impl Fn(f64, f64) -> f64) -> f64 {
    use std::f64::consts::FRAC_PI_2;
    let step = REACH / f64::from(NODES);
    let mut sum = 0.0;
    for k in -NODES..=NODES {
        let t = step * f64::from(k);
        let u = FRAC_PI_2 * t.sinh();
        // The share of the interval from either end, 1/(1 + e^(∓2u)), and the weight.
        let (from_low, from_high) = (
            1.0 / (1.0 + (-2.0 * u).exp()),
            1.0 / (1.0 + (2.0 * u).exp()),
        );
        let weight = 2.0 * from_low * from_high * FRAC_PI_2 * t.cosh();
        sum += weight * f(length * from_low, length * from_high);
    }
    sum * step * length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_integrated_to_rounding_whatever_their_exponents() {
        for k in [0.02, 0.3, 0.5, 1.0, 2.0, 7.5, 99.0] {
            let exact = 1.0 / (k + 1.0);
            let found = integral(1.0, |x, _| x.powf(k));
            assert!(
                (found - exact).abs() < 1e-13 * exact,
                "{k}: {found} {exact}"
            );
            let found = integral(1.0, |_, y| y.powf(k));
            assert!(
                (found - exact).abs() < 1e-13 * exact,
                "{k}: {found} {exact}"
            );
        }
    }
}
