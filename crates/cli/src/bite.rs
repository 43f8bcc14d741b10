//! `superovoid bite`: the distance of two teeth over the frames of a bite.

mod input;
mod report;
mod robot;

use crate::output::{progress_bar, refuse_to_overwrite, write_whole};
use anyhow::{Context, Result, ensure};
use clap::ArgGroup;
use input::{Fits, Source};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use superovoid_bite::{Bite, Closing, Frame, FrameOptions, Path as BitePath, Status, Tooth};

/// Print the distance of two teeth for every frame of a bite.
///
/// A tooth is a union of convex superovoids. It is fitted to a closed mesh (.stl, .obj, .dae), or read from a CSV file with a
/// row for each body and the columns a1 a2 a3 e1 e2 tx ty qw qx qy qz px py pz, which those of `superovoid fit --parts N
/// --format csv` may be; `molar` is a procedural first molar. Both stand in one frame, z up, the lower tooth at rest.
///
/// With --frames the upper tooth comes down along z, turns and rises; it starts so high that the teeth touch first just
/// before the frame --contact. With --path it takes the poses of a CSV file with the columns qw qx qy qz px py pz, a row for
/// each frame, which move it from where it stands. A path must start where the teeth are apart.
///
/// Each frame has a row: `distance` is that of the unions, with its bracket `lower,upper`; where they overlap it is minus the
/// depth of the deepest pair of bodies, and `lift` is the least upward move after which the teeth are free (proven above
/// `lift`, and at `lift_lower` they are proven to touch). Bodies are numbered from 1. Lengths are metres.
#[derive(clap::Args)]
#[command(group(ArgGroup::new("poses").args(["path", "frames"]).required(true)))]
#[command(after_help = "\
Exit code: 0, 1 if a frame is UNDECIDED (neither apart nor overlapping is proven), 2 on errors.

Examples:
  superovoid bite molar molar --frames 181
  superovoid bite lower.stl upper.stl --scale 0.001 --frames 181 -o bite.csv --contacts contacts.csv
  superovoid bite lower.obj upper.obj --parts 12 --path chewing.csv -o bite.csv
  superovoid fit lower.stl --parts 8 --format csv -o lower.csv
  superovoid bite lower.csv molar --frames 61 --step 5e-5
  mkdir molars && superovoid bite molar molar --frames 181 --robot molars
  superovoid studio molars/teeth.urdf molars/frames.csv")]
pub struct Args {
    /// The lower tooth: a mesh, a CSV file of bodies, or `molar`
    #[arg(value_name = "LOWER")]
    lower: Source,

    /// The upper tooth, likewise
    #[arg(value_name = "UPPER")]
    upper: Source,

    /// The poses of the upper tooth, a CSV file with a row for each frame
    #[arg(long, value_name = "FILE.csv")]
    path: Option<PathBuf>,

    /// The number of frames of a bite along z
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=100_000))]
    frames: Option<u32>,

    /// How far the upper tooth moves in a frame, metres [default: 2e-5]
    #[arg(
        long,
        value_name = "METRES",
        conflicts_with = "path",
        allow_hyphen_values = true
    )]
    step: Option<f64>,

    /// The first frame, from 0, at which the teeth overlap [default: 47 of 181, in proportion]
    #[arg(long, value_name = "FRAME", conflicts_with = "path")]
    contact: Option<usize>,

    /// The frame at which the upper tooth turns [default: 79 of 181, in proportion]
    #[arg(long, value_name = "FRAME", conflicts_with = "path")]
    turn: Option<usize>,

    /// The largest number of bodies for a mesh
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=64))]
    parts: u32,

    /// The factor of the coordinates of meshes; 0.001 for files in millimetres
    #[arg(long, value_name = "S", default_value = "1", value_parser = factor, allow_hyphen_values = true)]
    scale: f64,

    /// How far a fit may be from its mesh anywhere, metres [default: 8 % of the longest side of the mesh]
    #[arg(long, value_name = "METRES", value_parser = crate::arguments::tolerance, allow_hyphen_values = true)]
    allowed: Option<f64>,

    /// The file to write; `-` is standard output
    #[arg(long, short, value_name = "OUT.csv", default_value = "-")]
    output: PathBuf,

    /// Write every pair that overlaps at every frame, with points and normal, to this CSV file
    #[arg(long, value_name = "FILE.csv")]
    contacts: Option<PathBuf>,

    /// Write the bodies of both teeth, as they were fitted, to the CSV files FOLDER/lower.csv and FOLDER/upper.csv
    #[arg(long, value_name = "FOLDER")]
    bodies: Option<PathBuf>,

    /// Write FOLDER/teeth.urdf, both teeth and the joints that move the upper one, and FOLDER/frames.csv, the path as
    /// its trajectory, for `superovoid check` and `superovoid studio`
    #[arg(long, value_name = "FOLDER")]
    robot: Option<PathBuf>,
}

/// The files of --bodies and of --robot.
const BODIES: [&str; 2] = ["lower.csv", "upper.csv"];
const ROBOT: [&str; 2] = ["teeth.urdf", "frames.csv"];

fn factor(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(factor) if factor > 0.0 && f64::is_finite(factor) => Ok(factor),
        _ => Err("expected a finite number above 0".to_owned()),
    }
}

/// The exit code where a frame is undecided.
const UNDECIDED: u8 = 1;

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    refuse_inputs(args)?;
    let fits = Fits {
        parts: args.parts,
        scale: args.scale,
        allowed: args.allowed.unwrap_or(0.0),
    };
    let lower = args.lower.read(&Source::LOWER, &fits)?;
    let upper = args.upper.read(&Source::UPPER, &fits)?;
    let path = path(args, &lower, &upper)?;
    let frames = bite(args, &lower, &upper, &path)?;
    if let Some(folder) = &args.bodies {
        for (name, tooth) in BODIES.into_iter().zip([&lower, &upper]) {
            write_whole(&folder.join(name), |out| report::bodies(out, tooth))?;
        }
    }
    if let Some(folder) = &args.robot {
        let bitten = robot::bitten(&lower, &upper, &path)?;
        let [urdf, rows] = ROBOT.map(|name| folder.join(name));
        write_whole(&urdf, |out| bitten.urdf(out))?;
        write_whole(&rows, |out| bitten.trajectory(out))?;
    }
    if let Some(file) = &args.contacts {
        write_whole(file, |out| report::contacts(out, &frames))?;
    }
    write_whole(&args.output, |out| report::frames(out, &frames))?;
    eprint!("{}", report::summary(&frames));
    let undecided = frames.iter().any(|f| f.status() == Status::Undecided);
    Ok(ExitCode::from(if undecided { UNDECIDED } else { 0 }))
}

/// Makes sure that no output is an input.
fn refuse_inputs(args: &Args) -> Result<()> {
    let outputs = [Some(&args.output), args.contacts.as_ref()];
    let inside = |folder: &Option<PathBuf>, names: [&str; 2]| {
        folder
            .as_ref()
            .map(|folder| names.map(|name| folder.join(name)))
    };
    let own = [inside(&args.bodies, BODIES), inside(&args.robot, ROBOT)];
    let own = own.iter().flatten().flatten();
    for output in outputs.into_iter().flatten().chain(own) {
        let inputs = [args.lower.file(), args.upper.file(), args.path.as_deref()];
        for input in inputs.into_iter().flatten() {
            refuse_to_overwrite(input, output)?;
        }
    }
    let standard = |path: &Path| path == Path::new("-");
    ensure!(
        !(standard(&args.output) && args.contacts.as_deref().is_some_and(standard)),
        "--contacts: standard output is that of the frames; name a file"
    );
    Ok(())
}

fn path(args: &Args, lower: &Tooth, upper: &Tooth) -> Result<BitePath> {
    if let Some(file) = &args.path {
        return input::path(file);
    }
    let mut closing = Closing::of_frames(args.frames.unwrap_or(181) as usize);
    closing.step = args.step.unwrap_or(closing.step);
    closing.contact = args.contact.unwrap_or(closing.contact);
    closing.turn = args.turn.unwrap_or(closing.turn);
    Ok(BitePath::closing(lower, upper, &closing)?)
}

fn bite(args: &Args, lower: &Tooth, upper: &Tooth, path: &BitePath) -> Result<Vec<Frame>> {
    let mut bite = Bite::new(lower, upper);
    let name = || {
        args.path
            .as_ref()
            .map_or_else(|| "--frames".to_owned(), |p| p.display().to_string())
    };
    bite.check_start(path).with_context(name)?;
    let bar = progress_bar(path.poses().len(), "frames")?;
    let mut frames = Vec::with_capacity(path.poses().len());
    for (k, pose) in path.poses().iter().enumerate() {
        let frame = bite.frame(pose, &FrameOptions::default());
        frames.push(frame.with_context(|| format!("frame {k}"))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(frames)
}
