//! The pairs of a block: which of them are near, which come first, and their contacts.

use super::block::Near;
use super::directions::{Direction, Sides};
use super::memory::{Memory, NOTED};
use super::separation::Separation;
use crate::poses::Column;
use crate::robot::States;
use crate::scene::body::Body;
use crate::scene::hull::{Outline, hull_contact};
use crate::scene::narrow_phase::posed_contact;
use crate::scene::query::SceneContact;
use crate::scene::robot::{RobotScene, RobotSceneError};
use superovoid::internals::{MAX_LANES, RELATIVE_TOLERANCE};
use superovoid::{QueryOptions, Shape};

/// The place of a pair in the list, and a lane.
pub(super) type Place = (u32, usize);

/// The pairs of a robot scene that are compared, at a block of configurations.
pub(super) struct BlockPairs<'a> {
    scene: &'a RobotScene,
    pub pairs: &'a [[u32; 2]],
    memory: Box<Memory>,
}

/// What the hulls of a pair say of its bodies.
pub(super) enum ByHulls {
    Apart,
    /// They overlap, or are within the padding.
    Touch,
    Open,
}

impl<'a> BlockPairs<'a> {
    pub fn new(scene: &'a RobotScene, pairs: &'a [[u32; 2]], memory: Box<Memory>) -> Self {
        BlockPairs {
            scene,
            pairs,
            memory,
        }
    }

    pub fn into_memory(self) -> Box<Memory> {
        self.memory
    }

    /// Moves the robot to at most eight states.
    pub fn move_to(&mut self, states: &States) -> Result<(), RobotSceneError> {
        Ok(self.memory.block.move_to(&self.scene.placed(), states)?)
    }

    /// Decreases each lane's number to an upper bound of the least distance of all pairs, or 0.
    pub fn at_most(&self, least: &mut Column) {
        self.memory.block.at_most(self.pairs, least);
    }

    /// Returns those of the noted pairs whose bounds are within a distance in some lane, the last one first. The list
    /// must be [given back](Self::give_back).
    pub fn near_noted(&mut self, within: &Column) -> Vec<Near> {
        let memory = &mut *self.memory;
        let mut near = std::mem::take(&mut memory.near);
        let noted = memory.noted.iter().copied();
        memory.block.near(self.pairs, noted, within, &mut near);
        near
    }

    /// Returns all others, as [`BlockPairs::near_noted`] does.
    pub fn near_others(&mut self, within: &Column) -> Vec<Near> {
        let memory = &mut *self.memory;
        let mut near = std::mem::take(&mut memory.near);
        memory.block.all_near(self.pairs, within, &mut near);
        near.retain(|near| !memory.noted.contains(&near.pair));
        near
    }

    pub fn give_back(&mut self, near: Vec<Near>) {
        self.memory.near = near;
    }

    /// Whether any pairs are noted.
    pub fn has_noted(&self) -> bool {
        !self.memory.noted.is_empty()
    }

    /// Notes a pair, which is to come first in the next block.
    pub fn note(&mut self, pair: u32) {
        match self.memory.noted.iter().position(|&other| other == pair) {
            Some(place) => self.memory.noted[..=place].rotate_right(1),
            None => {
                self.memory.noted.truncate(NOTED - 1);
                self.memory.noted.insert(0, pair);
            }
        }
    }

    /// Ends the lanes in which a direction that has separated a pair before does so again.
    pub fn separate(&mut self, pair: u32, options: &QueryOptions, near: &mut [bool; MAX_LANES]) {
        let scene: &'a RobotScene = self.scene;
        let Some((sides, within)) = sides(scene, self.pairs[pair as usize], options) else {
            return;
        };
        let memory = &mut *self.memory;
        memory.directions[pair as usize].separate(&memory.block, &sides, within, near);
    }

    /// Returns the lanes in which a pair is plain to see in collision, by balls inside its bodies.
    pub fn overlap(&mut self, pair: u32) -> [bool; MAX_LANES] {
        self.memory.block.overlap(self.pairs[pair as usize])
    }

    /// Asks the hulls of a pair whether they are apart, and keeps the direction in which they are.
    pub fn by_hulls(
        &mut self,
        (pair, lane): Place,
        options: &QueryOptions,
    ) -> Result<ByHulls, RobotSceneError> {
        /// The share of the size beyond which the bodies need not be known to be apart, and to which their distance is
        /// worked out: a direction that is nearly the best one will do.
        const FAR: f64 = 0.1;
        const COARSE: f64 = 1e-4;
        let slots = self.pairs[pair as usize];
        let scene: &'a RobotScene = self.scene;
        let Some((sides, within)) = sides(scene, slots, options) else {
            return Ok(ByHulls::Open);
        };
        let [Some(a), Some(b)] = slots.map(|slot| scene.scene.body(slot)) else {
            return Ok(ByHulls::Apart);
        };
        let [Some(hull_a), Some(hull_b)] = [a, b].map(Body::hull) else {
            return Ok(ByHulls::Open);
        };
        let [pose_a, pose_b] = slots.map(|slot| self.memory.block.poses[slot as usize].get(lane));
        let coarse = options
            .with_max_distance(within + FAR * sides.size)
            .with_tolerance(options.tolerance.max(COARSE * sides.size));
        let found = hull_contact([hull_a, hull_b], [&pose_a, &pose_b], &coarse);
        let found = found.map_err(|error| scene.scene.query_error([a, b], error))?;
        let Some(contact) = found else {
            return Ok(ByHulls::Open);
        };
        if contact.lower <= within {
            let bodies = hull_a.is_body && hull_b.is_body;
            let padding = scene.scene.padding_of([a, b]).total();
            let touch = bodies && contact.upper <= padding;
            return Ok(if touch { ByHulls::Touch } else { ByHulls::Open });
        }
        let (hard, pose, normal) = if sides.slots[0] == slots[0] as usize {
            (hull_a, &pose_a, contact.normal.into_inner())
        } else {
            (hull_b, &pose_b, -contact.normal.into_inner())
        };
        let n = pose.rotation.inverse_transform_vector(&normal);
        if let Some(height) = hard.support(&n) {
            self.memory.directions[pair as usize].add(Direction { n, height });
        }
        Ok(ByHulls::Apart)
    }

    /// Whether the pair is of superovoids that the search for directions takes.
    pub fn is_of_ovoids(&self, pair: u32) -> bool {
        let bodies = self.pairs[pair as usize].map(|slot| self.scene.scene.body(slot));
        let is_ovoid = |body: Option<&Body>| {
            body.is_some_and(|body| matches!(body.shape, Shape::Superovoid(_)))
        };
        bodies.into_iter().all(is_ovoid)
    }

    /// Returns the search for a direction that separates a pair by more than the limit; `None` if it is not of convex
    /// superovoids.
    pub fn search(&self, (pair, lane): Place, limit: f64) -> Option<Separation<'a>> {
        let slots = self.pairs[pair as usize];
        let scene: &'a RobotScene = self.scene;
        let [body_a, body_b] = slots.map(|slot| scene.scene.body(slot));
        let (body_a, body_b) = (body_a?, body_b?);
        match (&body_a.shape, &body_b.shape) {
            (Shape::Superovoid(a), Shape::Superovoid(b)) => {
                let poses = slots.map(|slot| &self.memory.block.poses[slot as usize]);
                let padding = scene.scene.padding_of([body_a, body_b]).total();
                Separation::new([a, b], poses, lane, limit, padding)
            }
            _ => None,
        }
    }

    /// Returns the contact of a pair, unless it is proven to be farther apart than the option `max_distance`.
    pub fn contact(
        &self,
        (pair, lane): Place,
        options: &QueryOptions,
    ) -> Result<Option<SceneContact>, RobotSceneError> {
        let scene = &self.scene.scene;
        let slots = self.pairs[pair as usize];
        let [Some(a), Some(b)] = slots.map(|slot| scene.body(slot)) else {
            return Ok(None);
        };
        let [pose_a, pose_b] = slots.map(|slot| self.memory.block.poses[slot as usize].get(lane));
        let padding = scene.padding_of([a, b]);
        let options = options.with_max_distance(padding.within(options.max_distance));
        let found = posed_contact([a, b], [&pose_a, &pose_b], &options, |x, y| {
            superovoid::contact(x, &pose_a, y, &pose_b, &options, None)
        });
        let padded = found.and_then(|found| padding.shifted_found(found));
        let padded = padded.map_err(|error| scene.query_error([a, b], error))?;
        let [a, b] = slots.map(|slot| scene.id(slot));
        Ok(padded.map(|(part, contact)| SceneContact {
            a,
            b,
            part,
            contact,
        }))
    }
}

/// Returns the sides of a pair whose directions are kept, and the gap beyond which the bodies count as apart: more than the
/// padding by what the tolerance decides, so that the same is said of a pair that was never seen before.
pub(super) fn sides<'a>(
    scene: &'a RobotScene,
    slots: [u32; 2],
    options: &QueryOptions,
) -> Option<(Sides<'a>, f64)> {
    let [a, b] = slots.map(|slot| scene.scene.body(slot));
    let (a, b) = (a?, b?);
    let (hull_a, hull_b) = (a.hull()?, b.hull()?);
    let [slot_a, slot_b] = slots.map(|slot| slot as usize);
    let (slots, easy) = match (&hull_a.outline, &hull_b.outline) {
        (Outline::Powers, Outline::Powers) => return None,
        (Outline::Powers, _) => ([slot_a, slot_b], hull_b),
        _ => ([slot_b, slot_a], hull_a),
    };
    let size = hull_a.size + hull_b.size;
    let doubt = 4.0 * options.tolerance.max(RELATIVE_TOLERANCE * size);
    let within = scene.scene.padding_of([a, b]).total() + doubt;
    let reach = hull_a.reach + hull_b.reach;
    Some((
        Sides {
            slots,
            easy,
            size,
            reach,
        },
        within,
    ))
}

/// Searches that wait until the lanes are full.
pub(super) struct Queue<'a> {
    pub searches: Vec<Separation<'a>>,
    pub places: Vec<Place>,
}

impl<'a> Queue<'a> {
    pub fn new() -> Self {
        Queue {
            searches: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Adds a search, and returns whether the lanes are full.
    pub fn push(&mut self, place: Place, search: Separation<'a>) -> bool {
        self.searches.push(search);
        self.places.push(place);
        self.searches.len() == MAX_LANES
    }

    pub fn clear(&mut self) {
        self.searches.clear();
        self.places.clear();
    }
}
