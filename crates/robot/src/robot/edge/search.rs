//! The proof of a path: intervals are halved for the pairs that are left.
//!
//! An interval is judged from the robot at its middle, for every pair that is left in it:
//!
//! 1. where the bounding spheres, or one's sphere and the other's box, are farther apart than the pair can move (see
//!    [`bounds`](super::bounds)), the pair is done;
//! 2. the direction that separated the pair in the interval around may prove both halves ([`separation`](super::separation));
//! 3. where the pair can move much farther than its clearance a distance would prove nothing, and none is computed;
//! 4. otherwise the pair query is asked for a distance, up to the motion; if the bodies touch the edge is a hit; if they
//!    are farther apart than the motion, or their normal proves both halves, the pair is done.
//!
//! What is left of a pair goes to the halves that are not proven. Pairs that these keep apart on the whole edge are left out
//! first. Both ends of the edge follow, then the intervals level by level, beginning with the pieces of the path; within a
//! level first all left halves, then all right halves, each in the order of the level above, which is the order of van der
//! Corput: the configurations lie spread wide, so that a hit is found early.
//!
//! Of the straight edges of a scene this is the last part: [most is proven in lanes](crate::scene) before, and the search begins
//! with what is left.
//!
//! A search for the time of impact of a single pair advances instead of halving. Here all pairs share the configurations
//! at which the robot is posed, which halving has in common and advancing has not.

use super::body::{EdgeBody, EdgePairs, PairContact};
use super::bounds::Motion;
use super::edge_options::{EdgeAnswer, EdgeOptions, EdgeStatus};
use super::line::{Line, State};
use super::posed::{Memory, Posed};
use super::separation::{MovingSide, proven_halves};
use crate::robot::ConfigurationError;
use nalgebra::Vector3;
use std::collections::BTreeSet;

/// A pair that touches or is undecided, by its index.
pub(crate) type Culprit = (usize, Option<PairContact>);

/// A motion of the robot by a parameter t from 0 to the number of its pieces. On every piece it is smooth.
pub(crate) trait Path {
    /// Returns a line with all steps that move; the way from its first to its second end holds all positions of the path.
    fn line(&self) -> &Line<'_>;

    /// Poses the robot in the middle of an interval of a half-width.
    fn at(&mut self, t: f64, half: f64, state: &mut State) -> Result<(), ConfigurationError>;

    fn pieces(&self) -> usize;

    /// Returns what the answer says for a t.
    fn time(&self, t: f64) -> f64;
}

impl Path for Line<'_> {
    fn line(&self) -> &Line<'_> {
        self
    }

    fn at(&mut self, t: f64, half: f64, state: &mut State) -> Result<(), ConfigurationError> {
        Line::at(self, t, half, state)
    }

    fn pieces(&self) -> usize {
        1
    }

    fn time(&self, t: f64) -> f64 {
        t
    }
}

/// What is not proven of a path, and what it took to prove the rest.
#[derive(Default)]
pub(crate) struct Rest {
    pub intervals: Vec<RestInterval>,
    /// Where a pair is known to touch, if one does.
    pub touching: Option<(f64, u32)>,
    pub states: usize,
    pub distances: usize,
}

/// An interval, and the pairs that are left in it.
pub(crate) struct RestInterval {
    pub middle: f64,
    pub half: f64,
    pub pairs: Vec<u32>,
}

/// Judges a path, or the rest of it, until `stop` says that it has to end undecided.
#[expect(clippy::too_many_arguments, reason = "each is of another kind")]
pub(crate) fn prove_path<P: EdgePairs>(
    path: &mut impl Path,
    bodies: &[EdgeBody],
    pair_list: &[[u32; 2]],
    pairs: &mut P,
    options: &EdgeOptions,
    stop: &mut dyn FnMut() -> bool,
    memory: &mut Memory,
    rest: Option<&Rest>,
) -> Result<EdgeAnswer<Culprit>, P::Error>
where
    P::Error: From<ConfigurationError>,
{
    let least = options.min_separation;
    let mut posed = Posed::new(path.line(), bodies, pair_list, pairs, least, memory);
    if let Some(rest) = rest {
        (posed.states, posed.distances) = (rest.states, rest.distances);
    }
    let mut search = Search {
        length: path.pieces() as f64,
        path,
        posed,
        options,
        stop,
        hit: None,
        undecided: None,
        open: Vec::new(),
    };
    search.run(rest)?;
    Ok(search.answer())
}

struct Search<'a, P, T> {
    path: &'a mut T,
    /// The t of the end.
    length: f64,
    posed: Posed<'a, P>,
    options: &'a EdgeOptions,
    /// Whether the search has to end; asked before every configuration.
    stop: &'a mut dyn FnMut() -> bool,
    /// The first t at which a pair is known to touch.
    hit: Option<(f64, Culprit)>,
    undecided: Option<Culprit>,
    /// The intervals that are not proven.
    open: Vec<[f64; 2]>,
}

/// An interval, and the pairs that are left in it.
struct Interval {
    middle: f64,
    half: f64,
    pairs: Vec<Left>,
}

/// A pair that is left, and the direction that last separated it.
#[derive(Clone, Copy)]
struct Left {
    pair: usize,
    normal: Option<Vector3<f64>>,
}

impl Interval {
    fn of(rest: &RestInterval) -> Self {
        let left = |&pair: &u32| Left {
            pair: pair as usize,
            normal: None,
        };
        Interval {
            middle: rest.middle,
            half: rest.half,
            pairs: rest.pairs.iter().map(left).collect(),
        }
    }
}

/// Returns the pairs of all intervals, each once.
fn all_pairs(level: &[Interval]) -> Vec<Left> {
    let pairs = level.iter().flat_map(|interval| &interval.pairs);
    let each: BTreeSet<usize> = pairs.map(|left| left.pair).collect();
    let left = |pair| Left { pair, normal: None };
    each.into_iter().map(left).collect()
}

/// What is known about a pair in an interval.
enum Verdict {
    /// The halves that are proven, and the last direction that separated the bodies in the middle.
    Proven([bool; 2], Option<Vector3<f64>>),
    Touches(PairContact),
    /// Not proven, with the contact in the middle.
    Open([bool; 2], PairContact),
}

/// A pair whose centres are nearer than this share of its motion is not worth a distance.
const HOPELESS: f64 = 0.5;
/// The number of times that an interval is halved: below it t has no more digits.
const DEEPEST: i32 = 48;

impl<P: EdgePairs, T: Path> Search<'_, P, T>
where
    P::Error: From<ConfigurationError>,
{
    fn run(&mut self, rest: Option<&Rest>) -> Result<(), P::Error> {
        let mut level: Vec<Interval> = match rest {
            Some(rest) => rest.intervals.iter().map(Interval::of).collect(),
            None if (self.stop)() => {
                self.open.push([0.0, self.length]);
                return Ok(());
            }
            None => self.first_level()?,
        };
        let pairs = all_pairs(&level);
        if pairs.is_empty() {
            return Ok(());
        }
        if let Some((t, pair)) = rest.and_then(|rest| rest.touching) {
            let pair = pair as usize;
            self.judge_at(t, &[Left { pair, normal: None }])?;
        }
        for end in [self.length, 0.0] {
            if !self.is_over() {
                self.judge_at(end, &pairs)?;
            }
        }
        if self.is_over() {
            for interval in &level {
                self.leave(interval);
            }
            return Ok(());
        }
        while !level.is_empty() {
            let [mut left, mut right] = [Vec::new(), Vec::new()];
            let mut intervals = level.into_iter();
            for interval in intervals.by_ref() {
                if self.is_over() {
                    self.leave(&interval);
                    continue;
                }
                let [first, second] = self.halve(&interval)?;
                left.extend(first);
                right.extend(second);
            }
            left.append(&mut right);
            level = left;
        }
        Ok(())
    }

    /// Returns the pieces of the path, with the pairs that are not kept apart on all of it.
    fn first_level(&mut self) -> Result<Vec<Interval>, P::Error> {
        let pairs = self.not_apart()?;
        let piece = |k: usize| Interval {
            middle: k as f64 + 0.5,
            half: 0.5,
            pairs: pairs.clone(),
        };
        Ok((0..self.path.pieces()).map(piece).collect())
    }

    /// Returns the pairs that the bounding spheres do not keep apart on the whole edge.
    fn not_apart(&mut self) -> Result<Vec<Left>, P::Error> {
        let half = 0.5 * self.length;
        self.pose(half, half)?;
        let mut left = Vec::new();
        let posed = &mut self.posed;
        for pair in 0..posed.pair_count() {
            posed.update(pair);
            let travel = half * posed.motion(pair).speed;
            let reach = posed.margin(pair) + travel;
            // NaN is not apart.
            let is_apart = posed.apart(pair, reach) > reach;
            if !is_apart {
                left.push(Left { pair, normal: None });
            }
        }
        Ok(left)
    }

    /// Whether the answer is known, or may take no more configurations.
    fn is_over(&mut self) -> bool {
        let known = self.hit.is_some() || self.undecided.is_some();
        let at_start = self.hit.as_ref().is_some_and(|(t, _)| *t == 0.0);
        (known && !self.options.first_contact)
            || at_start
            || self.posed.states >= self.options.max_states
            || (self.stop)()
    }

    /// Looks for a contact at one state.
    fn judge_at(&mut self, t: f64, all: &[Left]) -> Result<(), P::Error> {
        self.pose(t, 0.0)?;
        for &Left { pair, .. } in all {
            self.posed.update(pair);
            let margin = self.posed.margin(pair);
            if self.posed.apart(pair, margin) > margin {
                continue;
            }
            let separation = self.posed.separation(pair);
            let found = self.posed.contact(pair, separation)?;
            if let Some(found) = found.filter(|found| found.contact.upper <= separation) {
                self.found_hit(t, pair, found);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Judges an interval; returns the halves in which pairs are left.
    fn halve(&mut self, interval: &Interval) -> Result<[Option<Interval>; 2], P::Error> {
        let &Interval { middle, half, .. } = interval;
        let first = self.hit.as_ref().map_or(f64::INFINITY, |(t, _)| *t);
        // Beyond the first contact nothing is asked.
        if middle - half >= first {
            self.leave(interval);
            return Ok([None, None]);
        }
        let mut halves = [Vec::new(), Vec::new()];
        let mut is_open = false;
        if middle >= first {
            halves[0].clone_from(&interval.pairs);
            self.open.push([middle, middle + half]);
        } else {
            self.pose(middle, half)?;
            for left in &interval.pairs {
                let verdict = self.judge(left, half)?;
                let pair = left.pair;
                let (proven, normal, found) = match verdict {
                    Verdict::Proven(proven, normal) => (proven, normal, None),
                    Verdict::Open(proven, found) => {
                        (proven, Some(found.contact.normal.into_inner()), Some(found))
                    }
                    Verdict::Touches(found) => {
                        self.found_hit(middle, pair, found);
                        ([false, true], None, Some(found))
                    }
                };
                if proven == [true, true] {
                    continue;
                }
                let is_short = self.posed.motion(pair).speed * half <= self.options.resolution;
                if is_short || half < 0.5_f64.powi(DEEPEST) {
                    is_open = true;
                    self.undecided.get_or_insert((pair, found));
                } else {
                    for (pairs, _) in halves.iter_mut().zip(proven).filter(|(_, done)| !done) {
                        pairs.push(Left { pair, normal });
                    }
                }
                if self.is_over() {
                    is_open = true;
                    break;
                }
            }
        }
        if is_open {
            self.leave(interval);
        }
        let half = 0.5 * half;
        let [first, second] = halves;
        let child = |middle: f64, pairs: Vec<Left>| {
            (!pairs.is_empty()).then_some(Interval {
                middle,
                half,
                pairs,
            })
        };
        Ok([child(middle - half, first), child(middle + half, second)])
    }

    /// Judges a pair in the interval around the configuration in hand.
    fn judge(&mut self, left: &Left, half: f64) -> Result<Verdict, P::Error> {
        let pair = left.pair;
        let posed = &mut self.posed;
        posed.update(pair);
        let Motion { speed, .. } = posed.motion(pair);
        let margin = posed.margin(pair);
        let travel = speed * half;
        let apart = posed.apart(pair, margin + travel);
        if apart > margin + travel {
            return Ok(Verdict::Proven([true; 2], None));
        }
        let mut proven = [false; 2];
        if let Some(normal) = &left.normal {
            proven = halves(posed, pair, normal, half);
            if proven == [true; 2] {
                return Ok(Verdict::Proven(proven, None));
            }
        }
        if apart > margin && posed.between_centres(pair) < HOPELESS * travel {
            return Ok(Verdict::Proven(proven, left.normal));
        }
        let Some(found) = posed.contact(pair, margin + travel)? else {
            return Ok(Verdict::Proven([true; 2], None));
        };
        let contact = &found.contact;
        if contact.lower > margin + travel {
            return Ok(Verdict::Proven([true; 2], None));
        }
        if contact.upper <= posed.separation(pair) {
            return Ok(Verdict::Touches(found));
        }
        let by_normal = halves(posed, pair, &contact.normal, half);
        let proven = [0, 1].map(|k| proven[k] || by_normal[k]);
        Ok(Verdict::Open(proven, found))
    }

    fn found_hit(&mut self, t: f64, pair: usize, found: PairContact) {
        if self.hit.as_ref().is_none_or(|(first, _)| t < *first) {
            self.hit = Some((t, (pair, Some(found))));
        }
    }

    fn pose(&mut self, t: f64, half: f64) -> Result<(), P::Error> {
        self.path.at(t, half, self.posed.advance())?;
        Ok(())
    }

    /// Leaves an interval unproven.
    fn leave(&mut self, interval: &Interval) {
        let &Interval { middle, half, .. } = interval;
        self.open.push([middle - half, middle + half]);
    }

    fn answer(mut self) -> EdgeAnswer<Culprit> {
        // Beyond a contact nothing is proven.
        self.open
            .extend(self.hit.as_ref().map(|&(t, _)| [t, self.length]));
        self.open.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let [start, finish] = [0.0, self.length].map(|t| self.path.time(t));
        let length = finish - start;
        let (mut proven, mut end) = (length, start);
        for open in &self.open {
            let [from, to] = open.map(|t| self.path.time(t));
            proven -= (to - from.max(end)).max(0.0);
            end = end.max(to);
        }
        let first_open = self.open.first().map_or(self.length, |open| open[0]);
        // A closed interval that is open at its start says nothing of the first configuration.
        let is_safe = self.open.is_empty() || first_open > 0.0;
        let safe = is_safe.then(|| self.path.time(first_open));
        let (status, touching, contact) = match (self.hit, self.undecided) {
            (Some((t, culprit)), _) => (EdgeStatus::Hit, Some(self.path.time(t)), Some(culprit)),
            (None, culprit) if culprit.is_some() || !self.open.is_empty() => {
                (EdgeStatus::Undecided, None, culprit)
            }
            _ => (EdgeStatus::Free, None, None),
        };
        EdgeAnswer {
            status,
            safe,
            touching,
            contact,
            proven: proven / length,
            unchecked: 0,
            states: self.posed.states,
            distances: self.posed.distances,
        }
    }
}

/// Returns which halves of the interval a direction proves for a pair.
fn halves<P: EdgePairs>(
    posed: &Posed<P>,
    pair: usize,
    normal: &Vector3<f64>,
    half: f64,
) -> [bool; 2] {
    let normal = posed.direction(pair, normal);
    let sides = [
        MovingSide {
            twist: posed.twist(pair, 0),
            support: &|m| posed.support(pair, 0, m),
        },
        MovingSide {
            twist: posed.twist(pair, 1),
            support: &|m| posed.support(pair, 1, m),
        },
    ];
    let acceleration = posed.motion(pair).acceleration;
    let margin = posed.margin(pair);
    proven_halves(&normal, [&sides[0], &sides[1]], acceleration, half, margin)
}
