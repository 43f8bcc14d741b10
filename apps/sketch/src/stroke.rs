//! A stroke of a pen in a pane, and the bones that it draws.
//!
//! A pane is the unit square with y up, so that lengths are parts of the view. A stroke becomes a chain of bones after
//! Gonçalves 2015 (§4.1): it is sampled at nearly even arc length and split where it turns by more than 35° from the
//! bone so far, unless a bone would be shorter than 5 % of the view.

use nalgebra::{Point2, Vector2};

/// The turn above which a bone ends, radians.
const TURN: f64 = 35.0 * std::f64::consts::PI / 180.0;
/// The shortest bone, in parts of the view.
pub(crate) const SHORTEST_BONE: f64 = 0.05;
/// The distance of samples, in parts of the view.
const STEP: f64 = 0.01;
/// The shortest stroke; a shorter one is a tap.
const SHORTEST_STROKE: f64 = 0.01;
/// The least number of steps between samples, so that a small ellipse keeps its form.
const LEAST_STEPS: f64 = 72.0;
const MOST_POINTS: usize = 100_000;
/// The longest stroke, in parts of the view.
const LONGEST: f64 = 40.0;

/// An error of the points of a stroke.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StrokeError {
    /// The stroke has less than two points.
    #[error("a stroke needs two points or more, this one has {0}: tap a bone to split it")]
    TooFewPoints(usize),
    /// The stroke has too many points.
    #[error("a stroke has at most {MOST_POINTS} points, this one has {0}")]
    TooManyPoints(usize),
    /// A coordinate is not a finite number.
    #[error("points[{0}] is not finite")]
    NotFinite(usize),
    /// A point lies outside the pane.
    #[error("points[{0}] is off the pane: both coordinates must be from 0 to 1")]
    OffPane(usize),
    /// The stroke is as short as a tap.
    #[error("the stroke is {0} of the view long: draw it longer than {SHORTEST_STROKE}")]
    TooShort(f64),
    /// The stroke is too long to be one figure.
    #[error("the stroke is {0} times the view long: at most {LONGEST}")]
    TooLong(f64),
}

/// A stroke in the unit square, y up.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    points: Vec<Point2<f64>>,
    /// The arc length up to each point.
    lengths: Vec<f64>,
}

impl Stroke {
    /// Makes a stroke from points of a pane.
    ///
    /// # Errors
    /// The error names a point that is not finite or off the pane, or a stroke that is too short or too long.
    pub fn new(points: &[[f64; 2]]) -> Result<Self, StrokeError> {
        if points.len() < 2 {
            return Err(StrokeError::TooFewPoints(points.len()));
        }
        if points.len() > MOST_POINTS {
            return Err(StrokeError::TooManyPoints(points.len()));
        }
        for (i, point) in points.iter().enumerate() {
            check(*point, i)?;
        }
        let stroke = Self::through(points.iter().map(|&p| Point2::from(p)).collect());
        let length = stroke.length();
        if length < SHORTEST_STROKE {
            return Err(StrokeError::TooShort(length));
        }
        if length > LONGEST {
            return Err(StrokeError::TooLong(length));
        }
        Ok(stroke)
    }

    /// Returns the arc length, in parts of the view.
    pub fn length(&self) -> f64 {
        self.lengths[self.lengths.len() - 1]
    }

    /// Returns the points as they were drawn.
    pub fn points(&self) -> &[Point2<f64>] {
        &self.points
    }

    /// Returns `count` points, at least two, at even arc length, both ends among them.
    pub fn even(&self, count: usize) -> Vec<Point2<f64>> {
        let count = count.max(2);
        let mut segment = 0;
        let at = |k: usize| {
            let s = self.length() * k as f64 / (count - 1) as f64;
            while segment + 2 < self.points.len() && self.lengths[segment + 1] < s {
                segment += 1;
            }
            let [from, to] = [self.lengths[segment], self.lengths[segment + 1]];
            let t = if to > from {
                ((s - from) / (to - from)).min(1.0)
            } else {
                0.0
            };
            self.points[segment] + (self.points[segment + 1] - self.points[segment]) * t
        };
        (0..count).map(at).collect()
    }

    /// Returns the distance of the ends over the arc length: 1 for a straight line, 0 for a closed curve.
    pub fn straightness(&self) -> f64 {
        (self.points[self.points.len() - 1] - self.points[0]).norm() / self.length()
    }

    /// Returns the stroke without its tremor: means of five samples each, at nearly even arc length. The ends stay.
    pub fn calm(&self) -> Stroke {
        Self::through(smoothed(&self.even(self.steps() + 1)))
    }

    fn steps(&self) -> usize {
        (self.length() / STEP).ceil().max(LEAST_STEPS) as usize
    }

    fn through(points: Vec<Point2<f64>>) -> Stroke {
        let mut lengths = vec![0.0];
        for pair in points.windows(2) {
            lengths.push(lengths[lengths.len() - 1] + (pair[1] - pair[0]).norm());
        }
        Stroke { points, lengths }
    }

    /// Returns the joints of the chain of bones that the stroke draws, two or more.
    pub fn bones(&self) -> Vec<Point2<f64>> {
        let steps = self.steps();
        let reach = (SHORTEST_BONE * steps as f64 / self.length()).ceil() as usize;
        let chain = Chain {
            samples: self.even(steps + 1),
            reach,
        };
        let corners = chain.corners().into_iter();
        let mut joints: Vec<Point2<f64>> = corners.map(|i| chain.samples[i]).collect();
        joints.push(chain.samples[steps]);
        // The ends stay.
        let short = |pair: &[Point2<f64>]| (pair[1] - pair[0]).norm() < SHORTEST_BONE;
        while joints.len() > 2 {
            let Some(first) = joints.windows(2).position(short) else {
                break;
            };
            joints.remove((first + 1).min(joints.len() - 2));
        }
        joints
    }
}

/// Requires that a point is finite and in the pane.
pub(crate) fn check(point: [f64; 2], index: usize) -> Result<(), StrokeError> {
    if point.iter().any(|x| !x.is_finite()) {
        return Err(StrokeError::NotFinite(index));
    }
    if point.iter().any(|x| !(0.0..=1.0).contains(x)) {
        return Err(StrokeError::OffPane(index));
    }
    Ok(())
}

/// Samples at even arc length, and the number of them along the shortest bone.
struct Chain {
    samples: Vec<Point2<f64>>,
    reach: usize,
}

impl Chain {
    /// Returns the samples at which bones begin.
    ///
    /// A bone from sample s ends within `reach` of the first sample whose way ahead turns by more than 35° from the
    /// chord of the bone. It ends where the chords of that length on both sides turn most: there the corner is, while
    /// the turn from a long bone's chord hardly changes beyond it.
    fn corners(&self) -> Vec<usize> {
        let last = self.samples.len() - 1;
        let mut corners = vec![0];
        loop {
            let from = corners[corners.len() - 1];
            let candidates = from + self.reach..=last.saturating_sub(self.reach);
            let ends = |i: &usize| {
                let chord = self.samples[*i] - self.samples[from];
                chord.norm() >= SHORTEST_BONE && turn(chord, self.ahead(*i)) > TURN
            };
            let Some(first) = candidates.clone().find(ends) else {
                return corners;
            };
            let window = first..=(first + self.reach).min(*candidates.end());
            let sharpest = window.max_by(|&i, &j| self.sharpness(i).total_cmp(&self.sharpness(j)));
            corners.push(sharpest.unwrap_or(first));
        }
    }

    fn ahead(&self, i: usize) -> Vector2<f64> {
        self.samples[i + self.reach] - self.samples[i]
    }

    fn sharpness(&self, i: usize) -> f64 {
        turn(
            self.samples[i] - self.samples[i - self.reach],
            self.ahead(i),
        )
    }
}

/// Returns the angle between two directions, from 0 to π.
fn turn(a: Vector2<f64>, b: Vector2<f64>) -> f64 {
    a.perp(&b).abs().atan2(a.dot(&b))
}

/// Returns the means of five neighbours each, of as many as there are on both sides near the ends.
fn smoothed(points: &[Point2<f64>]) -> Vec<Point2<f64>> {
    let n = points.len();
    let mean = |i: usize| {
        let half = 2.min(i).min(n - 1 - i);
        let sum: Vector2<f64> = (0..=2 * half).map(|k| points[i + k - half].coords).sum();
        Point2::from(sum / (2 * half + 1) as f64)
    };
    (0..n).map(mean).collect()
}
