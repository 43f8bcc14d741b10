//! Straight edges, proven in lanes: an interval in each.
//!
//! The algorithm is that of [`edge::search`](crate::robot::edge::search), with eight intervals of one level side by side. An
//! interval is a state, its middle, at which a pair has to be farther apart than it can move. It is asked with that
//! distance
//!
//! 1. by the bounds of a [block](super::block) of states, and the balls that cover bodies;
//! 2. by the directions that have separated the pair on this edge, with the speed along them ([`travel`](super::travel)), and those that
//!    separate it in the middle once more by both support functions at the ends;
//! 3. by a direction that is likely, without a search: that of a face, or from middle to middle;
//! 4. by the distance of the hulls, of one lane after the other, which gives a direction for all of them;
//! 5. where hulls overlap, by the [pieces](crate::levels) of meshes in the same way, and by their pieces.
//!
//! The edge begins as eight intervals, and what is left of a pair goes to the halves that are not proven. What hulls of the
//! smallest pieces cannot tell is left to the search by bodies, with a small interval; where a pair is known to touch,
//! all the rest is.
//!
//! Directions are forgotten from edge to edge, so that an answer does not depend on what was asked before.

use super::block::{Block, Near, NearParts};
use super::cluster::Sphere;
use super::directions::{Direction, Directions, KEPT, Sides};
use super::edge_memory::{Edges, Interval, Level};
use super::memory::Memory;
use super::pairs::{BUDGET, sides_of_hulls};
use super::travel::{Gaps, MovingPair, Travel};
use crate::levels::{Hull, Outline, Part, hull_contact};
use crate::poses::Column;
use crate::robot::edge::search::{Rest, RestInterval};
use crate::robot::{Configuration, EdgeOptions, States};
use crate::scene::body::{Body, BodyPlace};
use crate::scene::narrow_phase::posed_contact;
use crate::scene::robot::{RobotScene, RobotSceneError};
use std::ops::Range;
use superovoid::DepthMode;
use superovoid::internals::MAX_LANES;

/// Intervals of less than half a width of 2 to the power of minus this are left to the search by bodies.
const DEEPEST: i32 = 12;
/// A direction is sought by a distance where what is missing of the best one is at most so many times its gap.
const WORTH: f64 = 1.0;

/// The half-width below which an interval in which hulls overlap is left to the search by bodies.
const FINE: f64 = 1.0 / 512.0;

/// Proves what it can of the straight line between two configurations of the robot; `None` where a joint moves that lanes
/// do not take.
pub(in crate::scene) fn prove_in_lanes(
    scene: &RobotScene,
    memory: &mut Memory,
    pairs: &[[u32; 2]],
    ends: [&Configuration; 2],
    options: &EdgeOptions,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Option<Rest>, RobotSceneError> {
    let mut search = Search {
        scene,
        block: &mut memory.block,
        edges: &mut memory.edges,
        pairs,
        ends,
        options,
        stop,
        rest: Rest::default(),
        at: [0.0; MAX_LANES],
        budget: 0,
    };
    let is_fit = search.begin();
    if is_fit {
        search.run()?;
    }
    Ok(is_fit.then_some(search.rest))
}

struct Search<'a> {
    scene: &'a RobotScene,
    block: &'a mut Block,
    edges: &'a mut Edges,
    pairs: &'a [[u32; 2]],
    ends: [&'a Configuration; 2],
    options: &'a EdgeOptions,
    stop: &'a mut dyn FnMut() -> bool,
    rest: Rest,
    /// The middles of the intervals in hand.
    at: Column,
    /// The number of distances after which the pieces of a pair in a block are not asked any more.
    budget: usize,
}

/// A pair in a block.
struct Asked {
    pair: u32,
    of: MovingPair,
    speed: Column,
    acceleration: Column,
    /// The distance to keep, and the one with the rounding.
    separation: f64,
    margin: f64,
    /// The lanes and the halves that are not proven.
    open: [[bool; 2]; MAX_LANES],
    /// The best gap in the middle, and what is missing of it at the ends.
    gap: Column,
    missing: Column,
}

impl<'a> Search<'a> {
    fn begin(&mut self) -> bool {
        let edges = &mut *self.edges;
        edges
            .directions
            .resize_with(self.pairs.len(), Directions::default);
        edges.of_parts.clear();
        edges.lanes.resize(self.pairs.len(), 0);
        for pair in edges.separated.drain(..) {
            edges.directions[pair as usize].kept.clear();
        }
        // What a query left that ended with an error.
        edges.children.iter_mut().flatten().for_each(Vec::clear);
        edges.hard.iter_mut().for_each(Vec::clear);
        let scene = self.scene;
        let frames = &self.block.frames;
        let is_fit = edges
            .travel
            .set(&scene.robot, &scene.base, frames, self.ends);
        if is_fit {
            edges.travel.set_pairs(self.block, &scene.scene, self.pairs);
        }
        is_fit
    }

    fn run(&mut self) -> Result<(), RobotSceneError> {
        let [mut level, mut next] = std::mem::take(&mut self.edges.levels);
        // What does not move relative to each other is asked once.
        let all = || 0..self.pairs.len() as u32;
        let moves = |pair: &u32| self.edges.travel.pairs[*pair as usize].moves();
        level.pairs.clear();
        level.pairs.extend(all().filter(moves));
        let moving = level.pairs.len();
        level.pairs.extend(all().filter(|pair| !moves(pair)));
        let half = 0.5 / MAX_LANES as f64;
        level.intervals.clear();
        level.intervals.extend((0..MAX_LANES).map(|k| Interval {
            middle: (2 * k + 1) as f64 * half,
            half,
            pairs: 0..if k == 0 { level.pairs.len() } else { moving },
        }));
        while !level.intervals.is_empty() {
            next.intervals.clear();
            next.pairs.clear();
            for block in level.intervals.chunks(MAX_LANES) {
                if self.is_over() {
                    for interval in block {
                        let pairs = level.pairs[interval.pairs.clone()].to_vec();
                        self.leave(interval, pairs);
                    }
                    continue;
                }
                self.judge(block, &level.pairs)?;
                self.halve(block, &mut next);
            }
            std::mem::swap(&mut level, &mut next);
        }
        self.edges.levels = [level, next];
        Ok(())
    }

    fn is_over(&mut self) -> bool {
        self.rest.touching.is_some() || self.rest.states >= self.options.max_states || (self.stop)()
    }

    fn leave(&mut self, interval: &Interval, pairs: Vec<u32>) {
        let moves = |pair: &u32| self.edges.travel.pairs[*pair as usize].moves();
        let (moving, still): (Vec<u32>, Vec<u32>) = pairs.into_iter().partition(moves);
        // What does not move was asked for the whole edge.
        let of = [(interval.middle, interval.half, moving), (0.5, 0.5, still)];
        for (middle, half, pairs) in of {
            if !pairs.is_empty() {
                self.rest.intervals.push(RestInterval {
                    middle,
                    half,
                    pairs,
                });
            }
        }
    }

    /// Adds the halves in which pairs are left.
    fn halve(&mut self, block: &[Interval], next: &mut Level) {
        let smallest = 0.5_f64.powi(DEEPEST);
        for (lane, interval) in block.iter().enumerate() {
            let hard = std::mem::take(&mut self.edges.hard[lane]);
            if !hard.is_empty() {
                self.leave(interval, hard);
            }
            for side in 0..2 {
                let pairs = &self.edges.children[lane][side];
                if pairs.is_empty() {
                    continue;
                }
                let half = 0.5 * interval.half;
                let first = next.pairs.len();
                next.pairs.extend_from_slice(pairs);
                self.edges.children[lane][side].clear();
                let child = Interval {
                    middle: interval.middle + if side == 0 { -half } else { half },
                    half,
                    pairs: first..next.pairs.len(),
                };
                if half < smallest {
                    self.leave(&child, next.pairs.split_off(first));
                } else {
                    next.intervals.push(child);
                }
            }
        }
    }

    /// Judges at most eight intervals.
    fn judge(&mut self, block: &[Interval], of: &[u32]) -> Result<(), RobotSceneError> {
        let last = block.len() - 1;
        self.at = std::array::from_fn(|lane| block[lane.min(last)].middle);
        let half: Column = std::array::from_fn(|lane| block[lane.min(last)].half);
        let states = States::Between(self.ends, &self.at, block.len());
        self.block.move_to(&self.scene.placed(), &states)?;
        self.edges.travel.at(self.block, &half);
        self.rest.states += block.len();
        let mut asked = std::mem::take(&mut self.edges.asked);
        asked.clear();
        // The first intervals share their pairs.
        let shared = shared(block);
        let every_lane = u8::MAX >> (MAX_LANES - block.len());
        asked.extend(of[shared.clone()].iter().map(|pair| (*pair, every_lane)));
        for (lane, interval) in block.iter().enumerate() {
            let first = interval.pairs.start.max(shared.end).min(interval.pairs.end);
            for &pair in &of[first..interval.pairs.end] {
                let lanes = &mut self.edges.lanes[pair as usize];
                if *lanes == 0 {
                    asked.push((pair, 0));
                }
                *lanes |= 1 << lane;
            }
        }
        for (pair, bits) in &mut asked[shared.len()..] {
            *bits = std::mem::take(&mut self.edges.lanes[*pair as usize]);
        }
        let edges = &mut *self.edges;
        let mut near = std::mem::take(&mut edges.near);
        // The bounds have the padding.
        let separation = self.options.min_separation;
        edges.travel.near(self.block, separation, &asked, &mut near);
        for near in &near {
            self.ask(near)?;
        }
        self.edges.near = near;
        self.edges.asked = asked;
        Ok(())
    }

    /// Asks for a pair whose bounds are near.
    fn ask(&mut self, &Near { pair, lanes }: &Near) -> Result<(), RobotSceneError> {
        let of = self.edges.travel.pairs[pair as usize];
        let separation = self.options.min_separation + of.padding;
        let mut asked = Asked {
            open: lanes.map(|is_near| [is_near; 2]),
            ..Asked::new(pair, of, self.edges.travel.motion(&of), separation)
        };
        self.separate(&mut asked)?;
        for (lane, open) in asked.open.iter().enumerate() {
            for (side, is_open) in open.iter().enumerate() {
                if *is_open {
                    self.edges.children[lane][side].push(pair);
                }
            }
        }
        Ok(())
    }

    /// Seeks directions that separate a pair on intervals.
    fn separate(&mut self, asked: &mut Asked) -> Result<(), RobotSceneError> {
        let slots = self.pairs[asked.pair as usize];
        let scene: &'a RobotScene = self.scene;
        let [Some(a), Some(b)] = slots.map(|slot| scene.scene.body(slot)) else {
            asked.open = [[false; 2]; MAX_LANES];
            return Ok(());
        };
        if let Some((sides, direction)) = beside_half_space([a, b], asked.of.slots) {
            asked.try_direction(
                &self.edges.travel,
                self.block,
                (&sides, [None; 2]),
                &direction,
            );
            for lane in 0..MAX_LANES {
                if asked.gap[lane] <= asked.margin {
                    self.leave_to_bodies(asked, lane);
                }
            }
            return Ok(());
        }
        let mut hard = asked.open.map(|open| open != [false; 2]);
        if let (Some(hull_a), Some(hull_b)) = (a.hull(), b.hull()) {
            let pair = asked.pair as usize;
            let mut directions = std::mem::take(&mut self.edges.directions[pair]);
            let hulls = [hull_a, hull_b];
            hard = self.by_hulls(asked, [a, b], hulls, [None; 2], &mut directions)?;
            if !directions.kept.is_empty() {
                self.edges.separated.push(asked.pair);
            }
            self.edges.directions[pair] = directions;
            self.budget = BUDGET;
            let parts = [a.whole(), b.whole()];
            hard = self.by_parts(asked, [a, b], parts, hard)?;
        }
        let Some(first) = hard.iter().position(|is_hard| *is_hard) else {
            return Ok(());
        };
        // A hit is found early, and what is near in a part of an interval is left in a smaller one.
        let is_whole = !a.has_pieces() && !b.has_pieces();
        if !is_whole {
            self.ask_bodies(asked, [a, b], first)?;
        }
        for lane in 0..MAX_LANES {
            let is_small = self.edges.travel.half[lane] < FINE || !asked.of.moves();
            if hard[lane] && (is_whole || is_small) {
                self.leave_to_bodies(asked, lane);
            }
        }
        Ok(())
    }

    /// Asks the bodies themselves in a lane.
    fn ask_bodies(
        &mut self,
        asked: &mut Asked,
        bodies: [&'a Body; 2],
        lane: usize,
    ) -> Result<(), RobotSceneError> {
        let [pose_a, pose_b] = asked.of.slots.map(|slot| self.block.poses[slot].get(lane));
        let query = self.options.query;
        let query = query
            .with_max_distance(asked.separation)
            .with_depth(DepthMode::Any);
        self.rest.distances += 1;
        let found = posed_contact(bodies, [&pose_a, &pose_b], &query, |x, y| {
            superovoid::contact(x, &pose_a, y, &pose_b, &query, None)
        });
        let found = found.map_err(|error| self.scene.scene.query_error(bodies, error))?;
        if found.is_some_and(|(_, contact)| contact.upper <= asked.separation) {
            self.rest.touching = Some((self.at[lane], asked.pair));
        }
        Ok(())
    }

    /// Leaves a pair in an interval to the search by bodies.
    fn leave_to_bodies(&mut self, asked: &mut Asked, lane: usize) {
        if asked.open[lane] != [false; 2] {
            self.edges.hard[lane].push(asked.pair);
            asked.open[lane] = [false; 2];
        }
    }

    /// Seeks directions for all pieces of two parts in the lanes that are set; returns those in which some of them overlap.
    fn by_parts(
        &mut self,
        asked: &mut Asked,
        bodies: [&'a Body; 2],
        parts: [Part<'a>; 2],
        lanes: [bool; MAX_LANES],
    ) -> Result<[bool; MAX_LANES], RobotSceneError> {
        if !lanes.contains(&true) || self.budget == 0 {
            return Ok(lanes);
        }
        let [of_a, of_b] = parts.map(Part::parts);
        if of_a.len() * of_b.len() == 1 {
            return Ok(lanes);
        }
        // The balls have the padding.
        let least = self.options.min_separation + asked.of.rounding;
        let half = &self.edges.travel.half;
        let within = std::array::from_fn(|lane| least + half[lane] * asked.speed[lane]);
        let NearParts { balls, near } =
            self.block
                .parts_near(asked.of.slots, bodies, [&of_a, &of_b], &within);
        let mut hard = [false; MAX_LANES];
        let mut left = [[false; 2]; MAX_LANES];
        for ([i, j], near) in near {
            let parts = [of_a[i], of_b[j]];
            let [Some(hull_a), Some(hull_b)] = parts.map(Part::hull) else {
                return Ok(lanes);
            };
            let motion = [asked.speed, asked.acceleration];
            let mut of_place = Asked {
                open: std::array::from_fn(|lane| {
                    let is_asked = near[lane] && lanes[lane] && !hard[lane];
                    asked.open[lane].map(|open| open && is_asked)
                }),
                ..Asked::new(asked.pair, asked.of, motion, asked.separation)
            };
            if !of_place.is_open() {
                continue;
            }
            let place = (asked.pair, parts.map(Part::id));
            let known = self.edges.of_parts.remove(&place);
            let mut directions = known.unwrap_or_default();
            let hulls = [hull_a, hull_b];
            let around = [balls[0][i].as_ref(), balls[1][j].as_ref()];
            let overlap = self.by_hulls(&mut of_place, bodies, hulls, around, &mut directions)?;
            if !directions.kept.is_empty() {
                self.edges.of_parts.insert(place, directions);
            }
            let overlap = self.by_parts(&mut of_place, bodies, parts, overlap)?;
            for lane in 0..MAX_LANES {
                hard[lane] |= overlap[lane];
                for side in 0..2 {
                    left[lane][side] |= of_place.open[lane][side];
                }
            }
        }
        for lane in (0..MAX_LANES).filter(|&lane| lanes[lane] && !hard[lane]) {
            asked.open[lane] = left[lane];
        }
        Ok(hard)
    }

    /// Seeks directions that separate two hulls of a pair, with balls around them if they are of parts; returns the lanes in
    /// which they overlap.
    fn by_hulls(
        &mut self,
        asked: &mut Asked,
        bodies: [&'a Body; 2],
        hulls: [&'a Hull; 2],
        around: [Option<&Sphere>; 2],
        directions: &mut Directions,
    ) -> Result<[bool; MAX_LANES], RobotSceneError> {
        let slots = self.pairs[asked.pair as usize];
        let Some(sides) = self.sides(slots, hulls) else {
            return Ok(asked.open.map(|open| open != [false; 2]));
        };
        let all = (&sides, around);
        let (mut best, mut middles) = ([0; MAX_LANES], [[0.0; MAX_LANES]; KEPT]);
        for (k, middle) in middles.iter_mut().enumerate().take(directions.kept.len()) {
            let before = asked.gap;
            let (travel, direction) = (&self.edges.travel, &directions.kept[k]);
            *middle = asked.try_direction(travel, self.block, all, direction);
            if !asked.is_open() {
                directions.kept[..=k].rotate_right(1);
                return Ok([false; MAX_LANES]);
            }
            for lane in 0..MAX_LANES {
                if asked.gap[lane] > before[lane] {
                    best[lane] = k;
                }
            }
        }
        for (k, direction) in directions.kept.iter().enumerate() {
            let is_best = |lane: usize| best[lane] == k && asked.is_worth(lane);
            if (0..MAX_LANES).any(is_best) {
                asked.try_ends(
                    &self.edges.travel,
                    self.block,
                    &sides,
                    direction,
                    &middles[k],
                );
            }
        }
        if !asked.is_open() {
            return Ok([false; MAX_LANES]);
        }
        let mut hard = [false; MAX_LANES];
        let mut likely: Option<Direction> = None;
        for lane in 0..MAX_LANES {
            if asked.open[lane] != [false; 2] && asked.gap[lane] <= asked.margin {
                let poses = sides.slots.map(|slot| self.block.poses[slot].get(lane));
                let found = sides.likely_direction(poses.each_ref());
                if let Some(direction) = found
                    && likely.is_none_or(|last| last.n != direction.n)
                {
                    likely = Some(direction);
                    asked.try_both(&self.edges.travel, self.block, all, &direction, lane);
                    if asked.gap[lane] > asked.margin {
                        directions.add(direction);
                    }
                }
            }
            if asked.open[lane] == [false; 2] {
                continue;
            }
            let is_apart = asked.gap[lane] > asked.margin;
            if is_apart && asked.missing[lane] > WORTH * (asked.gap[lane] - asked.margin) {
                continue;
            }
            match self.ask_hulls(asked, bodies, hulls, &sides, lane)? {
                Found::Free => asked.open[lane] = [false; 2],
                Found::Touching => {
                    self.rest.touching = Some((self.at[lane], asked.pair));
                    return Ok(hard);
                }
                Found::Near => hard[lane] = true,
                Found::Apart(direction) => {
                    directions.add(direction);
                    asked.try_both(&self.edges.travel, self.block, all, &direction, lane);
                    // Nearer than the doubt about a support function in lanes.
                    hard[lane] = asked.open[lane] != [false; 2] && !asked.is_worth(lane);
                }
            }
        }
        Ok(hard)
    }

    /// Returns the sides of two hulls of a pair; `None` where neither's support function fits lanes.
    fn sides<'h>(&self, slots: [u32; 2], hulls: [&'h Hull; 2]) -> Option<Sides<'h>> {
        let known = sides_of_hulls(self.scene, slots, hulls, &self.options.query);
        if let Some((sides, _)) = known {
            return Some(sides);
        }
        let [a, b] = hulls;
        let is_ovoid = |hull: &Hull| matches!(hull.outline, Outline::Superovoid(_));
        (is_ovoid(a) && is_ovoid(b)).then_some(Sides {
            slots: [slots[1] as usize, slots[0] as usize],
            hard: Some(b),
            easy: a,
            size: a.size + b.size,
            reach: a.reach + b.reach,
        })
    }

    /// Asks for the distance of two hulls in a lane.
    fn ask_hulls(
        &mut self,
        asked: &Asked,
        bodies: [&'a Body; 2],
        hulls: [&'a Hull; 2],
        sides: &Sides,
        lane: usize,
    ) -> Result<Found, RobotSceneError> {
        /// The share of the size to which a distance is worked out: a direction that is nearly the best one will do.
        const COARSE: f64 = 1e-4;
        let [pose_a, pose_b] = asked.of.slots.map(|slot| self.block.poses[slot].get(lane));
        let travel = self.edges.travel.half[lane] * asked.speed[lane];
        let query = self.options.query;
        let query = query
            .with_max_distance(asked.margin + travel)
            .with_tolerance(query.tolerance.max(COARSE * sides.size))
            .with_depth(DepthMode::Any);
        self.rest.distances += 1;
        self.budget = self.budget.saturating_sub(1);
        let found = hull_contact(hulls, [&pose_a, &pose_b], &query);
        let found = found.map_err(|error| self.scene.scene.query_error(bodies, error))?;
        let contact = match found {
            None => return Ok(Found::Free),
            Some(contact) if contact.lower > asked.margin + travel => return Ok(Found::Free),
            Some(contact) => contact,
        };
        if contact.lower > asked.margin {
            let slots = self.pairs[asked.pair as usize];
            let direction = sides.direction(slots, [&pose_a, &pose_b], &contact);
            return Ok(direction.map_or(Found::Near, Found::Apart));
        }
        let touches = hulls.iter().all(|hull| hull.is_body) && contact.upper <= asked.separation;
        Ok(if touches {
            Found::Touching
        } else {
            Found::Near
        })
    }
}

/// Returns the places of the pairs that are those of every interval of a block.
fn shared(block: &[Interval]) -> Range<usize> {
    let start = block[0].pairs.start;
    let end = |interval: &Interval| match interval.pairs.start == start {
        true => interval.pairs.end,
        false => start,
    };
    start..block.iter().map(end).min().unwrap_or(start)
}

/// What the distance of two hulls says of an interval.
enum Found {
    /// It is farther than the pair can move.
    Free,
    Touching,
    /// They overlap, or are nearer than they may be.
    Near,
    Apart(Direction),
}

impl Asked {
    /// Returns a pair that keeps a distance, with its speed and acceleration, in no lane.
    fn new(pair: u32, of: MovingPair, [speed, acceleration]: [Column; 2], separation: f64) -> Self {
        Asked {
            pair,
            of,
            speed,
            acceleration,
            separation,
            margin: separation + of.rounding,
            open: [[false; 2]; MAX_LANES],
            gap: [f64::NEG_INFINITY; MAX_LANES],
            missing: [f64::INFINITY; MAX_LANES],
        }
    }

    fn is_open(&self) -> bool {
        self.open.iter().flatten().any(|open| *open)
    }

    /// Whether the pair is open in a lane, and a direction separates it in the middle.
    fn is_worth(&self, lane: usize) -> bool {
        self.open[lane] != [false; 2] && self.gap[lane] > self.margin
    }

    /// Ends the halves that a direction proves, by the support functions of both hulls where it separates these in a lane and proves
    /// less than all.
    fn try_both(
        &mut self,
        travel: &Travel,
        block: &Block,
        all: (&Sides, [Option<&Sphere>; 2]),
        direction: &Direction,
        lane: usize,
    ) {
        let middle = self.try_direction(travel, block, all, direction);
        if self.is_worth(lane) {
            self.try_ends(travel, block, all.0, direction, &middle);
        }
    }

    /// Ends the halves that a direction proves by the support functions of both hulls, with its gaps in the middle.
    fn try_ends(
        &mut self,
        travel: &Travel,
        block: &Block,
        sides: &Sides,
        direction: &Direction,
        middle: &Column,
    ) {
        let ends = travel.sharper_ends(block, &self.of, &self.acceleration, sides, direction);
        if let Some(ends) = ends {
            self.take(middle, &ends);
        }
    }

    /// Ends the halves that a direction proves; returns the gaps along it in the middle.
    fn try_direction(
        &mut self,
        travel: &Travel,
        block: &Block,
        sides: (&Sides, [Option<&Sphere>; 2]),
        direction: &Direction,
    ) -> Column {
        let Gaps { middle, ends } =
            travel.gaps(block, &self.of, &self.acceleration, sides, direction);
        self.take(&middle, &ends);
        middle
    }

    fn take(&mut self, middle: &Column, ends: &[Column; 2]) {
        for lane in 0..MAX_LANES {
            if middle[lane] > self.margin {
                for side in 0..2 {
                    // NaN proves nothing.
                    if ends[side][lane] > self.margin {
                        self.open[lane][side] = false;
                    }
                }
            }
            let missing = self.margin - ends[0][lane].min(ends[1][lane]);
            if middle[lane] > self.gap[lane] {
                (self.gap[lane], self.missing[lane]) = (middle[lane], missing);
            } else if middle[lane] == self.gap[lane] {
                self.missing[lane] = self.missing[lane].min(missing);
            }
        }
    }
}

/// Returns the direction of the half-space that the second body is, and the sides for it.
fn beside_half_space<'a>(
    [a, b]: [&'a Body; 2],
    [slot_a, slot_b]: [usize; 2],
) -> Option<(Sides<'a>, Direction)> {
    let BodyPlace::HalfSpace(half_space, _) = &b.place else {
        return None;
    };
    let easy = a.hull()?;
    let normal = half_space.normal().into_inner();
    let height = half_space.offset() - normal.dot(&b.pose.translation.vector);
    let n = b.pose.rotation.inverse_transform_vector(&normal);
    let sides = Sides {
        slots: [slot_b, slot_a],
        hard: None,
        easy,
        size: easy.size,
        reach: easy.reach + half_space.offset().abs(),
    };
    Some((sides, Direction { n, height }))
}
