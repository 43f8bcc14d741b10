//! A match of Pong, its record, and a record that is watched.

use superovoid_pong::{Event, Input, Inputs, Match, Playback, Player, Replay, STEP, Settings};

/// A match that is played and recorded, or a record that is watched.
pub struct Court {
    game: Match,
    replay: Replay,
    watched: Option<Inputs>,
}

impl Court {
    /// Begins a match; a level below 0 is a person.
    pub fn new(levels: [i32; 2], seed: u32, points: u32, friction: f64) -> Result<Self, String> {
        let player = |level: i32| match u8::try_from(level) {
            Ok(level) => Player::Computer { level },
            Err(_) => Player::Person,
        };
        let settings = Settings {
            players: levels.map(player),
            seed: seed.into(),
            points,
            friction,
            changes: true,
        };
        let game = Match::new(&settings).map_err(|error| error.to_string())?;
        Ok(Court {
            game,
            replay: Replay::new(&settings),
            watched: None,
        })
    }

    /// Plays a step; a record that is watched has its own inputs. Returns whether there was one.
    ///
    /// What happened is added to `events`: 0 a wall, 1 and 2 a stroke, 3 and 4 a point, 5 a let, 6 and 7 the end.
    pub fn step(&mut self, targets: [f64; 2], angles: [f64; 2], events: &mut Vec<u8>) -> bool {
        let given = [0, 1].map(|side| Input {
            target: targets[side],
            angle: angles[side],
        });
        let inputs = match &mut self.watched {
            None => given,
            Some(watched) => match watched.next() {
                None => return false,
                Some(inputs) => inputs,
            },
        };
        if self.game.winner().is_some() {
            return false;
        }
        let happened = self.game.step(&inputs);
        events.extend(happened.into_iter().map(|event| match event {
            Event::Wall(_) => 0,
            Event::Stroke(side) => 1 + side as u8,
            Event::Point(side) => 3 + side as u8,
            Event::Let => 5,
            Event::Won(side) => 6 + side as u8,
        }));
        if self.watched.is_none() {
            self.replay.push(&inputs, &self.game);
        }
        true
    }

    /// Returns the ball's x, y, angle, semi-axes and exponent; y and angle of both paddles; both scores, the strokes, the
    /// seconds until the serve, and who has won, −1 for nobody.
    pub fn numbers(&self) -> Vec<f64> {
        let (ball, table) = (self.game.ball(), self.game.table());
        let [a1, a2] = ball.shape.semi_axes();
        let [left, right] = table.paddles;
        let [p, q] = self.game.score().map(f64::from);
        let strokes = f64::from(self.game.strokes());
        let winner = self.game.winner().map_or(-1.0, |side| side as f64);
        vec![
            ball.position.x,
            ball.position.y,
            ball.angle,
            a1,
            a2,
            ball.shape.exponent(),
            left.position.y,
            left.angle,
            right.position.y,
            right.angle,
            p,
            q,
            strokes,
            self.game.pause(),
            winner,
        ]
    }

    /// Returns width and height of the field, x of the right paddle, half its width and height, metres, and the seconds of a
    /// step.
    pub fn field(&self) -> Vec<f64> {
        let table = self.game.table();
        let [w, h] = table.paddles[1].half;
        vec![
            table.width,
            table.height,
            table.paddles[1].position.x,
            w,
            h,
            STEP,
        ]
    }

    /// Returns the levels of the players; that of a person is −1.
    pub fn levels(&self) -> Vec<i32> {
        let level = |player| match player {
            Player::Person => -1,
            Player::Computer { level } => i32::from(level),
        };
        self.game.settings().players.map(level).to_vec()
    }

    /// Returns the record so far as JSON.
    pub fn record(&self) -> String {
        self.replay.to_json()
    }
}

/// A record that is played to its end, some steps at a time, before it is taken up or watched.
pub struct Reader {
    replay: Replay,
    playback: Playback,
}

impl Reader {
    /// Reads a record; an error tells what is wrong with its text.
    pub fn new(json: &str) -> Result<Self, String> {
        let replay = Replay::from_json(json).map_err(|error| error.to_string())?;
        let playback = replay.playback().map_err(|error| error.to_string())?;
        Ok(Reader { replay, playback })
    }

    /// Plays steps; returns whether there are more.
    pub fn advance(&mut self, steps: u32) -> bool {
        (0..steps).all(|_| self.playback.step())
    }

    /// Returns the match where its record ends, or at its beginning to be watched; an error if it ends otherwise than the
    /// record says.
    pub fn finish(self, watch: bool) -> Result<Court, String> {
        let Reader { replay, playback } = self;
        let end = playback.end().map_err(|error| error.to_string())?;
        let (game, watched) = if watch {
            let game = Match::new(replay.settings()).map_err(|error| error.to_string())?;
            (game, Some(replay.inputs()))
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
