//! Robots: a URDF reader and writer with superovoid collision shapes, forward kinematics, and
//! the clearances between the links of a posed robot.
//!
//! Data flows one way: file → [`Robot`] → [`Configuration`] → poses → [`Clearance`]s.
//!
//! ```
//! use superovoid::robot::Robot;
//!
//! let robot = Robot::from_urdf_str(
//!     r#"<robot name="door">
//!          <link name="wall"/>
//!          <link name="leaf">
//!            <collision>
//!              <origin xyz="0.4 0 0"/>
//!              <geometry><box size="0.8 0.04 2"/></geometry>
//!              <superovoid a1="0.4" a2="0.02" a3="1" e1="0.1" e2="0.1" tx="0" ty="0"/>
//!            </collision>
//!          </link>
//!          <joint name="hinge" type="revolute">
//!            <parent link="wall"/>
//!            <child link="leaf"/>
//!            <axis xyz="0 0 1"/>
//!            <limit lower="0" upper="2" effort="10" velocity="1"/>
//!          </joint>
//!        </robot>"#,
//! )?;
//! let mut configuration = robot.neutral();
//! configuration.set("hinge", 1.5)?;
//! let poses = robot.forward_kinematics(&configuration)?;
//! assert!((poses[1].rotation.angle() - 1.5).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The superovoid element
//!
//! A `<superovoid>` stands beside `<geometry>` in the same `<collision>` or `<visual>`, whose
//! standard shape is the fallback that every other URDF parser sees; this is the form that
//! [`Robot::to_urdf`] writes. `<superovoid>`, `<SUPEROVOID>` and `<superellipsoid>` are also read
//! inside `<geometry>`, the form of the literature, which other parsers refuse or drop. Its
//! attributes are `a1 a2 a3` (semi-axes, metres), `e1 e2` (squareness exponents) and `tx ty`
//! (tapers, 0 when absent; a `<superellipsoid>` has none), in the frame of the `<origin>`.

mod bodies;
mod check;
mod clearance;
mod error;
mod kinematics;
mod model;
mod positions;
mod read;
mod srdf;
mod tree;
mod write;

pub use crate::Status;
pub use clearance::{Clearance, ClearanceOptions, Clearances};
pub use error::{ClearanceError, ConfigurationError, RobotError, UrdfError, UrdfProblem};
pub use kinematics::{Configuration, JointPosition};
pub use model::{
    Calibration, Collision, ContactBody, Dynamics, Geometry, Inertial, Joint, JointKind, Limit,
    Link, Material, Mimic, NotInContact, Notice, Origin, OtherGeometry, Robot, SafetyController,
    Visual,
};
pub use srdf::{LinkPair, Srdf};
