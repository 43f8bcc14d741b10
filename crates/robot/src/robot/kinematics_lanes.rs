//! Forward kinematics of several configurations at once: each of them in a lane.
//!
//! Links that fixed joints hold together share a frame, so that only joints that move take a product. The products are
//! those of [`Robot::forward_kinematics`], but for the order in which fixed joints are multiplied; a pose may differ from
//! that in the last bits.

use super::error::ConfigurationError;
use super::kinematics::{JointPosition, motion};
use super::model::JointKind;
use super::robot::Robot;
use super::states::States;
use crate::poses::{Column, PoseLanes, PoseVectors, product};
use crate::sin_cos::sin_cos;
use fearless_simd::Simd;
use nalgebra::Isometry3;
use superovoid::internals::{MAX_LANES, Piece, SimdLevel, SoaLanes, dispatch, pieces};

/// The frames of a robot that move relative to each other, and where its links are in them.
pub(crate) struct MovingFrames {
    /// What moves frame 1, 2 and so on; frame 0 is that of the root.
    pub joints: Vec<MovingJoint>,
    /// The frame of each link, and its pose in that.
    pub links: Vec<(usize, Isometry3<f64>)>,
    motions: Vec<Motion>,
}

pub(crate) struct MovingJoint {
    pub joint: usize,
    /// The frame that carries it, and the pose of the joint's frame at position zero in that.
    pub carrier: usize,
    pub origin: Isometry3<f64>,
    pub axis: [f64; 3],
}

/// The motion of a joint.
enum Motion {
    /// Half the angle.
    Turn(Column),
    /// The length along the axis.
    Slide(Column),
    /// The position is the same in all lanes, and with it the pose in the frame of the carrier.
    Rest(f64, Isometry3<f64>),
    Any(Box<PoseLanes>),
}

impl MovingFrames {
    pub fn new(robot: &Robot) -> Self {
        let tree = &robot.tree;
        let mut links = vec![(0, Isometry3::identity()); robot.links.len()];
        let mut joints = Vec::new();
        for &joint in &tree.order {
            let [parent, child] = tree.ends[joint];
            let (carrier, pose) = links[parent];
            let frame = &tree.frames[joint];
            let origin = pose * frame.origin;
            if tree.joints[joint].kind == JointKind::Fixed {
                links[child] = (carrier, origin);
                continue;
            }
            joints.push(MovingJoint {
                joint,
                carrier,
                origin,
                axis: frame.axis.into_inner().into(),
            });
            links[child] = (joints.len(), Isometry3::identity());
        }
        MovingFrames {
            motions: Vec::with_capacity(joints.len()),
            joints,
            links,
        }
    }

    pub fn count(&self) -> usize {
        self.joints.len() + 1
    }

    /// Writes the poses of all frames, the root at `base`: a state in each lane, and the last one in those that
    /// are left.
    ///
    /// # Errors
    /// The errors are those of [`Robot::forward_kinematics`], of the first configuration that has one.
    pub fn move_to(
        &mut self,
        robot: &Robot,
        base: &Isometry3<f64>,
        states: &States,
        poses: &mut Vec<PoseLanes>,
    ) -> Result<(), ConfigurationError> {
        states.check(robot)?;
        self.motions
            .resize_with(self.joints.len(), || Motion::Slide([0.0; MAX_LANES]));
        for (moving, motion) in self.joints.iter().zip(&mut self.motions) {
            match (states.rests(moving.joint), &*motion) {
                (Some(q), Motion::Rest(last, _)) if q.to_bits() == last.to_bits() => {}
                (Some(q), _) => {
                    let tree = &robot.tree;
                    let frame = &tree.frames[moving.joint];
                    let kind = tree.joints[moving.joint].kind;
                    let moved = self::motion(kind, frame, JointPosition::Scalar(q));
                    *motion = Motion::Rest(q, moving.origin * moved);
                }
                (None, _) => *motion = motions(robot, moving.joint, states),
            }
        }
        poses.resize(self.count(), PoseLanes::IDENTITY);
        poses[0] = PoseLanes::splat(base);
        let mut finite = true;
        dispatch!(simd => finite = self.chain_in_lanes(simd, poses));
        if !finite {
            // The single query names the link.
            for configuration in states.ends() {
                robot.forward_kinematics(configuration)?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn chain_in_lanes<S: SimdLevel>(&self, simd: S, poses: &mut [PoseLanes]) -> bool {
        for (k, (moving, motion)) in self.joints.iter().zip(&self.motions).enumerate() {
            for first in pieces(simd) {
                let pose = moved::<S, Piece<S>>(simd, moving, motion, first, poses);
                poses[k + 1].store(&pose, first);
            }
        }
        poses.iter().all(PoseLanes::has_finite_translation)
    }
}

fn motions(robot: &Robot, joint: usize, states: &States) -> Motion {
    let kind = robot.tree.joints[joint].kind;
    match kind {
        JointKind::Prismatic => Motion::Slide(states.scalars(joint, 1.0)),
        JointKind::Revolute | JointKind::Continuous => Motion::Turn(states.scalars(joint, 0.5)),
        JointKind::Fixed | JointKind::Planar | JointKind::Floating => {
            let frame = &robot.tree.frames[joint];
            let mut lanes = PoseLanes::IDENTITY;
            for lane in 0..MAX_LANES {
                lanes.set(lane, &motion(kind, frame, states.position(joint, lane)));
            }
            Motion::Any(Box::new(lanes))
        }
    }
}

#[inline(always)]
fn moved<S: Simd, V: SoaLanes<S>>(
    simd: S,
    moving: &MovingJoint,
    motion: &Motion,
    first: usize,
    poses: &[PoseLanes],
) -> PoseVectors<V> {
    let carrier: PoseVectors<V> = poses[moving.carrier].load(simd, first);
    let zero = carrier.translation[0].splat(0.0);
    if let Motion::Rest(_, pose) = motion {
        let pose = carrier.times(&PoseVectors::splat(zero, pose));
        return pose.renormalized();
    }
    let before = carrier.times(&PoseVectors::splat(zero, &moving.origin));
    let axis = moving.axis;
    let pose = match motion {
        Motion::Turn(half) => {
            let (sin, cos) = sin_cos(simd, half, first);
            let turn = [sin * axis[0], sin * axis[1], sin * axis[2], cos];
            PoseVectors {
                rotation: product(&before.rotation, &turn),
                translation: before.translation,
            }
        }
        Motion::Slide(length) => {
            let length = V::load_from(simd, length, first);
            let along = [length * axis[0], length * axis[1], length * axis[2]];
            PoseVectors {
                rotation: before.rotation,
                translation: before.transform(&along),
            }
        }
        Motion::Any(pose) => before.times(&pose.load(simd, first)),
        Motion::Rest(..) => before,
    };
    pose.renormalized()
}
