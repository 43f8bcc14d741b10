//! The file that keeps what queries work out of a robot's meshes.

use super::robot::Robot;
use crate::levels::{Unfit, from_bytes, to_bytes};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A cache file that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CacheError {
    /// The file is something else, and stays as it is.
    #[error("{} is no cache of a robot's meshes; expected one, or no file", path.display())]
    Other {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: String,
    },
}

impl Robot {
    /// Reads from a file what a [`RobotScene`](crate::scene::RobotScene) works out of the robot's meshes before its first
    /// answer: their hulls, and balls around and inside them. If there is no such file, or it is of other meshes or another
    /// version of the library, or not whole, this is worked out now and the file written anew. Returns whether it was
    /// read. The robot must have its [meshes](Robot::with_meshes), of which clones share what is known. A file is to be
    /// trusted as the meshes are: its hashes tell chance from harm, not from intent.
    ///
    /// ```
    /// # use superovoid_robot::Robot;
    /// let robot = Robot::from_urdf_str(r#"<robot name="r"><link name="l"/></robot>"#)?;
    /// let path = std::env::temp_dir().join(format!("superovoid-{}.cache", std::process::id()));
    /// assert!(!robot.use_cache(&path)?); // It is written,
    /// assert!(robot.use_cache(&path)?); // and read.
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error names a file that cannot be read or written, or that is something else than such a cache.
    pub fn use_cache(&self, path: impl AsRef<Path>) -> Result<bool, CacheError> {
        let path = path.as_ref();
        let failed = |error: std::io::Error| CacheError::Io {
            path: path.to_owned(),
            error: error.to_string(),
        };
        let bodies = self.collision_bodies();
        let bodies = bodies.map(|body| (&body.shape, &**body.levels.get_or_init(Arc::default)));
        let bodies: Vec<_> = bodies.collect();
        match std::fs::read(path) {
            Ok(bytes) => match from_bytes(&bodies, &bytes) {
                Ok(()) => return Ok(true),
                Err(Unfit::Other) => {
                    let path = path.to_owned();
                    return Err(CacheError::Other { path });
                }
                Err(Unfit::Old) => {}
            },
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        let Some(bytes) = to_bytes(&bodies) else {
            return Ok(false);
        };
        // Whoever reads at the same time finds the old file or the new one, whole.
        let mut written = path.as_os_str().to_owned();
        written.push(format!(".{}", std::process::id()));
        let moved = std::fs::write(&written, bytes).and_then(|()| std::fs::rename(&written, path));
        moved.map_err(|error| {
            let _ = std::fs::remove_file(&written);
            failed(error)
        })?;
        Ok(false)
    }
}
