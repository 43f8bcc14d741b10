//! `superovoid fit`: superovoids for mesh files.

use crate::fit_options::{
    COLUMNS, FitArgs, Format, Numbers, POSE, REPORT, SHAPE, pose_cells, quoted, ratio_cell,
    report_cells, shape_cells, table, time_cell,
};
use crate::output::{progress_bar, refuse_to_overwrite, write_whole};
use anyhow::{Context, Result, ensure};
use nalgebra::{Point3, Unit, Vector3};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use superovoid_fit::{
    Aim, Axis, Loss, PartsOptions, ReadLimits, Reported, Target, fit_reported, read_mesh,
};

/// Fit superovoids to meshes.
///
/// Every mesh gets the body that follows its convex hull best, or with --parts several that follow its parts. The
/// meshes are STL, OBJ and COLLADA files (.stl, .obj, .dae) of at most 512 MiB and 10 million triangles; numbers are
/// metres unless --scale or COLLADA's unit gives another unit.
///
/// Shape and pose are in the frame of the mesh. Errors are distances from the hull, part or mesh that the body follows
/// to its surface: root mean square, 95 % and largest, and the same back from the body. `hull` and `mesh` are the
/// body's volume over theirs (a mesh that is not closed has none).
///
/// A file that cannot be read or fitted is an error, and nothing is written.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  superovoid fit finger.stl
  superovoid fit link*.stl --scale 0.001 --enclosing --format csv --output links.csv
  superovoid fit bottle.obj --axis 0,0,1 --family superellipsoid
  superovoid fit bracket.dae --parts 8 --format json
  superovoid fit scan.stl --target surface --robust")]
pub struct Args {
    /// The meshes
    #[arg(value_name = "MESH", required = true)]
    meshes: Vec<PathBuf>,

    #[command(flatten)]
    fit: FitArgs,

    /// Find the largest body inside that contains no vertex, instead of following the surface
    #[arg(long, conflicts_with = "enclosing")]
    inscribed: bool,

    /// The surface that the body follows; parts are always represented by their hulls
    #[arg(long, value_enum, default_value_t = TargetName::Hull)]
    target: TargetName,

    /// Reduce the weight of outliers, for scans
    #[arg(long)]
    robust: bool,

    /// The direction of the body's z axis, along which it tapers
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    axis: Option<Triple>,

    /// A point that this axis goes through, metres
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        requires = "axis"
    )]
    through: Option<Triple>,

    /// The factor of the coordinates, one for all axes or one for each; 0.001 for files in millimetres
    #[arg(
        long,
        value_name = "S|X,Y,Z",
        default_value = "1",
        allow_hyphen_values = true
    )]
    scale: Factors,

    /// The form of the output
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    /// The file to write; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum TargetName {
    /// The convex hull
    Hull,
    /// The surface as it is, with everything inside
    Surface,
}

/// Reads three numbers with commas between them.
#[derive(Clone, Copy, Debug)]
struct Triple([f64; 3]);

impl FromStr for Triple {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = numbers(text)?;
        let count = numbers.len();
        let triple = numbers.try_into();
        triple
            .map(Triple)
            .map_err(|_| format!("{count} numbers where 3 are needed: X,Y,Z"))
    }
}

/// Reads one factor or three.
#[derive(Clone, Copy, Debug)]
struct Factors([f64; 3]);

impl FromStr for Factors {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let factors = match numbers(text)?[..] {
            [all] => [all; 3],
            [x, y, z] => [x, y, z],
            _ => return Err("expected one number, or three: X,Y,Z".to_owned()),
        };
        if factors.contains(&0.0) {
            return Err("a factor must not be 0".to_owned());
        }
        Ok(Factors(factors))
    }
}

fn numbers(text: &str) -> Result<Vec<f64>, String> {
    let number = |word: &str| match word.trim().parse() {
        Ok(number) if f64::is_finite(number) => Ok(number),
        _ => Err(format!("{word:?} is not a finite number")),
    };
    text.split(',').map(number).collect()
}

impl Args {
    fn options(&self) -> Result<PartsOptions<'static>> {
        let mut options = self.fit.options();
        options.mesh.target = match self.target {
            TargetName::Hull => Target::Hull,
            TargetName::Surface => Target::Surface,
        };
        let fit = &mut options.mesh.fit;
        if self.inscribed {
            fit.aim = Aim::Inscribed;
        }
        if self.robust {
            fit.loss = Loss::Robust;
        }
        if let Some(Triple(axis)) = self.axis {
            let direction = Unit::try_new(Vector3::from(axis), 0.0);
            let direction = direction.filter(|d| (d.norm() - 1.0).abs() < 1e-9);
            fit.axis = Some(Axis {
                direction: direction.context("--axis: the direction must have a length")?,
                through: self.through.map(|Triple(p)| Point3::from(p)),
            });
        }
        Ok(options)
    }
}

/// The fits to one file.
struct Fitted<'a> {
    file: &'a Path,
    bodies: Vec<Reported>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    for mesh in &args.meshes {
        refuse_to_overwrite(mesh, &args.output)?;
    }
    let options = args.options()?;
    let progress = progress_bar(args.meshes.len(), "meshes")?;
    let mut all = Vec::new();
    for file in &args.meshes {
        let mesh = read_mesh(file, &ReadLimits::default())?;
        let fitted = mesh.scaled(args.scale.0).map_err(anyhow::Error::from);
        let fitted = fitted.and_then(|mesh| Ok(fit_reported(&mesh, &options)?));
        let bodies = fitted.with_context(|| file.display().to_string())?;
        ensure!(
            !bodies.is_empty(),
            "{}: no part has a volume",
            file.display()
        );
        all.push(Fitted { file, bodies });
        progress.inc(1);
    }
    progress.finish_and_clear();
    write_whole(&args.output, |out| match args.format {
        Format::Table => out.write_all(for_people(&all).as_bytes()),
        Format::Csv => write_csv(out, &all),
        Format::Json => write_json(out, &all),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Returns every body with its file and its number in it, from 1.
fn numbered<'a>(all: &'a [Fitted]) -> impl Iterator<Item = (&'a Path, usize, &'a Reported)> {
    all.iter().flat_map(|fitted| {
        let bodies = (1..).zip(&fitted.bodies);
        bodies.map(|(number, body)| (fitted.file, number, body))
    })
}

fn for_people(all: &[Fitted]) -> String {
    let several = all.iter().any(|fitted| fitted.bodies.len() > 1);
    let mut header = vec!["mesh", "convex"];
    header.extend(SHAPE);
    header.extend(POSE);
    header.extend(REPORT);
    header.extend(["hull", "mesh", "time/s"]);
    let rows = numbered(all).map(|(file, number, Reported { fit, report, .. })| {
        let file = file.display().to_string();
        let mesh = if several {
            format!("{file} [{number}]")
        } else {
            file
        };
        let convex = if fit.shape.is_convex() { "yes" } else { "no" };
        let mut row = vec![mesh, convex.to_owned()];
        row.extend(shape_cells(&fit.shape));
        row.extend(pose_cells(&fit.pose));
        row.extend(report_cells(report));
        row.extend([report.volume_to_hull, report.volume_to_mesh].map(ratio_cell));
        row.push(time_cell(fit));
        row
    });
    table(&header, 2, rows.collect())
}

fn write_csv(out: &mut dyn Write, all: &[Fitted]) -> io::Result<()> {
    writeln!(out, "mesh,part,{COLUMNS}")?;
    for (file, number, body) in numbered(all) {
        write!(out, "{},{number}", quoted(&file.display().to_string()))?;
        Numbers::of(&body.fit, &body.report).write_csv(out)?;
        writeln!(out)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Row {
    mesh: String,
    part: usize,
    #[serde(flatten)]
    numbers: Numbers,
}

fn write_json(out: &mut dyn Write, all: &[Fitted]) -> io::Result<()> {
    let rows = numbered(all).map(|(file, part, body)| Row {
        mesh: file.display().to_string(),
        part,
        numbers: Numbers::of(&body.fit, &body.report),
    });
    serde_json::to_writer_pretty(&mut *out, &rows.collect::<Vec<_>>())?;
    writeln!(out)
}
