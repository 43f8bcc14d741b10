//! The robot: the owner of its links, its tree and its collision bodies.

use super::bodies::{Bodies, collisions};
use super::error::RobotError;
use super::model::{ContactBody, Joint, Link, Material, NotInContact, Warning};
use super::tree::Tree;
use std::sync::Arc;

/// A robot: links joined into one tree.
///
/// Immutable, so that it is always a valid tree; to change one, take its parts, change them and
/// call [`Robot::new`]. Two robots are equal if their models are; [`Robot::warnings`] speak of the
/// file and do not count.
#[derive(Clone, Debug)]
pub struct Robot {
    pub(super) name: String,
    pub(super) links: Vec<Link>,
    pub(super) materials: Vec<Material>,
    pub(super) tree: Arc<Tree>,
    /// What follows from the links and the tree.
    pub(super) bodies: Arc<Bodies>,
    pub(super) warnings: Vec<Warning>,
}

impl PartialEq for Robot {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.links == other.links
            && self.joints() == other.joints()
            && self.materials == other.materials
    }
}

impl Robot {
    /// Checks and joins the parts of a robot.
    ///
    /// # Errors
    /// A number, name or element that a robot cannot have, or links and joints that are not one
    /// tree.
    pub fn new(
        name: impl Into<String>,
        links: Vec<Link>,
        joints: Vec<Joint>,
        materials: Vec<Material>,
    ) -> Result<Self, RobotError> {
        Self::checked(name.into(), links, joints, materials).map_err(|refused| *refused.error)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its links, in the order of the file.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Its joints, in the order of the file.
    pub fn joints(&self) -> &[Joint] {
        &self.tree.joints
    }

    /// Materials that visuals refer to by name.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// Index of the link that no joint moves.
    pub fn root(&self) -> usize {
        self.tree.root
    }

    /// Index of the link of this name.
    pub fn link_index(&self, name: &str) -> Option<usize> {
        self.tree.link_index.get(name).copied()
    }

    /// Index of the joint of this name.
    pub fn joint_index(&self, name: &str) -> Option<usize> {
        self.tree.joint_index.get(name).copied()
    }

    /// Index of the joint that moves a link; `None` for the root and beyond the last link.
    pub fn parent_joint(&self, link: usize) -> Option<usize> {
        *self.tree.parent_joint.get(link)?
    }

    /// Of a joint that mimics, the index of the joint that moves it in the end, and the multiplier and
    /// offset of the whole chain: `position = multiplier · position of that joint + offset`.
    pub fn follows(&self, joint: usize) -> Option<(usize, f64, f64)> {
        let follow = (*self.tree.follows.get(joint)?)?;
        Some((follow.source, follow.multiplier, follow.offset))
    }

    /// What the file held and the model does not.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The collision shapes that take part in contact.
    pub fn contact_bodies(&self) -> Vec<ContactBody> {
        self.bodies.iter().copied().collect()
    }

    /// The collision shapes that do not take part in contact: neither superovoid nor sphere.
    pub fn not_in_contact(&self) -> Vec<NotInContact<'_>> {
        collisions(&self.links)
            .filter(|(_, _, body)| body.contact_shape().is_none())
            .map(|(link, collision, body)| NotInContact {
                link,
                collision,
                geometry: &body.geometry,
            })
            .collect()
    }
}
