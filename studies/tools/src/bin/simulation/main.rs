//! Writes `docs/reports/simulation.md`: the tables and figures of the thesis' chapter on simulation with this library's beside
//! them, the published modes, Rapier and MuJoCo, in one run. Of the section on soft solids the tables
//! are made anew and the words stay.

mod peers;
mod pictures;
mod rapier;
mod report;
mod runs;
mod soft;
mod study;

use anyhow::{Context, Result};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use report::Report;
use std::fs;
use std::path::{Path, PathBuf};
use study::Extent;

/// Simulates the scenes of the papers and writes simulation.md, with pictures and plots.
#[derive(Parser)]
#[command(
    name = "simulation",
    after_help = "\
Examples:
  cargo run --release -p superovoid-tools --bin simulation -- --output docs/reports --python python3
  cargo run --release -p superovoid-tools --bin simulation -- --short --output target/simulation"
)]
struct Args {
    /// Folder for simulation.md, its pictures and plots.
    #[arg(long, value_name = "FOLDER")]
    output: PathBuf,
    /// Python with the packages of studies/compare/derivatives_requirements.txt; without it MuJoCo is left out.
    #[arg(long, value_name = "PROGRAM")]
    python: Option<PathBuf>,
    /// Few seconds of every scene, and small ones: that all of it works.
    #[arg(long)]
    short: bool,
}

fn main() -> Result<()> {
    let args = Args::parse();
    fs::create_dir_all(&args.output).with_context(|| args.output.display().to_string())?;
    let extent = Extent {
        short: args.short,
        python: args.python.clone(),
        output: args.output.clone(),
    };
    let report = examine(&extent)?;
    report.plots(&args.output)?;
    let path = args.output.join("simulation.md");
    let text = report.markdown() + &soft_solids(&path, args.short)?;
    fs::write(&path, text).with_context(|| path.display().to_string())
}

/// The last section of the page that is there, on soft solids, with its tables made anew; as it is in a short run.
fn soft_solids(page: &Path, short: bool) -> Result<String> {
    let text = fs::read_to_string(page).unwrap_or_default();
    match text.find("\n## Soft solids") {
        None => Ok(String::new()),
        Some(begin) if short => Ok(text[begin..].to_owned()),
        Some(begin) => soft::renewed(&text[begin..], soft::run),
    }
}

fn examine(extent: &Extent) -> Result<Report> {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}")?;
    let progress = ProgressBar::new(11).with_style(style);
    let next = |what: &'static str| {
        progress.set_message(what);
        progress.inc(1);
    };
    next("tablecloth");
    let mut cloths = vec![study::tablecloth(extent, 60, 54)?];
    next("tablecloth-fine");
    if !extent.short {
        cloths.push(study::tablecloth(extent, 85, 76)?);
    }
    next("coarse cloth");
    let coarse = study::coarse(extent)?;
    next("creep");
    let creep = study::creep(extent)?;
    next("stretch");
    let stretch = study::stretch()?;
    next("bowl");
    let mut bowls = vec![study::bowl(extent, 50, 15)?];
    let published = study::published_bowl(extent, 15)?;
    next("larger bowls");
    if !extent.short {
        bowls.push(study::bowl(extent, 200, 15)?);
        bowls.push(study::bowl(extent, 1000, 15)?);
    }
    next("stack");
    let stack = study::stack(extent)?;
    next("peers");
    let peers = study::peers(extent)?;
    next("hands");
    let hands = study::hands(extent)?;
    progress.finish_and_clear();
    Ok(Report {
        short: extent.short,
        machine: superovoid_tools::machine::processor(),
        cloths,
        coarse,
        creep,
        stretch,
        bowls,
        published,
        stack,
        peers,
        hands,
    })
}
