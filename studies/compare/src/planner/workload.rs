//! Robots and configurations of which a planner asks: both iCub hands, and the Panda in the cage of spheres of OMPL's
//! VAMP tutorial.

use crate::workload::Hands;
use anyhow::{Context, Result};
use nalgebra::Isometry3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::Shape;
use superovoid::Superovoid;
use superovoid_robot::scene::{RobotScene, SceneOptions};
use superovoid_robot::{Configuration, Robot};

const PANDA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../urdf/panda.urdf");

/// The centres of the spheres of the cage, metres; their radius is 0.2.
const CAGE: [[f64; 3]; 14] = [
    [0.55, 0.0, 0.25],
    [0.35, 0.35, 0.25],
    [0.0, 0.55, 0.25],
    [-0.55, 0.0, 0.25],
    [-0.35, -0.35, 0.25],
    [0.0, -0.55, 0.25],
    [0.35, -0.35, 0.25],
    [0.35, 0.35, 0.8],
    [0.0, 0.55, 0.8],
    [-0.35, 0.35, 0.8],
    [-0.55, 0.0, 0.8],
    [-0.35, -0.35, 0.8],
    [0.0, -0.55, 0.8],
    [0.35, -0.35, 0.8],
];

/// Bodies that enclose whole links of the Panda overlap there in nearly every configuration.
const ALLOWED: [[&str; 2]; 4] = [
    ["panda_link5", "panda_link7"],
    ["panda_link5", "panda_hand"],
    ["panda_link6", "panda_hand"],
    ["panda_leftfinger", "panda_rightfinger"],
];

/// The share of a joint's range by which a finger is moved from the path of the hands.
const NOISE: f64 = 0.05;

/// A robot among obstacles, and configurations.
pub struct Workload {
    pub title: &'static str,
    pub note: &'static str,
    pub scene: RobotScene,
    /// Of the robot, then of the obstacles.
    pub shapes: Vec<Superovoid>,
    pub robot_bodies: usize,
    /// That are compared.
    pub pairs: Vec<[u32; 2]>,
    pub configurations: Vec<Configuration>,
    /// Of all bodies in every configuration: rotation column by column, translation.
    pub poses: Vec<f64>,
    /// By the single queries.
    pub collides: Vec<bool>,
}

/// Both robots, with free configurations and with mixed ones.
///
/// # Errors
/// What is wrong with a model.
pub fn all(count: usize, seed: u64) -> Result<Vec<Workload>> {
    Ok(vec![
        make(hands, "Both hands, free", count, seed, Some(false))?,
        make(hands, "Both hands, mixed", count, seed, None)?,
        make(panda, "Panda in the cage, free", count, seed, Some(false))?,
        make(panda, "Panda in the cage, mixed", count, seed, None)?,
    ])
}

/// A scene, what it is, and how its configurations are drawn.
type Model = (
    RobotScene,
    &'static str,
    Box<dyn Fn(&mut ChaCha8Rng) -> Result<Configuration>>,
);

fn hands() -> Result<Model> {
    let hands = Hands::load()?;
    let scene = RobotScene::new(hands.robot.clone())?;
    let note = "Both iCub hands at random places of the path on which they close, every joint moved from it by up to 5 % of \
                its range.";
    let draw = move |rng: &mut ChaCha8Rng| {
        let mut configuration = hands.at(rng.random_range(0.0..Hands::length()))?;
        for joint in hands.robot.joints() {
            let Some([lower, upper]) = joint.range().filter(|_| joint.mimic.is_none()) else {
                continue;
            };
            let superovoid_robot::JointPosition::Scalar(q) = configuration.position(&joint.name)?
            else {
                continue;
            };
            let moved = q + NOISE * (upper - lower) * rng.random_range(-1.0..1.0);
            configuration.set(&joint.name, moved.clamp(lower, upper))?;
        }
        Ok(configuration)
    };
    Ok((scene, note, Box::new(draw)))
}

fn panda() -> Result<Model> {
    let robot = Robot::from_urdf_file(PANDA).context("the model of the Panda")?;
    let mut scene = RobotScene::new(robot.clone())?;
    let ball = Superovoid::sphere(0.2)?;
    for [x, y, z] in CAGE {
        scene.add_obstacle("cage", ball, Isometry3::translation(x, y, z))?;
    }
    for [a, b] in ALLOWED {
        scene.allow(a, b);
    }
    let note = "The Panda (11 superovoids around its links) among the 14 spheres of the cage, every joint uniform in its range.";
    let draw = move |rng: &mut ChaCha8Rng| {
        let mut configuration = robot.neutral();
        for joint in robot.joints().iter().filter(|joint| joint.mimic.is_none()) {
            if let Some([lower, upper]) = joint.range().filter(|[l, u]| l < u) {
                configuration.set(&joint.name, rng.random_range(lower..=upper))?;
            }
        }
        Ok(configuration)
    };
    Ok((scene, note, Box::new(draw)))
}

fn make(
    model: impl Fn() -> Result<Model>,
    title: &'static str,
    count: usize,
    seed: u64,
    wanted: Option<bool>,
) -> Result<Workload> {
    let (mut scene, note, draw) = model()?;
    let mut ids: Vec<_> = scene.scene().ids().collect();
    ids.sort_unstable();
    let shape = |&id| match scene.scene().shape(id) {
        Ok(Shape::Superovoid(shape)) => Ok(*shape),
        _ => anyhow::bail!("a body that is no superovoid"),
    };
    let shapes = ids.iter().map(shape).collect::<Result<Vec<_>>>()?;
    let pairs = compared_pairs(&scene)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut configurations, mut poses, mut collides) = (Vec::new(), Vec::new(), Vec::new());
    while configurations.len() < count {
        let configuration = draw(&mut rng)?;
        let found = scene.in_collision(&configuration, &SceneOptions::default())?;
        if wanted.is_some_and(|wanted| wanted != found) {
            continue;
        }
        for &id in &ids {
            let pose = scene.scene().pose(id)?;
            poses.extend_from_slice(pose.rotation.to_rotation_matrix().matrix().as_slice());
            poses.extend_from_slice(pose.translation.vector.as_slice());
        }
        configurations.push(configuration);
        collides.push(found);
    }
    let robot_bodies = scene.robot().superovoid_bodies().len();
    scene.clear_warm_starts();
    Ok(Workload {
        title,
        note,
        scene,
        shapes,
        robot_bodies,
        pairs,
        configurations,
        poses,
        collides,
    })
}

/// The pairs of bodies and obstacles that a scene compares, in the order of their ids.
///
/// # Errors
/// None: the ids are those of the scene.
pub fn compared_pairs(scene: &RobotScene) -> Result<Vec<[u32; 2]>> {
    let mut ids: Vec<_> = scene.scene().ids().collect();
    ids.sort_unstable();
    let mut pairs = Vec::new();
    for (a, &first) in (0u32..).zip(&ids) {
        for (b, &second) in (0u32..).zip(&ids) {
            if a < b && scene.scene().compares(first, second)? {
                pairs.push([a, b]);
            }
        }
    }
    Ok(pairs)
}
