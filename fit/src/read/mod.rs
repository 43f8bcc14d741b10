//! Mesh files: STL (text and binary), OBJ and COLLADA.

mod collada;
mod obj;
mod stl;

use crate::{Mesh, MeshError};
use nalgebra::Point3;
use std::path::{Path, PathBuf};

/// Limits on what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// Size of the file; default 512 MiB.
    pub bytes: u64,
    /// Triangles, also those that a COLLADA scene repeats; default 10 million.
    pub triangles: usize,
}

impl Default for ReadLimits {
    fn default() -> Self {
        ReadLimits {
            bytes: 512 << 20,
            triangles: 10_000_000,
        }
    }
}

/// Why a file could not be read as a mesh.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The name has none of the endings that are known.
    #[error("{}: the name must end in .stl, .obj or .dae", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// More than the limits allow.
    #[error("{}: more than {limit} {what}, which is the limit", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// `"bytes"` or `"triangles"`.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// The content is not what the format asks for.
    #[error("{}: {place}: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Line, triangle or element.
        place: String,
        /// What is wrong there.
        reason: String,
    },
    /// The triangles make no mesh.
    #[error("{}: {source}", path.display())]
    Mesh {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        source: MeshError,
    },
}

/// A problem of the content, before it has the file's name.
pub(crate) enum Problem {
    TooManyTriangles,
    At { place: String, reason: String },
}

fn problem(place: impl Into<String>, reason: impl Into<String>) -> Problem {
    Problem::At {
        place: place.into(),
        reason: reason.into(),
    }
}

/// Triangles as they are read.
#[derive(Default)]
pub(crate) struct Soup {
    vertices: Vec<Point3<f64>>,
    triangles: Vec<[u32; 3]>,
    limit: usize,
}

impl Soup {
    fn triangle(&mut self, corners: [Point3<f64>; 3]) -> Result<(), Problem> {
        if self.triangles.len() >= self.limit {
            return Err(Problem::TooManyTriangles);
        }
        // Three indices a triangle fit up to the limit of 1.4e9 triangles that this refuses.
        let first = u32::try_from(self.vertices.len()).map_err(|_| Problem::TooManyTriangles)?;
        self.vertices.extend(corners);
        self.triangles.push([first, first + 1, first + 2]);
        Ok(())
    }
}

/// Reads a mesh file by the ending of its name.
///
/// STL and OBJ have no units: their numbers are taken as metres. COLLADA's unit and up axis are honoured: the
/// result is in metres with z up, in the frame of the scene, with all instances of the
/// scene's nodes in it. Materials are not read, nor any other file.
///
/// # Errors
/// The first thing that is wrong, with the file's name and place.
pub fn read_mesh(path: impl AsRef<Path>, limits: &ReadLimits) -> Result<Mesh, ReadError> {
    read(path.as_ref(), limits, UpAxis::Honoured)
}

/// Reads a mesh file that a URDF names, as the programs around URDF do: as [`read_mesh`], but without turning
/// COLLADA's up axis to z. RViz, MoveIt, Gazebo, Pinocchio and PyBullet take the file's x, y and z for those of
/// the URDF's frame whatever its up axis is. The unit is honoured, as RViz and PyBullet do.
///
/// # Errors
/// As [`read_mesh`].
pub fn read_robot_mesh(path: impl AsRef<Path>, limits: &ReadLimits) -> Result<Mesh, ReadError> {
    read(path.as_ref(), limits, UpAxis::Ignored)
}

/// What becomes of the up axis that a COLLADA file names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UpAxis {
    /// It is turned to z.
    Honoured,
    /// It stays where it is.
    Ignored,
}

/// Reads the triangles of one format.
type Reader<'a> = &'a dyn Fn(&[u8], &mut Soup) -> Result<(), Problem>;

fn read(path: &Path, limits: &ReadLimits, up: UpAxis) -> Result<Mesh, ReadError> {
    let io = |source| ReadError::Io {
        path: path.into(),
        source,
    };
    let too_large = |what, limit| ReadError::TooLarge {
        path: path.into(),
        what,
        limit,
    };
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let read: Reader = match ending.to_ascii_lowercase().as_str() {
        "stl" => &stl::read,
        "obj" => &obj::read,
        "dae" => &|bytes, soup| collada::read(bytes, soup, up),
        _ => return Err(ReadError::UnknownFormat { path: path.into() }),
    };
    if std::fs::metadata(path).map_err(io)?.len() > limits.bytes {
        return Err(too_large("bytes", limits.bytes));
    }
    let bytes = std::fs::read(path).map_err(io)?;
    let mut soup = Soup {
        limit: limits.triangles.min(u32::MAX as usize / 3),
        ..Soup::default()
    };
    read(&bytes, &mut soup).map_err(|p| match p {
        Problem::TooManyTriangles => too_large("triangles", limits.triangles as u64),
        Problem::At { place, reason } => ReadError::Content {
            path: path.into(),
            place,
            reason,
        },
    })?;
    Mesh::new(soup.vertices, soup.triangles).map_err(|source| ReadError::Mesh {
        path: path.into(),
        source,
    })
}
