//! Repeats the figures of the papers that are measurements: the errors of meshes of growing resolution (figure 31 of the
//! thesis on superellipsoids and vertices, figures 9 and 10 and table 3 of Gonçalves et al. 2017), and the iterative
//! method over the exponents (figures 32 to 39 of the thesis), with the curvature-aware step and the cheap bounds that it
//! leaves as future work. Writes Markdown and plots.

mod bounds;
mod exponents;
mod grid;
mod pair_meshes;
mod point_meshes;
mod quadtrees;

use anyhow::{Context, Result};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::path::PathBuf;

/// The papers' measured figures, repeated, as Markdown and plots.
///
/// Figures 31 to 39 of the thesis on superellipsoids and vertices, figures 9 and 10 and table 3 of Gonçalves et
/// al. 2017, and what they leave as future work. Answers that miss the target count, with their error.
#[derive(Parser)]
#[command(
    name = "figures",
    after_help = "\
Examples:
  cargo run --release -p superovoid-tools --bin figures -- --output docs/reports
  cargo run --release -p superovoid-tools --bin figures -- --points 400 --output report"
)]
struct Args {
    /// Points of each shape and distance; rounded down to a square.
    #[arg(long, default_value_t = 10_000)]
    points: usize,
    /// Name of the machine, for the heading.
    #[arg(long, default_value = "an unnamed machine")]
    machine: String,
    /// Folder for papers_figures.md and its plots.
    #[arg(long)]
    output: PathBuf,
}

fn main() -> Result<()> {
    let args = Args::parse();
    fs::create_dir_all(&args.output).with_context(|| args.output.display().to_string())?;
    let side = (args.points as f64).sqrt() as usize;
    let steps = point_meshes::STEPS
        + exponents::STEPS
        + bounds::STEPS
        + pair_meshes::RESOLUTIONS.len()
        + quadtrees::STEPS;
    let progress = ProgressBar::new(steps as u64).with_style(
        ProgressStyle::with_template("{wide_bar} {percent} %, {eta} left")
            .context("progress bar")?,
    );
    let text = [
        heading(&args, side),
        point_meshes::section(side, &args.output, &progress)?,
        exponents::section(side, &args.output, &progress)?,
        bounds::section(side, &progress),
        pair_meshes::section(&args.output, &progress)?,
        quadtrees::section(&progress),
    ]
    .concat();
    progress.finish_and_clear();
    let path = args.output.join("papers_figures.md");
    fs::write(&path, text).with_context(|| path.display().to_string())?;
    println!("{}", path.display());
    Ok(())
}

fn heading(args: &Args, side: usize) -> String {
    format!(
        "# The papers' figures, repeated\n\n    cargo run --release -p superovoid-tools --bin figures -- --points {} \
         --output docs/reports\n\nOne thread of {}, release build. The papers print these figures as pictures: of theirs there is \
         what their texts say. [papers.md](papers.md) has the tables.\n",
        side * side,
        args.machine
    )
}
