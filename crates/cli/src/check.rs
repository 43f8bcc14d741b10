//! `superovoid check`: the clearances of a robot, in one configuration or along a trajectory, also among obstacles.

mod edges;
mod found;
mod report;
mod trajectory;

use crate::output::write_whole;
use crate::robot_pose::{self, JointSetting};
use crate::robot_scene::{self, Surroundings};
use anyhow::{Context, Result, bail};
use found::{Found, FoundPair};
use report::{counted, left_out};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use superovoid_robot::scene::SceneOptions;
use superovoid_robot::{ClearanceOptions, Configuration, Robot};

/// Print the distances between the links of a robot, closest first.
///
/// Pairs of links that are joined by one joint, or fixed to each other, are left out, and those that an SRDF file
/// disables. Superovoids, spheres, boxes, cylinders, capsules and meshes are checked as they are; a closed
/// mesh is a solid, an open one its surface.
/// What cannot be checked is listed and never approximated. Points are in the frame of the root link.
///
/// What in the file bears on collision or motion and is not read, such as a misspelt attribute, is an error with its line
/// and column. Meshes are STL, OBJ and COLLADA files, read only from the folder of the URDF, a --package-path, folders below
/// these, and the package that the URDF is in. Obstacles stand in the frame of the root link; a CSV file of them has the columns name and shape (sphere, box,
/// cylinder, capsule, cone or superovoid) and those of x y z roll pitch yaw radius length size_x size_y size_z a1 a2 a3
/// e1 e2 tx ty that are needed. A trajectory is a CSV file with a column for each joint and a row for each configuration.
/// With --edges the straight lines between its rows are checked, every point of them and not only steps: each is proven
/// free, or the first contact is found with its pair and where on the way it is, or it is undecided.
#[derive(clap::Args)]
#[command(after_help = "\
Exit code: 0 if every collision shape was checked and every pair is proven free, 1 if a pair is in
collision or UNDECIDED (touching to rounding, or not settled: neither free nor overlapping is
proven), 2 on errors and where shapes were NOT CHECKED: these are named at the end, and without
them nothing is proven.

Examples:
  superovoid check urdf/icub_hands.urdf
  superovoid check panda.urdf --package-path ros/src --srdf panda.srdf
  superovoid check arm.urdf --obstacles table.csv --obstacles shelf.stl
  superovoid check arm.urdf --trajectory path.csv --output clearances.csv
  superovoid check arm.urdf --obstacles table.csv --trajectory path.csv --edges --output edges.csv
  superovoid check robot.urdf --joint elbow=0.5 --joint wrist=-1 --max-distance 0.02
  superovoid check robot.urdf --json > clearances.json")]
pub struct Args {
    /// The robot
    #[arg(value_name = "ROBOT.urdf")]
    robot: PathBuf,

    /// Position of a joint, radians or metres (planar: X,Y,YAW; floating:
    /// X,Y,Z,ROLL,PITCH,YAW); may be repeated
    #[arg(long = "joint", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    joints: Vec<JointSetting>,

    /// Print every pair up to this distance, in metres [default: the closest 20 up to 0.05]
    #[arg(
        long,
        value_name = "METRES",
        conflicts_with = "all_pairs",
        allow_hyphen_values = true,
        value_parser = parse_max_distance
    )]
    max_distance: Option<f64>,

    /// Print every pair, however far apart
    #[arg(long)]
    all_pairs: bool,

    /// Leave out the pairs that this SRDF file disables
    #[arg(long, value_name = "FILE.srdf")]
    srdf: Option<PathBuf>,

    /// Check the robot against these obstacles too: a URDF, OBJ, STL, COLLADA or CSV file; may be repeated
    #[arg(long = "obstacles", value_name = "FILE")]
    obstacles: Vec<PathBuf>,

    /// Check every configuration of this CSV file
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["json", "max_distance", "all_pairs"])]
    trajectory: Option<PathBuf>,

    /// Prove the straight lines in joint space between the rows of the trajectory free, or find their first contacts
    #[arg(long, requires = "trajectory")]
    edges: bool,

    /// A folder that is a package or contains packages, from which meshes may be read; may be repeated
    #[arg(long = "package-path", value_name = "FOLDER")]
    package_paths: Vec<PathBuf>,

    /// Write the closest pair of every configuration, or with --edges the answer for every edge, to this CSV file
    #[arg(long, short, value_name = "OUT.csv", requires = "trajectory")]
    output: Option<PathBuf>,

    /// Print machine-readable output with full precision, in metres; every pair unless --max-distance is given
    #[arg(long)]
    json: bool,

    /// Print notes on the file (on standard error): what in it does not bear on collision and is not read, and leftovers
    /// of exporters that are
    #[arg(long)]
    warnings: bool,
}

fn parse_max_distance(text: &str) -> Result<f64, String> {
    let max_distance: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    // The comparison is false for NaN.
    if max_distance >= 0.0 {
        Ok(max_distance)
    } else {
        Err("expected a distance of at least 0 metres".to_owned())
    }
}

/// The default selection of pairs: enough to see what is close.
const DEFAULT_MAX_DISTANCE: f64 = 0.05;
const DEFAULT_ROWS: usize = 20;

/// The exit code where no pair collides, but not every collision shape was checked.
const NOT_CHECKED: u8 = 2;

impl Args {
    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            srdf: self.srdf.as_deref(),
            obstacles: &self.obstacles,
            package_paths: &self.package_paths,
        }
    }

    fn max_distance(&self) -> f64 {
        match self.max_distance {
            Some(max_distance) => max_distance,
            None if self.all_pairs || self.json => f64::INFINITY,
            None => DEFAULT_MAX_DISTANCE,
        }
    }

    fn rows(&self) -> usize {
        if self.max_distance.is_some() || self.all_pairs {
            usize::MAX
        } else {
            DEFAULT_ROWS
        }
    }
}

/// Prints the clearances; the exit code tells whether the robot is free.
pub fn run(args: &Args) -> Result<ExitCode> {
    let (robot, configuration) = robot_pose::configure(&args.robot, &args.joints)?;
    // Also where there is nothing to check: they may say why.
    tell_warnings(&robot, args);
    let (robot, _) = robot_scene::with_meshes(robot, &args.robot, &args.package_paths)?;
    if robot.collision_body_count() == 0 {
        bail!(
            "{}: no collision shape can be checked{}",
            args.robot.display(),
            left_out(&robot)
        );
    }
    if let Some(path) = &args.trajectory {
        return run_trajectory(&robot, &configuration, path, args);
    }
    let max_distance = args.max_distance();
    let found = find(&robot, &configuration, max_distance, args)
        .with_context(|| args.robot.display().to_string())?;
    let text = if args.json {
        report::json(&robot, &found, max_distance)?
    } else {
        report::for_people(&robot, &found, args.rows(), max_distance)
    };
    print_whole(&text)?;
    Ok(exit_code(&robot, found.all_free()))
}

fn exit_code(robot: &Robot, all_free: bool) -> ExitCode {
    ExitCode::from(match (all_free, robot.unchecked().is_empty()) {
        (false, _) => 1,
        (true, false) => NOT_CHECKED,
        (true, true) => 0,
    })
}

/// Returns the pairs of a configuration, by the robot alone or in a scene.
fn find(
    robot: &Robot,
    configuration: &Configuration,
    max_distance: f64,
    args: &Args,
) -> Result<Found> {
    if args.srdf.is_none() && args.obstacles.is_empty() {
        let options = ClearanceOptions::default()
            .with_max_distance(max_distance)
            .with_allow_unchecked(true);
        return Ok(robot.clearances(configuration, &options)?.into());
    }
    let mut scene = args.surroundings().scene_of(robot)?;
    let options = SceneOptions::default().with_max_distance(max_distance);
    let contacts = scene.contacts(configuration, &options)?;
    let pairs = contacts.iter().map(|found| FoundPair::of(&scene, found));
    Ok(Found {
        pairs: pairs.collect(),
        counts: None,
    })
}

fn run_trajectory(
    robot: &Robot,
    start: &Configuration,
    path: &Path,
    args: &Args,
) -> Result<ExitCode> {
    let configurations = robot_pose::read_table(path, start)?;
    let scene = args.surroundings().scene_of(robot)?;
    if let Some(output) = &args.output {
        crate::output::refuse_to_overwrite(path, output)?;
    }
    if args.edges {
        let edges = edges::check(&scene, &configurations)?;
        if let Some(output) = &args.output {
            edges::write(output, robot, &edges)?;
        }
        print_summary(&edges::summary(robot, &edges), args)?;
        return Ok(exit_code(robot, edges.iter().all(edges::Edge::is_free)));
    }
    // Only the table has distances.
    let max_distance = if args.output.is_some() {
        f64::INFINITY
    } else {
        0.0
    };
    let found = trajectory::check(&scene, &configurations, max_distance)?;
    if let Some(output) = &args.output {
        trajectory::write(output, robot, &found)?;
    }
    print_summary(&trajectory::summary(robot, &found), args)?;
    let free = |pair: &FoundPair| pair.status() == superovoid::CollisionStatus::Free;
    Ok(exit_code(robot, found.iter().flatten().all(free)))
}

/// Prints a summary where the table does not go.
fn print_summary(summary: &str, args: &Args) -> Result<()> {
    if args.output.as_deref() == Some(Path::new("-")) {
        eprint!("{summary}");
    } else {
        write_whole(Path::new("-"), |out| out.write_all(summary.as_bytes()))?;
    }
    Ok(())
}

/// Prints to the end, or until the reader closes the pipe (`superovoid check … | head`): the exit
/// code is that of the robot in both cases.
fn print_whole(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.context("standard output"),
    }
}

fn tell_warnings(robot: &Robot, args: &Args) {
    let (warnings, file) = (robot.warnings(), args.robot.display());
    if args.warnings {
        for warning in warnings {
            eprintln!("note: {file}: {warning}");
        }
    } else if !warnings.is_empty() && !args.json {
        let count = counted(warnings.len(), "note");
        eprintln!(
            "note: {file}: {count} on what does not bear on collision (--warnings lists them)"
        );
    }
}
