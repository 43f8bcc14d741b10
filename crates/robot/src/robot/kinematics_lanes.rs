//! Forward kinematics of several configurations at once: each of them in a lane.
//!
//! The products are those of [`Robot::forward_kinematics`]; a pose may differ from that in the last bits.

use super::error::ConfigurationError;
use super::kinematics::{Configuration, JointPosition, motion};
use super::model::JointKind;
use super::robot::Robot;
use crate::poses::{Column, PoseLanes, PoseVectors, product};
use fearless_simd::Simd;
use nalgebra::Isometry3;
use superovoid::internals::{MAX_LANES, Piece, SimdLevel, SoaLanes, dispatch, pieces};

/// The motion of a joint.
enum Motion {
    /// The motion is none.
    Fixed,
    /// The cosine and the sine of half the angle.
    Turn([Column; 2]),
    /// The length along the axis.
    Slide(Column),
    Any(Box<PoseLanes>),
}

impl Robot {
    /// Writes the poses of all links, whose root is at `base`: a configuration in each lane, and the last one in those
    /// that are left.
    ///
    /// # Errors
    /// The errors are those of [`Robot::forward_kinematics`], of the first configuration that has one.
    pub(crate) fn link_poses(
        &self,
        base: &Isometry3<f64>,
        configurations: &[&Configuration],
        poses: &mut Vec<PoseLanes>,
    ) -> Result<(), ConfigurationError> {
        for configuration in configurations {
            if !self.fits(configuration) {
                return Err(ConfigurationError::OtherRobot);
            }
        }
        let motions: Vec<Motion> = (self.tree.order.iter())
            .map(|&joint| self.motions(joint, configurations))
            .collect();
        poses.clear();
        poses.resize(self.links.len(), PoseLanes::splat(base));
        dispatch!(simd => self.chain_in_lanes(simd, &motions, poses));
        if !poses.iter().all(PoseLanes::is_finite) {
            // The single query names the link.
            for configuration in configurations {
                self.forward_kinematics(configuration)?;
            }
        }
        Ok(())
    }

    fn motions(&self, joint: usize, configurations: &[&Configuration]) -> Motion {
        let kind = self.tree.joints[joint].kind;
        let last = configurations.len() - 1;
        let position = |lane: usize| configurations[lane.min(last)].position_at(joint);
        let scalar = |lane| match position(lane) {
            JointPosition::Scalar(q) => q,
            // A joint of one degree of freedom has a position of one number.
            _ => 0.0,
        };
        match kind {
            JointKind::Fixed => Motion::Fixed,
            JointKind::Prismatic => Motion::Slide(std::array::from_fn(scalar)),
            JointKind::Revolute | JointKind::Continuous => {
                let mut half = [[0.0; MAX_LANES]; 2];
                for lane in 0..MAX_LANES {
                    // That of the C library sets the mode of rounding each time, which takes as long again.
                    let (sin, cos) = libm::sincos(0.5 * scalar(lane));
                    (half[0][lane], half[1][lane]) = (cos, sin);
                }
                Motion::Turn(half)
            }
            JointKind::Planar | JointKind::Floating => {
                let frame = &self.tree.frames[joint];
                let mut lanes = PoseLanes::IDENTITY;
                for lane in 0..MAX_LANES {
                    lanes.set(lane, &motion(kind, frame, position(lane)));
                }
                Motion::Any(Box::new(lanes))
            }
        }
    }

    #[inline(always)]
    fn chain_in_lanes<S: SimdLevel>(&self, simd: S, motions: &[Motion], poses: &mut [PoseLanes]) {
        for (&joint, motion) in self.tree.order.iter().zip(motions) {
            let [parent, child] = self.tree.ends[joint];
            for first in pieces(simd) {
                self.joint_in_lanes::<S, Piece<S>>(
                    simd,
                    joint,
                    motion,
                    first,
                    [parent, child],
                    poses,
                );
            }
        }
    }

    #[inline(always)]
    fn joint_in_lanes<S: Simd, V: SoaLanes<S>>(
        &self,
        simd: S,
        joint: usize,
        motion: &Motion,
        first: usize,
        [parent, child]: [usize; 2],
        poses: &mut [PoseLanes],
    ) {
        let frame = &self.tree.frames[joint];
        let parent: PoseVectors<V> = poses[parent].load(simd, first);
        let zero = parent.translation[0].splat(0.0);
        let before = parent.times(&PoseVectors::splat(zero, &frame.origin));
        let axis = &frame.axis;
        let axis = [zero.splat(axis.x), zero.splat(axis.y), zero.splat(axis.z)];
        let pose = match motion {
            Motion::Fixed => before,
            Motion::Turn([cos, sin]) => {
                let sin = V::load_from(simd, sin, first);
                let turn = [
                    axis[0] * sin,
                    axis[1] * sin,
                    axis[2] * sin,
                    V::load_from(simd, cos, first),
                ];
                PoseVectors {
                    rotation: product(&before.rotation, &turn),
                    translation: before.translation,
                }
            }
            Motion::Slide(length) => {
                let length = V::load_from(simd, length, first);
                let along = [axis[0] * length, axis[1] * length, axis[2] * length];
                PoseVectors {
                    rotation: before.rotation,
                    translation: before.transform(&along),
                }
            }
            Motion::Any(pose) => before.times(&pose.load(simd, first)),
        };
        poses[child].store(&pose.renormalized(), first);
    }
}
