//! Why the name of a mesh file is refused.

use std::io::ErrorKind;
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
        "is in no package {package:?} of the package paths; give the folder of the package (its package.xml has this \
         name, or it is called so), or one that holds it, as a package path (--package-path)"
    )]
    NoPackage {
        /// The name of the package.
        package: String,
    },
    /// One package path has two packages of this name.
    #[error(
        "is in two packages whose package.xml has the name {package:?}: {} and {}; give the folder of one of them as \
         the first package path (--package-path)",
        folders[0].display(), folders[1].display()
    )]
    TwoPackages {
        /// The name of the packages.
        package: String,
        /// Their folders.
        folders: Box<[PathBuf; 2]>,
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
    /// A path that only Windows has.
    #[error(
        "is a path on a drive or a computer of Windows; expected a path, file:///PATH or package://NAME/PATH"
    )]
    Windows,
    /// An address of another kind.
    #[error("is no address that is read; expected a path, file:///PATH or package://NAME/PATH")]
    Address,
}

impl PathProblem {
    /// Whether there is nothing at this place, so that the file may be at another.
    pub(super) fn is_missing(&self) -> bool {
        match self {
            PathProblem::Missing { source, .. } => source.kind() == ErrorKind::NotFound,
            PathProblem::NoPackage { .. } => true,
            _ => false,
        }
    }
}
