//! The radial distance of a vertex: that of the surface along the ray from the centre.
//!
//! For an untapered body, the surface point on the ray through p is p/G, with the gauge G (Jaklič,
//! Leonardis and Solina 2000). A taper changes with the height, so the k with G(k p) = 1 is then found by the secant
//! method; G grows with k, as the body is star-shaped.

use crate::Superovoid;
use crate::query::answer::Answer;
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::surface::circles::Circles;
use crate::vertex::bracket::simple_bracket;
use crate::vertex::newton::Foot;
use crate::vertex::problem::VertexProblem;
use crate::vertex::vertex_contact::{EXACT_TOLERANCE, solve_by, validate_query};
use crate::vertex::vertex_options::VertexOptions;
use nalgebra::{Isometry3, Point3, Vector3};

/// Returns the contact at the surface point on the ray from the centre through a vertex (world frame, metres); the
/// direction of the ray is the answer's normal.
///
/// The radial distance is an upper bound of distance and depth. The outcome is [`Outcome::NotConverged`],
/// with a true bracket; a vertex beyond `max_distance` has [`Outcome::Beyond`], and one so far away that the
/// body is a point [`Outcome::Certified`].
///
/// The option `max_distance` has the meaning that it has in [`vertex_contact`](crate::vertex_contact); `tolerance` is
/// validated but has no effect, and `max_iterations` and `depth` are ignored.
///
/// # Errors
/// The error names a pose or point that is not finite, an option out of its domain, or a distance that
/// exceeds the number range.
pub fn radial_vertex_contact(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
) -> Result<Contact, QueryError> {
    let straight = validate_query(pose, options)?;
    let pose = straight.as_ref().unwrap_or(pose);
    let by_ray = |query: &VertexProblem, _: &mut u32| answer(query);
    solve_by(shape, pose, point, options, EXACT_TOLERANCE, 0, by_ray)
}

/// Returns the surface point on the ray from the centre through p; for p = 0 the one on the upper z axis.
pub(super) fn radial_circles(shape: &Superovoid, p: &Vector3<f64>) -> Circles {
    const STEPS: usize = 60;
    const ON_SURFACE: f64 = 4.0 * f64::EPSILON;
    if *p == Vector3::zeros() {
        return shape.gauge_and_circles(&Vector3::z()).1;
    }
    let (mut gauge, mut circles) = shape.gauge_and_circles(p);
    if !shape.is_tapered() {
        return circles;
    }
    // Beyond the height of the body G is at least 1.
    let (mut low, mut high) = (0.0, (shape.a[2] / p.z).abs());
    let (mut last, mut last_gauge) = (0.0, 0.0);
    let mut k = 1.0;
    for _ in 0..STEPS {
        if (gauge - 1.0).abs() <= ON_SURFACE {
            break;
        }
        if gauge < 1.0 {
            low = f64::max(low, k);
        } else {
            high = f64::min(high, k);
        }
        let secant = k + (1.0 - gauge) * (k - last) / (gauge - last_gauge);
        (last, last_gauge) = (k, gauge);
        k = if secant > low && secant < high {
            secant
        } else {
            0.5 * (low + high)
        };
        if !k.is_finite() || k == last {
            break;
        }
        (gauge, circles) = shape.gauge_and_circles(&(p * k));
    }
    circles
}

/// Returns the radial distance with the ray as its normal, an upper bound of the distance and of the depth.
fn answer(query: &VertexProblem) -> Answer {
    let foot = Foot::at(
        &query.shape,
        &query.point,
        &radial_circles(&query.shape, &query.point),
    );
    let inside = query.shape.gauge(&query.point) <= 1.0;
    query.answer(
        &foot,
        inside,
        simple_bracket(query, &foot, inside),
        Outcome::NotConverged,
    )
}
