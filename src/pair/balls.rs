//! What a limit of the distance asks first: whether the bodies' balls are farther apart than that.
//!
//! A body lies in the ball of its outer radius R about its centre c, so that the distance is at least
//!
//! ```text
//! |c_B − c_A| − R_A − R_B
//! ```
//!
//! in metres and the world frame, without a look at the poses' rotations and without a
//! [`Problem`](super::problem::Problem). Rounding changes the length of the difference by less than 2 ε of
//! it, untapered radii by less than 5 ε (those of tapered bodies are rounded up) and the two differences by
//! ε of the sum of all, together less than 8 ε |c_B − c_A| + 8 ε (R_A + R_B).

use crate::Superovoid;
use crate::pair::{Contact, Outcome};
use nalgebra::{Isometry3, Unit};

/// What rounding can change in the bound, relative to the sum of its terms.
const ROUNDED: f64 = 8.0 * f64::EPSILON;

/// Squares of distances in which nothing has left the number range: what a component's square may have lost
/// below it is far below their rounding.
const SQUARES: std::ops::Range<f64> = 1e-280..1e300;

/// The answer of a pair whose balls are farther apart than `max_distance`, metres: the points on the line of
/// the centres, A's on its ball. None where the balls do not show it, which the solver's scaled
/// numbers may yet do.
#[inline(always)]
pub(crate) fn beyond(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    max_distance: f64,
) -> Option<Contact> {
    if max_distance == f64::INFINITY {
        return None;
    }
    let offset = pose_b.translation.vector - pose_a.translation.vector;
    let squared = offset.norm_squared();
    let apart = squared.sqrt();
    let radii = a.outer_radius + b.outer_radius;
    let lower = apart - radii - ROUNDED * (apart + radii);
    if !(SQUARES.contains(&squared) && lower > max_distance) {
        return None;
    }
    let normal = offset / apart;
    let point_a = (pose_a.translation.vector + normal * a.outer_radius).into();
    let contact = Contact {
        distance: lower,
        point_a,
        point_b: point_a + normal * lower,
        normal: Unit::new_unchecked(normal),
        lower,
        upper: f64::INFINITY,
        outcome: Outcome::Beyond,
        iterations: 0,
    };
    contact.within_number_range().ok()
}
