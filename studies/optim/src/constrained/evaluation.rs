//! One evaluation of a program: the constraints and their derivatives.

use nalgebra::Vector3;

/// Everything a solver asks of one point.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation {
    pub objective: f64,
    pub gradient: Unknowns,
    pub(super) rows: usize,
    pub(super) values: [f64; MAX_ROWS],
    pub(super) jacobian: [Unknowns; MAX_ROWS],
}

impl Evaluation {
    pub fn push(&mut self, value: f64, in_a: &Vector3<f64>, in_b: &Vector3<f64>) {
        self.values[self.rows] = value;
        self.jacobian[self.rows] = [in_a.x, in_a.y, in_a.z, in_b.x, in_b.y, in_b.z];
        self.rows += 1;
    }

    pub fn values(&self) -> &[f64] {
        &self.values[..self.rows]
    }

    pub fn jacobian(&self) -> &[Unknowns] {
        &self.jacobian[..self.rows]
    }

    pub fn violation(&self) -> f64 {
        // f64::max would drop a NaN.
        let finite = self.values().iter().all(|c| c.is_finite());
        let largest = self.values().iter().fold(0.0, |m: f64, c| m.max(c.abs()));
        if finite { largest } else { f64::INFINITY }
    }
}

pub const UNKNOWNS: usize = 6;

/// Most rows of any set: two surfaces, a cross product, one row along a normal.
pub(super) const MAX_ROWS: usize = 6;

pub type Unknowns = [f64; UNKNOWNS];
