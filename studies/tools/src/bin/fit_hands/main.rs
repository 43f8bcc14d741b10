//! Fits superovoids to the iCub's hand links: writes `urdf/icub_hands.urdf`, its versions with superellipsoids only
//! and with both, the tables of `docs/reports/icub_hands.md` and a figure of each finger.
//!
//! Data flows from [`facts`] over [`fits`] to [`model`], [`tables`] and [`figure`].

mod facts;
mod figure;
mod fits;
mod model;
mod tables;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use facts::Facts;
use fits::LinkFit;
use indicatif::{ProgressBar, ProgressStyle};
use model::Version;
use rayon::prelude::*;
use std::fs;
use std::path::PathBuf;
use superovoid_robot::Robot;

/// Fits superovoids to the iCub's hand links and writes the models, the tables and the figures.
///
/// FACTS is a folder with the facts about the two hands, from github.com/robotology/icub-models (CC BY-SA 4.0):
/// hands.json with links, collision origins and joints (metres, radians), and one collision mesh a link. It is not
/// part of this project and not needed to build or test it.
///
/// The result is the same for the same facts, on any number of threads.
#[derive(Parser)]
#[command(
    name = "fit_hands",
    after_help = "\
Example:
  cargo run --release -p superovoid-tools --bin fit_hands -- FACTS"
)]
struct Args {
    /// Folder that holds hands.json.
    facts: PathBuf,
    /// Root of the repository, with urdf/ and docs/reports/icub_hands.md.
    #[arg(long, default_value = ".")]
    root: PathBuf,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let docs = args.root.join("docs/reports");
    let page = docs.join("icub_hands.md");
    let text = fs::read_to_string(&page).with_context(|| page.display().to_string())?;
    // A page without the markers fails now, not after the fits.
    tables::written_into(&text, &[])?;
    let facts = Facts::read(&args.facts)?;
    let hulls = facts.hulls(&args.facts)?;

    let progress = ProgressBar::new(hulls.len() as u64).with_style(
        ProgressStyle::with_template("{wide_bar} {pos} of {len} links, {eta} left")
            .context("progress bar")?,
    );
    let fits: Result<Vec<LinkFit>> = hulls
        .par_iter()
        .map(|link| {
            let fit = LinkFit::new(link).with_context(|| link.name.clone());
            progress.inc(1);
            fit
        })
        .collect();
    let fits = fits?;
    progress.finish_and_clear();

    for version in Version::ALL {
        let urdf = model::urdf(&facts, &fits, version);
        let robot = Robot::from_urdf_str(&urdf)?;
        let bodies = robot.superovoid_bodies();
        ensure!(
            bodies.len() == fits.len() && bodies.iter().all(|b| b.shape.is_convex()),
            "{}: a body is missing or not convex",
            version.file()
        );
        if version == Version::Superovoids {
            figure::draw_all(&docs, &robot, &fits)?;
        }
        let path = args.root.join("urdf").join(version.file());
        fs::write(&path, urdf).with_context(|| path.display().to_string())?;
    }
    let text = tables::written_into(&text, &fits)?;
    fs::write(&page, text).with_context(|| page.display().to_string())?;
    Ok(())
}
