//! Random configurations, and poses of links as other programs have them.

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use superovoid_robot::{Configuration, JointPosition, Robot};

/// Some configurations within the limits; joints of more than one freedom stay where they are.
pub fn random_configurations(robot: &Robot, count: usize) -> Vec<Configuration> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut one = || {
        let mut configuration = robot.neutral();
        for (index, joint) in robot.joints().iter().enumerate() {
            if joint.kind.has_one_freedom() && robot.follows(index).is_none() {
                let [lower, upper] = joint.range().unwrap_or([-3.0, 3.0]);
                let [low, high] = [lower.max(-10.0), upper.min(10.0)];
                let at = low + (high - low) * rng.random::<f64>();
                configuration
                    .set(&joint.name, at.clamp(lower, upper))
                    .unwrap();
            }
        }
        configuration
    };
    (0..count).map(|_| one()).collect()
}

/// The positions of all joints of one freedom, by name; those that mimic included.
pub fn positions(robot: &Robot, configuration: &Configuration) -> HashMap<String, f64> {
    let joints = robot.joints().iter();
    let found = joints.filter_map(|joint| match configuration.position(&joint.name) {
        Ok(JointPosition::Scalar(at)) => Some((joint.name.clone(), at)),
        _ => None,
    });
    found.collect()
}

/// x, y, z and a quaternion, whose scalar part is at `scalar` of its four numbers.
pub fn pose(words: &[String], scalar: usize) -> Isometry3<f64> {
    let numbers: Vec<f64> = words[..7]
        .iter()
        .map(|word| word.parse().unwrap())
        .collect();
    let mut turn = numbers[3..].to_vec();
    let w = turn.remove(scalar);
    Isometry3::from_parts(
        Translation3::new(numbers[0], numbers[1], numbers[2]),
        UnitQuaternion::from_quaternion(Quaternion::new(w, turn[0], turn[1], turn[2])),
    )
}

/// The greatest difference between the entries of two poses.
pub fn difference(a: &Isometry3<f64>, b: &Isometry3<f64>) -> f64 {
    (a.to_homogeneous() - b.to_homogeneous()).amax()
}
