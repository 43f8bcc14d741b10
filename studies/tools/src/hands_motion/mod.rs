//! The motion of Gonçalves et al. 2017, section 5.2: the iCub's right hand moves towards the left one, palms
//! facing, until the tips of both thumbs touch, then turns inward, so that its fingers pass through those of
//! the left hand.
//!
//! Data flows one way: [`Hands`] (a version of the model) → [`Motion`] (where the hands are when) →
//! [`Timeline`] (clearance and overlapping pairs over time) and [`Study`] (every method on the pairs that
//! overlap, Table 4 of the paper) → [`report`]. [`Meshes`] are the same bodies as triangles.

mod hands;
mod judge;
mod meshes;
mod moment;
mod motion;
pub mod published;
pub mod report;
mod study;
mod timeline;

/// The oracle of the library's tests, which shares no code with the library.
#[path = "../../../../tests/contact/oracle/mod.rs"]
mod oracle;

pub use hands::{Body, Hands};
pub use judge::{Judge, Truth, Verdict};
pub use meshes::Meshes;
pub use moment::Moment;
pub use motion::Motion;
pub use study::{MeshQuery, MeshRow, Row, Score, Setting, Study};
pub use timeline::Timeline;
