//! Pong with a superellipse, after Gonçalves 2015 (appendix B, figures 8.1 and 8.2), whose response was left as future
//! work: rigid impulses in the plane with spin, and continuous collision, so that nothing is tunnelled through.
//!
//! Lengths are metres, the field is about 2 m wide, x is along it and y across. Nothing is random but what the seed of a
//! match says, and a match repeats to the bit what its inputs say.
//!
//! ```
//! use superovoid_pong::{Input, Match, Player, Settings};
//!
//! let settings = Settings { players: [Player::Computer { level: 1 }, Player::Person], ..Settings::default() };
//! let mut game = Match::new(&settings)?;
//! while game.score() == [0, 0] {
//!     game.step(&[Input::default(), Input::default()]);
//! }
//! assert!(game.score()[0] + game.score()[1] == 1);
//! # Ok::<(), superovoid_pong::PongError>(())
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `ball` | the superellipse that flies, its mass properties |
//! | `table` | the field, its walls and paddles; gaps between them and the ball |
//! | `flight` | continuous collision by conservative advancement |
//! | `impact` | the impulse of an impact |
//! | `rules` | the match: serves, scores, the ball that changes |
//! | `computer` | the player that predicts |
//! | `replay` | records of matches |

mod ball;
mod computer;
mod flight;
mod impact;
mod replay;
mod rules;
mod table;

pub use ball::Ball;
pub use flight::{Flight, Hit, STEP, Struck, advance};
pub use replay::{Inputs, Playback, Replay, ReplayError};
pub use rules::{Event, Input, Match, Player, PongError, Settings};
pub use superovoid_json::JsonError;
pub use table::{Gap, Paddle, Table, Wall};
