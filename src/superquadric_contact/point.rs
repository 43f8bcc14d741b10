//! Points: the signed distance of a point from a body that is not convex, with the nearest surface point.
//!
//! Every body is its own mirror image by the three planes of its axes, so the nearest surface point of a point without
//! negative coordinates has none either: one quarter of a toroid, or the upper half of a neck, is searched. A body of
//! revolution is searched in the half-plane of the point alone, where a toroid is a convex disc.
//!
//! Outside, the [branch and bound over parts](crate::superquadric_contact::search) closes a bracket. Inside, the least of many
//! local minima of the distance to the surface is taken, which no bound proves.

use crate::query::answer::{Answer, beyond_answer, in_world};
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::units::{rounding_error, unit_of_length, wanted_tolerance};
use crate::query::validation::{validate_lengths, validate_pose};
use crate::shape::circle::Circle;
use crate::superquadric::shape::{Family, Sheets, Superquadric};
use crate::superquadric::support::turn_of;
use crate::superquadric_contact::cup::cup_point_contact;
use crate::superquadric_contact::inside;
use crate::superquadric_contact::search::{Wanted, separate};
use crate::vertex::VertexOptions;
use nalgebra::{Isometry3, Point3, Vector3};

/// The default tolerance, relative to the body's largest half-width.
const POINT_TOLERANCE: f64 = 1e-9;

/// A point against a toroid or a neck, in the body's frame and in units near its size.
struct PointProblem {
    shape: Superquadric,
    /// The mirror image of the point without negative coordinates.
    point: Vector3<f64>,
    tolerance: f64,
    rounding: f64,
    max_distance: f64,
}

/// Returns the signed distance between a toroid or a hyperboloid of one sheet at `pose` and a valid point.
pub(super) fn point_contact(
    shape: &Superquadric,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
) -> Result<Contact, QueryError> {
    // Halves are subtracted, so that coordinates of any finite size do not overflow.
    let half_offset = point.coords * 0.5 - pose.translation.vector * 0.5;
    let unit = unit_of_length(shape.size(), half_offset.amax());
    let k = 1.0 / unit;
    let local = pose.rotation.inverse() * (half_offset * k * 2.0);
    let shape = shape.scaled(k);
    let wanted = wanted_tolerance(options.tolerance, shape.size() * unit, POINT_TOLERANCE) * k;
    let rounding = 2.0 * rounding_error(local.norm() + shape.size(), unit);
    let problem = PointProblem {
        shape,
        point: local.abs(),
        tolerance: wanted.max(16.0 * rounding),
        rounding,
        max_distance: options.max_distance * k,
    };
    let mut iterations = 0;
    let mut answer = problem.answer(&mut iterations);
    let side = |x: f64, y: f64| if x < 0.0 { -y } else { y };
    answer.normal = local.zip_map(&answer.normal, side);
    answer.xa = local.zip_map(&answer.xa, side);
    if !problem.shape.is_provable() {
        let center = local.norm();
        answer.revoke([center - 3.0 * problem.shape.size(), center]);
    }
    answer.report_conservatively();
    in_world(&answer, unit, pose, iterations).within_number_range()
}

impl PointProblem {
    fn answer(&self, iterations: &mut u32) -> Answer {
        let x = &self.point;
        if self.shape.inside_outside(&Point3::from(*x)) <= 0.0 {
            return self.inside(iterations);
        }
        let wanted = Wanted {
            tolerance: self.tolerance - 2.0 * self.rounding,
            rounding: 0.0,
            stop: self.max_distance,
            octant: true,
            turn: self.only_turn(),
        };
        let start = x.try_normalize(1e-300).unwrap_or_else(Vector3::z);
        let found = separate(&self.shape, &|_| *x, start, &wanted, iterations);
        let lower = found.lower - self.rounding;
        if lower > self.max_distance {
            return beyond_answer(found.normal, x - found.normal * lower, lower);
        }
        let [xa, _] = found.witnesses;
        let d = x - xa;
        // The direction of a shorter difference is rounding error.
        let normal = d
            .try_normalize(1e-8 * self.shape.size())
            .unwrap_or(found.normal);
        let bracket = [lower, found.upper + self.rounding];
        let outcome = Outcome::of_bracket(bracket, self.tolerance, Outcome::NotConverged);
        let xa = x - normal * found.upper;
        Answer::new(found.upper, normal, xa, bracket, outcome)
    }

    /// Returns the turn of the half-plane through the point, of a round toroid.
    fn only_turn(&self) -> Option<f64> {
        let shape = &self.shape;
        let round =
            shape.family() == Family::Toroid && shape.p[0] == 2.0 && shape.a[0] == shape.a[1];
        round.then(|| {
            if self.point.x == 0.0 && self.point.y == 0.0 {
                return 0.0;
            }
            turn_of(&Circle::from_primal(self.point.x, self.point.y, 2.0), 2.0)
        })
    }

    /// Returns the nearest surface point of a point inside: the best of the local minima and of the cap.
    fn inside(&self, iterations: &mut u32) -> Answer {
        let (shape, x) = (&self.shape, self.point);
        let mut best = (f64::INFINITY, Vector3::zeros(), Vector3::z());
        inside::minima(shape, &x, iterations, |distance, xa, normal| {
            if distance < best.0 {
                best = (distance, xa, normal);
            }
        });
        let cap = shape.a[2] * shape.extent;
        if shape.family() == Family::OneSheet && cap - x.z < best.0 {
            best = (cap - x.z, Vector3::new(x.x, x.y, cap), Vector3::z());
        }
        let (distance, xa, normal) = best;
        let normal = (xa - x)
            .try_normalize(1e-8 * shape.size())
            .unwrap_or(normal);
        let bracket = [-distance - self.rounding, self.rounding];
        let xa = x + normal * distance;
        Answer::new(-distance, normal, xa, bracket, Outcome::Converged)
    }
}

impl Superquadric {
    /// Returns the signed distance between the body at `pose` and a point (world frame, metres), with the nearest surface
    /// point, the outward normal and a bracket. The answer is a [`Contact`] with the body as A and the point as B.
    ///
    /// | body and point | bracket | outcome |
    /// | --- | --- | --- |
    /// | outside | closed at the tolerance: 1e-9 of the largest half-width, unless the options say otherwise | `Certified`, or `NotConverged` where 1500 parts do not close it |
    /// | inside one sheet of two | true, and as narrow as a [convex pair](crate::convex) leaves it | `Certified` or `Converged` |
    /// | inside another body | from the distance found to 0 | `Converged` |
    ///
    /// Points on planes of symmetry, such as the axis of a toroid, can have several nearest surface points; which one is
    /// returned is deterministic but otherwise unspecified. Exponents within 1e-6 of 0 or 2 are never certified.
    ///
    /// # Errors
    /// The error names a pose or point that is not finite, an option out of its domain, or a distance that exceeds the
    /// number range.
    ///
    /// ```
    /// use nalgebra::{Isometry3, Point3};
    /// use superovoid::{VertexOptions, superquadric::Superquadric};
    /// let ring = Superquadric::toroid([0.5; 3], [1.0, 1.0], 4.0)?; // radii 2 and 0.5 metres
    /// let (here, point) = (Isometry3::identity(), Point3::new(0.5, 0.0, 0.0));
    /// let found = ring.point_contact(&here, &point, &VertexOptions::default())?;
    /// assert!((found.distance - 1.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn point_contact(
        &self,
        pose: &Isometry3<f64>,
        point: &Point3<f64>,
        options: &VertexOptions,
    ) -> Result<Contact, QueryError> {
        let straight = validate_pose('A', pose)?;
        let pose = straight.as_ref().unwrap_or(pose);
        validate_lengths(options.tolerance, options.max_distance)?;
        if !point.iter().all(|x| x.is_finite()) {
            return Err(QueryError::NonFinitePoint { index: 0 });
        }
        match self.family {
            Family::TwoSheets(Sheets::Both) => {
                let [upper, lower] = [Sheets::Upper, Sheets::Lower]
                    .map(|side| cup_point_contact(&self.sheet(side), pose, point, options));
                let (upper, lower) = (upper?, lower?);
                // The two sheets do not meet, so that a point is inside one of them at most.
                let mut nearest = if upper.distance <= lower.distance {
                    upper
                } else {
                    lower
                };
                nearest.lower = upper.lower.min(lower.lower);
                nearest.upper = upper.upper.min(lower.upper);
                Ok(nearest)
            }
            Family::TwoSheets(_) => cup_point_contact(self, pose, point, options),
            _ => point_contact(self, pose, point, options),
        }
    }
}
