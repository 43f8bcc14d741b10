//! Forward kinematics: the poses of all links for given positions of the joints.
//!
//! The pose of a child is `pose of parent · origin · motion`, with the motion of its joint:
//!
//! | joint | position | motion |
//! | --- | --- | --- |
//! | fixed | none | none |
//! | revolute, continuous | angle q | rotation by q about the axis |
//! | prismatic | length q | translation by q along the axis |
//! | planar | x, y, yaw | translation by x and y in the plane, then rotation by yaw about its normal |
//! | floating | a pose | that pose |
//!
//! URDF names the normal of a planar joint (its axis) but not the directions of x and y in the
//! plane. Here they are the joint's own x and y, turned with its z onto the axis by the smallest
//! rotation (about x where the axis is −z); for an axis along z they are x and y themselves.

use super::error::ConfigurationError;
use super::model::{Joint, JointKind};
use super::robot::Robot;
use super::tree::{Frame, Tree};
use nalgebra::{Isometry3, Translation3, Unit, UnitQuaternion, Vector3};
use std::sync::Arc;

/// The position of one joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointPosition {
    /// The position of a fixed joint.
    Fixed,
    /// The position of a revolute or continuous joint (radians) or a prismatic one (metres).
    Scalar(f64),
    /// The position of a planar joint: x and y in the plane (metres), yaw about its normal (radians).
    Planar([f64; 3]),
    /// The position of a floating joint.
    Floating(Isometry3<f64>),
}

impl From<f64> for JointPosition {
    fn from(position: f64) -> Self {
        JointPosition::Scalar(position)
    }
}

impl From<[f64; 3]> for JointPosition {
    fn from(x_y_yaw: [f64; 3]) -> Self {
        JointPosition::Planar(x_y_yaw)
    }
}

impl From<Isometry3<f64>> for JointPosition {
    fn from(pose: Isometry3<f64>) -> Self {
        JointPosition::Floating(pose)
    }
}

impl JointPosition {
    fn is_finite(&self) -> bool {
        match self {
            JointPosition::Fixed => true,
            JointPosition::Scalar(q) => q.is_finite(),
            JointPosition::Planar(q) => q.iter().all(|q| q.is_finite()),
            JointPosition::Floating(pose) => is_finite(pose),
        }
    }
}

pub(super) fn is_finite(pose: &Isometry3<f64>) -> bool {
    let mut numbers = pose.translation.vector.iter().chain(&pose.rotation.coords);
    numbers.all(|x| x.is_finite())
}

/// A configuration: a position for every joint of a robot, within its limits; joints that mimic follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    pub(super) tree: Arc<Tree>,
    /// The positions; those of joints that mimic have no meaning.
    pub(super) positions: Vec<JointPosition>,
}

impl Robot {
    /// Returns the configuration with every joint at zero, or at the limit nearest to zero where zero is outside.
    pub fn neutral(&self) -> Configuration {
        Configuration {
            tree: Arc::clone(&self.tree),
            positions: self.joints().iter().map(neutral_position).collect(),
        }
    }

    /// Returns one pose per link, in the order of [`Robot::links`], in the frame of the root link.
    ///
    /// # Errors
    /// The error names a configuration of a robot with other joints, or positions so large that a pose overflows.
    pub fn forward_kinematics(
        &self,
        configuration: &Configuration,
    ) -> Result<Vec<Isometry3<f64>>, ConfigurationError> {
        let mut poses = Vec::new();
        self.forward_kinematics_into(configuration, &mut poses)?;
        Ok(poses)
    }

    /// Writes what [`Robot::forward_kinematics`] returns in place of what there is.
    pub(crate) fn forward_kinematics_into(
        &self,
        configuration: &Configuration,
        poses: &mut Vec<Isometry3<f64>>,
    ) -> Result<(), ConfigurationError> {
        if !self.fits(configuration) {
            return Err(ConfigurationError::OtherRobot);
        }
        poses.clear();
        poses.resize(self.links.len(), Isometry3::identity());
        for &joint in &self.tree.order {
            let [parent, child] = self.tree.ends[joint];
            let position = configuration.position_at(joint);
            let frame = &self.tree.frames[joint];
            let motion = motion(self.tree.joints[joint].kind, frame, position);
            let mut pose = poses[parent] * frame.origin * motion;
            // A product of unit quaternions drifts from unit length along a long chain.
            pose.rotation.renormalize_fast();
            if !is_finite(&pose) {
                let link = self.links[child].name.clone();
                return Err(ConfigurationError::NonFinitePose { link });
            }
            poses[child] = pose;
        }
        Ok(())
    }

    /// Whether the configuration is of this robot or of one with the same joints.
    pub(crate) fn fits(&self, configuration: &Configuration) -> bool {
        Arc::ptr_eq(&self.tree, &configuration.tree) || self.tree == configuration.tree
    }
}

pub(super) fn neutral_position(joint: &Joint) -> JointPosition {
    match joint.kind {
        JointKind::Fixed => JointPosition::Fixed,
        JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => {
            let [lower, upper] = joint.range().unwrap_or([0.0, 0.0]);
            // The validation has made sure that the limits are in order.
            JointPosition::Scalar(0.0_f64.clamp(lower, upper))
        }
        JointKind::Planar => JointPosition::Planar([0.0; 3]),
        JointKind::Floating => JointPosition::Floating(Isometry3::identity()),
    }
}

impl Configuration {
    /// Sets the position of a joint: a number (revolute, continuous, prismatic), `[x, y, yaw]` (planar) or an
    /// isometry (floating), in radians and metres.
    ///
    /// # Errors
    /// The error names a joint that does not exist, is fixed or mimics another one, or a position of another type
    /// than the joint, not finite, or outside its limits. The configuration is then unchanged.
    pub fn set(
        &mut self,
        joint: &str,
        position: impl Into<JointPosition>,
    ) -> Result<(), ConfigurationError> {
        let index = self.index(joint)?;
        self.set_at(index, position)
    }

    /// Sets the position of the joint of this index into [`Robot::joints`], as [`Configuration::set`] does for a name.
    ///
    /// # Errors
    /// The errors are those of [`Configuration::set`]. An index beyond the last joint is
    /// [`ConfigurationError::UnknownJoint`], whose name is the index.
    pub fn set_at(
        &mut self,
        joint: usize,
        position: impl Into<JointPosition>,
    ) -> Result<(), ConfigurationError> {
        if joint >= self.positions.len() {
            return Err(self.unknown(&joint.to_string()));
        }
        let position = position.into();
        self.allow(joint, &position)?;
        self.positions[joint] = position;
        Ok(())
    }

    /// Returns the position of a joint; that of a joint that mimics follows from the other one.
    ///
    /// # Errors
    /// The error names a joint that does not exist.
    pub fn position(&self, joint: &str) -> Result<JointPosition, ConfigurationError> {
        Ok(self.position_at(self.index(joint)?))
    }

    fn index(&self, joint: &str) -> Result<usize, ConfigurationError> {
        if let Some(&index) = self.tree.joint_index.get(joint) {
            return Ok(index);
        }
        Err(self.unknown(joint))
    }

    fn unknown(&self, joint: &str) -> ConfigurationError {
        let joints = self.tree.joints.iter();
        let free = joints.filter(|j| j.kind != JointKind::Fixed && j.mimic.is_none());
        ConfigurationError::UnknownJoint {
            joint: joint.to_owned(),
            joints: free.map(|j| j.name.clone()).collect(),
        }
    }

    pub(crate) fn position_at(&self, joint: usize) -> JointPosition {
        let Some(follow) = self.tree.follows[joint] else {
            return self.positions[joint];
        };
        match self.positions[follow.source] {
            JointPosition::Scalar(q) => {
                JointPosition::Scalar(follow.multiplier * q + follow.offset)
            }
            // This is not reached: only joints of one degree of freedom are mimicked.
            other => other,
        }
    }

    /// Returns the position of a joint that has one number.
    pub(crate) fn scalar_at(&self, joint: usize) -> Option<f64> {
        let (source, multiplier, offset) = match &self.tree.follows[joint] {
            Some(follow) => (follow.source, follow.multiplier, follow.offset),
            None => (joint, 1.0, 0.0),
        };
        match &self.positions[source] {
            JointPosition::Scalar(q) => Some(multiplier * q + offset),
            _ => None,
        }
    }

    /// Returns an error for a position that the joint cannot take.
    fn allow(&self, index: usize, position: &JointPosition) -> Result<(), ConfigurationError> {
        let definition = &self.tree.joints[index];
        if let Some(follow) = self.tree.follows[index] {
            return Err(ConfigurationError::Mimics {
                joint: definition.name.clone(),
                source_joint: self.tree.joints[follow.source].name.clone(),
            });
        }
        let (expected, fits) = match definition.kind {
            JointKind::Fixed => ("no position, because it does not move", false),
            JointKind::Revolute | JointKind::Continuous => (
                "one number, the angle in radians",
                matches!(position, JointPosition::Scalar(_)),
            ),
            JointKind::Prismatic => (
                "one number, the travel in metres",
                matches!(position, JointPosition::Scalar(_)),
            ),
            JointKind::Planar => (
                "three numbers: x and y in metres, yaw in radians",
                matches!(position, JointPosition::Planar(_)),
            ),
            JointKind::Floating => (
                "a pose: x, y and z in metres, roll, pitch and yaw in radians",
                matches!(position, JointPosition::Floating(_)),
            ),
        };
        if !fits {
            return Err(ConfigurationError::Kind {
                joint: definition.name.clone(),
                kind: definition.kind,
                expected,
            });
        }
        definition.within_limits(position)
    }
}

impl Joint {
    /// Whether a position of the joint's own type is finite and within its limits.
    pub(super) fn within_limits(&self, position: &JointPosition) -> Result<(), ConfigurationError> {
        let joint = || self.name.clone();
        if !position.is_finite() {
            return Err(ConfigurationError::NonFinite { joint: joint() });
        }
        match (position, self.range()) {
            (&JointPosition::Scalar(value), Some([lower, upper]))
                if value < lower || value > upper =>
            {
                Err(ConfigurationError::OutsideLimits {
                    joint: joint(),
                    value,
                    lower,
                    upper,
                })
            }
            _ => Ok(()),
        }
    }
}

/// Returns the rotation of the joint's z axis onto the normal of a planar joint, by which its x and y lie in the plane.
pub(super) fn in_plane(axis: &Unit<Vector3<f64>>) -> UnitQuaternion<f64> {
    let half_turn = || UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
    UnitQuaternion::rotation_between_axis(&Vector3::z_axis(), axis).unwrap_or_else(half_turn)
}

/// Returns the motion of a joint in its own frame.
pub(super) fn motion(
    kind: JointKind,
    &Frame { axis, .. }: &Frame,
    position: JointPosition,
) -> Isometry3<f64> {
    match position {
        JointPosition::Fixed => Isometry3::identity(),
        JointPosition::Floating(pose) => pose,
        JointPosition::Scalar(q) if kind == JointKind::Prismatic => {
            Translation3::from(axis.into_inner() * q).into()
        }
        JointPosition::Scalar(q) => Isometry3::from_parts(
            Translation3::identity(),
            UnitQuaternion::from_axis_angle(&axis, q),
        ),
        JointPosition::Planar([x, y, yaw]) => Isometry3::from_parts(
            Translation3::from(in_plane(&axis) * Vector3::new(x, y, 0.0)),
            UnitQuaternion::from_axis_angle(&axis, yaw),
        ),
    }
}
