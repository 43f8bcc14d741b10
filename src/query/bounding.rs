//! The early-out by bounding spheres: a query with a maximum distance ends where the bodies' bounding spheres are
//! farther apart than that.
//!
//! A body lies in the sphere of its outer radius R about its centre c, so that the distance is at least
//!
//! ```text
//! |c_B − c_A| − R_A − R_B
//! ```
//!
//! in metres and the world frame. Neither rotations nor scaled bodies are needed. Rounding changes the length of the
//! difference by less than 2 ε of
//! it, untapered radii by less than 5 ε (those of tapered bodies are rounded up) and the two differences by
//! ε of the sum of all, together less than 8 ε |c_B − c_A| + 8 ε (R_A + R_B).

use crate::Superovoid;
use crate::query::contact::Contact;
use crate::query::units::RELATIVE_ROUNDING;
use nalgebra::{Isometry3, Point3, Unit, Vector3};

/// The squares of distances whose components have not left the number range: what the square of a component may have
/// lost below that range is far below their rounding.
const SQUARES: std::ops::Range<f64> = 1e-280..1e300;

/// The answer of a pair whose bounding spheres are farther apart than `max_distance` (metres): its points lie on the
/// line of the centres, that of A on its sphere. Returns `None` where the spheres do not prove it; the solver's scaled
/// numbers may yet do so.
#[inline(always)]
pub(crate) fn pair_beyond(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    max_distance: f64,
) -> Option<Contact> {
    let (center_a, center_b) = (&pose_a.translation.vector, &pose_b.translation.vector);
    let radii = a.outer_radius + b.outer_radius;
    let (normal, lower) = separation(center_a, center_b, radii, max_distance)?;
    let point_a = center_a + normal * a.outer_radius;
    contact(point_a, point_a + normal * lower, normal, lower)
}

/// A body whose bounding sphere has more than so many times the radius of a sphere inside is elongated: its box is worth a look.
/// The test of two boxes takes a third of the time in which a batch solves a pair, so that it pays where it decides often.
const ELONGATED: f64 = 2.0;

/// The answer of a pair whose bounding spheres, or where a body is elongated whose boxes, are farther apart than `margin`
/// (metres), with points as those of `pair_beyond`. Returns `None` where neither proves it.
#[inline]
pub fn pair_beyond_by_boxes(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    margin: f64,
) -> Option<Contact> {
    if let Some(contact) = pair_beyond(a, pose_a, b, pose_b, margin) {
        return Some(contact);
    }
    let elongated = |body: &Superovoid| body.outer_radius > ELONGATED * body.inner_radius;
    let offset = pose_b.translation.vector - pose_a.translation.vector;
    let squared = offset.norm_squared();
    if !(elongated(a) || elongated(b)) || !SQUARES.contains(&squared) {
        return None;
    }
    let lower = a.quick_obb(pose_a).distance_bound(&b.quick_obb(pose_b));
    if !(lower > margin && lower.is_finite()) {
        return None;
    }
    let normal = offset / squared.sqrt();
    let point_a = pose_a.translation.vector + normal * a.outer_radius;
    contact(point_a, point_a + normal * lower, normal, lower)
}

/// The same answer for a body and a vertex, which is the point of B.
#[inline(always)]
pub(crate) fn vertex_beyond(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    max_distance: f64,
) -> Option<Contact> {
    let center = &pose.translation.vector;
    let (normal, lower) = separation(center, &point.coords, shape.outer_radius, max_distance)?;
    contact(point.coords - normal * lower, point.coords, normal, lower)
}

/// Returns the unit vector from A to B and the bound, if that is above `max_distance`.
#[inline(always)]
fn separation(
    center_a: &Vector3<f64>,
    center_b: &Vector3<f64>,
    radii: f64,
    max_distance: f64,
) -> Option<(Vector3<f64>, f64)> {
    if max_distance == f64::INFINITY {
        return None;
    }
    let offset = center_b - center_a;
    let squared = offset.norm_squared();
    let center_distance = squared.sqrt();
    let lower = center_distance - radii - RELATIVE_ROUNDING * (center_distance + radii);
    let found = SQUARES.contains(&squared) && lower > max_distance;
    found.then(|| (offset / center_distance, lower))
}

/// Returns `None` if a point exceeds the number range, or nearly does.
#[inline(always)]
fn contact(
    point_a: Vector3<f64>,
    point_b: Vector3<f64>,
    normal: Vector3<f64>,
    lower: f64,
) -> Option<Contact> {
    let sum = point_a + point_b;
    (sum.x + sum.y + sum.z).is_finite().then(|| {
        Contact::beyond(
            point_a.into(),
            point_b.into(),
            Unit::new_unchecked(normal),
            lower,
        )
    })
}
