//! The primal-dual coordinates of a witness point, from the point and its normal.
//!
//! Each circle takes its coordinates from what determines them well: a primal one (p ≥ 2) from the point, a dual one
//! from the normal. With λ the length that N has beside a unit normal n, `n1 a1 τx = λ ρ'ξ'` and `n2 a2 τy = λ ρ'η'`, so
//! their q1-norm W is λ ρ', and
//!
//! ```text
//! λ ζ' = a3 n3 + ρ W ( ξξ' tx/τx + ηη' ty/τy )
//! ```

use crate::Superovoid;
use crate::surface::circle::{Circle, norm};
use crate::surface::circles::Circles;
use crate::surface::primal_dual::SurfaceState;
use nalgebra::Vector3;

/// The coordinates of the surface point `x` with the outward unit normal `n`, both in the body's frame. Where `x` and
/// `n` are no such pair the result is the coordinates of a surface point near one of them.
pub(super) fn state_at(shape: &Superovoid, x: &Vector3<f64>, n: &Vector3<f64>) -> SurfaceState {
    let (a, [p1, p2], [q1, q2]) = (shape.a, shape.p, shape.q);
    let zeta = (x.z / a[2]).clamp(-1.0, 1.0);
    let [tau_x, tau_y] = shape.taper_factors(zeta);
    let (across_x, across_y) = (a[0] * tau_x, a[1] * tau_y);
    let (point_x, point_y) = (x.x / across_x, x.y / across_y);
    let (normal_x, normal_y) = (n.x * across_x, n.y * across_y);
    let section = if p1 >= 2.0 {
        Circle::from_primal(point_x, point_y, p1)
    } else {
        Circle::from_dual(normal_x, normal_y, q1)
    };
    let rho = norm(point_x, point_y, p1);
    let profile = if p2 >= 2.0 {
        Circle::from_primal(rho, zeta, p2)
    } else {
        let width = norm(normal_x, normal_y, q1);
        let [tx, ty] = shape.t;
        let widening =
            section.u * section.u_dual * tx / tau_x + section.v * section.v_dual * ty / tau_y;
        Circle::from_dual(width, a[2] * n.z + rho * width * widening, q2)
    };
    SurfaceState::of(shape, &Circles { section, profile })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A support point and its direction give back the support point.
    #[test]
    fn support_points_are_found_again() {
        for e in [0.05, 0.4, 1.0, 1.3, 1.9] {
            for t in [0.0, 0.1] {
                let shape = Superovoid::new([1.0, 0.6, 0.4], [e, 2.0 - e], [t, t]).expect("valid");
                for n in [
                    Vector3::new(0.48, 0.6, 0.64),
                    Vector3::new(-0.6, 0.0, 0.8),
                    Vector3::new(0.64, -0.48, -0.6),
                    Vector3::new(0.0, 0.0, 1.0),
                ] {
                    let (_, circles) = shape.support_circles(&n);
                    let x = circles.point(&shape);
                    let found = state_at(&shape, &x, &n).circles(&shape);
                    let off = (found.point(&shape) - x).norm();
                    let turned = found.normal(&shape).normalize().cross(&n).norm();
                    assert!(
                        off < 1e-9 && turned < 1e-6,
                        "{e} {t} {n:?}: {off:e} {turned:e}"
                    );
                }
            }
        }
    }
}
