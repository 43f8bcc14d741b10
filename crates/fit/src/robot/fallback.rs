//! Standard shapes about a superovoid, for programs that do not know it.

use nalgebra::Point3;
use std::f64::consts::PI;
use superovoid::Superovoid;
use superovoid_robot::Geometry;

/// What other programs see of a superovoid that takes a mesh's place.
///
/// It has the superovoid's origin, which is not that of the mesh, so that the mesh itself cannot stay; it encloses
/// the superovoid and the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fallback {
    /// The one of least volume of sphere, box and cylinder.
    #[default]
    Tightest,
    /// A sphere: least work for them, and much too large around a long body.
    Sphere,
}

impl Fallback {
    /// The shape around a superovoid and points in its frame.
    pub(super) fn around(self, shape: &Superovoid, points: &[Point3<f64>]) -> Geometry {
        /// Grows by more than the rounding of what follows.
        const ROUNDING: f64 = 1.0 + 1e-9;
        let mut half: [f64; 3] = shape.local_aabb().max.into();
        let mut around_z = reach_around_z(shape, half);
        let mut reach = match Geometry::enclosing_sphere(shape) {
            Geometry::Sphere { radius } => radius,
            _ => f64::INFINITY,
        };
        for p in points {
            half = [0, 1, 2].map(|k| half[k].max(p[k].abs()));
            around_z = around_z.max(p.x.hypot(p.y));
            reach = reach.max(p.coords.norm());
        }
        let size = half.map(|h| 2.0 * h * ROUNDING);
        let sphere = Geometry::Sphere {
            radius: reach * ROUNDING,
        };
        if self == Fallback::Sphere {
            return sphere;
        }
        let block = Geometry::Box { size };
        let cylinder = Geometry::Cylinder {
            radius: around_z * ROUNDING,
            length: size[2],
        };
        let mut best = sphere;
        for other in [cylinder, block] {
            if volume(&other) < volume(&best) {
                best = other;
            }
        }
        best
    }
}

/// How far the body reaches from its z axis, at most. Its sections hold points (A u, B v) with half extents A and B
/// and |u|^p + |v|^p ≤ 1, p = 2/e1. For p ≤ 2 that is within max(A, B); else by Hölder's inequality
///
/// ```text
/// A² u² + B² v² ≤ (A^(2s) + B^(2s))^(1/s),   1/s = 1 − 2/p = 1 − e1
/// ```
fn reach_around_z(shape: &Superovoid, [a, b, _]: [f64; 3]) -> f64 {
    let ([e1, _], most) = (shape.exponents(), a.max(b));
    if e1 >= 1.0 {
        return most;
    }
    let power = 2.0 / (1.0 - e1);
    most * ((a / most).powf(power) + (b / most).powf(power)).powf(1.0 / power)
}

fn volume(geometry: &Geometry) -> f64 {
    match geometry {
        Geometry::Sphere { radius } => 4.0 / 3.0 * PI * radius.powi(3),
        Geometry::Cylinder { radius, length } => PI * radius * radius * length,
        Geometry::Box { size } => size.iter().product(),
        _ => f64::INFINITY,
    }
}
