//! Mesh files: STL (text and binary), OBJ and COLLADA.

mod collada;
mod obj;
mod polygon;
mod soup;
mod stl;
mod text;

pub use soup::{ReadError, ReadLimits};

use crate::Mesh;
use soup::{Problem, Soup, UpAxis};
use std::path::Path;

/// Reads a mesh file by the ending of its name: `.stl` (text or binary), `.obj` or `.dae`, in capitals or not.
///
/// STL and OBJ have no units: their numbers are taken as metres. COLLADA's unit and up axis are honoured: the
/// result is in metres with z up, in the frame of the scene, with all instances of the
/// scene's nodes in it. Materials are not read, nor any other file.
///
/// All surface that a file holds is read, or the file is refused. Polygons are cut into triangles that keep their boundary
/// and all of their corners, concave ones and those with holes too. A polygon whose edges cross is cut into the fan from its first
/// corner, which covers all that the polygon winds around and may cover more. Lines, points and curves are no
/// surface.
///
/// Text may be UTF-8, UTF-16 with a byte order mark, or Latin-1, and its lines may end in LF, CR or both.
///
/// # Errors
/// What is wrong, with the file's name and the line, byte or element: what the format does not know, geometry that is not
/// read, numbers that are missing or not finite, vertices that are named and not there, and text or binary data that end too soon.
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

/// Reads a mesh from the bytes of a file, by the ending of its name: as [`read_mesh`].
///
/// # Errors
/// As [`read_mesh`].
pub fn read_mesh_bytes(name: &str, bytes: &[u8], limits: &ReadLimits) -> Result<Mesh, ReadError> {
    read_bytes(name, bytes, limits, UpAxis::Honoured)
}

/// Reads a mesh that a URDF names from the bytes of its file: as [`read_robot_mesh`].
///
/// # Errors
/// As [`read_mesh`].
pub fn read_robot_mesh_bytes(
    name: &str,
    bytes: &[u8],
    limits: &ReadLimits,
) -> Result<Mesh, ReadError> {
    read_bytes(name, bytes, limits, UpAxis::Ignored)
}

fn read_bytes(
    name: &str,
    bytes: &[u8],
    limits: &ReadLimits,
    up: UpAxis,
) -> Result<Mesh, ReadError> {
    let path = Path::new(name);
    let read = reader(path, up)?;
    if bytes.len() as u64 > limits.bytes {
        return Err(too_large(path, "bytes", limits.bytes));
    }
    content(path, bytes, limits, &read)
}

/// Reads the triangles of one format.
type Reader = Box<dyn Fn(&[u8], &mut Soup) -> Result<(), Problem>>;

fn too_large(path: &Path, what: &'static str, limit: u64) -> ReadError {
    ReadError::TooLarge {
        path: path.into(),
        what,
        limit,
    }
}

/// Returns what reads a file of this name.
fn reader(path: &Path, up: UpAxis) -> Result<Reader, ReadError> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    match ending.to_ascii_lowercase().as_str() {
        "stl" => Ok(Box::new(stl::read)),
        "obj" => Ok(Box::new(obj::read)),
        "dae" => Ok(Box::new(move |bytes, soup| collada::read(bytes, soup, up))),
        _ => Err(ReadError::UnknownFormat { path: path.into() }),
    }
}

fn read(path: &Path, limits: &ReadLimits, up: UpAxis) -> Result<Mesh, ReadError> {
    let io = |source| ReadError::Io {
        path: path.into(),
        source,
    };
    let read = reader(path, up)?;
    if std::fs::metadata(path).map_err(io)?.len() > limits.bytes {
        return Err(too_large(path, "bytes", limits.bytes));
    }
    let bytes = std::fs::read(path).map_err(io)?;
    content(path, &bytes, limits, &read)
}

fn content(
    path: &Path,
    bytes: &[u8],
    limits: &ReadLimits,
    read: &Reader,
) -> Result<Mesh, ReadError> {
    let mut soup = Soup {
        limit: limits.triangles.min(u32::MAX as usize / 3),
        ..Soup::default()
    };
    read(bytes, &mut soup).map_err(|p| match p {
        Problem::TooManyTriangles => too_large(path, "triangles", limits.triangles as u64),
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
