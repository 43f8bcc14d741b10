//! The closest pairs of configurations.

use super::block::Near;
use super::pairs::{BlockPairs, Place, Queue};
use super::separation::Separation;
use crate::poses::Column;
use crate::robot::{Configuration, States};
use crate::scene::query::{SceneContact, SceneOptions};
use crate::scene::robot::RobotSceneError;
use nalgebra::{Unit, Vector3};
use superovoid::QueryOptions;
use superovoid::internals::MAX_LANES;

/// The number of directions that are tried for each pair, and more for those that these do not prove to be too far away.
const DIRECTIONS: [usize; 2] = [2, 2];

/// A pair that may be the closest of its lane.
#[derive(Clone, Copy)]
struct Candidate {
    place: Place,
    /// The lower bound of its distance.
    lower: f64,
    /// The direction of the bound, if the contact is to begin there.
    along: Option<Unit<Vector3<f64>>>,
}

/// The search for the closest pairs in blocks of configurations.
pub(super) struct Closest<'a> {
    pairs: BlockPairs<'a>,
    max_distance: f64,
    options: QueryOptions,
    /// Searches before their first directions, and before their last.
    queues: [Queue<'a>; 2],
    candidates: Vec<Candidate>,
    /// The distance in each lane within which the closest pair is.
    limit: Column,
    /// Whether a lane ends with the first pair that overlaps, which need not be the deepest.
    ends_at_overlap: bool,
    /// The lanes that have ended so.
    ended: [bool; MAX_LANES],
    /// The closest pairs that are solved, and the least proven lower bound of those in each lane.
    closest: [Option<SceneContact>; MAX_LANES],
    lower: Column,
}

impl<'a> Closest<'a> {
    pub fn new(pairs: BlockPairs<'a>, options: &SceneOptions) -> Self {
        Closest {
            pairs,
            max_distance: options.max_distance,
            options: options.query,
            queues: [Queue::new(), Queue::new()],
            candidates: Vec::new(),
            limit: [0.0; MAX_LANES],
            ends_at_overlap: false,
            ended: [false; MAX_LANES],
            closest: [None; MAX_LANES],
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
        self.closest = [None; MAX_LANES];
        self.lower = [f64::INFINITY; MAX_LANES];
        // Pairs that were the closest often are again: the limit they set leaves fewer of the others.
        let noted = self.pairs.near_noted(&self.limit);
        self.ask_all(noted, configurations.len());
        self.solve_nearest()?;
        let others = self.pairs.near_others(&self.limit);
        self.ask_all(others, configurations.len());
        self.solve()?;
        Ok(self.closest)
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
        self.bound_left();
    }

    /// Asks for a pair in a lane: it is bounded when the lanes are full, if directions bound it.
    fn ask(&mut self, place: Place) {
        if self.ended[place.1] {
            return;
        }
        let lower = 0.0;
        match self.pairs.search(place, self.limit[place.1]) {
            None => self.candidates.push(Candidate {
                place,
                lower,
                along: None,
            }),
            Some(search) if self.queues[0].push(place, search) => self.bound(),
            Some(_) => (),
        }
    }

    /// Bounds the distances of the pairs that wait, and leaves those that may be near to the second queue.
    fn bound(&mut self) {
        self.advance(0);
        for k in 0..self.queues[0].places.len() {
            let (place, search) = (self.queues[0].places[k], self.queues[0].searches[k]);
            if self.ended[place.1] {
                continue;
            }
            if search.is_beyond() {
                self.pairs.keep(place, &search);
            } else if self.queues[1].push(place, search) {
                self.bound_left();
            }
        }
        self.queues[0].clear();
    }

    /// Bounds the distances of those that are left, and notes which may be the closest.
    fn bound_left(&mut self) {
        self.advance(1);
        let [_, queue] = &self.queues;
        for (search, &place) in queue.searches.iter().zip(&queue.places) {
            if self.ended[place.1] {
                continue;
            }
            if search.lower > 0.0 {
                self.pairs.keep(place, search);
            }
            if !search.is_beyond() {
                self.candidates.push(Candidate {
                    place,
                    lower: search.lower.max(0.0),
                    along: search.start(),
                });
            }
        }
        self.queues[1].clear();
    }

    /// Tries the directions of a queue.
    fn advance(&mut self, queue: usize) {
        let Queue { searches, places } = &mut self.queues[queue];
        for (search, place) in searches.iter_mut().zip(&*places) {
            search.limit = self.limit[place.1];
        }
        Separation::advance(searches, DIRECTIONS[queue]);
        for k in 0..self.queues[queue].places.len() {
            let Queue { searches, places } = &self.queues[queue];
            let (search, place) = (&searches[k], places[k]);
            let lane = place.1;
            if self.ends_at_overlap && search.lower <= 0.0 && search.has_common_point() {
                self.end(place);
                continue;
            }
            self.limit[lane] = self.limit[lane].min(search.upper());
        }
    }

    /// Solves the candidate of each lane that has the least bound.
    fn solve_nearest(&mut self) -> Result<(), RobotSceneError> {
        let mut nearest: [Option<usize>; MAX_LANES] = [None; MAX_LANES];
        for (k, candidate) in self.candidates.iter().enumerate() {
            let best = &mut nearest[candidate.place.1];
            if best.is_none_or(|best| candidate.lower < self.candidates[best].lower) {
                *best = Some(k);
            }
        }
        for k in nearest.into_iter().flatten() {
            let candidate = self.candidates[k];
            self.solve_one(candidate)?;
            // It is solved: NaN is within no limit.
            self.candidates[k].lower = f64::NAN;
        }
        Ok(())
    }

    /// Solves the candidates of each lane, those with the least bound first, until the next bound is greater than the
    /// least distance.
    fn solve(&mut self) -> Result<(), RobotSceneError> {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.retain(|&candidate| self.is_open(candidate));
        candidates.sort_unstable_by(|a, b| {
            let by_bound = a.lower.total_cmp(&b.lower);
            by_bound.then_with(|| a.place.cmp(&b.place))
        });
        for &candidate in &candidates {
            self.solve_one(candidate)?;
        }
        self.candidates = candidates;
        Ok(())
    }

    /// Ends the lane of a pair that overlaps.
    fn end(&mut self, (pair, lane): Place) {
        self.ended[lane] = true;
        self.limit[lane] = 0.0;
        self.pairs.note(pair);
    }

    fn is_open(&self, Candidate { place, lower, .. }: Candidate) -> bool {
        lower <= self.limit[place.1] && !self.ended[place.1]
    }

    /// Solves a candidate, unless it is known not to be the closest.
    fn solve_one(&mut self, candidate: Candidate) -> Result<(), RobotSceneError> {
        let place = candidate.place;
        let lane = place.1;
        if !self.is_open(candidate) {
            return Ok(());
        }
        let options = self.options.with_max_distance(self.limit[lane]);
        let Some(found) = self
            .pairs
            .contact(place, &options, candidate.along.as_ref())?
        else {
            return Ok(());
        };
        if self.ends_at_overlap && found.contact.lower <= 0.0 {
            self.end(place);
        }
        self.lower[lane] = self.lower[lane].min(found.contact.lower);
        if self.closest[lane].is_none_or(|best| found.order(&best).is_lt()) {
            self.closest[lane] = Some(found);
            self.limit[lane] = self.limit[lane].min(found.contact.distance.max(0.0));
            self.pairs.note(place.0);
        }
        Ok(())
    }
}
