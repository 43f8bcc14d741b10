//! Records of matches: the settings, what changed of the inputs and when, and how it ended, as JSON.

use crate::rules::{Input, Match, PongError, Settings};
use serde::{Deserialize, Serialize};
use superovoid_json::{JsonError, from_json};

const VERSION: u32 = 1;
/// The longest match, about a day.
const MOST_STEPS: u64 = 10_000_000;

/// An error of a record.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The text is no record, or one of another version, or has too many steps or changes out of order.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// The settings are those of no match.
    #[error("settings: {0}")]
    Settings(#[from] PongError),
    /// The match ends otherwise than the record says.
    #[error(
        "the match ends otherwise than its record says: it is of another program or was changed"
    )]
    Ends,
}

/// A change of the inputs at a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    step: u64,
    targets: [f64; 2],
    angles: [f64; 2],
}

/// A record that is played, or that grows with a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    version: u32,
    settings: Settings,
    steps: u64,
    changes: Vec<Change>,
    score: [u32; 2],
    /// A digest of the ball in every step, 16 hexadecimal digits.
    digest: Digest,
}

impl Replay {
    /// Begins the record of a match.
    pub fn new(settings: &Settings) -> Self {
        Replay {
            version: VERSION,
            settings: *settings,
            steps: 0,
            changes: Vec::new(),
            score: [0, 0],
            digest: Digest::default(),
        }
    }

    /// Adds a step that was played with these inputs, after which the match is as given. Inputs that are not finite are
    /// kept as 0, as the match reads them. Of a match that goes on for more than a day only that day is kept.
    pub fn push(&mut self, inputs: &[Input; 2], after: &Match) {
        if self.steps == MOST_STEPS {
            return;
        }
        let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
        let change = Change {
            step: self.steps,
            targets: inputs.map(|input| finite(input.target)),
            angles: inputs.map(|input| finite(input.angle)),
        };
        let same = |last: &Change| (last.targets, last.angles) == (change.targets, change.angles);
        let before = self.changes.last();
        if !before.map_or(
            (change.targets, change.angles) == ([0.0; 2], [0.0; 2]),
            same,
        ) {
            self.changes.push(change);
        }
        self.steps += 1;
        self.score = after.score();
        self.digest.take(after);
    }

    /// Returns the record as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("numbers and lists of numbers are JSON")
    }

    /// Reads a record.
    ///
    /// # Errors
    /// A text that is no record, with its place.
    pub fn from_json(text: &str) -> Result<Self, ReplayError> {
        let replay: Replay = from_json(text, VERSION)?;
        Match::new(&replay.settings)?;
        if replay.steps > MOST_STEPS {
            let most = format!("must be at most {MOST_STEPS}, and is {}", replay.steps);
            return Err(JsonError::value("steps", most).into());
        }
        let mut least = 0;
        for (k, change) in replay.changes.iter().enumerate() {
            let finite = change
                .targets
                .iter()
                .chain(&change.angles)
                .all(|x| x.is_finite());
            if !finite || change.step < least || change.step >= replay.steps {
                let wanted = "its numbers must be finite and its step after the one before and below the number of steps";
                return Err(JsonError::value(format!("changes[{k}]"), wanted).into());
            }
            least = change.step + 1;
        }
        Ok(replay)
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the number of steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the inputs of every step.
    pub fn inputs(&self) -> Inputs {
        Inputs {
            changes: self.changes.clone(),
            next: 0,
            step: 0,
            steps: self.steps,
            now: [Input::default(); 2],
        }
    }

    /// Plays the record; `seen` is told every step.
    ///
    /// # Errors
    /// A match that ends otherwise than the record says.
    pub fn play(&self, mut seen: impl FnMut(&Match)) -> Result<Match, ReplayError> {
        let mut playback = self.playback()?;
        while playback.step() {
            seen(&playback.game);
        }
        playback.end()
    }

    /// Returns the record at its beginning, to be played step by step.
    ///
    /// # Errors
    /// Settings that are those of no match.
    pub fn playback(&self) -> Result<Playback, ReplayError> {
        Ok(Playback {
            game: Match::new(&self.settings)?,
            inputs: self.inputs(),
            digest: Digest::default(),
            expected: (self.score, self.digest),
        })
    }
}

/// A record that is being played.
#[derive(Clone, Debug)]
pub struct Playback {
    game: Match,
    inputs: Inputs,
    digest: Digest,
    expected: ([u32; 2], Digest),
}

impl Playback {
    /// Plays a step; returns whether there was one.
    pub fn step(&mut self) -> bool {
        let Some(inputs) = self.inputs.next() else {
            return false;
        };
        self.game.step(&inputs);
        self.digest.take(&self.game);
        true
    }

    /// Plays what is left, and returns the match.
    ///
    /// # Errors
    /// A match that ends otherwise than the record says.
    pub fn end(mut self) -> Result<Match, ReplayError> {
        while self.step() {}
        if (self.game.score(), self.digest) != self.expected {
            return Err(ReplayError::Ends);
        }
        Ok(self.game)
    }
}

/// The inputs of a record, step by step.
#[derive(Clone, Debug)]
pub struct Inputs {
    changes: Vec<Change>,
    next: usize,
    step: u64,
    steps: u64,
    now: [Input; 2],
}

impl Iterator for Inputs {
    type Item = [Input; 2];

    fn next(&mut self) -> Option<[Input; 2]> {
        if self.step == self.steps {
            return None;
        }
        if let Some(change) = self.changes.get(self.next).filter(|c| c.step == self.step) {
            self.now = [0, 1].map(|side| Input {
                target: change.targets[side],
                angle: change.angles[side],
            });
            self.next += 1;
        }
        self.step += 1;
        Some(self.now)
    }
}

/// The FNV-1a hash of the bits of the ball's numbers, eight bytes at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn take(&mut self, game: &Match) {
        let ball = game.ball();
        let (x, v) = (ball.position, ball.velocity);
        for number in [x.x, x.y, ball.angle, v.x, v.y, ball.spin] {
            self.0 = (self.0 ^ number.to_bits()).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl From<Digest> for String {
    fn from(Digest(hash): Digest) -> Self {
        format!("{hash:016x}")
    }
}

impl TryFrom<String> for Digest {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let digits = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let hash = u64::from_str_radix(&text, 16).ok().filter(|_| digits);
        hash.map(Digest)
            .ok_or("the digest must be 16 hexadecimal digits")
    }
}
