//! The parametric form: angle-centre parameters (Gonçalves et al. 2017, equation 9).
//!
//! Each circle is parametrised by an angle, `(ξ, η) = (cos φ1, sin φ1)` and `(ρ, ζ) = (cos φ2, sin φ2)`, every
//! coordinate raised to its exponent e with its sign kept. The duals are the same functions to the power 2 − e.

use crate::Superovoid;
use crate::shape::circle::{Circle, signed_power};
use crate::surface::circles::Circles;
use nalgebra::{Point3, Unit, Vector3};

/// The angle-centre parameters of a surface point, radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceAngles {
    /// The angle around z, from −π to π.
    pub phi1: f64,
    /// The angle from the lower pole −π/2 to the upper pole π/2.
    pub phi2: f64,
}

impl Superovoid {
    /// Returns the surface point of the given angles, in the body's frame, metres.
    pub fn point_at(&self, angles: SurfaceAngles) -> Point3<f64> {
        self.circles_at(angles).point(self).into()
    }

    /// Returns the outward unit normal of the given angles, in the body's frame.
    pub fn normal_at(&self, angles: SurfaceAngles) -> Unit<Vector3<f64>> {
        Unit::new_normalize(self.circles_at(angles).normal(self))
    }

    /// Returns the derivatives of the surface point, `[∂x/∂φ1, ∂x/∂φ2]`, metres per radian. Where the circle's own
    /// coordinate is 0 they are infinite for exponents below 1 and vanish for exponents above 1:
    /// [`tangents`](crate::surface::tangents) of the normal make a frame that always exists.
    pub fn tangents_at(&self, angles: SurfaceAngles) -> [Vector3<f64>; 2] {
        let [e1, e2] = self.e;
        let Circles { section, profile } = self.circles_at(angles);
        let (d_xi, d_eta) = circle_tangent(angles.phi1, e1);
        let (d_rho, d_zeta) = circle_tangent(angles.phi2, e2);
        let (rho, zeta) = (profile.u, profile.v);
        let [tau_x, tau_y] = self.taper_factors(zeta);
        let around = Vector3::new(
            self.a[0] * tau_x * rho * d_xi,
            self.a[1] * tau_y * rho * d_eta,
            0.0,
        );
        let along = Vector3::new(
            self.a[0] * section.u * (tau_x * d_rho + self.t[0] * d_zeta * rho),
            self.a[1] * section.v * (tau_y * d_rho + self.t[1] * d_zeta * rho),
            self.a[2] * d_zeta,
        );
        [around, along]
    }

    fn circles_at(&self, angles: SurfaceAngles) -> Circles {
        Circles {
            section: circle_point(angles.phi1, self.e[0]),
            profile: circle_point(angles.phi2, self.e[1]),
        }
    }
}

fn circle_point(phi: f64, e: f64) -> Circle {
    let (s, c) = phi.sin_cos();
    Circle {
        u: signed_power(c, e),
        v: signed_power(s, e),
        u_dual: signed_power(c, 2.0 - e),
        v_dual: signed_power(s, 2.0 - e),
    }
}

/// Returns `d/dφ` of `(cos φ, sin φ)` to the signed power e.
fn circle_tangent(phi: f64, e: f64) -> (f64, f64) {
    let (s, c) = phi.sin_cos();
    (
        -e * c.abs().powf(e - 1.0) * s,
        e * s.abs().powf(e - 1.0) * c,
    )
}
