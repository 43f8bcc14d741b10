//! The last answers of pairs that are close, to start the next queries from.
//!
//! A start changes how long an answer takes and not what it says. The signed distance of bodies
//! apart is one number, proven to the tolerance, from wherever the solver came. Everything else (an
//! overlap, whose depth is found by a search, or a distance so near to zero or to the distance of
//! interest that the tolerance decides) is solved as if the pair had never been seen.

use super::id::BodyId;
use nalgebra::Isometry3;
use std::collections::HashMap;
use superovoid::internals::RELATIVE_TOLERANCE;
use superovoid::{Contact, Outcome, PairCache, QueryError, QueryOptions, Superovoid, contact};

#[derive(Clone, Default)]
pub(super) struct WarmStarts {
    starts: HashMap<[BodyId; 2], Start>,
    /// The number of queries of the scene.
    now: u64,
    /// The number of starts that are kept without a look at their age.
    room: usize,
}

#[derive(Clone, Copy)]
struct Start {
    cache: PairCache,
    /// The pose of B in the frame of A.
    pose: Isometry3<f64>,
    /// The query that needed it last.
    used: u64,
}

/// A superovoid at its pose.
pub(super) type PlacedShape<'a> = (&'a Superovoid, &'a Isometry3<f64>);

/// The number of queries without a pair after which its start is dropped.
const OLD: u64 = 16;
/// The number of largest semi-axes of a pair beyond which it is not close: seen from so far, the centre line starts a
/// query as well.
const CLOSE: f64 = 4.0;

impl WarmStarts {
    /// Counts a new query of the scene.
    pub fn next_query(&mut self) {
        self.now += 1;
        if self.starts.len() > self.room {
            let now = self.now;
            self.starts.retain(|_, start| now - start.used <= OLD);
            self.room = 2 * self.starts.len() + 64;
        }
    }

    /// Returns the number of pairs that have a start.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    pub fn contact(
        &mut self,
        pair: [BodyId; 2],
        (a, pose_a): PlacedShape,
        (b, pose_b): PlacedShape,
        options: &QueryOptions,
    ) -> Result<Contact, QueryError> {
        let size = a.size().max(b.size());
        let tolerance = options.tolerance.max(RELATIVE_TOLERANCE * size);
        let pose = pose_a.inv_mul(pose_b);
        if let Some(start) = self.starts.get_mut(&pair)
            && is_step(&start.pose, &pose, size)
        {
            start.used = self.now;
            let mut cache = start.cache;
            let found = contact(a, pose_a, b, pose_b, options, Some(&mut cache))?;
            if is_settled(&found, tolerance, options.max_distance) {
                // A pair that is proven to be farther apart leaves none behind.
                if !cache.is_empty() {
                    start.cache = cache;
                    start.pose = pose;
                }
                return Ok(found);
            }
        }
        let mut cache = PairCache::default();
        let found = contact(a, pose_a, b, pose_b, options, Some(&mut cache))?;
        let useful = found.outcome == Outcome::Certified && found.distance > 0.0;
        if useful && found.distance < CLOSE * size && !cache.is_empty() {
            let used = self.now;
            self.starts.insert(pair, Start { cache, pose, used });
        } else {
            self.starts.remove(&pair);
        }
        Ok(found)
    }
}

/// The turn (radians, about) and the share of a body's size up to which a motion is a step.
const STEP: f64 = 0.25;

/// Whether a motion between two queries is so small that the last answer is a good start.
fn is_step(last: &Isometry3<f64>, pose: &Isometry3<f64>, size: f64) -> bool {
    let moved = pose.translation.vector - last.translation.vector;
    let cos_half = pose.rotation.coords.dot(&last.rotation.coords).abs();
    // The cosine of half a turn of t is at least 1 - t²/8.
    moved.norm_squared() <= (STEP * size).powi(2) && 1.0 - cos_half <= STEP * STEP / 8.0
}

/// Whether another start would have led to the same answer.
pub(super) fn is_settled(found: &Contact, tolerance: f64, max_distance: f64) -> bool {
    let doubt = 4.0 * tolerance;
    match found.outcome {
        Outcome::Beyond => found.lower > max_distance + doubt,
        Outcome::Certified => {
            let doubt = doubt.max(4.0 * (found.upper - found.lower));
            found.distance > doubt && (found.distance - max_distance).abs() > doubt
        }
        _ => false,
    }
}
