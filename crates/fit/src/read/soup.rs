//! Triangles as they are read, the limits of a file, and why it cannot be read.

use super::polygon;
use crate::MeshError;
use nalgebra::Point3;
use std::path::PathBuf;

/// Limits on what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadLimits {
    /// Size of the file; default 512 MiB.
    pub bytes: u64,
    /// Triangles, also those that a COLLADA scene repeats; default 10 million.
    pub triangles: usize,
}

impl ReadLimits {
    superovoid::setters! {
        with_bytes bytes: u64,
        with_triangles triangles: usize,
    }
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

pub(crate) fn problem(place: impl Into<String>, reason: impl Into<String>) -> Problem {
    Problem::At {
        place: place.into(),
        reason: reason.into(),
    }
}

impl Problem {
    /// Returns the problem with a place, if it has none.
    pub(super) fn within(self, place: impl FnOnce() -> String) -> Problem {
        match self {
            Problem::At {
                place: none,
                reason,
            } if none.is_empty() => problem(place(), reason),
            other => other,
        }
    }
}

/// Triangles as they are read.
#[derive(Default)]
pub(crate) struct Soup {
    pub(super) vertices: Vec<Point3<f64>>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) limit: usize,
    /// Whether triangles are turned about, as a mirrored frame needs it.
    pub(super) is_mirrored: bool,
}

impl Soup {
    /// Adds a polygon; one of fewer than three corners has no area. The problem has no place.
    pub(super) fn polygon(
        &mut self,
        outline: &[Point3<f64>],
        holes: &[Vec<Point3<f64>>],
    ) -> Result<(), Problem> {
        if let (&[a, b, c], []) = (outline, holes) {
            return self.triangle([a, b, c]);
        }
        let triangles = polygon::triangles(outline, holes).map_err(|e| problem("", e))?;
        let corners: Vec<Point3<f64>> = outline
            .iter()
            .chain(holes.iter().flatten())
            .copied()
            .collect();
        let mut triangles = triangles.into_iter();
        triangles.try_for_each(|names| self.triangle(names.map(|k| corners[k])))
    }

    pub(super) fn triangle(&mut self, corners: [Point3<f64>; 3]) -> Result<(), Problem> {
        if self.triangles.len() >= self.limit {
            return Err(Problem::TooManyTriangles);
        }
        // Three indices a triangle fit up to the limit of 1.4e9 triangles that this refuses.
        let first = u32::try_from(self.vertices.len()).map_err(|_| Problem::TooManyTriangles)?;
        self.vertices.extend(corners);
        let [b, c] = if self.is_mirrored { [2, 1] } else { [1, 2] };
        self.triangles.push([first, first + b, first + c]);
        Ok(())
    }
}

/// What becomes of the up axis that a COLLADA file names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UpAxis {
    /// It is turned to z.
    Honoured,
    /// It stays where it is.
    Ignored,
}
