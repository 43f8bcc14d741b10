//! The problem and the options of a plan.

use super::error::PlanError;
use std::time::Duration;
use superovoid_robot::Configuration;

/// A start, one or more goals, and the joints that move between them.
///
/// A [`Configuration`] has finite positions within the limits of its robot, which it sees to when it is set.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlanProblem {
    /// The first configuration of the path.
    pub start: Configuration,
    /// The configurations of which one is the last of the path.
    pub goals: Vec<Configuration>,
    /// The names of the joints that move; the others stay where the start has them. `None` stands for every revolute,
    /// continuous and prismatic joint that mimics no other one.
    pub joints: Option<Vec<String>>,
}

impl PlanProblem {
    /// Makes the problem in which all joints move.
    pub fn new(start: Configuration, goals: Vec<Configuration>) -> Self {
        PlanProblem {
            start,
            goals,
            joints: None,
        }
    }

    /// Returns the problem in which the joints of these names move.
    pub fn with_joints(self, joints: impl IntoIterator<Item = impl Into<String>>) -> Self {
        PlanProblem {
            joints: Some(joints.into_iter().map(Into::into).collect()),
            ..self
        }
    }
}

/// The options of a plan. Distances between configurations are Euclidean, in radians and metres alike.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlanOptions {
    /// The seed of the random numbers. The default is 0.
    pub seed: u64,
    /// The greatest distance between two states that are checked on an edge; twice that where edges are proven, as a proof
    /// refuses what is between the states. The default is 1/32.
    pub spacing: f64,
    /// The greatest length of an edge of the search's trees. The default is 1.
    pub max_step: f64,
    /// The number of random configurations after which the search ends. The default is 100,000.
    pub max_samples: usize,
    /// The time after which the plan ends. The default is `None`, no limit.
    pub max_time: Option<Duration>,
    /// The number of rounds that make the path shorter, each with shortcuts and rounder corners. The default is 3.
    pub shortcuts: usize,
    /// Whether the edges of the path are proven. If not, their states are checked at the spacing only, and
    /// [`Plan::Found`](crate::Plan::Found) says that the path is not proven. The default is true.
    pub prove: bool,
}

impl Default for PlanOptions {
    fn default() -> Self {
        PlanOptions {
            seed: 0,
            spacing: 1.0 / 32.0,
            max_step: 1.0,
            max_samples: 100_000,
            max_time: None,
            shortcuts: 3,
            prove: true,
        }
    }
}

impl PlanOptions {
    superovoid::setters! {
        with_seed seed: u64,
        with_spacing spacing: f64,
        with_max_step max_step: f64,
        with_max_samples max_samples: usize,
        with_max_time max_time: Option<Duration>,
        with_shortcuts shortcuts: usize,
        with_prove prove: bool,
    }

    pub(crate) fn validate(&self) -> Result<(), PlanError> {
        for (option, value) in [("spacing", self.spacing), ("max_step", self.max_step)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(PlanError::Option { option, value });
            }
        }
        Ok(())
    }
}
