//! The padded bodies of a scene.

use super::allowed::Group;
use super::body::{Body, Reach};
use super::padding::PairPadding;
use super::scene::Scene;

impl Scene {
    /// Returns the padding of two bodies.
    pub(super) fn padding_of(&self, [a, b]: [&Body; 2]) -> PairPadding {
        self.padding.between(a.group, b.group)
    }

    /// Sets the padding of a group of bodies; that of obstacles is not in their bounds.
    pub(super) fn set_padding(&mut self, group: Group, metres: f64) {
        self.padding.set(group, metres);
        self.extend_bounds(group);
    }

    /// Sets the padding of a pair of groups, at least one of which is of bodies.
    pub(super) fn set_pair_padding(&mut self, a: Group, b: Group, metres: f64) {
        self.padding.set_pair(a, b, metres);
        self.extend_bounds(a);
        self.extend_bounds(b);
    }

    /// Extends the bounds of a group's bodies by its paddings.
    pub(super) fn extend_bounds(&mut self, group: Group) {
        let reach = self.padding.reach(group);
        for slot in 0..self.slots.len() {
            let Some(body) = &mut self.slots[slot].body else {
                continue;
            };
            let reach = if body.is_obstacle {
                Reach::default()
            } else {
                reach
            };
            // Its pose is known to be valid.
            if body.group == group && body.reach() != reach && body.set_reach(reach).is_ok() {
                self.enclose(slot as u32);
            }
        }
    }
}
