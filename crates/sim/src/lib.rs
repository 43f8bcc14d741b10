//! Cloth, soft solids and rigid bodies by position-based dynamics, on the exact contacts of [`superovoid`].
//!
//! A [`Scene`] is plain data that says everything; a [`World`] is built from it, advances it frame by frame and hands
//! out its [`State`]. The same scene gives the same bits, on any number of threads. There is no clock, no window and no
//! global state; nothing is read or written but memory, and what a caller hands over for recordings.
//!
//! ```
//! use superovoid_sim::{World, scenes};
//!
//! let mut world = World::new(&scenes::stack(3))?;
//! for _ in 0..60 {
//!     world.step()?;
//! }
//! let top = &world.state().bodies[3];
//! assert!((top.position[2] - 1.015).abs() < 0.005);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | feature | what it brings |
//! | --- | --- |
//! | `obj` (default) | recordings as OBJ files |
//! | `urdf` (default) | links of a robot as moving bodies, and the ready scenes of the hands |
//! | `rayon` | `World::set_threads`: contact queries on several threads, with the same bits |
//!
//! Public are `scene` (what goes in), `scenes` (ready ones), `recording`, `soft` (meshes of solids) and `judge`.
//!
//! | place | contents |
//! | --- | --- |
//! | `scene`, `validation`, `error` | the data of a scene, its checks, and what is said of a wrong one |
//! | `world`, `state` | the integrator: a frame in substeps, a substep in stages |
//! | `particles`, `constraints/` | vertices of cloths, and what acts between them |
//! | `rigid/` | bodies, their contacts, joints and islands |
//! | `cloth/` | cloths and their contacts with bodies, in three stages |
//! | `soft/` | soft solids and their contact by inward rays |
//! | `contacts` | what pressed in the last frame: points, normals, impulses |
//! | `pull`, `guide` | what a person pulls by a pointer or holds, bodies that a person moves and reshapes |
//! | `broad_phase` | which boxes meet |
//! | `scenes/` | ready scenes |
//! | `json`, `recording/` | scenes as text, recordings as one compact file and as OBJ files |
//! | `judge` | penetration, strain and energy of a state, by code that the solver does not share |

mod broad_phase;
mod cloth;
mod constraints;
mod contacts;
mod error;
mod guide;
mod json;
pub mod judge;
mod particles;
mod pull;
pub mod recording;
mod rigid;
pub mod scene;
pub mod scenes;
pub mod soft;
mod state;
mod threads;
mod validation;
mod world;

pub use contacts::{ClothContactPoint, ContactPoint};
pub use error::{SceneError, StepError};
pub use guide::{Goal, GuideError};
pub use pull::{Hold, Pull, PullError, Pulled};
pub use scene::{Scene, Scheme};
pub use state::{BodyState, ClothState, SolidState, State};
pub use superovoid_json::JsonError;
pub use validation::{LARGEST, MOST_BODIES, MOST_VERTICES};
pub use world::{Stage, World};

/// The programs of `docs/guides/scenes.md`.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guides/scenes.md")]
mod pages {}
