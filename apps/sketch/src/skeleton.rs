//! Joints and bones: chains that weld to what is there, bones that are split, joints that are moved and deleted.
//!
//! Bones are the edges of a forest; one that would join two joints of the same tree is refused, so that none has a cycle.

use crate::error::SketchError;
use crate::figure::{Bone, Figure, Hitbox, SHORTEST};
use crate::joint::Preset;
use crate::key::{BoneId, JointId};
use nalgebra::{Isometry3, Point3, Unit, UnitQuaternion};
use std::collections::BTreeSet;

impl Figure {
    pub(crate) fn add_joint(&mut self, position: Point3<f64>) -> Result<JointId, SketchError> {
        Self::check_position(position)?;
        let id = JointId(self.key()?);
        self.joints.insert(id, position.into());
        Ok(id)
    }

    /// Adds a bone with a ball joint, unless it would close a cycle.
    pub(crate) fn add_bone(&mut self, from: JointId, to: JointId) -> Result<BoneId, SketchError> {
        if self.tree(from).contains(&to) {
            return Err(SketchError::Cycle(from, to));
        }
        let id = BoneId(self.key()?);
        let name = self.free_name(id);
        let bone = Bone {
            name,
            joints: [from, to],
            articulation: Preset::Ball.articulation(),
        };
        self.bones.insert(id, bone);
        self.check_lengths()?;
        Ok(id)
    }

    fn free_name(&self, id: BoneId) -> String {
        let mut name = format!("bone_{}", id.0);
        while self.bone_named(&name).is_some() {
            name.push('_');
        }
        name
    }

    /// Returns the joints of the tree of a joint.
    pub fn tree(&self, joint: JointId) -> BTreeSet<JointId> {
        let mut found = BTreeSet::from([joint]);
        let mut open = vec![joint];
        while let Some(at) = open.pop() {
            for (_, other) in self.bones_at(at) {
                if found.insert(other) {
                    open.push(other);
                }
            }
        }
        found
    }

    /// Returns the bones at a joint, in the order of their keys, each with the joint at its other end.
    pub fn bones_at(&self, joint: JointId) -> impl Iterator<Item = (BoneId, JointId)> {
        self.bones.iter().filter_map(move |(&id, bone)| {
            let [from, to] = bone.joints;
            match joint {
                _ if joint == from => Some((id, to)),
                _ if joint == to => Some((id, from)),
                _ => None,
            }
        })
    }

    /// Returns the roots of the trees, the chosen one first.
    pub fn roots(&self) -> Vec<JointId> {
        let mut left: BTreeSet<JointId> = self.joints.keys().copied().collect();
        let mut roots = Vec::new();
        let first = self.root.filter(|root| left.contains(root));
        let mut next = first.or_else(|| left.first().copied());
        while let Some(root) = next {
            let tree = self.tree(root);
            left.retain(|joint| !tree.contains(joint));
            roots.push(root);
            next = left.first().copied();
        }
        roots
    }

    pub(crate) fn check_lengths(&self) -> Result<(), SketchError> {
        for &id in self.bones.keys() {
            let [from, to] = self.ends(id)?;
            let is_long = (to - from).norm() >= SHORTEST;
            if !is_long {
                return Err(SketchError::ShortBone(SHORTEST));
            }
        }
        Ok(())
    }

    /// Moves a joint. The bodies of its bones turn with them, and keep their parts of the bones' lengths.
    pub(crate) fn move_joint(
        &mut self,
        joint: JointId,
        position: Point3<f64>,
    ) -> Result<(), SketchError> {
        Self::check_position(position)?;
        self.position(joint)?;
        let bones: Vec<BoneId> = self.bones_at(joint).map(|(bone, _)| bone).collect();
        let before: Vec<_> = bones.iter().map(|&bone| self.ends(bone)).collect();
        self.joints.insert(joint, position.into());
        self.check_lengths()?;
        for (bone, before) in bones.into_iter().zip(before) {
            let (before, after) = (before?, self.ends(bone)?);
            let carried = self.hitboxes.values_mut().filter(|box_| box_.bone == bone);
            for hitbox in carried {
                carry(hitbox, before, after)?;
            }
        }
        Ok(())
    }

    /// Makes one joint of two in different trees; `gone` is left out.
    pub(crate) fn weld(&mut self, kept: JointId, gone: JointId) -> Result<(), SketchError> {
        if self.tree(kept).contains(&gone) {
            return Err(SketchError::Cycle(kept, gone));
        }
        let position = self.position(kept)?;
        self.move_joint(gone, position)?;
        for bone in self.bones.values_mut() {
            bone.joints = bone
                .joints
                .map(|joint| if joint == gone { kept } else { joint });
        }
        self.joints.remove(&gone);
        if self.root == Some(gone) {
            self.root = Some(kept);
        }
        Ok(())
    }

    /// Splits a bone at a part of its length; bodies go with the half that is nearer to their centre. The half nearer
    /// to the root keeps the name, the key and the ranges; the other one is rigid.
    pub(crate) fn split(&mut self, bone: BoneId, part: f64) -> Result<JointId, SketchError> {
        let [from, to] = self.ends(bone)?;
        let joints = self.bone(bone)?.joints;
        let middle = self.add_joint(from + (to - from) * part)?;
        let near = self.branch(bone)?.near;
        let far = if joints[0] == near {
            joints[1]
        } else {
            joints[0]
        };
        let id = BoneId(self.key()?);
        let turned = joints[0] == near;
        let order = |near, far| if turned { [near, far] } else { [far, near] };
        let other = Bone {
            name: self.free_name(id),
            joints: order(middle, far),
            articulation: Preset::Rigid.articulation(),
        };
        self.bones.insert(id, other);
        if let Some(kept) = self.bones.get_mut(&bone) {
            kept.joints = order(near, middle);
        }
        self.check_lengths()?;
        let [kept, cut] = [self.ends(bone)?, self.ends(id)?];
        let carried = self.hitboxes.values_mut().filter(|box_| box_.bone == bone);
        for hitbox in carried {
            let center = Point3::from(hitbox.center);
            if distance(center, cut) < distance(center, kept) {
                hitbox.bone = id;
            }
        }
        Ok(middle)
    }

    /// Deletes a bone with its bodies, and the joints that no bone has any more.
    pub(crate) fn delete_bone(&mut self, bone: BoneId) -> Result<(), SketchError> {
        let removed = self.bones.remove(&bone).ok_or(SketchError::NoBone(bone))?;
        self.hitboxes
            .retain(|_, hitbox: &mut Hitbox| hitbox.bone != bone);
        for joint in removed.joints {
            if self.bones_at(joint).next().is_none() {
                self.joints.remove(&joint);
                self.root = self.root.filter(|&root| root != joint);
            }
        }
        Ok(())
    }

    /// Deletes a joint with its bones.
    pub(crate) fn delete_joint(&mut self, joint: JointId) -> Result<(), SketchError> {
        self.position(joint)?;
        let bones: Vec<BoneId> = self.bones_at(joint).map(|(bone, _)| bone).collect();
        bones
            .into_iter()
            .try_for_each(|bone| self.delete_bone(bone))
    }
}

/// Takes a body along with its bone, by the least turn of the bone's direction.
fn carry(
    hitbox: &mut Hitbox,
    [from, to]: [Point3<f64>; 2],
    [new_from, new_to]: [Point3<f64>; 2],
) -> Result<(), SketchError> {
    let (old, new) = (to - from, new_to - new_from);
    // Turned back exactly, the axis is free.
    let turn = UnitQuaternion::rotation_between(&old, &new).unwrap_or_else(|| {
        let [axis, _] =
            superovoid::surface::tangents(&Unit::new_normalize(old)).map(Unit::new_normalize);
        UnitQuaternion::from_axis_angle(&axis, std::f64::consts::PI)
    });
    let arm = Point3::from(hitbox.center) - from;
    let part = arm.dot(&old) / old.norm_squared();
    let center = new_from + new * part + turn * (arm - old * part);
    Figure::check_position(center)?;
    hitbox.set_pose(&Isometry3::from_parts(
        center.into(),
        turn * hitbox.pose().rotation,
    ));
    Ok(())
}

/// Returns the distance of a point from a segment.
pub(crate) fn distance(point: Point3<f64>, [from, to]: [Point3<f64>; 2]) -> f64 {
    let along = to - from;
    let t = ((point - from).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    (from + along * t - point).norm()
}
