//! Lower and upper bounds of the gauge that need no power.
//!
//! The p-norm of a vector decreases as p increases. So for p < 2 it lies between the 2-norm and the 1-norm, and for p ≥ 2
//! between the maximum norm and the 2-norm.

use crate::Superovoid;
use nalgebra::Vector3;

impl Superovoid {
    /// Returns a lower and an upper bound of the [gauge](Self::gauge), to rounding.
    #[doc(hidden)]
    pub fn gauge_bounds(&self, point: &Vector3<f64>) -> [f64; 2] {
        let w = point.z / self.a[2];
        let [tau_x, tau_y] = self.taper_factors(w);
        if tau_x <= 0.0 || tau_y <= 0.0 {
            return [f64::INFINITY; 2];
        }
        let u = point.x / (self.a[0] * tau_x);
        let v = point.y / (self.a[1] * tau_y);
        let [low, high] = norm_bounds(u, v, self.p[0]);
        [
            norm_bounds(low, w, self.p[1])[0],
            norm_bounds(high, w, self.p[1])[1],
        ]
    }
}

/// Returns bounds of the norm of order p.
fn norm_bounds(u: f64, v: f64, p: f64) -> [f64; 2] {
    let (u, v) = (u.abs(), v.abs());
    let second = (u * u + v * v).sqrt();
    if p < 2.0 {
        [second, u + v]
    } else {
        [u.max(v), second]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_the_gauge_hold_and_meet_on_the_axes() {
        let exponents = [0.02, 0.3, 1.0, 1.4, 1.98];
        for (k, e1) in exponents.into_iter().enumerate() {
            for (l, e2) in exponents.into_iter().enumerate() {
                let tapers = [0.1 * k as f64, -0.1 * l as f64];
                let shape = Superovoid::new([1.0, 0.5, 2.0], [e1, e2], tapers).unwrap();
                for n in 0..200 {
                    let angle = |share: f64| (n as f64 * share).sin() * 1.2;
                    let p = Vector3::new(angle(1.3), 0.5 * angle(2.1), 2.0 * angle(0.7));
                    let ([low, high], gauge) = (shape.gauge_bounds(&p), shape.gauge(&p));
                    let rounding = 1e-14 * gauge;
                    assert!(
                        low <= gauge + rounding && gauge <= high + rounding,
                        "{low} {gauge} {high}"
                    );
                }
                let [low, high] = shape.gauge_bounds(&Vector3::new(0.0, 0.0, 1.0));
                assert_eq!([low, high], [0.5; 2]);
            }
        }
        let shape = Superovoid::new([1.0; 3], [1.0; 2], [0.9, 0.0]).unwrap();
        let beyond_the_tip = Vector3::new(0.1, 0.0, -1.5);
        assert_eq!(shape.gauge_bounds(&beyond_the_tip), [f64::INFINITY; 2]);
    }
}
