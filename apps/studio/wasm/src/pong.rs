//! A match of Pong, its record, and a record that is watched.

use crate::types::Thrown;
use serde::{Deserialize, Serialize};
use superovoid_pong::{Event, Input, Inputs, Match, Playback, Player, Replay, STEP, Settings};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// A match that is played and recorded, or a record that is watched.
#[wasm_bindgen]
pub struct Court {
    game: Match,
    replay: Replay,
    watched: Option<Inputs>,
}

/// What moves in a match: metres and radians.
#[derive(Serialize, Tsify)]
pub struct CourtNumbers {
    ball: CourtBall,
    paddles: [CourtPaddle; 2],
    score: [u32; 2],
    strokes: u32,
    /// Seconds until the serve.
    pause: f64,
    /// Who has won; −1 for nobody.
    winner: i32,
}

#[derive(Serialize, Tsify)]
struct CourtBall {
    x: f64,
    y: f64,
    angle: f64,
    axes: [f64; 2],
    exponent: f64,
}

#[derive(Serialize, Tsify)]
struct CourtPaddle {
    y: f64,
    angle: f64,
}

/// The field, metres.
#[derive(Serialize, Tsify)]
pub struct CourtField {
    width: f64,
    height: f64,
    /// x of the right paddle.
    rail: f64,
    /// Half the width and height of a paddle.
    half: [f64; 2],
    /// The time of a step, seconds.
    step: f64,
}

/// Where a paddle shall be along its rail, metres, and how it shall be turned, radians.
#[derive(Deserialize, Tsify)]
pub struct CourtWish {
    target: f64,
    angle: f64,
}

/// What happens in a match: the ball meets a wall or a paddle, a point is made, the rally is played again, or it is over.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "lowercase")]
pub enum CourtEvent {
    Wall,
    Stroke,
    Point,
    Let,
    Won,
}

/// The levels of the players; that of a person is −1.
#[derive(Serialize, Tsify)]
pub struct CourtLevels([i32; 2]);

#[wasm_bindgen]
impl Court {
    /// Begins a match; a level below 0 is a person.
    #[wasm_bindgen(constructor)]
    pub fn new(
        left: i32,
        right: i32,
        seed: u32,
        points: u32,
        friction: f64,
    ) -> Result<Court, Thrown> {
        let player = |level: i32| match u8::try_from(level) {
            Ok(level) => Player::Computer { level },
            Err(_) => Player::Person,
        };
        let settings = Settings {
            players: [left, right].map(player),
            seed: seed.into(),
            points,
            friction,
            changes: true,
        };
        Ok(Court {
            game: Match::new(&settings)?,
            replay: Replay::new(&settings),
            watched: None,
        })
    }

    /// Plays steps; returns what happened, or nothing at the end of a record or a match.
    pub fn play(
        &mut self,
        steps: u32,
        left: Ts<CourtWish>,
        right: Ts<CourtWish>,
    ) -> Result<Option<Vec<Ts<CourtEvent>>>, Thrown> {
        let given = [left.to_rust()?, right.to_rust()?];
        let given = given.map(|CourtWish { target, angle }| Input { target, angle });
        let (mut events, mut any) = (Vec::new(), false);
        for _ in 0..steps {
            any |= self.step(&given, &mut events);
        }
        let events = events.into_iter().map(|event| {
            let told = match event {
                Event::Wall(_) => CourtEvent::Wall,
                Event::Stroke(_) => CourtEvent::Stroke,
                Event::Point(_) => CourtEvent::Point,
                Event::Let => CourtEvent::Let,
                Event::Won(_) => CourtEvent::Won,
            };
            Ok(told.into_ts()?)
        });
        any.then(|| events.collect()).transpose()
    }

    /// Plays a step; a record that is watched has its own inputs. Returns whether there was one.
    fn step(&mut self, given: &[Input; 2], events: &mut Vec<Event>) -> bool {
        let inputs = match &mut self.watched {
            None => *given,
            Some(watched) => match watched.next() {
                None => return false,
                Some(inputs) => inputs,
            },
        };
        if self.game.winner().is_some() {
            return false;
        }
        events.extend(self.game.step(&inputs));
        if self.watched.is_none() {
            self.replay.push(&inputs, &self.game);
        }
        true
    }

    /// Returns what moves.
    pub fn numbers(&self) -> Result<Ts<CourtNumbers>, Thrown> {
        let (ball, table) = (self.game.ball(), self.game.table());
        let numbers = CourtNumbers {
            ball: CourtBall {
                x: ball.position.x,
                y: ball.position.y,
                angle: ball.angle,
                axes: ball.shape.semi_axes(),
                exponent: ball.shape.exponent(),
            },
            paddles: table.paddles.map(|paddle| CourtPaddle {
                y: paddle.position.y,
                angle: paddle.angle,
            }),
            score: self.game.score(),
            strokes: self.game.strokes(),
            pause: self.game.pause(),
            winner: self.game.winner().map_or(-1, |side| side as i32),
        };
        Ok(numbers.into_ts()?)
    }

    /// Returns the field.
    pub fn field(&self) -> Result<Ts<CourtField>, Thrown> {
        let table = self.game.table();
        let field = CourtField {
            width: table.width,
            height: table.height,
            rail: table.paddles[1].position.x,
            half: table.paddles[1].half,
            step: STEP,
        };
        Ok(field.into_ts()?)
    }

    /// Returns the levels of the players.
    pub fn levels(&self) -> Result<Ts<CourtLevels>, Thrown> {
        let level = |player| match player {
            Player::Person => -1,
            Player::Computer { level } => i32::from(level),
        };
        Ok(CourtLevels(self.game.settings().players.map(level)).into_ts()?)
    }

    /// Returns the record so far as JSON.
    pub fn record(&self) -> String {
        self.replay.to_json()
    }
}

/// The record of a match, which is played some steps at a time, so that the page stays live, and then taken up or watched.
#[wasm_bindgen]
pub struct CourtReader {
    replay: Replay,
    playback: Playback,
}

#[wasm_bindgen]
impl CourtReader {
    /// Reads a record; an exception tells what is wrong with its text.
    #[wasm_bindgen(constructor)]
    pub fn new(json: &str) -> Result<CourtReader, Thrown> {
        let replay = Replay::from_json(json)?;
        let playback = replay.playback()?;
        Ok(CourtReader { replay, playback })
    }

    /// Plays steps; returns whether there are more.
    pub fn advance(&mut self, steps: u32) -> bool {
        (0..steps).all(|_| self.playback.step())
    }

    /// Returns the match where its record ends, or at its beginning to be watched; an exception tells that it ends
    /// otherwise than the record says.
    pub fn finish(self, watch: bool) -> Result<Court, Thrown> {
        let CourtReader { replay, playback } = self;
        let end = playback.end()?;
        let (game, watched) = if watch {
            (Match::new(replay.settings())?, Some(replay.inputs()))
        } else {
            (end, None)
        };
        Ok(Court {
            game,
            replay,
            watched,
        })
    }
}
