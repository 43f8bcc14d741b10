//! The robot: the owner of its links, its tree and its collision bodies.

use super::bodies::Bodies;
use super::bodies::CollisionBody;
use super::error::{RobotError, Unchecked, quoted};
use super::model::Geometry;
use super::model::{Joint, Link, Material, SuperovoidBody, UncheckedCollision, Warning};
use super::tree::Tree;
use std::sync::Arc;
use superovoid::Shape;
use superovoid::bvh::TriMesh;

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

    /// Returns the collision shapes that are superovoids or spheres.
    pub fn superovoid_bodies(&self) -> Vec<SuperovoidBody> {
        self.bodies.superovoids().collect()
    }

    /// Whether two links are adjacent, and left out of queries by default: one joint joins them, fixed joints make them
    /// one rigid body, or joints in series that turn about one point join them through links without collision shapes, as
    /// three revolute joints make a ball joint.
    pub fn are_adjacent(&self, a: usize, b: usize) -> bool {
        let count = self.links.len();
        a < count && b < count && self.bodies.adjacent(a, b)
    }

    /// Returns the number of collision shapes that are compared: superovoids, spheres, boxes, cylinders, capsules and
    /// the meshes that were loaded.
    pub fn collision_body_count(&self) -> usize {
        self.bodies.iter().count()
    }

    /// Returns the collision shapes that are not checked: meshes that were not loaded (see [`Robot::with_meshes`]), and
    /// geometry that URDF does not define.
    pub fn unchecked(&self) -> Vec<UncheckedCollision<'_>> {
        let unchecked = self.bodies.unchecked().iter();
        unchecked
            .map(|&(link, collision)| UncheckedCollision {
                link,
                collision,
                geometry: &self.links[link].collisions[collision].geometry,
            })
            .collect()
    }

    /// Returns the robot with the meshes of its collision shapes, which `load` finds by file name and scale (the scale
    /// has to be applied). A mesh is compared as the solid that it bounds where it is closed, otherwise as its surface. Where `load` returns `None` the shape stays unchecked; a
    /// superovoid beside a mesh is compared instead of it.
    ///
    /// # Errors
    /// The error is that of `load`.
    pub fn with_meshes<E>(
        self,
        mut load: impl FnMut(&str, [f64; 3]) -> Result<Option<Arc<TriMesh>>, E>,
    ) -> Result<Self, E> {
        let mut failed = None;
        let bodies = Bodies::with(&self.links, &self.tree, |_, _, on| {
            if let (None, Geometry::Mesh { filename, scale }) = (on.superovoid, &on.geometry) {
                let found = load(filename, *scale);
                let found = found.unwrap_or_else(|error| {
                    failed.get_or_insert(error);
                    None
                });
                return found.map(Shape::Mesh);
            }
            on.collision_shape()
        });
        match failed {
            Some(error) => Err(error),
            None => Ok(Robot {
                bodies: Arc::new(bodies),
                ..self
            }),
        }
    }

    /// Returns the collision shapes that are compared, in the order of the file.
    pub fn collision_bodies(&self) -> impl Iterator<Item = &CollisionBody> {
        self.bodies.iter()
    }

    /// Requires that no collision shape is left out of answers, unless `allow_unchecked` says so.
    pub(crate) fn refuse_unchecked(&self, allow_unchecked: bool) -> Result<(), Unchecked> {
        if allow_unchecked || self.bodies.unchecked().is_empty() {
            return Ok(());
        }
        let described = self.unchecked().into_iter().map(|shape| {
            let link = quoted(&self.links[shape.link].name);
            let (collision, element) = (shape.collision + 1, shape.geometry.element());
            format!("link {link}, collision {collision}: {element}")
        });
        Err(Unchecked {
            shapes: described.collect(),
        })
    }
}
