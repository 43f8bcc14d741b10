//! The pairs of a block: which of them are near, which come first, and their contacts.

use super::block::{Block, Near};
use super::separation::Separation;
use crate::poses::Column;
use crate::robot::Configuration;
use crate::scene::narrow_phase::posed_contact;
use crate::scene::query::SceneContact;
use crate::scene::robot::{RobotScene, RobotSceneError};
use superovoid::internals::MAX_LANES;
use superovoid::{QueryOptions, Shape};

/// The place of a pair in the list, and a lane.
pub(super) type Place = (u32, usize);

/// The pairs of a robot scene that are compared, at a block of configurations.
pub(super) struct BlockPairs<'a> {
    scene: &'a RobotScene,
    pub pairs: &'a [[u32; 2]],
    pub block: Block,
    /// The pairs that were noted, the last one first.
    noted: Vec<u32>,
    near: Vec<Near>,
}

impl<'a> BlockPairs<'a> {
    pub fn new(scene: &'a RobotScene, pairs: &'a [[u32; 2]]) -> Self {
        BlockPairs {
            scene,
            pairs,
            block: Block::new(scene),
            noted: Vec::with_capacity(NOTED),
            near: Vec::new(),
        }
    }

    /// Moves the robot to at most eight configurations.
    pub fn move_to(&mut self, configurations: &[&Configuration]) -> Result<(), RobotSceneError> {
        Ok(self.block.move_to(self.scene, configurations)?)
    }

    /// Returns those of the noted pairs whose bounds are within a distance in some lane, the last one first. The list
    /// must be [given back](Self::give_back).
    pub fn near_noted(&mut self, within: &Column) -> Vec<Near> {
        let mut near = std::mem::take(&mut self.near);
        let noted = self.noted.iter();
        let pairs = noted.map(|&pair| (pair, self.pairs[pair as usize]));
        self.block.near(pairs, within, &mut near);
        near
    }

    /// Returns all others, as [`BlockPairs::near_noted`] does.
    pub fn near_others(&mut self, within: &Column) -> Vec<Near> {
        let mut near = std::mem::take(&mut self.near);
        let pairs = (0u32..).zip(self.pairs.iter().copied());
        self.block.near(pairs, within, &mut near);
        near.retain(|near| !self.noted.contains(&near.pair));
        near
    }

    pub fn give_back(&mut self, near: Vec<Near>) {
        self.near = near;
    }

    /// Whether any pairs are noted.
    pub fn has_noted(&self) -> bool {
        !self.noted.is_empty()
    }

    /// Notes a pair, which is to come first in the next block.
    pub fn note(&mut self, pair: u32) {
        match self.noted.iter().position(|&other| other == pair) {
            Some(place) => self.noted[..=place].rotate_right(1),
            None => {
                self.noted.truncate(NOTED - 1);
                self.noted.insert(0, pair);
            }
        }
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
                let poses = slots.map(|slot| &self.block.poses[slot as usize]);
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
        let [pose_a, pose_b] = slots.map(|slot| self.block.poses[slot as usize].get(lane));
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

/// The number of pairs that are noted.
const NOTED: usize = 16;

/// Searches that wait until the lanes are full.
pub(super) struct Queue<'a> {
    pub searches: Vec<Separation<'a>>,
    pub places: Vec<Place>,
}

impl<'a> Queue<'a> {
    pub fn new() -> Self {
        Queue {
            searches: Vec::with_capacity(MAX_LANES),
            places: Vec::with_capacity(MAX_LANES),
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
