//! `superovoid check`: the clearances of a robot in one configuration.

use crate::robot_pose::{self, JointSetting};
use anyhow::{Context, Result, bail};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use nalgebra::Point3;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use superovoid::Outcome;
use superovoid::robot::{Clearance, ClearanceOptions, Clearances, CollisionStatus, Robot};

/// Print the distances between the links of a robot, closest first.
///
/// Pairs of links that are joined by one joint, or fixed to each other, are left out. Superovoids
/// and spheres are checked; other geometry is listed as not checked and never approximated. Points are in the frame
/// of the root link.
#[derive(clap::Args)]
#[command(after_help = "\
Exit code: 0 if every pair of superovoids and spheres is proven free, 1 if one is in collision or
UNDECIDED (touching to rounding, or not settled: neither free nor overlapping is proven), 2 on
errors. Links with other geometry are named at the end; nothing is said about them.

Examples:
  superovoid check urdf/icub_hands.urdf
  superovoid check robot.urdf --joint elbow=0.5 --joint wrist=-1 --max-distance 0.02
  superovoid check robot.urdf --json > clearances.json")]
pub struct Args {
    /// A robot with superovoid or sphere collision shapes
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

    /// Print machine-readable output with full precision, in metres; every pair unless --max-distance is given
    #[arg(long)]
    json: bool,

    /// Print the parts of the file that are ignored (on standard error)
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

impl Args {
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
    if robot.contact_bodies().is_empty() {
        bail!(
            "{}: no collision shape is a superovoid or a sphere, so there is nothing to check{}",
            args.robot.display(),
            left_out(&robot)
        );
    }
    let options = ClearanceOptions {
        max_distance: args.max_distance(),
        ..ClearanceOptions::default()
    };
    let found = robot
        .clearances(&configuration, &options)
        .with_context(|| args.robot.display().to_string())?;
    let text = if args.json {
        json(&robot, &found, &options)?
    } else {
        table(&robot, &found, args.rows()) + &summary(&robot, &found, &options)
    };
    print_whole(&text)?;
    let free = found
        .pairs
        .iter()
        .all(|pair| pair.status() == CollisionStatus::Free);
    Ok(ExitCode::from(u8::from(!free)))
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
        let count = counted(warnings.len(), "thing");
        eprintln!("note: {file}: {count} in the file not used as written (--warnings lists them)");
    }
}

// ---- for people: millimetres ----

const MILLIMETRES: f64 = 1e3;

/// Returns the closest `rows` pairs, and every pair that is not free.
fn table(robot: &Robot, found: &Clearances, rows: usize) -> String {
    let shown: Vec<&Clearance> = found
        .pairs
        .iter()
        .enumerate()
        .filter(|(i, pair)| *i < rows || pair.status() != CollisionStatus::Free)
        .map(|(_, pair)| pair)
        .collect();
    if shown.is_empty() {
        return String::new();
    }
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header([
            "",
            "distance/mm",
            "bracket/mm",
            "outcome",
            "link a",
            "link b",
            "point a/mm",
            "point b/mm",
        ]);
    for pair in &shown {
        table.add_row(row(robot, pair));
    }
    for numbers in [1, 2, 6, 7] {
        if let Some(column) = table.column_mut(numbers) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = table.trim_fmt() + "\n";
    let hidden = found.pairs.len() - shown.len();
    if hidden > 0 {
        let _ = writeln!(
            text,
            "  … and {hidden} more pairs (--max-distance or --all-pairs shows them)"
        );
    }
    text + "\n"
}

fn row(robot: &Robot, pair: &Clearance) -> [String; 8] {
    let contact = &pair.contact;
    let mark = match pair.status() {
        CollisionStatus::Collision => "COLLISION",
        CollisionStatus::Undecided => "UNDECIDED",
        CollisionStatus::Free => "",
    };
    let point = |point: Point3<f64>| {
        let [x, y, z]: [f64; 3] = (point.coords * MILLIMETRES).into();
        format!("{x:.3} {y:.3} {z:.3}")
    };
    [
        mark.to_owned(),
        format!("{:.6}", contact.distance * MILLIMETRES),
        format!("{:.1e}", (contact.upper - contact.lower) * MILLIMETRES),
        outcome(contact.outcome).to_owned(),
        label(robot, pair.link_a, pair.collision_a),
        label(robot, pair.link_b, pair.collision_b),
        point(contact.point_a),
        point(contact.point_b),
    ]
}

/// Returns the name of the link, and where it has several collisions, the name or number of the collision.
fn label(robot: &Robot, link: usize, collision: usize) -> String {
    let link = &robot.links()[link];
    match (&link.collisions[..], &link.collisions[collision].name) {
        ([_], _) => link.name.clone(),
        (_, Some(name)) => format!("{} [{name}]", link.name),
        (_, None) => format!("{} [{}]", link.name, collision + 1),
    }
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Certified => "certified",
        Outcome::Converged => "converged",
        Outcome::NotConverged => "not_converged",
        Outcome::Beyond => "beyond",
    }
}

fn summary(robot: &Robot, found: &Clearances, options: &ClearanceOptions) -> String {
    let count = |status| {
        found
            .pairs
            .iter()
            .filter(|pair| pair.status() == status)
            .count()
    };
    let verdict = match (
        count(CollisionStatus::Collision),
        count(CollisionStatus::Undecided),
    ) {
        (0, 0) => "free".to_owned(),
        (collisions, 0) => format!("{collisions} IN COLLISION"),
        (0, undecided) => format!("{undecided} UNDECIDED"),
        (collisions, undecided) => format!("{collisions} IN COLLISION, {undecided} UNDECIDED"),
    };
    let mut text = format!("{}: {verdict}; ", robot.name());
    let _ = write!(text, "{}", counted(found.considered, "pair"));
    if options.max_distance.is_finite() {
        let _ = write!(
            text,
            ", {} within {} mm",
            found.pairs.len(),
            options.max_distance * MILLIMETRES
        );
    }
    let (culled, solved) = (found.culled, found.solved);
    let _ = write!(text, ", {culled} culled, {solved} solved");
    text + &left_out(robot) + "\n"
}

/// Returns the links with geometry that is not checked, and the kinds of its elements.
fn left_out(robot: &Robot) -> String {
    let mut links: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for body in robot.not_in_contact() {
        let elements = links.entry(body.link).or_default();
        elements.push(body.geometry.element());
    }
    if links.is_empty() {
        return String::new();
    }
    let named = links
        .iter()
        .map(|(&link, elements)| format!("{} ({})", robot.links()[link].name, elements.join(", ")));
    let named: Vec<String> = named.collect();
    format!("; not superovoids, left out: {}", named.join(", "))
}

fn counted(n: usize, thing: &str) -> String {
    match n {
        1 => format!("1 {thing}"),
        _ => format!("{n} {thing}s"),
    }
}

// ---- for programs: metres ----

#[derive(Serialize)]
struct Report<'a> {
    robot: &'a str,
    /// Whether every pair is proven to be free.
    free: bool,
    /// The maximum distance, metres; null for every pair.
    max_distance: Option<f64>,
    considered: usize,
    culled: usize,
    solved: usize,
    pairs: Vec<PairReport<'a>>,
    not_superovoids: Vec<LeftOut<'a>>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct PairReport<'a> {
    link_a: &'a str,
    /// The index among the collisions of the link, from 0.
    collision_a: usize,
    link_b: &'a str,
    collision_b: usize,
    status: &'static str,
    distance: f64,
    lower: f64,
    upper: f64,
    point_a: [f64; 3],
    point_b: [f64; 3],
    normal: [f64; 3],
    outcome: &'static str,
    iterations: u32,
}

#[derive(Serialize)]
struct LeftOut<'a> {
    link: &'a str,
    collision: usize,
    geometry: &'a str,
}

fn json(robot: &Robot, found: &Clearances, options: &ClearanceOptions) -> Result<String> {
    let link = |link: usize| robot.links()[link].name.as_str();
    let pair = |pair: &Clearance| {
        let contact = &pair.contact;
        PairReport {
            link_a: link(pair.link_a),
            collision_a: pair.collision_a,
            link_b: link(pair.link_b),
            collision_b: pair.collision_b,
            status: match pair.status() {
                CollisionStatus::Free => "free",
                CollisionStatus::Collision => "collision",
                CollisionStatus::Undecided => "undecided",
            },
            distance: contact.distance,
            lower: contact.lower,
            upper: contact.upper,
            point_a: contact.point_a.into(),
            point_b: contact.point_b.into(),
            normal: contact.normal.into_inner().into(),
            outcome: outcome(contact.outcome),
            iterations: contact.iterations,
        }
    };
    let left_out = robot.not_in_contact().into_iter().map(|body| LeftOut {
        link: link(body.link),
        collision: body.collision,
        geometry: body.geometry.element(),
    });
    let report = Report {
        robot: robot.name(),
        free: found
            .pairs
            .iter()
            .all(|pair| pair.status() == CollisionStatus::Free),
        max_distance: options
            .max_distance
            .is_finite()
            .then_some(options.max_distance),
        considered: found.considered,
        culled: found.culled,
        solved: found.solved,
        pairs: found.pairs.iter().map(pair).collect(),
        not_superovoids: left_out.collect(),
        warnings: robot.warnings().iter().map(ToString::to_string).collect(),
    };
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}
