//! A configuration as one vector of numbers, the form of planners and optimisers.
//!
//! The positions of the joints that can be set stand one after the other, in the order of [`Robot::joints`]:
//!
//! | joint | numbers |
//! | --- | --- |
//! | fixed, or one that mimics | none |
//! | revolute, continuous | the angle (radians) |
//! | prismatic | the travel (metres) |
//! | planar | x, y (metres), yaw (radians) |
//! | floating | x, y, z (metres), quaternion x, y, z, w of any length but zero |

use super::error::ConfigurationError;
use super::kinematics::{Configuration, JointPosition, neutral_position};
use super::model::Joint;
use super::robot::Robot;
use nalgebra::Isometry3;
use std::ops::Range;
use std::sync::Arc;
use superovoid::pose::{PoseError, from_quaternion};

impl Robot {
    /// Returns the number of numbers of a configuration.
    pub fn position_count(&self) -> usize {
        self.tree.numbers.last().map_or(0, |last| last.end)
    }

    /// Returns the range of a joint's numbers among those of a configuration: an empty range for a joint that is
    /// fixed or mimics, `None` beyond the last joint.
    pub fn position_range(&self, joint: usize) -> Option<Range<usize>> {
        self.tree.numbers.get(joint).cloned()
    }

    /// Returns the configuration with these numbers, [`Robot::position_count`] of them. Each joint that can be set
    /// takes one (revolute, continuous, prismatic), three (planar: x, y, yaw) or seven (floating: x, y, z and the
    /// quaternion x, y, z, w, divided by its length), in the order of [`Robot::joints`], in metres and radians.
    ///
    /// # Errors
    /// The error names a wrong length, or the joint with a position that is not finite or outside its limits, or a
    /// quaternion that is zero.
    pub fn configuration(&self, numbers: &[f64]) -> Result<Configuration, ConfigurationError> {
        check_count(numbers, self.position_count())?;
        let joints = self.joints().iter().zip(&self.tree.numbers);
        let positions = joints.map(|(joint, range)| position(joint, &numbers[range.clone()]));
        Ok(Configuration {
            tree: Arc::clone(&self.tree),
            positions: positions.collect::<Result<_, _>>()?,
        })
    }
}

fn check_count(numbers: &[f64], expected: usize) -> Result<(), ConfigurationError> {
    if numbers.len() == expected {
        return Ok(());
    }
    Err(ConfigurationError::Count {
        count: numbers.len(),
        expected,
    })
}

fn position(joint: &Joint, numbers: &[f64]) -> Result<JointPosition, ConfigurationError> {
    let position = match *numbers {
        [q] => JointPosition::Scalar(q),
        [x, y, yaw] => JointPosition::Planar([x, y, yaw]),
        [x, y, z, i, j, k, w] => JointPosition::Floating(floating(joint, [x, y, z], [i, j, k, w])?),
        // The joint is fixed, or follows another joint.
        _ => return Ok(neutral_position(joint)),
    };
    joint.within_limits(&position)?;
    Ok(position)
}

fn floating(
    joint: &Joint,
    translation: [f64; 3],
    quaternion: [f64; 4],
) -> Result<Isometry3<f64>, ConfigurationError> {
    from_quaternion(translation, quaternion).map_err(|error| {
        let joint = joint.name.clone();
        match error {
            PoseError::NotFinite => ConfigurationError::NonFinite { joint },
            _ => ConfigurationError::Rotation { joint },
        }
    })
}

impl Configuration {
    /// Sets all positions, by the numbers that [`Robot::configuration`] reads. Nothing is allocated, so that one
    /// configuration serves a planner for every state that it asks about.
    ///
    /// # Errors
    /// The errors are those of [`Robot::configuration`]. The configuration is then unchanged.
    pub fn set_all(&mut self, numbers: &[f64]) -> Result<(), ConfigurationError> {
        let ranges = &self.tree.numbers;
        check_count(numbers, ranges.last().map_or(0, |last| last.end))?;
        let joints = || self.tree.joints.iter().zip(ranges);
        let read =
            |(joint, range): (&Joint, &Range<usize>)| position(joint, &numbers[range.clone()]);
        // Nothing is written before every position is known to be valid.
        for joint in joints() {
            read(joint)?;
        }
        for (place, joint) in self.positions.iter_mut().zip(joints()) {
            *place = read(joint)?;
        }
        Ok(())
    }

    /// Returns the numbers of the configuration, in the order that [`Robot::configuration`] reads.
    pub fn to_vec(&self) -> Vec<f64> {
        let mut numbers = Vec::new();
        for (position, range) in self.positions.iter().zip(&self.tree.numbers) {
            // A joint that follows another one has a position, but no number of its own.
            if range.is_empty() {
                continue;
            }
            match position {
                JointPosition::Fixed => {}
                JointPosition::Scalar(q) => numbers.push(*q),
                JointPosition::Planar(x_y_yaw) => numbers.extend(x_y_yaw),
                JointPosition::Floating(pose) => {
                    numbers.extend(pose.translation.vector.iter());
                    numbers.extend(pose.rotation.coords.iter());
                }
            }
        }
        numbers
    }
}
