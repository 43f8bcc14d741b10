//! Whether configurations are in collision.

use super::block::Near;
use super::memory::Memory;
use super::pairs::{BlockPairs, ByHulls, Place, Queue};
use super::separation::Separation;
use super::steps::{STEPS, Step};
use super::waiting::Waiting;
use crate::poses::Column;
use crate::robot::{Configuration, States};
use crate::scene::query::SceneOptions;
use crate::scene::robot::RobotSceneError;
use superovoid::internals::MAX_LANES;
use superovoid::{DepthMode, QueryOptions};

/// The distance within which bounds are near.
const TOUCHING: Column = [0.0; MAX_LANES];
/// The number of directions that are tried before a common point is looked for, and after that.
const DIRECTIONS: [usize; 2] = [2, 8];

/// The search for collisions in blocks of configurations.
pub(super) struct Collisions<'a> {
    pairs: BlockPairs<'a>,
    options: QueryOptions,
    /// Searches before their first directions, and before their last.
    queues: [Queue<'a>; 2],
    /// The lanes that are not yet found to be in collision.
    open: [bool; MAX_LANES],
    /// Whether the first collision ends a block.
    any: bool,
    /// The lanes that are in collision.
    hits: [bool; MAX_LANES],
    /// The last step that was asked for each lane, and how many lanes each step has decided.
    steps: [Step; MAX_LANES],
    decided: [u64; STEPS],
}

impl<'a> Collisions<'a> {
    pub fn new(pairs: BlockPairs<'a>, options: &SceneOptions) -> Self {
        Collisions {
            pairs,
            options: options
                .query
                .with_max_distance(0.0)
                .with_depth(DepthMode::Any),
            queues: [Queue::new(), Queue::new()],
            open: [false; MAX_LANES],
            any: false,
            hits: [false; MAX_LANES],
            steps: [Step::Bounds; MAX_LANES],
            decided: [0; STEPS],
        }
    }

    /// Ends each block with the first collision in it: which other states are in collision is not known then.
    pub fn end_at_any(&mut self) {
        self.any = true;
    }

    fn is_over(&self) -> bool {
        (self.any && self.hits.contains(&true)) || !self.open.contains(&true)
    }

    /// Gives the counts to the scene, and the memory back.
    pub fn into_memory(mut self) -> Box<Memory> {
        self.pairs.count(std::mem::take(&mut self.decided));
        self.pairs.into_memory()
    }

    /// Gives the pairs back without the counts.
    pub fn into_pairs(self) -> BlockPairs<'a> {
        self.pairs
    }

    /// Returns which configurations are in collision. Blocks of which the noted pairs leave few lanes open wait for
    /// others like them: the pairs of a full block take as long as those of one that is nearly decided.
    pub fn of_all(
        &mut self,
        configurations: &[Configuration],
    ) -> Result<Vec<bool>, RobotSceneError> {
        /// The number of open lanes with which a block is decided at once. What waits is moved to its place again, and
        /// asked for the noted pairs again, which takes a third of the time of a block.
        const ENOUGH: usize = 6;
        let mut collides = vec![true; configurations.len()];
        let mut waiting = Waiting::default();
        for (k, block) in configurations.chunks(MAX_LANES).enumerate() {
            let states: Vec<&Configuration> = block.iter().collect();
            let open = self.begin(&States::Of(&states))?;
            let first = k * MAX_LANES;
            if open.iter().filter(|open| **open).count() >= ENOUGH {
                self.ask_others()?;
                for (lane, open) in self.open[..block.len()].iter().enumerate() {
                    collides[first + lane] = !open;
                }
                continue;
            }
            waiting.push(first, &open[..block.len()]);
            while let Some(block) = waiting.full() {
                self.decide(configurations, &block, &mut collides)?;
            }
        }
        if let Some(block) = waiting.rest() {
            self.decide(configurations, &block, &mut collides)?;
        }
        Ok(collides)
    }

    /// Decides about at most eight of the configurations.
    fn decide(
        &mut self,
        configurations: &[Configuration],
        block: &[usize],
        collides: &mut [bool],
    ) -> Result<(), RobotSceneError> {
        let states: Vec<&Configuration> = block.iter().map(|&k| &configurations[k]).collect();
        for (&k, found) in block.iter().zip(self.of(&States::Of(&states))?) {
            collides[k] = found;
        }
        Ok(())
    }

    /// Returns which of at most eight states are in collision.
    pub fn of(&mut self, states: &States) -> Result<[bool; MAX_LANES], RobotSceneError> {
        self.begin(states)?;
        if !self.is_over() {
            self.ask_others()?;
        }
        Ok(std::array::from_fn(|lane| {
            lane < states.len() && self.hits[lane]
        }))
    }

    /// Moves to at most eight states and asks for the pairs that are noted: those that were in collision often
    /// are again. Returns the lanes that this leaves open.
    fn begin(&mut self, states: &States) -> Result<[bool; MAX_LANES], RobotSceneError> {
        self.pairs.move_to(states)?;
        self.open = std::array::from_fn(|lane| lane < states.len());
        self.hits = [false; MAX_LANES];
        self.steps = [Step::Bounds; MAX_LANES];
        let mut near = self.pairs.take_list();
        for place in 0.. {
            let Some(noted) = self.pairs.noted(place) else {
                break;
            };
            if let Some(found) = self.pairs.near(noted, &TOUCHING) {
                near.push(found);
                self.overlap(&found);
            }
            // Most of what collides does so plainly, by the pair of the last time.
            if self.is_over() {
                near.clear();
                break;
            }
        }
        self.ask_all(near)?;
        Ok(self.open)
    }

    /// Asks for all pairs that are not noted.
    fn ask_others(&mut self) -> Result<(), RobotSceneError> {
        let others = self.pairs.near_others(&TOUCHING);
        for near in &others {
            self.overlap(near);
        }
        self.ask_all(others)?;
        // Where any collision is the answer, one leaves the others undecided.
        if !self.is_over() {
            for lane in (0..MAX_LANES).filter(|&lane| self.open[lane]) {
                self.decided[self.steps[lane] as usize] += 1;
            }
        }
        Ok(())
    }

    /// Notes that a step is asked for a lane.
    fn takes(&mut self, lane: usize, step: Step) {
        if self.steps[lane] < step {
            self.steps[lane] = step;
        }
    }

    /// Ends the lanes in which a pair is plain to see in collision.
    fn overlap(&mut self, &Near { pair, lanes }: &Near) {
        let overlap = self.pairs.overlap(pair);
        for lane in 0..MAX_LANES {
            if lanes[lane] && overlap[lane] && self.open[lane] {
                self.hit((pair, lane));
            }
        }
    }

    /// Asks for all pairs of a list, until all lanes are in collision, and gives the list back.
    fn ask_all(&mut self, near: Vec<Near>) -> Result<(), RobotSceneError> {
        for &Near { pair, lanes } in &near {
            if self.is_over() {
                break;
            }
            if self.pairs.is_of_ovoids(pair) {
                for lane in (0..MAX_LANES).filter(|&lane| lanes[lane]) {
                    self.ask((pair, lane))?;
                }
            } else {
                self.ask_by_hulls(pair, lanes)?;
            }
        }
        self.pairs.give_back(near);
        self.try_first()?;
        self.try_last()
    }

    /// Asks for a pair: first by the directions that have separated it before, then by hulls, which add a direction.
    fn ask_by_hulls(&mut self, pair: u32, lanes: [bool; MAX_LANES]) -> Result<(), RobotSceneError> {
        let mut near: [bool; MAX_LANES] = std::array::from_fn(|k| lanes[k] && self.open[k]);
        for lane in (0..MAX_LANES).filter(|&lane| near[lane]) {
            self.takes(lane, Step::Directions);
        }
        self.pairs.separate(pair, &self.options, &mut near);
        if near.contains(&true) {
            let inside = self.pairs.has_corner_inside(pair);
            for lane in 0..MAX_LANES {
                if near[lane] && inside[lane] {
                    near[lane] = false;
                    self.hit((pair, lane));
                }
            }
        }
        let mut left = [false; MAX_LANES];
        for lane in 0..MAX_LANES {
            if !near[lane] {
                continue;
            }
            if self.is_over() {
                return Ok(());
            }
            self.pairs.guess((pair, lane), &self.options, &mut near);
            if !near[lane] {
                continue;
            }
            near[lane] = false;
            self.takes(lane, Step::Hulls);
            match self.pairs.by_hulls((pair, lane), &self.options)? {
                ByHulls::Apart => self.pairs.separate(pair, &self.options, &mut near),
                ByHulls::Touch => self.hit((pair, lane)),
                ByHulls::Open => left[lane] = true,
            }
        }
        if left.contains(&true) {
            let open = left;
            self.pairs.by_pieces(pair, &self.options, &mut left)?;
            for lane in (0..MAX_LANES).filter(|&lane| open[lane] && !left[lane]) {
                self.takes(lane, Step::Pieces);
            }
        }
        for lane in 0..MAX_LANES {
            if left[lane] && !self.is_over() {
                self.solve((pair, lane))?;
                self.pairs.note_solved(pair, self.open[lane]);
            }
        }
        Ok(())
    }

    /// Asks for a pair in a lane, at once or when the lanes are full.
    fn ask(&mut self, place: Place) -> Result<(), RobotSceneError> {
        if !self.open[place.1] {
            return Ok(());
        }
        self.takes(place.1, Step::Directions);
        // The same is said of a pair that has no direction yet.
        let limit = self.pairs.doubt(place.0, &self.options);
        match self.pairs.search(place, limit) {
            None => self.solve(place),
            Some(search) if self.queues[0].push(place, search) => self.try_first(),
            Some(_) => Ok(()),
        }
    }

    /// Tries a few directions for those that wait, then looks for common points.
    fn try_first(&mut self) -> Result<(), RobotSceneError> {
        Separation::advance(&mut self.queues[0].searches, DIRECTIONS[0]);
        for k in 0..self.queues[0].places.len() {
            let place = self.queues[0].places[k];
            let search = self.queues[0].searches[k];
            if search.is_beyond() {
                self.pairs.keep(place, &search);
                continue;
            }
            if !self.open[place.1] {
                continue;
            }
            if search.has_common_point() {
                self.hit(place);
            } else if self.queues[1].push(place, search) {
                self.try_last()?;
            }
        }
        self.queues[0].clear();
        Ok(())
    }

    /// Tries many directions for those that still wait, and solves what that leaves open.
    fn try_last(&mut self) -> Result<(), RobotSceneError> {
        Separation::advance(&mut self.queues[1].searches, DIRECTIONS[1]);
        for k in 0..self.queues[1].places.len() {
            let place = self.queues[1].places[k];
            let search = &self.queues[1].searches[k];
            if search.is_beyond() {
                self.pairs.keep(place, search);
                continue;
            }
            if !self.open[place.1] {
                continue;
            }
            if search.has_common_point() {
                self.hit(place);
            } else {
                self.solve(place)?;
            }
        }
        self.queues[1].clear();
        Ok(())
    }

    /// Decides by the contact whether a pair is proven to be free in a lane.
    fn solve(&mut self, place: Place) -> Result<(), RobotSceneError> {
        self.takes(place.1, Step::Contacts);
        if self.pairs.contact(place, &self.options, None)?.is_some() {
            self.hit(place);
        }
        Ok(())
    }

    fn hit(&mut self, (pair, lane): Place) {
        self.pairs.note(pair);
        self.open[lane] = false;
        self.hits[lane] = true;
        self.decided[self.steps[lane] as usize] += 1;
    }
}
