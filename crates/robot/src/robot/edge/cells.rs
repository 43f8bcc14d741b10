//! The proof that no pair touches in a box of configurations: the box is cut where a pair is left.
//!
//! Let m be the middle of a box with the half-widths d_j. On the straight way from m to a configuration of the box every
//! joint moves by no more than d_j, at a constant rate, in a time of 1. So with the sums U and A of [`bounds`](super::bounds) for
//! the rates d_j no point of a body moves farther than U relative to another link, and none ends farther than ½ A from where
//! its velocity at m would take it. A pair is free in the whole box if
//!
//! 1. its clearance at m exceeds `U_A + U_B`; or
//! 2. for a direction n its gap along n at m exceeds what can close it. A point y of B moves along n by `Σ_j ±d_j n·c_j(y)` in
//!    first order, where c_j is the motion for one unit of joint j. For a slide that is `n·v`, for a turn about a through o it is
//!    `n·(a × (y − o)) = n·(a × (b − o)) + (n × a)·(y − b)` with the centre b of the sphere of B, of radius r. So
//!
//! ```text
//! gap in the box ≥ gap at m − Σ_j d_j ( |n·(a_j × (b − o_j))| + |n × a_j| r ) − … the same of A … − ½ (A_A + A_B)
//! ```
//!
//! Only the joints between the bodies of the pair count. The first bound falls with the width of the box alone, the second
//! one hardly falls for motions along the surfaces.
//!
//! Where pairs are left the box is halved across the joint that moves them most, and first that half is judged in
//! which the pair comes closer, so that a box that is not free is found out soon.

use super::body::EdgePairs;
use super::line::{Line, StepAt};
use super::posed::Posed;
use crate::robot::ConfigurationError;
use nalgebra::Vector3;

/// A joint of one degree of freedom that follows a coordinate of the box.
pub(crate) struct Follower {
    /// The step of the line.
    pub step: usize,
    pub coordinate: usize,
    pub multiplier: f64,
    pub offset: f64,
}

/// The boxes of the configurations of one robot.
pub(crate) struct Cells<'a, P> {
    pub posed: Posed<'a, P>,
    pub line: Line<'a>,
    /// The joints that move, for each step of the line.
    pub followers: Vec<Follower>,
    /// The motion (metres) below which a box is not cut.
    pub resolution: f64,
}

/// What is known of a box.
pub(crate) enum Found {
    Free,
    /// This configuration is proven to touch, by the pair.
    Touches(Vec<f64>, usize),
    /// The pair is not proven.
    Open(usize),
}

/// A pair that is left, and the direction that last separated it.
#[derive(Clone, Copy)]
struct Left {
    pair: usize,
    normal: Option<Vector3<f64>>,
}

/// A box, and the pairs that are left in it.
struct Cell {
    lower: Vec<f64>,
    upper: Vec<f64>,
    pairs: Vec<Left>,
}

enum Verdict {
    Proven,
    Touches,
    Open(Option<Vector3<f64>>),
}

/// A pair whose centres are nearer than this share of its motion is not worth a distance.
const HOPELESS: f64 = 0.5;
/// Covers the rounding of a half-width.
const ROUNDED_UP: f64 = 1.0 + 4.0 * f64::EPSILON;

impl<P: EdgePairs> Cells<'_, P>
where
    P::Error: From<ConfigurationError>,
{
    /// Judges pairs in a box with at most so many configurations.
    pub fn judge(
        &mut self,
        [lower, upper]: [Vec<f64>; 2],
        pairs: &[usize],
        most: usize,
    ) -> Result<Found, P::Error> {
        let left = |&pair: &usize| Left { pair, normal: None };
        let pairs = pairs.iter().map(left).collect();
        let mut stack = vec![Cell {
            lower,
            upper,
            pairs,
        }];
        let last = self.posed.states.saturating_add(most);
        while let Some(mut cell) = stack.pop() {
            let Some(first) = cell.pairs.first() else {
                continue;
            };
            if self.posed.states >= last {
                return Ok(Found::Open(first.pair));
            }
            let middle = self.pose(&cell)?;
            let mut left = Vec::new();
            for &Left { pair, normal } in &cell.pairs {
                match self.judge_pair(pair, normal)? {
                    Verdict::Proven => {}
                    Verdict::Touches => return Ok(Found::Touches(middle, pair)),
                    Verdict::Open(normal) => left.push(Left { pair, normal }),
                }
            }
            let speed = |left: &Left| self.posed.motion(left.pair).speed;
            if let Some(short) = left.iter().find(|left| speed(left) <= self.resolution) {
                return Ok(Found::Open(short.pair));
            }
            let Some(first) = left.first() else {
                continue;
            };
            let Some((cut, falls)) = self.cut(&left) else {
                return Ok(Found::Open(first.pair));
            };
            cell.pairs = left;
            let mut other = Cell {
                lower: cell.lower.clone(),
                upper: cell.upper.clone(),
                pairs: cell.pairs.clone(),
            };
            cell.upper[cut] = middle[cut];
            other.lower[cut] = middle[cut];
            // The last one is judged first.
            stack.extend(if falls { [other, cell] } else { [cell, other] });
        }
        Ok(Found::Free)
    }

    /// Returns the pairs that a coordinate moves against each other.
    pub fn moved_by(&self, coordinate: usize) -> Vec<usize> {
        let is_moved = |&pair: &usize| {
            let of = self.posed.pair(pair);
            let mut levers = [0, 1].into_iter().flat_map(|side| {
                let links = &self.posed.chain(of.bodies[side]).links;
                &links[..of.own[side]]
            });
            levers.any(|lever| self.followers[lever.step].coordinate == coordinate)
        };
        (0..self.posed.pair_count()).filter(is_moved).collect()
    }

    /// Poses the robot in the middle of a box, which it returns.
    fn pose(&mut self, cell: &Cell) -> Result<Vec<f64>, P::Error> {
        let ends = || cell.lower.iter().zip(&cell.upper);
        let middle: Vec<f64> = ends()
            .map(|(lower, upper)| 0.5 * lower + 0.5 * upper)
            .collect();
        for follower in &self.followers {
            let k = follower.coordinate;
            let half = (middle[k] - cell.lower[k]).max(cell.upper[k] - middle[k]) * ROUNDED_UP;
            let q = follower.multiplier * middle[k] + follower.offset;
            let speed = follower.multiplier.abs() * half;
            self.line.set_tangent(follower.step, [q, 0.0], speed, 0.0);
        }
        self.line.at(0.0, 1.0, self.posed.advance())?;
        Ok(middle)
    }

    /// Judges a pair in the box around the configuration in hand.
    fn judge_pair(
        &mut self,
        pair: usize,
        normal: Option<Vector3<f64>>,
    ) -> Result<Verdict, P::Error> {
        let posed = &mut self.posed;
        posed.update(pair);
        let travel = posed.motion(pair).speed;
        let margin = posed.margin(pair);
        let apart = posed.apart(pair, margin + travel);
        if apart > margin + travel {
            return Ok(Verdict::Proven);
        }
        if normal.is_some_and(|normal| separates(posed, pair, &normal)) {
            return Ok(Verdict::Proven);
        }
        if apart > margin && posed.between_centres(pair) < HOPELESS * travel {
            return Ok(Verdict::Open(normal));
        }
        let Some(found) = posed.contact(pair, margin + travel)? else {
            return Ok(Verdict::Proven);
        };
        let contact = &found.contact;
        if contact.lower > margin + travel {
            return Ok(Verdict::Proven);
        }
        if contact.upper <= posed.separation(pair) {
            return Ok(Verdict::Touches);
        }
        if separates(posed, pair, &contact.normal) {
            return Ok(Verdict::Proven);
        }
        Ok(Verdict::Open(Some(contact.normal.into_inner())))
    }

    /// Returns the coordinate that moves the pairs most, and whether the first of them that it moves comes closer where
    /// the coordinate falls; `None` if none moves them.
    fn cut(&self, left: &[Left]) -> Option<(usize, bool)> {
        let count = self.followers.iter().map(|f| f.coordinate + 1).max()?;
        let mut motion = vec![0.0; count];
        let mut closing = vec![0.0; count];
        for left in left {
            let pair = self.posed.pair(left.pair);
            for side in [0, 1] {
                let body = pair.bodies[side];
                let levers = &self.posed.chain(body).links[..pair.own[side]];
                let moving = self.posed.moving(body);
                let mut before = 0.0;
                for (lever, up_to) in levers.iter().zip(&moving.motions) {
                    let of_step = &self.posed.state().steps[lever.step];
                    let own = up_to.speed - before;
                    before = up_to.speed;
                    let follower = &self.followers[lever.step];
                    let k = follower.coordinate;
                    let Some(normal) = left.normal else {
                        motion[k] += own;
                        continue;
                    };
                    let [along, most] = along(of_step, &normal, &moving.centre, moving.radius);
                    // Of its motion across the normal a part closes the gap in second order.
                    let speed = of_step.step.speed;
                    motion[k] += speed * most + ACROSS * own;
                    let sign = if side == 0 { 1.0 } else { -1.0 };
                    closing[k] += sign * speed * along * follower.multiplier.signum();
                }
            }
        }
        let cut = (0..count).max_by(|&a, &b| motion[a].total_cmp(&motion[b]))?;
        (motion[cut] > 0.0).then_some((cut, closing[cut] < 0.0))
    }
}

/// The share of a motion across the normal that counts where a box is cut.
const ACROSS: f64 = 0.1;

/// Returns how fast a sphere moves along a direction for one unit of a step: its centre, with the sign, and the most that
/// a point of it does.
fn along(at: &StepAt, n: &Vector3<f64>, centre: &Vector3<f64>, radius: f64) -> [f64; 2] {
    if at.step.turns {
        let of_centre = n.dot(&at.axis.cross(&(centre - at.origin)));
        let more = n.cross(&at.axis).norm() * radius;
        [of_centre, of_centre.abs() + more]
    } else {
        let slide = n.dot(&at.axis);
        [slide, slide.abs()]
    }
}

/// Whether a direction separates a pair in the whole box around the configuration in hand.
fn separates<P: EdgePairs>(posed: &Posed<P>, pair: usize, normal: &Vector3<f64>) -> bool {
    let normal = posed.direction(pair, normal);
    let of = posed.pair(pair);
    let mut closes = 0.5 * posed.motion(pair).acceleration;
    for side in [0, 1] {
        let body = of.bodies[side];
        let moving = posed.moving(body);
        for lever in &posed.chain(body).links[..of.own[side]] {
            let at = &posed.state().steps[lever.step];
            let [_, most] = along(at, &normal, &moving.centre, moving.radius);
            closes += at.step.speed * most;
        }
    }
    let gap = || Some(-posed.support(pair, 1, &-normal)? - posed.support(pair, 0, &normal)?);
    // NaN proves nothing.
    gap().is_some_and(|gap| gap > posed.margin(pair) + closes * (1.0 + 1e-12))
}
