//! The match: serves, scores, a ball whose shape changes.
//!
//! A rally ends: every impact leaves the ball a least speed along the field, every stroke makes it faster, and after
//! [`MOST_STROKES`] strokes or [`LONGEST`] seconds there is a let.

use crate::ball::Ball;
use crate::computer::{Computer, STRONGEST, speed};
use crate::flight::{Flight, STEP, Struck, TOUCHING, advance};
use crate::table::{Paddle, Table, Wall};
use nalgebra::{Point2, Vector2};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// The largest speed of a person's paddle along its rail, metres a second, and of its turning, radians a second.
const SPEED: [f64; 2] = [4.0, 8.0];
/// The speed of a serve, the least speed along the field after an impact, and the largest speed; metres a second.
const SERVE: f64 = 0.9;
const LEAST: f64 = 0.5;
const LARGEST: f64 = 6.0;
/// The largest spin, radians a second.
const LARGEST_SPIN: f64 = 60.0;
/// The factor of the speed at every stroke.
const FASTER: f64 = 1.04;
/// The number of strokes after which there is a let.
pub const MOST_STROKES: u32 = 200;
/// The seconds after which there is a let.
pub const LONGEST: f64 = 180.0;
/// Steps for which further impacts of the same paddle are no other stroke.
const ONE_STROKE: u32 = 24;
/// Steps for which a paddle that has wedged the ball goes back to the middle.
const YIELDING: u32 = 30;
/// Steps before a serve.
const PAUSE: u32 = 60;
/// The share of the way to its next shape that the ball takes in a step.
const CHANGE: f64 = 0.02;
/// The semi-axes, metres, and the exponent with which a match begins: a superellipse that nobody takes for a circle.
const FIRST: ([f64; 2], f64) = ([0.065, 0.045], 0.4);
/// The ranges of the semi-axes, metres, and of the exponent.
const AXES: [f64; 2] = [0.025, 0.07];
const EXPONENTS: [f64; 2] = [0.15, 1.85];

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Player {
    /// A person, whose wishes are the inputs.
    Person,
    /// The computer.
    Computer {
        /// The level, from 0 to 9.
        level: u8,
    },
}

/// What a match is made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The left and the right player.
    pub players: [Player; 2],
    /// The seed of serves, shapes and the computer's errors.
    pub seed: u64,
    /// The points that win.
    pub points: u32,
    /// The coefficient of friction, which makes spin.
    pub friction: f64,
    /// Whether the shape of the ball changes.
    pub changes: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            players: [Player::Person, Player::Computer { level: 4 }],
            seed: 0,
            points: 11,
            friction: 0.3,
            changes: true,
        }
    }
}

/// An error of the settings of a match.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{field} = {value}: {requirement}")]
pub struct PongError {
    /// The name of the setting.
    pub field: &'static str,
    /// The value that was rejected.
    pub value: f64,
    /// The requirement that it does not meet.
    pub requirement: &'static str,
}

/// What a person wants in a step; a computer's input is not read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Input {
    /// Where the paddle is to go along its rail, metres from the middle.
    pub target: f64,
    /// The angle to which it is to turn, radians.
    pub angle: f64,
}

/// What happened in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// The ball struck a wall.
    Wall(Wall),
    /// The ball was struck by a paddle, 0 or 1.
    Stroke(usize),
    /// A player, 0 or 1, has a point.
    Point(usize),
    /// The rally had too many strokes, and is played again.
    Let,
    /// A player has won.
    Won(usize),
}

/// A match.
#[derive(Clone, Debug)]
pub struct Match {
    settings: Settings,
    table: Table,
    ball: Ball,
    score: [u32; 2],
    strokes: u32,
    /// Steps of this rally, and the side and step of the last stroke.
    steps: u32,
    last_stroke: Option<(usize, u32)>,
    /// For each paddle, the steps for which it yields.
    yielding: [u32; 2],
    /// Steps until the serve, and the side to which it goes, −1 or 1.
    pause: u32,
    towards: f64,
    next_shape: ([f64; 2], f64),
    computers: [Computer; 2],
    random: ChaCha8Rng,
    lost: f64,
}

impl Match {
    /// Makes a match before its first serve.
    ///
    /// # Errors
    /// A setting that is out of its domain.
    pub fn new(settings: &Settings) -> Result<Self, PongError> {
        let error = |field, value, requirement| PongError {
            field,
            value,
            requirement,
        };
        for player in settings.players {
            if let Player::Computer { level } = player
                && level > STRONGEST
            {
                return Err(error("level", level.into(), "must be at most 9"));
            }
        }
        if !(1..=1000).contains(&settings.points) {
            let requirement = "must be from 1 to 1000";
            return Err(error("points", settings.points.into(), requirement));
        }
        if !(settings.friction >= 0.0 && settings.friction <= 10.0) {
            let requirement = "must be from 0 to 10";
            return Err(error("friction", settings.friction, requirement));
        }
        let paddle = |x: f64| Paddle {
            position: Point2::new(x, 0.0),
            angle: 0.0,
            half: [0.015, 0.13],
            velocity: 0.0,
            turning: 0.0,
        };
        let first = FIRST;
        let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
        let towards = if random.next_u32() & 1 == 0 {
            -1.0
        } else {
            1.0
        };
        Ok(Match {
            settings: *settings,
            table: Table {
                width: 2.0,
                height: 1.2,
                paddles: [paddle(-0.92), paddle(0.92)],
                friction: settings.friction,
                largest: LARGEST,
            },
            ball: Ball::new(first.0, first.1).expect("the first shape is valid"),
            score: [0, 0],
            strokes: 0,
            steps: 0,
            last_stroke: None,
            yielding: [0, 0],
            pause: PAUSE,
            towards,
            next_shape: first,
            computers: [Computer::default(); 2],
            random,
            lost: 0.0,
        })
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the field and its paddles.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the ball.
    pub fn ball(&self) -> &Ball {
        &self.ball
    }

    /// Returns the points of the left and the right player.
    pub fn score(&self) -> [u32; 2] {
        self.score
    }

    /// Returns the seconds until the serve, 0 while the ball flies.
    pub fn pause(&self) -> f64 {
        f64::from(self.pause) * STEP
    }

    /// Returns the strokes of this rally.
    pub fn strokes(&self) -> u32 {
        self.strokes
    }

    /// Returns the seconds that steps have lost to a ball caught in a corner.
    pub fn lost(&self) -> f64 {
        self.lost
    }

    /// Returns the player, 0 or 1, who has won.
    pub fn winner(&self) -> Option<usize> {
        (0..2).find(|&side| self.score[side] >= self.settings.points)
    }

    /// Plays a step of [`STEP`] seconds. Inputs that are not finite are read as the middle; after the end of the match
    /// nothing moves.
    pub fn step(&mut self, inputs: &[Input; 2]) -> Vec<Event> {
        if self.winner().is_some() {
            return Vec::new();
        }
        self.steer(inputs);
        if self.pause > 0 {
            self.table.paddles.iter_mut().for_each(|p| p.slide(STEP));
            self.pause -= 1;
            if self.pause == 0 {
                self.serve();
            }
            return Vec::new();
        }
        let flight = advance(&mut self.table, &mut self.ball, STEP);
        self.lost += flight.lost;
        self.steps += 1;
        let mut events = self.after_hits(&flight);
        self.change();
        let x = self.ball.position.x;
        if x.abs() > 0.5 * self.table.width {
            self.point(usize::from(x < 0.0), &mut events);
        } else if self.strokes >= MOST_STROKES || f64::from(self.steps) * STEP > LONGEST {
            events.push(Event::Let);
            self.begin_rally();
        }
        events
    }

    /// Gives the paddles the speeds by which they come closer to where their players want them.
    fn steer(&mut self, inputs: &[Input; 2]) {
        for side in 0..2 {
            let (wanted, most) = match self.settings.players[side] {
                Player::Person => (inputs[side], SPEED),
                Player::Computer { level } => {
                    let random = &mut self.random;
                    let draw = || 2.0 * unit(random) - 1.0;
                    let (ball, table) = (&self.ball, &self.table);
                    let target = self.computers[side].look(level, side, ball, table, draw);
                    let angle = 0.0;
                    (Input { target, angle }, [speed(level), SPEED[1]])
                }
            };
            let yielding = self.yielding[side] > 0;
            self.yielding[side] = self.yielding[side].saturating_sub(1);
            let or_middle = |x: f64| if x.is_finite() { x } else { 0.0 };
            let reach = 0.5 * self.table.height - 0.05;
            let target = if yielding {
                0.0
            } else {
                or_middle(wanted.target)
            };
            let target = target.clamp(-reach, reach);
            let paddle = &mut self.table.paddles[side];
            let towards = |from: f64, to: f64, most: f64| ((to - from) / STEP).clamp(-most, most);
            paddle.velocity = towards(paddle.position.y, target, most[0]);
            paddle.turning = towards(paddle.angle, or_middle(wanted.angle), most[1]);
        }
    }

    fn serve(&mut self) {
        let slope = 1.2 * unit(&mut self.random) - 0.6;
        self.ball.velocity = SERVE * Vector2::new(self.towards, slope).normalize();
        self.ball.spin = 2.0 * (2.0 * unit(&mut self.random) - 1.0);
    }

    fn after_hits(&mut self, flight: &Flight) -> Vec<Event> {
        let mut events = Vec::new();
        for hit in &flight.hits {
            match hit.struck {
                Struck::Wall(wall) => events.push(Event::Wall(wall)),
                Struck::Paddle(side) => {
                    if flight.lost > 0.0 {
                        self.yielding[side] = YIELDING;
                    }
                    let same = |(last, step)| last == side && self.steps - step < ONE_STROKE;
                    if self.last_stroke.is_some_and(same) {
                        continue;
                    }
                    self.last_stroke = Some((side, self.steps));
                    self.strokes += 1;
                    self.ball.velocity *= FASTER;
                    if self.settings.changes && self.strokes.is_multiple_of(2) {
                        self.draw_shape();
                    }
                    events.push(Event::Stroke(side));
                }
            }
        }
        let speed = self.ball.velocity.norm();
        if speed > LARGEST {
            self.ball.velocity *= LARGEST / speed;
        }
        self.ball.spin = self.ball.spin.clamp(-LARGEST_SPIN, LARGEST_SPIN);
        if !flight.hits.is_empty() && self.ball.velocity.x.abs() < LEAST {
            // A ball that has no direction goes on towards the farther paddle.
            let (x, speed) = (self.ball.position.x, self.ball.velocity.x);
            let direction = if speed != 0.0 { speed } else { -x };
            self.ball.velocity.x = LEAST.copysign(direction);
        }
        events
    }

    fn draw_shape(&mut self) {
        let mut within = |[low, high]: [f64; 2]| low + (high - low) * unit(&mut self.random);
        self.next_shape = ([within(AXES), within(AXES)], within(EXPONENTS));
    }

    /// Brings the ball nearer to its next shape, unless it would then touch something. Its angular momentum is kept up to
    /// the largest spin.
    fn change(&mut self) {
        let ([b1, b2], next) = self.next_shape;
        let ([a1, a2], e) = (self.ball.shape.semi_axes(), self.ball.shape.exponent());
        // The last billionth is one step.
        let nearer = |from: f64, to: f64| {
            let next = from + CHANGE * (to - from);
            if (to - next).abs() < 1e-9 { to } else { next }
        };
        if [a1, a2, e] == [b1, b2, next] {
            return;
        }
        let Ok(other) = Ball::new([nearer(a1, b1), nearer(a2, b2)], nearer(e, next)) else {
            return;
        };
        let changed = Ball {
            shape: other.shape,
            ..self.ball
        };
        let walls = [Wall::Lower, Wall::Upper].map(|wall| self.table.wall_gap(wall, &changed));
        let paddles = self.table.paddles.map(|paddle| paddle.gap(&changed));
        if walls.iter().chain(&paddles).all(|gap| gap.lower > TOUCHING) {
            let spin = self.ball.spin * self.ball.inertia() / changed.inertia();
            let spin = spin.clamp(-LARGEST_SPIN, LARGEST_SPIN);
            self.ball = Ball { spin, ..changed };
        }
    }

    fn point(&mut self, side: usize, events: &mut Vec<Event>) {
        self.score[side] += 1;
        events.push(Event::Point(side));
        if self.winner().is_some() {
            events.push(Event::Won(side));
        }
        self.towards = if side == 0 { 1.0 } else { -1.0 };
        self.begin_rally();
    }

    fn begin_rally(&mut self) {
        let shape = self.ball.shape;
        self.ball = Ball {
            shape,
            position: Point2::origin(),
            angle: 0.0,
            velocity: Vector2::zeros(),
            spin: 0.0,
        };
        self.strokes = 0;
        self.steps = 0;
        self.last_stroke = None;
        self.pause = PAUSE;
    }
}

/// Returns a number from 0 to 1.
fn unit(random: &mut ChaCha8Rng) -> f64 {
    (random.next_u64() >> 11) as f64 * (0.5 / (1_u64 << 52) as f64)
}
