//! Position constraints of particles: distance, bending, attachment and strain.
//!
//! A constraint C(x) = 0 of compliance α (the inverse of its stiffness) and of damping β over stiffness is corrected
//! once a substep by
//!
//! ```text
//! Δλ = s (−C − γ ∇C·(x − x₀)),   s = 1 / ((1 + γ) ∇C M⁻¹ ∇Cᵀ + α̃),   α̃ = α/h²,   γ = β/h (0 where α = 0),
//! Δx = M⁻¹ ∇Cᵀ Δλ
//! ```
//!
//! which is one step of extended position-based dynamics (Macklin, Müller, Chentanez 2016), whose multiplier starts at
//! 0 in every substep. Position-based dynamics as published takes `s = k / ∇C M⁻¹ ∇Cᵀ` with a stiffness k in [0, 1]
//! instead and makes several passes. So the scheme decides only about s and γ, see [`Stiffness`].

mod attachment;
mod coloring;
mod dihedral;
mod distance;
mod isometric;

pub(crate) use attachment::LongRange;
pub(crate) use coloring::color_order;
pub(crate) use dihedral::{Dihedral, angle};
pub(crate) use distance::{Distance, limit_strain, project};
pub(crate) use isometric::Isometric;

use crate::scene::Scheme;

/// Which of the stiffnesses of the scheme a constraint has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Stretch,
    Bend,
}

/// How the scheme makes the factor s of a constraint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stiffness {
    scheme: Scheme,
    h: f64,
    damping: f64,
}

impl Stiffness {
    pub fn new(scheme: Scheme, h: f64, damping: f64) -> Self {
        Stiffness { scheme, h, damping }
    }

    /// Returns s and γ for the compliance α and the sum `∇C M⁻¹ ∇Cᵀ`.
    pub fn factor(&self, kind: Kind, compliance: f64, weight: f64) -> (f64, f64) {
        if weight <= 0.0 {
            return (0.0, 0.0);
        }
        match self.scheme {
            Scheme::Xpbd => {
                let gamma = if compliance > 0.0 {
                    self.damping / self.h
                } else {
                    0.0
                };
                (
                    1.0 / ((1.0 + gamma) * weight + compliance / (self.h * self.h)),
                    gamma,
                )
            }
            Scheme::Pbd {
                iterations,
                stretch,
                bend,
                per_iteration,
                ..
            } => {
                let k = if kind == Kind::Stretch { stretch } else { bend };
                let k = if per_iteration {
                    1.0 - (1.0 - k).powf(1.0 / f64::from(iterations))
                } else {
                    k
                };
                (k / weight, 0.0)
            }
        }
    }
}
