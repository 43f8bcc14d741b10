//! Straight edges, proven in lanes: an interval in each.
//!
//! The algorithm is that of [`edge::search`](crate::robot::edge::search), with eight intervals of one level side by side. An
//! interval is a state, its middle, at which a pair has to be farther apart than it can move. It is asked with that
//! distance
//!
//! 1. by the bounds of a [block](super::block) of states, and the balls that cover bodies;
//! 2. by the directions that have separated the pair on this edge, with the speed along them ([`travel`](super::travel));
//! 3. by the distance of the hulls, of one lane after the other, which gives a direction for all of them.
//!
//! The edge begins as eight intervals, and what is left of a pair goes to the halves that are not proven. What hulls cannot
//! tell, as they overlap, is left to the search by bodies, with the interval in which it is.
//!
//! Directions are forgotten from edge to edge, so that an answer does not depend on what was asked before.

use super::block::{Block, Near};
use super::directions::{Direction, Directions, Sides};
use super::memory::Memory;
use super::pairs::sides;
use super::travel::{Gaps, MovingPair, Travel};
use crate::poses::Column;
use crate::robot::edge::search::{Rest, RestInterval};
use crate::robot::{Configuration, EdgeOptions, States};
use crate::scene::body::{Body, BodyPlace};
use crate::scene::hull::hull_contact;
use crate::scene::robot::{RobotScene, RobotSceneError};
use std::ops::Range;
use std::time::Instant;
use superovoid::DepthMode;
use superovoid::internals::MAX_LANES;

/// The memory of edges.
#[derive(Default)]
pub(super) struct Edges {
    travel: Travel,
    directions: Vec<Directions>,
    /// The pairs that have directions.
    separated: Vec<u32>,
    /// The lanes in which each pair is asked, as bits.
    lanes: Vec<u8>,
    asked: Vec<(u32, u8)>,
    near: Vec<Near>,
    levels: [Level; 2],
    children: [[Vec<u32>; 2]; MAX_LANES],
    hard: [Vec<u32>; MAX_LANES],
}

/// The intervals of one size, and their pairs.
#[derive(Default)]
struct Level {
    intervals: Vec<Interval>,
    pairs: Vec<u32>,
}

#[derive(Clone)]
struct Interval {
    middle: f64,
    half: f64,
    pairs: Range<usize>,
}

/// The number of times that the first intervals are halved here.
const DEEPEST: i32 = 12;
/// A direction is sought by a distance where what is missing of the best one is at most so many times its gap.
const WORTH: f64 = 1.0;

/// Proves what it can of the straight line between two configurations of the robot; `None` where a joint moves that lanes
/// do not take.
pub(in crate::scene) fn prove_in_lanes(
    scene: &RobotScene,
    memory: &mut Memory,
    pairs: &[[u32; 2]],
    ends: [&Configuration; 2],
    options: &EdgeOptions,
    deadline: Option<Instant>,
) -> Result<Option<Rest>, RobotSceneError> {
    let mut search = Search {
        scene,
        block: &mut memory.block,
        edges: &mut memory.edges,
        pairs,
        ends,
        options,
        deadline,
        rest: Rest::default(),
        at: [0.0; MAX_LANES],
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
    deadline: Option<Instant>,
    rest: Rest,
    /// The middles of the intervals in hand.
    at: Column,
}

/// A pair in a block.
struct Asked<'a> {
    pair: u32,
    of: MovingPair,
    speed: Column,
    acceleration: Column,
    /// The distance to keep, and the one with the rounding.
    separation: f64,
    margin: f64,
    /// Missing where the one body is a half-space, of which the direction is known, or has no hull.
    sides: Option<Sides<'a>>,
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
        edges.lanes.resize(self.pairs.len(), 0);
        for pair in edges.separated.drain(..) {
            edges.directions[pair as usize].kept.clear();
        }
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
        level.pairs.clear();
        level.pairs.extend(0..self.pairs.len() as u32);
        let half = 0.5 / MAX_LANES as f64;
        level.intervals.clear();
        level.intervals.extend((0..MAX_LANES).map(|k| Interval {
            middle: (2 * k + 1) as f64 * half,
            half,
            pairs: 0..self.pairs.len(),
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

    fn is_over(&self) -> bool {
        self.rest.touching.is_some()
            || self.rest.states >= self.options.max_states
            || self.deadline.is_some_and(|end| Instant::now() >= end)
    }

    fn leave(&mut self, interval: &Interval, pairs: Vec<u32>) {
        let &Interval { middle, half, .. } = interval;
        self.rest.intervals.push(RestInterval {
            middle,
            half,
            pairs,
        });
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
        let states = States::Between(self.ends, &self.at);
        self.block.move_to(&self.scene.placed(), &states)?;
        self.edges.travel.at(self.block, &half);
        self.rest.states += block.len();
        let mut asked = std::mem::take(&mut self.edges.asked);
        asked.clear();
        for (lane, interval) in block.iter().enumerate() {
            for &pair in &of[interval.pairs.clone()] {
                let lanes = &mut self.edges.lanes[pair as usize];
                if *lanes == 0 {
                    asked.push((pair, 0));
                }
                *lanes |= 1 << lane;
            }
        }
        for (pair, bits) in &mut asked {
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
        let [speed, acceleration] = self.edges.travel.motion(&of);
        let separation = self.options.min_separation + of.padding;
        let mut asked = Asked {
            pair,
            of,
            speed,
            acceleration,
            separation,
            margin: separation + of.rounding,
            sides: None,
            open: lanes.map(|is_near| [is_near; 2]),
            gap: [f64::NEG_INFINITY; MAX_LANES],
            missing: [f64::INFINITY; MAX_LANES],
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
    fn separate(&mut self, asked: &mut Asked<'a>) -> Result<(), RobotSceneError> {
        let slots = self.pairs[asked.pair as usize];
        let scene: &'a RobotScene = self.scene;
        let [Some(a), Some(b)] = slots.map(|slot| scene.scene.body(slot)) else {
            asked.open = [[false; 2]; MAX_LANES];
            return Ok(());
        };
        let bodies = [a, b];
        if let Some((sides, direction)) = beside_half_space(bodies, asked.of.slots) {
            asked.sides = Some(sides);
            asked.try_direction(&self.edges.travel, self.block, &direction);
            asked.leave(self.edges, |gap, margin| gap <= margin);
            return Ok(());
        }
        let Some((sides, _)) = sides(scene, slots, &self.options.query) else {
            asked.leave(self.edges, |_, _| true);
            return Ok(());
        };
        asked.sides = Some(sides);
        let known = self.edges.directions[asked.pair as usize].kept.len();
        for k in 0..known {
            let direction = self.edges.directions[asked.pair as usize].kept[k];
            asked.try_direction(&self.edges.travel, self.block, &direction);
            if !asked.is_open() {
                self.edges.directions[asked.pair as usize].kept[..=k].rotate_right(1);
                return Ok(());
            }
        }
        for lane in 0..MAX_LANES {
            if asked.open[lane] == [false; 2] {
                continue;
            }
            let is_apart = asked.gap[lane] > asked.margin;
            if is_apart && asked.missing[lane] > WORTH * (asked.gap[lane] - asked.margin) {
                continue;
            }
            self.ask_hulls(asked, bodies, lane)?;
            if self.rest.touching.is_some() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Asks for the distance of the hulls in a lane.
    fn ask_hulls(
        &mut self,
        asked: &mut Asked<'a>,
        [a, b]: [&'a Body; 2],
        lane: usize,
    ) -> Result<(), RobotSceneError> {
        /// The share of the size to which a distance is worked out: a direction that is nearly the best one will do.
        const COARSE: f64 = 1e-4;
        let Some(sides) = asked.sides else {
            return Ok(());
        };
        let [Some(hull_a), Some(hull_b)] = [a, b].map(Body::hull) else {
            return Ok(());
        };
        let [pose_a, pose_b] = asked.of.slots.map(|slot| self.block.poses[slot].get(lane));
        let travel = self.edges.travel.half[lane] * asked.speed[lane];
        let query = self.options.query;
        let query = query
            .with_max_distance(asked.margin + travel)
            .with_tolerance(query.tolerance.max(COARSE * sides.size))
            .with_depth(DepthMode::Any);
        self.rest.distances += 1;
        let found = hull_contact([hull_a, hull_b], [&pose_a, &pose_b], &query);
        let found = found.map_err(|error| self.scene.scene.query_error([a, b], error))?;
        let Some(contact) = found else {
            asked.open[lane] = [false; 2];
            return Ok(());
        };
        if contact.lower > asked.margin + travel {
            asked.open[lane] = [false; 2];
            return Ok(());
        }
        if contact.lower <= asked.margin {
            let touches = hull_a.is_body && hull_b.is_body && contact.upper <= asked.separation;
            if touches {
                self.rest.touching = Some((self.at[lane], asked.pair));
            } else {
                self.edges.hard[lane].push(asked.pair);
                asked.open[lane] = [false; 2];
            }
            return Ok(());
        }
        let (hard, pose, normal) = if sides.slots[0] == asked.of.slots[0] {
            (hull_a, &pose_a, contact.normal.into_inner())
        } else {
            (hull_b, &pose_b, -contact.normal.into_inner())
        };
        let n = pose.rotation.inverse_transform_vector(&normal);
        let Some(height) = hard.support(&n) else {
            return Ok(());
        };
        let direction = Direction { n, height };
        let of_pair = &mut self.edges.directions[asked.pair as usize];
        if of_pair.kept.is_empty() {
            self.edges.separated.push(asked.pair);
        }
        of_pair.add(direction);
        asked.try_direction(&self.edges.travel, self.block, &direction);
        Ok(())
    }
}

impl Asked<'_> {
    fn is_open(&self) -> bool {
        self.open.iter().flatten().any(|open| *open)
    }

    /// Ends the halves that a direction proves.
    fn try_direction(&mut self, travel: &Travel, block: &Block, direction: &Direction) {
        let Some(sides) = &self.sides else {
            return;
        };
        let Gaps { middle, ends } =
            travel.gaps(block, &self.of, &self.acceleration, sides, direction);
        for lane in 0..MAX_LANES {
            if middle[lane] > self.margin {
                for side in 0..2 {
                    // NaN proves nothing.
                    if ends[side][lane] > self.margin {
                        self.open[lane][side] = false;
                    }
                }
            }
            if middle[lane] > self.gap[lane] {
                self.gap[lane] = middle[lane];
                self.missing[lane] = self.margin - ends[0][lane].min(ends[1][lane]);
            }
        }
    }

    /// Leaves intervals to the search by bodies: those whose gap and margin say so.
    fn leave(&mut self, edges: &mut Edges, says_so: impl Fn(f64, f64) -> bool) {
        for (lane, open) in self.open.iter_mut().enumerate() {
            if *open != [false; 2] && says_so(self.gap[lane], self.margin) {
                edges.hard[lane].push(self.pair);
                *open = [false; 2];
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
        easy,
        size: easy.size,
        reach: easy.reach + half_space.offset().abs(),
    };
    Some((sides, Direction { n, height }))
}
