//! Moves the iCub's hands as Gonçalves et al. 2017 did (section 5.2) and repeats their Table 4 and Figure 11.

use anyhow::{Context, Result};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::path::PathBuf;
use superovoid_tools::hands_motion::report::{PLOTS, Report};
use superovoid_tools::hands_motion::{Hands, MeshRow, Meshes, Motion, Study, Timeline};

/// A robot that plans as in the papers: the iCub's thumbs meet, then its right hand turns inward.
///
/// Plans the approach, prints clearance and overlapping pairs over time, and asks every method for the pairs
/// that overlap, with columns for failures and for wrong answers: Table 4 and Figure 11 of Gonçalves et al.
/// 2017. With --output it writes the same as hands_motion.md, with plots.
#[derive(Parser)]
#[command(
    name = "hands_motion",
    after_help = "\
Examples:
  cargo run --release -p superovoid-tools --bin hands_motion -- --output docs/reports
  cargo run --release -p superovoid-tools --bin hands_motion -- --facts ~/icub-models --output docs/reports
  cargo run --release -p superovoid-tools --bin hands_motion -- --rate 4
  cargo run --release -p superovoid-tools --bin hands_motion -- --rate 30 --trajectory urdf/icub_hands_motion.csv"
)]
struct Args {
    /// The hands as superovoids.
    #[arg(long, value_name = "URDF", default_value = "urdf/icub_hands.urdf")]
    superovoids: PathBuf,
    /// The hands as superellipsoids.
    #[arg(
        long,
        value_name = "URDF",
        default_value = "urdf/icub_hands_superellipsoids.urdf"
    )]
    superellipsoids: PathBuf,
    /// Superovoids at the fingertips, superellipsoids elsewhere.
    #[arg(
        long,
        value_name = "URDF",
        default_value = "urdf/icub_hands_mixed.urdf"
    )]
    mixed: PathBuf,
    /// Folder with hands.json and the robot's collision meshes that it names; without it there are only the
    /// meshes of the superovoids.
    #[arg(long, value_name = "FOLDER")]
    facts: Option<PathBuf>,
    /// Moments a second; 40 lead to about as many overlapping pairs as the paper had, 1600.
    #[arg(long, value_name = "HERTZ", default_value_t = 40.0)]
    rate: f64,
    /// Write the motion as a trajectory, a column for each joint that moves or is bent, to this CSV file, and end.
    #[arg(long, value_name = "CSV")]
    trajectory: Option<PathBuf>,
    /// Name of the machine, for the heading.
    #[arg(long, default_value = "an unnamed machine")]
    machine: String,
    /// Folder for hands_motion.md and its plots.
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    if let Some(path) = &args.trajectory {
        let hands = Hands::load("superovoids", &args.superovoids)?;
        let rows = Motion::plan(&hands, args.rate)?.trajectory();
        return fs::write(path, rows).with_context(|| path.display().to_string());
    }
    let report = examine(&args)?;
    let text = report.markdown();
    println!("{text}");
    if let Some(output) = &args.output {
        fs::create_dir_all(output).with_context(|| output.display().to_string())?;
        let path = output.join("hands_motion.md");
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        report.curves().draw(&output.join(PLOTS[0]))?;
        report.ridges().draw(&output.join(PLOTS[1]))?;
    }
    Ok(())
}

fn examine(args: &Args) -> Result<Report> {
    let versions = [
        ("superovoids", &args.superovoids),
        ("superellipsoids", &args.superellipsoids),
        ("mixed", &args.mixed),
    ];
    let versions: Result<Vec<Hands>> = versions
        .iter()
        .map(|(name, urdf)| Hands::load(name, urdf))
        .collect();
    let versions = versions?;
    let superovoids = &versions[0];
    let mut meshes = vec![Meshes::of_superovoids(superovoids)?];
    if let Some(facts) = &args.facts {
        meshes.push(Meshes::of_robot(superovoids, facts)?);
    }

    let motion = Motion::plan(superovoids, args.rate)?;
    let mut contacts = Vec::new();
    for hands in &versions {
        let own = Motion::plan(hands, args.rate)?;
        contacts.push((hands.name.clone(), own.contact, own.touching));
    }

    let moments = &motion.moments;
    let rounds = 2 * (versions.len() + meshes.len());
    let progress = ProgressBar::new((rounds * moments.len()) as u64).with_style(
        ProgressStyle::with_template("{msg} {wide_bar} {percent} %, {eta} left")
            .context("progress bar")?,
    );
    let step = || progress.inc(1);
    let mut timelines = Vec::new();
    progress.set_message("clearance over time");
    for hands in &versions {
        timelines.push(Timeline::of_hands(hands, moments, step)?);
    }
    for mesh in &meshes {
        timelines.push(Timeline::of_meshes(mesh, superovoids, moments, step)?);
    }
    let mut studies = Vec::new();
    for (version, hands) in versions.iter().enumerate() {
        progress.set_message(format!("every method, {}", hands.name));
        let own_meshes = meshes.first().filter(|_| version == 0);
        studies.push(Study::run(hands, moments, own_meshes, step)?);
    }
    let general = versions[1].by_general_code()?;
    progress.set_message(format!("every method, {}", general.name));
    let general = Study::run(&general, moments, None, step)?;
    let mut robot_meshes = Vec::new();
    for mesh in &meshes[1..] {
        progress.set_message("the robot's meshes");
        robot_meshes.extend(MeshRow::of_meshes_alone(mesh, superovoids, moments, step)?);
    }
    progress.finish_and_clear();
    Ok(Report {
        command: command(args),
        machine: args.machine.clone(),
        contacts,
        timelines,
        studies,
        general,
        robot_meshes,
        vertices: meshes
            .iter()
            .map(|m| (m.name.clone(), m.vertices()))
            .collect(),
        motion,
    })
}

/// How the report is made again; paths are named as they are in the repository.
fn command(args: &Args) -> String {
    let facts = match args.facts {
        Some(_) => " --facts FACTS",
        None => "",
    };
    format!(
        "cargo run --release -p superovoid-tools --bin hands_motion -- --rate {}{facts} --output docs/reports",
        args.rate
    )
}
