//! A spline of configurations, as a path for [`search`](super::search): u runs by 1 on every piece.
//!
//! On an interval within a piece the points of the derivatives of every number, restricted to the interval, bound its speed
//! and its second derivative there (see [`bezier`](crate::robot::spline::bezier)); the position and the rate in the middle
//! are a tangent [`Line`], by which the robot is posed. An interval over several pieces has the greatest speed of all of
//! them, and no bound of the second derivative, since the speed may jump.

use super::line::{Line, State};
use super::search::Path;
use crate::robot::spline::bezier;
use crate::robot::spline::curve::{Spline, SplineError};
use crate::robot::{Configuration, ConfigurationError, Joint, Robot};
use nalgebra::Isometry3;
use std::ops::Range;

pub(crate) struct SplinePath<'a> {
    spline: &'a Spline,
    line: Line<'a>,
    followers: Vec<Follower>,
    buffers: [Vec<f64>; 2],
}

/// A step of the line, and the number of the configuration that it follows.
struct Follower {
    step: usize,
    number: usize,
    multiplier: f64,
    offset: f64,
}

/// What bounds a number on an interval, and its value and rate in the middle.
struct OfNumber {
    q: f64,
    rate: f64,
    speed: f64,
    bend: f64,
}

/// The rounding of a derivative's point, relative to the largest point and the degree.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// How far a joint may leave its limits by rounding, relative to them if they are greater than 1.
const TOLERANCE: f64 = 1e-12;

impl<'a> SplinePath<'a> {
    /// The error names a joint that leaves its limits, or one that may not move.
    pub fn new<E>(robot: &'a Robot, base: Isometry3<f64>, spline: &'a Spline) -> Result<Self, E>
    where
        E: From<ConfigurationError> + From<SplineError>,
    {
        let [lowest, highest] = ends::<E>(robot, spline)?;
        let line = Line::new(robot, base, [&lowest, &highest])?;
        let follower = |(step, joint): (usize, usize)| {
            let (source, multiplier, offset) = robot.follows(joint).unwrap_or((joint, 1.0, 0.0));
            Some(Follower {
                step,
                number: robot.position_range(source)?.start,
                multiplier,
                offset,
            })
        };
        let steps = line.steps.iter().map(|step| step.joint).enumerate();
        Ok(SplinePath {
            followers: steps.filter_map(follower).collect(),
            spline,
            line,
            buffers: Default::default(),
        })
    }

    /// Returns the bounds of a number on a part of a piece, from s = 0 to 1.
    fn within(&mut self, number: usize, piece: usize, s: f64, part: [f64; 2]) -> OfNumber {
        let points = self.spline.piece(piece, number);
        let rounding = ROUNDING * self.spline.degree() as f64 * bezier::largest(points);
        let copy = |buffer: &mut Vec<f64>, of: &[f64]| {
            buffer.clear();
            buffer.extend(of);
        };
        let [slope, buffer] = &mut self.buffers;
        copy(buffer, points);
        let q = bezier::value(buffer, s);
        copy(slope, points);
        bezier::derive(slope);
        copy(buffer, slope);
        let rate = bezier::value(buffer, s);
        copy(buffer, slope);
        bezier::restrict(buffer, part);
        let speed = bezier::largest(buffer).max(rate.abs()) + rounding;
        bezier::derive(slope);
        bezier::restrict(slope, part);
        let bend = bezier::largest(slope) + self.spline.degree() as f64 * rounding;
        OfNumber {
            q,
            rate,
            speed,
            bend,
        }
    }

    /// Returns the greatest speed of a number on several pieces.
    fn fastest(&mut self, number: usize, pieces: Range<usize>) -> f64 {
        let of_piece = |piece| self.within(number, piece, 0.0, [0.0, 1.0]).speed;
        pieces.map(of_piece).fold(0.0, f64::max)
    }
}

impl Path for SplinePath<'_> {
    fn line(&self) -> &Line<'_> {
        &self.line
    }

    fn at(&mut self, middle: f64, half: f64, state: &mut State) -> Result<(), ConfigurationError> {
        let last = self.spline.pieces() - 1;
        let piece = (middle as usize).min(last);
        let s = middle - piece as f64;
        let part = [s - half, s + half];
        let is_within = part[0] >= 0.0 && part[1] <= 1.0;
        for k in 0..self.followers.len() {
            let number = self.followers[k].number;
            let part = part.map(|s| s.clamp(0.0, 1.0));
            let mut of = self.within(number, piece, s, part);
            if !is_within {
                let [first, end] = [(middle - half).floor(), (middle + half).ceil()];
                of.speed = self.fastest(number, first as usize..(end as usize).min(last + 1));
                of.bend = f64::INFINITY;
            }
            let Follower {
                step,
                multiplier,
                offset,
                ..
            } = self.followers[k];
            let tangent = [multiplier * of.q + offset, multiplier * of.rate];
            let size = multiplier.abs();
            self.line
                .set_tangent(step, tangent, size * of.speed, size * of.bend);
        }
        self.line.at(0.0, half, state)
    }

    fn pieces(&self) -> usize {
        self.spline.pieces()
    }

    fn time(&self, t: f64) -> f64 {
        self.spline.time(t)
    }
}

/// Returns two configurations between which all positions of a spline lie.
fn ends<E>(robot: &Robot, spline: &Spline) -> Result<[Configuration; 2], E>
where
    E: From<ConfigurationError> + From<SplineError>,
{
    let (count, expected) = (spline.position_count(), robot.position_count());
    if count != expected {
        return Err(ConfigurationError::Count { count, expected }.into());
    }
    let [mut lowest, mut highest] = [vec![0.0; count], vec![0.0; count]];
    for (index, joint) in robot.joints().iter().enumerate() {
        let numbers = robot.position_range(index).unwrap_or_default();
        let has_one = numbers.len() == 1;
        for number in numbers {
            let mut range = spline.range(number);
            if !has_one && range[0] != range[1] {
                let joint = joint.name.clone();
                return Err(SplineError::Moves { joint }.into());
            }
            if let Some([lower, upper]) = joint.range() {
                stays_within(joint, spline, number, [lower, upper])?;
                range = range.map(|q| q.clamp(lower, upper));
            }
            [lowest[number], highest[number]] = range;
        }
    }
    Ok([
        robot.configuration(&lowest)?,
        robot.configuration(&highest)?,
    ])
}

/// The error names the first time at which a joint is found outside its limits.
fn stays_within(
    joint: &Joint,
    spline: &Spline,
    number: usize,
    [lower, upper]: [f64; 2],
) -> Result<(), SplineError> {
    let tolerance = TOLERANCE * lower.abs().max(upper.abs()).max(1.0);
    for piece in 0..spline.pieces() {
        let points = spline.piece(piece, number);
        if let Some((s, value)) = bezier::outside(points, [lower, upper], tolerance) {
            return Err(SplineError::OutsideLimits {
                joint: joint.name.clone(),
                time: spline.time(piece as f64 + s),
                value,
                lower,
                upper,
            });
        }
    }
    Ok(())
}
