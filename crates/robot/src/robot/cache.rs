//! The file that keeps what queries work out of a robot's meshes.

use super::model::Geometry;
use super::robot::Robot;
use crate::levels::{Unfit, from_bytes, most_bytes, to_bytes};
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use superovoid::Shape;

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
    /// A mesh of the robot is not loaded, so that nothing is known of it.
    #[error("the mesh {filename:?} is not loaded; expected a robot with its meshes")]
    NotLoaded {
        /// The name as the URDF has it.
        filename: String,
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
    /// Reads from a file most of what a [`RobotScene`](crate::scene::RobotScene) works out of the robot's meshes before its
    /// first answer: their hulls, and balls around and inside them. If there is no such file, or it is of other meshes or
    /// another version of the library, or not whole, this is worked out now and the file written anew. Returns whether it was
    /// read. The robot must have its [meshes](Robot::with_meshes), of which clones share what is known; of a robot that has no
    /// meshes there is nothing to keep, and no file. Hashes detect damage, not tampering: who can write the file can make proofs
    /// wrong.
    ///
    /// ```
    /// use superovoid::bvh::TriMesh;
    /// use superovoid_robot::Robot;
    ///
    /// let robot = Robot::from_urdf_str(
    ///     r#"<robot name="r"><link name="l"><collision><geometry><mesh filename="tip.stl"/></geometry></collision></link></robot>"#,
    /// )?;
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let mesh = TriMesh::new(corners.map(Into::into).to_vec(), faces)?;
    /// let robot = robot.with_meshes(|_, _| Ok::<_, std::io::Error>(Some(mesh.clone().into())))?;
    /// let path = std::env::temp_dir().join(format!("superovoid-{}.cache", std::process::id()));
    /// assert!(!robot.use_cache(&path)?); // It is written,
    /// assert!(robot.use_cache(&path)?); // and read.
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error names a mesh that is not loaded, a file that cannot be read or written, or one that is something else than such
    /// a cache.
    pub fn use_cache(&self, path: impl AsRef<Path>) -> Result<bool, CacheError> {
        let path = path.as_ref();
        let failed = |error: Error| CacheError::Io {
            path: path.to_owned(),
            error: error.to_string(),
        };
        for unchecked in self.unchecked() {
            if let Geometry::Mesh { filename, .. } = unchecked.geometry {
                let filename = filename.clone();
                return Err(CacheError::NotLoaded { filename });
            }
        }
        let bodies = self.collision_bodies();
        let bodies = bodies.map(|body| (&body.shape, &**body.levels.get_or_init(Arc::default)));
        let bodies: Vec<_> = bodies.collect();
        if !bodies
            .iter()
            .any(|(shape, _)| matches!(shape, Shape::Mesh(_)))
        {
            return Ok(false);
        }
        match read(path, most_bytes(&bodies)) {
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
        replace(path, &to_bytes(&bodies)).map_err(failed)?;
        Ok(false)
    }
}

/// Reads a file, of a longer one a byte more than the most that is wanted.
fn read(path: &Path, most: usize) -> Result<Vec<u8>, Error> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(Error::other("expected a file"));
    }
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Puts a new file in the place of one, if there is one: who reads at the same time finds either of them, whole.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    // A link stays one.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut beside = path.as_os_str().to_owned();
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    beside.push(format!(".{}.{next}", std::process::id()));
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&beside)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let moved = written.and_then(|()| std::fs::rename(&beside, &path));
    if moved.is_err() {
        // The first error is the one that tells.
        let _ = std::fs::remove_file(&beside);
    }
    moved
}
