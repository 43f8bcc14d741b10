//! How long scenes take: the iCub hands along a path, and a thousand bodies that move by small steps.
//!
//!     cargo run --release -p superovoid-compare --example scene_times

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use std::time::{Duration, Instant};
use superovoid::Superovoid;
use superovoid_robot::scene::{RobotScene, Scene, SceneOptions};
use superovoid_robot::{ClearanceOptions, Configuration, Robot};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    hands()?;
    thousand_bodies()
}

/// The thumbs out, the right hand coming nearer and turning in, all fingers closing by and by.
fn path(robot: &Robot, steps: usize) -> Result<Vec<Configuration>, Failure> {
    let at = |step: usize| {
        let along = step as f64 / steps as f64;
        let mut configuration = robot.neutral();
        for joint in robot.joints() {
            let Some([lower, upper]) = joint.range().filter(|_| joint.mimic.is_none()) else {
                continue;
            };
            let position = match joint.name.as_str() {
                "l_hand_thumb_0_joint" | "r_hand_thumb_0_joint" => 0.25,
                "right_hand_approach" => 0.004 * along - 0.05 * (1.0 - along),
                "right_hand_inward" => 0.1 * along,
                _ => 0.0_f64.clamp(lower, upper) + 0.1 * along * (upper - lower),
            };
            configuration.set(&joint.name, position.clamp(lower, upper))?;
        }
        Ok(configuration)
    };
    (0..steps).map(at).collect()
}

/// The least of five runs, for each configuration.
fn per_configuration(
    configurations: &[Configuration],
    mut ask: impl FnMut(&Configuration) -> Result<usize, Failure>,
) -> Result<(f64, usize), Failure> {
    let mut least = Duration::MAX;
    let mut sum = 0;
    for _ in 0..5 {
        sum = 0;
        let start = Instant::now();
        for configuration in configurations {
            sum += ask(configuration)?;
        }
        least = least.min(start.elapsed());
    }
    let microseconds = least.as_secs_f64() * 1e6 / configurations.len() as f64;
    Ok((microseconds, sum))
}

fn hands() -> Result<(), Failure> {
    let robot = Robot::from_urdf_file("urdf/icub_hands.urdf")?;
    let configurations = path(&robot, 1000)?;
    println!("iCub hands, a path of 1,000 configurations, microseconds per configuration:");
    let pairs = robot.clearances(&configurations[0], &ClearanceOptions::default())?;
    println!("{} pairs that are not adjacent", pairs.considered);
    println!("query                     Robot  scene, cold  scene, warm  answers");
    let mut scene = RobotScene::new(robot.clone())?;
    for max_distance in [f64::INFINITY, 0.05, 0.01] {
        let asked = ClearanceOptions::default().with_max_distance(max_distance);
        let options = SceneOptions::default().with_max_distance(max_distance);
        let alone = per_configuration(&configurations, |c| {
            Ok(robot.clearances(c, &asked)?.pairs.len())
        })?;
        let cold = per_configuration(&configurations, |c| {
            scene.clear_warm_starts();
            Ok(scene.contacts(c, &options)?.len())
        })?;
        let warm = per_configuration(&configurations, |c| Ok(scene.contacts(c, &options)?.len()))?;
        report(
            &format!("contacts within {max_distance} m"),
            [alone, cold, warm],
        );
    }
    let asked = ClearanceOptions::default();
    let options = SceneOptions::default();
    let some = |found: bool| Ok(usize::from(found));
    let alone = per_configuration(&configurations, |c| {
        some(robot.closest(c, &asked)?.is_some())
    })?;
    let cold = per_configuration(&configurations, |c| {
        scene.clear_warm_starts();
        some(scene.closest(c, &options)?.is_some())
    })?;
    let warm = per_configuration(&configurations, |c| {
        some(scene.closest(c, &options)?.is_some())
    })?;
    report("closest", [alone, cold, warm]);
    let alone = per_configuration(&configurations, |c| some(robot.in_collision(c, &asked)?))?;
    let cold = per_configuration(&configurations, |c| {
        scene.clear_warm_starts();
        some(scene.in_collision(c, &options)?)
    })?;
    let warm = per_configuration(&configurations, |c| some(scene.in_collision(c, &options)?))?;
    report("in collision", [alone, cold, warm]);
    for threads in [1, 0] {
        let (time, _) = per_configuration(&configurations[..1], |_| {
            let answers = scene.map(&configurations, threads, |scene, c| {
                scene.contacts(c, &options).map(|found| found.len())
            });
            Ok(answers.into_iter().sum::<Result<usize, _>>()?)
        })?;
        let threads = if threads == 0 { "all" } else { "one" };
        println!(
            "contacts within inf m by map, {threads} threads: {:.1}",
            time / 1000.0
        );
    }
    Ok(())
}

fn report(query: &str, [alone, cold, warm]: [(f64, usize); 3]) {
    let answers = [alone.1, cold.1, warm.1];
    println!(
        "{query:<22} {:>8.1} {:>12.1} {:>12.1}  {answers:?}",
        alone.0, cold.0, warm.0
    );
}

/// Numbers between −1 and 1 that look random.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.next(), self.next(), self.next())
    }
}

fn thousand_bodies() -> Result<(), Failure> {
    const BODIES: u16 = 1000;
    const STEPS: u16 = 100;
    println!("\n{BODIES} superovoids, each moved by a small step, microseconds per step of all:");
    println!("within     moves  broad phase  contacts (broad phase too)   pairs  candidates");
    for (max_distance, memory) in [(0.0, true), (0.01, true), (0.01, false), (0.1, true)] {
        let mut numbers = Numbers(1);
        let mut scene = Scene::new();
        let mut bodies = Vec::new();
        for i in 0..BODIES {
            let group = scene.group(&i.to_string());
            let axes = numbers.vector().map(|x| 0.08 + 0.02 * x).into();
            let exponents = [0; 2].map(|_| 0.8 + 0.6 * numbers.next());
            let tapers = [0; 2].map(|_| 0.2 * numbers.next());
            let shape = Superovoid::new(axes, exponents, tapers)?;
            // On a grid, so that few overlap.
            let cell = Vector3::new(
                f64::from(i % 10),
                f64::from(i / 10 % 10),
                f64::from(i / 100),
            );
            let place = cell * 0.28 + numbers.vector() * 0.05;
            let pose = Isometry3::new(place, numbers.vector() * 3.0);
            bodies.push((scene.add(group, shape, pose)?, pose));
        }
        let options = SceneOptions::default().with_max_distance(max_distance);
        let mut times = [Duration::ZERO; 3];
        let (mut pairs, mut candidates) = (0, 0);
        for _ in 0..STEPS {
            for (_, pose) in &mut bodies {
                let step = Translation3::from(numbers.vector() * 0.002);
                let turn = UnitQuaternion::from_scaled_axis(numbers.vector() * 0.02);
                *pose = Isometry3::from_parts(step * pose.translation, turn * pose.rotation);
            }
            let start = Instant::now();
            for &(id, pose) in &bodies {
                scene.move_to(id, pose)?;
            }
            times[0] += start.elapsed();
            let start = Instant::now();
            candidates += scene.candidates(max_distance)?.len();
            times[1] += start.elapsed();
            if !memory {
                scene.clear_warm_starts();
            }
            let start = Instant::now();
            pairs += scene.contacts(&options)?.len();
            times[2] += start.elapsed();
        }
        let [moves, broad, all] = times.map(|t| t.as_secs_f64() * 1e6 / f64::from(STEPS));
        let steps = usize::from(STEPS);
        let note = if memory { "" } else { "  (cold)" };
        println!(
            "{max_distance:<6} {moves:>9.0} {broad:>12.0} {all:>27.0}  {:>8} {:>10}{note}",
            pairs / steps,
            candidates / steps
        );
    }
    Ok(())
}
