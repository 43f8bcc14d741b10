//! The derivatives of a contact and what they are worth.

use nalgebra::{SMatrix, SVector};
use std::ops::Range;

/// The number of inputs by which a contact is derived.
pub const INPUTS: usize = 26;
/// The inputs that move A: the velocity of its origin, then its angular velocity, in world axes.
pub const POSE_A: Range<usize> = 0..6;
/// The inputs that move B.
pub const POSE_B: Range<usize> = 6..12;
/// The shape of A: a1 a2 a3 e1 e2 tx ty.
pub const SHAPE_A: Range<usize> = 12..19;
/// The shape of B.
pub const SHAPE_B: Range<usize> = 19..26;

/// What derivatives are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DerivativeStatus {
    /// All derivatives exist, and rounding leaves them right to some 1e-7.
    Exact,
    /// The gradient of the distance exists; normal and witness points have no derivatives. The witness points are not
    /// unique (flat faces that lie on each other), or ridges touch; or so nearly that rounding leaves too few digits.
    PointsSingular,
    /// The depth is attained along several directions, so that it has directional derivatives only: the gradient is that
    /// of one of these directions, a subgradient. The other derivatives are those of that direction, or NaN where it has
    /// neighbours that are as deep.
    Tie,
}

/// The gradient of a signed distance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct DistanceGradient {
    /// Derivatives by the [`INPUTS`]: metres by metres, radians and dimensionless numbers.
    pub gradient: SVector<f64, INPUTS>,
    /// What the gradient is worth; [`DerivativeStatus::PointsSingular`] is not told apart from
    /// [`DerivativeStatus::Exact`] here, as the gradient is the same.
    pub status: DerivativeStatus,
    /// Whether a body is not convex, so that the gradient is that of a local answer.
    pub local: bool,
}

impl DistanceGradient {
    #[doc(hidden)]
    pub fn new(gradient: SVector<f64, INPUTS>, status: DerivativeStatus, local: bool) -> Self {
        DistanceGradient {
            gradient,
            status,
            local,
        }
    }
}

/// All derivatives of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContactDerivatives {
    /// What the derivatives are worth. Numbers that do not exist are NaN.
    pub status: DerivativeStatus,
    /// Whether a body is not convex, so that the derivatives are those of a local answer.
    pub local: bool,
    /// The gradient of the signed distance, metres.
    pub gradient: SVector<f64, INPUTS>,
    /// The Hessian of the signed distance, metres, symmetric.
    pub hessian: SMatrix<f64, INPUTS, INPUTS>,
    /// The Jacobian of the unit normal from A to B, world axes.
    pub normal: SMatrix<f64, 3, INPUTS>,
    /// The Jacobian of the witness point on A, metres, world axes.
    pub point_a: SMatrix<f64, 3, INPUTS>,
    /// The Jacobian of the witness point on B, metres, world axes.
    pub point_b: SMatrix<f64, 3, INPUTS>,
}

/// The default holds zeros and serves as a place for an answer.
impl Default for ContactDerivatives {
    fn default() -> Self {
        ContactDerivatives {
            status: DerivativeStatus::Exact,
            local: false,
            gradient: SVector::zeros(),
            hessian: SMatrix::zeros(),
            normal: SMatrix::zeros(),
            point_a: SMatrix::zeros(),
            point_b: SMatrix::zeros(),
        }
    }
}
