//! The least clearances of configurations, and which of them are in collision.

use super::closest::Closest;
use super::collision::Collisions;
use super::pairs::BlockPairs;
use crate::poses::Column;
use crate::robot::Configuration;
use crate::scene::query::SceneOptions;
use crate::scene::robot::RobotSceneError;
use superovoid::internals::MAX_LANES;

/// The number of configurations of a part that are asked for collisions first.
const FIRST: usize = 32;
/// The share of them in collision, as a divisor, above which all are asked: that takes a third of the time of a clearance.
const MANY: usize = 3;

/// Returns the clearances of configurations, metres: 0 in collision. The closest pair is sought until one overlaps, of those
/// that are not known to be in collision.
pub(super) fn clearances(
    pairs: BlockPairs,
    options: &SceneOptions,
    configurations: &[Configuration],
) -> Result<Vec<f64>, RobotSceneError> {
    let mut collisions = Collisions::new(pairs, options);
    let (first, rest) = configurations.split_at(configurations.len().min(FIRST));
    let mut collides = collisions.of_all(first)?;
    if MANY * collides.iter().filter(|collides| **collides).count() > first.len() {
        collides.extend(collisions.of_all(rest)?);
    }
    collides.resize(configurations.len(), false);
    let mut closest = Closest::until_overlap(collisions.into_pairs(), options);
    let mut clearances = vec![0.0; configurations.len()];
    let left: Vec<usize> = (0..collides.len()).filter(|&k| !collides[k]).collect();
    for block in left.chunks(MAX_LANES) {
        let states: Vec<&Configuration> = block.iter().map(|&k| &configurations[k]).collect();
        let found: Column = closest.clearances_of(&states)?;
        for (&k, found) in block.iter().zip(found) {
            clearances[k] = found;
        }
    }
    Ok(clearances)
}
