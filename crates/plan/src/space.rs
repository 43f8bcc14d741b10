//! The space of a plan: the joints that move, their limits, the metric and random points.
//!
//! A point has one number for each joint that moves. The distance of two points is Euclidean, and the way between them is
//! straight by these numbers, also for continuous joints, as it is for
//! [`edge_free`](superovoid_robot::scene::RobotScene::edge_free). Points are drawn evenly between the limits, those of
//! joints without limits from −π to π.

use super::error::PlanError;
use super::options::PlanProblem;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::f64::consts::PI;
use superovoid_robot::{Configuration, Joint, Robot};

pub(crate) struct Space {
    axes: Vec<Axis>,
    /// Configurations whose joints that do not move are where the start has them.
    kept: [Configuration; 2],
    start: Vec<f64>,
    goals: Vec<Vec<f64>>,
}

/// A joint that moves.
struct Axis {
    joint: usize,
    /// The place of its number among those of a configuration.
    place: usize,
    limits: Option<[f64; 2]>,
}

impl Axis {
    /// Returns the limits between which positions are drawn.
    fn drawn(&self) -> [f64; 2] {
        self.limits.unwrap_or([-PI, PI])
    }
}

impl Space {
    pub fn new(robot: &Robot, problem: &PlanProblem) -> Result<Self, PlanError> {
        if problem.goals.is_empty() {
            return Err(PlanError::NoGoal);
        }
        let axes = axes(robot, problem.joints.as_deref())?;
        let numbers = numbers(robot, &problem.start, || "the start".to_owned())?;
        let start = robot.configuration(&numbers);
        let start = start.map_err(superovoid_robot::scene::RobotSceneError::from)?;
        let pick = |numbers: &[f64]| axes.iter().map(|axis| numbers[axis.place]).collect();
        let mut goals = Vec::new();
        for (k, goal) in (1..).zip(&problem.goals) {
            let name = || format!("goal {k}");
            let of_goal = self::numbers(robot, goal, name)?;
            if let Some(joint) = elsewhere(robot, &axes, [&numbers, &of_goal]) {
                let (goal, joint) = (name(), joint.name.clone());
                return Err(PlanError::Elsewhere { goal, joint });
            }
            goals.push(pick(&of_goal));
        }
        Ok(Space {
            start: pick(&numbers),
            // Of the scene's own robot, with which they are compared soonest.
            kept: [(); 2].map(|()| start.clone()),
            axes,
            goals,
        })
    }

    pub fn dimension(&self) -> usize {
        self.axes.len()
    }

    pub fn start(&self) -> &[f64] {
        &self.start
    }

    pub fn goals(&self) -> &[Vec<f64>] {
        &self.goals
    }

    /// Returns the configuration of a point.
    pub fn configuration(&mut self, point: &[f64]) -> Result<Configuration, PlanError> {
        Ok(self.configurations([point; 2])?[0].clone())
    }

    /// Returns the configurations of two points. Nothing is allocated.
    pub fn configurations(
        &mut self,
        points: [&[f64]; 2],
    ) -> Result<&[Configuration; 2], PlanError> {
        for (configuration, point) in self.kept.iter_mut().zip(points) {
            for (axis, &position) in self.axes.iter().zip(point) {
                let set = configuration.set_at(axis.joint, position);
                set.map_err(superovoid_robot::scene::RobotSceneError::from)?;
            }
        }
        Ok(&self.kept)
    }

    /// Returns the greatest distance of two points that are drawn.
    pub fn diagonal(&self) -> f64 {
        let squares = self.axes.iter().map(|axis| {
            let [lower, upper] = axis.drawn();
            (upper - lower).powi(2)
        });
        squares.sum::<f64>().sqrt()
    }

    /// Draws a point.
    pub fn draw(&self, rng: &mut ChaCha8Rng, point: &mut Vec<f64>) {
        point.clear();
        point.extend(self.axes.iter().map(|axis| {
            let [lower, upper] = axis.drawn();
            let share: f64 = rng.random_range(0.0..=1.0);
            ((1.0 - share) * lower + share * upper).clamp(lower, upper)
        }));
    }

    /// Sets `point` to the one at t on the way from one point (t = 0) to another (t = 1).
    pub fn between(&self, [from, to]: [&[f64]; 2], t: f64, point: &mut Vec<f64>) {
        point.clear();
        if t >= 1.0 {
            point.extend_from_slice(to);
            return;
        }
        let ends = from.iter().zip(to);
        point.extend(ends.map(|(&from, &to)| {
            // Rounding does not leave the limits, between which both ends are.
            (from + t * (to - from)).clamp(from.min(to), from.max(to))
        }));
    }
}

/// Returns the joints that move unless a problem names others: every revolute, continuous and prismatic one that mimics no
/// other one, in the order of the robot.
pub fn movable_joints(robot: &Robot) -> impl Iterator<Item = &Joint> {
    let axes = (0..robot.joints().len()).filter_map(|joint| axis(robot, joint));
    axes.map(|axis| &robot.joints()[axis.joint])
}

/// Returns the distance of two points.
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

fn numbers(
    robot: &Robot,
    configuration: &Configuration,
    of: impl Fn() -> String,
) -> Result<Vec<f64>, PlanError> {
    let numbers = configuration.to_vec();
    // What fits another robot with as many numbers is refused by the kinematics.
    match robot.forward_kinematics(configuration) {
        Err(superovoid_robot::ConfigurationError::OtherRobot) => {
            Err(PlanError::OtherRobot { of: of() })
        }
        Err(error) => Err(PlanError::Scene(error.into())),
        Ok(_) => Ok(numbers),
    }
}

/// Returns the joint that does not move and that two configurations have at two places.
fn elsewhere<'a>(robot: &'a Robot, axes: &[Axis], [start, goal]: [&[f64]; 2]) -> Option<&'a Joint> {
    let place = (0..start.len()).find(|&place| {
        start[place] != goal[place] && axes.iter().all(|axis| axis.place != place)
    })?;
    let of_place = |joint: &usize| {
        let range = robot.position_range(*joint);
        range.is_some_and(|range| range.contains(&place))
    };
    let joint = (0..robot.joints().len()).find(of_place)?;
    Some(&robot.joints()[joint])
}

fn axes(robot: &Robot, names: Option<&[String]>) -> Result<Vec<Axis>, PlanError> {
    let all = 0..robot.joints().len();
    let Some(names) = names else {
        let axes: Vec<Axis> = all.filter_map(|joint| axis(robot, joint)).collect();
        let robot = || robot.name().to_owned();
        return match axes.is_empty() {
            true => Err(PlanError::NoJoint { robot: robot() }),
            false => Ok(axes),
        };
    };
    let mut axes: Vec<Axis> = Vec::new();
    for name in names {
        let axis = named(robot, name)?;
        if axes.iter().any(|other| other.joint == axis.joint) {
            let joint = name.clone();
            return Err(PlanError::Twice { joint });
        }
        axes.push(axis);
    }
    if axes.is_empty() {
        let robot = robot.name().to_owned();
        return Err(PlanError::NoJoint { robot });
    }
    Ok(axes)
}

/// Returns the axis of a joint with one degree of freedom that mimics no other one.
fn axis(robot: &Robot, joint: usize) -> Option<Axis> {
    let definition = &robot.joints()[joint];
    let place = robot.position_range(joint)?;
    let moves = definition.kind.has_one_freedom() && !place.is_empty();
    moves.then(|| Axis {
        joint,
        place: place.start,
        limits: definition.range(),
    })
}

fn named(robot: &Robot, name: &str) -> Result<Axis, PlanError> {
    let joint = || name.to_owned();
    let Some(index) = robot.joint_index(name) else {
        let joints = movable_joints(robot).map(|joint| joint.name.clone());
        return Err(PlanError::UnknownJoint {
            joint: joint(),
            joints: joints.collect(),
        });
    };
    if let Some((source, _, _)) = robot.follows(index) {
        return Err(PlanError::Mimics {
            joint: joint(),
            source_joint: robot.joints()[source].name.clone(),
        });
    }
    let kind = robot.joints()[index].kind;
    axis(robot, index).ok_or_else(|| PlanError::Kind {
        joint: joint(),
        kind,
    })
}
