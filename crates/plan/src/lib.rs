//! Motions of robots among obstacles: a path from a start to one of several goals, every edge of which is proven free.
//!
//! [`plan`] searches with RRT-Connect, makes the path shorter, and proves it: planners check states at a spacing, and what
//! is thinner than the spacing may stand between two of them. Here the states are only the first answer. Every edge that is
//! to be part of the path is proven by [`RobotScene::edge_free`](superovoid_robot::scene::RobotScene::edge_free), an edge that
//! is refused is replaced, and a path that is returned as proven touches nothing at any point of any edge.
//!
//! ```
//! use nalgebra::Isometry3;
//! use superovoid::Superovoid;
//! use superovoid_plan::{Plan, PlanOptions, PlanProblem, plan};
//! use superovoid_robot::Robot;
//! use superovoid_robot::scene::RobotScene;
//!
//! let robot = Robot::from_urdf_str(
//!     r#"<robot name="arm">
//!          <link name="base"/>
//!          <link name="ball">
//!            <collision><geometry><sphere radius="0.1"/></geometry></collision>
//!          </link>
//!          <link name="carriage"/>
//!          <joint name="x" type="prismatic">
//!            <parent link="base"/> <child link="carriage"/> <axis xyz="1 0 0"/>
//!            <limit lower="-1" upper="1"/>
//!          </joint>
//!          <joint name="y" type="prismatic">
//!            <parent link="carriage"/> <child link="ball"/> <axis xyz="0 1 0"/>
//!            <limit lower="-1" upper="1"/>
//!          </joint>
//!        </robot>"#,
//! )?;
//! let mut scene = RobotScene::new(robot)?;
//! scene.add_obstacle("post", Superovoid::sphere(0.3)?, Isometry3::identity())?;
//! let mut start = scene.robot().neutral();
//! start.set("x", -0.8)?; // metres
//! let mut goal = start.clone();
//! goal.set("x", 0.8)?;
//! let problem = PlanProblem::new(start, vec![goal]);
//! match plan(&mut scene, &problem, &PlanOptions::default())? {
//!     Plan::Found { path, proven, .. } => assert!(proven && path.len() > 2),
//!     Plan::NotFound { reason, .. } => panic!("{reason}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same problem, options and seed give the same path, unless a limit of time ends the search.

mod answer;
mod edges;
mod error;
mod nearest;
mod options;
#[allow(clippy::module_inception)]
mod plan;
mod prove;
mod rrt_connect;
mod shortcut;
mod space;
mod watch;

pub use answer::{Plan, PlanStatistics, Reason, Touching};
pub use error::PlanError;
pub use options::{PlanOptions, PlanProblem};
pub use plan::{plan, plan_with_progress};
pub use space::movable_joints;
