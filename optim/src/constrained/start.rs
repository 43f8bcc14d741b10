//! The initial estimate: the points where the line of centres leaves the two bodies.
//!
//! On the line `x(δ) = c + δ D`, with D from the body's centre to the other's, the surface equation
//! F(x(δ)) = 0 (the paper's equation 33) is negative at δ = 0 and positive outside the bounding
//! sphere, so that bisection finds a root; there is one only where the body is star-shaped about
//! its centre, which every convex one is.

use super::evaluation::Unknowns;
use crate::OptimError;
use crate::scaled::{Body, ScaledPair};
use nalgebra::{Point3, Vector3};

pub fn on_centre_line(pair: &ScaledPair) -> Result<Unknowns, OptimError> {
    let [a, b] = &pair.bodies;
    let line = (b.centre - a.centre)
        .try_normalize(f64::EPSILON)
        .ok_or(OptimError::Concentric)?;
    let (xa, xb) = (leaving(a, &line), leaving(b, &-line));
    Ok([xa.x, xa.y, xa.z, xb.x, xb.y, xb.z])
}

/// Where the ray from the centre along the unit vector `line` leaves the body.
fn leaving(body: &Body, line: &Vector3<f64>) -> Vector3<f64> {
    let along = body.rotation.tr_mul(line);
    let [tx, ty] = body.shape.tapers();
    // The box of the widest sections contains the body.
    let reach = Vector3::from(body.shape.semi_axes()).norm() * (1.0 + tx.abs().max(ty.abs()));
    let (mut inside, mut outside) = (0.0, reach);
    loop {
        let delta = (inside + outside) / 2.0;
        if delta <= inside || delta >= outside {
            break;
        }
        if body.shape.inside_outside(&Point3::from(along * delta)) < 0.0 {
            inside = delta;
        } else {
            outside = delta;
        }
    }
    body.centre + line * inside
}
