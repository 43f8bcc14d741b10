//! Standard shapes as superovoids, in closed form and in their own frame.
//!
//! A sphere is one. A box of half sides h becomes `a = k h` with both exponents e, a cylinder of radius r and half
//! length h becomes `a = k (r, r, h)` with e1 = 1 and e2 = e; the smaller e, the sharper the edges. With p = 2/e the
//! corner of the box and the rim of the cylinder lie on the surface where
//!
//! ```text
//! box:  3 k^(−p) = 1,  k = 3^(e/2)        cylinder:  2 k^(−p) = 1,  k = 2^(e/2)
//! ```
//!
//! which is the least body around them of this form. With k = 1 it touches the faces from inside, and the best
//! fit takes the k of equal volume.

use super::error::FitProblem;
use crate::measure::over_surface;
use crate::{Aim, Distances, Fit, Mesh, MeshError, Report};
use nalgebra::{Point3, Vector3};
use std::f64::consts::{PI, TAU};
use superovoid::{ShapeError, Superovoid};
use superovoid_robot::Geometry;

/// Growth that outweighs the rounding of k.
const ROUNDING: f64 = 1e-12;

/// A standard shape that has a superovoid.
pub(super) struct Primitive {
    /// Half the extent along each axis.
    half: [f64; 3],
    /// Exponents of the superovoid.
    e: [f64; 2],
    /// How many coordinates are at their largest at once, at the corner or rim; of a sphere one.
    at_once: f64,
    /// Cubic metres.
    volume: f64,
}

impl Primitive {
    /// None for meshes and for what URDF does not define.
    pub fn of(geometry: &Geometry, exponent: f64) -> Option<Primitive> {
        match *geometry {
            Geometry::Capsule {
                radius,
                length: 0.0,
            } => Primitive::of(&Geometry::Sphere { radius }, exponent),
            Geometry::Sphere { radius } => Some(Primitive {
                half: [radius; 3],
                e: [1.0; 2],
                at_once: 1.0,
                volume: 4.0 / 3.0 * PI * radius.powi(3),
            }),
            Geometry::Box { size } => Some(Primitive {
                half: size.map(|s| 0.5 * s),
                e: [exponent; 2],
                at_once: 3.0,
                volume: size.iter().product(),
            }),
            Geometry::Cylinder { radius, length } => Some(Primitive {
                half: [radius, radius, 0.5 * length],
                e: [1.0, exponent],
                at_once: 2.0,
                volume: PI * radius * radius * length,
            }),
            _ => None,
        }
    }

    pub fn superovoid(&self, aim: Aim) -> Result<Superovoid, ShapeError> {
        let touching = Superovoid::new(self.half, self.e, [0.0; 2])?;
        if self.is_sphere() {
            return Ok(touching);
        }
        let factor = match aim {
            Aim::Best => (self.volume / touching.volume()).cbrt(),
            Aim::Enclosing => self.at_once.powf(0.5 * self.e[1]) * (1.0 + ROUNDING),
            Aim::Inscribed => 1.0,
        };
        Superovoid::new(self.half.map(|h| factor * h), self.e, [0.0; 2])
    }

    fn is_sphere(&self) -> bool {
        self.at_once == 1.0
    }

    /// How well a superovoid at its place follows it.
    pub fn report(&self, fit: &Fit) -> Result<Report, FitProblem> {
        let ratio = Some(fit.shape.volume() / self.volume);
        let [mesh_to_body, body_to_mesh] = if self.is_sphere() {
            [Distances::default(); 2]
        } else {
            let back = over_surface(&fit.shape, |p| self.distance(p));
            [fit.distances_of(&self.mesh()?)?, back]
        };
        Ok(Report {
            mesh_to_body,
            body_to_mesh,
            volume_to_mesh: ratio,
            volume_to_hull: ratio,
            time: fit.time,
        })
    }

    /// Of a point from the surface, without its sign: outside that to the nearest of the faces, edges and corners,
    /// inside that to the nearest face.
    fn distance(&self, p: &Point3<f64>) -> f64 {
        let [a, b, c] = self.half;
        let over = if self.at_once == 3.0 {
            [p.x.abs() - a, p.y.abs() - b, p.z.abs() - c]
        } else {
            [p.x.hypot(p.y) - a, f64::NEG_INFINITY, p.z.abs() - c]
        };
        let nearest_face = over.into_iter().fold(f64::NEG_INFINITY, f64::max);
        if nearest_face <= 0.0 {
            return -nearest_face;
        }
        Vector3::from(over.map(|x| x.max(0.0))).norm()
    }

    /// The surface of a box, or of a cylinder whose section is a polygon.
    fn mesh(&self) -> Result<Mesh, MeshError> {
        /// The polygon's sides are 5e-6 of the radius inside the circle.
        const SIDES: u32 = 1000;
        let [x, y, z] = self.half;
        let (sides, start) = if self.at_once == 3.0 {
            (4, 0.5)
        } else {
            (SIDES, 0.0)
        };
        // Of a box the corners are at (±1, ±1) on a circle of radius √2.
        let reach = if sides == 4 { 2.0_f64.sqrt() } else { 1.0 };
        let corner = |k: u32, z: f64| {
            let (sin, cos) = (TAU * (f64::from(k) + start) / f64::from(sides)).sin_cos();
            Point3::new(reach * x * cos, reach * y * sin, z)
        };
        let mut vertices = Vec::new();
        let mut triangles = Vec::new();
        for k in 0..sides {
            vertices.extend([corner(k, -z), corner(k, z)]);
            let ([low, high], [next_low, next_high]) = (
                [2 * k, 2 * k + 1],
                [2 * ((k + 1) % sides), 2 * ((k + 1) % sides) + 1],
            );
            triangles.extend([[low, next_low, next_high], [low, next_high, high]]);
            let (bottom, top) = (2 * sides, 2 * sides + 1);
            triangles.extend([[bottom, next_low, low], [top, high, next_high]]);
        }
        vertices.extend([Point3::new(0.0, 0.0, -z), Point3::new(0.0, 0.0, z)]);
        Mesh::new(vertices, triangles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Geometry = Geometry::Box {
        size: [0.2, 0.05, 1.3],
    };
    const CYLINDER: Geometry = Geometry::Cylinder {
        radius: 0.03,
        length: 0.4,
    };

    fn body(geometry: &Geometry, exponent: f64, aim: Aim) -> Superovoid {
        let primitive = Primitive::of(geometry, exponent).unwrap();
        primitive.superovoid(aim).unwrap()
    }

    /// The sum of powers of the definition, 1 on the surface of an untapered body.
    fn sum(shape: &Superovoid, [x, y, z]: [f64; 3]) -> f64 {
        let ([a1, a2, a3], [e1, e2]) = (shape.semi_axes(), shape.exponents());
        let section = (x / a1).abs().powf(2.0 / e1) + (y / a2).abs().powf(2.0 / e1);
        section.powf(e1 / e2) + (z / a3).abs().powf(2.0 / e2)
    }

    #[test]
    fn a_sphere_is_itself_whatever_the_aim() {
        for aim in [Aim::Best, Aim::Enclosing, Aim::Inscribed] {
            let found = body(&Geometry::Sphere { radius: 0.7 }, 0.1, aim);
            assert_eq!(found, Superovoid::sphere(0.7).unwrap());
        }
    }

    #[test]
    fn enclosing_bodies_pass_through_corners_and_rims() {
        for exponent in [0.004, 0.02, 0.1, 0.5, 1.0] {
            let found = body(&BOX, exponent, Aim::Enclosing);
            for k in 0..8 {
                let side = |bit: usize, half: f64| if k >> bit & 1 == 1 { half } else { -half };
                let at = sum(&found, [side(0, 0.1), side(1, 0.025), side(2, 0.65)]);
                assert!(at <= 1.0 && at > 1.0 - 1e-9, "{exponent}: {at}");
            }
            let found = body(&CYLINDER, exponent, Aim::Enclosing);
            for k in 0..100 {
                let (sin, cos) = f64::from(k).sin_cos();
                let at = sum(&found, [0.03 * cos, 0.03 * sin, 0.2]);
                assert!(at <= 1.0 && at > 1.0 - 1e-9, "{exponent}: {at}");
            }
        }
    }

    #[test]
    fn best_bodies_have_the_volume_and_inscribed_ones_the_extent() {
        for (geometry, volume, half) in [
            (BOX, 0.2 * 0.05 * 1.3, [0.1, 0.025, 0.65]),
            (CYLINDER, PI * 0.03 * 0.03 * 0.4, [0.03, 0.03, 0.2]),
        ] {
            let best = body(&geometry, 0.1, Aim::Best);
            assert!((best.volume() / volume - 1.0).abs() < 1e-12);
            assert_eq!(body(&geometry, 0.1, Aim::Inscribed).semi_axes(), half);
        }
    }

    #[test]
    fn distances_are_those_from_faces_edges_and_corners() {
        let of = |geometry: &Geometry, [x, y, z]: [f64; 3]| {
            let primitive = Primitive::of(geometry, 0.1).unwrap();
            primitive.distance(&Point3::new(x, y, z))
        };
        for (geometry, point, distance) in [
            (&BOX, [0.0, 0.0, 0.0], 0.025),
            (&BOX, [0.09, 0.0, 0.0], 0.01),
            (&BOX, [-0.3, 0.0, 0.1], 0.2),
            (&BOX, [0.13, -0.065, 0.0], 0.05),
            (&BOX, [0.1 + 0.02, 0.025 + 0.03, -0.65 - 0.06], 0.07),
            (&CYLINDER, [0.0, 0.0, 0.0], 0.03),
            (&CYLINDER, [0.018, 0.024, 0.19], 0.0),
            (&CYLINDER, [0.01, 0.0, -0.195], 0.005),
            (&CYLINDER, [0.036, 0.048, 0.24], 0.05),
        ] {
            let found = of(geometry, point);
            assert!((found - distance).abs() < 1e-15, "{point:?}: {found}");
        }
    }

    #[test]
    fn the_meshes_are_closed_and_have_the_volume() {
        for (geometry, error) in [(BOX, 1e-14), (CYLINDER, 1e-5)] {
            let primitive = Primitive::of(&geometry, 0.1).unwrap();
            let volume = primitive.mesh().unwrap().volume().unwrap();
            assert!((volume / primitive.volume - 1.0).abs() < error, "{volume}");
        }
    }
}
