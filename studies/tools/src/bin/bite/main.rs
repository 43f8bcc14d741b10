//! Writes `docs/reports/dental_bite.md`: the bite of two molars of Gonçalves et al. 2017 (sections 5.3 and 6.4, figures 8, 12, 13
//! and 14) with this library's distances, the scheme of the paper and meshes beside each other.

mod pictures;
mod report;
mod study;

use anyhow::{Context, Result};
use clap::Parser;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

/// Builds two molars, fits them, lets them bite and writes dental_bite.md, with its table, plots and pictures.
#[derive(Parser)]
#[command(
    name = "bite",
    after_help = "\
Example:
  cargo run --release -p superovoid-tools --bin bite -- --output docs/reports"
)]
struct Args {
    /// Folder for dental_bite.md, its table, plots and pictures.
    #[arg(long, value_name = "FOLDER")]
    output: PathBuf,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let start = Instant::now();
    fs::create_dir_all(&args.output).with_context(|| args.output.display().to_string())?;
    let study = study::Study::run()?;
    report::curves(&study, &args.output)?;
    report::table(&study, &args.output.join("dental_bite.csv"))?;
    pictures::draw_all(&study, &args.output)?;
    let seconds = start.elapsed().as_secs_f64();
    let path = args.output.join("dental_bite.md");
    fs::write(&path, report::markdown(&study, seconds)).with_context(|| path.display().to_string())
}
