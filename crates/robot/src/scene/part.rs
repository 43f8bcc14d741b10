//! The bodies of a robot in a scene.

use super::id::BodyId;
use super::scene::Scene;
use crate::robot::Robot;
use nalgebra::Isometry3;

/// A body of a link, or one that is attached to it.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub id: BodyId,
    pub link: usize,
    /// The index into the link's collisions; `None` for an attached body.
    pub collision: Option<usize>,
    /// The pose in the frame of the link.
    pub pose: Isometry3<f64>,
}

/// A robot and its bodies in a scene.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub robot: &'a Robot,
    pub base: &'a Isometry3<f64>,
    pub scene: &'a Scene,
    /// The bodies of the links, which are the first of the scene.
    pub of_links: &'a [Part],
    pub attached: &'a [Part],
}

impl<'a> Placed<'a> {
    /// Returns the body of a link, or the attached one, in a slot.
    pub fn part_in(&self, slot: u32) -> Option<&'a Part> {
        let of_link = self.of_links.get(slot as usize);
        of_link.or_else(|| self.attached.iter().find(|part| part.id.slot == slot))
    }
}
