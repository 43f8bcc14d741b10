//! How far a velocity of a joint can move a point, whatever the configuration.

use crate::robot::model::{Joint, JointKind};
use crate::robot::robot::Robot;
use std::collections::BTreeSet;

impl Robot {
    /// Returns, for every velocity ([`Robot::velocity_count`] of them, in their order), the largest distance (metres)
    /// that a point of a body in contact moves relative to any other link while the configuration moves by one unit
    /// along that velocity: metres per radian, or 1 for a slide. It holds in every configuration within the limits; it is
    /// infinite for turns with a planar or floating joint between them and a body.
    ///
    /// So where the clearance is d, every configuration is free that differs from this one by δ with `Σ reachₖ |δₖ| <
    /// d`.
    pub fn reaches(&self) -> Vec<f64> {
        let mut reaches = vec![0.0_f64; self.velocity_count()];
        for body in self.bodies.iter() {
            let mut moves = vec![0.0_f64; reaches.len()];
            let sphere = body.bounding_sphere();
            let centre = (body.pose * sphere.center).coords.norm();
            let mut lever = (centre + sphere.radius) * ROUNDED_UP;
            let mut link = body.link;
            while let Some(joint) = self.tree.parent_joint[link] {
                self.add(joint, lever, &mut moves);
                lever += self.longest(joint);
                link = self.tree.ends[joint][0];
            }
            for (most, own) in reaches.iter_mut().zip(moves) {
                *most = most.max(own);
            }
        }
        // Two links that follow one joint may move against each other.
        let followed = self
            .tree
            .follows
            .iter()
            .flatten()
            .map(|follow| follow.source);
        for source in followed.collect::<BTreeSet<usize>>() {
            for k in self.tree.velocities[source].clone() {
                reaches[k] *= 2.0;
            }
        }
        reaches
    }

    /// Adds what a joint contributes to the motion of a body whose farthest point is `lever` away from it.
    fn add(&self, joint: usize, lever: f64, moves: &mut [f64]) {
        let (source, factor) = match &self.tree.follows[joint] {
            Some(follow) => (follow.source, follow.multiplier.abs()),
            None => (joint, 1.0),
        };
        let range = self.tree.velocities[source].clone();
        let moves = &mut moves[range];
        match self.tree.joints[joint].kind {
            JointKind::Fixed => {}
            JointKind::Revolute | JointKind::Continuous => moves[0] += factor * lever,
            JointKind::Prismatic => moves[0] += factor,
            JointKind::Planar => {
                moves[0] += 1.0;
                moves[1] += 1.0;
                moves[2] += lever;
            }
            JointKind::Floating => {
                for k in 0..3 {
                    moves[k] += 1.0;
                    moves[3 + k] += lever;
                }
            }
        }
    }

    /// Returns the largest distance between the origins of a joint's parent and child.
    fn longest(&self, joint: usize) -> f64 {
        let origin = self.tree.frames[joint].origin.translation.vector.norm();
        let slide = match self.tree.joints[joint].kind {
            JointKind::Fixed | JointKind::Revolute | JointKind::Continuous => 0.0,
            JointKind::Prismatic => self.travel(joint),
            JointKind::Planar | JointKind::Floating => f64::INFINITY,
        };
        (origin + slide) * ROUNDED_UP
    }

    /// Returns the largest travel of a prismatic joint, either way.
    fn travel(&self, joint: usize) -> f64 {
        let most = |joint: &Joint| {
            let [lower, upper] = joint.range().unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            lower.abs().max(upper.abs())
        };
        match &self.tree.follows[joint] {
            Some(follow) => {
                let source = most(&self.tree.joints[follow.source]);
                follow.multiplier.abs() * source + follow.offset.abs()
            }
            None => most(&self.tree.joints[joint]),
        }
    }
}

/// Covers the rounding of lengths and sums.
const ROUNDED_UP: f64 = 1.0 + 1e-12;
