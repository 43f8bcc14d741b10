//! Repeats the tables of the papers that this library implements, with our figures beside theirs:
//! Tables 1 and 2 of Gonçalves et al. 2017 (pairs) and Tables 1 to 4 of the thesis on superellipsoids and
//! vertices, with FCL's meshes beside parry's where it is installed. Writes Markdown and plots.

mod fcl;
mod pairs;
mod points;
mod published;

use anyhow::{Context, Result};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use pairs::Tapers;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// The papers' tables with our figures beside theirs, as Markdown and plots.
///
/// Pairs: Tables 1 and 2 of Gonçalves et al. 2017 (implicit and parametric schemes). Points: Tables 1 to 4
/// of the thesis on superellipsoids and vertices (the iterative method). Failures and wrong answers have
/// columns of their own.
#[derive(Parser)]
#[command(
    name = "papers",
    after_help = "\
Examples:
  cargo run --release -p superovoid-tools --bin papers -- --output docs/reports
  cargo run --release -p superovoid-tools --bin papers -- --pairs 500 --points 900 --output report"
)]
struct Args {
    /// Pairs of each set (untapered, convex tapers, any tapers).
    #[arg(long, default_value_t = 10_000)]
    pairs: usize,
    /// Points of each shape and side; rounded down to a square.
    #[arg(long, default_value_t = 10_000)]
    points: usize,
    /// Seed of the random pairs.
    #[arg(long, default_value_t = 2017)]
    seed: u64,
    /// Name of the machine, for the heading.
    #[arg(long, default_value = "an unnamed machine")]
    machine: String,
    /// Folder for papers.md and its plots.
    #[arg(long)]
    output: PathBuf,
}

const SETS: [(&str, Tapers); 3] = [
    ("The paper's battery: any tapers", Tapers::Any),
    ("Convex tapers only", Tapers::Convex),
    ("Untapered", Tapers::None),
];

fn main() -> Result<()> {
    let args = Args::parse();
    fs::create_dir_all(&args.output).with_context(|| args.output.display().to_string())?;
    let side = (args.points as f64).sqrt() as usize;
    let steps = SETS.len() * pairs::steps(args.pairs) + 2 * published::SHAPES.len() * side * side;
    let progress = ProgressBar::new(steps as u64).with_style(
        ProgressStyle::with_template("{wide_bar} {percent} %, {eta} left")
            .context("progress bar")?,
    );
    let mut text = heading(&args, side);
    text += "\n## Pairs\n";
    text += PAIRS;
    for (title, tapers) in SETS {
        let rows = pairs::run(args.seed, args.pairs, tapers, &progress);
        for (side, name) in ["apart (Table 2)", "overlapping (Table 1)"]
            .iter()
            .enumerate()
        {
            let count = rows[0].sides[side].pairs;
            let _ = write!(
                text,
                "\n### {title}, {count} {name}\n\n{}",
                pairs::markdown(&rows, side)
            );
        }
        if tapers == Tapers::Any {
            let [time, right] = pairs::bars(&rows);
            time.draw(&args.output.join("papers_pair_times.svg"))?;
            right.draw(&args.output.join("papers_pair_answers.svg"))?;
            text += "\n![Time a query](papers_pair_times.svg)\n\n![Right answers](papers_pair_answers.svg)\n";
        }
    }
    text += "\n## Points\n";
    text += POINTS;
    let fcl = fcl::Fcl::load();
    if let Err(why) = &fcl {
        progress.suspend(|| eprintln!("FCL is left out: {why:#}"));
    }
    let sides = points::run(side, fcl.as_ref().ok(), &progress);
    let names = ["Outside, +0.05 m", "Inside, −0.015 m"];
    for (side, name) in names.iter().enumerate() {
        let (accuracy, times) = (
            points::accuracy(&sides[side], side),
            points::times(&sides[side], side),
        );
        let _ = write!(
            text,
            "\n### {name}: accuracy (Table {})\n\n{accuracy}",
            side + 1
        );
        let _ = write!(
            text,
            "\n### {name}: distance from the nearest point (not in the thesis)\n\n{}",
            points::off(&sides[side])
        );
        let _ = write!(text, "\n### {name}: time (Table {})\n\n{times}", side + 3);
        text += &points::sentences(&sides[side]);
    }
    let [times, within] = points::bars(&sides);
    times.draw(&args.output.join("papers_point_times.svg"))?;
    within.draw(&args.output.join("papers_point_answers.svg"))?;
    text += "\n![Time a point](papers_point_times.svg)\n\n![Answers within 1 mm](papers_point_answers.svg)\n";
    progress.finish_and_clear();
    let path = args.output.join("papers.md");
    fs::write(&path, text).with_context(|| path.display().to_string())?;
    println!("{}", path.display());
    Ok(())
}

fn heading(args: &Args, side: usize) -> String {
    format!(
        "# The papers' tables, repeated\n\n    cargo run --release -p superovoid-tools --bin papers -- --pairs {} \
         --points {} --seed {} --output docs/reports\n\nOne thread of {}, release build. Published times are of other \
         machines: compare the methods within a column, not across. [papers_figures.md](papers_figures.md) has the figures.\n",
        args.pairs,
        side * side,
        args.seed,
        args.machine
    )
}

const PAIRS: &str = "
The schemes of Gonçalves, Bernardino, Jorge and Lopes, *Mechanism and Machine Theory* 115 (2017), as this
library implements them: damped, kept in the domain, every answer verified; and *as published*: one pair of
cells kept of the 16 that are evaluated a level, whole steps, one guess, the answer believed
(`SchemeOptions::as_published`). `exact` is the library's own method. Bodies at (0, 0, 0) and (0, 2.21, 0), semi-axes 1, e in [0.3, 1.1], tapers in [-0.4, 0.4],
orientations uniform; for *convex tapers* bodies are drawn again until they are convex. Tolerance 1e-6, at
most 30 iterations, cold starts.

- *right*: certified or converged, and within 1e-5 of the exact signed distance.
- *right, unproven*: labelled not converged, though its points are right. Bodies that are not convex: a
  scheme cannot tell whether a stationary pair is the nearest.
- *not the least depth*: a stationary depth of an overlap, larger than the least.
- *wrong*: labelled certified or converged, and neither of these.
- *guess*: the time with no iterations allowed; verified schemes then also make their second guess, which looks for
  opposed normals and which only overlaps need. *an iteration*, as published: what the total is longer than the
  guess, by the iterations.
- *published*: Tables 1 and 2, with forward differences; its time an iteration is not that quotient. It does not
  count failures. The octrees are in none of its tables of random pairs.
- *mesh hull*: GJK and EPA of parry3d on the convex hulls of meshes of 266 vertices; *wrong* there means
  farther than 1e-5 off, which no mesh of that size avoids.
";

const POINTS: &str = "
The iterative method of the MSc thesis on superellipsoids and vertices in the simulation of cloth and rigid bodies (with
FCL and PBD, after Gonçalves et al. 2017; the copy used here begins with its abstract and names neither title nor
author), and the exact one. Semi-axes 1 m;
points of an even grid of surface angles on the shape with semi-axes 1.05 m or 0.985 m. At most 30
iterations, as there.

- *error*: the thesis' (7), |point found + distance · normal − point|, with the normal of the implicit function at
  the point found, of the methods and of meshes alike; *converged*: at most 1 mm; *missed*: the mean error of the
  others; *labelled wrongly*: of those, how many say that they converged. It measures how far normals turn, not how
  far the point found is from the nearest one.
- *off by*: that distance, by the exact method; *its distance*: how much longer the iterative distance is.
- *mesh 266*: the nearest point of a mesh of 266 vertices, evenly spaced by arc length, by parry3d's hierarchy and by
  FCL 0.7, which is asked as in the thesis: for the distance of a sphere, here of 1 nm. *published mesh*: FCL, with 272
  vertices.
- *slice*: one call for all points, one thread.
";
