//! `superovoid vertices`: the distances of many points from one shape.

use crate::arguments::Shape;
use crate::output::{outcome_name, progress_bar, refuse_to_overwrite, write_number, write_whole};
use crate::table::{self, Columns};
use anyhow::{Context, Result};
use nalgebra::{Isometry3, Point3};
use rayon::prelude::*;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use superovoid::published::{iterative_vertex_contact, radial_vertex_contact};
use superovoid::{
    Contact, DepthMode, Outcome, QueryError, Superovoid, VertexOptions, vertex_contact,
    vertex_contact_batch,
};

/// Compute signed distance and nearest surface point of many points, one in each row of a CSV file.
///
/// The header names the input columns x, y and z, in any order: the point in the frame of the shape, metres.
///
/// Row k of the output answers row k of the input, in the columns distance (negative inside),
/// px,py,pz (nearest surface point), nx,ny,nz (unit normal there, out of the shape), iterations and
/// outcome: `certified` (proven to be the nearest), `converged` (checked, but not proven: some
/// points inside, and every answer of the iterative method that reached its tolerance) or
/// `not_converged`. Lengths are metres.
///
/// A row that cannot be read is an error that names its line and column, and nothing is written.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  superovoid vertices cloth.csv --shape 0.02,0.02,0.03,1,1,0.2,0.2 > distances.csv
  superovoid vertices cloth.csv --shape 1,1,1,0.3,0.3,0,0 --method iterative --tolerance 1e-3 --max-iterations 10
  generate_points | superovoid vertices - --shape 1,2,3,1,1,0,0 --output distances.csv")]
pub struct Args {
    /// The points; `-` reads standard input
    #[arg(value_name = "POINTS.csv")]
    input: PathBuf,

    /// The shape: semi-axes (metres), squareness exponents and tapers
    #[arg(long, value_name = "A1,A2,A3,E1,E2,TX,TY", allow_hyphen_values = true)]
    shape: Shape,

    /// How the surface point is found
    #[arg(long, value_enum, default_value_t = Method::Exact)]
    method: Method,

    /// How the depth of points inside is found by the exact method
    #[arg(long, value_enum, default_value_t = Depth::Fast)]
    depth: Depth,

    /// The file to write; `-` is standard output
    #[arg(long, short, value_name = "OUT.csv", default_value = "-")]
    output: PathBuf,

    /// Widest bracket that counts as certified, or the error at which the iterative method ends, metres;
    /// 0 means 1e-10, or 1e-3, of the largest semi-axis
    #[arg(long, value_name = "T", default_value_t = 0.0, allow_hyphen_values = true,
          value_parser = crate::arguments::tolerance)]
    tolerance: f64,

    /// Most iterations, 1 to 1000: of the iterative method in all, of the exact one from each of its
    /// starts; the radial method makes none [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_iterations: Option<u32>,

    /// Number of threads [default: one per processor]; the output does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Method {
    /// The nearest surface point
    Exact,
    /// By weighted means of directions and normals, until the normal points to the point
    Iterative,
    /// On the ray from the centre, which takes the normal's place
    Radial,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Depth {
    /// Nearly always the least depth, not always with proof
    Fast,
    /// Proven wherever the shape is convex, and slower
    Certified,
}

/// Points between two steps of the progress bar.
const CHUNK: usize = 1 << 16;

const HEADER: &str = "distance,px,py,pz,nx,ny,nz,iterations,outcome";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    anyhow::ensure!(
        matches!(args.method, Method::Exact) || matches!(args.depth, Depth::Fast),
        "--depth certified needs --method exact: no other proves a depth"
    );
    anyhow::ensure!(
        args.max_iterations.is_none() || !matches!(args.method, Method::Radial),
        "--max-iterations needs --method exact or iterative: the radial method makes no iterations"
    );
    refuse_to_overwrite(&args.input, &args.output)?;
    let columns = Columns {
        names: ["x", "y", "z"].map(str::to_owned),
        described: "x y z".to_owned(),
        ignored: &[],
    };
    let points = table::read(&args.input, &columns, |&[x, y, z]| Ok(Point3::new(x, y, z)))?;
    let default = VertexOptions::default();
    let options = default
        .with_depth(match args.depth {
            Depth::Fast => DepthMode::Fast,
            Depth::Certified => DepthMode::Certified,
        })
        .with_tolerance(args.tolerance)
        .with_max_iterations(args.max_iterations.unwrap_or(default.max_iterations));
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .context("cannot start the threads")?;
    let answers = threads.install(|| solve(args.method, &args.shape.0, &points, &options))?;

    write_whole(&args.output, |out| write_answers(out, &answers))?;
    let open = answers
        .iter()
        .filter(|answer| answer.outcome == Outcome::NotConverged)
        .count();
    // The radial distance is not an approximation that could converge.
    if open > 0 && !matches!(args.method, Method::Radial) {
        let count = answers.len();
        eprintln!("warning: {open} of {count} points are not_converged");
    }
    Ok(ExitCode::SUCCESS)
}

/// The query of one point by a published method.
type VertexQuery =
    fn(&Superovoid, &Isometry3<f64>, &Point3<f64>, &VertexOptions) -> Result<Contact, QueryError>;

fn solve(
    method: Method,
    shape: &Superovoid,
    points: &[Point3<f64>],
    options: &VertexOptions,
) -> Result<Vec<Contact>> {
    let progress = progress_bar(points.len(), "points")?;
    let mut answers = vec![Contact::default(); points.len()];
    for (number, (points, answers)) in
        (0..).zip(points.chunks(CHUNK).zip(answers.chunks_mut(CHUNK)))
    {
        let first = number * CHUNK + 1;
        match method {
            Method::Exact => exactly(shape, points, answers, options, first),
            Method::Iterative => each(
                iterative_vertex_contact,
                shape,
                points,
                answers,
                options,
                first,
            ),
            Method::Radial => each(
                radial_vertex_contact,
                shape,
                points,
                answers,
                options,
                first,
            ),
        }?;
        progress.inc(points.len() as u64);
    }
    progress.finish_and_clear();
    Ok(answers)
}

/// The exact answers; the first point has the given number.
fn exactly(
    shape: &Superovoid,
    points: &[Point3<f64>],
    answers: &mut [Contact],
    options: &VertexOptions,
    first: usize,
) -> Result<()> {
    let here = Isometry3::identity();
    vertex_contact_batch(shape, &here, points, answers, options).with_context(|| {
        let refused = |p: &Point3<f64>| vertex_contact(shape, &here, p, options).is_err();
        let k = points.iter().position(refused).unwrap_or_default();
        format!("point {}", first + k)
    })
}

/// The answers of a published method, on the threads of the current pool; the first point has the given
/// number.
fn each(
    query: VertexQuery,
    shape: &Superovoid,
    points: &[Point3<f64>],
    answers: &mut [Contact],
    options: &VertexOptions,
    first: usize,
) -> Result<()> {
    let here = Isometry3::identity();
    let first_error = points
        .par_iter()
        .zip(answers)
        .enumerate()
        .filter_map(
            |(k, (point, answer))| match query(shape, &here, point, options) {
                Ok(found) => {
                    *answer = found;
                    None
                }
                Err(error) => Some((k, error)),
            },
        )
        .min_by_key(|(k, _)| *k);
    match first_error {
        None => Ok(()),
        Some((k, error)) => Err(error).with_context(|| format!("point {}", first + k)),
    }
}

fn write_answers(out: &mut dyn Write, answers: &[Contact]) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    for answer in answers {
        let (p, n) = (answer.point_a, answer.normal);
        write_number(out, answer.distance)?;
        for number in [p.x, p.y, p.z, n.x, n.y, n.z] {
            out.write_all(b",")?;
            write_number(out, number)?;
        }
        let outcome = outcome_name(answer.outcome);
        writeln!(out, ",{},{outcome}", answer.iterations)?;
    }
    Ok(())
}
