//! Terrain under a cloth, after Gonçalves 2015 (section 4.4, figures 4.7 and 4.8): superellipsoids rise from below a cloth
//! and press it into hills, clothespins hold it up, and what it looks like is frozen as a mesh that one can walk on, with
//! its overhangs.
//!
//! Lengths are metres, times seconds, angles radians, z is up; the ground is the square |x|, |y| ≤ [`HALF`] of the plane
//! z = 0, under which nothing of the cloth gets. At the end of every frame no vertex and no triangle of the cloth is in a
//! body, and no edge has gone through a triangle: what would is not moved, and the body waits. Nothing is random; the same
//! calls give the same bits.
//!
//! ```
//! use superovoid_terrain::Terrain;
//!
//! let mut terrain = Terrain::new();
//! let hill = terrain.add_body(0.3, -0.2)?;
//! terrain.size_body(hill, [0.3, 0.25, 0.4])?;
//! for _ in 0..120 {
//!     terrain.step()?;
//! }
//! let top = terrain.cloth().iter().map(|x| x[2]).fold(0.0, f64::max);
//! assert!(top > 0.4);
//! # Ok::<(), superovoid_terrain::TerrainError>(())
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `terrain` | the cloth, its bodies and pins; a frame |
//! | `body` | the numbers of a body and their limits |
//! | `limits` | the measures of a terrain |
//! | `model` | all numbers of a terrain, and the scene that the simulation advances |
//! | `edits` | what a person does to bodies and pins |
//! | `hand` | what a person grabs, pulls and lets go |
//! | `history`, `undo` | undo and redo |
//! | `pick` | what a ray meets |
//! | `document` | terrains as text |
//! | `obj` | the cloth as an OBJ file |
//! | `ground`, `walker` | the frozen mesh, and who walks on it |

mod body;
mod document;
mod edits;
mod error;
mod ground;
mod hand;
mod history;
mod limits;
mod model;
mod obj;
mod pick;
mod terrain;
mod undo;
mod walker;

pub use body::{Body, Form};
pub use error::TerrainError;
pub use ground::Ground;
pub use limits::{EXPONENTS, FRAME, HALF, MOST_BODIES, SCALE, SEMI_AXES, SIDE, VERSION};
pub use model::Pin;
pub use pick::Picked;
pub use superovoid_json::JsonError;
pub use terrain::{Terrain, Update};
pub use walker::{Pose, SLOPE, STEP_HEIGHT, WALKER, Walker};
