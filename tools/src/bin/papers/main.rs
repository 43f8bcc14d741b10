//! Repeats the tables of the papers that this library implements, with our figures beside theirs:
//! Tables 1 and 2 of Gonçalves et al. 2017 (pairs) and Tables 1 to 4 of the thesis on superellipsoids and
//! vertices. Writes Markdown and plots.

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
  cargo run --release -p superovoid-tools --bin papers -- --output docs
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
        if tapers == Tapers::Convex {
            let [time, right] = pairs::bars(&rows);
            time.draw(&args.output.join("papers_pair_times.svg"))?;
            right.draw(&args.output.join("papers_pair_answers.svg"))?;
            text += "\n![Time a query](papers_pair_times.svg)\n\n![Right answers](papers_pair_answers.svg)\n";
        }
    }
    text += "\n## Points\n";
    text += POINTS;
    let sides = points::run(side, &progress);
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
        let _ = write!(text, "\n### {name}: time (Table {})\n\n{times}", side + 3);
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
         --points {} --seed {} --output docs\n\nOne thread of {}, release build. Published times are of other \
         machines: compare the methods within a column, not across. [papers_figures.md](papers_figures.md) has the figures.\n",
        args.pairs,
        side * side,
        args.seed,
        args.machine
    )
}

const PAIRS: &str = "
The schemes of Gonçalves, Bernardino, Jorge and Lopes, *Mechanism and Machine Theory* 115 (2017), as this
library implements them: damped, kept in the domain, every answer verified. `exact` is the library's own
method. Bodies at (0, 0, 0) and (0, 2.21, 0), semi-axes 1, e in [0.3, 1.1], tapers in [-0.4, 0.4],
orientations uniform; for *convex tapers* bodies are drawn again until they are convex. Tolerance 1e-6, at
most 30 iterations, cold starts.

- *right*: certified or converged, and within 1e-5 of the exact signed distance.
- *right, unproven*: labelled not converged, though its points are right. Bodies that are not convex: a
  scheme cannot tell whether a stationary pair is the nearest.
- *not the least depth*: a stationary depth of an overlap, larger than the least.
- *wrong*: labelled certified or converged, and neither of these.
- *both guesses*: the time with no iterations allowed, and so with the second guess too, which looks for
  opposed normals and which only overlaps need. *published*: Tables 1 and 2, with forward differences.
- *mesh hull*: GJK and EPA of parry3d on the convex hulls of meshes of 266 vertices; *wrong* there means
  farther than 1e-5 off, which no mesh of that size avoids.
";

const POINTS: &str = "
The iterative method of the thesis on superellipsoids and vertices, and the exact one. Semi-axes 1 m;
points of an even grid of surface angles on the shape with semi-axes 1.05 m or 0.985 m. At most 30
iterations, as there.

- *error*: the thesis' (7), |surface point + distance · normal − point|; *converged*: at most 1 mm; *missed*:
  the mean error of the others; *labelled wrongly*: of those, how many say that they converged.
- *off by*: distance of the surface point found from the nearest one, by the exact method.
- *mesh 266*: projection on a mesh of 266 vertices by parry3d; *published mesh*: FCL.
- *slice*: one call for all points, one thread.
";
