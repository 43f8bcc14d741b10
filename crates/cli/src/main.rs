//! The `superovoid` command: batches of pairs and points, meshes, the clearances and motions of
//! robots, fits, simulations, bites and the studio.

mod arguments;
mod bite;
mod body_columns;
mod check;
mod export;
mod fit;
mod fit_options;
mod fit_robot;
mod keep_free;
mod mesh;
mod mjcf;
mod output;
mod pairs;
mod plan;
mod robot_pose;
mod robot_scene;
mod sdf;
mod simulate;
mod srdf;
#[cfg(feature = "studio")]
mod studio;
mod table;
mod vertices;
mod visual;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Compute exact distances and contacts between superovoids.
///
/// A superovoid is a tapered superellipsoid: semi-axes a1 a2 a3 (metres), squareness exponents
/// e1 (of the section parallel to xy) and e2 (along z), both between 0 and 2, and tapers tx ty.
/// Lengths are in metres, angles in radians.
#[derive(Parser)]
#[command(
    name = "superovoid",
    version,
    subcommand_required = true,
    arg_required_else_help = true
)]
#[command(after_help = "\
Examples:
  superovoid check urdf/icub_hands.urdf
  superovoid pairs pairs.csv --output contacts.csv
  superovoid plan arm.urdf --from 0,0 --to 1.5,0 --obstacles table.csv -o path.csv
  superovoid vertices points.csv --shape 0.02,0.02,0.03,1,1,0.2,0.2 --output distances.csv
  superovoid mesh --shape 0.02,0.02,0.03,1,1,0.2,0.2 --output egg.obj
  superovoid mesh urdf/icub_hands.urdf --output hands.stl
  superovoid fit finger.stl --enclosing
  superovoid fit-robot arm.urdf -o arm_superovoid.urdf --package-path ros/src
  superovoid srdf arm.urdf -o arm.srdf
  superovoid visual urdf/icub_hands.urdf -o hands_shown.urdf
  superovoid sdf urdf/icub_hands.urdf -o hands.sdf
  superovoid mjcf urdf/icub_hands.urdf -o hands.xml
  superovoid bite lower.stl upper.stl --scale 0.001 --frames 181 -o bite.csv
  superovoid simulate tablecloth -o cloth --format obj --every 6
  superovoid studio urdf/icub_hands.urdf

`superovoid COMMAND --help` explains a command.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

// One is made in a run.
#[allow(clippy::large_enum_variant)]
#[derive(Subcommand)]
enum Command {
    Check(check::Args),
    Pairs(pairs::Args),
    Plan(plan::Args),
    Vertices(vertices::Args),
    Mesh(mesh::Args),
    Fit(fit::Args),
    FitRobot(fit_robot::Args),
    Srdf(srdf::Args),
    Visual(visual::Args),
    Sdf(sdf::Args),
    Mjcf(mjcf::Args),
    Simulate(simulate::Args),
    Bite(bite::Args),
    #[cfg(feature = "studio")]
    Studio(studio::Args),
}

/// The exit code of every error, including the usage errors that clap reports.
const ERROR: u8 = 2;

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Check(args) => check::run(&args),
        Command::Pairs(args) => pairs::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Vertices(args) => vertices::run(&args),
        Command::Mesh(args) => mesh::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::FitRobot(args) => fit_robot::run(&args),
        Command::Srdf(args) => srdf::run(&args),
        Command::Visual(args) => visual::run(&args),
        Command::Sdf(args) => sdf::run(&args),
        Command::Mjcf(args) => mjcf::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Bite(args) => bite::run(&args),
        #[cfg(feature = "studio")]
        Command::Studio(args) => studio::run(&args),
    };
    match result {
        Ok(code) => code,
        // `superovoid ... | head`: the reader has seen enough.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", message(&error));
            ExitCode::from(ERROR)
        }
    }
}

/// Returns the error with its causes, each once: some errors already contain their cause.
fn message(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain() {
        let text = cause.to_string();
        if message.contains(&text) {
            continue;
        } else if text.contains(&message) {
            message = text;
        } else {
            message = format!("{message}: {text}");
        }
    }
    message
}
