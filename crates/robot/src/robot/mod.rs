//! The robot: its model, the reader and writer of URDF and SRDF, forward kinematics, clearances and proven edges.
//!
//! May import: `broad_phase`, `levels`, `poses`, `sin_cos`.

mod adjacency;
mod bodies;
mod cache;
mod check;
mod clearance;
pub(crate) mod edge;
mod error;
mod gradient;
mod group_state;
mod kinematics;
mod kinematics_lanes;
mod limits;
mod lines;
mod model;
mod positions;
mod read;
mod refusal;
#[allow(clippy::module_inception)]
mod robot;
pub(crate) mod spline;
mod srdf;
mod states;
mod tree;
mod write;
mod xml;

pub use bodies::CollisionBody;
pub use cache::CacheError;
pub use clearance::{Clearance, ClearanceOptions, Clearances};
pub use edge::edge_options::{EdgeAnswer, EdgeOptionError, EdgeOptions, EdgeStatus};
pub use edge::region::{FreeRegion, RegionJoint, RegionOptions};
pub use error::{
    ClearanceError, ConfigurationError, RobotError, Unchecked, UrdfError, UrdfProblem,
};
pub use gradient::{ClearanceGradient, SmoothMinimum, smooth_minimum};
pub use group_state::GroupState;
pub use kinematics::{Configuration, JointPosition};
pub(crate) use kinematics_lanes::MovingFrames;
pub use limits::UrdfLimits;
pub use model::{
    Calibration, Collision, Dynamics, Geometry, Inertial, Joint, JointKind, Limit, Link, Material,
    Mimic, Origin, OtherGeometry, SafetyController, SuperovoidBody, UncheckedCollision, Visual,
    Warning,
};
pub use robot::Robot;
pub use spline::curve::{Spline, SplineError};
pub use srdf::{LinkPair, Srdf};
pub(crate) use states::States;
pub use superovoid::CollisionStatus;
