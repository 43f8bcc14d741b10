//! Obstacles from files: the links of a URDF, a mesh, or a table of shapes.

use super::shapes::{self, Obstacle};
use anyhow::{Context, Result, bail, ensure};
use nalgebra::Isometry3;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use superovoid::Shape;
use superovoid::TriangleMesh;
use superovoid::bvh::TriMesh;
use superovoid_fit::{ReadLimits, load_collision_meshes, read_mesh};
use superovoid_robot::Robot;

/// Reads the obstacles of a file, by the ending of its name.
pub fn read(path: &Path, package_paths: &[PathBuf]) -> Result<Vec<Obstacle>> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    match ending.to_ascii_lowercase().as_str() {
        "urdf" => of_urdf(path, package_paths),
        "csv" => shapes::read(path),
        "obj" | "stl" | "dae" => of_mesh(path),
        _ => bail!(
            "{}: unknown ending; expected .urdf, .csv, .obj, .stl or .dae",
            path.display()
        ),
    }
}

/// Returns the collision shapes of a robot at its neutral configuration, its root link in the frame of the checked
/// robot's root link.
fn of_urdf(path: &Path, package_paths: &[PathBuf]) -> Result<Vec<Obstacle>> {
    let robot = Robot::from_urdf_file(path)?;
    let loaded = load_collision_meshes(robot, path, package_paths, &ReadLimits::default())?;
    let robot = loaded.robot;
    if let Some(shape) = robot.unchecked().first() {
        let link = &robot.links()[shape.link].name;
        let (collision, element) = (shape.collision + 1, shape.geometry.element());
        let why = loaded.problems.first().map(|found| {
            let (name, problem) = (&found.filename, &found.problem);
            format!(": the mesh {name:?} {problem}")
        });
        bail!(
            "{}: link {link:?}, collision {collision}: {element} cannot be checked{}",
            path.display(),
            why.unwrap_or_default()
        );
    }
    let poses = robot.forward_kinematics(&robot.neutral())?;
    let of = robot.collision_bodies().map(|body| Obstacle {
        name: format!("{}/{}", robot.name(), robot.links()[body.link].name),
        shape: body.shape.clone(),
        pose: poses[body.link] * body.pose,
    });
    let obstacles: Vec<Obstacle> = of.collect();
    ensure!(
        !obstacles.is_empty(),
        "{}: there is no collision shape in it",
        path.display()
    );
    Ok(obstacles)
}

fn of_mesh(path: &Path) -> Result<Vec<Obstacle>> {
    let mesh = read_mesh(path, &ReadLimits::default())?;
    let mesh = TriMesh::try_from(TriangleMesh::from(mesh));
    let mesh = mesh.with_context(|| path.display().to_string())?;
    let name = path
        .file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    Ok(vec![Obstacle {
        name: format!("obstacle {name}"),
        shape: Shape::Mesh(Arc::new(mesh)),
        pose: Isometry3::identity(),
    }])
}
