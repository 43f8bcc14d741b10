//! The answer of a solver in its own units and frame, how it is reported conservatively, and its conversion to the
//! world frame.

use crate::lanes::all_finite;
use crate::query::contact::{Contact, Outcome};
use crate::query::pose::{Pose, ToWorld};
use crate::surface::primal_dual::SurfaceState;
use nalgebra::{Isometry3, Vector3};

/// The answer in the problem's units and frame.
pub(crate) struct Answer {
    pub distance: f64,
    pub normal: Vector3<f64>,
    /// The witness point of A; that of B is `xa + distance · normal`.
    pub xa: Vector3<f64>,
    pub lower: f64,
    pub upper: f64,
    pub outcome: Outcome,
    /// The surface coordinates of the answer, from which the next query may start.
    pub states: Option<[SurfaceState; 2]>,
}

impl Answer {
    /// Makes an answer without surface coordinates.
    #[inline(always)]
    pub fn new(
        distance: f64,
        normal: Vector3<f64>,
        xa: Vector3<f64>,
        [lower, upper]: [f64; 2],
        outcome: Outcome,
    ) -> Self {
        Answer {
            distance,
            normal,
            xa,
            lower,
            upper,
            outcome,
            states: None,
        }
    }

    /// Limits the answer, whichever stage found it, to what is proven. Sizes or distances near the limits of the number
    /// range leave no finite answer: then it is `unknown`. Where rounding spoils the support functions nothing is proven
    /// but the bracket that always holds.
    #[inline(always)]
    pub fn finalized(
        mut self,
        provable: bool,
        bracket: impl FnOnce() -> [f64; 2],
        unknown: impl FnOnce() -> Answer,
    ) -> Answer {
        if !self.is_finite() {
            self = unknown();
        }
        if !provable {
            self.revoke(bracket());
        }
        self.report_conservatively();
        self
    }

    /// Revokes the proof: only the given bracket, which always holds, is left.
    pub fn revoke(&mut self, [lower, upper]: [f64; 2]) {
        match self.outcome {
            Outcome::Certified => self.outcome = Outcome::Converged,
            // It is proven by the bounding spheres, or not at all.
            Outcome::Beyond if lower < self.lower => {
                self.outcome = Outcome::NotConverged;
                self.upper = upper;
            }
            _ => {}
        }
        (self.lower, self.upper) = (self.lower.min(lower), self.upper.max(upper));
    }

    /// Reports an unproven answer conservatively: while its bracket contains 0 the distance is the lower bound, so that
    /// nothing that is not proven to be free reads as free.
    #[inline(always)]
    pub fn report_conservatively(&mut self) {
        if self.outcome == Outcome::NotConverged && self.lower <= 0.0 {
            self.distance = self.distance.min(self.lower);
        }
    }

    #[inline(always)]
    pub fn is_finite(&self) -> bool {
        let ([n, m, o], [x, y, z]) = (self.normal.into(), self.xa.into());
        let numbers = [n, m, o, x, y, z, self.distance, self.lower];
        // Upper is infinite where only a lower bound was asked for.
        all_finite(&numbers) && !self.upper.is_nan()
    }
}

pub(crate) fn beyond_answer(normal: Vector3<f64>, xa: Vector3<f64>, lower: f64) -> Answer {
    Answer::new(lower, normal, xa, [lower, f64::INFINITY], Outcome::Beyond)
}

/// Converts an answer to metres and the world frame.
#[inline(always)]
pub(crate) fn in_world(
    answer: &Answer,
    unit: f64,
    pose_a: &Isometry3<f64>,
    iterations: u32,
) -> Contact {
    /// What underflows has no direction: NaN, which is no answer.
    #[cold]
    fn normalized(normal: &Vector3<f64>) -> Vector3<f64> {
        normal.normalize()
    }
    let mut normal = answer.normal;
    if (normal.norm_squared() - 1.0).abs() > 1e-12 {
        normal = normalized(&normal);
    }
    let xa = answer.xa.into();
    let found = Pose::from(pose_a).witnesses(unit, &xa, &normal.into(), answer.distance);
    let bracket = [answer.lower * unit, answer.upper * unit];
    Contact::new(&found, bracket, answer.outcome, iterations)
}
