//! A tooth: the union of convex bodies.
//!
//! With the inside-outside function F = g^p2 − 1 of a body (g its nested norm, 1 on the surface) the norm form is
//! G = g − 1, and that of the union U(x) = min over the bodies of G: negative inside, 0 on the surface of the union.

use crate::BiteError;
use nalgebra::{Isometry3, Point3};
use superovoid::{Aabb, Superovoid};

/// A superovoid in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// What errors call it.
    pub name: String,
    /// The shape, which must be convex.
    pub shape: Superovoid,
    /// The pose in the frame of the tooth.
    pub pose: Isometry3<f64>,
}

/// A tooth: the union of convex superovoids, fixed to each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Tooth {
    bodies: Vec<Body>,
}

/// How far the length of a quaternion may be from 1; the queries allow as much.
const UNIT: f64 = 1e-6;

impl Tooth {
    /// Makes a tooth.
    ///
    /// # Errors
    /// No bodies, or one that is not convex or whose pose is no pose: the error names it.
    pub fn new(bodies: Vec<Body>) -> Result<Self, BiteError> {
        if bodies.is_empty() {
            return Err(BiteError::NoBodies);
        }
        for Body { name, shape, pose } in &bodies {
            let name = || name.clone();
            if !shape.is_convex() {
                let tapers = shape.tapers();
                return Err(BiteError::NotConvex {
                    name: name(),
                    tapers,
                });
            }
            if !is_pose(pose) {
                return Err(BiteError::Pose { name: name() });
            }
        }
        Ok(Tooth { bodies })
    }

    /// Returns the bodies.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Returns U, the norm form of the union: negative inside, 0 on the surface, positive outside; without a unit.
    pub fn norm_form(&self, point: &Point3<f64>) -> f64 {
        let of_body = |body: &Body| {
            let f = body
                .shape
                .inside_outside(&body.pose.inverse_transform_point(point));
            (f + 1.0).powf(0.5 * body.shape.exponents()[1]) - 1.0
        };
        self.bodies
            .iter()
            .map(of_body)
            .fold(f64::INFINITY, f64::min)
    }

    /// Returns the box about the tooth that moved by a pose.
    pub fn aabb(&self, pose: &Isometry3<f64>) -> Aabb {
        let boxes = self
            .bodies
            .iter()
            .map(|body| body.shape.aabb(&(pose * body.pose)));
        let whole = boxes.reduce(|a, b| Aabb {
            min: Point3::from(a.min.coords.inf(&b.min.coords)),
            max: Point3::from(a.max.coords.sup(&b.max.coords)),
        });
        // A tooth has bodies.
        whole.unwrap_or(Aabb {
            min: Point3::origin(),
            max: Point3::origin(),
        })
    }
}

/// Whether all numbers are finite and the quaternion is of unit length.
pub(crate) fn is_pose(pose: &Isometry3<f64>) -> bool {
    pose.translation.vector.iter().all(|x| x.is_finite())
        && (pose.rotation.coords.norm() - 1.0).abs() <= UNIT
}
