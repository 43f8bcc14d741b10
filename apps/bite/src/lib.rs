//! Dental occlusion: two teeth, each a union of convex superovoids, over the frames of a bite.
//!
//! Gonçalves, Bernardino, Jorge and Lopes (*Mechanism and Machine Theory* 115, 2017, sections 5.3 and 6.4) let an upper
//! molar come down on a lower one and rise again. The boxes about the superovoids gate their pairs there, so that the
//! curve of the distance jumps and has no values where the teeth are far apart. Here a pair is left out only where it is
//! proven to be farther apart than another one: the curve is that of the unions at every frame, and it is certified.
//!
//! ```
//! use superovoid_bite::{Bite, Closing, FrameOptions, Molar, Path, Status};
//!
//! let (lower, upper) = (Molar::lower().tooth()?, Molar::upper().tooth()?);
//! let path = Path::closing(&lower, &upper, &Closing::default())?;
//! let mut bite = Bite::new(&lower, &upper);
//! let apart = bite.frame(&path.poses()[40], &FrameOptions::default())?;
//! assert_eq!(apart.status(), Status::Apart);
//! let deep = bite.frame(&path.poses()[79], &FrameOptions::default())?;
//! // The upper molar comes down by 0.02 mm a frame and touches half a frame before the 47th.
//! assert!((deep.lift.unwrap().upper - 32.5 * 2e-5).abs() < 1e-9); // metres
//! # Ok::<(), superovoid_bite::BiteError>(())
//! ```
//!
//! | file | contents |
//! | --- | --- |
//! | `tooth` | [`Tooth`]: the union of bodies, validated, with its norm form |
//! | `molar` | [`Molar`]: procedural first molars |
//! | `marching` | [`union_mesh`]: the closed mesh of a union, by marching tetrahedra |
//! | `scan`, `fitted` | [`scan`]: a mesh with noise; [`fit_tooth`]: a mesh to a tooth, with the errors of the fit |
//! | `path` | [`Path`]: the poses of the upper tooth; closing and opening, or any list |
//! | `frame` | [`Bite`]: the distance of the unions at a pose, with its bracket and the contacts |
//! | `lift` | [`Lift`]: the least upward move after which the teeth are free, with a proof |
//! | `gated` | the scheme of the paper, with and without its gate |
//! | `surfaces` | [`Surfaces`]: the distance of the meshes, 0 where they overlap |
//!
//! Lengths are metres, z points up, and the lower tooth rests.

mod error;
mod fitted;
mod frame;
mod gated;
mod lift;
mod marching;
mod molar;
mod path;
mod scan;
mod surfaces;
mod tooth;

pub use error::BiteError;
pub use fitted::{FitReport, FittedTooth, ToothOptions, fit_tooth};
pub use frame::{Bite, Frame, FrameOptions, PairContact, Status};
pub use gated::{SchemeFrame, SchemeRun};
pub use lift::Lift;
pub use marching::{union_mesh, union_mesh_of};
pub use molar::{Cusp, Molar};
pub use path::{Closing, Path};
pub use scan::scan;
pub use surfaces::{NearestTriangles, Surfaces};
pub use tooth::{Body, Tooth};
