//! The field: two walls along x and two paddles, rectangles that slide on vertical rails and turn.

use crate::ball::Ball;
use nalgebra::{Point2, Rotation2, Unit, Vector2};
use superovoid::planar::segment_contact;

/// A wall along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wall {
    /// The wall at y = −height/2.
    Lower,
    /// The wall at y = height/2.
    Upper,
}

/// A rectangle on a vertical rail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paddle {
    /// The centre, metres.
    pub position: Point2<f64>,
    /// The angle by which it is turned, radians.
    pub angle: f64,
    /// Half its width and half its height at angle 0, metres.
    pub half: [f64; 2],
    /// The velocity along the rail, metres a second.
    pub velocity: f64,
    /// The speed of turning, radians a second.
    pub turning: f64,
}

/// The field with its walls and paddles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table {
    /// The distance of the back lines, metres.
    pub width: f64,
    /// The distance of the walls, metres.
    pub height: f64,
    /// The left and the right paddle.
    pub paddles: [Paddle; 2],
    /// The coefficient of friction of an impact.
    pub friction: f64,
    /// The largest speed that an impact leaves to the ball, metres a second.
    pub largest: f64,
}

/// The gap between the ball and a wall or paddle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// The signed distance is at least this, metres.
    pub lower: f64,
    /// The point of the ball that is nearest.
    pub point: Point2<f64>,
    /// The unit normal from the obstacle to the ball.
    pub normal: Unit<Vector2<f64>>,
}

impl Paddle {
    /// Returns the corners, counter-clockwise, metres.
    pub fn corners(&self) -> [Point2<f64>; 4] {
        let turn = Rotation2::new(self.angle);
        let [w, h] = self.half;
        [[w, -h], [w, h], [-w, h], [-w, -h]].map(|c| self.position + turn * Vector2::from(c))
    }

    /// Returns the velocity of its point there, metres a second.
    pub fn velocity_at(&self, point: &Point2<f64>) -> Vector2<f64> {
        let arm = point - self.position;
        Vector2::new(0.0, self.velocity) + self.turning * Vector2::new(-arm.y, arm.x)
    }

    /// Returns the radius of the circle around it, metres.
    pub fn radius(&self) -> f64 {
        self.half[0].hypot(self.half[1])
    }

    pub(crate) fn slide(&mut self, time: f64) {
        self.position.y += self.velocity * time;
        self.angle += self.turning * time;
    }

    /// Returns the gap to the ball. Of a ball that is not wholly within a paddle, the nearest of the four edges is the
    /// nearest of all.
    ///
    /// # Panics
    /// Panics for numbers that are not finite.
    pub fn gap(&self, ball: &Ball) -> Gap {
        let corners = self.corners();
        let edge = |k: usize| {
            segment_contact(
                &ball.shape,
                &ball.pose(),
                &corners[k],
                &corners[(k + 1) % 4],
            )
            .expect("a ball that flies is finite")
        };
        let nearest = (0..4)
            .map(edge)
            .min_by(|a, b| a.lower.total_cmp(&b.lower))
            .expect("there are four edges");
        Gap {
            lower: nearest.lower,
            point: nearest.point_a,
            normal: -nearest.normal,
        }
    }
}

impl Table {
    /// Returns the gap between a wall and the ball: the segment that is asked reaches farther than the ball.
    ///
    /// # Panics
    /// Panics for numbers that are not finite.
    pub fn wall_gap(&self, wall: Wall, ball: &Ball) -> Gap {
        let side = match wall {
            Wall::Lower => -1.0,
            Wall::Upper => 1.0,
        };
        let y = 0.5 * side * self.height;
        let reach = 2.0 * ball.radius();
        let end = |x: f64| Point2::new(ball.position.x + x, y);
        let found = segment_contact(&ball.shape, &ball.pose(), &end(-reach), &end(reach))
            .expect("a ball that flies is finite");
        Gap {
            lower: found.lower,
            point: found.point_a,
            normal: Unit::new_unchecked(Vector2::new(0.0, -side)),
        }
    }
}
