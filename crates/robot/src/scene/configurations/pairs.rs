//! The pairs of a block: which of them are near, which come first, and their contacts.

use super::block::Near;
use super::directions::{Direction, Sides};
use super::memory::{Memory, NOTED};
use super::separation::Separation;
use super::steps::STEPS;
use crate::levels::{Hull, Outline, Part, hull_contact};
use crate::poses::Column;
use crate::robot::States;
use crate::scene::body::Body;
use crate::scene::narrow_phase::posed_contact;
use crate::scene::query::SceneContact;
use crate::scene::robot::{RobotScene, RobotSceneError};
use crate::scene::warm::is_settled;
use nalgebra::{Unit, Vector3};
use superovoid::internals::{MAX_LANES, RELATIVE_TOLERANCE, cache_along};
use superovoid::{Contact, QueryOptions, Shape};

/// The place of a pair in the list, and a lane.
pub(super) type Place = (u32, usize);

/// The pairs of a robot scene that are compared, at a block of configurations.
pub(super) struct BlockPairs<'a> {
    scene: &'a RobotScene,
    pub pairs: &'a [[u32; 2]],
    memory: Box<Memory>,
    /// What is left of [`BUDGET`].
    budget: usize,
}

/// What two hulls say: that they are apart, in a direction, if it is kept; or how near they are.
enum Asked {
    Apart(Option<Direction>),
    Near(Contact),
    Unknown,
}

/// The score below which hulls and pieces are not asked.
const USELESS: i8 = -3;
/// How often hulls that were of no use are not asked, before they are asked again.
const ASKED_AGAIN: i8 = 16;

/// The number of distances of pieces that are asked for a pair in a block.
pub(super) const BUDGET: usize = 512;
/// The number of pairs of pieces whose directions are kept.
const MOST_PARTS: usize = 1 << 14;

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
            budget: 0,
        }
    }

    pub fn into_memory(self) -> Box<Memory> {
        self.memory
    }

    /// Adds to the counts of the scene.
    pub fn count(&self, steps: [u64; STEPS]) {
        self.scene.steps.add(steps);
    }

    /// Moves the robot to at most eight states.
    pub fn move_to(&mut self, states: &States) -> Result<(), RobotSceneError> {
        Ok(self.memory.block.move_to(&self.scene.placed(), states)?)
    }

    /// Decreases each lane's number to an upper bound of the least distance of all pairs, or 0.
    pub fn at_most(&mut self, least: &mut Column) {
        self.memory.block.at_most(self.pairs, least);
    }

    /// Returns an empty list, which must be [given back](Self::give_back).
    pub fn take_list(&mut self) -> Vec<Near> {
        let mut list = std::mem::take(&mut self.memory.near);
        list.clear();
        list
    }

    /// Returns the noted pair at a place, the last one first.
    pub fn noted(&self, place: usize) -> Option<u32> {
        self.memory.noted.get(place).copied()
    }

    /// Returns the lanes in which the bounds of a pair are within a distance, if there are any.
    pub fn near(&mut self, pair: u32, within: &Column) -> Option<Near> {
        let slots = self.pairs[pair as usize];
        self.memory.block.near(pair, slots, within)
    }

    /// Returns those of the noted pairs whose bounds are within a distance in some lane, the last one first. The list
    /// must be [given back](Self::give_back).
    pub fn near_noted(&mut self, within: &Column) -> Vec<Near> {
        let mut list = self.take_list();
        for place in 0..self.memory.noted.len() {
            let found = self.noted(place).and_then(|pair| self.near(pair, within));
            list.extend(found);
        }
        list
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

    /// Does so with the direction that is likely to separate the pair in a lane.
    pub fn guess(
        &mut self,
        (pair, lane): Place,
        options: &QueryOptions,
        near: &mut [bool; MAX_LANES],
    ) {
        let scene: &'a RobotScene = self.scene;
        let Some((sides, within)) = sides(scene, self.pairs[pair as usize], options) else {
            return;
        };
        let memory = &mut *self.memory;
        let directions = &mut memory.directions[pair as usize];
        directions.guess(&memory.block, &sides, within, near, lane);
    }

    /// Returns the lanes in which a corner of the body that moves is in one that stays.
    pub fn has_corner_inside(&mut self, pair: u32) -> [bool; MAX_LANES] {
        self.memory
            .block
            .has_corner_inside(self.pairs[pair as usize])
    }

    /// Returns the lanes in which a pair is plain to see in collision, by balls inside its bodies.
    pub fn overlap(&mut self, pair: u32) -> [bool; MAX_LANES] {
        self.memory.block.overlap(self.pairs[pair as usize])
    }

    /// Asks the hulls of a pair whether they are apart, and keeps the direction in which they are. Those that hold pieces
    /// are not asked where they overlap time and again, as those of a bent link and what it reaches around do.
    pub fn by_hulls(
        &mut self,
        (pair, lane): Place,
        options: &QueryOptions,
    ) -> Result<ByHulls, RobotSceneError> {
        let [Some(a), Some(b)] = self.bodies(pair) else {
            return Ok(ByHulls::Apart);
        };
        let (Some(hull_a), Some(hull_b)) = (a.hull(), b.hull()) else {
            return Ok(ByHulls::Open);
        };
        let bodies = hull_a.is_body && hull_b.is_body;
        let score = &mut self.memory.use_of_hulls[pair as usize];
        // Without pieces it is the hulls that may spare the contact. Pieces are made when they are first asked for.
        if *score < USELESS && !bodies && (a.has_pieces() || b.has_pieces()) {
            *score -= 1;
            if *score < USELESS - ASKED_AGAIN {
                *score = USELESS;
            }
            return Ok(ByHulls::Open);
        }
        let found = self.ask_hulls((pair, lane), [a, b], [hull_a, hull_b], options)?;
        let score = &mut self.memory.use_of_hulls[pair as usize];
        if let Asked::Apart(direction) = found {
            *score = (*score + 1).min(-USELESS);
            self.memory.directions[pair as usize].extend(direction);
        } else {
            *score = (*score - 1).max(USELESS - 1);
        }
        Ok(match found {
            Asked::Apart(_) => ByHulls::Apart,
            Asked::Near(contact) if bodies => {
                let padding = self.scene.scene.padding_of([a, b]).total();
                if contact.upper <= padding {
                    ByHulls::Touch
                } else {
                    ByHulls::Open
                }
            }
            Asked::Near(_) | Asked::Unknown => ByHulls::Open,
        })
    }

    /// Asks the pieces of a pair in the lanes that are set, and ends those in which all of them are apart. They are not
    /// asked where they were of no use several times more often than of use: where the bodies collide.
    pub fn by_pieces(
        &mut self,
        pair: u32,
        options: &QueryOptions,
        near: &mut [bool; MAX_LANES],
    ) -> Result<(), RobotSceneError> {
        let [Some(a), Some(b)] = self.bodies(pair) else {
            return Ok(());
        };
        if self.memory.use_of_pieces[pair as usize] < USELESS || !(a.has_pieces() || b.has_pieces())
        {
            return Ok(());
        }
        let count = |near: &[bool; MAX_LANES]| near.iter().filter(|near| **near).count() as i8;
        let before = count(near);
        self.budget = BUDGET;
        if self.memory.of_parts.len() > MOST_PARTS {
            self.memory.of_parts.clear();
        }
        self.by_parts(pair, [a.whole(), b.whole()], options, near)?;
        let score = &mut self.memory.use_of_pieces[pair as usize];
        *score = (*score + before - count(near)).min(-USELESS);
        Ok(())
    }

    /// Notes that a pair was solved, which pieces would not have told if it collides, and might have if it is free.
    pub fn note_solved(&mut self, pair: u32, is_free: bool) {
        let score = &mut self.memory.use_of_pieces[pair as usize];
        let is_asked = *score >= USELESS;
        if is_free && !is_asked {
            *score += 1;
        } else if is_asked {
            *score -= 1;
        }
    }

    /// Does so for two parts of them.
    fn by_parts(
        &mut self,
        pair: u32,
        parts: [Part<'a>; 2],
        options: &QueryOptions,
        near: &mut [bool; MAX_LANES],
    ) -> Result<(), RobotSceneError> {
        let [Some(a), Some(b)] = self.bodies(pair) else {
            return Ok(());
        };
        let slots = self.pairs[pair as usize].map(|slot| slot as usize);
        let [of_a, of_b] = parts.map(Part::parts);
        let [Some(whole_a), Some(whole_b)] = parts.map(Part::hull) else {
            return Ok(());
        };
        if of_a.len() * of_b.len() == 1 || self.budget == 0 {
            return Ok(());
        }
        let apart = [doubt(options, whole_a.size + whole_b.size); MAX_LANES];
        // Lanes in which two parts are not known to be apart.
        let mut open = [false; MAX_LANES];
        let block = &self.memory.block;
        let near_parts = block.parts_near(slots, [a, b], [&of_a, &of_b], &apart);
        for ([i, j], by_balls) in near_parts.near {
            let parts = [of_a[i], of_b[j]];
            let [Some(hull_a), Some(hull_b)] = parts.map(Part::hull) else {
                return Ok(());
            };
            let hulls = [hull_a, hull_b];
            let Some((sides, within)) = self.sides_of(pair, hulls, options) else {
                return Ok(());
            };
            let mut lanes: [bool; MAX_LANES] =
                std::array::from_fn(|lane| by_balls[lane] && near[lane] && !open[lane]);
            if !lanes.contains(&true) {
                continue;
            }
            let memory = &mut *self.memory;
            let place = (pair, parts.map(Part::id));
            let mut directions = memory.of_parts.remove(&place).unwrap_or_default();
            directions.separate(&memory.block, &sides, within, &mut lanes);
            let mut left = [false; MAX_LANES];
            for lane in 0..MAX_LANES {
                if !lanes[lane] {
                    continue;
                }
                directions.guess(&self.memory.block, &sides, within, &mut lanes, lane);
                if !lanes[lane] {
                    continue;
                }
                lanes[lane] = false;
                self.budget = self.budget.saturating_sub(1);
                match self.ask_hulls((pair, lane), [a, b], hulls, options)? {
                    Asked::Apart(direction) => {
                        directions.extend(direction);
                        directions.separate(&self.memory.block, &sides, within, &mut lanes);
                    }
                    Asked::Near(_) | Asked::Unknown => left[lane] = true,
                }
            }
            if !directions.kept.is_empty() {
                self.memory.of_parts.insert(place, directions);
            }
            if left.contains(&true) {
                self.by_parts(pair, parts, options, &mut left)?;
            }
            for lane in 0..MAX_LANES {
                open[lane] |= left[lane];
            }
            if near.iter().zip(&open).all(|(near, open)| near == open) {
                return Ok(());
            }
        }
        *near = open;
        Ok(())
    }

    fn bodies(&self, pair: u32) -> [Option<&'a Body>; 2] {
        let scene: &'a RobotScene = self.scene;
        self.pairs[pair as usize].map(|slot| scene.scene.body(slot))
    }

    fn sides_of<'h>(
        &self,
        pair: u32,
        hulls: [&'h Hull; 2],
        options: &QueryOptions,
    ) -> Option<(Sides<'h>, f64)> {
        sides_of_hulls(self.scene, self.pairs[pair as usize], hulls, options)
    }

    /// Asks two hulls of a pair for their distance, and the direction in which they are apart.
    fn ask_hulls(
        &self,
        (pair, lane): Place,
        bodies: [&Body; 2],
        hulls: [&Hull; 2],
        options: &QueryOptions,
    ) -> Result<Asked, RobotSceneError> {
        /// The share of the size beyond which the bodies need not be known to be apart, and to which their distance is
        /// worked out: a direction that is nearly the best one will do.
        const FAR: f64 = 0.1;
        const COARSE: f64 = 1e-4;
        let slots = self.pairs[pair as usize];
        let scene: &'a RobotScene = self.scene;
        let Some((sides, within)) = self.sides_of(pair, hulls, options) else {
            return Ok(Asked::Unknown);
        };
        let [pose_a, pose_b] = slots.map(|slot| self.memory.block.poses[slot as usize].get(lane));
        let coarse = options
            .with_max_distance(within + FAR * sides.size)
            .with_tolerance(options.tolerance.max(COARSE * sides.size));
        let found = hull_contact(hulls, [&pose_a, &pose_b], &coarse);
        let found = found.map_err(|error| scene.scene.query_error(bodies, error))?;
        Ok(match found {
            None => Asked::Apart(None),
            Some(contact) if contact.lower <= within => Asked::Near(contact),
            Some(contact) => {
                let poses = [&pose_a, &pose_b];
                Asked::Apart(sides.direction(slots, poses, &contact))
            }
        })
    }

    /// Whether the pair is of superovoids that the search for directions takes.
    pub fn is_of_ovoids(&self, pair: u32) -> bool {
        let bodies = self.pairs[pair as usize].map(|slot| self.scene.scene.body(slot));
        let is_ovoid = |body: Option<&Body>| {
            body.is_some_and(|body| matches!(body.shape, Shape::Superovoid(_)))
        };
        bodies.into_iter().all(is_ovoid)
    }

    /// Returns the distance beyond which two superovoids count as apart.
    pub fn doubt(&self, pair: u32, options: &QueryOptions) -> f64 {
        let size = |body: Option<&Body>| match body.map(|body| &body.shape) {
            Some(Shape::Superovoid(shape)) => shape.size(),
            _ => 0.0,
        };
        let [a, b] = self.bodies(pair).map(size);
        doubt(options, a + b)
    }

    /// Returns the search for a direction that separates a pair by more than the limit; `None` if it is not of convex
    /// superovoids. It begins with the direction that separated the pair last.
    pub fn search(&self, (pair, lane): Place, limit: f64) -> Option<Separation<'a>> {
        let slots = self.pairs[pair as usize];
        let scene: &'a RobotScene = self.scene;
        let [body_a, body_b] = slots.map(|slot| scene.scene.body(slot));
        let (body_a, body_b) = (body_a?, body_b?);
        match (&body_a.shape, &body_b.shape) {
            (Shape::Superovoid(a), Shape::Superovoid(b)) => {
                let poses = slots.map(|slot| &self.memory.block.poses[slot as usize]);
                let padding = scene.scene.padding_of([body_a, body_b]).total();
                let direction = self.memory.of_ovoids[pair as usize].direction();
                Separation::new([a, b], poses, lane, limit, padding, direction)
            }
            _ => None,
        }
    }

    /// Keeps the direction of a search that separates a pair, for the next search of the pair.
    pub fn keep(&mut self, (pair, _): Place, search: &Separation) {
        self.memory.of_ovoids[pair as usize].keep(search.direction);
    }

    /// Returns the contact of a pair, unless it is proven to be farther apart than the option `max_distance`. Newton's method
    /// begins at a direction that separates the bodies, if one is given, and where another start could lead to another
    /// answer it begins at the line of centres.
    pub fn contact(
        &self,
        (pair, lane): Place,
        options: &QueryOptions,
        along: Option<&Unit<Vector3<f64>>>,
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
            if let Some(n) = along {
                let in_b = pose_b.inverse_transform_vector(&(pose_a * n));
                let mut cache = cache_along([x, y], [n, &in_b]);
                let found =
                    superovoid::contact(x, &pose_a, y, &pose_b, &options, Some(&mut cache))?;
                let size = x.size().max(y.size());
                let tolerance = options.tolerance.max(RELATIVE_TOLERANCE * size);
                if is_settled(&found, tolerance, options.max_distance) {
                    return Ok(found);
                }
            }
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
fn sides<'a>(
    scene: &'a RobotScene,
    slots: [u32; 2],
    options: &QueryOptions,
) -> Option<(Sides<'a>, f64)> {
    let [a, b] = slots.map(|slot| scene.scene.body(slot));
    sides_of_hulls(scene, slots, [a?.hull()?, b?.hull()?], options)
}

/// Returns the same for hulls of both bodies, or of pieces of them.
pub(super) fn sides_of_hulls<'h>(
    scene: &RobotScene,
    slots: [u32; 2],
    [hull_a, hull_b]: [&'h Hull; 2],
    options: &QueryOptions,
) -> Option<(Sides<'h>, f64)> {
    let [a, b] = slots.map(|slot| scene.scene.body(slot));
    let (a, b) = (a?, b?);
    let [slot_a, slot_b] = slots.map(|slot| slot as usize);
    let (slots, hard, easy) = match (&hull_a.outline, &hull_b.outline) {
        // Of powers a search for each pair takes less than directions.
        (Outline::Powers | Outline::Superovoid(_), Outline::Powers | Outline::Superovoid(_)) => {
            return None;
        }
        (Outline::Powers | Outline::Superovoid(_), _) => ([slot_a, slot_b], hull_a, hull_b),
        _ => ([slot_b, slot_a], hull_b, hull_a),
    };
    let size = hull_a.size + hull_b.size;
    let within = scene.scene.padding_of([a, b]).total() + doubt(options, size);
    let reach = hull_a.reach + hull_b.reach;
    Some((
        Sides {
            slots,
            hard: Some(hard),
            easy,
            size,
            reach,
        },
        within,
    ))
}

/// Returns the distance of bodies of a size beyond which they count as apart.
fn doubt(options: &QueryOptions, size: f64) -> f64 {
    4.0 * options.tolerance.max(RELATIVE_TOLERANCE * size)
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
