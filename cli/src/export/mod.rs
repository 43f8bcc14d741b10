//! Robots for simulators: what `superovoid sdf` and `superovoid mjcf` have in common.
//!
//! [`Model`] holds, for every link, its mass and its shapes in terms that both formats know: primitives, ellipsoids and
//! mesh files. Data flow from the robot to the model and from it to the text.

mod mass;
pub mod mesh_files;
pub mod meshes;
pub mod model;
pub mod options;
mod parts;
pub mod xml;

pub use mass::Mass;
pub use model::Model;
pub use options::Options;
pub use parts::{Link, Part, Solid};
