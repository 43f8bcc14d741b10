//! The order of the bones from the root outwards, and their poses.
//!
//! A bone's pose is that of its parent, times the motion from the parent's frame to its own at rest, times the turns of
//! its joint. The bones at the root of a tree have a base at rest as parent, at the root and with the world's axes.

use crate::error::SketchError;
use crate::figure::Figure;
use crate::joint::{frame, rotation};
use crate::key::{BoneId, JointId};
use nalgebra::{Isometry3, UnitQuaternion};
use std::collections::BTreeMap;

/// The angles α, β, γ of every bone's joint, radians. An absent bone stands at zero.
pub type Angles = BTreeMap<BoneId, [f64; 3]>;

/// A bone as it hangs in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The bone.
    pub bone: BoneId,
    /// The bone before it; `None` at a root.
    pub parent: Option<BoneId>,
    /// The joint that is nearer to the root.
    pub near: JointId,
    /// The other joint.
    pub far: JointId,
}

impl Figure {
    /// Returns the bones, every one after its parent.
    pub fn branches(&self) -> Vec<Branch> {
        let mut branches: Vec<Branch> = Vec::new();
        let mut open: Vec<(JointId, Option<BoneId>)> = self
            .roots()
            .into_iter()
            .rev()
            .map(|root| (root, None))
            .collect();
        while let Some((near, parent)) = open.pop() {
            for (bone, far) in self.bones_at(near) {
                if Some(bone) != parent {
                    branches.push(Branch {
                        bone,
                        parent,
                        near,
                        far,
                    });
                    open.push((far, Some(bone)));
                }
            }
        }
        branches
    }

    pub(crate) fn branch(&self, bone: BoneId) -> Result<Branch, SketchError> {
        let mut branches = self.branches().into_iter();
        let found = branches.find(|branch| branch.bone == bone);
        found.ok_or(SketchError::NoBone(bone))
    }

    /// Returns the frame of a bone at rest, at its near joint, in space.
    ///
    /// # Errors
    /// The error names a joint that does not exist.
    pub fn rest(&self, branch: &Branch) -> Result<Isometry3<f64>, SketchError> {
        let [near, far] = [self.position(branch.near)?, self.position(branch.far)?];
        Ok(Isometry3::from_parts(near.into(), frame(near, far)))
    }

    /// Returns the frame of the base of a tree.
    pub(crate) fn base(&self, root: JointId) -> Result<Isometry3<f64>, SketchError> {
        let at = self.position(root)?;
        Ok(Isometry3::from_parts(at.into(), UnitQuaternion::identity()))
    }

    /// Returns the angles nearest to zero that all ranges allow.
    pub fn neutral(&self) -> Angles {
        let bones = self.bones.iter();
        bones
            .map(|(&id, bone)| (id, bone.articulation.neutral()))
            .collect()
    }

    /// Returns the poses of the bones' frames in space. Ranges are not looked at.
    ///
    /// # Errors
    /// The error names a bone that does not exist, or angles that are not finite.
    pub fn forward_kinematics(
        &self,
        angles: &Angles,
    ) -> Result<BTreeMap<BoneId, Isometry3<f64>>, SketchError> {
        for (&bone, turns) in angles {
            self.bone(bone)?;
            if turns.iter().any(|angle| !angle.is_finite()) {
                return Err(SketchError::Number("angles"));
            }
        }
        let mut poses = BTreeMap::new();
        let mut rests = BTreeMap::new();
        for branch in self.branches() {
            let rest = self.rest(&branch)?;
            let turned = rotation(angles.get(&branch.bone).copied().unwrap_or_default());
            let pose = match branch.parent {
                None => rest,
                Some(parent) => {
                    let (pose, before): (&Isometry3<f64>, &Isometry3<f64>) =
                        (&poses[&parent], &rests[&parent]);
                    pose * (before.inverse() * rest)
                }
            };
            poses.insert(branch.bone, pose * turned);
            rests.insert(branch.bone, rest);
        }
        Ok(poses)
    }

    /// Returns the motions that take what is fixed to each bone from rest to its pose.
    ///
    /// # Errors
    /// The errors are those of [`Figure::forward_kinematics`].
    pub fn motions(
        &self,
        angles: &Angles,
    ) -> Result<BTreeMap<BoneId, Isometry3<f64>>, SketchError> {
        let mut poses = self.forward_kinematics(angles)?;
        for branch in self.branches() {
            let rest = self.rest(&branch)?;
            if let Some(pose) = poses.get_mut(&branch.bone) {
                *pose *= rest.inverse();
            }
        }
        Ok(poses)
    }
}
