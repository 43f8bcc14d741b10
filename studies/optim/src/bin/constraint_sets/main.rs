//! Which constraint sets find the distance, and which the penetration: both solvers over a batch of
//! random pairs, as a Markdown table.

mod batch;
mod report;

use anyhow::{Context, Result};
use batch::{Batch, Case};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use report::{Row, Tally};
use std::path::PathBuf;
use superovoid_optim::constrained::{
    ConstraintSet, Formulation, Solver, Start, SurfaceForm, judge, solve_from,
};

/// Constraint sets a to h of the contact of two superovoids, solved by SQP and interior point.
///
/// Draws random convex pairs, solves each apart and overlapping pair under every constraint set with
/// both solvers from the estimate on the centre line, judges the points against the library's
/// certified query, and prints Markdown tables.
#[derive(Parser)]
#[command(name = "constraint_sets", version)]
#[command(after_help = "\
Examples:
  constraint_sets                                     300 pairs of each kind, to the terminal
  constraint_sets --pairs 20                          a first look, in seconds
  constraint_sets --output docs/reports/constraint_sets.md    the table of the documentation")]
struct Args {
    /// Pairs apart, and as many overlapping.
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pairs: u32,
    /// Seed of the random pairs.
    #[arg(long, default_value_t = 5)]
    seed: u64,
    /// Write the tables to this file instead of the terminal.
    #[arg(long, value_name = "FILE.md")]
    output: Option<PathBuf>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let batch = Batch::draw(args.seed, args.pairs as usize)?;
    let rows = run(&batch)?;
    let text = report::markdown(&batch, &rows, args.seed);
    match args.output {
        Some(path) => std::fs::write(&path, text)
            .with_context(|| format!("the table could not be written to {}", path.display())),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

/// What is solved for a row of the tables.
#[derive(Clone, Copy)]
struct Plan {
    case: Case,
    form: SurfaceForm,
    set: ConstraintSet,
    solver: Solver,
    start: Start,
}

/// All sets from where the line of centres leaves the bodies; then the sets that find distance and penetration, from
/// other points of that line.
fn plan() -> Vec<Plan> {
    let mut plan = Vec::new();
    let solvers = [Solver::Sqp, Solver::InteriorPoint];
    let mut add = |case, form, set, start| {
        plan.extend(solvers.map(|solver| Plan {
            case,
            form,
            set,
            solver,
            start,
        }));
    };
    for case in Case::ALL {
        for form in [SurfaceForm::Norm, SurfaceForm::InsideOutside] {
            for set in ConstraintSet::ALL {
                add(case, form, set, Start::OnSurfaces);
            }
        }
    }
    for (case, set) in report::OF_STARTS {
        for form in [SurfaceForm::Norm, SurfaceForm::InsideOutside] {
            for share in report::SHARES {
                add(case, form, set, Start::Share(share));
            }
        }
    }
    plan
}

fn run(batch: &Batch) -> Result<Vec<Row>> {
    let plan = plan();
    let style = "{bar:40} {pos}/{len} rows, {eta} left";
    let bar = ProgressBar::new(plan.len() as u64).with_style(ProgressStyle::with_template(style)?);
    let mut rows = Vec::with_capacity(plan.len());
    for Plan {
        case,
        form,
        set,
        solver,
        start,
    } in plan
    {
        let mut tally = Tally::default();
        for (pair, reference) in batch.pairs(case) {
            let sense = case.sense();
            let formulation = Formulation { set, form, sense };
            let (a, pose_a, b, pose_b) = (&pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
            let begin = std::time::Instant::now();
            let solution = solve_from(start, a, pose_a, b, pose_b, formulation, solver)?;
            let time = begin.elapsed();
            let verdict = judge(a, pose_a, b, pose_b, reference, &solution)?;
            tally.add(verdict, solution.iterations, time);
        }
        rows.push(Row {
            case,
            form,
            set,
            solver,
            start,
            tally,
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(rows)
}
