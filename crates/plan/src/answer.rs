//! The answer of a plan: the path, or the reason why there is none.

use std::time::Duration;
use superovoid_robot::Configuration;
use superovoid_robot::scene::{Counterpart, RobotContact, RobotScene};

/// The answer of a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// There is a path.
    Found {
        /// The configurations, from the start to a goal; the robot moves straight from one to the next.
        path: Vec<Configuration>,
        /// The index of the goal where the path ends.
        goal: usize,
        /// Whether every edge of the path is proven free, both ends included.
        proven: bool,
        /// The work that was done.
        statistics: PlanStatistics,
    },
    /// No path was found. Unless an end is in collision this does not prove that there is none.
    NotFound {
        /// The reason.
        reason: Reason,
        /// The work that was done.
        statistics: PlanStatistics,
    },
}

/// The reason why no path was found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The start is in collision, or not proven free.
    #[error("the start is in collision: {0}")]
    StartInCollision(Box<Touching>),
    /// Every goal is in collision, or not proven free: the pairs in the order of the goals.
    #[error("no goal is free: {}", goals(.0))]
    GoalsInCollision(Vec<Touching>),
    /// The samples were used up.
    #[error(
        "no path was found with {samples} samples, and {refused} edges were refused by the proof"
    )]
    Samples {
        /// The number of samples.
        samples: usize,
        /// The number of edges that passed the states and not the proof.
        refused: usize,
    },
    /// The progress callback of [`plan_with_progress`](crate::plan_with_progress) ended the plan.
    #[error("the plan was cancelled")]
    Cancelled,
    /// The time was used up.
    #[error("no path was found in {seconds:.3} s, and {refused} edges were refused by the proof")]
    Time {
        /// The time.
        seconds: f64,
        /// The number of edges that passed the states and not the proof.
        refused: usize,
    },
}

fn goals(pairs: &[Touching]) -> String {
    let told = (1..).zip(pairs);
    let told: Vec<String> = told.map(|(k, pair)| format!("goal {k}: {pair}")).collect();
    told.join("; ")
}

/// A pair that is in collision, or not proven to be free.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{a} and {b}, at a distance of {:.6} m", contact.contact.distance)]
#[non_exhaustive]
pub struct Touching {
    /// The name of the link, or of the object attached to it.
    pub a: String,
    /// The name of the other link, of an attached object, or of the obstacle.
    pub b: String,
    /// The contact.
    pub contact: RobotContact,
}

impl Touching {
    pub(crate) fn of(scene: &RobotScene, contact: RobotContact) -> Self {
        let link = |link: usize| scene.robot().links()[link].name.clone();
        let object = |id| {
            let bodies = scene.scene();
            let group = bodies.group_of(id).ok();
            let name = group.and_then(|group| bodies.group_name(group));
            name.unwrap_or_default().to_owned()
        };
        let b = match contact.with {
            Counterpart::Link { link: other, .. } => link(other),
            Counterpart::Obstacle(id) | Counterpart::Attached(id) => object(id),
        };
        let a = contact.attached.map_or_else(|| link(contact.link), object);
        Touching { a, b, contact }
    }
}

/// The work of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PlanStatistics {
    /// The number of random configurations of the search.
    pub samples: usize,
    /// The number of states that were checked on edges; a collision ends the check of an edge, whose states all count.
    pub states_checked: usize,
    /// The number of edges whose states were checked.
    pub edges_checked: usize,
    /// The number of edges that were proven free.
    pub edges_proven: usize,
    /// The number of edges whose states were free, and that the proof refused.
    pub edges_refused: usize,
    /// The number of times that a path was searched, repaired or not: 1 if the first path was proven at once.
    pub rounds: usize,
    /// The time of the search and of repairs, proofs of edges among them that are made once a path was refused.
    pub search: Duration,
    /// The time of shortcuts, such proofs included.
    pub shortcutting: Duration,
    /// The time in which the edges of paths were proven.
    pub proof: Duration,
}
