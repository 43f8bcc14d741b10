//! The proof of an edge: intervals are halved for the pairs that are left.
//!
//! An interval is judged from the robot at its middle, for every pair that is left in it:
//!
//! 1. where the bounding spheres are farther apart than the pair can move (see [`bounds`](super::bounds)), the pair is
//!    done;
//! 2. the direction that separated the pair in the interval around may prove both halves ([`separation`]);
//! 3. where the pair can move much farther than its clearance a distance would prove nothing, and none is computed;
//! 4. otherwise the pair query is asked for a distance, up to the motion; if the bodies touch the edge is a hit; if they
//!    are farther apart than the motion, or their normal proves both halves, the pair is done.
//!
//! What is left of a pair goes to the halves that are not proven. Pairs that the spheres keep apart on the whole edge are
//! left out first. Both ends of the edge follow, then the intervals level by level; within a level first all left halves, then all right halves, each in the order of the level above,
//! which is the order of van der Corput: the configurations lie spread wide, so that a hit is found early.
//!
//! A search for the time of impact of a single pair advances instead of halving. Here all pairs share the configurations
//! at which the robot is posed, which halving has in common and advancing has not.

use super::body::{Bound, EdgeBody, EdgePairs, PairContact};
use super::bounds::{Chain, Motion, Moving};
use super::edge_options::{EdgeAnswer, EdgeOptions, EdgeStatus};
use super::line::{Line, State, Twist};
use super::separation::{MovingSide, proven_halves};
use crate::robot::ConfigurationError;
use nalgebra::Vector3;

/// A pair that touches or is undecided, by its index.
pub(crate) type Culprit = (usize, Option<PairContact>);

/// Judges the edge along a line.
pub(crate) fn prove_edge<P: EdgePairs>(
    line: &Line,
    bodies: &[EdgeBody],
    pair_list: &[[u32; 2]],
    pairs: &mut P,
    options: &EdgeOptions,
) -> Result<EdgeAnswer<Culprit>, P::Error>
where
    P::Error: From<ConfigurationError>,
{
    let chains: Vec<Chain> = bodies.iter().map(|body| Chain::new(line, body)).collect();
    let own = |&[a, b]: &[u32; 2]| {
        let [chain_a, chain_b] = [a, b].map(|body| &chains[body as usize]);
        Pair {
            bodies: [a as usize, b as usize],
            own: [chain_a.own(chain_b), chain_b.own(chain_a)],
        }
    };
    let pair_list: Vec<Pair> = pair_list.iter().map(own).collect();
    let mut search = Search {
        line,
        bodies,
        chains,
        pair_list,
        pairs,
        options,
        state: State::default(),
        moving: bodies.iter().map(|_| Moving::default()).collect(),
        updated: vec![0; bodies.len()],
        states: 0,
        distances: 0,
        hit: None,
        undecided: None,
        open: Vec::new(),
    };
    search.run()?;
    Ok(search.answer())
}

struct Search<'a, P> {
    line: &'a Line<'a>,
    bodies: &'a [EdgeBody],
    chains: Vec<Chain>,
    pair_list: Vec<Pair>,
    pairs: &'a mut P,
    options: &'a EdgeOptions,
    /// The robot in the middle of the interval in hand, and the bodies that were moved there.
    state: State,
    moving: Vec<Moving>,
    updated: Vec<usize>,
    states: usize,
    distances: usize,
    /// The first t at which a pair is known to touch.
    hit: Option<(f64, Culprit)>,
    undecided: Option<Culprit>,
    /// The intervals that are not proven.
    open: Vec<[f64; 2]>,
}

struct Pair {
    bodies: [usize; 2],
    /// The number of steps, from the tip, that move one body and not the other.
    own: [usize; 2],
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
/// The rounding of a gap, relative to the coordinates from which it is computed.
const ROUNDING: f64 = 1e-13;
/// The number of times that an interval is halved: below it t has no more digits.
const DEEPEST: i32 = 48;

impl<P: EdgePairs> Search<'_, P>
where
    P::Error: From<ConfigurationError>,
{
    fn run(&mut self) -> Result<(), P::Error> {
        let whole = Interval {
            middle: 0.5,
            half: 0.5,
            pairs: self.not_apart()?,
        };
        if whole.pairs.is_empty() {
            return Ok(());
        }
        for end in [1.0, 0.0] {
            self.judge_end(end, &whole.pairs)?;
            if self.is_over() {
                self.open.push([0.0, 1.0]);
                return Ok(());
            }
        }
        let mut level = vec![whole];
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

    /// Returns the pairs that the bounding spheres do not keep apart on the whole edge.
    fn not_apart(&mut self) -> Result<Vec<Left>, P::Error> {
        self.pose(0.5)?;
        let mut left = Vec::new();
        for pair in 0..self.pair_list.len() {
            self.update(pair, 0.5);
            let travel = 0.5 * self.motion(pair).speed;
            // NaN is not apart.
            let is_apart = self.apart(pair) > self.margin(pair) + travel;
            if !is_apart {
                left.push(Left { pair, normal: None });
            }
        }
        Ok(left)
    }

    /// Whether the answer is known, or may take no more configurations.
    fn is_over(&self) -> bool {
        let known = self.hit.is_some() || self.undecided.is_some();
        let at_start = self.hit.as_ref().is_some_and(|(t, _)| *t == 0.0);
        (known && !self.options.first_contact) || at_start || self.states >= self.options.max_states
    }

    /// Looks for a contact at an end of the edge.
    fn judge_end(&mut self, t: f64, all: &[Left]) -> Result<(), P::Error> {
        self.pose(t)?;
        for &Left { pair, .. } in all {
            self.update(pair, 0.0);
            let margin = self.margin(pair);
            if self.apart(pair) > margin {
                continue;
            }
            let separation = self.separation(pair);
            let found = self.contact(pair, separation)?;
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
            self.pose(middle)?;
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
                let is_short = self.motion(pair).speed * half <= self.options.resolution;
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
        self.update(pair, half);
        let Motion { speed, .. } = self.motion(pair);
        let (apart, margin) = (self.apart(pair), self.margin(pair));
        let travel = speed * half;
        if apart > margin + travel {
            return Ok(Verdict::Proven([true; 2], None));
        }
        let mut proven = [false; 2];
        if let Some(normal) = &left.normal {
            proven = self.halves(pair, normal, half);
            if proven == [true; 2] {
                return Ok(Verdict::Proven(proven, None));
            }
        }
        if apart > margin && self.between_centres(pair) < HOPELESS * travel {
            return Ok(Verdict::Proven(proven, left.normal));
        }
        let Some(found) = self.contact(pair, margin + travel)? else {
            return Ok(Verdict::Proven([true; 2], None));
        };
        let contact = &found.contact;
        if contact.lower > margin + travel {
            return Ok(Verdict::Proven([true; 2], None));
        }
        if contact.upper <= self.separation(pair) {
            return Ok(Verdict::Touches(found));
        }
        let by_normal = self.halves(pair, &contact.normal, half);
        let proven = [0, 1].map(|k| proven[k] || by_normal[k]);
        Ok(Verdict::Open(proven, found))
    }

    fn found_hit(&mut self, t: f64, pair: usize, found: PairContact) {
        if self.hit.as_ref().is_none_or(|(first, _)| t < *first) {
            self.hit = Some((t, (pair, Some(found))));
        }
    }

    fn pose(&mut self, t: f64) -> Result<(), P::Error> {
        self.states += 1;
        self.line.at(t, &mut self.state)?;
        Ok(())
    }

    /// Moves the bodies of a pair to the configuration in hand, unless they are there.
    fn update(&mut self, pair: usize, half: f64) {
        for body in self.pair_list[pair].bodies {
            if self.updated[body] != self.states {
                let (chain, of) = (&self.chains[body], &self.bodies[body]);
                self.moving[body].update(self.line, &self.state, chain, of, half);
                self.updated[body] = self.states;
            }
        }
    }

    /// Returns the relative motion of a pair.
    fn motion(&self, pair: usize) -> Motion {
        let Pair { bodies, own } = &self.pair_list[pair];
        let [a, b] = [0, 1].map(|k| self.moving[bodies[k]].motion(own[k]));
        Motion {
            speed: a.speed + b.speed,
            acceleration: a.acceleration + b.acceleration,
        }
    }

    /// Returns a lower bound of the distance of a pair, from the enclosing volumes.
    fn apart(&self, pair: usize) -> f64 {
        let [a, b] = self.pair_list[pair].bodies;
        let (at, radius) = (self.moving[a].centre, self.moving[a].radius);
        match &self.bodies[b].bound {
            Bound::Sphere { .. } => {
                (self.moving[b].centre - at).norm() - radius - self.moving[b].radius
            }
            Bound::HalfSpace(half_space) => {
                half_space.normal().dot(&at) - half_space.offset() - radius
            }
        }
    }

    /// Returns an upper bound of the distance of a pair whose bodies contain their centres.
    fn between_centres(&self, pair: usize) -> f64 {
        let [a, b] = self.pair_list[pair].bodies;
        match &self.bodies[b].bound {
            Bound::Sphere { .. } => (self.moving[b].centre - self.moving[a].centre).norm(),
            Bound::HalfSpace(_) => self.apart(pair) + self.moving[a].radius,
        }
    }

    /// Returns the distance that a pair must keep.
    fn separation(&self, pair: usize) -> f64 {
        self.options.min_separation + self.pairs.padding(pair)
    }

    /// Returns that distance, with a margin for rounding.
    fn margin(&self, pair: usize) -> f64 {
        let size = |body: usize| {
            let sphere = self.moving[body].centre.norm() + self.moving[body].radius;
            match &self.bodies[body].bound {
                Bound::Sphere { .. } => sphere,
                Bound::HalfSpace(half_space) => half_space.offset().abs(),
            }
        };
        let [a, b] = self.pair_list[pair].bodies;
        // Poses are products along the chain.
        let joints = 16.0 + self.chains[a].links.len() as f64 + self.chains[b].links.len() as f64;
        let padding = self.pairs.padding(pair);
        self.separation(pair) + ROUNDING * joints * (size(a) + size(b) + padding)
    }

    fn contact(&mut self, pair: usize, max_distance: f64) -> Result<Option<PairContact>, P::Error> {
        self.distances += 1;
        let poses = self.pair_list[pair]
            .bodies
            .map(|body| &self.moving[body].pose);
        self.pairs.contact(pair, poses, max_distance)
    }

    /// Returns which halves of the interval a direction proves.
    fn halves(&self, pair: usize, normal: &Vector3<f64>, half: f64) -> [bool; 2] {
        let Pair { bodies, own } = &self.pair_list[pair];
        let normal = match &self.bodies[bodies[1]].bound {
            Bound::HalfSpace(half_space) => -half_space.normal().into_inner(),
            Bound::Sphere { .. } => *normal,
        };
        let support = |k: usize, m: &Vector3<f64>| match &self.bodies[bodies[k]].bound {
            // A half-space is fixed, and asked for its own normal only.
            Bound::HalfSpace(half_space) => Some(half_space.offset()),
            Bound::Sphere { .. } => self
                .pairs
                .support(bodies[k], &self.moving[bodies[k]].pose, m),
        };
        let side = |k: usize| self.twist(bodies[k], own[k]);
        let sides = [
            MovingSide {
                twist: side(0),
                support: &|m| support(0, m),
            },
            MovingSide {
                twist: side(1),
                support: &|m| support(1, m),
            },
        ];
        let acceleration = self.motion(pair).acceleration;
        proven_halves(
            &normal,
            [&sides[0], &sides[1]],
            acceleration,
            half,
            self.margin(pair),
        )
    }

    /// Returns the rigid velocity of a body due to the first steps of its chain.
    fn twist(&self, body: usize, own: usize) -> Twist {
        let links = &self.chains[body].links;
        let of = |k: usize| links.get(k).map(|lever| self.state.steps[lever.step].twist);
        match own {
            0 => Twist::default(),
            _ => of(0).unwrap_or_default().minus(of(own).unwrap_or_default()),
        }
    }

    /// Leaves an interval unproven.
    fn leave(&mut self, interval: &Interval) {
        let &Interval { middle, half, .. } = interval;
        self.open.push([middle - half, middle + half]);
    }

    fn answer(mut self) -> EdgeAnswer<Culprit> {
        // Beyond a contact nothing is proven.
        self.open.extend(self.hit.as_ref().map(|&(t, _)| [t, 1.0]));
        self.open.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let (mut proven, mut end) = (1.0, 0.0_f64);
        for &[from, to] in &self.open {
            proven -= (to - from.max(end)).max(0.0);
            end = end.max(to);
        }
        let first_open = self.open.first().map_or(1.0, |interval| interval[0]);
        let (status, touching, contact) = match (self.hit, self.undecided) {
            (Some((t, culprit)), _) => (EdgeStatus::Hit, Some(t), Some(culprit)),
            (None, culprit) if culprit.is_some() || !self.open.is_empty() => {
                (EdgeStatus::Undecided, None, culprit)
            }
            _ => (EdgeStatus::Free, None, None),
        };
        // A closed interval that is open at 0 says nothing of the first configuration.
        let safe = (self.open.is_empty() || first_open > 0.0).then_some(first_open);
        EdgeAnswer {
            status,
            safe,
            touching,
            contact,
            proven,
            unchecked: 0,
            states: self.states,
            distances: self.distances,
        }
    }
}
