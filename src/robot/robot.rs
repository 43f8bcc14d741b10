//! The robot: the owner of its links, its tree and its collision bodies.

use super::bodies::{Bodies, collisions};
use super::error::RobotError;
use super::model::{ContactBody, Joint, Link, Material, NotInContact, Warning};
use super::tree::Tree;
use std::sync::Arc;

/// A robot: links joined into one tree.
///
/// A robot is immutable, so that it is always a valid tree; to change one, take its parts, change them and call
/// [`Robot::new`]. Two robots are equal if their models are; [`Robot::warnings`] belong to the file and are not
/// compared.
#[derive(Clone, Debug)]
pub struct Robot {
    pub(super) name: String,
    pub(super) links: Vec<Link>,
    pub(super) materials: Vec<Material>,
    pub(super) tree: Arc<Tree>,
    /// The data that follow from the links and the tree.
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
    /// Validates and joins the parts of a robot.
    ///
    /// # Errors
    /// The error names a number, name or element that a robot cannot have, or links and joints that are not one tree.
    pub fn new(
        name: impl Into<String>,
        links: Vec<Link>,
        joints: Vec<Joint>,
        materials: Vec<Material>,
    ) -> Result<Self, RobotError> {
        Self::checked(name.into(), links, joints, materials).map_err(|refused| *refused.error)
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the links, in the order of the file.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Returns the joints, in the order of the file.
    pub fn joints(&self) -> &[Joint] {
        &self.tree.joints
    }

    /// Returns the materials to which visuals refer by name.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// Returns the index of the link that no joint moves.
    pub fn root(&self) -> usize {
        self.tree.root
    }

    /// Returns the index of the link of this name.
    pub fn link_index(&self, name: &str) -> Option<usize> {
        self.tree.link_index.get(name).copied()
    }

    /// Returns the index of the joint of this name.
    pub fn joint_index(&self, name: &str) -> Option<usize> {
        self.tree.joint_index.get(name).copied()
    }

    /// Returns the index of the joint that moves a link; `None` for the root and beyond the last link.
    pub fn parent_joint(&self, link: usize) -> Option<usize> {
        *self.tree.parent_joint.get(link)?
    }

    /// Returns, for a joint that mimics, the index of the joint that moves it in the end, and the multiplier and
    /// offset of the whole chain: `position = multiplier · position of that joint + offset`.
    pub fn follows(&self, joint: usize) -> Option<(usize, f64, f64)> {
        let follow = (*self.tree.follows.get(joint)?)?;
        Some((follow.source, follow.multiplier, follow.offset))
    }

    /// Returns the warnings about content of the file that the model does not hold.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns the collision shapes that take part in contact.
    pub fn contact_bodies(&self) -> Vec<ContactBody> {
        self.bodies.iter().copied().collect()
    }

    /// Returns the collision shapes that are not checked: they are neither superovoid nor sphere.
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
