//! The constraint sets and their Jacobians.
//!
//! With N = ∂n/∂x of each body (symbol `turning`) and `P = (I − d̂ d̂ᵀ)/|d|`, the derivative of
//! `d̂ = d/|d|` with respect to d, the rows are
//!
//! ```text
//! value                    derivative in x_A              derivative in x_B
//! φ_A                      ∇φ_A                           0
//! φ_B                      0                              ∇φ_B
//! n_A × n_B                −[n_B]× N_A                    [n_A]× N_B
//! n_A·n_B + 1              N_Aᵀ n_B                       N_Bᵀ n_A
//! n_A·d̂ − σ                N_Aᵀ d̂ − P n_A                 P n_A
//! n_B·d̂ + σ                −P n_B                         N_Bᵀ d̂ + P n_B
//! ```
//!
//! σ = 1 apart, −1 overlapping.

use super::evaluation::Evaluation;
use super::forms::Sense;
use super::geometry::SurfaceAt;
use nalgebra::{Matrix3, Vector3};

/// The paper's constraint sets: all hold both surface equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintSet {
    /// Surfaces only.
    A,
    /// Cross product of the normals.
    B,
    /// Cross product, and d along n_A.
    C,
    /// Cross product, and d along n_B.
    D,
    /// Dot product of the normals.
    E,
    /// Dot product, and d along n_A.
    F,
    /// Dot product, and d along n_B.
    G,
    /// d along n_A and along n_B.
    H,
}

impl ConstraintSet {
    /// All of them, in the paper's order.
    pub const ALL: [Self; 8] = [
        Self::A,
        Self::B,
        Self::C,
        Self::D,
        Self::E,
        Self::F,
        Self::G,
        Self::H,
    ];

    /// The paper's letter.
    pub fn letter(self) -> char {
        char::from(b'a' + self as u8)
    }

    pub(super) fn has_cross(self) -> bool {
        matches!(self, Self::B | Self::C | Self::D)
    }

    fn has_dot(self) -> bool {
        matches!(self, Self::E | Self::F | Self::G)
    }

    fn has_along_a(self) -> bool {
        matches!(self, Self::C | Self::F | Self::H)
    }

    fn has_along_b(self) -> bool {
        matches!(self, Self::D | Self::G | Self::H)
    }

    /// Number of equations.
    pub(super) fn len(self) -> usize {
        2 + 3 * usize::from(self.has_cross())
            + usize::from(self.has_dot())
            + usize::from(self.has_along_a())
            + usize::from(self.has_along_b())
    }
}

/// Appends the rows of the set to the evaluation.
pub(super) fn evaluate(
    set: ConstraintSet,
    sense: Sense,
    [a, b]: [&SurfaceAt; 2],
    d: &Vector3<f64>,
    out: &mut Evaluation,
) {
    let zero = Vector3::zeros();
    out.push(a.value, &a.gradient, &zero);
    out.push(b.value, &zero, &b.gradient);
    if set.has_cross() {
        let value = a.normal.cross(&b.normal);
        let in_a = -b.normal.cross_matrix() * a.turning;
        let in_b = a.normal.cross_matrix() * b.turning;
        for k in 0..3 {
            out.push(value[k], &in_a.row(k).transpose(), &in_b.row(k).transpose());
        }
    }
    if set.has_dot() {
        let value = a.normal.dot(&b.normal) + 1.0;
        out.push(
            value,
            &a.turning.tr_mul(&b.normal),
            &b.turning.tr_mul(&a.normal),
        );
    }
    let sigma = match sense {
        Sense::Apart => 1.0,
        Sense::Overlapping => -1.0,
    };
    let length = d.norm();
    let along = d / length;
    let p = (Matrix3::identity() - along * along.transpose()) / length;
    if set.has_along_a() {
        let swing = p * a.normal;
        let in_a = a.turning.tr_mul(&along) - swing;
        out.push(a.normal.dot(&along) - sigma, &in_a, &swing);
    }
    if set.has_along_b() {
        let swing = p * b.normal;
        let in_b = b.turning.tr_mul(&along) + swing;
        out.push(b.normal.dot(&along) + sigma, &-swing, &in_b);
    }
}
