//! The gradients of clearances by the velocities of the joints.
//!
//! The distance d of two bodies with witness points p_a, p_b and normal n changes by n·(velocity of p_b − velocity of
//! p_a), each point moving with its link (envelope theorem, see [`derivatives`](superovoid::derivatives)). A joint moves what
//! lies behind it: with its axis z through o, in the root's frame, it moves a point p by z × (p − o) if it turns and by z
//! if it slides. A joint between the two links' nearest common link and one of them moves that link alone; one above the
//! common link moves both, and changes nothing.
//!
//! The velocities of the joints that can be set stand one after the other, in the order of [`Robot::joints`]:
//!
//! | joint | velocities |
//! | --- | --- |
//! | fixed, or one that mimics | none; a mimicking joint adds its factor to the joint that it follows |
//! | revolute, continuous, prismatic | the rate of its position |
//! | planar | the rates of x, y and yaw |
//! | floating | the velocity of the child's origin and the angular velocity, both along the axes of the joint's frame |

use super::clearance::{Clearance, ClearanceOptions};
use super::error::ClearanceError;
use super::kinematics::{Configuration, in_plane};
use super::model::JointKind;
use super::robot::Robot;
use nalgebra::{Isometry3, Vector3};
use std::ops::Range;
use superovoid::derivatives::pose_gradient;

/// A clearance with its gradient.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClearanceGradient {
    /// The clearance, in the frame of the root link.
    pub clearance: Clearance,
    /// The derivatives of its distance by the velocities that change it, each with its index among
    /// [`Robot::velocity_count`] numbers, in the order of these: metres per radian or metre. `None` where the contact is
    /// not converged. Of an overlap whose depth several directions attain they are those along the contact's normal.
    pub row: Option<Vec<(usize, f64)>>,
}

impl ClearanceGradient {
    /// Returns all derivatives, [`Robot::velocity_count`] of them, those by other joints 0.
    pub fn dense(&self, velocity_count: usize) -> Option<Vec<f64>> {
        self.row.as_ref().map(|row| {
            let mut dense = vec![0.0; velocity_count];
            for &(index, value) in row {
                dense[index] = value;
            }
            dense
        })
    }
}

/// A smooth lower bound of several distances, with its gradient.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SmoothMinimum {
    /// The value `−T ln Σ exp(−d/T)`, metres: at most the least distance, and less than it by at most T ln(count).
    pub value: f64,
    /// Its gradient by the velocities, [`Robot::velocity_count`] numbers.
    pub gradient: Vec<f64>,
}

/// Returns the smooth minimum of the distances of `rows`, with the temperature T > 0 (metres). The result is `None` if
/// there are no rows, if one of them has no gradient, or if T is not positive and finite.
pub fn smooth_minimum(
    rows: &[ClearanceGradient],
    velocity_count: usize,
    temperature: f64,
) -> Option<SmoothMinimum> {
    let distance = |r: &ClearanceGradient| r.row.as_ref().map(|_| r.clearance.contact.distance);
    let distances: Vec<f64> = rows.iter().map(distance).collect::<Option<_>>()?;
    let least = distances.iter().copied().min_by(f64::total_cmp)?;
    if !(temperature > 0.0 && temperature.is_finite()) {
        return None;
    }
    let weight = |d: f64| (-(d - least) / temperature).exp();
    let sum: f64 = distances.iter().map(|&d| weight(d)).sum();
    let mut gradient = vec![0.0; velocity_count];
    for (row, &d) in rows.iter().filter_map(|r| r.row.as_ref()).zip(&distances) {
        for &(index, value) in row {
            gradient[index] += weight(d) / sum * value;
        }
    }
    Some(SmoothMinimum {
        value: least - temperature * sum.ln(),
        gradient,
    })
}

impl Robot {
    /// Returns the number of velocities of a configuration: that of its positions, but six for a floating joint.
    pub fn velocity_count(&self) -> usize {
        self.tree.velocities.last().map_or(0, |last| last.end)
    }

    /// Returns the range of a joint's velocities: an empty range for a joint that is fixed or mimics, `None` beyond the
    /// last joint.
    pub fn velocity_range(&self, joint: usize) -> Option<Range<usize>> {
        self.tree.velocities.get(joint).cloned()
    }

    /// Returns [`Robot::clearances`] of the pairs within `options.max_distance` with their gradients.
    ///
    /// # Errors
    /// The errors are those of [`Robot::clearances`].
    pub fn clearance_gradients(
        &self,
        configuration: &Configuration,
        options: &ClearanceOptions,
    ) -> Result<Vec<ClearanceGradient>, ClearanceError> {
        let clearances = self.clearances(configuration, options)?;
        let poses = self.forward_kinematics(configuration)?;
        let gradient = |clearance: Clearance| ClearanceGradient {
            row: self.row(&clearance, &poses),
            clearance,
        };
        Ok(clearances.pairs.into_iter().map(gradient).collect())
    }

    fn row(&self, clearance: &Clearance, poses: &[Isometry3<f64>]) -> Option<Vec<(usize, f64)>> {
        // By the motions of points fixed to A and B, about the root's origin.
        let root = Isometry3::identity();
        let by_motion = pose_gradient(&root, &root, &clearance.contact)?;
        let part = |start: usize| {
            let of = |k: usize| Vector3::new(by_motion[k], by_motion[k + 1], by_motion[k + 2]);
            [of(start), of(start + 3)]
        };
        let mut row = Vec::new();
        let common = self.common_link(clearance.link_a, clearance.link_b);
        for (link, motion) in [(clearance.link_a, part(0)), (clearance.link_b, part(6))] {
            self.add_chain(link, common, &motion, poses, &mut row);
        }
        row.sort_by_key(|&(index, _)| index);
        // Several joints may follow one.
        row.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        Some(row)
    }

    /// Returns the lowest link that both links hang on, or are.
    fn common_link(&self, a: usize, b: usize) -> usize {
        let depth = |link: usize| self.links_above(link).count();
        let (depth_a, depth_b) = (depth(a), depth(b));
        let from = |link: usize, skipped: usize| self.links_above(link).skip(skipped);
        let least = depth_a.min(depth_b);
        from(a, depth_a - least)
            .zip(from(b, depth_b - least))
            .find_map(|(x, y)| (x == y).then_some(x))
            .unwrap_or(self.tree.root)
    }

    /// Returns a link and all links above it, up to the root.
    fn links_above(&self, link: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(link), |&link| {
            self.tree.parent_joint[link].map(|joint| self.tree.ends[joint][0])
        })
    }

    /// Adds what the joints from `link` up to `common` change, where a motion (v, ω) of the link about the root's origin
    /// changes the distance by `force·v + torque·ω`.
    fn add_chain(
        &self,
        mut link: usize,
        common: usize,
        [force, torque]: &[Vector3<f64>; 2],
        poses: &[Isometry3<f64>],
        row: &mut Vec<(usize, f64)>,
    ) {
        let along = |axis: &Vector3<f64>| force.dot(axis);
        let about = |axis: &Vector3<f64>, point: &Vector3<f64>| {
            torque.dot(axis) + force.dot(&point.cross(axis))
        };
        while link != common {
            let Some(joint) = self.tree.parent_joint[link] else {
                return;
            };
            let [parent, child] = self.tree.ends[joint];
            let frame = &self.tree.frames[joint];
            let at = poses[parent] * frame.origin;
            let origin = poses[child].translation.vector;
            let axis = at.rotation * frame.axis.into_inner();
            let (source, factor) = match &self.tree.follows[joint] {
                Some(follow) => (follow.source, follow.multiplier),
                None => (joint, 1.0),
            };
            let start = self.tree.velocities[source].start;
            let mut add = |k: usize, value: f64| row.push((start + k, factor * value));
            match self.tree.joints[joint].kind {
                JointKind::Fixed => {}
                JointKind::Revolute | JointKind::Continuous => add(0, about(&axis, &origin)),
                JointKind::Prismatic => add(0, along(&axis)),
                JointKind::Planar => {
                    let plane = at.rotation * in_plane(&frame.axis);
                    add(0, along(&(plane * Vector3::x())));
                    add(1, along(&(plane * Vector3::y())));
                    add(2, about(&axis, &origin));
                }
                JointKind::Floating => {
                    for k in 0..3 {
                        let axis = at.rotation * Vector3::ith(k, 1.0);
                        add(k, along(&axis));
                        add(3 + k, about(&axis, &origin));
                    }
                }
            }
            link = parent;
        }
    }
}
