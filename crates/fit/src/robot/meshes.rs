//! The collision meshes of a robot, loaded so that they are compared as they are.

use super::error::FitRobotError;
use super::paths::Folders;
use crate::{ReadLimits, read_robot_mesh};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use superovoid::TriangleMesh;
use superovoid::bvh::TriMesh;
use superovoid_robot::{Collision, Geometry, Robot};

/// A robot with its collision meshes.
#[derive(Debug)]
#[non_exhaustive]
pub struct LoadedRobot {
    /// The robot, whose queries compare the meshes that were loaded.
    pub robot: Robot,
    /// The files of the meshes that were loaded, by the names that the URDF has.
    pub files: BTreeMap<String, PathBuf>,
    /// The meshes that could not be loaded, and stay unchecked.
    pub problems: Vec<MeshProblem>,
}

impl LoadedRobot {
    /// Returns what is wrong with the first mesh that could not be loaded, with the place in the robot that names it, and how
    /// many others there are; `None` if all were.
    pub fn unread(&self) -> Option<String> {
        let MeshProblem { filename, problem } = self.problems.first()?;
        let names = |geometry: &Geometry| matches!(geometry, Geometry::Mesh { filename: name, .. } if name == filename);
        let place = self.robot.links().iter().find_map(|link| {
            let is_asked = |on: &Collision| on.superovoid.is_none() && names(&on.geometry);
            let found = link.collisions.iter().position(is_asked)?;
            Some(format!("link {:?}, collision {}: ", link.name, found + 1))
        });
        let place = place.unwrap_or_default();
        let more = match self.problems.len() - 1 {
            0 => String::new(),
            others => format!("; and {others} more"),
        };
        // The reader names the option of the command.
        let problem = problem.replace("--package-path", "package_paths");
        Some(format!("{place}the mesh {filename:?}: {problem}{more}"))
    }
}

/// A mesh that could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MeshProblem {
    /// The name as the URDF has it.
    pub filename: String,
    /// What is wrong with it.
    pub problem: String,
}

/// Loads the collision meshes of a robot that was read from the URDF at `path`. They are read as
/// [`read_robot_mesh`] does, and only from the folder of the URDF, the package paths, what is in them, and the package
/// that the URDF is in. The name of a package is that in its `package.xml`, or that of its folder; `%20` in an address is
/// a blank. A mesh that may not or cannot be read is among the problems, and its collision shape stays unchecked.
///
/// # Errors
/// A folder that is not there.
pub fn load_collision_meshes(
    robot: Robot,
    path: impl AsRef<Path>,
    package_paths: &[PathBuf],
    limits: &ReadLimits,
) -> Result<LoadedRobot, FitRobotError> {
    let folders = Folders::new(path.as_ref(), package_paths)?;
    let mut loaded: HashMap<(String, [u64; 3]), Option<Arc<TriMesh>>> = HashMap::new();
    let mut files = BTreeMap::new();
    let mut problems: Vec<MeshProblem> = Vec::new();
    let robot = robot.with_meshes(|filename, scale| {
        let key = (filename.to_owned(), scale.map(f64::to_bits));
        let mesh = loaded.entry(key).or_insert_with(|| {
            let found = load(&folders, filename, scale, limits).map(|(path, mesh)| {
                files.insert(filename.to_owned(), path);
                mesh
            });
            let problem = |problem: String| {
                problems.push(MeshProblem {
                    filename: filename.to_owned(),
                    problem,
                });
            };
            found.map_err(problem).ok()
        });
        Ok::<_, FitRobotError>(mesh.clone())
    })?;
    Ok(LoadedRobot {
        robot,
        files,
        problems,
    })
}

fn load(
    folders: &Folders,
    filename: &str,
    scale: [f64; 3],
    limits: &ReadLimits,
) -> Result<(PathBuf, Arc<TriMesh>), String> {
    let path = folders.find(filename).map_err(|e| e.to_string())?;
    let mesh = read_robot_mesh(&path, limits).map_err(|e| e.to_string())?;
    let mesh = mesh.scaled(scale).map_err(|e| e.to_string())?;
    let mesh = TriMesh::try_from(TriangleMesh::from(mesh)).map_err(|e| e.to_string())?;
    Ok((path, Arc::new(mesh)))
}
