//! Meshes of a robot that readers of its new file do not find.

use std::fs;
use std::path::{Component, Path};
use superovoid_robot::{Geometry, Link, Robot};

/// Returns what is to be said where the robot's own meshes are looked for beside the new file.
pub fn lost_files(robot: &Robot, input: &Path, output: &Path) -> Option<String> {
    let beside = |path: &Path| {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()
    };
    let is_relative = |geometry: &Geometry| match geometry {
        Geometry::Mesh { filename, .. } => {
            let starts = Path::new(filename).components().next();
            !filename.contains("://")
                && !matches!(starts, Some(Component::RootDir | Component::Prefix(_)))
        }
        _ => false,
    };
    let of_link = |link: &Link| {
        link.collisions.iter().any(|one| is_relative(&one.geometry))
            || link.visuals.iter().any(|one| is_relative(&one.geometry))
    };
    let lost = beside(input) != beside(output) && robot.links().iter().any(of_link);
    lost.then(|| {
        format!(
            "{} has meshes at relative paths, which readers look for beside {}",
            input.display(),
            output.display()
        )
    })
}
