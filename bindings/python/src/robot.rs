//! `Robot`: clearances, gradients and edges of configurations.

use crate::array_input::Rows;
use crate::array_output::array;
use crate::broadcast::{Broadcast, each, fill};
use crate::clearances::Clearances;
use crate::collisions::Collision;
use crate::edges::{Edge, Edges};
use crate::state::{Reduced, reduced};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;
use superovoid_fit::{ReadLimits, load_collision_meshes};
use superovoid_plan::movable_joints;
use superovoid_robot::{ClearanceOptions, Configuration, EdgeOptions, UrdfLimits};

/// A robot, read from URDF with the element ``<superovoid>``.
///
/// A configuration is a vector of ``position_count`` numbers (metres, radians), the joints one after the other; arrays of
/// configurations have the shape (..., position_count).
#[pyclass(frozen, module = "superovoid")]
pub struct Robot {
    pub robot: Arc<superovoid_robot::Robot>,
    /// The text of which it was read, and where its meshes are, for pickles.
    text: String,
    files: Option<MeshFiles>,
}

/// The path of a URDF file, and the folders of packages.
type MeshFiles = (PathBuf, Vec<PathBuf>);

/// Refuses the text of a file where its path is wanted.
pub fn refuse_text(path: &Path, kind: &str, instead: &str) -> PyResult<()> {
    let path = path.to_string_lossy();
    // No path begins so, and a path with line ends is most likely none.
    if path
        .trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n'])
        .starts_with('<')
        || path.contains('\n')
    {
        let problem = format!("path: this is {kind} text, not the path of a file; use {instead}");
        return Err(PyValueError::new_err(problem));
    }
    Ok(())
}

impl Robot {
    pub fn configuration(&self, numbers: &[f64]) -> Result<Configuration, String> {
        self.robot
            .configuration(numbers)
            .map_err(|error| error.to_string())
    }

    pub fn rows<'py>(&self, value: &Bound<'py, PyAny>, name: &str) -> PyResult<Rows<'py>> {
        Rows::of_width(value, name, self.robot.position_count())
    }
}

#[pymethods]
impl Robot {
    /// Reads a robot from a URDF file.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     The error names what is wrong with the file, and where; or says that ``path`` is the text of a file, which
    ///     `from_urdf_text` reads.
    #[classmethod]
    fn from_urdf(_: &Bound<'_, PyType>, path: PathBuf) -> PyResult<Self> {
        refuse_text(&path, "URDF", "Robot.from_urdf_text")?;
        let limits = UrdfLimits::default();
        let (robot, text) = superovoid_robot::Robot::from_urdf_file_with_text(&path, &limits)
            .map_err(|error| PyValueError::new_err(format!("{}: {error}", path.display())))?;
        Ok(Robot {
            robot: Arc::new(robot),
            text,
            files: None,
        })
    }

    /// Reads a robot from the text of a URDF file.
    #[classmethod]
    fn from_urdf_text(_: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        let robot = superovoid_robot::Robot::from_urdf_str(text)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Robot {
            robot: Arc::new(robot),
            text: text.to_owned(),
            files: None,
        })
    }

    /// The same robot with the meshes of the files that its URDF names: STL, OBJ and COLLADA. A closed mesh is compared as a solid,
    /// an open one as its surface; what has a superovoid beside its mesh is compared as that. A pickle has the paths, and not the
    /// meshes.
    ///
    /// Parameters
    /// ----------
    /// path : path-like
    ///     That of the URDF, which need not be the file that the robot was read from; relative names start in its folder.
    /// package_paths : sequence of path-like
    ///     Folders in which the packages of names like ``package://arm/meshes/a.stl`` are looked for; the packages that the URDF is
    ///     in are found without them. Files outside of these folders are not read.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     The error names a folder that is not there, or the link, the collision element (from 1) and the name of a mesh that may
    ///     not or cannot be read, and what is wrong.
    #[pyo3(signature = (path, package_paths = Vec::new()))]
    fn with_mesh_files(
        &self,
        py: Python<'_>,
        path: PathBuf,
        package_paths: Vec<PathBuf>,
    ) -> PyResult<Self> {
        let folders = package_paths.iter().map(absolute);
        let folders = folders.collect::<Result<_, _>>()?;
        let (robot, limits) = (
            superovoid_robot::Robot::clone(&self.robot),
            ReadLimits::default(),
        );
        let loaded = py.detach(|| load_collision_meshes(robot, &path, &package_paths, &limits));
        let loaded = loaded.map_err(|error| PyValueError::new_err(error.to_string()))?;
        if let Some(unread) = loaded.unread() {
            return Err(PyValueError::new_err(unread));
        }
        Ok(Robot {
            robot: Arc::new(loaded.robot),
            text: self.text.clone(),
            files: Some((absolute(path)?, folders)),
        })
    }

    /// Reads from a file most of what scenes work out of the robot's meshes before their first answer: their hulls, and balls around
    /// and inside them. If there is no such file, or it is of other meshes or another version, or not whole, this is worked out now and
    /// the file written anew. Of a robot without meshes there is nothing to keep, and no file. Who can write the file can make proofs
    /// wrong.
    ///
    /// Returns
    /// -------
    /// bool
    ///     Whether it was read.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     The error names a mesh that is not loaded, a file that cannot be read or written, or one that is something else, which
    ///     stays as it is.
    fn use_cache(&self, py: Python<'_>, path: PathBuf) -> PyResult<bool> {
        let read = py.detach(|| self.robot.use_cache(path));
        read.map_err(|error| PyValueError::new_err(error.to_string()))
    }

    #[classmethod]
    fn _with_files(
        class: &Bound<'_, PyType>,
        text: &str,
        path: PathBuf,
        package_paths: Vec<PathBuf>,
    ) -> PyResult<Self> {
        Robot::from_urdf_text(class, text)?.with_mesh_files(class.py(), path, package_paths)
    }

    /// A robot does not change.
    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        match &slf.get().files {
            None => reduced(slf, "from_urdf_text", (&slf.get().text,)),
            Some((path, folders)) => reduced(slf, "_with_files", (&slf.get().text, path, folders)),
        }
    }

    /// The robot's name.
    #[getter]
    fn name(&self) -> &str {
        self.robot.name()
    }

    /// The names of the links, in the order of their indices.
    #[getter]
    fn links(&self) -> Vec<&str> {
        self.robot
            .links()
            .iter()
            .map(|link| link.name.as_str())
            .collect()
    }

    /// The names of the joints, in the order of the file.
    #[getter]
    fn joints(&self) -> Vec<&str> {
        self.robot
            .joints()
            .iter()
            .map(|joint| joint.name.as_str())
            .collect()
    }

    /// The names of the joints that move in a plan unless it names others, in the order of the robot: every revolute, continuous
    /// and prismatic one that mimics no other one.
    #[getter]
    fn movable_joints(&self) -> Vec<&str> {
        movable_joints(&self.robot)
            .map(|joint| joint.name.as_str())
            .collect()
    }

    /// The collision shapes of all links, one link after the other.
    #[getter]
    fn collisions(&self) -> Vec<Collision> {
        Collision::all(&self.robot)
    }

    /// The number of numbers of a configuration.
    #[getter]
    fn position_count(&self) -> usize {
        self.robot.position_count()
    }

    /// The number of velocities: that of positions, but six for a floating joint.
    #[getter]
    fn velocity_count(&self) -> usize {
        self.robot.velocity_count()
    }

    /// The range of a joint's numbers among those of a configuration, ``(start, end)``.
    fn position_range(&self, joint: &str) -> PyResult<(usize, usize)> {
        let index = self.robot.joint_index(joint);
        let range = index.and_then(|index| self.robot.position_range(index));
        let range = range
            .ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(format!("no joint {joint:?}")))?;
        Ok((range.start, range.end))
    }

    /// The least and the greatest value of each number of a configuration, shape (position_count, 2): infinite where there
    /// is none, as for continuous joints.
    #[getter]
    fn position_limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let count = self.robot.position_count();
        let mut limits = [f64::NEG_INFINITY, f64::INFINITY].repeat(count);
        for (k, joint) in self.robot.joints().iter().enumerate() {
            if let (Some(range), Some(limit)) = (self.robot.position_range(k), joint.range()) {
                for at in range {
                    limits[2 * at..2 * at + 2].copy_from_slice(&limit);
                }
            }
        }
        array(py, &[count], &[2], limits)
    }

    /// The configuration in which all joints are at 0, or at the limit nearest to it.
    #[getter]
    fn neutral<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numbers = self.robot.neutral().to_vec();
        array(py, &[numbers.len()], &[], numbers)
    }

    /// What the reader warns of.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.robot
            .warnings()
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// Returns the poses of all links in configurations, in the frame of the root link.
    ///
    /// Returns
    /// -------
    /// ndarray, shape (..., links, 7)
    ///     x y z (metres) and the quaternion qx qy qz qw of each link.
    fn forward_kinematics<'py>(
        &self,
        py: Python<'py>,
        configurations: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.rows(configurations, "configurations")?;
        let all = Broadcast::of(&[("configurations", rows.lead())])?;
        let reader = rows.reader(&all.axes);
        let count = self.robot.position_count();
        let mut found = vec![Vec::new(); all.count];
        let poses = |k: usize| {
            let configuration = self.configuration(&reader.numbers(k, count))?;
            let poses = self.robot.forward_kinematics(&configuration);
            poses.map_err(|error| error.to_string())
        };
        fill(py, None, &mut found, |first, part| each(first, part, poses))?
            .map_err(|failed| all.error(failed.index, &failed.error))?;
        let numbers = found.iter().flatten().flat_map(crate::poses::numbers);
        array(
            py,
            &all.axes,
            &[self.robot.links().len(), 7],
            numbers.collect(),
        )
    }

    /// Returns the clearances of all pairs of links in configurations, closest first in each.
    ///
    /// Parameters
    /// ----------
    /// configurations : array_like, shape (..., position_count)
    ///     Metres and radians.
    /// max_distance : float, default inf
    ///     Pairs that are farther apart than this (metres) are left out.
    /// include_adjacent : bool, default False
    ///     Whether pairs of adjacent links are included: those that one joint joins, that fixed joints make one body, or
    ///     that turning joints of one point join through links without collision shapes.
    /// allow_unchecked : bool, default False
    ///     Whether collision shapes that cannot be checked are left out; otherwise they are an error.
    /// gradient : bool, default False
    ///     Whether the derivatives of the distances by the velocities are wanted.
    /// threads : int, optional
    ///     As that of `contact`.
    ///
    /// Returns
    /// -------
    /// Clearances
    ///     A row for each pair of each configuration.
    #[pyo3(signature = (configurations, *, max_distance = f64::INFINITY, include_adjacent = false, allow_unchecked = false,
        gradient = false, threads = None))]
    #[allow(clippy::too_many_arguments)]
    fn clearances<'py>(
        &self,
        py: Python<'py>,
        configurations: &Bound<'py, PyAny>,
        max_distance: f64,
        include_adjacent: bool,
        allow_unchecked: bool,
        gradient: bool,
        threads: Option<usize>,
    ) -> PyResult<Clearances> {
        let options = ClearanceOptions::default()
            .with_max_distance(max_distance)
            .with_include_adjacent(include_adjacent)
            .with_allow_unchecked(allow_unchecked);
        let rows = self.rows(configurations, "configurations")?;
        let all = Broadcast::of(&[("configurations", rows.lead())])?;
        let reader = rows.reader(&all.axes);
        let count = self.robot.position_count();
        let mut found = vec![(Vec::new(), false); all.count];
        let whole = self.robot.unchecked().is_empty();
        let query = |k: usize| {
            let configuration = self.configuration(&reader.numbers(k, count))?;
            if gradient {
                let rows = self.robot.clearance_gradients(&configuration, &options);
                let rows = rows.map_err(|error| error.to_string())?;
                let free = whole && rows.iter().all(|row| row.clearance.contact.lower > 0.0);
                let pairs = rows.into_iter().map(|row| (row.clearance, row.row));
                return Ok((pairs.collect(), free));
            }
            let found = self.robot.clearances(&configuration, &options);
            let found = found.map_err(|error| error.to_string())?;
            let free = found.is_free();
            Ok((
                found.pairs.into_iter().map(|pair| (pair, None)).collect(),
                free,
            ))
        };
        fill(py, threads, &mut found, |first, part| {
            each(first, part, query)
        })?
        .map_err(|failed: crate::broadcast::Failed<String>| {
            all.error(failed.index, &failed.error)
        })?;
        let velocity_count = self.robot.velocity_count();
        let free = found.iter().map(|(_, free)| *free).collect();
        let mut numbers = Vec::new();
        let mut pairs = Vec::new();
        for (index, (rows, _)) in found.into_iter().enumerate() {
            for (pair, row) in rows {
                pairs.push((index, pair));
                if gradient {
                    let start = numbers.len();
                    let none = if row.is_some() { 0.0 } else { f64::NAN };
                    numbers.resize(start + velocity_count, none);
                    for (joint, value) in row.unwrap_or_default() {
                        numbers[start + joint] = value;
                    }
                }
            }
        }
        Ok(Clearances {
            all: pairs,
            gradient: gradient.then_some(numbers),
            velocity_count,
            free,
            axes: all.axes,
        })
    }

    /// Returns whether any two links touch or overlap in configurations, shape (...): False is proven for every pair.
    #[pyo3(signature = (configurations, *, include_adjacent = false, allow_unchecked = false, threads = None))]
    fn in_collision<'py>(
        &self,
        py: Python<'py>,
        configurations: &Bound<'py, PyAny>,
        include_adjacent: bool,
        allow_unchecked: bool,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = ClearanceOptions::default()
            .with_include_adjacent(include_adjacent)
            .with_allow_unchecked(allow_unchecked);
        let rows = self.rows(configurations, "configurations")?;
        let all = Broadcast::of(&[("configurations", rows.lead())])?;
        let reader = rows.reader(&all.axes);
        let count = self.robot.position_count();
        let mut found = vec![false; all.count];
        let query = |k: usize| {
            let configuration = self.configuration(&reader.numbers(k, count))?;
            let found = self.robot.in_collision(&configuration, &options);
            found.map_err(|error| error.to_string())
        };
        fill(py, threads, &mut found, |first, part| {
            each(first, part, query)
        })?
        .map_err(|failed| all.error(failed.index, &failed.error))?;
        array(py, &all.axes, &[], found)
    }

    /// Returns whether the straight lines between configurations are free, with a proof and not by samples.
    ///
    /// Parameters
    /// ----------
    /// start, end : array_like, shape (..., position_count)
    ///     The configurations; they broadcast together.
    /// min_separation : float, default 0
    ///     The distance (metres) that every pair must keep.
    /// first_contact : bool, default True
    ///     Whether the first contact is bracketed; it is faster not to.
    /// threads : int, optional
    ///     As that of `contact`.
    ///
    /// Returns
    /// -------
    /// Edges
    ///     One for each element of the broadcast.
    #[pyo3(signature = (start, end, *, min_separation = 0.0, first_contact = true, threads = None))]
    fn edge_free(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        min_separation: f64,
        first_contact: bool,
        threads: Option<usize>,
    ) -> PyResult<Edges> {
        let options = EdgeOptions::default()
            .with_min_separation(min_separation)
            .with_first_contact(first_contact);
        let (start, end) = (self.rows(start, "start")?, self.rows(end, "end")?);
        let all = Broadcast::of(&[("start", start.lead()), ("end", end.lead())])?;
        let (start, end) = (start.reader(&all.axes), end.reader(&all.axes));
        let count = self.robot.position_count();
        let mut found = vec![None; all.count];
        let query = |k: usize| -> Result<_, String> {
            let start = self.configuration(&start.numbers(k, count))?;
            let end = self.configuration(&end.numbers(k, count))?;
            let edge = self.robot.edge_free(&start, &end, &options);
            Ok(Some(Edge::from(edge.map_err(|error| error.to_string())?)))
        };
        fill(py, threads, &mut found, |first, part| {
            each(first, part, query)
        })?
        .map_err(|failed| all.error(failed.index, &failed.error))?;
        Ok(Edges {
            axes: all.axes,
            all: found.into_iter().flatten().collect(),
        })
    }

    fn __repr__(&self) -> String {
        format!(
            "<Robot {:?}: {} links, {} numbers of a configuration>",
            self.robot.name(),
            self.robot.links().len(),
            self.robot.position_count()
        )
    }
}
