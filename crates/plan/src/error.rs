//! The errors of a plan: what is wrong with the problem or the options, by name.

use superovoid_robot::JointKind;
use superovoid_robot::scene::RobotSceneError;

/// The reason why a problem cannot be planned at all. That there is no path is no error, but
/// [`Plan::NotFound`](crate::Plan::NotFound).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A query of the scene fails.
    #[error(transparent)]
    Scene(#[from] RobotSceneError),
    /// A configuration is of another robot.
    #[error("{of}: the configuration was made for a robot with other joints")]
    OtherRobot {
        /// The start, or which goal.
        of: String,
    },
    /// There is no goal.
    #[error("there is no goal; expected at least one")]
    NoGoal,
    /// There is nothing to move.
    #[error("the robot {robot:?} has no revolute, continuous or prismatic joint to plan with")]
    NoJoint {
        /// The name of the robot.
        robot: String,
    },
    /// No joint has this name.
    #[error("the robot has no joint {joint:?}; expected one of {}", joints.join(", "))]
    UnknownJoint {
        /// The name.
        joint: String,
        /// The joints that can be planned with.
        joints: Vec<String>,
    },
    /// The joint is not one of those that can be planned with.
    #[error("joint {joint:?} is {}; expected one with one degree of freedom", kind.name())]
    Kind {
        /// The name.
        joint: String,
        /// Its type.
        kind: JointKind,
    },
    /// The joint mimics another one.
    #[error("joint {joint:?} mimics {source_joint:?}; name that one")]
    Mimics {
        /// The name.
        joint: String,
        /// The joint that moves it.
        source_joint: String,
    },
    /// The joint is named twice.
    #[error("joint {joint:?} is named twice")]
    Twice {
        /// The name.
        joint: String,
    },
    /// A goal has a joint that is not planned with elsewhere than the start.
    #[error(
        "{goal}: joint {joint:?} is elsewhere than at the start, and not one of those that move"
    )]
    Elsewhere {
        /// Which goal.
        goal: String,
        /// The joint.
        joint: String,
    },
    /// The robot has collision shapes that are not checked, so that no edge can be proven.
    #[error(
        "{count} collision shapes of the robot are not checked, so that no edge can be proven; load their meshes, or \
         plan without proof"
    )]
    NotProvable {
        /// The number of these shapes.
        count: usize,
    },
    /// An option is out of its domain.
    #[error("{option} = {value}: it must be finite and greater than 0")]
    Option {
        /// The field of [`PlanOptions`](crate::PlanOptions).
        option: &'static str,
        /// The value that was rejected.
        value: f64,
    },
}
