//! A robot among obstacles, from files.

mod obstacles;
mod shapes;

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use superovoid::Shape;
use superovoid_fit::{ReadLimits, load_collision_meshes};
use superovoid_robot::scene::RobotScene;
use superovoid_robot::{Geometry, Robot, Srdf};

/// Loads the meshes of a robot, and returns their files by the names that the URDF has; notes tell of those that cannot be
/// read, or are no solids.
pub fn with_meshes(
    robot: Robot,
    path: &Path,
    package_paths: &[PathBuf],
) -> Result<(Robot, BTreeMap<String, PathBuf>)> {
    if robot.unchecked().is_empty() {
        return Ok((robot, BTreeMap::new()));
    }
    let limits = ReadLimits::default();
    let loaded = load_collision_meshes(robot, path, package_paths, &limits)?;
    for problem in &loaded.problems {
        let (file, name, why) = (path.display(), &problem.filename, &problem.problem);
        eprintln!("note: {file}: the mesh {name:?}: {why}");
    }
    tell_open_meshes(&loaded.robot, path);
    Ok((loaded.robot, loaded.files))
}

/// Names the collision meshes of a robot that are no solids, once each.
fn tell_open_meshes(robot: &Robot, path: &Path) {
    let mut told = Vec::new();
    for body in robot.collision_bodies() {
        let geometry = &robot.links()[body.link].collisions[body.collision].geometry;
        if let (Shape::Mesh(mesh), Geometry::Mesh { filename, .. }) = (&body.shape, geometry)
            && !mesh.is_closed()
            && !told.contains(filename)
        {
            tell_open_mesh(path, &format!("the mesh {filename:?}"));
            told.push(filename.clone());
        }
    }
}

fn tell_open_mesh(path: &Path, mesh: &str) {
    eprintln!(
        "note: {}: {mesh} is not closed, or not turned one way: it is checked as its surface, so that what is wholly \
         inside counts as free",
        path.display()
    );
}

/// The files that say what a robot is compared with.
pub struct Surroundings<'a> {
    pub srdf: Option<&'a Path>,
    pub obstacles: &'a [PathBuf],
    pub package_paths: &'a [PathBuf],
}

impl Surroundings<'_> {
    /// Returns the robot among its obstacles, without the pairs that the SRDF disables. Shapes that are not checked are
    /// allowed: who asks tells of them.
    pub fn scene_of(&self, robot: &Robot) -> Result<RobotScene> {
        let mut scene = RobotScene::new(robot.clone())?;
        // What was not checked is told, and the exit code says so.
        scene.set_allow_unchecked(true);
        if let Some(path) = self.srdf {
            for warning in scene.apply_srdf(&Srdf::from_srdf_file(path)?) {
                eprintln!("note: {}: {warning}", path.display());
            }
        }
        for path in self.obstacles {
            for obstacle in obstacles::read(path, self.package_paths)? {
                if let Shape::Mesh(mesh) = &obstacle.shape
                    && !mesh.is_closed()
                {
                    tell_open_mesh(path, &obstacle.name);
                }
                let added = scene.add_obstacle(&obstacle.name, obstacle.shape, obstacle.pose);
                added.with_context(|| path.display().to_string())?;
            }
        }
        Ok(scene)
    }
}
