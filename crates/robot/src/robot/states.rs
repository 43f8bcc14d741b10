//! States of a robot for lanes: configurations, or points of the straight line between two of them.

use super::edge::line::position_between;
use super::error::ConfigurationError;
use super::kinematics::{Configuration, JointPosition};
use super::robot::Robot;

/// At most eight states, at least one.
#[derive(Clone, Copy)]
pub(crate) enum States<'a> {
    Of(&'a [&'a Configuration]),
    /// Points of a line, by t: 0 is the first configuration, 1 the second one. The joints move as in
    /// [`edge::line`](super::edge::line).
    Between([&'a Configuration; 2], &'a [f64]),
}

impl States<'_> {
    pub fn len(&self) -> usize {
        match self {
            States::Of(configurations) => configurations.len(),
            States::Between(_, at) => at.len(),
        }
    }

    /// Returns an error unless all are of the robot.
    pub fn check(&self, robot: &Robot) -> Result<(), ConfigurationError> {
        if self.ends().iter().all(|end| robot.fits(end)) {
            return Ok(());
        }
        Err(ConfigurationError::OtherRobot)
    }

    /// Returns the configurations that say where the states are.
    pub fn ends(&self) -> &[&Configuration] {
        match self {
            States::Of(configurations) => configurations,
            States::Between(ends, _) => ends,
        }
    }

    /// Returns the position of a joint in a lane; the last state is in all lanes that are left.
    pub fn position(&self, joint: usize, lane: usize) -> JointPosition {
        match self {
            States::Of(configurations) => {
                configurations[lane.min(configurations.len() - 1)].position_at(joint)
            }
            States::Between([from, to], at) => {
                let ends = [from.position_at(joint), to.position_at(joint)];
                position_between(ends, at[lane.min(at.len() - 1)])
            }
        }
    }

    /// Writes the positions of a joint of one degree of freedom, times a factor.
    pub fn scalars<const N: usize>(&self, joint: usize, factor: f64) -> [f64; N] {
        // A joint of one degree of freedom has a position of one number.
        let scalar = |position: JointPosition| match position {
            JointPosition::Scalar(q) => factor * q,
            _ => 0.0,
        };
        let mut column = [0.0; N];
        match self {
            States::Of(_) => {
                for (lane, number) in column.iter_mut().enumerate() {
                    *number = scalar(self.position(joint, lane));
                }
            }
            States::Between([from, to], at) => {
                let ends = [from, to].map(|end| scalar(end.position_at(joint)));
                for (lane, number) in column.iter_mut().enumerate() {
                    *number = straight(ends, at[lane.min(at.len() - 1)]);
                }
            }
        }
        column
    }
}

/// Returns the number at t on the way between two; both ends are met exactly, and rounding does not lead beyond them.
fn straight([from, to]: [f64; 2], t: f64) -> f64 {
    if t >= 1.0 {
        return to;
    }
    (from + t * (to - from)).clamp(from.min(to), from.max(to))
}
