//! Planes and half-spaces, by the support function of the hull.
//!
//! That is exact for bodies that are not convex as well: the support point belongs to the body, and a half-space that holds
//! the body holds its hull. A connected body meets a plane exactly where its extent along the normal holds the offset; two
//! sheets can lie on either side of a plane that passes between them.

use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::units::unit_of_length;
use crate::query::validation::validate_pose;
use crate::superquadric::shape::{Family, Sheets, Superquadric};
use crate::surface::support_map::SupportMap;
use crate::{HalfSpace, Plane};
use nalgebra::{Isometry3, Point3, Unit, Vector3};

/// The accuracy of the support function, relative to the body.
const SUPPORT_ACCURACY: f64 = 1e-12;

impl Superquadric {
    /// Returns the signed distance between the body at `pose` (A) and a solid half-space (B), with the body's deepest point.
    /// The answer is exact, as that of [`half_space_contact`](crate::half_space_contact), apart or overlapping.
    ///
    /// # Errors
    /// The error names a pose that is not finite, or a distance that exceeds the number range.
    ///
    /// ```
    /// use nalgebra::{Isometry3, Vector3};
    /// use superovoid::{HalfSpace, superquadric::Superquadric};
    /// let ring = Superquadric::toroid([0.5; 3], [1.0, 1.0], 4.0)?; // lies flat, half a metre high
    /// let floor = HalfSpace::new(Vector3::z(), 0.0)?;
    /// let found = ring.half_space_contact(&Isometry3::translation(0.0, 0.0, 0.6), &floor)?;
    /// assert!((found.distance - 0.1).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn half_space_contact(
        &self,
        pose: &Isometry3<f64>,
        half_space: &HalfSpace,
    ) -> Result<Contact, QueryError> {
        beyond(self, pose, &half_space.normal(), half_space.offset())
    }

    /// Returns the signed distance between the body at `pose` (A) and a thin plane (B): of a body that straddles it minus
    /// the smaller of the two translations along its normal that clear it, as for
    /// [`plane_contact`](crate::plane_contact). Two sheets that are both clear of a plane between them are apart from it.
    ///
    /// # Errors
    /// The error names a pose that is not finite, or a distance that exceeds the number range.
    pub fn plane_contact(
        &self,
        pose: &Isometry3<f64>,
        plane: &Plane,
    ) -> Result<Contact, QueryError> {
        let (normal, offset) = (plane.normal(), plane.offset());
        if self.family == Family::TwoSheets(Sheets::Both) {
            let [upper, lower] = [Sheets::Upper, Sheets::Lower]
                .map(|side| self.sheet(side).plane_contact(pose, plane));
            let (upper, lower) = (upper?, lower?);
            if upper.distance > 0.0 && lower.distance > 0.0 {
                let upper_is_nearer = upper.distance <= lower.distance;
                return Ok(if upper_is_nearer { upper } else { lower });
            }
        }
        let above = beyond(self, pose, &normal, offset)?;
        let below = beyond(self, pose, &-normal, -offset)?;
        let best = if above.distance >= below.distance {
            above
        } else {
            below
        };
        Ok(best)
    }
}

/// Returns the contact with the side of a plane to which the normal points.
fn beyond(
    shape: &Superquadric,
    pose: &Isometry3<f64>,
    normal: &Unit<Vector3<f64>>,
    offset: f64,
) -> Result<Contact, QueryError> {
    let straight = validate_pose('A', pose)?;
    let pose = straight.as_ref().unwrap_or(pose);
    let far = pose.translation.vector.amax().max(offset.abs());
    let unit = unit_of_length(shape.size(), far);
    let scaled = shape.scaled(1.0 / unit);
    let center = pose.translation.vector / unit;
    let (h, point) = scaled.local_support(&(pose.rotation.inverse() * -normal.as_ref()));
    let at_center = normal.dot(&center) - offset / unit;
    let distance = at_center - h;
    let radius = 1.8 * scaled.size();
    let rounding =
        8.0 * f64::EPSILON * (center.norm() + (offset / unit).abs()) + SUPPORT_ACCURACY * radius;
    let (mut lower, mut upper) = (distance - rounding, distance + rounding);
    let mut outcome = Outcome::Certified;
    if !shape.is_provable() {
        (lower, upper) = (at_center - radius - rounding, at_center + radius + rounding);
        outcome = Outcome::NotConverged;
    }
    let distance = if outcome == Outcome::NotConverged && lower <= 0.0 {
        lower
    } else {
        distance
    };
    let point_a = Point3::from((pose.rotation * point + center) * unit);
    Contact {
        distance: distance * unit,
        point_a,
        point_b: point_a - normal.as_ref() * (distance * unit),
        normal: -*normal,
        lower: lower * unit,
        upper: upper * unit,
        outcome,
        iterations: 0,
    }
    .within_number_range()
}
