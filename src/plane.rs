//! Planes and half-spaces: contact in closed form.
//!
//! The extent of a body along a unit normal n is the interval
//!
//! ```text
//! [ n·c − h(−n),  n·c + h(n) ],        c its centre, h its support function
//! ```
//!
//! which is attained at its support points. Against the half-space `n·x ≤ d` only the lower end counts: the signed
//! distance is `n·c − h(−n) − d`, and where that is negative a translation by as much along n is the least that
//! separates the two. (Gonçalves 2015, section 3.2, for superellipsoids; its projection, equation 17, has ‖d‖ where
//! the signed d is meant.)
//!
//! A body can leave a plane to either side. Above it the signed distance is `n·c − h(−n) − d`, below it `d − n·c −
//! h(n)`; at most one is positive, and when neither is, the larger one is minus the least translation that clears the
//! plane. So the signed distance is always the larger one.
//!
//! The function h is the support function of the convex hull. That is exact for the body as well: the support
//! point belongs to the body, a half-space that contains the body contains its hull, and a
//! connected body meets a plane exactly when its extent along the normal contains the offset.

use crate::query::units::unit_of_length;
use crate::query::validation::validate_pose;
use crate::{Contact, Outcome, QueryError, Superovoid};
use nalgebra::{Isometry3, Point3, Unit, Vector3};

/// A solid half-space `{ x : normal · x ≤ offset }`, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    normal: Unit<Vector3<f64>>,
    offset: f64,
}

/// An infinitely thin plane `{ x : normal · x = offset }` in the world frame; both of its sides are free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    normal: Unit<Vector3<f64>>,
    offset: f64,
}

impl HalfSpace {
    /// Makes the half-space of the points x with `normal · x ≤ offset`. The normal points out of the solid; it may
    /// have any length but zero. Both are divided by its length, so that the stored offset is in metres.
    ///
    /// # Errors
    /// The error names a normal that is zero or not finite, or an offset that is not finite (after that division).
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// let floor = superovoid::HalfSpace::new(Vector3::new(0.0, 0.0, 2.0), 3.0)?;
    /// assert_eq!(floor.offset(), 1.5);
    /// # Ok::<(), superovoid::QueryError>(())
    /// ```
    pub fn new(normal: Vector3<f64>, offset: f64) -> Result<Self, QueryError> {
        let (normal, offset) = normalised(normal, offset)?;
        Ok(HalfSpace { normal, offset })
    }

    /// Returns the unit normal, which points out of the solid.
    pub fn normal(&self) -> Unit<Vector3<f64>> {
        self.normal
    }

    /// Returns the signed distance of the boundary from the origin along the normal, metres.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// Returns the half-space at a pose, in the world: R n · x ≤ d + R n · t for all x = R y + t with n · y ≤ d.
    ///
    /// # Errors
    /// The error names a pose that is not finite or not a rotation.
    pub fn at(&self, pose: &Isometry3<f64>) -> Result<Self, QueryError> {
        let (normal, offset) = moved(self.normal, self.offset, pose)?;
        Ok(HalfSpace { normal, offset })
    }
}

impl Plane {
    /// Makes the plane of the points x with `normal · x = offset`; the normal may have any length but zero. Both are
    /// divided by its length, so that the stored offset is in metres.
    ///
    /// # Errors
    /// The errors are those of [`HalfSpace::new`].
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// let sheet = superovoid::Plane::new(Vector3::new(3.0, 4.0, 0.0), 10.0)?;
    /// assert_eq!(sheet.offset(), 2.0);
    /// # Ok::<(), superovoid::QueryError>(())
    /// ```
    pub fn new(normal: Vector3<f64>, offset: f64) -> Result<Self, QueryError> {
        let (normal, offset) = normalised(normal, offset)?;
        Ok(Plane { normal, offset })
    }

    /// Returns the unit normal. The side to which it points matters only where a body could be pushed to either, see
    /// [`plane_contact`].
    pub fn normal(&self) -> Unit<Vector3<f64>> {
        self.normal
    }

    /// Returns the signed distance of the plane from the origin along the normal, metres.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// Returns the plane at a pose, in the world: as [`HalfSpace::at`].
    ///
    /// # Errors
    /// As there.
    pub fn at(&self, pose: &Isometry3<f64>) -> Result<Self, QueryError> {
        let (normal, offset) = moved(self.normal, self.offset, pose)?;
        Ok(Plane { normal, offset })
    }
}

fn normalised(normal: Vector3<f64>, offset: f64) -> Result<(Unit<Vector3<f64>>, f64), QueryError> {
    // One of unit length to rounding is kept, as the quaternion of a pose is.
    if (normal.norm_squared() - 1.0).abs() <= 4.0 * f64::EPSILON && offset.is_finite() {
        return Ok((Unit::new_unchecked(normal), offset));
    }
    let largest = normal.amax();
    if !(largest > 0.0 && normal.iter().all(|x| x.is_finite())) {
        return Err(QueryError::Input {
            name: "plane normal",
            requirement: "must be finite and not zero",
        });
    }
    // The normal is scaled first, so that squares neither overflow nor underflow.
    let (normal, length) = Unit::new_and_get(normal / largest);
    let offset = offset / largest / length;
    if offset.is_finite() {
        Ok((normal, offset))
    } else {
        Err(QueryError::Input {
            name: "plane offset",
            requirement: "must be finite, also divided by the length of the normal",
        })
    }
}

/// Returns a normal and an offset at a pose. In the world's frame, where most planes are, nothing is rounded.
fn moved(
    normal: Unit<Vector3<f64>>,
    offset: f64,
    pose: &Isometry3<f64>,
) -> Result<(Unit<Vector3<f64>>, f64), QueryError> {
    if *pose == Isometry3::identity() {
        return Ok((normal, offset));
    }
    let pose = validate_pose('B', pose)?.unwrap_or(*pose);
    let normal = pose.rotation * normal.into_inner();
    normalised(normal, offset + normal.dot(&pose.translation.vector))
}

/// Returns the signed distance between a body A at `pose` and a solid half-space B, with the body's deepest point,
/// that point's projection onto the boundary, and the normal from A to B (minus the half-space's normal). The answer
/// is exact for every body, convex or not, apart or overlapping: a negative distance is minus the least translation
/// that separates the two. It is certified, with a bracket of the width of rounding, except for exponents within 1e-6
/// of 0 or 2 (see [`pair`](crate::pair)).
///
/// # Errors
/// The error names a pose that is not finite, or a distance that exceeds the number range.
///
/// ```
/// use nalgebra::{Isometry3, Vector3};
/// use superovoid::{HalfSpace, Superovoid, half_space_contact};
///
/// let egg = Superovoid::new([0.02, 0.02, 0.03], [1.0, 1.0], [0.2, 0.2])?;
/// let floor = HalfSpace::new(Vector3::z(), 0.0)?;
/// let answer = half_space_contact(&egg, &Isometry3::translation(0.0, 0.0, 0.025), &floor)?;
/// assert!((answer.distance + 0.005).abs() < 1e-12); // 5 mm deep
/// assert_eq!(*answer.normal, -Vector3::z());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn half_space_contact(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    half_space: &HalfSpace,
) -> Result<Contact, QueryError> {
    let straight = validate_pose('A', pose)?;
    let pose = straight.as_ref().unwrap_or(pose);
    let body = Body::new(shape, pose, half_space.offset);
    let side = body.beyond(&half_space.normal, half_space.offset);
    body.answer(side, side.centre)
}

/// Returns the signed distance between a body A at `pose` and a thin plane B, with the nearest point of the body, its
/// projection onto the plane, and the normal from A to B. A body that straddles the plane overlaps it: the distance
/// is then minus the smaller of the two translations, along the plane's normal or against it, that clear the plane.
/// If they are equal the body counts as lying on the side to which the plane's normal points, and the contact normal
/// is minus that. The answer is certified as in [`half_space_contact`].
///
/// # Errors
/// The error names a pose that is not finite, or a distance that exceeds the number range.
///
/// ```
/// use nalgebra::{Isometry3, Vector3};
/// use superovoid::{Plane, Superovoid, plane_contact};
///
/// let (ball, sheet) = (Superovoid::sphere(1.0)?, Plane::new(Vector3::z(), 0.0)?);
/// let at = |z| plane_contact(&ball, &Isometry3::translation(0.0, 0.0, z), &sheet);
/// assert!((at(-3.0)?.distance - 2.0).abs() < 1e-11); // metres, below the sheet
/// assert!((at(-0.25)?.distance + 0.75).abs() < 1e-11); // out again downwards
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plane_contact(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    plane: &Plane,
) -> Result<Contact, QueryError> {
    let straight = validate_pose('A', pose)?;
    let pose = straight.as_ref().unwrap_or(pose);
    let body = Body::new(shape, pose, plane.offset);
    let ways = [(plane.normal, plane.offset), (-plane.normal, -plane.offset)];
    let is_above = body.height(&plane.normal, plane.offset) >= 0.0;
    let [(n, d), (m, e)] = if is_above { ways } else { [ways[1], ways[0]] };
    let side = body.beyond(&n, d);
    // One that is symmetric about its centre leaves to the centre's side.
    if side.distance > 0.0 || !body.shape.is_tapered() {
        return body.answer(side, side.centre);
    }
    let other = body.beyond(&m, e);
    let stays = match is_above {
        true => side.distance >= other.distance,
        false => side.distance > other.distance,
    };
    body.answer(if stays { side } else { other }, side.centre)
}

/// The body in units of about its size, with its pose.
struct Body<'a> {
    shape: Superovoid,
    pose: &'a Isometry3<f64>,
    centre: Vector3<f64>,
    /// The number of metres per unit.
    unit: f64,
    /// The change of a distance that rounding can cause.
    rounding: f64,
}

/// One side of a plane.
#[derive(Clone, Copy)]
struct PlaneSide {
    /// The unit normal from the body to the plane.
    normal: Unit<Vector3<f64>>,
    /// The signed distance of the body.
    distance: f64,
    /// The signed distance of its centre.
    centre: f64,
    /// The lowest point of the body.
    point: Vector3<f64>,
}

/// The accuracy of the support function, relative to the body.
const SUPPORT_ACCURACY: f64 = 1e-12;

impl<'a> Body<'a> {
    /// The pose is valid.
    fn new(shape: &Superovoid, pose: &'a Isometry3<f64>, offset: f64) -> Self {
        let far = pose.translation.vector.amax().max(offset.abs());
        let unit = unit_of_length(shape.size(), far);
        let shape = shape.scaled(1.0 / unit);
        let centre = pose.translation.vector / unit;
        let rounding = 8.0 * f64::EPSILON * (centre.norm() + (offset / unit).abs())
            + SUPPORT_ACCURACY * shape.outer_radius;
        Body {
            shape,
            pose,
            centre,
            unit,
            rounding,
        }
    }

    /// Returns the height of the centre above a plane.
    fn height(&self, normal: &Unit<Vector3<f64>>, offset: f64) -> f64 {
        normal.dot(&self.centre) - offset / self.unit
    }

    /// Returns the contact of the body with the side of the plane to which `normal` points.
    fn beyond(&self, normal: &Unit<Vector3<f64>>, offset: f64) -> PlaneSide {
        let down = self.pose.rotation.inverse() * -normal.as_ref();
        let (h, circles) = self.shape.support_circles(&down);
        let centre = self.height(normal, offset);
        PlaneSide {
            normal: -*normal,
            distance: centre - h,
            centre,
            point: self.pose.rotation * circles.point(&self.shape) + self.centre,
        }
    }

    /// Returns the answer in metres; `centre` is the signed distance of the body's centre, which lies in the body.
    fn answer(&self, side: PlaneSide, centre: f64) -> Result<Contact, QueryError> {
        let mut distance = side.distance;
        let (mut lower, mut upper) = (distance - self.rounding, distance + self.rounding);
        let mut outcome = Outcome::Certified;
        if !self.shape.traits.provable() {
            lower = centre - self.shape.outer_radius - self.rounding;
            upper = centre + self.rounding;
            outcome = Outcome::NotConverged;
            if lower <= 0.0 && upper >= 0.0 {
                distance = lower;
            }
        }
        let point_a = Point3::from(side.point * self.unit);
        let point_b = point_a + side.normal.as_ref() * (distance * self.unit);
        let contact = Contact {
            distance: distance * self.unit,
            point_a,
            point_b,
            normal: side.normal,
            lower: lower * self.unit,
            upper: upper * self.unit,
            outcome,
            iterations: 0,
        };
        let mut numbers = point_a.iter().chain(point_b.iter());
        let bracket = contact.lower.is_finite() && contact.upper.is_finite();
        if bracket && contact.distance.is_finite() && numbers.all(|x| x.is_finite()) {
            Ok(contact)
        } else {
            Err(QueryError::Overflow)
        }
    }
}
