//! The lift: the least upward move after which two teeth are free.
//!
//! Two convex bodies touch, while one of them moves along a line, during one interval of moves. With t_ij the end of that
//! interval for the lower body i and the upper body j, and the pairs that are never met left out, the teeth are free
//! after every move t > L and touch at L, where
//!
//! ```text
//! L = max over the pairs of t_ij
//! ```
//!
//! Seen the other way round, t_ij is where the upper body, come down from above, touches first:
//! [`time_of_impact`] brackets it, with a proof that the bodies are apart before. So L gets a bracket: above its upper end
//! the teeth are proven to be free, and at its lower end a pair is proven to touch. Pairs whose boxes part earlier than
//! the best lower end are left out, as are pairs whose boxes miss each other sideways.

use crate::tooth::Tooth;
use crate::{BiteError, Body};
use nalgebra::{Isometry3, Translation3, Vector3};
use superovoid::Aabb;
use superovoid::motion::{Motion, TimeOfImpact, TimeOfImpactOptions, time_of_impact};

/// The least upward move of the upper tooth after which it is free of the lower one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lift {
    /// At this move (metres) a pair is proven to touch; −∞ if none is.
    pub lower: f64,
    /// After every move greater than this (metres) all pairs are proven to be free.
    pub upper: f64,
    /// The bodies of the lower and the upper tooth that part last, from 0.
    pub pair: [usize; 2],
}

/// The share of the bodies' size by which a descent starts above the move at which the boxes part.
const MARGIN: f64 = 0.05;

/// Returns the last contact of two teeth as the upper one, at a pose, moves up by `least` or more; `None` if they are
/// proven to be free from there on. `least` may be −∞.
pub(crate) fn last_contact(
    lower: &Tooth,
    upper: &Tooth,
    pose: &Isometry3<f64>,
    least: f64,
) -> Result<Option<Lift>, BiteError> {
    let boxes_a = boxes(lower, &Isometry3::identity());
    let boxes_b = boxes(upper, pose);
    let mut pairs = Vec::new();
    for (i, a) in boxes_a.iter().enumerate() {
        for (j, b) in boxes_b.iter().enumerate() {
            let parted = a.max.z - b.min.z;
            if parted >= least && meet_sideways(a, b) {
                pairs.push((parted, [i, j]));
            }
        }
    }
    pairs.sort_by(|p, q| q.0.total_cmp(&p.0));
    let mut found: Option<Lift> = None;
    for (parted, pair) in pairs {
        if found.is_some_and(|lift| parted < lift.lower) {
            break;
        }
        let (a, b) = (&lower.bodies()[pair[0]], &upper.bodies()[pair[1]]);
        let together = boxes_a[pair[0]].min.z - boxes_b[pair[1]].max.z;
        let range = [least.max(together), parted];
        let Some([low, high]) = end_of_contact(a, b, pose, range)? else {
            continue;
        };
        let lift = found.get_or_insert(Lift {
            lower: low,
            upper: high,
            pair,
        });
        if high > lift.upper {
            (lift.upper, lift.pair) = (high, pair);
        }
        lift.lower = lift.lower.max(low);
    }
    Ok(found)
}

fn boxes(tooth: &Tooth, pose: &Isometry3<f64>) -> Vec<Aabb> {
    let aabb = |body: &Body| body.shape.aabb(&(pose * body.pose));
    tooth.bodies().iter().map(aabb).collect()
}

fn meet_sideways(a: &Aabb, b: &Aabb) -> bool {
    (0..2).all(|k| a.min[k] <= b.max[k] && b.min[k] <= a.max[k])
}

/// Brackets the last contact of a pair among upward moves from `low` to `high`, where the boxes part.
fn end_of_contact(
    a: &Body,
    b: &Body,
    pose: &Isometry3<f64>,
    [low, high]: [f64; 2],
) -> Result<Option<[f64; 2]>, BiteError> {
    let largest = |body: &Body| body.shape.semi_axes().into_iter().fold(0.0, f64::max);
    let top = high + MARGIN * largest(a).max(largest(b));
    let raised = |by: f64| Translation3::from(Vector3::z() * by) * (pose * b.pose);
    let way = top - low;
    let still = Motion::still(a.pose)?;
    let down = Motion::screw(raised(top), Vector3::z() * -way, Vector3::zeros())?;
    let options = TimeOfImpactOptions::default();
    let answer = time_of_impact(&a.shape, &still, &b.shape, &down, &options)?;
    let at = |t: f64| top - way * t;
    Ok(match answer {
        TimeOfImpact::Free { .. } => None,
        TimeOfImpact::Hit { safe, touching, .. } => Some([at(touching), at(safe)]),
        TimeOfImpact::Undecided { safe, .. } => Some([f64::NEG_INFINITY, at(safe)]),
        // The boxes are apart at the top, so that this is rounding.
        TimeOfImpact::Overlapping { .. } => Some([top, top]),
    })
}

impl Tooth {
    /// Returns the least upward move of `upper`, from a pose, after which it is free of this tooth: at least 0, and
    /// `None` where no upward move meets it.
    ///
    /// # Errors
    /// A pose that is not one, or a distance that exceeds the number range.
    pub fn lift(&self, upper: &Tooth, pose: &Isometry3<f64>) -> Result<Option<Lift>, BiteError> {
        last_contact(self, upper, pose, 0.0)
    }
}
