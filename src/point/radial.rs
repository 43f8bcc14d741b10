//! The radial distance: along the ray from the centre.
//!
//! Untapered, the surface point on the ray through p is p/G, G the gauge (Jaklič, Leonardis, Solina
//! 2000). A taper changes with the height, so there k with G(k p) = 1 is found by the secant method;
//! G grows with k, as the body is star-shaped.

use crate::Superovoid;
use crate::pair::Outcome;
use crate::pair::chain::Answer;
use crate::point::newton::Foot;
use crate::point::query::Query;
use crate::surface::circle::Circles;
use nalgebra::Vector3;

/// The surface point on the ray from the centre through p; on the upper z axis for p = 0.
pub(crate) fn radial_circles(shape: &Superovoid, p: &Vector3<f64>) -> Circles {
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

/// The radial distance, with the ray as its normal: an upper bound of the distance, and of the
/// depth.
pub(crate) fn answer(query: &Query) -> Answer {
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

/// What any surface point proves of the signed distance: outside its tangent plane and itself, inside
/// itself and that the point is inside.
pub(crate) fn simple_bracket(query: &Query, foot: &Foot, inside: bool) -> [f64; 2] {
    let length = foot.d.norm() + query.rounding;
    if inside {
        [-length, query.rounding]
    } else {
        [query.lower_bound(foot).max(-query.rounding), length]
    }
}
