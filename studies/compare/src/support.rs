//! The support function that peers are given: the same for all of them, and separate from the library's.
//!
//! An untapered body is the unit ball of a nested norm, and its support point comes from the dual one. With
//! u, v, w = |a1 n1|, |a2 n2|, |a3 n3| and the dual exponents q1, q2:
//!
//! ```text
//! s = u^q1 + v^q1,   W = s^(1/q1),   (ξ, η) = (u^(q1−1), v^(q1−1)) · W/s
//! t = W^q2 + w^q2,   h = t^(1/q2),   (ρ, ζ) = (W^(q2−1), w^(q2−1)) · h/t
//! x = (a1 ρ ξ, a2 ρ η, a3 ζ) with the signs of n
//! ```
//!
//! Six powers, fewer where an exponent is 2 (ellipsoids and solids of revolution). Tapered bodies have no closed
//! form; for them peers call the library's support function.

use nalgebra::Vector3;
use std::ffi::c_void;
use superovoid::Superovoid;

/// A body as peers see it.
pub struct Supported {
    a: Vector3<f64>,
    q: [f64; 2],
    tapered: Option<Superovoid>,
}

impl From<&Superovoid> for Supported {
    fn from(shape: &Superovoid) -> Self {
        Supported {
            a: shape.semi_axes().into(),
            q: shape.exponents().map(|e| 2.0 / (2.0 - e)),
            tapered: shape.is_tapered().then_some(*shape),
        }
    }
}

/// x^(q−1) and (with root) x^(1/q), cheap for ellipsoids.
fn power(x: f64, q: f64) -> f64 {
    if q == 2.0 { x } else { x.powf(q - 1.0) }
}

fn root(x: f64, q: f64) -> f64 {
    if q == 2.0 { x.sqrt() } else { x.powf(1.0 / q) }
}

/// The point (ξ, η) of the circle dual to the q-norm that maximises u ξ + v η, u, v ≥ 0 and not both 0; and
/// that maximum.
fn dual_point(u: f64, v: f64, q: f64) -> ([f64; 2], f64) {
    let (u1, v1) = (power(u, q), power(v, q));
    let s = u * u1 + v * v1;
    if s <= 0.0 {
        return ([1.0, 0.0], 0.0);
    }
    let norm = root(s, q);
    ([u1 * (norm / s), v1 * (norm / s)], norm)
}

impl Supported {
    /// A point of the body that is farthest in the direction n, which need not have length 1.
    pub fn point(&self, n: &Vector3<f64>) -> Vector3<f64> {
        if let Some(shape) = &self.tapered {
            return shape.support(n).point.coords;
        }
        let b = self.a.component_mul(&n.abs());
        let size = b.max();
        if size <= 0.0 {
            return Vector3::new(self.a.x, 0.0, 0.0);
        }
        // Relative to the largest, so that powers of small directions do not vanish.
        let b = b / size;
        let ([xi, eta], width) = dual_point(b.x, b.y, self.q[0]);
        let ([rho, zeta], _) = dual_point(width, b.z, self.q[1]);
        Vector3::new(
            (self.a.x * rho * xi).copysign(n.x),
            (self.a.y * rho * eta).copysign(n.y),
            (self.a.z * zeta).copysign(n.z),
        )
    }
}

/// [`Supported::point`] for C++.
///
/// # Safety
/// `shape` is a [`Supported`], `direction` and `point` are three numbers each.
#[allow(unsafe_code)]
pub unsafe extern "C" fn support_point(
    shape: *const c_void,
    direction: *const f64,
    point: *mut f64,
) {
    // SAFETY: what the caller promises.
    let (shape, n) = unsafe {
        (
            &*shape.cast::<Supported>(),
            direction.cast::<[f64; 3]>().read(),
        )
    };
    let x: [f64; 3] = shape.point(&n.into()).into();
    // SAFETY: as above.
    unsafe { point.cast::<[f64; 3]>().write(x) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::oracle::body::{Body, Shape, fibonacci_sphere};

    #[test]
    fn support_points_reach_the_oracles_support() {
        let shapes = [
            ([1.0, 1.0, 1.0], [0.3, 1.1], [0.0, 0.0]),
            ([1.0, 0.7, 1.4], [1.0, 1.0], [0.0, 0.0]),
            ([1.0, 0.7, 1.4], [0.02, 0.2], [0.0, 0.0]),
            ([0.5, 2.0, 1.0], [1.7, 1.35], [0.0, 0.0]),
            ([1.0, 1.0, 1.0], [0.5, 0.8], [0.3, 0.3]),
        ];
        for (a, e, t) in shapes {
            let supported = Supported::from(&Superovoid::new(a, e, t).expect("valid"));
            let body = Body::new(Shape::new(a, e, t));
            for n in fibonacci_sphere(500) {
                for n in [n, n * 1e-9, n * 1e9] {
                    let (point, value) = (supported.point(&n), body.support(&n));
                    let error = (point.dot(&n) - value).abs();
                    assert!(error <= 1e-12 * value, "{a:?} {e:?} {t:?} {n:?}: {error}");
                    assert!((body.gauge(&point) - 1.0).abs() < 1e-9, "{point:?}");
                }
            }
        }
    }

    #[test]
    fn directions_along_an_axis_and_none_are_answered() {
        let shape = Superovoid::superellipsoid([1.0, 2.0, 3.0], [0.3, 1.5]).expect("valid");
        let supported = Supported::from(&shape);
        assert_eq!(supported.point(&-Vector3::z()).z, -3.0);
        assert_eq!(supported.point(&Vector3::y()).y, 2.0);
        assert!(
            supported
                .point(&Vector3::zeros())
                .iter()
                .all(|x| x.is_finite())
        );
    }
}
