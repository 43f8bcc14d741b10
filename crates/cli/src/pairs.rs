//! `superovoid pairs`: one pair query per row of a CSV file.

mod input;

use crate::output::{outcome_name, progress_bar, refuse_to_overwrite, write_number, write_whole};
use anyhow::{Context, Result};
use input::Pair;
use rayon::prelude::*;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use superovoid::published::{Jacobian, Scheme, SchemeOptions, scheme_contact};
use superovoid::{Contact, DepthMode, Outcome, PairError, QueryOptions, contact_batch};

/// Compute signed distance, nearest points and normal of many pairs, one in each row of a CSV file.
///
/// The header names the input columns, in any order: for body A `a_a1 a_a2 a_a3 a_e1 a_e2 a_tx
/// a_ty` (shape), `a_qw a_qx a_qy a_qz` (quaternion) and `a_px a_py a_pz` (position), and the same
/// with `b_` for body B. A quaternion may have any length but zero, by which it is divided.
///
/// Row k of the output answers row k of the input, in the columns distance, ax,ay,az (nearest point of A), bx,by,bz (of
/// B), nx,ny,nz (normal from A to B), lower,upper (bracket of the distance), iterations and outcome: `certified` (the
/// bracket is closed: to the tolerance apart, to 1e-6 of the larger semi-axis for a certified depth), `converged`
/// (checked, but the bracket is open: fast depths, overlaps of bodies that are not convex, certified depths that 2048
/// directions did not settle) or `not_converged` (trust lower and upper alone). The columns are the same for every
/// method. Lengths are metres. Negative distances are depths.
///
/// A row that cannot be read is an error that names its line and column, and nothing is written.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  superovoid pairs pairs.csv > contacts.csv
  superovoid pairs pairs.csv --output contacts.csv --depth certified --threads 4
  generate_pairs | superovoid pairs - --tolerance 1e-6
  superovoid pairs pairs.csv --method quad-implicit --jacobian forward-differences
  superovoid pairs pairs.csv --method quad-parametric --as-published")]
pub struct Args {
    /// The pairs; `-` reads standard input
    #[arg(value_name = "IN.csv")]
    input: PathBuf,

    /// The file to write; `-` is standard output
    #[arg(long, short, value_name = "OUT.csv", default_value = "-")]
    output: PathBuf,

    /// The search for the depth of overlapping bodies
    #[arg(long, value_enum, default_value_t = Depth::Fast)]
    depth: Depth,

    /// The algorithm: the exact solver, or one of the four schemes of Gonçalves et al.
    /// (2017), local methods for comparison
    #[arg(long, value_enum, default_value_t = MethodName::Exact)]
    method: MethodName,

    /// The Jacobian matrix of a scheme's Newton-Raphson; only with a method other than
    /// exact [default: analytic]
    #[arg(long, value_enum)]
    jacobian: Option<JacobianName>,

    /// Run the scheme as its authors published it: undamped, with one pair of cells kept and one guess, and its
    /// answer believed: `converged` may be wrong, lower and upper are those of spheres; only with a method other
    /// than exact
    #[arg(long)]
    as_published: bool,

    /// The widest bracket that counts as certified, metres; 0 means 1e-9 of the larger semi-axis, and
    /// 1e-6 for a scheme
    #[arg(long, value_name = "T", default_value_t = 0.0, allow_hyphen_values = true,
          value_parser = crate::arguments::tolerance)]
    tolerance: f64,

    /// The number of threads [default: one per processor]; the output does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Depth {
    /// A search that stops early: it nearly always finds the least depth, without proof
    Fast,
    /// A branch and bound to 1e-6 of the larger semi-axis: proven, and slower
    Certified,
}

/// The exact method, and the published schemes under their own names.
#[derive(Clone, Copy, clap::ValueEnum)]
enum MethodName {
    /// Proven answers
    Exact,
    /// Six Cartesian unknowns, octree guess
    OctImplicit,
    /// Six Cartesian unknowns, quadtree guess
    QuadImplicit,
    /// Four angles, parametric tangents, quadtree guess
    QuadParametric,
    /// Four angles, tangents from the normal, quadtree guess
    NtbParametric,
}

impl MethodName {
    /// The published scheme of this name; `None` for the exact method.
    fn scheme(self) -> Option<Scheme> {
        match self {
            MethodName::Exact => None,
            MethodName::OctImplicit => Some(Scheme::OctImplicit),
            MethodName::QuadImplicit => Some(Scheme::QuadImplicit),
            MethodName::QuadParametric => Some(Scheme::QuadParametric),
            MethodName::NtbParametric => Some(Scheme::NtbParametric),
        }
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum JacobianName {
    /// In closed form
    Analytic,
    /// Forward differences, one more evaluation for each unknown, as in the papers
    ForwardDifferences,
}

/// The number of pairs that one task solves: large enough to hide the cost of a task, small enough to keep
/// every thread busy and the progress bar moving.
const CHUNK: usize = 256;

const HEADER: &str = "distance,ax,ay,az,bx,by,bz,nx,ny,nz,lower,upper,iterations,outcome";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    refuse_to_overwrite(&args.input, &args.output)?;
    let query = query(args)?;
    let pairs = input::read(&args.input)?;
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .context("cannot start the threads")?;
    let answers = threads.install(|| solve(&pairs, &query))?;

    write_whole(&args.output, |out| write_answers(out, &answers))?;
    let open = answers
        .iter()
        .filter(|answer| answer.outcome == Outcome::NotConverged)
        .count();
    if open > 0 {
        let count = answers.len();
        eprintln!("warning: {open} of {count} pairs are not_converged; lower and upper still hold");
    }
    Ok(ExitCode::SUCCESS)
}

/// The chosen method with its options.
enum Query {
    Exact(QueryOptions),
    Scheme(SchemeOptions),
}

fn query(args: &Args) -> Result<Query> {
    let depth = match args.depth {
        Depth::Fast => DepthMode::Fast,
        Depth::Certified => DepthMode::Certified,
    };
    let Some(scheme) = args.method.scheme() else {
        anyhow::ensure!(
            args.jacobian.is_none(),
            "--jacobian needs another --method than exact, which has no use for it"
        );
        anyhow::ensure!(
            !args.as_published,
            "--as-published needs another --method than exact, which is nobody else's"
        );
        return Ok(Query::Exact(
            QueryOptions::default()
                .with_tolerance(args.tolerance)
                .with_depth(depth),
        ));
    };
    anyhow::ensure!(
        depth == DepthMode::Fast,
        "--depth certified needs --method exact: {scheme} proves no depth"
    );
    Ok(Query::Scheme(SchemeOptions {
        scheme,
        jacobian: match args.jacobian {
            None | Some(JacobianName::Analytic) => Jacobian::Analytic,
            Some(JacobianName::ForwardDifferences) => Jacobian::ForwardDifferences,
        },
        as_published: args.as_published,
        tolerance: args.tolerance,
        ..SchemeOptions::default()
    }))
}

impl Query {
    /// Answers every pair; the error is that of the first pair that is rejected.
    fn solve(&self, pairs: &[Pair], answers: &mut [Contact]) -> Result<(), PairError> {
        let options = match self {
            Query::Exact(options) => {
                let borrowed: Vec<_> = pairs.iter().map(Pair::borrowed).collect();
                return contact_batch(&borrowed, answers, options);
            }
            Query::Scheme(options) => options,
        };
        for (index, (pair, answer)) in pairs.iter().zip(answers).enumerate() {
            let Pair {
                a,
                pose_a,
                b,
                pose_b,
            } = pair;
            *answer = scheme_contact(a, pose_a, b, pose_b, options, None)
                .map_err(|error| PairError { index, error })?;
        }
        Ok(())
    }
}

/// Every query starts cold, so that an answer depends on its own row alone.
fn solve(pairs: &[Pair], query: &Query) -> Result<Vec<Contact>> {
    let progress = progress_bar(pairs.len(), "pairs")?;
    let solve_chunk = |(number, chunk): (usize, &[Pair])| -> Result<Vec<Contact>> {
        let mut answers = vec![Contact::default(); chunk.len()];
        query.solve(chunk, &mut answers).map_err(|e| {
            anyhow::Error::new(e.error).context(format!("pair {}", number * CHUNK + e.index + 1))
        })?;
        progress.inc(chunk.len() as u64);
        Ok(answers)
    };
    let chunks: Result<Vec<_>> = pairs
        .par_chunks(CHUNK)
        .enumerate()
        .map(solve_chunk)
        .collect();
    progress.finish_and_clear();
    Ok(chunks?.concat())
}

fn write_answers(out: &mut dyn Write, answers: &[Contact]) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    for answer in answers {
        let (a, b, n) = (answer.point_a, answer.point_b, answer.normal);
        write_number(out, answer.distance)?;
        for number in [a.x, a.y, a.z, b.x, b.y, b.z, n.x, n.y, n.z] {
            out.write_all(b",")?;
            write_number(out, number)?;
        }
        for number in [answer.lower, answer.upper] {
            out.write_all(b",")?;
            write_number(out, number)?;
        }
        let outcome = outcome_name(answer.outcome);
        writeln!(out, ",{},{outcome}", answer.iterations)?;
    }
    Ok(())
}
