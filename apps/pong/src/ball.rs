//! The ball: a superellipse that moves as a rigid body of mass 1 in the plane.
//!
//! With p = 2/e, area and second moment of the curve |x/a1|^p + |y/a2|^p = 1 are
//!
//! ```text
//! A = 4 a1 a2 Γ(1+1/p)² / Γ(1+2/p),     ∫ x² + y² = a1 a2 (a1² + a2²) K,     K = (4/p²) Γ(3/p) Γ(1/p) / Γ(1+4/p)
//! ```
//!
//! (p = 2: π a1 a2, and K = π/4). The inertia about the centre, for the mass 1, is their quotient.

use nalgebra::{Isometry2, Point2, Vector2};
use superovoid::ShapeError;
use superovoid::planar::Superellipse;

/// A superellipse of mass 1 that flies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// The shape.
    pub shape: Superellipse,
    /// The centre, metres.
    pub position: Point2<f64>,
    /// The angle of its first axis, radians.
    pub angle: f64,
    /// The velocity, metres a second.
    pub velocity: Vector2<f64>,
    /// The spin, radians a second, counter-clockwise.
    pub spin: f64,
}

impl Ball {
    /// Makes a ball at rest in the middle from its semi-axes, metres, and its exponent (1 is an ellipse, towards 0 a
    /// rectangle, towards 2 a rhombus).
    ///
    /// # Errors
    /// The error names a semi-axis or exponent that is out of its domain.
    pub fn new(semi_axes: [f64; 2], exponent: f64) -> Result<Self, ShapeError> {
        Ok(Ball {
            shape: Superellipse::new(semi_axes, exponent)?,
            position: Point2::origin(),
            angle: 0.0,
            velocity: Vector2::zeros(),
            spin: 0.0,
        })
    }

    /// Returns the pose.
    pub fn pose(&self) -> Isometry2<f64> {
        Isometry2::new(self.position.coords, self.angle)
    }

    /// Returns the radius of a circle about the centre that holds the ball, metres: the box around it for square balls,
    /// the longer semi-axis for pointed ones.
    pub fn radius(&self) -> f64 {
        let [a1, a2] = self.shape.semi_axes();
        if self.shape.exponent() >= 1.0 {
            a1.max(a2)
        } else {
            a1.hypot(a2)
        }
    }

    /// Returns the area, square metres.
    pub fn area(&self) -> f64 {
        let [a1, a2] = self.shape.semi_axes();
        let r = 0.5 * self.shape.exponent();
        4.0 * a1 * a2 * libm::tgamma(1.0 + r).powi(2) / libm::tgamma(1.0 + 2.0 * r)
    }

    /// Returns the moment of inertia about the centre, square metres for the mass 1.
    pub fn inertia(&self) -> f64 {
        let [a1, a2] = self.shape.semi_axes();
        let r = 0.5 * self.shape.exponent();
        let k = 4.0 * r * r * libm::tgamma(3.0 * r) * libm::tgamma(r) / libm::tgamma(1.0 + 4.0 * r);
        a1 * a2 * (a1 * a1 + a2 * a2) * k / self.area()
    }

    /// Returns the kinetic energy for the mass 1.
    pub fn energy(&self) -> f64 {
        0.5 * (self.velocity.norm_squared() + self.inertia() * self.spin * self.spin)
    }

    /// Moves the ball on for a time, seconds.
    pub(crate) fn fly(&mut self, time: f64) {
        self.position += self.velocity * time;
        self.angle += self.spin * time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The midpoint rule over the curve in polar coordinates: area ½∮r², second moment ¼∮r⁴.
    #[test]
    fn area_and_inertia_are_those_of_quadrature() {
        for (a, e) in [([0.2, 0.1], 1.0), ([0.1, 0.1], 0.3), ([0.05, 0.2], 1.6)] {
            let ball = Ball::new(a, e).unwrap();
            let (count, p) = (400_000, 2.0 / e);
            let turn = std::f64::consts::TAU / f64::from(count);
            let (mut area, mut moment) = (0.0, 0.0);
            for k in 0..count {
                let (sin, cos) = ((f64::from(k) + 0.5) * turn).sin_cos();
                let r = ((cos / a[0]).abs().powf(p) + (sin / a[1]).abs().powf(p)).powf(-1.0 / p);
                area += 0.5 * r * r * turn;
                moment += 0.25 * r.powi(4) * turn;
            }
            assert!((ball.area() / area - 1.0).abs() < 1e-9, "{e}");
            assert!((ball.inertia() / (moment / area) - 1.0).abs() < 1e-9, "{e}");
        }
        let round = Ball::new([0.3, 0.3], 1.0).unwrap();
        assert!((round.inertia() / (0.5 * 0.09) - 1.0).abs() < 1e-14);
    }
}
