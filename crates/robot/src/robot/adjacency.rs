//! Which links are adjacent, and left out of queries by default.
//!
//! Two links are adjacent where one joint joins them, where fixed joints make them one rigid body, or where a joint of
//! several axes joins them: URDF writes a ball joint as three revolute joints in series, with links without collision
//! shapes between them, and the bodies on both sides overlap at its point as those of a hinge do. Joints in series are one
//! joint if they turn, every link between is without collision shapes and has no other joint, and all but the first have
//! no offset. MoveIt's setup assistant sees through every empty link; here an empty palm does not join its fingers.

use super::model::{JointKind, Link};
use super::tree::Tree;

/// The adjacency of the links of a robot.
#[derive(Debug)]
pub(crate) struct Adjacency {
    /// The topmost link of the rigid body that each link belongs to.
    rigid: Vec<usize>,
    /// The link to which each link is joined from above.
    above: Vec<Option<usize>>,
    /// The link with collision shapes to which turning joints of one point join each link from above.
    carriers: Vec<Option<usize>>,
}

impl Adjacency {
    pub(super) fn of(links: &[Link], tree: &Tree) -> Self {
        let count = links.len();
        let upwards = |joint: &Option<usize>| joint.map(|joint| tree.ends[joint][0]);
        let mut found = Adjacency {
            rigid: (0..count).collect(),
            above: tree.parent_joint.iter().map(upwards).collect(),
            carriers: vec![None; count],
        };
        let mut children = vec![0; count];
        for &[parent, _] in &tree.ends {
            children[parent] += 1;
        }
        for &joint in &tree.order {
            let [parent, child] = tree.ends[joint];
            let kind = tree.joints[joint].kind;
            if kind == JointKind::Fixed {
                found.rigid[child] = found.rigid[parent];
            }
            let offset = tree.frames[joint].origin.translation.vector;
            found.carriers[child] = if !turns(kind) {
                None
            } else if !links[parent].collisions.is_empty() {
                Some(parent)
            } else if children[parent] == 1 && offset.norm() == 0.0 {
                found.carriers[parent]
            } else {
                None
            };
        }
        found
    }

    /// Returns the topmost link of the rigid body that a link belongs to.
    pub fn rigid(&self, link: usize) -> usize {
        self.rigid[link]
    }

    /// Returns the link to which a joint of several axes joins a link from above, through links without shapes.
    pub fn carrier(&self, link: usize) -> Option<usize> {
        self.carriers[link].filter(|_| self.carriers[link] != self.above[link])
    }

    /// Whether two links are adjacent.
    pub fn adjacent(&self, a: usize, b: usize) -> bool {
        let joined = |a: usize, b: usize| [self.above[a], self.carriers[a]].contains(&Some(b));
        self.rigid[a] == self.rigid[b] || joined(a, b) || joined(b, a)
    }
}

/// Whether a joint keeps the origin of its child where it is in its parent.
fn turns(kind: JointKind) -> bool {
    use JointKind::{Continuous, Fixed, Revolute};
    matches!(kind, Fixed | Revolute | Continuous)
}
