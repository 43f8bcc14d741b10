//! Clearance and overlapping pairs over time.

use super::hands::ask;
use super::{Hands, Meshes, Moment};
use anyhow::Result;
use superovoid::{CollisionStatus, Outcome, QueryOptions};

/// One version over the moments of a motion.
#[derive(Clone, Debug)]
pub struct Timeline {
    /// Of the version.
    pub name: String,
    /// The least signed distance between the hands at each moment, metres; negative: the greatest depth.
    pub clearance: Vec<f64>,
    /// How many pairs of bodies overlap.
    pub overlapping: Vec<usize>,
    /// Queries without an answer, over all moments.
    pub failed: usize,
}

impl Timeline {
    /// Of superovoids, by the exact method.
    ///
    /// # Errors
    /// As [`Hands::at`].
    pub fn of_hands(hands: &Hands, moments: &[Moment], mut step: impl FnMut()) -> Result<Self> {
        let options = QueryOptions::default();
        let mut timeline = Timeline::empty(&hands.name);
        for moment in moments {
            let bodies = hands.at(moment)?;
            let mut distances = Vec::with_capacity(hands.pairs.len());
            let mut overlapping = 0;
            for &[a, b] in &hands.pairs {
                let found = ask([&bodies[a], &bodies[b]], &options, None)?;
                overlapping += usize::from(found.status() == CollisionStatus::Collision);
                timeline.failed += usize::from(found.outcome == Outcome::NotConverged);
                distances.push(found.distance);
            }
            timeline.add(distances, overlapping);
            step();
        }
        Ok(timeline)
    }

    /// Of the convex hulls of meshes, by parry3d's GJK and EPA.
    ///
    /// # Errors
    /// As [`Hands::links`].
    pub fn of_meshes(
        meshes: &Meshes,
        hands: &Hands,
        moments: &[Moment],
        mut step: impl FnMut(),
    ) -> Result<Self> {
        let mut timeline = Timeline::empty(&meshes.name);
        for moment in moments {
            let poses = meshes.at(&hands.links(moment)?);
            let pairs = hands.pairs.iter();
            let found = pairs.filter_map(|&pair| meshes.hull_distance(pair, &poses));
            let distances: Vec<f64> = found.collect();
            let overlapping = distances.iter().filter(|d| **d < 0.0).count();
            timeline.failed += hands.pairs.len() - distances.len();
            timeline.add(distances, overlapping);
            step();
        }
        Ok(timeline)
    }

    fn empty(name: &str) -> Self {
        Timeline {
            name: name.to_owned(),
            clearance: Vec::new(),
            overlapping: Vec::new(),
            failed: 0,
        }
    }

    fn add(&mut self, distances: Vec<f64>, overlapping: usize) {
        let least = distances.into_iter().fold(f64::INFINITY, f64::min);
        self.clearance.push(least);
        self.overlapping.push(overlapping);
    }
}
