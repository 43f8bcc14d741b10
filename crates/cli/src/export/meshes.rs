//! The meshes that a robot names, read.

use anyhow::Result;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use superovoid::Shape;
use superovoid::bvh::TriMesh;
use superovoid_fit::{ReadLimits, load_collision_meshes};
use superovoid_robot::{Collision, Geometry, Link, Robot};

/// Meshes by file name and scale, which is applied.
#[derive(Default)]
pub struct Meshes {
    loaded: HashMap<(String, [u64; 3]), Arc<TriMesh>>,
    /// Why files are not read, by their names.
    problems: HashMap<String, String>,
}

impl Meshes {
    /// Reads the meshes of `wanted` shapes of each link; what cannot be read is told in `notes`.
    ///
    /// # Errors
    /// The error names a package folder that is not there.
    pub fn read(
        robot: &Robot,
        path: &Path,
        packages: &[PathBuf],
        wanted: impl Fn(&Link) -> Vec<Collision>,
        notes: &mut Vec<String>,
    ) -> Result<Self> {
        let links = robot.links().iter().map(|link| Link {
            collisions: wanted(link),
            ..Link::new(&link.name)
        });
        let asked = Robot::new(
            robot.name(),
            links.collect(),
            robot.joints().to_vec(),
            Vec::new(),
        )?;
        if asked.unchecked().is_empty() {
            return Ok(Meshes::default());
        }
        let found = load_collision_meshes(asked, path, packages, &ReadLimits::default())?;
        for problem in &found.problems {
            notes.push(format!(
                "the mesh {:?}: {}",
                problem.filename, problem.problem
            ));
        }
        let mut loaded = HashMap::new();
        for body in found.robot.collision_bodies() {
            let geometry = &found.robot.links()[body.link].collisions[body.collision].geometry;
            if let (Shape::Mesh(mesh), Some(key)) = (&body.shape, key(geometry)) {
                loaded.insert(key, Arc::clone(mesh));
            }
        }
        let problems = found.problems.into_iter();
        let problems = problems.map(|of| (of.filename, of.problem)).collect();
        Ok(Meshes { loaded, problems })
    }

    /// Returns why the mesh of a file is not read.
    pub fn problem(&self, filename: &str) -> Option<&str> {
        self.problems.get(filename).map(String::as_str)
    }

    /// Returns a mesh that was read.
    pub fn get(&self, geometry: &Geometry) -> Option<&Arc<TriMesh>> {
        self.loaded.get(&key(geometry)?)
    }
}

fn key(geometry: &Geometry) -> Option<(String, [u64; 3])> {
    match geometry {
        Geometry::Mesh { filename, scale } => Some((filename.clone(), scale.map(f64::to_bits))),
        _ => None,
    }
}
