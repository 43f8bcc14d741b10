//! `superovoid plan`: a motion of a robot among obstacles, proven free.

#[cfg(feature = "studio")]
mod shown;

use crate::output::{progress_bar, refuse_to_overwrite, write_number, write_whole};
use crate::robot_pose::{self, JointSetting};
use crate::robot_scene::{Surroundings, with_meshes};
use anyhow::{Context, Result, ensure};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;
use superovoid_plan::{
    Plan, PlanOptions, PlanProblem, PlanStatistics, movable_joints, plan_with_progress,
};
use superovoid_robot::{Configuration, JointPosition, Robot};

/// Plan a motion of a robot among obstacles, every edge of it proven free.
///
/// RRT-Connect searches a path from one configuration to another or to the nearest found of several, shortcuts make it
/// shorter, and every straight line between two rows of the path is proven free at all its points; a line that is refused
/// is replaced. The path is a CSV file with a column for each joint that moves and a row for each configuration, which
/// `superovoid check --trajectory` reads.
///
/// Positions are in radians and metres. Obstacles, meshes and SRDF files are those of `superovoid check`. The same seed
/// gives the same path, unless --max-time ends the search. While it works, a bar on standard error counts the samples if that is a
/// terminal.
///
/// With --studio the path is played in the browser: robot, obstacles, the way of a link, the least clearance, and every line
/// proven again. The page is served on an address that this machine alone can reach, until Control-C.
#[derive(clap::Args)]
#[command(after_help = "\
Exit code: 0 if there is a path, 1 if none was found (the reason is on standard error), 2 on errors.

Examples:
  superovoid plan arm.urdf --from 0,0 --to 1.5,0.2 --obstacles table.csv > path.csv
  superovoid plan arm.urdf --from 0,0 --to 1.5,0.2 --to -1.5,0.2 --seed 7 -o path.csv
  superovoid plan arm.urdf --from 0,0 --to 1.5,0.2 --obstacles table.csv --studio
  superovoid plan arm.urdf --from 0,0 --to 1.5,0.2 --max-time 10 2> plan.log   # no bar in a file
  superovoid plan panda.urdf --srdf panda.srdf --joints panda_joint1,panda_joint2 --from 0,0 --to 1,0.5
  superovoid check arm.urdf --obstacles table.csv --trajectory path.csv --edges")]
pub struct Args {
    /// The robot
    #[arg(value_name = "ROBOT.urdf")]
    robot: PathBuf,

    /// The position of every joint that moves, at the start
    #[arg(long, value_name = "Q1,Q2,...", allow_hyphen_values = true)]
    from: Positions,

    /// The position of every joint that moves, at the goal; may be repeated: the path ends at one of them
    #[arg(
        long,
        value_name = "Q1,Q2,...",
        allow_hyphen_values = true,
        required = true
    )]
    to: Vec<Positions>,

    /// The joints that move, in the order of the positions [default: all with one degree of freedom that mimic no other
    /// one, in the order of the file]
    #[arg(long, value_name = "NAME,NAME,...", value_delimiter = ',')]
    joints: Vec<String>,

    /// Position of a joint that does not move (planar: X,Y,YAW; floating: X,Y,Z,ROLL,PITCH,YAW); may be repeated
    #[arg(long = "joint", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    others: Vec<JointSetting>,

    /// Leave out the pairs that this SRDF file disables
    #[arg(long, value_name = "FILE.srdf")]
    srdf: Option<PathBuf>,

    /// Obstacles: a URDF, OBJ, STL, COLLADA or CSV file; may be repeated
    #[arg(long = "obstacles", value_name = "FILE")]
    obstacles: Vec<PathBuf>,

    /// A folder that is a package or contains packages, from which meshes may be read; may be repeated
    #[arg(long = "package-path", value_name = "FOLDER")]
    package_paths: Vec<PathBuf>,

    /// Keep what is worked out of the meshes before the first answer in this file, and read it from there the next time
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,

    /// The seed of the random numbers
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// The number of random configurations after which the search ends
    #[arg(long, value_name = "COUNT", default_value_t = PlanOptions::default().max_samples)]
    max_samples: usize,

    /// The time after which the search ends [default: none]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,

    /// The greatest distance of two configurations that are checked on a line; twice that before a proof
    #[arg(long, value_name = "RADIANS", default_value_t = PlanOptions::default().spacing)]
    spacing: f64,

    /// Check the lines at the spacing only, and prove nothing
    #[arg(long)]
    no_proof: bool,

    /// The file to write; `-` is standard output [default: -, and none with --studio]
    #[arg(long, short, value_name = "PATH.csv")]
    output: Option<PathBuf>,

    #[cfg(feature = "studio")]
    #[command(flatten)]
    shown: shown::ShownArgs,
}

/// The value of `--from` and `--to`.
#[derive(Clone, Debug)]
struct Positions(Vec<f64>);

impl FromStr for Positions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = |word: &str| {
            let number = word.trim().parse();
            number.map_err(|_| format!("{word:?} is not a number (radians or metres)"))
        };
        text.split(',')
            .map(parse)
            .collect::<Result<_, _>>()
            .map(Positions)
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Runs the command; the exit code tells whether there is a path.
pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(output) = &args.output {
        refuse_to_overwrite(&args.robot, output)?;
    }
    #[cfg(feature = "studio")]
    let page = args.shown.page()?;
    #[cfg(feature = "studio")]
    ensure!(
        page.is_none() || args.output.as_deref() != Some(Path::new("-")),
        "--output -: with --studio the address of the page is written to standard output; name a file"
    );
    let (robot, rest) = robot_pose::configure(&args.robot, &args.others)?;
    #[cfg_attr(not(feature = "studio"), allow(unused_variables))]
    let (robot, meshes) = with_meshes(robot, &args.robot, &args.package_paths)?;
    if let Some(cache) = &args.cache {
        robot.use_cache(cache).context("--cache")?;
    }
    let joints = args.joints_of(&robot);
    let start = configuration("--from", &rest, &joints, &args.from)?;
    let goals = args.to.iter();
    let goals = goals.map(|positions| configuration("--to", &rest, &joints, positions));
    let problem = PlanProblem::new(start, goals.collect::<Result<_>>()?).with_joints(&joints);
    let surroundings = Surroundings {
        srdf: args.srdf.as_deref(),
        obstacles: &args.obstacles,
        package_paths: &args.package_paths,
    };
    let mut scene = surroundings.scene_of(&robot)?;
    #[cfg(feature = "studio")]
    let prepared = match page {
        None => None,
        Some(page) => {
            let shown = crate::studio::Shown {
                robot: &args.robot,
                meshes: &meshes,
                srdf: args.srdf.as_deref(),
                scene: &scene,
            };
            // Joints that were set have columns, too.
            let set = args.others.iter().map(|joint| joint.name().to_owned());
            let set: Vec<String> = set.filter(|name| !joints.contains(name)).collect();
            let columns = [&joints[..], &set].concat();
            Some(args.shown.prepare(page, shown, columns, &rest)?)
        }
    };
    let options = args.options();
    let bar = progress_bar(options.max_samples, "samples")?;
    let answer = plan_with_progress(&mut scene, &problem, &options, &mut |work| {
        bar.set_position(work.samples as u64);
        true
    });
    bar.finish_and_clear();
    match answer.with_context(|| args.robot.display().to_string())? {
        Plan::Found {
            path,
            goal,
            proven,
            statistics,
        } => {
            let rows = path.iter().map(|row| positions(row, &joints));
            let rows: Vec<Vec<f64>> = rows.collect::<Result<_>>()?;
            if let Some(output) = args.output() {
                write_whole(output, |out| write(out, &joints, &rows))?;
            }
            eprintln!(
                "{}: {} configurations to goal {}, {}; {}",
                robot.name(),
                path.len(),
                goal + 1,
                if proven { "proven free" } else { "NOT PROVEN" },
                work(&statistics)
            );
            #[cfg(feature = "studio")]
            if let Some(prepared) = prepared {
                return prepared.show(&path);
            }
            Ok(ExitCode::SUCCESS)
        }
        Plan::NotFound { reason, statistics } => {
            eprintln!("{}: {reason}; {}", robot.name(), work(&statistics));
            Ok(ExitCode::from(1))
        }
    }
}

impl Args {
    fn joints_of(&self, robot: &Robot) -> Vec<String> {
        if self.joints.is_empty() {
            return movable_joints(robot)
                .map(|joint| joint.name.clone())
                .collect();
        }
        self.joints.clone()
    }

    /// Where the path is written.
    fn output(&self) -> Option<&Path> {
        #[cfg(feature = "studio")]
        if self.shown.studio {
            return self.output.as_deref();
        }
        Some(self.output.as_deref().unwrap_or(Path::new("-")))
    }

    fn options(&self) -> PlanOptions {
        PlanOptions::default()
            .with_seed(self.seed)
            .with_max_samples(self.max_samples)
            .with_max_time(self.max_time)
            .with_spacing(self.spacing)
            .with_prove(!self.no_proof)
    }
}

fn configuration(
    argument: &str,
    rest: &Configuration,
    joints: &[String],
    Positions(positions): &Positions,
) -> Result<Configuration> {
    ensure!(
        positions.len() == joints.len(),
        "{argument}: {} positions; expected one for each of {}",
        positions.len(),
        joints.join(", ")
    );
    let mut configuration = rest.clone();
    for (joint, &position) in joints.iter().zip(positions) {
        let set = configuration.set(joint, position);
        set.with_context(|| argument.to_owned())?;
    }
    Ok(configuration)
}

fn positions(configuration: &Configuration, joints: &[String]) -> Result<Vec<f64>> {
    let positions = joints
        .iter()
        .map(|joint| match configuration.position(joint)? {
            JointPosition::Scalar(position) => Ok(position),
            _ => anyhow::bail!("joint {joint:?} has no single position"),
        });
    positions.collect()
}

fn write(out: &mut dyn Write, joints: &[String], rows: &[Vec<f64>]) -> io::Result<()> {
    let names: Vec<String> = joints
        .iter()
        .map(|name| crate::fit_options::quoted(name))
        .collect();
    writeln!(out, "{}", names.join(","))?;
    for row in rows {
        for (k, &position) in row.iter().enumerate() {
            if k > 0 {
                write!(out, ",")?;
            }
            write_number(out, position)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn work(statistics: &PlanStatistics) -> String {
    let time = statistics.search + statistics.shortcutting + statistics.proof;
    format!(
        "{} samples, {} edges checked, {} proven, {} refused, {:.1} ms",
        statistics.samples,
        statistics.edges_checked,
        statistics.edges_proven,
        statistics.edges_refused,
        time.as_secs_f64() * 1e3
    )
}
