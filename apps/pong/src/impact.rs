//! The impulse of an elastic impact: Newton's restitution of 1 along the normal, then Coulomb's friction.
//!
//! With the arm r from the centre of the ball to the contact, a paddle of infinite mass and a unit direction d, an impulse
//! j d changes the relative velocity along d by j k, k = 1/m + (r × d)²/I. The normal impulse turns the normal velocity
//! −v into v; the friction then stops the sliding, as far as μ times the normal impulse goes: it takes energy from the
//! ball in the frame of the paddle, and never gives any.

use crate::ball::Ball;
use nalgebra::{Point2, Unit, Vector2};

/// Gives the ball a least speed away from an obstacle at a point of its surface, and scales what it has beside the speed
/// of the obstacle there, so that its energy in the frame of the obstacle stays.
///
/// A ball that spins along a wall may strike it ever more often ever more softly: it leaves so slowly that its next
/// corner is there at once. That is a contact that lasts, and this ends it.
pub(crate) fn escape(
    ball: &mut Ball,
    point: &Point2<f64>,
    normal: &Unit<Vector2<f64>>,
    velocity: &Vector2<f64>,
    least: f64,
) {
    let (arm, inertia) = (point - ball.position, ball.inertia());
    let mut beside = Ball {
        velocity: ball.velocity - velocity,
        ..*ball
    };
    let energy = beside.energy();
    let leaving = beside.velocity + beside.spin * Vector2::new(-arm.y, arm.x);
    let turn = arm.perp(normal);
    let impulse = (least - leaving.dot(normal)).max(0.0) / (1.0 + turn * turn / inertia);
    beside.velocity += normal.into_inner() * impulse;
    beside.spin += turn * impulse / inertia;
    let scale = (energy / beside.energy()).sqrt();
    if scale.is_finite() {
        ball.velocity = beside.velocity * scale + velocity;
        ball.spin = beside.spin * scale;
    }
}

/// Strikes the ball at a point of an obstacle that moves with a velocity there; the normal is from the obstacle to the
/// ball. Returns whether the ball approached: otherwise nothing changes.
pub(crate) fn strike(
    ball: &mut Ball,
    point: &Point2<f64>,
    normal: &Unit<Vector2<f64>>,
    velocity: &Vector2<f64>,
    friction: f64,
) -> bool {
    let arm = point - ball.position;
    let inertia = ball.inertia();
    let relative = |ball: &Ball| ball.velocity + ball.spin * Vector2::new(-arm.y, arm.x) - velocity;
    let weight = |d: &Vector2<f64>| 1.0 + arm.perp(d).powi(2) / inertia;
    let push = |ball: &mut Ball, impulse: &Vector2<f64>| {
        ball.velocity += impulse;
        ball.spin += arm.perp(impulse) / inertia;
    };
    let approach = relative(ball).dot(normal);
    if approach >= 0.0 {
        return false;
    }
    let most = -2.0 * approach / weight(normal);
    push(ball, &(normal.into_inner() * most));
    let along = Vector2::new(-normal.y, normal.x);
    let sliding = relative(ball).dot(&along);
    let stop = (-sliding / weight(&along)).clamp(-friction * most, friction * most);
    push(ball, &(along * stop));
    true
}
