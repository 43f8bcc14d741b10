//! Robots for simulators: what `superovoid sdf` and `superovoid mjcf` have in common.
//!
//! [`Model`] holds, for every link, its mass and its shapes in terms that both formats know: primitives, ellipsoids and
//! mesh files. Data flow from the robot to the model and from it to the text.

mod left_out;
mod lost_files;
mod mass;
pub mod mesh_files;
pub mod meshes;
pub mod model;
pub mod options;
mod parts;
pub mod xml;

pub use left_out::{is_empty, left_out};
pub use lost_files::lost_files;
pub use mass::Mass;
pub use model::Model;
pub use options::Options;
pub use parts::{Link, Part, Solid};
