//! What lies at a point of a pane: a joint before a bone before a body.
//!
//! Joints and bones are met within a reach, and of nearly equally near ones the one in front. A body is met where the line of
//! sight through the point meets it, which is where its silhouette contains the point; of several the one that is met first.

use crate::error::SketchError;
use crate::figure::{Figure, Hitbox};
use crate::key::{BoneId, HitboxId, JointId};
use crate::view::{View, pick};
use nalgebra::{Point2, Point3};
use superovoid::Ray;

/// The difference of distances that a hand does not mean, in parts of the reach.
const SLACK: f64 = 0.25;

/// What is picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picked {
    /// There is nothing.
    Nothing,
    /// There is a joint.
    Joint(JointId),
    /// There is a bone.
    Bone(BoneId),
    /// There is a body.
    Hitbox(HitboxId),
}

impl Figure {
    /// Returns what is seen at a point of the pane, with joints and bones nearer than `reach`, in parts of the view.
    pub(crate) fn pick(
        &self,
        view: &View,
        point: Point2<f64>,
        reach: f64,
    ) -> Result<Picked, SketchError> {
        if let Some(joint) = self.joint_near(view, point, reach, |_| true) {
            return Ok(Picked::Joint(joint));
        }
        if let Some((bone, _)) = self.bone_near(view, point, reach)? {
            return Ok(Picked::Bone(bone));
        }
        let hitbox = self.hitbox_at(view, point)?;
        Ok(hitbox.map_or(Picked::Nothing, Picked::Hitbox))
    }

    /// Returns the joint nearer to a point of the pane than `reach`, among those that are asked for.
    pub(crate) fn joint_near(
        &self,
        view: &View,
        point: Point2<f64>,
        reach: f64,
        asked: impl Fn(JointId) -> bool,
    ) -> Option<JointId> {
        let seen = |(&id, &position): (&JointId, &[f64; 3])| {
            let position = Point3::from(position);
            let distance = (view.to_pane(position) - point).norm();
            let met = distance < reach && asked(id);
            met.then(|| (distance, view.depth(position), id))
        };
        let found: Vec<_> = self.joints.iter().filter_map(seen).collect();
        pick(&found, SLACK * reach, view.level()).map(|(_, id)| id)
    }

    /// Returns the bone nearer to a point of the pane than `reach`, and the part of its length there.
    pub(crate) fn bone_near(
        &self,
        view: &View,
        point: Point2<f64>,
        reach: f64,
    ) -> Result<Option<(BoneId, f64)>, SketchError> {
        let mut found = Vec::new();
        for &bone in self.bones.keys() {
            let [from, to] = self.ends(bone)?;
            let [a, b] = [from, to].map(|end| view.to_pane(end));
            let along = b - a;
            if along.norm_squared() > 0.0 {
                let t = ((point - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
                let distance = (a + along * t - point).norm();
                found.push((distance, view.depth(from + (to - from) * t), (bone, t)));
            }
        }
        let nearest = pick(&found, SLACK * reach, view.level());
        Ok(nearest
            .filter(|(distance, _)| *distance < reach)
            .map(|(_, bone)| bone))
    }

    /// Returns the body that the line of sight through a point of the pane meets first.
    fn hitbox_at(&self, view: &View, point: Point2<f64>) -> Result<Option<HitboxId>, SketchError> {
        let mut found: Option<(f64, HitboxId)> = None;
        for (&id, hitbox) in &self.hitboxes {
            let depth = depth_of(hitbox, view, point)?;
            if let Some(depth) = depth.filter(|depth| found.is_none_or(|(front, _)| *depth > front))
            {
                found = Some((depth, id));
            }
        }
        Ok(found.map(|(_, id)| id))
    }
}

/// Returns the depth at which a line of sight meets a body.
fn depth_of(hitbox: &Hitbox, view: &View, point: Point2<f64>) -> Result<Option<f64>, SketchError> {
    let shape = hitbox.shape()?;
    let pose = hitbox.pose();
    let ball = shape.bounding_sphere();
    let before = view.depth(pose * ball.center) + 2.0 * ball.radius;
    let ray = Ray {
        origin: view.to_space(point, before),
        direction: -view.face.axes()[2],
    };
    let hit = shape.ray_cast(&pose, &ray, f64::INFINITY, true);
    let hit = hit.map_err(|_| SketchError::Position)?;
    Ok(hit.map(|hit| view.depth(hit.point)))
}
