//! The primal-dual coordinates of a witness point, from the point and its normal.
//!
//! Each circle takes its coordinates from what determines them well: a primal one (p ≥ 2) from the point, a dual one
//! from the normal. With λ the length that N has beside the unit normal n, `n1 a1 τx = λ ρ'ξ'`, `n2 a2 τy = λ ρ'η'` and
//! `n1 x + n2 y = λ ρρ'`, so that the p1-norm ρ of the section's point is the only power that is needed:
//!
//! ```text
//! (ξ, η) = ( x/(a1 τx), y/(a2 τy) )/ρ        (ξ', η') = ( n1 a1 τx, n2 a2 τy ) ρ/(n1 x + n2 y)
//! λ ρ' = (n1 x + n2 y)/ρ                     λ ζ' = a3 n3 + (n1 x tx/τx + n2 y ty/τy)
//! ```

use crate::Superovoid;
use crate::shape::circle::norm;
use crate::surface::primal_dual::SurfaceState;
use nalgebra::Vector3;

/// The coordinates of the surface point `x` with the outward unit normal `n`, both in the body's frame. They are as near
/// their circles as `x` and `n` are to such a pair.
pub(super) fn state_at(shape: &Superovoid, x: &Vector3<f64>, n: &Vector3<f64>) -> SurfaceState {
    let (a, [p1, p2]) = (shape.a, shape.p);
    let zeta = x.z / a[2];
    let [tau_x, tau_y] = shape.taper_factors(zeta);
    let (across_x, across_y) = (a[0] * tau_x, a[1] * tau_y);
    let (point_x, point_y) = (x.x / across_x, x.y / across_y);
    let rho = norm(point_x, point_y, p1);
    let (g1, g2) = (n.x * x.x, n.y * x.y);
    let section = g1 + g2;
    let (g, h) = if rho == 0.0 {
        // At a pole the section has no direction; any is right.
        (1.0, 0.0)
    } else if p1 >= 2.0 {
        (point_x / rho, point_y / rho)
    } else {
        let scale = rho / section;
        (n.x * across_x * scale, n.y * across_y * scale)
    };
    let (radius, height) = if p2 >= 2.0 {
        (rho, zeta)
    } else {
        let [tx, ty] = shape.t;
        let lift = a[2] * n.z + g1 * tx / tau_x + g2 * ty / tau_y;
        let length = section + zeta * lift;
        let radius = if rho == 0.0 { 0.0 } else { section / rho };
        (radius / length, lift / length)
    };
    SurfaceState {
        g: [g, radius],
        h: [h, height],
    }
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
