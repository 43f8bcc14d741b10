//! Why the name of a mesh file is refused.

use std::path::PathBuf;

/// Why the name of a mesh file leads to no file that may be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PathProblem {
    /// The file is not in a folder that may be read.
    #[error(
        "leads to {}, outside of the folders that may be read; to allow it, give a folder that holds it as a \
         package path (--package-path)",
        path.display()
    )]
    Outside {
        /// Where it leads.
        path: PathBuf,
    },
    /// No package path has the package, or not with this file in it.
    #[error(
        "is in no package {package:?} of the package paths; give the folder of the package, or the one that holds \
         it, as a package path (--package-path)"
    )]
    NoPackage {
        /// The name of the package.
        package: String,
    },
    /// There is no such file.
    #[error("is not there: {}: {source}", path.display())]
    Missing {
        /// Where it should be.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is a folder, a pipe or a device.
    #[error("is no file: {}", path.display())]
    NoFile {
        /// What it is instead.
        path: PathBuf,
    },
    /// An address of another kind.
    #[error("is no address that is read; expected a path, file:///PATH or package://NAME/PATH")]
    Address,
}
