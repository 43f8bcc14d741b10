//! The closest pairs of configurations.

use super::block::Near;
use super::pairs::{BlockPairs, Place, Queue};
use super::separation::Separation;
use crate::poses::Column;
use crate::robot::{Configuration, States};
use crate::scene::query::{SceneContact, SceneOptions};
use crate::scene::robot::RobotSceneError;
use superovoid::QueryOptions;
use superovoid::internals::MAX_LANES;

/// The number of directions that are tried for each pair before the nearest ones are solved.
const DIRECTIONS: usize = 4;

/// A pair that may be the closest of its lane.
#[derive(Clone, Copy)]
struct Candidate {
    place: Place,
    /// The lower bound of its distance.
    lower: f64,
}

/// The search for the closest pairs in blocks of configurations.
pub(super) struct Closest<'a> {
    pairs: BlockPairs<'a>,
    max_distance: f64,
    options: QueryOptions,
    queue: Queue<'a>,
    candidates: Vec<Candidate>,
    /// The distance in each lane within which the closest pair is.
    limit: Column,
    /// Whether a lane ends with the first pair that overlaps, which need not be the deepest.
    ends_at_overlap: bool,
    /// The lanes that have ended so, and the pairs with which they did.
    ended: [bool; MAX_LANES],
    overlapping: Vec<u32>,
    /// The least proven lower bound of the pairs that were solved in each lane.
    lower: Column,
}

impl<'a> Closest<'a> {
    pub fn new(pairs: BlockPairs<'a>, options: &SceneOptions) -> Self {
        Closest {
            pairs,
            max_distance: options.max_distance,
            options: options.query,
            queue: Queue::new(),
            candidates: Vec::new(),
            limit: [0.0; MAX_LANES],
            ends_at_overlap: false,
            ended: [false; MAX_LANES],
            overlapping: Vec::new(),
            lower: [0.0; MAX_LANES],
        }
    }

    /// Makes a search that ends with the first overlap of each configuration.
    pub fn until_overlap(pairs: BlockPairs<'a>, options: &SceneOptions) -> Self {
        Closest {
            ends_at_overlap: true,
            ..Closest::new(pairs, options)
        }
    }

    /// Returns a proven lower bound of the distances of all pairs of each of at most eight configurations: that of the
    /// closest pair, the maximum distance if it is farther apart, and 0 where a pair is not proven to be free.
    pub fn clearances_of(
        &mut self,
        configurations: &[&Configuration],
    ) -> Result<Column, RobotSceneError> {
        let closest = self.of(configurations)?;
        Ok(std::array::from_fn(|lane| {
            if self.ended[lane] {
                0.0
            } else if closest[lane].is_some() {
                self.lower[lane]
            } else {
                self.max_distance
            }
        }))
    }

    /// Returns the pairs with which lanes of the last block ended.
    pub fn overlapping(&self) -> &[u32] {
        &self.overlapping
    }

    /// Returns the closest pair of each configuration.
    pub fn of_all(
        &mut self,
        configurations: &[Configuration],
    ) -> Result<Vec<Option<SceneContact>>, RobotSceneError> {
        let mut closest = Vec::with_capacity(configurations.len());
        for block in configurations.chunks(MAX_LANES) {
            let states: Vec<&Configuration> = block.iter().collect();
            closest.extend_from_slice(&self.of(&states)?[..block.len()]);
        }
        Ok(closest)
    }

    /// Returns the closest pair of each of at most eight configurations; `None` if it is farther apart than the
    /// maximum distance.
    pub fn of(
        &mut self,
        configurations: &[&Configuration],
    ) -> Result<[Option<SceneContact>; MAX_LANES], RobotSceneError> {
        self.pairs.move_to(&States::Of(configurations))?;
        self.limit = [self.max_distance; MAX_LANES];
        self.pairs.at_most(&mut self.limit);
        self.candidates.clear();
        self.ended = [false; MAX_LANES];
        self.overlapping.clear();
        self.lower = [f64::INFINITY; MAX_LANES];
        // Pairs that were the closest often are again: the limit they set leaves fewer of the others.
        let noted = self.pairs.near_noted(&self.limit);
        self.ask_all(noted, configurations.len());
        let others = self.pairs.near_others(&self.limit);
        self.ask_all(others, configurations.len());
        self.solve()
    }

    /// Asks for all pairs of a list, and gives it back.
    fn ask_all(&mut self, near: Vec<Near>, count: usize) {
        for &Near { pair, lanes } in &near {
            for lane in (0..count).filter(|&lane| lanes[lane]) {
                self.ask((pair, lane));
            }
        }
        self.pairs.give_back(near);
        self.bound();
    }

    /// Asks for a pair in a lane: it is bounded when the lanes are full, if directions bound it.
    fn ask(&mut self, place: Place) {
        if self.ended[place.1] {
            return;
        }
        let lower = 0.0;
        match self.pairs.search(place, self.limit[place.1]) {
            None => self.candidates.push(Candidate { place, lower }),
            Some(search) if self.queue.push(place, search) => self.bound(),
            Some(_) => (),
        }
    }

    /// Bounds the distances of the pairs that wait.
    fn bound(&mut self) {
        for (search, place) in self.queue.searches.iter_mut().zip(&self.queue.places) {
            search.limit = self.limit[place.1];
        }
        Separation::advance(&mut self.queue.searches, DIRECTIONS);
        for (search, &place) in self.queue.searches.iter().zip(&self.queue.places) {
            if self.ends_at_overlap && search.lower <= 0.0 && search.has_common_point() {
                self.ended[place.1] = true;
                self.overlapping.push(place.0);
                continue;
            }
            let limit = &mut self.limit[place.1];
            *limit = limit.min(search.upper());
            if !search.is_beyond() {
                let lower = search.lower.max(0.0);
                self.candidates.push(Candidate { place, lower });
            }
        }
        self.queue.clear();
    }

    /// Solves the candidates of each lane, those with the least bound first, until the next bound is greater than the
    /// least distance.
    fn solve(&mut self) -> Result<[Option<SceneContact>; MAX_LANES], RobotSceneError> {
        let mut closest = [None; MAX_LANES];
        let (limit, ended) = (&mut self.limit, &self.ended);
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.retain(|Candidate { place, lower }| *lower <= limit[place.1] && !ended[place.1]);
        candidates.sort_unstable_by(|a, b| {
            let by_bound = a.lower.total_cmp(&b.lower);
            by_bound.then_with(|| a.place.cmp(&b.place))
        });
        for &Candidate { place, lower } in &candidates {
            let lane = place.1;
            if lower > limit[lane] || self.ended[lane] {
                continue;
            }
            let options = self.options.with_max_distance(limit[lane]);
            let found = self.pairs.contact(place, &options)?;
            let Some(found) = found else {
                continue;
            };
            if self.ends_at_overlap && found.contact.lower <= 0.0 {
                self.ended[lane] = true;
                self.overlapping.push(place.0);
            }
            self.lower[lane] = self.lower[lane].min(found.contact.lower);
            if closest[lane].is_none_or(|best| found.order(&best).is_lt()) {
                closest[lane] = Some(found);
                limit[lane] = limit[lane].min(found.contact.distance.max(0.0));
                self.pairs.note(place.0);
            }
        }
        self.candidates = candidates;
        Ok(closest)
    }
}
