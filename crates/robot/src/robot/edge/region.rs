//! The options and the answer of a region.

use super::edge_options::{EdgeOptionError, check_lengths};
use superovoid::QueryOptions;

/// The options of a region query.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RegionOptions {
    /// The distance (metres) that every pair must keep. The default is 0: no pair may touch.
    pub min_separation: f64,
    /// The motion (metres) of the bodies below which a face is not moved farther. The default is 1e-3.
    pub resolution: f64,
    /// The number of configurations after which the region is not grown farther. The default is 20,000.
    pub max_states: usize,
    /// The options of every pair query; the field `max_distance` in them is replaced by what the proof needs.
    pub query: QueryOptions,
}

impl Default for RegionOptions {
    fn default() -> Self {
        RegionOptions {
            min_separation: 0.0,
            resolution: 1e-3,
            max_states: 20_000,
            query: QueryOptions::default(),
        }
    }
}

impl RegionOptions {
    superovoid::setters! {
        with_min_separation min_separation: f64,
        with_resolution resolution: f64,
        with_max_states max_states: usize,
        with_query query: QueryOptions,
    }

    pub(crate) fn validate(&self) -> Result<(), EdgeOptionError> {
        check_lengths(self.min_separation, self.resolution)
    }
}

/// A box of configurations, both ends included, that is proven free: in every one of them every pair that is compared keeps more than the
/// minimum separation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FreeRegion {
    /// The ranges of the joints of one degree of freedom that mimic no other one, in the order of
    /// [`Robot::joints`](crate::Robot::joints). Planar and floating joints stay where they are in `at`.
    pub joints: Vec<RegionJoint>,
    /// The configuration around which the region was grown, as the numbers of
    /// [`Configuration::to_vec`](crate::Configuration::to_vec).
    pub at: Vec<f64>,
    /// The number of configurations at which the robot was posed.
    pub states: usize,
    /// The number of distances that were computed.
    pub distances: usize,
}

/// The range of a joint in a region.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RegionJoint {
    /// The index into [`Robot::joints`](crate::Robot::joints).
    pub joint: usize,
    /// The name of the joint.
    pub name: String,
    /// The unit of the range: `rad` or `m`.
    pub unit: &'static str,
    /// The index of its position among the numbers of a configuration.
    pub number: usize,
    /// The least position.
    pub lower: f64,
    /// The greatest position.
    pub upper: f64,
}

impl FreeRegion {
    /// Returns the region as a polyhedron `A x ≤ b`: the rows of A and the numbers of b, as Drake's
    /// `HPolyhedron::MakeBox` has them: first `x ≤ upper`, then `−x ≤ −lower`. The x are the positions of
    /// [`FreeRegion::joints`], in their order.
    pub fn half_spaces(&self) -> (Vec<Vec<f64>>, Vec<f64>) {
        let count = self.joints.len();
        let row = |of: usize, sign: f64| -> Vec<f64> {
            (0..count)
                .map(|k| if k == of { sign } else { 0.0 })
                .collect()
        };
        let signs = [1.0, -1.0].into_iter();
        let rows = signs.flat_map(|sign| (0..count).map(move |k| (k, sign)));
        let a = rows.map(|(k, sign)| row(k, sign)).collect();
        let upper = self.joints.iter().map(|joint| joint.upper);
        let b = upper.chain(self.joints.iter().map(|joint| -joint.lower));
        (a, b.collect())
    }

    /// Whether a configuration, given by its numbers, is in the region: every joint in its range, and planar and floating
    /// joints where they are in [`FreeRegion::at`].
    pub fn contains(&self, numbers: &[f64]) -> bool {
        let mut ranges: Vec<[f64; 2]> = self.at.iter().map(|&q| [q, q]).collect();
        for joint in &self.joints {
            ranges[joint.number] = [joint.lower, joint.upper];
        }
        let within = |(q, [lower, upper]): (&f64, &[f64; 2])| q >= lower && q <= upper;
        numbers.len() == ranges.len() && numbers.iter().zip(&ranges).all(within)
    }
}
