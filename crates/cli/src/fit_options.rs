//! Arguments that `fit` and `fit-robot` have in common, and what both print.

use crate::output::write_number;
use anyhow::Result;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use nalgebra::Isometry3;
use serde::Serialize;
use std::io::{self, Write};
use superovoid::Superovoid;
use superovoid_fit::{Aim, Distances, Family, Fit, FittedRobot, MeshOptions, PartsOptions, Report};

#[derive(clap::Args)]
pub struct FitArgs {
    /// Enclose every vertex in the least volume, instead of following the surface
    #[arg(long)]
    enclosing: bool,

    /// The bodies that are allowed
    #[arg(long, value_enum, default_value_t = FamilyName::Convex)]
    family: FamilyName,

    /// The largest number of bodies for a mesh. With more than 1 a concave mesh is cut into nearly convex parts; with
    /// --enclosing a hull that one body encloses badly is cut too, as long as further bodies pay
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    parts: u32,

    /// With --enclosing and --parts, the volume of a mesh's bodies together over that of its hull that is small enough,
    /// such as 1.2: the fewest bodies that meet it are taken
    #[arg(long, value_name = "RATIO", requires = "enclosing", value_parser = at_least_one)]
    volume_budget: Option<f64>,

    /// With --enclosing and --parts, the share of the hull's volume that a further body must save
    #[arg(long, value_name = "SHARE", requires = "enclosing", default_value_t = 0.03, value_parser = share)]
    gain: f64,

    /// The number of points spread over the surface of each mesh or part, which the body follows
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = samples)]
    samples: usize,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FamilyName {
    /// Convex bodies
    Convex,
    /// Untapered bodies, which are convex
    Superellipsoid,
    /// All bodies, also those that are hollow along z
    Any,
}

fn samples(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 100..=1_000_000) => Ok(count),
        _ => Err("expected a whole number from 100 to 1000000".to_owned()),
    }
}

fn at_least_one(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value >= 1.0 && f64::is_finite(value) => Ok(value),
        _ => Err("expected a number of at least 1".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

impl FitArgs {
    pub fn options(&self) -> PartsOptions<'static> {
        let standard = MeshOptions::default();
        PartsOptions::default()
            .with_mesh(
                standard
                    .with_fit(
                        standard
                            .fit
                            .with_family(match self.family {
                                FamilyName::Convex => Family::Convex,
                                FamilyName::Superellipsoid => Family::Superellipsoid,
                                FamilyName::Any => Family::Any,
                            })
                            .with_aim(if self.enclosing {
                                Aim::Enclosing
                            } else {
                                Aim::Best
                            }),
                    )
                    .with_samples(self.samples),
            )
            .with_most(self.parts)
            .with_budget(self.volume_budget)
            .with_gain(self.gain)
    }
}

/// The form of the output.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Format {
    /// A table for people, in millimetres
    Table,
    /// For programs: metres, full precision
    Csv,
    /// For programs: metres, full precision
    Json,
}

/// The numbers of a body, for programs.
#[derive(Serialize)]
pub struct Numbers {
    semi_axes: [f64; 3],
    exponents: [f64; 2],
    tapers: [f64; 2],
    position: [f64; 3],
    /// w, x, y, z.
    quaternion: [f64; 4],
    convex: bool,
    mesh_to_body: Errors,
    body_to_mesh: Errors,
    volume_to_mesh: Option<f64>,
    volume_to_hull: Option<f64>,
    /// Seconds.
    time: f64,
}

#[derive(Serialize)]
struct Errors {
    rms: f64,
    p95: f64,
    max: f64,
}

impl From<Distances> for Errors {
    fn from(d: Distances) -> Self {
        Errors {
            rms: d.rms,
            p95: d.p95,
            max: d.max,
        }
    }
}

/// The columns that [`Numbers::write_csv`] writes, after those with the name of the body.
pub const COLUMNS: &str = "a1,a2,a3,e1,e2,tx,ty,px,py,pz,qw,qx,qy,qz,convex,mesh_rms,mesh_p95,mesh_max,\
                           body_rms,body_p95,body_max,volume_to_mesh,volume_to_hull,time";

impl Numbers {
    pub fn of(fit: &Fit, report: &Report) -> Numbers {
        let q = fit.pose.rotation;
        Numbers {
            semi_axes: fit.shape.semi_axes(),
            exponents: fit.shape.exponents(),
            tapers: fit.shape.tapers(),
            position: fit.pose.translation.vector.into(),
            quaternion: [q.w, q.i, q.j, q.k],
            convex: fit.shape.is_convex(),
            mesh_to_body: report.mesh_to_body.into(),
            body_to_mesh: report.body_to_mesh.into(),
            volume_to_mesh: report.volume_to_mesh,
            volume_to_hull: report.volume_to_hull,
            time: fit.time.as_secs_f64(),
        }
    }

    /// Writes the fields of [`COLUMNS`], each after a comma.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let shape = [&self.semi_axes[..], &self.exponents, &self.tapers].concat();
        for number in shape.iter().chain(&self.position).chain(&self.quaternion) {
            write_field(out, Some(*number))?;
        }
        write!(out, ",{}", self.convex)?;
        for errors in [&self.mesh_to_body, &self.body_to_mesh] {
            for number in [errors.rms, errors.p95, errors.max] {
                write_field(out, Some(number))?;
            }
        }
        for number in [self.volume_to_mesh, self.volume_to_hull, Some(self.time)] {
            write_field(out, number)?;
        }
        Ok(())
    }
}

fn write_field(out: &mut dyn Write, number: Option<f64>) -> io::Result<()> {
    out.write_all(b",")?;
    number.map_or(Ok(()), |number| write_number(out, number))
}

/// A text field of CSV.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| !matches!(c, ',' | '"' | '\n' | '\r');
    if text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("\"{}\"", text.replace('"', "\"\""))
    }
}

// ---- for people ----

const MILLIMETRES: f64 = 1e3;

/// A table of which the first columns are words and the others numbers.
pub fn table(header: &[&str], words: usize, rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for column in words..header.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt() + "\n"
}

/// Returns the link, and for a link with several collisions the number of the collision, from 1.
pub fn label(fitted: &FittedRobot, link: usize, collision: usize) -> String {
    let link = &fitted.robot.links()[link];
    match link.collisions.len() {
        1 => link.name.clone(),
        _ => format!("{} [{}]", link.name, collision + 1),
    }
}

/// Headings of [`shape_cells`].
pub const SHAPE: [&str; 3] = ["a1 a2 a3/mm", "e1 e2", "tx ty"];

pub fn shape_cells(shape: &Superovoid) -> [String; 3] {
    let [a1, a2, a3] = shape.semi_axes().map(|a| a * MILLIMETRES);
    let ([e1, e2], [tx, ty]) = (shape.exponents(), shape.tapers());
    [
        format!("{a1:.2} {a2:.2} {a3:.2}"),
        format!("{e1:.3} {e2:.3}"),
        format!("{tx:.3} {ty:.3}"),
    ]
}

/// Headings of [`pose_cells`].
pub const POSE: [&str; 2] = ["xyz/mm", "rpy/rad"];

pub fn pose_cells(pose: &Isometry3<f64>) -> [String; 2] {
    let [x, y, z]: [f64; 3] = (pose.translation.vector * MILLIMETRES).into();
    let (roll, pitch, yaw) = pose.rotation.euler_angles();
    [
        format!("{x:.2} {y:.2} {z:.2}"),
        format!("{roll:.4} {pitch:.4} {yaw:.4}"),
    ]
}

/// Headings of [`report_cells`]: from the mesh to the body, and back.
pub const REPORT: [&str; 4] = ["rms/mm", "95%/mm", "max/mm", "back rms 95% max/mm"];

pub fn report_cells(report: &Report) -> [String; 4] {
    let [there, back] = [report.mesh_to_body, report.body_to_mesh]
        .map(|d| [d.rms, d.p95, d.max].map(|x| format!("{:.3}", x * MILLIMETRES)));
    let back = back.join(" ");
    let [rms, p95, max] = there;
    [rms, p95, max, back]
}

/// Returns a ratio of volumes; a dash where there is none.
pub fn ratio_cell(ratio: Option<f64>) -> String {
    ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.4}"))
}

pub fn time_cell(fit: &Fit) -> String {
    format!("{:.2}", fit.time.as_secs_f64())
}
