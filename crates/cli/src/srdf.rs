//! `superovoid srdf`: which pairs of links need not be compared.

use crate::output::{progress_bar, refuse_to_overwrite, write_whole};
use anyhow::{Context, Result, bail, ensure};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use superovoid_fit::{ReadLimits, load_collision_meshes};
use superovoid_robot::scene::{Counterpart, RobotScene, RobotSceneError, SceneOptions};
use superovoid_robot::{Configuration, JointKind, Robot};

/// Propose the pairs of links that need not be compared, as an SRDF file.
///
/// Random configurations within the limits of the joints are checked, and the pairs of links in collision counted, as
/// MoveIt's setup assistant does. Disabled are the pairs that are adjacent (joined by one joint, by joints of one point
/// through links without shapes, or fixed to each other), in collision in at least 95 % of the samples (Always), in collision in the default configuration (Default), and in
/// collision in none of the samples (Never). The counts stand in the file.
///
/// "Never" is a count and no proof: a pair that collides in one of a million configurations is likely to be among them.
/// With 10,000 samples a pair that collides in 0.05 % of the configurations is missed in less than one of 100 runs.
#[derive(clap::Args)]
#[command(after_help = "\
Exit code: 0 if the file is written, 2 on errors; nothing is written then.

Examples:
  superovoid srdf panda.urdf --package-path ros/src --output panda.srdf
  superovoid srdf arm.urdf --samples 100000 > arm.srdf
  superovoid check arm.urdf --srdf arm.srdf")]
pub struct Args {
    /// The robot
    #[arg(value_name = "ROBOT.urdf")]
    robot: PathBuf,

    /// The file to write; `-` is standard output
    #[arg(long, short, value_name = "OUT.srdf", default_value = "-")]
    output: PathBuf,

    /// The number of random configurations
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    samples: u32,

    /// The seed of the random numbers
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// A folder that is a package or contains packages, from which meshes may be read; may be repeated
    #[arg(long = "package-path", value_name = "FOLDER")]
    package_paths: Vec<PathBuf>,
}

/// The share of samples in collision from which a pair is always in collision, that of MoveIt's assistant.
const ALWAYS: f64 = 0.95;

/// The configurations that are checked between two steps of the progress bar.
const TOGETHER: usize = 1024;

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    refuse_to_overwrite(&args.robot, &args.output)?;
    let robot = Robot::from_urdf_file(&args.robot)?;
    let limits = ReadLimits::default();
    let loaded = load_collision_meshes(robot, &args.robot, &args.package_paths, &limits)?;
    if let Some(problem) = loaded.problems.first() {
        let (file, name, why) = (args.robot.display(), &problem.filename, &problem.problem);
        bail!("{file}: the mesh {name:?}: {why}");
    }
    let robot = loaded.robot;
    ensure!(
        robot.unchecked().is_empty(),
        "{}: there are collision shapes that cannot be checked",
        args.robot.display()
    );
    let counts = Counts::sampled(&robot, args).with_context(|| args.robot.display().to_string())?;
    let text = counts.srdf(&robot, args);
    write_whole(&args.output, |out| out.write_all(text.as_bytes()))?;
    if args.output != Path::new("-") {
        println!("{}", counts.summary(&robot));
    }
    Ok(ExitCode::SUCCESS)
}

/// How often pairs of links were in collision; links are indices, the smaller one first.
struct Counts {
    collisions: BTreeMap<[usize; 2], u32>,
    at_default: Vec<[usize; 2]>,
    samples: u32,
}

impl Counts {
    fn sampled(robot: &Robot, args: &Args) -> Result<Self> {
        let scene = RobotScene::new(robot.clone())?;
        let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
        let at_default = in_collision(&mut scene.clone(), &robot.neutral())?;
        let bar = progress_bar(args.samples as usize, "configurations")?;
        let mut collisions = BTreeMap::new();
        let mut left = args.samples as usize;
        while left > 0 {
            let count = left.min(TOGETHER);
            let random: Result<Vec<_>> = (0..count).map(|_| random(robot, &mut rng)).collect();
            for pairs in scene.map(&random?, 0, in_collision) {
                for pair in pairs? {
                    *collisions.entry(pair).or_insert(0) += 1;
                }
            }
            left -= count;
            bar.inc(count as u64);
        }
        bar.finish_and_clear();
        Ok(Counts {
            collisions,
            at_default,
            samples: args.samples,
        })
    }

    /// Returns why a pair is not compared, and how often it was in collision; `None` if it is compared.
    fn reason(&self, robot: &Robot, pair: [usize; 2]) -> Option<(&'static str, u32)> {
        let count = self.collisions.get(&pair).copied().unwrap_or(0);
        let reason = if robot.are_adjacent(pair[0], pair[1]) {
            "Adjacent"
        } else if f64::from(count) >= ALWAYS * f64::from(self.samples) {
            "Always"
        } else if self.at_default.contains(&pair) {
            "Default"
        } else if count == 0 {
            "Never"
        } else {
            return None;
        };
        Some((reason, count))
    }

    /// Returns every pair of links with collision shapes.
    fn pairs(robot: &Robot) -> Vec<[usize; 2]> {
        let links = robot.links();
        let with_shapes = |link: &usize| !links[*link].collisions.is_empty();
        let with: Vec<usize> = (0..links.len()).filter(with_shapes).collect();
        let pairs = with.iter().enumerate();
        let pairs = pairs.flat_map(|(i, &a)| with[i + 1..].iter().map(move |&b| [a, b]));
        pairs.collect()
    }

    fn srdf(&self, robot: &Robot, args: &Args) -> String {
        let name = |link: usize| quoted(&robot.links()[link].name);
        let mut text = format!(
            "<?xml version=\"1.0\"?>\n<!-- superovoid srdf: {} random configurations, seed {}; the numbers are those in \
             collision -->\n<robot name={}>\n",
            self.samples,
            args.seed,
            quoted(robot.name())
        );
        for pair in Self::pairs(robot) {
            let Some((reason, count)) = self.reason(robot, pair) else {
                continue;
            };
            let [a, b] = pair.map(name);
            let counted = match reason {
                "Adjacent" => String::new(),
                _ => format!(" <!-- {count} -->"),
            };
            let _ = writeln!(
                text,
                "  <disable_collisions link1={a} link2={b} reason=\"{reason}\"/>{counted}"
            );
        }
        text + "</robot>\n"
    }

    fn summary(&self, robot: &Robot) -> String {
        let pairs = Self::pairs(robot);
        let disabled: Vec<&str> = pairs
            .iter()
            .filter_map(|&pair| self.reason(robot, pair))
            .map(|(reason, _)| reason)
            .collect();
        let parts = ["Adjacent", "Always", "Default", "Never"].map(|reason| {
            let count = disabled.iter().filter(|of| **of == reason).count();
            format!("{count} {}", reason.to_lowercase())
        });
        format!(
            "{}: {} of {} pairs are disabled ({}), {} are compared",
            robot.name(),
            disabled.len(),
            pairs.len(),
            parts.join(", "),
            pairs.len() - disabled.len()
        )
    }
}

/// Returns the pairs of links that are not proven to be free.
fn in_collision(
    scene: &mut RobotScene,
    configuration: &Configuration,
) -> Result<Vec<[usize; 2]>, RobotSceneError> {
    let options = SceneOptions::default().with_max_distance(0.0);
    let contacts = scene.contacts(configuration, &options)?;
    let pairs = contacts.iter().filter_map(|contact| match contact.with {
        Counterpart::Link { link, .. } => Some([contact.link.min(link), contact.link.max(link)]),
        Counterpart::Obstacle(_) | Counterpart::Attached(_) => None,
    });
    let mut pairs: Vec<[usize; 2]> = pairs.collect();
    pairs.sort_unstable();
    pairs.dedup();
    Ok(pairs)
}

/// Returns a random configuration: joints with limits within these, continuous ones over a turn, planar and floating
/// ones as they are.
fn random(robot: &Robot, rng: &mut ChaCha8Rng) -> Result<Configuration> {
    let mut configuration = robot.neutral();
    for (k, joint) in robot.joints().iter().enumerate() {
        if robot.follows(k).is_some() || !joint.kind.has_one_freedom() {
            continue;
        }
        let [lower, upper] = match (joint.kind, joint.range()) {
            (JointKind::Continuous, _) | (_, None) => [-PI, PI],
            (_, Some(range)) => range,
        };
        let share: f64 = rng.random_range(0.0..=1.0);
        let position = (lower + share * (upper - lower)).clamp(lower, upper);
        configuration.set(&joint.name, position)?;
    }
    Ok(configuration)
}

/// Returns a value of an attribute.
fn quoted(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
    format!("\"{}\"", escaped.replace('"', "&quot;"))
}
