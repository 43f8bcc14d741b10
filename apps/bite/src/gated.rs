//! The bite of the paper: every pair whose boxes along the world's axes meet is answered by quadImplicit from a fresh
//! guess, and the least answer counts. Pairs whose boxes are apart are not answered at all: the gate.

use crate::{BiteError, PairContact, Tooth};
use nalgebra::Isometry3;
use superovoid::Outcome;
use superovoid::published::{Scheme, SchemeOptions, scheme_contact};

/// How the pairs are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemeRun {
    /// The scheme; quadImplicit by default.
    pub scheme: Scheme,
    /// Whether boxes along the world's axes gate the pairs, as in the paper; true by default.
    pub gate: bool,
}

impl Default for SchemeRun {
    fn default() -> Self {
        SchemeRun {
            scheme: Scheme::QuadImplicit,
            gate: true,
        }
    }
}

/// The answer of a published scheme at a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SchemeFrame {
    /// The pair with the least distance; `None` if the gate let no pair through, or none was solved.
    pub nearest: Option<PairContact>,
    /// How many pairs were asked.
    pub asked: usize,
    /// How many of them were not solved; these do not count.
    pub unsolved: usize,
}

impl SchemeRun {
    /// Answers for the upper tooth at a pose.
    ///
    /// # Errors
    /// A pose that is not one, or a distance that exceeds the number range.
    pub fn frame(
        &self,
        lower: &Tooth,
        upper: &Tooth,
        pose: &Isometry3<f64>,
    ) -> Result<SchemeFrame, BiteError> {
        let options = SchemeOptions {
            scheme: self.scheme,
            ..SchemeOptions::default()
        };
        let mut frame = SchemeFrame {
            nearest: None,
            asked: 0,
            unsolved: 0,
        };
        for (j, b) in upper.bodies().iter().enumerate() {
            let at = pose * b.pose;
            let around_b = b.shape.aabb(&at);
            for (i, a) in lower.bodies().iter().enumerate() {
                if self.gate && !a.shape.aabb(&a.pose).intersects(&around_b) {
                    continue;
                }
                frame.asked += 1;
                let contact = scheme_contact(&a.shape, &a.pose, &b.shape, &at, &options, None)?;
                if contact.outcome == Outcome::NotConverged {
                    frame.unsolved += 1;
                    continue;
                }
                let least = frame.nearest.map(|n| n.contact.distance);
                if least.is_none_or(|least| contact.distance < least) {
                    let pair = [i, j];
                    frame.nearest = Some(PairContact { pair, contact });
                }
            }
        }
        Ok(frame)
    }
}
