//! The `superovoid` command: batches of pairs, meshes and the clearances of robots.

mod check;
mod robot_pose;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Exact distances and contacts between superovoids.
#[derive(Parser)]
#[command(
    name = "superovoid",
    version,
    subcommand_required = true,
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Args),
}

/// Exit code of every error, of the usage errors that clap reports too.
const ERROR: u8 = 2;

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Check(args) => check::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(ERROR)
        }
    }
}
