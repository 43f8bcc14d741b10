//! The surface of one body at a world point: value and gradient of its equation, unit normal and
//! the derivative of that.
//!
//! With g = ∇F and H = ∇²F in the body's frame, carried to the world by R, the unit normal
//! `n = g/|g|` changes with the point by
//!
//! ```text
//! N = ∂n/∂x = (I − n nᵀ) H / |g|
//! ```
//!
//! and the norm form `φ = (F + 1)^(1/p2) − 1` has `∇φ = (F + 1)^(1/p2 − 1) ∇F / p2`.

use super::forms::SurfaceForm;
use crate::scaled::Body;
use nalgebra::{Matrix3, Point3, Vector3};

pub struct SurfaceAt {
    /// φ(x).
    pub value: f64,
    /// ∇φ(x).
    pub gradient: Vector3<f64>,
    /// n(x).
    pub normal: Vector3<f64>,
    /// N = ∂n/∂x.
    pub turning: Matrix3<f64>,
}

impl SurfaceAt {
    /// Not finite at the centre, beyond a tapered tip, and (N alone) on the ridges of exponents
    /// above 1.
    pub fn new(body: &Body, form: SurfaceForm, x: &Vector3<f64>) -> Self {
        let local = Point3::from(body.rotation.tr_mul(&(x - body.centre)));
        let f = body.shape.inside_outside(&local);
        let g = body.rotation * body.shape.gradient(&local);
        let h = body.rotation * body.shape.hessian(&local) * body.rotation.transpose();
        let length = g.norm();
        let normal = g / length;
        let turning = (h - normal * (normal.transpose() * h)) / length;
        let (value, gradient) = match form {
            SurfaceForm::InsideOutside => (f, g),
            SurfaceForm::Norm => {
                let p2 = 2.0 / body.shape.exponents()[1];
                let norm = (f + 1.0).powf(1.0 / p2);
                (norm - 1.0, g * (norm / (f + 1.0) / p2))
            }
        };
        SurfaceAt {
            value,
            gradient,
            normal,
            turning,
        }
    }
}
