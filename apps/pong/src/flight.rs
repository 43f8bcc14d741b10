//! Continuous collision by conservative advancement (Mirtich 1996).
//!
//! The gap between ball and obstacle along a fixed normal n shrinks no faster than
//!
//! ```text
//! (u − v)·n + |ω| R + |φ'| R'           u, v the velocities of obstacle and ball, R, R' the radii of circles around them
//! ```
//!
//! so that for the time gap over this speed nothing touches; n is that of the nearest points, along which the certified
//! lower bound of the distance is the gap. Where the gap is at most [`TOUCHING`], the ball is struck if it approaches,
//! and is put back to that distance, from which it leaves.

use crate::ball::Ball;
use crate::impact::{escape, strike};
use crate::table::{Gap, Table, Wall};
use nalgebra::{Point2, Vector2};

/// Seconds of a step of a match.
pub const STEP: f64 = 1.0 / 120.0;
/// The gap at which bodies touch, metres.
pub(crate) const TOUCHING: f64 = 1e-6;
/// The number of impacts in one call after which the paddles stop: the ball is between a paddle and a wall.
const STOPPING: usize = 12;
/// The number of impacts with the same obstacle in one step after which the ball leaves it at this speed, metres a second.
const CHATTER: usize = 8;
const LEAVING: f64 = 0.05;
/// The number of impacts and of advances after which a step ends before its time.
const MOST_HITS: usize = 64;
const MOST_ADVANCES: usize = 4_000;

/// What was struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Struck {
    /// A wall.
    Wall(Wall),
    /// The left paddle, 0, or the right one, 1.
    Paddle(usize),
}

/// An impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Seconds since the beginning of the step.
    pub time: f64,
    /// What the ball struck.
    pub struck: Struck,
    /// Where, metres.
    pub point: Point2<f64>,
}

/// What happened in a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flight {
    /// The impacts, in their order.
    pub hits: Vec<Hit>,
    /// Seconds by which the step ended early; 0 unless the ball was wedged.
    pub lost: f64,
}

/// An obstacle with what bounds its motion.
struct Obstacle {
    struck: Struck,
    velocity: Vector2<f64>,
    /// The speed of its points by its turning, metres a second.
    sweep: f64,
}

/// Moves ball and paddles on for a step of a match, or another time in seconds that is as short, with every impact between.
///
/// # Panics
/// Panics if a number of the table or the ball is not finite.
pub fn advance(table: &mut Table, ball: &mut Ball, time: f64) -> Flight {
    let mut flight = Flight::default();
    let mut now = 0.0;
    for _ in 0..MOST_ADVANCES {
        let left = time - now;
        let step = safe_step(table, ball, left);
        ball.fly(step);
        table.paddles.iter_mut().for_each(|p| p.slide(step));
        now += step;
        if step == left {
            return flight;
        }
        let struck = touching(table, ball, now, &mut flight.hits);
        if struck && flight.hits.len() >= STOPPING {
            for paddle in &mut table.paddles {
                (paddle.velocity, paddle.turning) = (0.0, 0.0);
            }
        }
        if flight.hits.len() >= MOST_HITS {
            break;
        }
    }
    flight.lost = time - now;
    flight
}

/// Returns a time, at most `left`, within which nothing comes nearer than [`TOUCHING`].
fn safe_step(table: &Table, ball: &Ball, left: f64) -> f64 {
    let spin = ball.spin.abs() * ball.radius();
    let mut step = left;
    for obstacle in obstacles(table) {
        let reach =
            (ball.velocity.norm() + obstacle.velocity.norm() + spin + obstacle.sweep) * left;
        if coarse_gap(table, ball, obstacle.struck) > reach + TOUCHING {
            continue;
        }
        let gap = gap(table, ball, obstacle.struck);
        let closing = (obstacle.velocity - ball.velocity).dot(&gap.normal) + spin + obstacle.sweep;
        if closing > 0.0 {
            // To the middle of the band that counts as touching, so that advances end.
            step = step.min((gap.lower - 0.5 * TOUCHING).max(0.0) / closing);
        }
    }
    step
}

/// Strikes the ball wherever it touches; returns whether it was struck.
fn touching(table: &Table, ball: &mut Ball, now: f64, hits: &mut Vec<Hit>) -> bool {
    let mut any = false;
    for obstacle in obstacles(table) {
        if coarse_gap(table, ball, obstacle.struck) > TOUCHING {
            continue;
        }
        let gap = gap(table, ball, obstacle.struck);
        if gap.lower > TOUCHING {
            continue;
        }
        let velocity = match obstacle.struck {
            Struck::Wall(_) => Vector2::zeros(),
            Struck::Paddle(k) => table.paddles[k].velocity_at(&gap.point),
        };
        if strike(ball, &gap.point, &gap.normal, &velocity, table.friction) {
            any = true;
            let speed = ball.velocity.norm();
            if speed > table.largest {
                ball.velocity *= table.largest / speed;
            }
            hits.push(Hit {
                time: now,
                struck: obstacle.struck,
                point: gap.point,
            });
        }
        let often = |hits: &[Hit]| hits.iter().filter(|h| h.struck == obstacle.struck).count();
        if often(hits) >= CHATTER {
            escape(ball, &gap.point, &gap.normal, &velocity, LEAVING);
        }
        // What leaves or slides along starts from the edge of the band.
        ball.position += gap.normal.into_inner() * (TOUCHING - gap.lower);
    }
    any
}

fn obstacles(table: &Table) -> [Obstacle; 4] {
    let wall = |wall| Obstacle {
        struck: Struck::Wall(wall),
        velocity: Vector2::zeros(),
        sweep: 0.0,
    };
    let paddle = |k: usize| Obstacle {
        struck: Struck::Paddle(k),
        velocity: Vector2::new(0.0, table.paddles[k].velocity),
        sweep: table.paddles[k].turning.abs() * table.paddles[k].radius(),
    };
    [wall(Wall::Lower), wall(Wall::Upper), paddle(0), paddle(1)]
}

/// Returns a lower bound of the gap by the circles around the bodies.
fn coarse_gap(table: &Table, ball: &Ball, struck: Struck) -> f64 {
    let distance = match struck {
        Struck::Wall(Wall::Lower) => ball.position.y + 0.5 * table.height,
        Struck::Wall(Wall::Upper) => 0.5 * table.height - ball.position.y,
        Struck::Paddle(k) => {
            let paddle = &table.paddles[k];
            (ball.position - paddle.position).norm() - paddle.radius()
        }
    };
    distance - ball.radius()
}

fn gap(table: &Table, ball: &Ball, struck: Struck) -> Gap {
    match struck {
        Struck::Wall(wall) => table.wall_gap(wall, ball),
        Struck::Paddle(k) => table.paddles[k].gap(ball),
    }
}
