//! What a stroke means: an ellipse, bones, or neither.
//!
//! A stroke whose ends are closer than 20 % of its length is closed. It is an ellipse if it runs around its hull once, if the
//! three ratios of [`crate::hull`] are those of an ellipse, and if the ellipse of least squares passes near it; another
//! closed stroke would be a cycle of bones and is refused. An open stroke is a chain of bones, unless its bones cross. The
//! ratios stand in for the recogniser of Gonçalves 2015. The thresholds come from generated strokes: `cargo run
//! --release -p superovoid-sketch --example confusion` prints what they confuse.

use crate::ellipse::{Ellipse, fit_ellipse};
use crate::hull::{area, convex_hull, ratios};
use crate::stroke::Stroke;
use nalgebra::Point2;

/// The largest gap of a closed stroke, in parts of its length.
const GAP: f64 = 0.2;
/// Samples of a closed stroke.
const SAMPLES: usize = 72;
/// The least and largest signed area over the hull's. A figure eight has about 0, two turns have 2.
const TURNS_ONCE: [f64; 2] = [0.85, 1.3];
/// The largest triangle: an ellipse has 0.413 and at the strongest tremor at most 0.52, a triangle 1 and at least 0.71.
const TRIANGLE: f64 = 0.6;
/// The largest quadrilateral: an ellipse has 0.637 and at most 0.73, rectangle and triangle 1 and at least 0.79.
const QUADRILATERAL: f64 = 0.76;
/// The least rectangle: an ellipse has 1.273 and from 1.19 to 1.38, a triangle 2 and at least 1.54.
const RECTANGLE: [f64; 2] = [1.1, 1.46];
/// The largest misfit of the ellipse, at most 0.1 of those that are ellipses.
const MISFIT: f64 = 0.13;

/// Why a stroke is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The stroke crosses itself.
    #[error("the stroke crosses itself: draw bones one after the other, and ellipses in one turn")]
    SelfCrossing,
    /// The stroke is closed and no ellipse.
    #[error("the stroke is closed and no ellipse, and bones in a cycle are not possible")]
    NoEllipse,
}

/// What a stroke means.
#[derive(Clone, Debug, PartialEq)]
pub enum Recognised {
    /// The stroke is an ellipse, in coordinates of the pane.
    Ellipse(Ellipse),
    /// The stroke is a chain of bones with these joints.
    Bones(Vec<Point2<f64>>),
    /// The stroke has no meaning.
    Refused(Refusal),
}

/// Returns what a stroke means.
pub fn recognise(stroke: &Stroke) -> Recognised {
    let drawn = stroke;
    let stroke = stroke.calm();
    if stroke.straightness() < GAP {
        return match closed(&stroke, drawn) {
            Ok(ellipse) => Recognised::Ellipse(ellipse),
            Err(refusal) => Recognised::Refused(refusal),
        };
    }
    let joints = stroke.bones();
    if crosses(&joints) {
        return Recognised::Refused(Refusal::SelfCrossing);
    }
    Recognised::Bones(joints)
}

fn closed(stroke: &Stroke, drawn: &Stroke) -> Result<Ellipse, Refusal> {
    let samples = stroke.even(SAMPLES);
    let hull = convex_hull(&samples);
    let found = ratios(&hull).ok_or(Refusal::NoEllipse)?;
    let once = area(&samples).abs() / area(&hull);
    if !within(once, TURNS_ONCE) {
        return Err(Refusal::SelfCrossing);
    }
    let like = found.triangle < TRIANGLE
        && found.quadrilateral < QUADRILATERAL
        && within(found.rectangle, RECTANGLE);
    if !like {
        return Err(Refusal::NoEllipse);
    }
    // Means lie inside a curve, so that the ellipse goes through the points as drawn.
    fit_ellipse(&drawn.even(SAMPLES))
        .filter(|ellipse| ellipse.misfit(&samples) < MISFIT)
        .ok_or(Refusal::NoEllipse)
}

fn within(x: f64, [low, high]: [f64; 2]) -> bool {
    low <= x && x <= high
}

/// Whether two segments of a chain that are not neighbours meet.
fn crosses(joints: &[Point2<f64>]) -> bool {
    let segment = |k: usize| [joints[k], joints[k + 1]];
    (2..joints.len().saturating_sub(1)).any(|j| (0..j - 1).any(|i| meet(segment(i), segment(j))))
}

fn meet([a, b]: [Point2<f64>; 2], [c, d]: [Point2<f64>; 2]) -> bool {
    let side =
        |p: Point2<f64>, q: Point2<f64>, r: Point2<f64>| (q - p).perp(&(r - p)).partial_cmp(&0.0);
    side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b)
}
