//! The data of a figure: joints, bones, hitboxes. Every number of it is finite, and no key is used twice.
//!
//! A figure may be several trees while it is drawn; a robot is one, so that the exporter of URDF refuses more.

use crate::error::SketchError;
use crate::joint::Articulation;
use crate::key::{BoneId, HitboxId, JointId};
use nalgebra::{Isometry3, Point3, UnitQuaternion};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use superovoid::pose::rotation;
use superovoid::{ShapeError, Superovoid};

/// The shortest bone in space, metres.
pub(crate) const SHORTEST: f64 = 1e-6;
/// The greatest coordinate, metres.
pub(crate) const FARTHEST: f64 = 1e6;
const MOST: usize = 2_000;

/// A bone between two joints, in the order in which it was drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bone {
    /// The name, which becomes that of a link.
    pub name: String,
    /// The joints at its ends.
    pub joints: [JointId; 2],
    /// The turns that the bone may make about its joint that is nearer to the root.
    pub articulation: Articulation,
}

/// A body fixed to a bone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hitbox {
    /// The bone that carries it.
    pub bone: BoneId,
    /// The centre in space at rest, metres.
    pub center: [f64; 3],
    /// The orientation in space at rest, a unit quaternion `x, y, z, w`.
    pub rotation: [f64; 4],
    /// The semi-axes `a1, a2, a3`, metres.
    pub semi_axes: [f64; 3],
    /// The squareness exponents `e1, e2`.
    pub exponents: [f64; 2],
    /// The tapers `tx, ty`.
    pub tapers: [f64; 2],
}

impl Hitbox {
    /// Returns the shape.
    ///
    /// # Errors
    /// The error names a number that is out of its domain.
    pub fn shape(&self) -> Result<Superovoid, ShapeError> {
        Superovoid::new(self.semi_axes, self.exponents, self.tapers)
    }

    /// Returns the pose in space at rest.
    pub fn pose(&self) -> Isometry3<f64> {
        // That of a valid hitbox is of unit length.
        let rotation = rotation(self.rotation).unwrap_or_default();
        Isometry3::from_parts(Point3::from(self.center).into(), rotation)
    }

    /// Sets the pose in space at rest.
    pub(crate) fn set_pose(&mut self, pose: &Isometry3<f64>) {
        self.center = pose.translation.vector.into();
        let q = UnitQuaternion::new_normalize(pose.rotation.into_inner());
        self.rotation = [q.i, q.j, q.k, q.w];
    }
}

/// A figure: joints, bones and hitboxes, by their keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The joint from which bones are counted; where it is absent, or in another tree, it is the joint of least key.
    pub(crate) root: Option<JointId>,
    /// The positions of the joints at rest, metres.
    pub(crate) joints: BTreeMap<JointId, [f64; 3]>,
    pub(crate) bones: BTreeMap<BoneId, Bone>,
    pub(crate) hitboxes: BTreeMap<HitboxId, Hitbox>,
    /// The key of the next thing.
    pub(crate) next: u32,
}

impl Figure {
    /// Returns the keys and positions of the joints at rest, metres.
    pub fn joints(&self) -> &BTreeMap<JointId, [f64; 3]> {
        &self.joints
    }

    /// Returns the bones.
    pub fn bones(&self) -> &BTreeMap<BoneId, Bone> {
        &self.bones
    }

    /// Returns the hitboxes.
    pub fn hitboxes(&self) -> &BTreeMap<HitboxId, Hitbox> {
        &self.hitboxes
    }

    /// Returns the joint that was chosen as root.
    pub fn root(&self) -> Option<JointId> {
        self.root
    }

    /// Returns the bone of a name.
    pub fn bone_named(&self, name: &str) -> Option<BoneId> {
        let mut bones = self.bones.iter();
        bones.find(|(_, bone)| bone.name == name).map(|(&id, _)| id)
    }

    /// Returns the position of a joint at rest, metres.
    ///
    /// # Errors
    /// The error names a joint that does not exist.
    pub fn position(&self, joint: JointId) -> Result<Point3<f64>, SketchError> {
        let found = self.joints.get(&joint).ok_or(SketchError::NoJoint(joint))?;
        Ok(Point3::from(*found))
    }

    /// Returns a bone.
    ///
    /// # Errors
    /// The error names a bone that does not exist.
    pub fn bone(&self, bone: BoneId) -> Result<&Bone, SketchError> {
        self.bones.get(&bone).ok_or(SketchError::NoBone(bone))
    }

    /// Returns the positions of a bone's ends at rest, metres.
    ///
    /// # Errors
    /// The error names a bone that does not exist.
    pub fn ends(&self, bone: BoneId) -> Result<[Point3<f64>; 2], SketchError> {
        let [from, to] = self.bone(bone)?.joints;
        Ok([self.position(from)?, self.position(to)?])
    }

    pub(crate) fn hitbox_mut(&mut self, hitbox: HitboxId) -> Result<&mut Hitbox, SketchError> {
        let found = self.hitboxes.get_mut(&hitbox);
        found.ok_or(SketchError::NoHitbox(hitbox))
    }

    /// Returns a key that was never used.
    pub(crate) fn key(&mut self) -> Result<u32, SketchError> {
        if self.bones.len() + self.hitboxes.len() >= MOST || self.next == u32::MAX {
            return Err(SketchError::TooMany(MOST));
        }
        self.next += 1;
        Ok(self.next - 1)
    }

    pub(crate) fn check_count(&self) -> Result<(), SketchError> {
        let few = self.bones.len() + self.hitboxes.len() <= MOST;
        few.then_some(()).ok_or(SketchError::TooMany(MOST))
    }

    /// Requires that every key is below the next one and of one thing alone; the error is the place of one that is not.
    pub(crate) fn check_keys(&self) -> Result<(), String> {
        let joints = self.joints.keys().map(|id| ("joints", id.0));
        let bones = self.bones.keys().map(|id| ("bones", id.0));
        let hitboxes = self.hitboxes.keys().map(|id| ("hitboxes", id.0));
        let mut seen = BTreeSet::new();
        for (kind, key) in joints.chain(bones).chain(hitboxes) {
            if key >= self.next || !seen.insert(key) {
                return Err(format!("{kind}[{key}]"));
            }
        }
        Ok(())
    }

    pub(crate) fn check_position(point: Point3<f64>) -> Result<(), SketchError> {
        let near = point.iter().all(|x| x.abs() <= FARTHEST);
        near.then_some(()).ok_or(SketchError::Position)
    }

    /// Requires that a name can be that of a bone.
    pub(crate) fn check_name(&self, bone: BoneId, name: &str) -> Result<(), SketchError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let fits = (1..=64).contains(&name.len()) && name.chars().all(plain) && name != "base";
        let other = self.bone_named(name).is_some_and(|found| found != bone);
        if fits && !other {
            return Ok(());
        }
        Err(SketchError::Name(name.to_owned()))
    }
}
