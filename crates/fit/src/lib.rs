//! Superovoids fitted to points and meshes.
//!
//! [`fit`] takes points, [`fit_mesh`] a [`Mesh`] and gives one body, [`fit_parts`] gives several for a concave
//! mesh, or for one that one body encloses badly. [`read_mesh`] reads STL, OBJ and COLLADA. [`fit_robot`] does all this to the collision shapes of a URDF
//! file. A [`Fit`] is a [`Superovoid`](superovoid::Superovoid)
//! with its pose; [`Fit::report`] says how well it follows a mesh. Lengths are metres. The crate has one module and no
//! features.
//!
//! ```
//! use superovoid::Superovoid;
//! use superovoid_fit::{Aim, Mesh, MeshOptions, fit_mesh};
//!
//! let brick = Superovoid::superellipsoid([0.05, 0.03, 0.01], [0.1, 0.1])?;
//! let mesh = Mesh::try_from(brick.tessellate(80))?;
//!
//! let best = fit_mesh(&mesh, &MeshOptions::default())?;
//! let report = best.report(&mesh)?;
//! assert!(report.mesh_to_body.rms < 1e-4 && report.body_to_mesh.max < 1e-3);
//!
//! let mut options = MeshOptions::default();
//! options.fit.aim = Aim::Enclosing;
//! let around = fit_mesh(&mesh, &options)?;
//! let local = |v| around.pose.inverse_transform_point(v);
//! assert!(mesh.vertices().iter().all(|v| around.shape.inside_outside(&local(v)) <= 0.0));
//! assert!(around.shape.volume() < 1.02 * brick.volume());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A shape is fitted in a frame of its own, of its own size: turned, mirrored, scaled, or with its points or triangles in another
//! order it gets the same body, turned, mirrored and scaled with it. Coordinates are rounded to 1e-9 of the size for that;
//! enclosing and inscribed bodies keep to the points as they are given.
//!
//! # Limits
//! A fit is the best of the local minima that its starts lead to; nothing proves that there is no better one. The
//! distance from points that is minimised is the first-order one, which rounds noise off at sharp edges a little;
//! the distances that refine the fit of a mesh and those of a [`Report`] are exact. Points of one side of a body need not tell how far it goes on at the
//! other: the answer then follows what is seen. Under strong noise the thin end of a strongly tapered body may
//! come out too long. Exponents are kept within 0.004 and 1.996, tapers within ±0.999, semi-axes within
//! 1e-4 and 20 of the points' spread.

#[cfg(test)]
extern crate self as superovoid_fit;

mod areas;
mod body;
mod both_ways;
mod bounding;
mod chart;
mod cover;
mod error;
mod fit;
mod fit_mesh;
mod fit_options;
mod fit_parts;
mod frame;
mod hull;
mod joint;
mod least_squares;
mod measure;
mod mesh;
mod parts;
mod points;
mod read;
mod reported;
mod robot;
mod robust;
mod search;
mod starts;

pub use cover::{Cover, fit_cover};
pub use error::FitError;
pub use fit::{Fit, fit};
pub use fit_mesh::{MeshOptions, Target, fit_mesh};
pub use fit_options::{Aim, Axis, Family, FitOptions, Loss, Progress};
pub use fit_parts::fit_parts;
pub use joint::refine_union;
pub use measure::{Distances, Report};
pub use mesh::Mesh;
pub use parts::{Part, PartsOptions};
pub use read::{
    ReadError, ReadLimits, read_mesh, read_mesh_bytes, read_robot_mesh, read_robot_mesh_bytes,
};
pub use reported::{Reported, ReportedError, fit_reported};
pub use robot::{
    Choice, Fallback, FitProblem, FitRobotError, FittedRobot, KeepFree, KeptFree, LoadedRobot,
    LostPair, MeshProblem, PairDistance, PathProblem, Raised, RobotBody, RobotOptions,
    RobotProgress, Untouched, fit_robot, load_collision_meshes,
};
pub use superovoid::MeshError;
