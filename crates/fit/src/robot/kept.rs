//! Poses in which a robot must stay free, and what is told of them.

use std::fmt;
use superovoid_robot::Configuration;
use superovoid_robot::scene::RobotScene;

/// Poses in which the pairs of links that are free as they are must be free as they are fitted.
#[derive(Clone)]
#[non_exhaustive]
pub struct KeepFree<'a> {
    /// The robot as it is, with its meshes. The pairs that it allows to collide are not compared.
    pub scene: &'a RobotScene,
    /// The poses with their names, for messages.
    pub poses: &'a [(String, Configuration)],
    /// The largest number of bodies for a mesh of a link that would lose a pair; default 8.
    pub most: u32,
    /// The distance up to which pairs are reported, metres; default 0.05.
    pub within: f64,
}

impl<'a> KeepFree<'a> {
    /// Keeps what is free in these poses.
    pub fn new(scene: &'a RobotScene, poses: &'a [(String, Configuration)]) -> Self {
        KeepFree {
            scene,
            poses,
            most: 8,
            within: 0.05,
        }
    }

    superovoid::setters! {
        with_most most: u32,
        with_within within: f64,
    }
}

/// What was kept free.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct KeptFree {
    /// The pairs that are near in a pose in which they are free, each in the pose in which its bodies are nearest; the nearest
    /// first.
    pub pairs: Vec<PairDistance>,
    /// The pairs that are not proven free as they are, and therefore not kept free there, each in its worst pose.
    pub colliding: Vec<PairDistance>,
    /// The collisions that have more bodies than without the poses.
    pub raised: Vec<Raised>,
}

/// The distances of two links in a pose; overlaps are negative.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PairDistance {
    /// Indices into [`Robot::links`](superovoid_robot::Robot::links).
    pub links: [usize; 2],
    /// The index of the pose.
    pub pose: usize,
    /// The distance of the collision shapes as they are, metres.
    pub as_is: f64,
    /// The distance of the shapes that are compared once superovoids stand beside them, metres.
    pub fitted: f64,
}

/// A collision that got more bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Raised {
    /// Index into [`Robot::links`](superovoid_robot::Robot::links).
    pub link: usize,
    /// Index into the link's collisions.
    pub collision: usize,
    /// How many bodies it had without the poses.
    pub from: usize,
    /// How many it has.
    pub bodies: usize,
}

/// A pair of links that does not stay free.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LostPair {
    /// The names of the links.
    pub links: [String; 2],
    /// The name of the pose.
    pub pose: String,
    /// The distance of the collision shapes as they are, metres.
    pub as_is: f64,
    /// The distance with the superovoids, metres: the largest that was found with any of the numbers of bodies.
    pub fitted: f64,
}

impl fmt::Display for LostPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.links;
        let [as_is, fitted] = [self.as_is, self.fitted].map(|metres| 1e3 * metres);
        let pose = &self.pose;
        write!(
            f,
            "links {a:?} and {b:?} in pose {pose:?}, {as_is:.3} mm apart as they are, {fitted:.3} mm fitted"
        )
    }
}
