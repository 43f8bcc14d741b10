//! The profile curves (ρ, ζ) in the half-plane through the axis, their normals and their parameters.
//!
//! ```text
//! one sheet    ρ^p − |ζ|^p = 1     ρ = cosh^e s          ζ = sgn s |sinh s|^e      normal (1, −sgn ζ (|ζ|/ρ)^(p−1))
//! two sheets   |ζ|^p − ρ^p = 1     |ζ| = cosh^e s        ρ = |sinh s|^e            normal ((ρ/|ζ|)^(p−1), −sgn ζ)
//! toroid       |c|^p + |ζ|^p = 1   ρ = b + c = b + cos^e s   ζ = sin^e s           normal (c', ζ')
//! ```
//!
//! The normals are those of the norm form G, divided by its larger part where powers would leave the number range.

use crate::shape::circle::{Circle, norm, signed_power};
use crate::superquadric::shape::{Family, Sheets, Superquadric};
use crate::superquadric::sheet::sheet_radius;

/// A point of a profile with an outward normal, of any length: a surface point is `(a1 ρ ξ, a2 ρ η, a3 ζ)` with the normal
/// `(out ξ'/a1, out η'/a2, up/a3)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProfilePoint {
    pub rho: f64,
    pub zeta: f64,
    pub out: f64,
    pub up: f64,
}

impl Superquadric {
    /// Returns ρ of the outer surface of a hyperboloid at a height.
    pub(crate) fn radius_at(&self, zeta: f64) -> f64 {
        match self.family {
            Family::TwoSheets(_) => sheet_radius(zeta, self.p[1]),
            _ => norm(1.0, zeta, self.p[1]),
        }
    }

    /// Returns the point of a hyperboloid's profile at the height ζ.
    pub(crate) fn profile_at_height(&self, zeta: f64) -> ProfilePoint {
        let p = self.p[1];
        let rho = self.radius_at(zeta);
        let side = 1.0_f64.copysign(zeta);
        let (out, up) = match self.family {
            Family::TwoSheets(_) => ((rho / zeta.abs()).powf(p - 1.0), -side),
            _ => (1.0, -side * (zeta.abs() / rho).powf(p - 1.0)),
        };
        ProfilePoint { rho, zeta, out, up }
    }

    /// Returns the point of a toroid's profile on the tube's circle.
    pub(crate) fn profile_on_tube(&self, tube: &Circle) -> ProfilePoint {
        ProfilePoint {
            rho: self.extent + tube.u,
            zeta: tube.v,
            out: tube.u_dual,
            up: tube.v_dual,
        }
    }

    /// Returns the profile point of the parameter s; beyond the caps it is that of the uncut surface.
    pub(crate) fn profile_at(&self, s: f64) -> ProfilePoint {
        let e = self.e[1];
        match self.family {
            Family::Toroid => {
                let (sin, cos) = s.sin_cos();
                self.profile_on_tube(&Circle {
                    u: signed_power(cos, e),
                    v: signed_power(sin, e),
                    u_dual: signed_power(cos, 2.0 - e),
                    v_dual: signed_power(sin, 2.0 - e),
                })
            }
            Family::OneSheet => self.profile_at_height(signed_power(s.sinh(), e)),
            Family::TwoSheets(sheets) => {
                let side = match sheets {
                    Sheets::Upper => 1.0,
                    Sheets::Lower => -1.0,
                    Sheets::Both => 1.0_f64.copysign(s),
                };
                let zeta = side * s.cosh().powf(e);
                let rho = s.sinh().abs().powf(e);
                let out = (rho / zeta.abs()).powf(self.p[1] - 1.0);
                ProfilePoint {
                    rho,
                    zeta,
                    out,
                    up: -side,
                }
            }
        }
    }

    /// Returns the largest parameter s of a hyperboloid's surface, at its rim, and π for a toroid.
    pub fn largest_parameter(&self) -> f64 {
        let height = |e: f64| self.extent.powf(1.0 / e);
        match self.family {
            Family::Toroid => std::f64::consts::PI,
            // asinh and acosh of what may exceed the number range are logarithms there.
            Family::OneSheet => grown(height(self.e[1]), self.extent, self.e[1], f64::asinh),
            Family::TwoSheets(_) => grown(height(self.e[1]), self.extent, self.e[1], f64::acosh),
        }
    }
}

fn grown(power: f64, extent: f64, e: f64, inverse: fn(f64) -> f64) -> f64 {
    if power < 1e150 {
        inverse(power)
    } else {
        extent.ln() / e + std::f64::consts::LN_2
    }
}
