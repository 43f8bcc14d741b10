//! `superovoid fit-robot`: superovoids beside the collision shapes of a URDF file.

use crate::fit_options::{
    COLUMNS, FitArgs, Format, Numbers, REPORT, SHAPE, label, quoted, ratio_cell, report_cells,
    shape_cells, table, time_cell,
};
use crate::keep_free::{Kept, Poses};
use crate::output::{progress_bar, refuse_to_overwrite, write_whole};
use anyhow::{Context, Result};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use superovoid_fit::{
    Choice, Fallback, FittedRobot, RobotBody, RobotOptions, RobotProgress, Untouched, fit_robot,
};
use superovoid_robot::Geometry;

/// Add superovoids to the collision shapes of a robot.
///
/// Every collision mesh becomes a superovoid, with --parts several, each in a `<collision>` of its own: its `<origin>`
/// is that of the body, and its `<geometry>` a standard shape around body and mesh, which programs without
/// superovoids see. A sphere, box or cylinder stays and gets a superovoid next to it: exact for a sphere, and with
/// edges that --edge-exponent rounds for the others. Everything else in the file is unchanged, byte for byte, and
/// so are collisions that have a superovoid already.
///
/// Meshes are STL, OBJ and COLLADA files of at most 512 MiB and 10 million triangles. They are only read from the
/// folder of the URDF, a --package-path, or folders below these. COLLADA's up axis is not applied: RViz, MoveIt, Gazebo,
/// Pinocchio and PyBullet do not apply it either.
///
/// With --enclosing and --parts a hull that one body encloses badly is cut by planes, and each part gets a body that
/// holds it whole. A second table says what one body, two and so on add to the volume of the hull, and how many were
/// taken: the fewest that meet --volume-budget, or else as many as pay by --gain.
///
/// With --keep-free the pairs of links that are free as they are in given poses stay free: where the bodies of two links
/// meet, their meshes get the fewest bodies together that do not, up to --keep-parts each. The poses are the group states of an
/// SRDF file, or the rows of a CSV file with a column for each joint; other joints are in their neutral position. Adjacent links
/// and pairs that an SRDF file disables are not compared; pairs that collide as they are are named, and not kept. If a pair is
/// lost with every number of bodies, it is named with its pose, and nothing is written: allow more bodies, or disable the pair
/// in an SRDF file. A table says how near the pairs are as they are and as they are fitted; with --format csv it is left out.
///
/// The table lists the shape that each superovoid represents and the distances from that (for a mesh, from the hull
/// that it follows): root mean square, 95 % and largest, the same back from the body, and the ratio of the volumes.
#[derive(clap::Args)]
#[command(after_help = "\
Exit code: 0 if the file is written, 2 on errors; nothing is written then.

Examples:
  superovoid fit-robot arm.urdf -o arm_superovoid.urdf
  superovoid fit-robot panda.urdf -o out.urdf --package-path ~/ros/src --enclosing
  superovoid fit-robot panda.urdf -o out.urdf --enclosing --parts 3 --volume-budget 1.2
  superovoid fit-robot panda.urdf -o out.urdf --enclosing --keep-free poses.csv --keep-free panda.srdf
  superovoid fit-robot robot.urdf -o out.urdf --parts 4 --format csv > table.csv
  superovoid check out.urdf")]
pub struct Args {
    /// The robot
    #[arg(value_name = "ROBOT.urdf")]
    robot: PathBuf,

    /// The file to write; `-` is standard output, the table then goes to standard error
    #[arg(long, short, value_name = "OUT.urdf")]
    output: PathBuf,

    /// A folder that is a package or contains packages, from which meshes may be read; may be repeated
    #[arg(long = "package-path", value_name = "FOLDER")]
    package_paths: Vec<PathBuf>,

    #[command(flatten)]
    fit: FitArgs,

    /// Keep free what is free in the poses of this SRDF or CSV file; may be repeated
    #[arg(long, value_name = "FILE")]
    keep_free: Vec<PathBuf>,

    /// With --keep-free, the largest number of bodies for a mesh of a pair that would be lost
    #[arg(long, value_name = "N", requires = "keep_free", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=64))]
    keep_parts: u32,

    /// The exponent of the edges of boxes and cylinders, from 0.004 (sharp) to 1 (round)
    #[arg(long, value_name = "E", default_value_t = 0.02, value_parser = exponent)]
    edge_exponent: f64,

    /// The shape that other programs see in place of a mesh
    #[arg(long, value_enum, default_value_t = FallbackName::Tightest)]
    fallback: FallbackName,

    /// The form of the output
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FallbackName {
    /// The sphere, box or cylinder with the least volume
    Tightest,
    /// A sphere
    Sphere,
}

fn exponent(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.004..=1.0).contains(&value) => Ok(value),
        _ => Err("expected a number from 0.004 to 1".to_owned()),
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    refuse_to_overwrite(&args.robot, &args.output)?;
    for file in &args.keep_free {
        refuse_to_overwrite(file, &args.output)?;
    }
    let poses = match args.keep_free[..] {
        [] => None,
        _ => Some(Poses::read(
            &args.robot,
            &args.keep_free,
            &args.package_paths,
        )?),
    };
    let keep = poses.as_ref().map(|poses| poses.keep(args.keep_parts));
    let bar = progress_bar(0, "collisions")?;
    let tell = |progress: RobotProgress| {
        bar.set_length(progress.steps as u64);
        bar.set_position(progress.done as u64);
        true
    };
    let options = RobotOptions::default()
        .with_parts(args.fit.options())
        .with_edge_exponent(args.edge_exponent)
        .with_fallback(match args.fallback {
            FallbackName::Tightest => Fallback::Tightest,
            FallbackName::Sphere => Fallback::Sphere,
        })
        .with_package_paths(args.package_paths.clone())
        .with_keep_free(keep)
        .with_progress(Some(&tell));
    let fitted = fit_robot(&args.robot, &options);
    bar.finish_and_clear();
    let fitted = fitted.with_context(|| args.robot.display().to_string())?;
    let mut report = Vec::new();
    match args.format {
        Format::Table => report.write_all(for_people(&fitted, poses.as_ref()).as_bytes()),
        Format::Csv => write_csv(&mut report, &fitted),
        Format::Json => write_json(&mut report, &fitted, poses.as_ref()),
    }?;
    write_whole(&args.output, |out| out.write_all(fitted.urdf.as_bytes()))?;
    if args.output == Path::new("-") {
        io::stderr().write_all(&report).context("standard error")?;
    } else {
        write_whole(Path::new("-"), |out| out.write_all(&report))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the original shape in the file: the address of a mesh, or the element.
fn source<'a>(fitted: &'a FittedRobot, body: &RobotBody) -> &'a str {
    let collision = &fitted.robot.links()[body.link].collisions[body.collision];
    match &collision.geometry {
        Geometry::Mesh { filename, .. } => filename,
        other => other.element(),
    }
}

fn for_people(fitted: &FittedRobot, poses: Option<&Poses>) -> String {
    let mut header = vec!["link", "source", "fallback"];
    header.extend(SHAPE);
    header.extend(REPORT);
    header.extend(["volume", "time/s"]);
    let rows = fitted.bodies.iter().map(|body| {
        let source = source(fitted, body);
        // The end of an address says which mesh it is.
        let source = source.rsplit('/').next().unwrap_or(source);
        let mut row = vec![
            label(fitted, body.link, body.collision),
            source.to_owned(),
            body.fallback.element().to_owned(),
        ];
        row.extend(shape_cells(&body.fit.shape));
        row.extend(report_cells(&body.report));
        row.push(ratio_cell(body.report.volume_to_hull));
        row.push(if body.repeated {
            "as above".to_owned()
        } else {
            time_cell(&body.fit)
        });
        row
    });
    let mut text = table(&header, 3, rows.collect());
    if !fitted.choices.is_empty() {
        text += &format!("\n{}", of_choices(fitted));
    }
    if let Some((poses, kept)) = poses.zip(fitted.kept.as_ref()) {
        text += &format!("\n{}", poses.for_people(fitted, kept));
    }
    let time: f64 = fitted.bodies.iter().map(|b| b.fit.time.as_secs_f64()).sum();
    let count = fitted.bodies.len();
    let _ = write!(
        text,
        "\n{}: {count} superovoids in {time:.1} s",
        fitted.robot.name()
    );
    for untouched in &fitted.untouched {
        let label = label(fitted, untouched.link, untouched.collision);
        let why = why(fitted, untouched);
        let _ = write!(text, "; {label} stays as it is ({why})");
    }
    text + "\n"
}

/// What each number of bodies adds to the volume of the hull, in per cent, with the number that was taken.
fn of_choices(fitted: &FittedRobot) -> String {
    let most = fitted.choices.iter().map(|c| c.volumes.len()).max();
    let counts: Vec<String> = (1..=most.unwrap_or(0))
        .map(|k| format!("above/% by {k}"))
        .collect();
    let mut header = vec!["link", "bodies"];
    header.extend(counts.iter().map(String::as_str));
    let rows = fitted.choices.iter().map(|choice| {
        let mut row = vec![
            label(fitted, choice.link, choice.collision),
            choice.bodies.to_string(),
        ];
        row.extend((0..counts.len()).map(|k| match choice.volumes.get(k) {
            Some(volume) if volume.is_finite() => format!("{:.1}", 100.0 * (volume - 1.0)),
            _ => "–".to_owned(),
        }));
        row
    });
    table(&header, 1, rows.collect())
}

fn why(fitted: &FittedRobot, untouched: &Untouched) -> String {
    if untouched.has_superovoid {
        return "it has a superovoid".to_owned();
    }
    let collision = &fitted.robot.links()[untouched.link].collisions[untouched.collision];
    format!("<{}> is not converted", collision.geometry.element())
}

fn write_csv(out: &mut dyn Write, fitted: &FittedRobot) -> io::Result<()> {
    writeln!(out, "link,collision,source,fallback,{COLUMNS}")?;
    for body in &fitted.bodies {
        let link = quoted(&fitted.robot.links()[body.link].name);
        let source = quoted(source(fitted, body));
        let (collision, fallback) = (body.collision, body.fallback.element());
        write!(out, "{link},{collision},{source},{fallback}")?;
        Numbers::of(&body.fit, &body.report).write_csv(out)?;
        writeln!(out)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct RobotReport<'a> {
    robot: &'a str,
    superovoids: Vec<Row<'a>>,
    choices: Vec<ChoiceRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keep_free: Option<Kept<'a>>,
    untouched: Vec<UntouchedRow<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    link: &'a str,
    /// The index among the collisions of the link as they were read, from 0.
    collision: usize,
    source: &'a str,
    fallback: &'a str,
    /// Whether the fit is that of an earlier collision with the same mesh.
    repeated: bool,
    #[serde(flatten)]
    numbers: Numbers,
}

#[derive(Serialize)]
struct ChoiceRow<'a> {
    link: &'a str,
    collision: usize,
    bodies: usize,
    /// The volume of the union of one body, of two and so on, over that of the hull; null where it was not tried.
    volumes: Vec<Option<f64>>,
}

#[derive(Serialize)]
struct UntouchedRow<'a> {
    link: &'a str,
    collision: usize,
    why: String,
}

fn write_json(out: &mut dyn Write, fitted: &FittedRobot, poses: Option<&Poses>) -> io::Result<()> {
    let link = |link: usize| fitted.robot.links()[link].name.as_str();
    let rows = fitted.bodies.iter().map(|body| Row {
        link: link(body.link),
        collision: body.collision,
        source: source(fitted, body),
        fallback: body.fallback.element(),
        repeated: body.repeated,
        numbers: Numbers::of(&body.fit, &body.report),
    });
    let untouched = fitted.untouched.iter().map(|untouched| UntouchedRow {
        link: link(untouched.link),
        collision: untouched.collision,
        why: why(fitted, untouched),
    });
    let choices = fitted.choices.iter().map(|choice: &Choice| ChoiceRow {
        link: link(choice.link),
        collision: choice.collision,
        bodies: choice.bodies,
        volumes: choice
            .volumes
            .iter()
            .map(|v| Some(*v).filter(|v| v.is_finite()))
            .collect(),
    });
    let report = RobotReport {
        robot: fitted.robot.name(),
        superovoids: rows.collect(),
        choices: choices.collect(),
        keep_free: poses
            .zip(fitted.kept.as_ref())
            .map(|(poses, kept)| poses.for_programs(fitted, kept)),
        untouched: untouched.collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)
}
