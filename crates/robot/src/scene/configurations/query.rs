//! The queries of many configurations.

use super::clearance::clearances;
use super::closest::Closest;
use super::collision::Collisions;
use super::memory::Memory;
use super::pairs::BlockPairs;
use crate::robot::{Configuration, States};
use crate::scene::query::{SceneContact, check_max_distance};
use crate::scene::robot::{RobotContact, RobotScene, RobotSceneError, in_parts};
use crate::scene::{SceneError, SceneOptions};
use superovoid::internals::{MAX_LANES, validate_options};

/// The number of configurations that one thread answers in a row, with the pairs noted that were asked first.
const CONFIGURATIONS_PER_PART: usize = 256;

/// The number of pairs of bodies above which a hierarchy is faster than a loop over all of them.
const MOST_PAIRS: usize = 1 << 15;

impl RobotScene {
    /// Returns, for each of many configurations, whether it is [in collision](RobotScene::in_collision): eight at a
    /// time, on several threads (0: as many as the machine runs at once). The answers are those of single queries, and
    /// the same on any number of threads.
    ///
    /// ```
    /// # use superovoid_robot::Robot;
    /// # use superovoid_robot::scene::{RobotScene, SceneOptions};
    /// # let robot = Robot::from_urdf_str(r#"<robot name="r"><link name="l"/></robot>"#)?;
    /// let mut scene = RobotScene::new(robot)?;
    /// let configurations = vec![scene.robot().neutral(); 1000];
    /// let collides = scene.in_collision_batch(&configurations, &SceneOptions::default(), 0)?;
    /// assert_eq!(collides, vec![false; 1000]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors are those of [`RobotScene::in_collision`]; of several configurations that have one, it is the error of
    /// one of them.
    pub fn in_collision_batch(
        &mut self,
        configurations: &[Configuration],
        options: &SceneOptions,
        threads: usize,
    ) -> Result<Vec<bool>, RobotSceneError> {
        self.validate(options)?;
        let collides = if self.is_large() {
            self.map(configurations, threads, |scene, configuration| {
                scene.in_collision(configuration, options)
            })
            .into_iter()
            .collect::<Result<Vec<bool>, _>>()?
        } else {
            let pairs = self.compared_pairs();
            if threads == 1 || configurations.len() <= CONFIGURATIONS_PER_PART {
                self.with_memory(&pairs, options, |collisions| {
                    collisions.of_all(configurations)
                })?
            } else {
                let scene = &*self;
                answered(configurations, threads, |part| {
                    let pairs =
                        BlockPairs::new(scene, &pairs, Memory::new(&scene.placed(), &pairs));
                    let mut collisions = Collisions::new(pairs, options);
                    let collides = collisions.of_all(part);
                    collisions.into_memory();
                    collides
                })?
            }
        };
        if collides.contains(&false) {
            self.robot.refuse_unchecked(self.allow_unchecked)?;
        }
        Ok(collides)
    }

    /// Returns the [closest](RobotScene::closest) pair of each of many configurations: eight at a time, on several
    /// threads (0: as many as the machine runs at once). The answers are those of single queries within the tolerance,
    /// and the same on any number of threads.
    ///
    /// # Errors
    /// The errors are those of [`RobotScene::closest`]; of several configurations that have one, it is the error of one of
    /// them.
    pub fn closest_batch(
        &mut self,
        configurations: &[Configuration],
        options: &SceneOptions,
        threads: usize,
    ) -> Result<Vec<Option<RobotContact>>, RobotSceneError> {
        self.validate(options)?;
        check_max_distance(options.max_distance)?;
        self.robot.refuse_unchecked(self.allow_unchecked)?;
        if self.is_large() {
            let closest = self.map(configurations, threads, |scene, configuration| {
                scene.closest(configuration, options)
            });
            return closest.into_iter().collect();
        }
        let pairs = self.compared_pairs();
        let scene = &*self;
        let closest: Vec<Option<SceneContact>> = answered(configurations, threads, |part| {
            let pairs = BlockPairs::new(scene, &pairs, Memory::new(&scene.placed(), &pairs));
            Closest::new(pairs, options).of_all(part)
        })?;
        let of_robot = |found: Option<SceneContact>| found.and_then(|found| self.of_robot(&found));
        Ok(closest.into_iter().map(of_robot).collect())
    }

    /// Returns the clearance of each of many configurations, metres: the distance of its [closest](RobotScene::closest)
    /// pair, or the maximum distance if that is farther apart, and 0 for every configuration that is
    /// [in collision](RobotScene::in_collision). A positive clearance is the lower end of a bracket: every pair is proven
    /// to be that far apart. A configuration ends with its first overlap, whose depth is not sought, which makes this the
    /// fastest way to the clearances of configurations of which many are in collision.
    ///
    /// ```
    /// # use superovoid_robot::Robot;
    /// # use superovoid_robot::scene::{RobotScene, SceneOptions};
    /// # let robot = Robot::from_urdf_str(r#"<robot name="r"><link name="l"/></robot>"#)?;
    /// let mut scene = RobotScene::new(robot)?;
    /// let configurations = vec![scene.robot().neutral(); 3];
    /// let options = SceneOptions::default().with_max_distance(0.1);
    /// assert_eq!(scene.clearance_batch(&configurations, &options, 0)?, [0.1; 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors are those of [`RobotScene::closest_batch`].
    pub fn clearance_batch(
        &mut self,
        configurations: &[Configuration],
        options: &SceneOptions,
        threads: usize,
    ) -> Result<Vec<f64>, RobotSceneError> {
        self.validate(options)?;
        check_max_distance(options.max_distance)?;
        self.robot.refuse_unchecked(self.allow_unchecked)?;
        if self.is_large() {
            let clearances = self.map(configurations, threads, |scene, configuration| {
                scene.clearance(configuration, options)
            });
            return clearances.into_iter().collect();
        }
        let pairs = self.compared_pairs();
        let scene = &*self;
        answered(configurations, threads, |part| {
            let pairs = BlockPairs::new(scene, &pairs, Memory::new(&scene.placed(), &pairs));
            clearances(pairs, options, part)
        })
    }

    fn clearance(
        &mut self,
        configuration: &Configuration,
        options: &SceneOptions,
    ) -> Result<f64, RobotSceneError> {
        if self.in_collision(configuration, options)? {
            return Ok(0.0);
        }
        let Some(closest) = self.closest(configuration, options)? else {
            return Ok(options.max_distance);
        };
        // A pair whose bracket is open may be no farther apart.
        let distance = closest.contact.distance;
        let near = SceneOptions {
            max_distance: distance,
            ..*options
        };
        let contacts = self.contacts(configuration, &near)?;
        let lower = contacts.iter().map(|found| found.contact.lower);
        Ok(lower.fold(closest.contact.lower, f64::min))
    }

    /// Returns the index of a configuration that is in collision, if there is one: of the states along an edge the ends
    /// and the middle come first, then the quarters and so on (the order of van der Corput), eight at a time, and the
    /// query ends with the first block that has a collision. `None` says that every one of these configurations is
    /// free, and nothing about those between them, which [`RobotScene::edge_free`] judges.
    ///
    /// # Errors
    /// The errors are those of [`RobotScene::in_collision`].
    pub fn find_collision(
        &mut self,
        configurations: &[Configuration],
        options: &SceneOptions,
    ) -> Result<Option<usize>, RobotSceneError> {
        self.validate(options)?;
        self.find_in(configurations.len(), options, |collisions, block| {
            let mut states = [&configurations[block[0]]; MAX_LANES];
            for (state, &k) in states.iter_mut().zip(block) {
                *state = &configurations[k];
            }
            collisions.of(&States::Of(&states[..block.len()]))
        })
    }

    /// Returns the number k of a state that is in collision, if there is one, of the states at k/`count` of the straight
    /// line between two configurations, k from 1 to `count`, as [`RobotScene::find_collision`] does for configurations;
    /// the first configuration is not among them. No configurations are made. The joints move as along the line of
    /// [`RobotScene::edge_free`].
    ///
    /// # Errors
    /// The errors are those of [`RobotScene::in_collision`].
    pub fn find_collision_between(
        &mut self,
        from: &Configuration,
        to: &Configuration,
        count: usize,
        options: &SceneOptions,
    ) -> Result<Option<usize>, RobotSceneError> {
        self.validate(options)?;
        States::Of(&[from, to]).check(&self.robot)?;
        let found = self.find_in(count, options, |collisions, block| {
            let last = block.len() - 1;
            let at = std::array::from_fn(|k| (block[k.min(last)] + 1) as f64 / count as f64);
            collisions.of(&States::Between([from, to], &at, block.len()))
        });
        Ok(found?.map(|k| k + 1))
    }

    /// Asks for blocks of the numbers below `count`, spread wide, until one of them is in collision.
    fn find_in(
        &mut self,
        count: usize,
        options: &SceneOptions,
        mut ask: impl FnMut(&mut Collisions, &[usize]) -> Result<[bool; MAX_LANES], RobotSceneError>,
    ) -> Result<Option<usize>, RobotSceneError> {
        let pairs = self.compared_pairs();
        let found = self.with_memory(&pairs, options, |collisions| {
            collisions.end_at_any();
            let mut order = spread_wide(count);
            loop {
                let mut block = [0; MAX_LANES];
                let mut filled = 0;
                for (place, k) in block.iter_mut().zip(&mut order) {
                    *place = k;
                    filled += 1;
                }
                if filled == 0 {
                    return Ok(None);
                }
                let collides = ask(collisions, &block[..filled])?;
                let mut lanes = block[..filled].iter().zip(collides);
                if let Some((&state, _)) = lanes.find(|(_, collides)| *collides) {
                    return Ok(Some(state));
                }
            }
        })?;
        if found.is_none() {
            self.robot.refuse_unchecked(self.allow_unchecked)?;
        }
        Ok(found)
    }

    /// Asks for collisions with the memory of the last time.
    fn with_memory<T>(
        &mut self,
        pairs: &[[u32; 2]],
        options: &SceneOptions,
        ask: impl FnOnce(&mut Collisions) -> Result<T, RobotSceneError>,
    ) -> Result<T, RobotSceneError> {
        let kept = self.memory.take();
        let memory = kept.unwrap_or_else(|| Memory::new(&self.placed(), pairs));
        let mut collisions = Collisions::new(BlockPairs::new(self, pairs, memory), options);
        let answer = ask(&mut collisions);
        let memory = collisions.into_memory();
        self.memory.keep(memory);
        answer
    }

    fn validate(&self, options: &SceneOptions) -> Result<(), RobotSceneError> {
        Ok(validate_options(&options.query).map_err(SceneError::Options)?)
    }

    /// Whether there are so many obstacles that the hierarchy is to find the near pairs.
    fn is_large(&self) -> bool {
        self.parts.len() * self.scene.slots.len() > MOST_PAIRS
    }
}

/// Returns the answers for all configurations, in their order, by queries that answer a part of them each.
fn answered<T: Send>(
    configurations: &[Configuration],
    threads: usize,
    query: impl Fn(&[Configuration]) -> Result<Vec<T>, RobotSceneError> + Sync,
) -> Result<Vec<T>, RobotSceneError> {
    let parts = in_parts(configurations, CONFIGURATIONS_PER_PART, threads, query);
    let mut answers = Vec::with_capacity(configurations.len());
    for part in parts {
        answers.extend(part?);
    }
    Ok(answers)
}

/// Returns the numbers below `count`: the last one, then the others in the order of their bits reversed.
fn spread_wide(count: usize) -> impl Iterator<Item = usize> {
    let last = count.checked_sub(1);
    let bits = last.map_or(0, |last| usize::BITS - last.leading_zeros());
    let reversed = move |k: usize| {
        k.reverse_bits()
            .checked_shr(usize::BITS - bits)
            .unwrap_or(0)
    };
    let most = usize::MAX.checked_shr(usize::BITS - bits).unwrap_or(0);
    let all = (0..=most).map(reversed);
    last.into_iter()
        .chain(all.filter(move |&k| last.is_some_and(|last| k < last)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_state_comes_once_the_ends_and_the_middle_first() {
        let spread_wide = |count| super::spread_wide(count).collect::<Vec<usize>>();
        assert_eq!(spread_wide(0), []);
        assert_eq!(spread_wide(1), [0]);
        assert_eq!(spread_wide(2), [1, 0]);
        assert_eq!(spread_wide(9), [8, 0, 4, 2, 6, 1, 5, 3, 7]);
        let of_most: Vec<usize> = super::spread_wide(usize::MAX).take(3).collect();
        assert_eq!(of_most, [usize::MAX - 1, 0, 1 << (usize::BITS - 1)]);
        for count in 1..70 {
            let mut order = spread_wide(count);
            order.sort_unstable();
            assert!(order.iter().copied().eq(0..count), "{count}");
        }
    }
}
