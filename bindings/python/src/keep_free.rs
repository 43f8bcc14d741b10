//! The configurations in which a robot that is fitted stays free, and what is told of its pairs in them.

use crate::configurations::Configurations;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use superovoid_fit::{
    FittedRobot, KeepFree, KeptFree, PairDistance, ReadLimits, load_collision_meshes,
};
use superovoid_robot::scene::RobotScene;
use superovoid_robot::{Configuration, GroupState, Srdf};

/// A robot as it is, and the poses in which its pairs are compared.
pub struct Poses {
    scene: RobotScene,
    poses: Vec<(String, Configuration)>,
    warnings: Vec<String>,
}

impl Poses {
    /// Takes the configurations of `keep_free` and the group states of `srdf`, whose disabled pairs are not compared; None
    /// without both.
    pub fn read(
        py: Python<'_>,
        path: &Path,
        package_paths: &[PathBuf],
        keep_free: Option<&Bound<'_, PyAny>>,
        srdf: Option<&Path>,
    ) -> PyResult<Option<Self>> {
        if keep_free.is_none() && srdf.is_none() {
            return Ok(None);
        }
        let loaded = py.detach(|| {
            let robot = superovoid_robot::Robot::from_urdf_file(path).map_err(|e| of(path, &e))?;
            let limits = ReadLimits::default();
            load_collision_meshes(robot, path, package_paths, &limits).map_err(|e| of(path, &e))
        })?;
        let problems = loaded.problems.iter();
        let mut warnings: Vec<String> = problems
            .map(|problem| format!("the mesh {:?}: {}", problem.filename, problem.problem))
            .collect();
        let mut scene = RobotScene::new(loaded.robot).map_err(|e| of(path, &e))?;
        let mut poses = Vec::new();
        if let Some(value) = keep_free {
            let all = Configurations::new(scene.robot(), &[(value, "keep_free")])?;
            let lists = all.lists.into_iter().flatten().enumerate();
            poses.extend(lists.map(|(k, at)| (format!("keep_free[{k}]"), at)));
        }
        if let Some(file) = srdf {
            let disabled = Srdf::from_srdf_file(file).map_err(|e| of(file, &e))?;
            let unknown = scene.apply_srdf(&disabled);
            warnings.extend(unknown.iter().map(ToString::to_string));
            for state in GroupState::from_srdf_file(file).map_err(|e| of(file, &e))? {
                let title = format!("{:?} of {}", state.name, state.group);
                let at = state.configuration(scene.robot());
                let at = at.map_err(|e| of(file, &format!("group_state {title}: {e}")))?;
                poses.push((title, at));
            }
        }
        if poses.is_empty() {
            let problem = "there is no configuration in keep_free, and no group_state in srdf";
            return Err(PyValueError::new_err(problem));
        }
        Ok(Some(Poses {
            scene,
            poses,
            warnings,
        }))
    }

    /// Returns what is kept free, with at most so many bodies for a mesh.
    pub fn keep(&self, most: u32) -> KeepFree<'_> {
        KeepFree::new(&self.scene, &self.poses).with_most(most)
    }

    /// Returns what was kept free, by names.
    pub fn told<'py>(
        &self,
        py: Python<'py>,
        found: &FittedRobot,
        kept: &KeptFree,
    ) -> PyResult<Bound<'py, PyDict>> {
        let link = |link: usize| found.robot.links()[link].name.as_str();
        let pairs = |pairs: &[PairDistance]| {
            let all = PyList::empty(py);
            for pair in pairs {
                let row = PyDict::new(py);
                row.set_item("link_a", link(pair.links[0]))?;
                row.set_item("link_b", link(pair.links[1]))?;
                row.set_item("pose", pair.pose)?;
                row.set_item("as_is", pair.as_is)?;
                row.set_item("fitted", pair.fitted)?;
                all.append(row)?;
            }
            PyResult::Ok(all)
        };
        let raised = PyList::empty(py);
        for of in &kept.raised {
            let row = PyDict::new(py);
            row.set_item("link", link(of.link))?;
            row.set_item("collision", of.collision)?;
            row.set_item("from", of.from)?;
            row.set_item("bodies", of.bodies)?;
            raised.append(row)?;
        }
        let names: Vec<&str> = self.poses.iter().map(|(name, _)| name.as_str()).collect();
        let all = PyDict::new(py);
        all.set_item("poses", names)?;
        all.set_item("pairs", pairs(&kept.pairs)?)?;
        all.set_item("colliding", pairs(&kept.colliding)?)?;
        all.set_item("raised", raised)?;
        all.set_item("warnings", &self.warnings)?;
        Ok(all)
    }
}

/// Returns the error of a file.
fn of(file: &Path, error: &dyn Display) -> PyErr {
    PyValueError::new_err(format!("{}: {error}", file.display()))
}
