//! How many configurations each step of a block has decided.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many configurations were decided by which step of [`RobotScene::in_collision_batch`],
/// [`RobotScene::find_collision`] and [`RobotScene::find_collision_between`]: each counts for the most expensive step that
/// was asked in the block that decided it. The verdict is the same whichever step gives it. Where batches are answered one
/// by one, because there are very many obstacles, they count none.
///
/// [`RobotScene::in_collision_batch`]: crate::scene::RobotScene::in_collision_batch
/// [`RobotScene::find_collision`]: crate::scene::RobotScene::find_collision
/// [`RobotScene::find_collision_between`]: crate::scene::RobotScene::find_collision_between
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StepCounts {
    /// Balls around and inside the bodies, and boxes.
    pub bounds: u64,
    /// Directions that separate the bodies, eight configurations at once.
    pub directions: u64,
    /// Distances of the hulls of the bodies.
    pub hulls: u64,
    /// Directions and hulls of pieces of meshes.
    pub pieces: u64,
    /// Contacts of the bodies as they are.
    pub contacts: u64,
}

/// A step, in the order of the fields of [`StepCounts`].
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) enum Step {
    Bounds,
    Directions,
    Hulls,
    Pieces,
    Contacts,
}

/// The number of steps.
pub(super) const STEPS: usize = 5;

/// The counts of a scene, to which several threads add. A clone begins at 0.
#[derive(Default)]
pub(in crate::scene) struct Steps([AtomicU64; STEPS]);

impl Steps {
    pub fn add(&self, counts: [u64; STEPS]) {
        for (sum, count) in self.0.iter().zip(counts) {
            sum.fetch_add(count, Ordering::Relaxed);
        }
    }

    pub fn counts(&self) -> StepCounts {
        let [bounds, directions, hulls, pieces, contacts] =
            self.0.each_ref().map(|sum| sum.load(Ordering::Relaxed));
        StepCounts {
            bounds,
            directions,
            hulls,
            pieces,
            contacts,
        }
    }
}

impl Clone for Steps {
    fn clone(&self) -> Self {
        Steps::default()
    }
}
