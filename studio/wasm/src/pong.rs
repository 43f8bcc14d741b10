//! A match of Pong, its record, and a record that is watched.

use superovoid_pong::{Event, Input, Inputs, Match, Player, Replay, Settings};

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

    /// Takes up a match where its record ends, or from its beginning to be watched.
    pub fn read(json: &str, watch: bool) -> Result<Self, String> {
        let replay = Replay::from_json(json).map_err(|error| error.to_string())?;
        // A record that does not end as it says is not watched either.
        let end = replay.play(|_| ()).map_err(|error| error.to_string())?;
        let game = if watch {
            Match::new(replay.settings()).map_err(|error| error.to_string())?
        } else {
            end
        };
        Ok(Court {
            game,
            watched: watch.then(|| replay.inputs()),
            replay,
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

    /// Returns the ball's x, y, angle, semi-axes and exponent; y and angle of both paddles; both scores, the strokes, and
    /// the seconds until the serve.
    pub fn numbers(&self) -> Vec<f64> {
        let (ball, table) = (self.game.ball(), self.game.table());
        let [a1, a2] = ball.shape.semi_axes();
        let [left, right] = table.paddles;
        let [p, q] = self.game.score().map(f64::from);
        let strokes = f64::from(self.game.strokes());
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
        ]
    }

    /// Returns width and height of the field, x of the right paddle, and half its width and height, metres.
    pub fn field(&self) -> Vec<f64> {
        let table = self.game.table();
        let [w, h] = table.paddles[1].half;
        vec![table.width, table.height, table.paddles[1].position.x, w, h]
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
