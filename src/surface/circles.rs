//! The two nested circles of a superovoid's surface point: section and profile.

use crate::shape::circle::Circle;

/// The two circles of a surface point: `section` holds (ξ, η), `profile` holds (ρ, ζ).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Circles {
    pub section: Circle,
    pub profile: Circle,
}

impl Circles {
    /// Returns the surface point `x = (a1 τx ρ ξ, a2 τy ρ η, a3 ζ)` in the body's frame.
    pub fn point(&self, shape: &crate::Superovoid) -> nalgebra::Vector3<f64> {
        let (rho, zeta) = (self.profile.u, self.profile.v);
        nalgebra::Vector3::new(
            shape.a[0] * (1.0 + shape.t[0] * zeta) * rho * self.section.u,
            shape.a[1] * (1.0 + shape.t[1] * zeta) * rho * self.section.v,
            shape.a[2] * zeta,
        )
    }

    /// Returns the outward normal at that point (not of unit length), multiplied by τx τy > 0 so that nothing is
    /// divided by a taper factor:
    ///
    /// `n = ( τy ρ'ξ'/a1, τx ρ'η'/a2, (τx τy ζ' − ρρ'(ξξ' tx τy + ηη' ty τx)) / a3 )`
    pub fn normal(&self, shape: &crate::Superovoid) -> nalgebra::Vector3<f64> {
        let Circle {
            u: xi,
            v: eta,
            u_dual: xi_dual,
            v_dual: eta_dual,
        } = self.section;
        let Circle {
            u: rho,
            v: zeta,
            u_dual: rho_dual,
            v_dual: zeta_dual,
        } = self.profile;
        let [tx, ty] = shape.t;
        let (tau_x, tau_y) = (1.0 + tx * zeta, 1.0 + ty * zeta);
        let widening = xi * xi_dual * tx * tau_y + eta * eta_dual * ty * tau_x;
        nalgebra::Vector3::new(
            tau_y * rho_dual * xi_dual / shape.a[0],
            tau_x * rho_dual * eta_dual / shape.a[1],
            (tau_x * tau_y * zeta_dual - rho * rho_dual * widening) / shape.a[2],
        )
    }
}
