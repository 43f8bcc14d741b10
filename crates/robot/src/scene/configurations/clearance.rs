//! The least clearances of configurations, and which of them are in collision.

use super::closest::Closest;
use super::collision::Collisions;
use super::memory::Memory;
use super::pairs::BlockPairs;
use super::waiting::Waiting;
use crate::robot::{Configuration, States};
use crate::scene::query::SceneOptions;
use crate::scene::robot::{RobotScene, RobotSceneError};
use superovoid::internals::MAX_LANES;

/// The search for clearances: the pairs that were in collision before come first, then the closest pair is sought until
/// one overlaps.
pub(super) struct Clearances<'a> {
    collisions: Collisions<'a>,
    closest: Closest<'a>,
}

impl<'a> Clearances<'a> {
    pub fn new(scene: &'a RobotScene, pairs: &'a [[u32; 2]], options: &SceneOptions) -> Self {
        let of_pairs = || BlockPairs::new(scene, pairs, Memory::new(&scene.placed(), pairs));
        Clearances {
            collisions: Collisions::new(of_pairs(), options),
            closest: Closest::until_overlap(of_pairs(), options),
        }
    }

    /// Returns the clearances, metres: 0 in collision.
    pub fn of_all(
        &mut self,
        configurations: &[Configuration],
    ) -> Result<Vec<f64>, RobotSceneError> {
        let mut clearances = vec![0.0; configurations.len()];
        let mut waiting = Waiting::default();
        for (k, block) in configurations.chunks(MAX_LANES).enumerate() {
            let mut open = [true; MAX_LANES];
            if self.collisions.has_noted() {
                let states: Vec<&Configuration> = block.iter().collect();
                open = self.collisions.begin(&States::Of(&states))?;
            }
            waiting.push(k * MAX_LANES, &open[..block.len()]);
            while let Some(block) = waiting.full() {
                self.measure(configurations, &block, &mut clearances)?;
            }
        }
        if let Some(block) = waiting.rest() {
            self.measure(configurations, &block, &mut clearances)?;
        }
        Ok(clearances)
    }

    /// Measures at most eight of the configurations.
    fn measure(
        &mut self,
        configurations: &[Configuration],
        block: &[usize],
        clearances: &mut [f64],
    ) -> Result<(), RobotSceneError> {
        let states: Vec<&Configuration> = block.iter().map(|&k| &configurations[k]).collect();
        let found = self.closest.clearances_of(&states)?;
        for (&k, found) in block.iter().zip(found) {
            clearances[k] = found;
        }
        for &pair in self.closest.overlapping() {
            self.collisions.note(pair);
        }
        Ok(())
    }
}
