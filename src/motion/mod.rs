//! Bodies in motion: the time of impact, with a proof.
//!
//! May import: `bvh`, `convex`, `lanes`, `pair`, `plane`, `polytope`, `pose`, `query`, `shape`, `surface`, `vertex`.
//!
//! [`time_of_impact`] takes two bodies and the motion of each over t ∈ [0, 1]. It proves that they stay apart, or finds
//! the first contact: an instant up to which they are proven to be apart and a later one at which they are proven to
//! touch. What is neither is undecided, never free. [`vertex_time_of_impact`], [`half_space_time_of_impact`],
//! [`polytope_time_of_impact`], [`convex_time_of_impact`] (any two convex bodies) and `tree_time_of_impact` (triangle meshes
//! and sets of boxes) are likewise.
//!
//! A [`Motion`] is a screw, or the straight line of a point of the body with a steady rotation about that point, as FCL
//! and parry interpolate between two poses. Both bodies may move.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `rigid_motion` | [`Motion`]: poses, velocities and bounds of accelerations |
//! | `moving_pair` | two moving bodies: their contact and their gap along a direction at an instant |
//! | `advance` | the proof that a gap along a direction stays open for a while |
//! | `search` | the search for the first contact |
//! | `time_of_impact_options`, `answer` | the options and the answer |
//! | `entry` | the entries for pairs, vertices and half-spaces |
//! | `convex` | that for any two convex bodies by their support functions |
//! | `polytope`, `tree` | those for segments, triangles, boxes and hulls, and for many of them |
//!
//! # What is proven
//!
//! All that is proven holds for the motion as it is given, not for another one between the same poses. Let d(t) be the
//! signed distance and m the option `min_separation`.
//!
//! | answer | proven |
//! | --- | --- |
//! | [`TimeOfImpact::Free`] | d(t) > m for all t in [0, 1]; from a start in touch that separates, d(t) ≥ m − tolerance until it is above m |
//! | [`TimeOfImpact::Hit`] | d(t) > m for t up to `safe`, and d ≤ m at `touching` |
//! | [`TimeOfImpact::Overlapping`] | d(0) ≤ m, by a contact whose distance is below m − tolerance |
//! | [`TimeOfImpact::Undecided`] | d(t) > m for t up to `safe`, nothing beyond: the bodies graze each other, or `max_queries` did not suffice |
//!
//! For a body that is not convex the proof that it stays apart uses its hull where that suffices, and the true distance
//! and a bound of the speed where it does not.

mod advance;
mod answer;
mod convex;
mod entry;
mod moving_pair;
mod polytope;
mod rigid_motion;
mod search;
mod time_of_impact_options;
#[cfg(feature = "bvh")]
mod tree;

pub use answer::{PartsTimeOfImpact, TimeOfImpact};
pub use convex::convex_time_of_impact;
pub(crate) use entry::limits;
pub use entry::{half_space_time_of_impact, time_of_impact, vertex_time_of_impact};
pub(crate) use moving_pair::{MovingBody, MovingPair};
pub use polytope::polytope_time_of_impact;
pub use rigid_motion::Motion;
pub(crate) use search::first_contact;
pub use time_of_impact_options::TimeOfImpactOptions;
#[cfg(feature = "bvh")]
pub use tree::{convex_tree_time_of_impact, tree_time_of_impact};
