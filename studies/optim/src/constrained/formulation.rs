//! A formulation of contact as a program.

use super::constraints::ConstraintSet;
use super::forms::{Sense, SurfaceForm};

/// What is minimised under which constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formulation {
    /// Constraint set a to h.
    pub set: ConstraintSet,
    /// Surface equations.
    pub form: SurfaceForm,
    /// Sign of the constraints along the normals.
    pub sense: Sense,
}
