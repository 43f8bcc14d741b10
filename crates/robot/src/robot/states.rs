//! States of a robot for lanes: configurations, or points of the straight line between two of them.

use super::edge::line::position_between;
use super::error::ConfigurationError;
use super::kinematics::{Configuration, JointPosition};
use super::robot::Robot;
use crate::poses::Column;
use superovoid::internals::MAX_LANES;

/// At most eight states, at least one.
#[derive(Clone, Copy)]
pub(crate) enum States<'a> {
    Of(&'a [&'a Configuration]),
    /// So many points of a line, and the last one of them in the lanes that are left, by t: 0 is the first configuration, 1 the
    /// second one. The joints move as in [`edge::line`](super::edge::line).
    Between([&'a Configuration; 2], &'a [f64; MAX_LANES], usize),
}

impl States<'_> {
    pub fn len(&self) -> usize {
        match self {
            States::Of(configurations) => configurations.len(),
            States::Between(_, _, count) => *count,
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
            States::Between(ends, ..) => ends,
        }
    }

    /// Returns the position of a joint in a lane; the last state is in all lanes that are left.
    pub fn position(&self, joint: usize, lane: usize) -> JointPosition {
        match self {
            States::Of(configurations) => {
                configurations[lane.min(configurations.len() - 1)].position_at(joint)
            }
            States::Between([from, to], at, count) => {
                let ends = [from.position_at(joint), to.position_at(joint)];
                position_between(ends, at[lane.min(count - 1)])
            }
        }
    }

    /// Returns the position of a joint of one degree of freedom that does not move between the ends of a line.
    pub fn rests(&self, joint: usize) -> Option<f64> {
        let States::Between(ends, ..) = self else {
            return None;
        };
        match ends.map(|end| end.scalar_at(joint)) {
            [Some(q), Some(r)] if q == r => Some(q),
            _ => None,
        }
    }

    /// Writes the positions of a joint of one degree of freedom, times a factor.
    pub fn scalars(&self, joint: usize, factor: f64) -> Column {
        // A joint of one degree of freedom has a position of one number.
        let scalar = |end: &Configuration| factor * end.scalar_at(joint).unwrap_or(0.0);
        let mut column = [0.0; MAX_LANES];
        match self {
            States::Of(configurations) => {
                let last = configurations.len() - 1;
                for (lane, number) in column.iter_mut().enumerate() {
                    *number = scalar(configurations[lane.min(last)]);
                }
            }
            States::Between(ends, at, _) => {
                let ends = ends.map(scalar);
                for (number, t) in column.iter_mut().zip(*at) {
                    *number = straight(ends, *t);
                }
            }
        }
        column
    }
}

/// Returns the number at t on the way between two; both ends are met exactly, and rounding does not lead beyond them.
fn straight([from, to]: [f64; 2], t: f64) -> f64 {
    let between = (from + t * (to - from)).max(from.min(to)).min(from.max(to));
    if t >= 1.0 { to } else { between }
}
