//! What every query shares: the answer and its errors, options, validation, units and poses, and the early-out by
//! bounding spheres.
//!
//! May import: `lanes`, `shape`, `surface`.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `contact` | [`Contact`], [`Outcome`] and [`CollisionStatus`]: the answer in the world frame |
//! | `answer` | the answer in a solver's own frame and units, and the way to the world |
//! | `options` | [`QueryOptions`] and [`DepthMode`] |
//! | `error` | [`QueryError`] |
//! | `validation` | the checks of poses and options that come before every query |
//! | `pose` | poses in lanes, points and vectors from a solver's frame to the world |
//! | `units` | the unit of length, the default tolerance and the rounding of a query |
//! | `bounding` | the answer of bodies whose bounding spheres are farther apart than the maximum distance |

pub(crate) mod answer;
pub(crate) mod bounding;
pub(crate) mod contact;
pub(crate) mod error;
pub(crate) mod options;
pub(crate) mod pose;
pub(crate) mod units;
pub(crate) mod validation;

pub use contact::{CollisionStatus, Contact, Outcome, PartsContact};
pub use error::QueryError;
pub use options::{DepthMode, QueryOptions};
