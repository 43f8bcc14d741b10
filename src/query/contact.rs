//! The answer of a query: signed distance, witness points, normal and the bracket that proves them.

use crate::lanes::all_finite;
use crate::query::error::QueryError;
use crate::query::pose::Witnesses;
use nalgebra::{Point3, Unit, Vector3};

/// How a query ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The bracket is closed: `upper − lower` is at most the tolerance.
    Certified,
    /// The answer is stationary and checked (its points lie on both surfaces, the normals are opposed, a common point
    /// proves the overlap), but its bracket is open: it is a fast depth, or an overlap of non-convex bodies.
    Converged,
    /// The query knows nothing better than the bracket, which is true.
    NotConverged,
    /// The bodies are proven to be farther apart than `max_distance`: `distance` and `lower` are that proof, and the
    /// points are not the nearest ones.
    Beyond,
}

impl Outcome {
    /// Returns the outcome of a bracket: certified if it is no wider than the tolerance, otherwise `open`.
    #[inline(always)]
    pub(crate) fn of_bracket([lower, upper]: [f64; 2], tolerance: f64, open: Outcome) -> Self {
        if upper - lower <= tolerance {
            Outcome::Certified
        } else {
            open
        }
    }

    /// Returns the outcome of a bracket: certified if it is no wider than the tolerance; with an open bracket converged if
    /// it proves an overlap.
    pub(crate) fn of_overlap([lower, upper]: [f64; 2], tolerance: f64) -> Self {
        let open = if upper <= 0.0 {
            Outcome::Converged
        } else {
            Outcome::NotConverged
        };
        Outcome::of_bracket([lower, upper], tolerance, open)
    }
}

/// The answer of a pair query, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contact {
    /// Signed distance, metres: positive apart, zero touching, negative the least penetration.
    pub distance: f64,
    /// Witness point on the surface of A.
    pub point_a: Point3<f64>,
    /// Witness point on the surface of B: `point_a + distance · normal`.
    pub point_b: Point3<f64>,
    /// Unit normal from A to B.
    pub normal: Unit<Vector3<f64>>,
    /// The true signed distance is at least this.
    pub lower: f64,
    /// The true signed distance is at most this.
    pub upper: f64,
    /// How the query ended.
    pub outcome: Outcome,
    /// The number of solver iterations: 0 where the start led straight to the answer, as a warm start does.
    pub iterations: u32,
}

/// The default answer states nothing and serves to fill a slice: it is not converged, with a bracket from −∞ to ∞.
impl Default for Contact {
    fn default() -> Self {
        Contact {
            distance: 0.0,
            point_a: Point3::origin(),
            point_b: Point3::origin(),
            normal: Vector3::z_axis(),
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            outcome: Outcome::NotConverged,
            iterations: 0,
        }
    }
}

/// What a bracket proves about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollisionStatus {
    /// The bodies do not touch.
    Free,
    /// They overlap or touch.
    Collision,
    /// Neither is proven: the bracket contains zero.
    Undecided,
}

impl Contact {
    /// Puts an answer together from its witnesses in the world and its bracket, in metres.
    #[inline(always)]
    pub(crate) fn new(
        witnesses: &Witnesses<f64>,
        [lower, upper]: [f64; 2],
        outcome: Outcome,
        iterations: u32,
    ) -> Self {
        Contact {
            distance: witnesses.distance,
            point_a: witnesses.point_a.into(),
            point_b: witnesses.point_b.into(),
            normal: Unit::new_unchecked(witnesses.normal.into()),
            lower,
            upper,
            outcome,
            iterations,
        }
    }

    /// The answer of bodies that are proven to be farther apart than the maximum distance.
    #[inline(always)]
    pub(crate) fn beyond(
        point_a: Point3<f64>,
        point_b: Point3<f64>,
        normal: Unit<Vector3<f64>>,
        lower: f64,
    ) -> Self {
        Contact {
            distance: lower,
            point_a,
            point_b,
            normal,
            lower,
            upper: f64::INFINITY,
            outcome: Outcome::Beyond,
            iterations: 0,
        }
    }

    #[inline(always)]
    #[doc(hidden)]
    pub fn within_number_range(self) -> Result<Self, QueryError> {
        let (a, b) = (&self.point_a, &self.point_b);
        let numbers = [a.x, a.y, a.z, b.x, b.y, b.z, self.distance, self.lower];
        // An upper bound can be infinite: none is known.
        if all_finite(&numbers) && !self.upper.is_nan() {
            Ok(self)
        } else {
            Err(QueryError::Overflow)
        }
    }

    /// Returns what the bracket proves about the pair.
    #[inline]
    pub fn status(&self) -> CollisionStatus {
        if self.lower > 0.0 {
            CollisionStatus::Free
        } else if self.upper <= 0.0 {
            CollisionStatus::Collision
        } else {
            CollisionStatus::Undecided
        }
    }

    /// Returns the same contact seen from B: points swapped, normal negated.
    pub fn swapped(self) -> Self {
        Contact {
            point_a: self.point_b,
            point_b: self.point_a,
            normal: -self.normal,
            ..self
        }
    }

    /// Whether the answer proves that the bodies are farther apart than `max_distance` (metres).
    #[inline]
    #[doc(hidden)]
    pub fn is_beyond(&self, max_distance: f64) -> bool {
        self.outcome == Outcome::Beyond || self.lower > max_distance
    }
}

/// The answer for two bodies of which each may have many parts, as a mesh has.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PartsContact {
    /// The indices of the parts of A and B, from 0; 0 for a body of one piece.
    pub parts: [u32; 2],
    /// The answer in the world frame.
    pub contact: Contact,
}

impl PartsContact {
    /// Makes the answer of two bodies of one piece.
    pub(crate) fn whole(contact: Contact) -> Self {
        PartsContact {
            parts: [0, 0],
            contact,
        }
    }

    /// Returns the same answer seen from B.
    pub fn swapped(self) -> Self {
        let [a, b] = self.parts;
        PartsContact {
            parts: [b, a],
            contact: self.contact.swapped(),
        }
    }
}
