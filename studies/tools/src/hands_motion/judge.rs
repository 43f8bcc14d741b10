//! Which answers are right: decided by the oracle of the library's tests.
//!
//! The signed distance of convex bodies is the maximum of the gap over all directions,
//! `gap(n) = n·(c_B − c_A) − h_A(n) − h_B(−n)`. The oracle searches for it with its own support functions,
//! from 2,000 directions. A direction that a method found is one more to try: its gap, by the
//! oracle's supports, is a proof whoever proposed it.

use super::oracle::{self, Effort, Pair};
use super::{Body, Hands};
use superovoid::{Contact, Outcome};

/// How an answer is to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Labelled certified or converged; distance, points and normal are right.
    Right,
    /// Labelled so, and a stationary depth of an overlap, but a larger one than the least.
    NotLeast,
    /// Labelled as not converged.
    NotConverged,
    /// Labelled certified or converged, and neither of these.
    Wrong,
}

/// The oracle's bodies, in the order of [`Hands::bodies`].
pub struct Judge {
    bodies: Vec<oracle::Body>,
}

/// What the oracle knows of a pair.
#[derive(Clone, Copy)]
pub struct Truth<'a> {
    pair: Pair<'a>,
    distance: f64,
}

/// How far off a right answer may be, in units of the larger semi-axis; the schemes stop at 1e-6.
const RIGHT: f64 = 1e-5;

impl Judge {
    /// The oracle's bodies for a version.
    pub fn new(hands: &Hands) -> Self {
        let body =
            |b: &superovoid_robot::SuperovoidBody| oracle::Body::new(oracle::Shape::from(&b.shape));
        Judge {
            bodies: hands.bodies.iter().map(body).collect(),
        }
    }

    /// The truth about a pair of bodies where they are; `directions` are tried as well.
    pub fn truth(
        &self,
        [a, b]: [usize; 2],
        bodies: &[Body],
        directions: impl IntoIterator<Item = nalgebra::Vector3<f64>>,
    ) -> Truth<'_> {
        let pair = Pair::new(
            &self.bodies[a],
            &bodies[a].pose,
            &self.bodies[b],
            &bodies[b].pose,
        );
        let (_, searched) = pair.max_gap(Effort::THOROUGH);
        let proposed = directions.into_iter().map(|n| pair.gap(&n.normalize()));
        Truth {
            pair,
            distance: proposed.fold(searched, f64::max),
        }
    }
}

impl Truth<'_> {
    /// Signed distance, metres.
    pub fn distance(&self) -> f64 {
        self.distance
    }

    /// How an answer is to be counted.
    pub fn verdict(&self, answer: &Contact) -> Verdict {
        if answer.outcome == Outcome::NotConverged {
            return Verdict::NotConverged;
        }
        let tolerance = RIGHT * self.pair.size();
        let gap = self.pair.gap(&answer.normal);
        let points = [
            (&self.pair.a, answer.point_a.coords),
            (&self.pair.b, answer.point_b.coords),
        ];
        let step = points[1].1 - points[0].1;
        let consistent = (step - answer.normal.as_ref() * answer.distance).norm() <= tolerance
            && (gap - answer.distance).abs() <= tolerance
            && points
                .iter()
                .all(|(body, x)| body.surface_error(x) <= tolerance);
        let off = answer.distance - self.distance;
        if !consistent || off > tolerance {
            Verdict::Wrong
        } else if off >= -tolerance {
            Verdict::Right
        } else if answer.distance < 0.0 && self.distance < 0.0 {
            Verdict::NotLeast
        } else {
            Verdict::Wrong
        }
    }
}
