//! Chains of bones from strokes in a view.
//!
//! A point within the snap radius of a joint, as seen in the view, is that joint. Between two such points of a stroke the
//! depth changes with the length of the chain, beyond them it stays; a stroke that meets no joint lies in the plane
//! through the middle of the figure's joints, and the first stroke in that of the view's centre.

use crate::error::SketchError;
use crate::figure::Figure;
use crate::key::{BoneId, JointId};
use crate::view::View;
use nalgebra::{Point2, Point3, Vector3};

/// The distance within which a point is a joint and a tap meets a bone, in parts of the view.
pub const SNAP: f64 = 0.025;

impl Figure {
    pub(crate) fn add_chain(
        &mut self,
        view: &View,
        chain: &[Point2<f64>],
    ) -> Result<Vec<BoneId>, SketchError> {
        let welded = self.welds(view, chain);
        let depths = self.depths(view, chain, &welded)?;
        let mut bones = Vec::new();
        let mut before: Option<JointId> = None;
        for ((&point, joint), depth) in chain.iter().zip(welded).zip(depths) {
            let joint = match joint {
                Some(joint) => joint,
                None => self.add_joint(view.to_space(point, depth))?,
            };
            if let Some(before) = before {
                bones.push(self.add_bone(before, joint)?);
            }
            before = Some(joint);
        }
        Ok(bones)
    }

    /// Returns the joints that the points of a chain are. Another joint of the same tree would close a cycle; where it is
    /// behind or before the chain it is not meant, and the point is a new joint.
    fn welds(&self, view: &View, chain: &[Point2<f64>]) -> Vec<Option<JointId>> {
        let mut welded: Vec<Option<JointId>> = Vec::new();
        for &point in chain {
            let meant = |&joint: &JointId| {
                let depth = |id: &JointId| view.depth(Point3::from(self.joints[id]));
                let before = welded.iter().flatten().last();
                before.is_none_or(|last| {
                    let apart = (depth(last) - depth(&joint)).abs() > SNAP * view.extent;
                    !(apart && self.tree(*last).contains(&joint))
                })
            };
            let found = self.joint_near(view, point, SNAP, |_| true).filter(meant);
            welded.push(found);
        }
        welded
    }

    fn depths(
        &self,
        view: &View,
        chain: &[Point2<f64>],
        welded: &[Option<JointId>],
    ) -> Result<Vec<f64>, SketchError> {
        let mut known = Vec::new();
        let mut lengths = vec![0.0];
        for pair in chain.windows(2) {
            lengths.push(lengths[lengths.len() - 1] + (pair[1] - pair[0]).norm());
        }
        for (joint, &length) in welded.iter().zip(&lengths) {
            if let &Some(joint) = joint {
                known.push((length, view.depth(self.position(joint)?)));
            }
        }
        let plane = view.depth(self.middle().unwrap_or(view.center));
        let at = |s: f64| {
            let after = known.partition_point(|&(length, _)| length < s);
            match (after.checked_sub(1).map(|k| known[k]), known.get(after)) {
                (None, None) => plane,
                (Some((_, depth)), None) | (None, Some(&(_, depth))) => depth,
                (Some((s0, d0)), Some(&(s1, d1))) => d0 + (d1 - d0) * (s - s0) / (s1 - s0),
            }
        };
        Ok(lengths.into_iter().map(at).collect())
    }

    /// Returns the mean of the joints' positions; `None` without joints.
    pub fn middle(&self) -> Option<Point3<f64>> {
        let sum: Vector3<f64> = self.joints.values().map(|&p| Vector3::from(p)).sum();
        let count = self.joints.len();
        (count > 0).then(|| Point3::from(sum / count as f64))
    }

    /// Splits the bone at a point of the pane.
    pub(crate) fn tap(&mut self, view: &View, point: Point2<f64>) -> Result<JointId, SketchError> {
        match self.bone_near(view, point, SNAP)? {
            Some((bone, part)) => self.split(bone, part),
            None => Err(SketchError::NothingTapped(SNAP)),
        }
    }

    /// Moves a joint to a point of the pane, at its depth.
    pub(crate) fn shift(
        &mut self,
        view: &View,
        joint: JointId,
        point: Point2<f64>,
    ) -> Result<(), SketchError> {
        let depth = view.depth(self.position(joint)?);
        self.move_joint(joint, view.to_space(point, depth))
    }

    /// Moves a joint to a point of the pane, at its depth; within the snap radius of a joint it becomes that joint. One of
    /// the same tree is meant only at nearly its depth, and would close a cycle.
    pub(crate) fn drag(
        &mut self,
        view: &View,
        joint: JointId,
        point: Point2<f64>,
    ) -> Result<JointId, SketchError> {
        let depth = view.depth(self.position(joint)?);
        let tree = self.tree(joint);
        let meant = |other: JointId| {
            let apart = (view.depth(Point3::from(self.joints[&other])) - depth).abs();
            other != joint && !(tree.contains(&other) && apart > SNAP * view.extent)
        };
        if let Some(other) = self.joint_near(view, point, SNAP, meant) {
            self.weld(other, joint)?;
            return Ok(other);
        }
        self.shift(view, joint, point)?;
        Ok(joint)
    }
}
