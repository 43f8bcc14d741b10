//! What a solver's points are worth, by the library's own surface functions and query.

use super::Solution;
use crate::OptimError;
use crate::scaled::ScaledPair;
use nalgebra::{Isometry3, Point3, Vector3};
use superovoid::{Contact, Superovoid};

/// Points off the surface by more than this (nested norm less 1) are on no surface.
const SURFACE: f64 = 1e-5;
/// Sine of the largest angle between the normals, and between d and a normal. The dot products of
/// the sets e to h let a violation of 1e-6 pass as 1.4e-3.
const ANGLE: f64 = 1e-2;
/// Largest error of the distance, as a share of the larger body.
const LENGTH: f64 = 1e-4;

/// What the points are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The contact: on both surfaces, opposite normals along d, and the signed distance. The error
    /// of that, as a share of the larger semi-axis of the pair, is kept.
    Right(f64),
    /// Stationary (on both surfaces, opposite normals along d), but not the contact: an overlap with
    /// a greater than the least depth, or the far sides.
    OtherStationary,
    /// Reported as a solution, but none of these.
    Wrong,
    /// The solver did not report a feasible solution.
    NotConverged,
}

/// Judges a solution of the pair against its `reference`, the answer of [`superovoid::contact`].
///
/// # Errors
/// As [`super::solve`].
pub fn judge(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    reference: &Contact,
    solution: &Solution,
) -> Result<Verdict, OptimError> {
    let unit = ScaledPair::new(a, pose_a, b, pose_b)?.unit;
    if !solution.converged {
        return Ok(Verdict::NotConverged);
    }
    let on = [
        Touch::new(a, pose_a, &solution.point_a),
        Touch::new(b, pose_b, &solution.point_b),
    ];
    let d = (solution.point_b - solution.point_a) / unit;
    let on_surface = on.iter().all(|touch| touch.norm_error <= SURFACE);
    let opposite = (on[0].normal + on[1].normal).norm() <= ANGLE;
    // d as a length where it is short, as a direction where it is long.
    let aligned = d.cross(&on[0].normal).norm() <= (ANGLE * d.norm()).max(LENGTH);
    if !(on_surface && opposite && aligned) {
        return Ok(Verdict::Wrong);
    }
    // The paper's contact condition, its equation 20.
    let signed = d.norm().copysign(d.dot(&on[0].normal));
    let error = (signed - reference.distance / unit).abs();
    Ok(if error <= LENGTH {
        Verdict::Right(error)
    } else {
        Verdict::OtherStationary
    })
}

struct Touch {
    norm_error: f64,
    normal: Vector3<f64>,
}

impl Touch {
    fn new(shape: &Superovoid, pose: &Isometry3<f64>, point: &Point3<f64>) -> Self {
        let local = pose.inverse_transform_point(point);
        let f = shape.inside_outside(&local);
        Touch {
            norm_error: ((f + 1.0).powf(shape.exponents()[1] / 2.0) - 1.0).abs(),
            normal: pose.rotation * shape.gradient(&local).normalize(),
        }
    }
}
