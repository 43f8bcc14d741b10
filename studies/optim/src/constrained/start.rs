//! The initial estimate: two points on the line of centres, at a share δ of it from either centre (the paper's equation
//! 32), or where it leaves the bodies.
//!
//! On the line `x(δ) = c + δ D`, with D from the body's centre to the other's, the surface equation
//! F(x(δ)) = 0 (the paper's equation 33) is negative at δ = 0 and positive outside the bounding
//! sphere, so that bisection finds a root; there is one only where the body is star-shaped about
//! its centre, which every convex one is.

use super::evaluation::Unknowns;
use crate::OptimError;
use crate::scaled::{Body, ScaledPair};
use nalgebra::{Point3, Vector3};

/// Where a solver starts on the line of centres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Start {
    /// Where the line leaves the two bodies.
    #[default]
    OnSurfaces,
    /// At this share of the line from either centre, on the surfaces or not; the paper draws 0.20 and 0.45.
    Share(f64),
}

pub(super) fn on_centre_line(pair: &ScaledPair, start: Start) -> Result<Unknowns, OptimError> {
    let [a, b] = &pair.bodies;
    let between = b.centre - a.centre;
    let line = between
        .try_normalize(f64::EPSILON)
        .ok_or(OptimError::Concentric)?;
    let (xa, xb) = match start {
        Start::OnSurfaces => (leaving(a, &line), leaving(b, &-line)),
        Start::Share(share) => (a.centre + between * share, b.centre - between * share),
    };
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
