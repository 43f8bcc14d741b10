//! Questions of a workload.

use nalgebra::{Isometry3, Vector3};
use superovoid::Superovoid;

/// Queries before the one asked of a warm workload: a steady motion is known after five answers.
pub const BEFORE: usize = 6;

/// Body B of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Other {
    /// Index into the workload's shapes.
    Shape(usize),
    /// A point, where the pose puts the origin.
    Point,
}

/// One question.
#[derive(Clone, Debug)]
pub struct Case {
    /// Index of body A into the workload's shapes.
    pub a: usize,
    pub b: Other,
    /// Of A and B.
    pub poses: [Isometry3<f64>; 2],
    /// Where they were at the queries before, oldest first; empty for a cold start.
    pub before: Vec<[Isometry3<f64>; 2]>,
}

impl Case {
    /// A cold pair.
    pub fn pair(a: usize, b: usize, poses: [Isometry3<f64>; 2]) -> Case {
        Case {
            a,
            b: Other::Shape(b),
            poses,
            before: Vec::new(),
        }
    }
}

/// Questions of one kind.
#[derive(Clone, Debug, Default)]
pub struct Workload {
    /// Its name in the CSV file and on the command line.
    pub name: &'static str,
    pub title: &'static str,
    /// What is drawn, for the report.
    pub note: &'static str,
    pub shapes: Vec<Superovoid>,
    pub cases: Vec<Case>,
    /// Many stationary depths: the reference has to look harder, and certified depth takes part.
    pub deep: bool,
    /// Who takes part.
    pub field: Field,
}

/// Who takes part in a workload.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Field {
    /// Cold pairs: every peer.
    #[default]
    Pairs,
    /// Cold pairs of ellipsoids: every peer, and the peers' own ellipsoids.
    Ellipsoids,
    /// Bodies that are not convex: ourselves and the papers' schemes.
    NonConvex,
    /// Pairs that have moved since: what can start from the last answer.
    Warm,
    /// Points.
    Points,
}

impl Workload {
    /// The same cases in another order.
    pub fn reordered(mut self, order: &[usize]) -> Workload {
        self.cases = order.iter().map(|&k| self.cases[k].clone()).collect();
        self
    }

    /// The largest semi-axis: the length that errors refer to.
    pub fn size(&self) -> f64 {
        let axes = self.shapes.iter().flat_map(Superovoid::semi_axes);
        axes.fold(0.0, f64::max)
    }
}

/// A pose that only turns and moves.
pub fn pose(translation: Vector3<f64>, rotation: nalgebra::UnitQuaternion<f64>) -> Isometry3<f64> {
    Isometry3::from_parts(translation.into(), rotation)
}
