//! Teeth and paths from files.

use crate::body_columns::{BODY_COLUMNS, POSE_COLUMNS, body, pose};
use crate::table::{self, Columns};
use anyhow::{Context, Result, bail, ensure};
use std::cell::Cell;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use superovoid_bite::{Body, FittedTooth, Molar, Path as BitePath, Tooth, ToothOptions, fit_tooth};
use superovoid_fit::{ReadLimits, read_mesh};

/// Where a tooth comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// The procedural molar.
    Molar,
    /// A mesh or a table of bodies.
    File(PathBuf),
}

impl FromStr for Source {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "molar" => Source::Molar,
            _ => Source::File(text.into()),
        })
    }
}

/// How meshes become teeth.
pub struct Fits {
    /// The most bodies of a mesh.
    pub parts: u32,
    /// The factor of its coordinates.
    pub scale: f64,
    /// How far a fit may be from its mesh, metres; 0 is the default.
    pub allowed: f64,
}

/// Which of the two teeth one is.
pub struct Side {
    name: &'static str,
    molar: fn() -> Molar,
}

/// What `superovoid fit --format csv` writes besides the body.
const OF_FITS: [&str; 12] = [
    "mesh",
    "part",
    "convex",
    "mesh_rms",
    "mesh_p95",
    "mesh_max",
    "body_rms",
    "body_p95",
    "body_max",
    "volume_to_mesh",
    "volume_to_hull",
    "time",
];

const MILLIMETRES: f64 = 1e3;

impl Source {
    pub const LOWER: Side = Side {
        name: "lower",
        molar: Molar::lower,
    };
    pub const UPPER: Side = Side {
        name: "upper",
        molar: Molar::upper,
    };

    /// Returns the file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Source::Molar => None,
            Source::File(path) => Some(path),
        }
    }

    /// Reads or fits the tooth; a fit tells its errors on standard error.
    pub fn read(&self, side: &Side, fits: &Fits) -> Result<Tooth> {
        let Source::File(path) = self else {
            return Ok((side.molar)().tooth()?);
        };
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        match ending.to_ascii_lowercase().as_str() {
            "csv" => bodies(path, side),
            "stl" | "obj" | "dae" => of_mesh(path, side, fits),
            _ => bail!(
                "{}: unknown ending; expected .stl, .obj, .dae or .csv, or the word molar",
                path.display()
            ),
        }
    }
}

fn bodies(path: &Path, side: &Side) -> Result<Tooth> {
    let columns = Columns {
        names: BODY_COLUMNS.map(str::to_owned),
        described: BODY_COLUMNS.join(" "),
        ignored: &OF_FITS,
    };
    let number = Cell::new(0);
    let read = table::read(path, &columns, |numbers| {
        let (shape, pose) = body(*numbers, "")?;
        number.set(number.get() + 1);
        ensure!(
            shape.is_convex(),
            ":tx: the body is not convex, its tapers are too strong or too different; use weaker ones"
        );
        let name = format!("{} body {}", side.name, number.get());
        Ok(Body { name, shape, pose })
    })?;
    Tooth::new(read).with_context(|| path.display().to_string())
}

fn of_mesh(path: &Path, side: &Side, fits: &Fits) -> Result<Tooth> {
    let mesh = read_mesh(path, &ReadLimits::default())?;
    let mut options = ToothOptions::default();
    options.parts.most = fits.parts;
    options.allowed = fits.allowed;
    let fitted = mesh.scaled([fits.scale; 3]).map_err(anyhow::Error::from);
    let name = format!("{} body", side.name);
    let fitted = fitted.and_then(|mesh| Ok(fit_tooth(&name, &mesh, &options)?));
    let FittedTooth { tooth, report } = fitted.with_context(|| path.display().to_string())?;
    let millimetres = |x: f64| x * MILLIMETRES;
    eprintln!(
        "note: {}: {} bodies; mesh to bodies {:.3} mm rms, {:.3} mm at most; bodies to mesh {:.3} mm rms, {:.3} mm at most",
        path.display(),
        tooth.bodies().len(),
        millimetres(report.mesh_to_union.rms),
        millimetres(report.mesh_to_union.max),
        millimetres(report.union_to_mesh.rms),
        millimetres(report.union_to_mesh.max),
    );
    Ok(tooth)
}

/// Reads the poses of the upper tooth.
pub fn path(file: &Path) -> Result<BitePath> {
    let columns = Columns {
        names: POSE_COLUMNS.map(str::to_owned),
        described: POSE_COLUMNS.join(" "),
        ignored: &["frame"],
    };
    let poses = table::read(file, &columns, |numbers| pose(*numbers, ""))?;
    BitePath::new(poses).with_context(|| file.display().to_string())
}
