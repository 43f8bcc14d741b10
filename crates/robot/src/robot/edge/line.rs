//! The straight line between two configurations, and the motion of every link on it.
//!
//! The parameter t runs from 0 to 1, and every joint moves at a constant rate:
//!
//! | joint | position at t |
//! | --- | --- |
//! | revolute, continuous, prismatic | `q₀ + t (q₁ − q₀)`, also over more than a turn: the numbers say which way round |
//! | planar | x, y and yaw alike |
//! | floating | the origin on a straight line, the rotation the shorter way about a fixed axis (slerp) |
//! | one that mimics | follows, so that its rate is that of its source times its multiplier |
//!
//! Each joint is one *step* or two, sliding before turning: a slide has a constant velocity, and a turn a constant
//! angular velocity about an axis that passes through the origin of the joint's child, both in the frame before the
//! step. Steps at rest are left out.

use crate::robot::Robot;
use crate::robot::kinematics::{Configuration, JointPosition, in_plane, is_finite, motion};
use crate::robot::model::JointKind;
use crate::robot::{ConfigurationError, tree::Tree};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// The line between two configurations of one robot.
pub(crate) struct Line<'a> {
    robot: &'a Robot,
    base: Isometry3<f64>,
    moves: Vec<Move>,
    pub steps: Vec<EdgeStep>,
    /// The last step above each link.
    pub last: Vec<Option<usize>>,
}

/// The motion of a joint.
enum Move {
    /// The joint's origin and its motion, which does not change.
    Rest(Isometry3<f64>),
    Scalar(f64, f64),
    Planar([f64; 3], [f64; 3]),
    Floating {
        from: Isometry3<f64>,
        velocity: Vector3<f64>,
        /// The axis times the angle, in the joint's frame.
        turn: Vector3<f64>,
    },
}

/// A part of a joint's motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeStep {
    pub joint: usize,
    pub turns: bool,
    /// The speed on the line, radians or metres for the whole of it.
    pub rate: f64,
    /// The largest speed of the motion that is judged, and the largest size of its second derivative: `rate` and 0 where
    /// that motion is the line itself.
    pub speed: f64,
    pub bend: f64,
    /// The step before it on the way from the root.
    pub above: Option<usize>,
}

/// The robot at one point of the line.
#[derive(Default)]
pub(crate) struct State {
    /// The poses of the links in the world.
    pub links: Vec<Isometry3<f64>>,
    /// The steps, in the order of those of the line.
    pub steps: Vec<StepAt>,
    /// The half-width of the interval in whose middle the robot is.
    pub half: f64,
}

/// A step at one point of the line, in the world.
#[derive(Clone, Copy)]
pub(crate) struct StepAt {
    pub step: EdgeStep,
    /// The direction of the axis or of the slide, of unit length.
    pub axis: Vector3<f64>,
    /// A point of the axis.
    pub origin: Vector3<f64>,
    /// The motion of what lies behind this step and all before it, relative to the root: the velocity of the point at
    /// the world's origin, and the angular velocity.
    pub twist: Twist,
}

/// A rigid velocity: that of the point at the world's origin, and the angular one.
#[derive(Clone, Copy, Default)]
pub(crate) struct Twist {
    pub v: Vector3<f64>,
    pub w: Vector3<f64>,
}

impl Twist {
    pub fn minus(self, other: Twist) -> Twist {
        Twist {
            v: self.v - other.v,
            w: self.w - other.w,
        }
    }
}

impl<'a> Line<'a> {
    /// Both configurations must fit the robot.
    pub fn new(
        robot: &'a Robot,
        base: Isometry3<f64>,
        [from, to]: [&Configuration; 2],
    ) -> Result<Self, ConfigurationError> {
        if !robot.fits(from) || !robot.fits(to) {
            return Err(ConfigurationError::OtherRobot);
        }
        let tree = &*robot.tree;
        let moves = (0..tree.joints.len()).map(|joint| Move::of(tree, joint, [from, to]));
        let mut line = Line {
            robot,
            base,
            moves: moves.collect(),
            steps: Vec::new(),
            last: vec![None; robot.links().len()],
        };
        for &joint in &tree.order {
            let [parent, child] = tree.ends[joint];
            let mut above = line.last[parent];
            let [slide, turn] = line.moves[joint].rates(tree.joints[joint].kind);
            for (turns, rate) in [(false, slide), (true, turn)] {
                if rate != 0.0 {
                    let next = line.steps.len();
                    line.steps.push(EdgeStep {
                        joint,
                        turns,
                        rate,
                        speed: rate,
                        bend: 0.0,
                        above,
                    });
                    above = Some(next);
                }
            }
            line.last[child] = above;
        }
        Ok(line)
    }

    /// Lets a joint of one degree of freedom move from a position at a rate, which is the tangent of a motion whose speed
    /// and second derivative are at most these. The joint must be one that moves on the line.
    pub fn set_tangent(&mut self, step: usize, [q, rate]: [f64; 2], speed: f64, bend: f64) {
        let step = &mut self.steps[step];
        (step.rate, step.speed, step.bend) = (rate.abs(), speed, bend);
        self.moves[step.joint] = Move::Scalar(q, rate);
    }

    /// Poses the robot at t, in the middle of an interval of a half-width.
    pub fn at(&self, t: f64, half: f64, state: &mut State) -> Result<(), ConfigurationError> {
        let tree = &*self.robot.tree;
        state.half = half;
        state.links.clear();
        state.links.resize(self.robot.links().len(), self.base);
        state.steps.clear();
        for &joint in &tree.order {
            let [parent, child] = tree.ends[joint];
            let frame = &tree.frames[joint];
            let kind = tree.joints[joint].kind;
            let before = match &self.moves[joint] {
                Move::Rest(_) => state.links[parent],
                _ => state.links[parent] * frame.origin,
            };
            let mut pose = match &self.moves[joint] {
                Move::Rest(fixed) => before * fixed,
                moving => before * motion(kind, frame, moving.at(t)),
            };
            pose.rotation.renormalize_fast();
            if !is_finite(&pose) {
                let link = self.robot.links()[child].name.clone();
                return Err(ConfigurationError::NonFinitePose { link });
            }
            state.links[child] = pose;
            let origin = pose.translation.vector;
            while let Some(&step) = self.steps.get(state.steps.len())
                && step.joint == joint
            {
                let axis = before.rotation * self.moves[joint].direction(step.turns, tree, joint);
                let above = step.above.map(|s| state.steps[s].twist).unwrap_or_default();
                let (v, w) = if step.turns {
                    let w = axis * step.rate;
                    (origin.cross(&w), w)
                } else {
                    (axis * step.rate, Vector3::zeros())
                };
                let twist = Twist {
                    v: above.v + v,
                    w: above.w + w,
                };
                state.steps.push(StepAt {
                    step,
                    axis,
                    origin,
                    twist,
                });
            }
        }
        Ok(())
    }

    /// Returns the largest distance, for all positions between those of both ends, between the origin of a joint's parent and that of its child.
    pub fn offset(&self, joint: usize) -> f64 {
        let origin = self.robot.tree.frames[joint].origin.translation.vector;
        match &self.moves[joint] {
            Move::Rest(fixed) => fixed.translation.vector.norm(),
            Move::Scalar(q, rate) => match self.robot.tree.joints[joint].kind {
                JointKind::Prismatic => origin.norm() + q.abs().max((q + rate).abs()),
                _ => origin.norm(),
            },
            Move::Planar(q, rate) => {
                let [x, y] = [0, 1].map(|k| q[k].abs().max((q[k] + rate[k]).abs()));
                origin.norm() + x.hypot(y)
            }
            Move::Floating { from, velocity, .. } => {
                let start = from.translation.vector;
                origin.norm() + start.norm().max((start + velocity).norm())
            }
        }
    }

    /// Returns the joint that moves a link, and the link that it hangs on.
    pub fn parent(&self, link: usize) -> Option<(usize, usize)> {
        let joint = self.robot.tree.parent_joint[link]?;
        Some((joint, self.robot.tree.ends[joint][0]))
    }
}

/// Returns the position of a joint at t on the way between two.
pub(crate) fn position_between(ends: [JointPosition; 2], t: f64) -> JointPosition {
    Move::between(ends).map_or(ends[0], |moving| moving.at(t))
}

impl Move {
    fn of(tree: &Tree, joint: usize, [from, to]: [&Configuration; 2]) -> Self {
        let frame = &tree.frames[joint];
        let kind = tree.joints[joint].kind;
        let positions = [from, to].map(|configuration| configuration.position_at(joint));
        let rest = || Move::Rest(frame.origin * motion(kind, frame, positions[0]));
        Move::between(positions).unwrap_or_else(rest)
    }

    /// Returns the motion from one position to another; `None` where they are the same.
    fn between(ends: [JointPosition; 2]) -> Option<Self> {
        Some(match ends {
            [JointPosition::Scalar(q), JointPosition::Scalar(r)] if q != r => {
                Move::Scalar(q, r - q)
            }
            [JointPosition::Planar(q), JointPosition::Planar(r)] if q != r => {
                Move::Planar(q, [r[0] - q[0], r[1] - q[1], r[2] - q[2]])
            }
            [JointPosition::Floating(q), JointPosition::Floating(r)] if q != r => Move::Floating {
                from: q,
                velocity: r.translation.vector - q.translation.vector,
                turn: (r.rotation * q.rotation.inverse()).scaled_axis(),
            },
            _ => return None,
        })
    }

    fn at(&self, t: f64) -> JointPosition {
        match self {
            // The motion of a joint at rest is in its origin.
            Move::Rest(_) => JointPosition::Fixed,
            Move::Scalar(q, rate) => JointPosition::Scalar(q + t * rate),
            Move::Planar(q, rate) => JointPosition::Planar([0, 1, 2].map(|k| q[k] + t * rate[k])),
            Move::Floating {
                from,
                velocity,
                turn,
            } => {
                let translation = Translation3::from(from.translation.vector + velocity * t);
                let turned = UnitQuaternion::from_scaled_axis(turn * t) * from.rotation;
                JointPosition::Floating(Isometry3::from_parts(translation, turned))
            }
        }
    }

    /// Returns the speeds of the slide and of the turn.
    fn rates(&self, kind: JointKind) -> [f64; 2] {
        match self {
            Move::Rest(_) => [0.0, 0.0],
            Move::Scalar(_, rate) if kind == JointKind::Prismatic => [rate.abs(), 0.0],
            Move::Scalar(_, rate) => [0.0, rate.abs()],
            Move::Planar(_, rate) => [rate[0].hypot(rate[1]), rate[2].abs()],
            Move::Floating { velocity, turn, .. } => [velocity.norm(), turn.norm()],
        }
    }

    /// Returns the unit direction of the slide or the turn in the joint's frame.
    fn direction(&self, turns: bool, tree: &Tree, joint: usize) -> Vector3<f64> {
        let axis = tree.frames[joint].axis;
        match self {
            Move::Rest(_) => Vector3::zeros(),
            Move::Scalar(_, rate) => axis.into_inner() * rate.signum(),
            Move::Planar(_, rate) if turns => axis.into_inner() * rate[2].signum(),
            Move::Planar(_, rate) => {
                in_plane(&axis) * Vector3::new(rate[0], rate[1], 0.0).normalize()
            }
            Move::Floating { turn, .. } if turns => turn.normalize(),
            Move::Floating { velocity, .. } => velocity.normalize(),
        }
    }
}
