//! `RobotScene`: a robot among obstacles.

use crate::array_input::Rows;
use crate::array_output::array;
use crate::arrow::{Column, stream, table};
use crate::broadcast::{Broadcast, Failed, check_threads};
use crate::contacts::Contacts;
use crate::edges::{Edge, Edges, counterpart};
use crate::poses::{Poses, numbers};
use crate::robot::{Robot, refuse_text};
use crate::scene::{Ids, add_all, move_all, scene_options};
use crate::state::{self, CONTACT, Reduced, Table, reduced};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyCapsule, PyType};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use superovoid_robot::scene::{Counterpart, RobotContact, RobotSceneError, SceneOptions};
use superovoid_robot::{Configuration, EdgeOptions, Srdf};

/// A robot among obstacles.
///
/// Every link is compared with every other link and with every obstacle, except adjacent links and the pairs that `allow` or
/// an SRDF file leave out. Configurations are arrays of the shape (..., position_count), as those of `Robot`; many of them
/// are answered in one call, on all processors. The answers do not depend on the number of threads.
///
/// Parameters
/// ----------
/// robot : Robot
///     The robot, its root link at the origin of the world.
///
/// Examples
/// --------
/// >>> import superovoid
/// >>> robot = superovoid.Robot.from_urdf_text('''<robot name="ball"><link name="base"/>
/// ...   <link name="bob"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
/// ...   <joint name="slide" type="prismatic"><parent link="base"/><child link="bob"/><axis xyz="1 0 0"/>
/// ...   <limit lower="0" upper="2" effort="1" velocity="1"/></joint></robot>''')
/// >>> scene = superovoid.RobotScene(robot)
/// >>> wall = scene.add_obstacle("wall", superovoid.HalfSpace([-1, 0, 0], -1), [0, 0, 0, 0, 0, 0, 1])
/// >>> scene.in_collision([[0.5], [1.5]]).tolist()
/// [False, True]
#[pyclass(frozen, module = "superovoid")]
pub struct RobotScene {
    scene: Mutex<superovoid_robot::scene::RobotScene>,
}

/// The contacts of a robot in configurations, with its own links and with obstacles: a row for each pair.
#[pyclass(frozen, module = "superovoid")]
pub struct RobotContacts {
    /// The configuration (its index in the flattened array) and the pair.
    all: Vec<(usize, RobotContact)>,
}

impl RobotContacts {
    fn whole<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&RobotContact) -> i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let all = self.all.iter().map(|(_, row)| of(row)).collect();
        array(py, &[self.all.len()], &[], all)
    }
}

impl RobotContacts {
    fn columns(&self) -> PyResult<Vec<Column>> {
        let rows = || self.all.iter().map(|(_, row)| row);
        let mut columns = vec![
            Column::whole("configuration", self.all.iter().map(|(k, _)| *k as i64)),
            Column::whole("link_a", rows().map(|row| row.link as i64)),
            Column::whole("collision_a", rows().map(|row| row.collision as i64)),
            Column::indices("link_b", rows().map(|row| counterpart(row).0)),
            Column::indices("collision_b", rows().map(collision_of_b)),
            Column::indices("obstacle", rows().map(|row| counterpart(row).1)),
        ];
        columns.extend(self.contacts().columns()?);
        Ok(columns)
    }
}

#[pymethods]
impl RobotContacts {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (me, py) = (slf.get(), slf.py());
        let ids = |(index, row): &(usize, RobotContact)| {
            let (link, obstacle) = counterpart(row);
            let part = row.part.map_or(-1, i64::from);
            let [index, a, collision] = [*index, row.link, row.collision].map(|k| k as i64);
            [
                index,
                a,
                collision,
                link,
                collision_of_b(row),
                obstacle,
                part,
            ]
        };
        let ids = state::table(py, me.all.iter().map(ids))?;
        let contacts = me
            .all
            .iter()
            .map(|(_, row)| state::of_contact(&row.contact));
        reduced(slf, "_restored", (ids, state::table(py, contacts)?))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(
        _: &Bound<'_, PyType>,
        ids: Table<7, i64>,
        contacts: Table<CONTACT>,
    ) -> PyResult<Self> {
        let all = ids.with(&contacts, |ids, contact| {
            let at = |k: usize| usize::try_from(ids[k]).map_err(|_| state::odd());
            let with = if ids[3] < 0 {
                Counterpart::Obstacle(superovoid_robot::scene::BodyId::from_number(ids[5] as u64))
            } else {
                Counterpart::Link {
                    link: at(3)?,
                    collision: at(4)?,
                }
            };
            let (part, contact) = (u32::try_from(ids[6]).ok(), state::contact(contact)?);
            let row = RobotContact::new(at(1)?, at(2)?, with, part, contact);
            Ok((at(0)?, row))
        })?;
        Ok(RobotContacts { all })
    }

    /// The configuration of each row, its index in the flattened array, int64, shape (rows,).
    #[getter]
    fn configuration<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = self.all.iter().map(|(index, _)| *index as i64).collect();
        array(py, &[self.all.len()], &[], all)
    }

    /// The index of the link of body A, int64, shape (rows,).
    #[getter]
    fn link_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, |row| row.link as i64)
    }

    /// The index of body A among the collisions of its link, int64, shape (rows,).
    #[getter]
    fn collision_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, |row| row.collision as i64)
    }

    /// The index of the link of body B, int64, shape (rows,); -1 for an obstacle.
    #[getter]
    fn link_b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, |row| counterpart(row).0)
    }

    /// The index of body B among the collisions of its link, int64, shape (rows,); -1 for an obstacle.
    #[getter]
    fn collision_b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, collision_of_b)
    }

    /// The id of the obstacle B, int64, shape (rows,); -1 for a link.
    #[getter]
    fn obstacle<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.whole(py, |row| counterpart(row).1)
    }

    /// The contacts of the rows, in the world; ``part_b`` is the triangle or box of B.
    #[getter]
    fn contacts(&self) -> Contacts {
        let part = |(_, row): &(usize, RobotContact)| row.part.map_or(-1, i64::from);
        Contacts {
            parts: [None, Some(self.all.iter().map(part).collect())],
            ..Contacts::new(
                vec![self.all.len()],
                self.all.iter().map(|(_, row)| row.contact).collect(),
            )
        }
    }

    /// Returns a capsule of an Arrow stream with one row for each answer, so that pyarrow, polars, pandas, DuckDB and others
    /// read the answers (https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html).
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // What is asked for is a wish, which the interface allows to leave unheard.
        let _ = requested_schema;
        stream(py, self.columns()?)
    }

    /// Returns a `pyarrow.Table` with one row for each answer.
    fn to_arrow(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
        table(slf.into_any())
    }

    fn __len__(&self) -> usize {
        self.all.len()
    }
}

/// Returns the index of body B among the collisions of its link; −1 for an obstacle.
fn collision_of_b(row: &RobotContact) -> i64 {
    match row.with {
        Counterpart::Link { collision, .. } => collision as i64,
        Counterpart::Obstacle(_) | Counterpart::Attached(_) => -1,
    }
}

fn refused(error: RobotSceneError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Configurations that arguments broadcast to, a list for each argument.
struct Configurations {
    all: Broadcast,
    lists: Vec<Vec<Configuration>>,
}

impl Configurations {
    fn new(
        robot: &superovoid_robot::Robot,
        arguments: &[(&Bound<'_, PyAny>, &str)],
    ) -> PyResult<Self> {
        let count = robot.position_count();
        let rows = arguments.iter();
        let rows = rows.map(|(value, name)| Rows::of_width(value, name, count));
        let rows = rows.collect::<PyResult<Vec<_>>>()?;
        let named = arguments.iter().zip(&rows);
        let named: Vec<_> = named
            .map(|((_, name), rows)| (*name, rows.lead()))
            .collect();
        let all = Broadcast::of(&named)?;
        let list = |rows: &Rows| {
            let reader = rows.reader(&all.axes);
            let read = |k: usize| {
                let configuration = robot.configuration(&reader.numbers(k, count));
                configuration.map_err(|error| all.error(k, &error))
            };
            (0..all.count).map(read).collect::<PyResult<Vec<_>>>()
        };
        let lists = rows.iter().map(list).collect::<PyResult<_>>()?;
        Ok(Configurations { all, lists })
    }
}

impl RobotScene {
    /// Locks the scene. Whoever waits for it lets go of the interpreter meanwhile: another thread may hold the scene and
    /// wait for the interpreter.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, superovoid_robot::scene::RobotScene> {
        let locked = self.scene.lock_py_attached(py);
        locked.unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a query on clones of the scene for all configurations. The scene is free for others meanwhile.
    fn map<T: Send>(
        &self,
        py: Python<'_>,
        of: &Configurations,
        threads: Option<usize>,
        query: impl Fn(
            &mut superovoid_robot::scene::RobotScene,
            &Configuration,
        ) -> Result<T, RobotSceneError>
        + Send
        + Sync,
    ) -> PyResult<Vec<T>> {
        threads.map_or(Ok(()), check_threads)?;
        let scene = self.lock(py).clone();
        let found = py.detach(|| scene.map(&of.lists[0], threads.unwrap_or(0), query));
        let failed = |(index, found): (usize, Result<T, RobotSceneError>)| {
            found.map_err(|error| Failed { index, error })
        };
        let found = found.into_iter().enumerate().map(failed);
        let found = found.collect::<Result<Vec<T>, _>>();
        found.map_err(|failed| of.all.error(failed.index, &failed.error))
    }
}

impl RobotScene {
    /// Runs a batch on a clone of the scene for all configurations. Where it fails, single queries tell which of them
    /// has the error.
    fn batch<T: Send>(
        &self,
        py: Python<'_>,
        of: &Configurations,
        threads: Option<usize>,
        batch: impl FnOnce(
            &mut superovoid_robot::scene::RobotScene,
            &[Configuration],
            usize,
        ) -> Result<Vec<T>, RobotSceneError>
        + Send,
        query: impl Fn(
            &mut superovoid_robot::scene::RobotScene,
            &Configuration,
        ) -> Result<T, RobotSceneError>
        + Send
        + Sync,
    ) -> PyResult<Vec<T>> {
        threads.map_or(Ok(()), check_threads)?;
        let mut scene = self.lock(py).clone();
        match py.detach(|| batch(&mut scene, &of.lists[0], threads.unwrap_or(0))) {
            Ok(found) => Ok(found),
            Err(_) => self.map(py, of, threads, query),
        }
    }
}

#[pymethods]
impl RobotScene {
    #[new]
    fn new(robot: &Bound<'_, Robot>) -> PyResult<Self> {
        let scene = superovoid_robot::scene::RobotScene::new(Arc::clone(&robot.get().robot));
        let scene = Mutex::new(scene.map_err(refused)?);
        Ok(RobotScene { scene })
    }

    /// The pose of the root link in the world, shape (7,).
    #[getter]
    fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &[7], &[], numbers(&self.lock(py).base()).to_vec())
    }

    /// Sets the pose of the root link, array_like of the shape (7,) or (4, 4).
    fn set_base(&self, py: Python<'_>, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        let pose = Poses::one(pose, "pose")?;
        self.lock(py).set_base(pose).map_err(refused)
    }

    /// Sets whether answers may leave out the collision shapes that cannot be checked; otherwise they are an error.
    fn set_allow_unchecked(&self, py: Python<'_>, allow_unchecked: bool) {
        self.lock(py).set_allow_unchecked(allow_unchecked);
    }

    /// Adds obstacles, which are compared with the robot and not with each other.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name of their group; it must not be that of a link.
    /// shape : Superovoids or array_like, shape (..., 7), ConvexShape, TriMesh, BoxSet, HeightField, Superquadric or HalfSpace
    ///     The shapes.
    /// pose : array_like, shape (..., 7) or (..., 4, 4)
    ///     Their poses in the world.
    ///
    /// Returns
    /// -------
    /// ndarray of int64, shape (...)
    ///     Their ids.
    fn add_obstacle<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        shape: &Bound<'py, PyAny>,
        pose: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut scene = self.lock(py);
        add_all(py, &mut *scene, shape, pose, |scene, shape, pose| {
            scene.add_obstacle(name, shape, pose)
        })
    }

    /// Moves obstacles, by their ids, to poses, one for each id or one for all. If one of them is refused, none is moved.
    fn move_obstacle(
        &self,
        py: Python<'_>,
        id: &Bound<'_, PyAny>,
        pose: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let ids = Ids::new(id)?;
        let moves = ids.with_poses(pose)?;
        let mut scene = self.lock(py);
        move_all(
            &mut *scene,
            &ids,
            &moves,
            |scene, id| scene.scene().pose(id).ok(),
            |scene, id, pose| scene.move_obstacle(id, pose),
        )
    }

    /// Removes an obstacle by its id.
    fn remove_obstacle(&self, py: Python<'_>, id: u64) -> PyResult<()> {
        let id = superovoid_robot::scene::BodyId::from_number(id);
        self.lock(py).remove_obstacle(id).map_err(refused)
    }

    /// Lets two links or obstacles, by their names, collide: they are not compared.
    fn allow(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<()> {
        let known = self.lock(py).allow(a, b);
        self.known(py, known, a, b)
    }

    /// Compares two links or obstacles, by their names, also if they are adjacent links.
    fn forbid(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<()> {
        let known = self.lock(py).forbid(a, b);
        self.known(py, known, a, b)
    }

    /// Leaves out the pairs that an SRDF file disables. Returns warnings, of links that the robot does not have.
    fn apply_srdf(&self, py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
        refuse_text(&path, "SRDF", "a file with that text")?;
        let srdf = Srdf::from_srdf_file(&path)
            .map_err(|error| PyValueError::new_err(format!("{}: {error}", path.display())))?;
        let warnings = self.lock(py).apply_srdf(&srdf);
        Ok(warnings.iter().map(ToString::to_string).collect())
    }

    /// Returns every pair of each configuration that is not proven to be farther apart than the maximum distance, closest
    /// first in each.
    ///
    /// Parameters
    /// ----------
    /// configurations : array_like, shape (..., position_count)
    ///     Metres and radians.
    /// max_distance, tolerance, depth, threads
    ///     As those of `contact`.
    ///
    /// Returns
    /// -------
    /// RobotContacts
    ///     A row for each pair of each configuration.
    #[pyo3(signature = (configurations, *, max_distance = f64::INFINITY, tolerance = 0.0, depth = "fast",
        threads = None))]
    fn contacts(
        &self,
        py: Python<'_>,
        configurations: &Bound<'_, PyAny>,
        max_distance: f64,
        tolerance: f64,
        depth: &str,
        threads: Option<usize>,
    ) -> PyResult<RobotContacts> {
        let options = scene_options(max_distance, tolerance, depth)?;
        let of = self.configurations(py, (configurations, "configurations"))?;
        let found = self.map(py, &of, threads, |scene, q| scene.contacts(q, &options))?;
        let rows = found.into_iter().enumerate();
        let rows = rows.flat_map(|(k, rows)| rows.into_iter().map(move |row| (k, row)));
        Ok(RobotContacts {
            all: rows.collect(),
        })
    }

    /// Returns the closest pair of each configuration alone, faster; configurations without a pair within the maximum
    /// distance have no row.
    #[pyo3(signature = (configurations, *, max_distance = f64::INFINITY, tolerance = 0.0, depth = "fast",
        threads = None))]
    fn closest(
        &self,
        py: Python<'_>,
        configurations: &Bound<'_, PyAny>,
        max_distance: f64,
        tolerance: f64,
        depth: &str,
        threads: Option<usize>,
    ) -> PyResult<RobotContacts> {
        let options = scene_options(max_distance, tolerance, depth)?;
        let of = self.configurations(py, (configurations, "configurations"))?;
        let batch = |scene: &mut superovoid_robot::scene::RobotScene,
                     all: &[Configuration],
                     threads| { scene.closest_batch(all, &options, threads) };
        let found = self.batch(py, &of, threads, batch, |scene, q| {
            scene.closest(q, &options)
        })?;
        let rows = found.into_iter().enumerate();
        let rows = rows.filter_map(|(k, row)| row.map(|row| (k, row)));
        Ok(RobotContacts {
            all: rows.collect(),
        })
    }

    /// Returns the clearance of configurations, metres, shape (...): the distance of the closest pair, or max_distance if
    /// that is farther apart, and 0 for a configuration that is in collision. Every pair is proven to be that far apart.
    #[pyo3(signature = (configurations, *, max_distance = f64::INFINITY, tolerance = 0.0, threads = None))]
    fn clearance<'py>(
        &self,
        py: Python<'py>,
        configurations: &Bound<'py, PyAny>,
        max_distance: f64,
        tolerance: f64,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = scene_options(max_distance, tolerance, "fast")?;
        let of = self.configurations(py, (configurations, "configurations"))?;
        let batch = |scene: &mut superovoid_robot::scene::RobotScene,
                     all: &[Configuration],
                     threads| { scene.clearance_batch(all, &options, threads) };
        let query = |scene: &mut superovoid_robot::scene::RobotScene, q: &Configuration| {
            let one = scene.clearance_batch(std::slice::from_ref(q), &options, 1)?;
            Ok(one[0])
        };
        let found = self.batch(py, &of, threads, batch, query)?;
        array(py, &of.all.axes, &[], found)
    }

    /// Returns whether any pair touches or overlaps in configurations, shape (...): False is proven for every pair, and
    /// what is undecided counts as a collision.
    #[pyo3(signature = (configurations, *, threads = None))]
    fn in_collision<'py>(
        &self,
        py: Python<'py>,
        configurations: &Bound<'py, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = SceneOptions::default();
        let of = self.configurations(py, (configurations, "configurations"))?;
        let batch =
            |scene: &mut superovoid_robot::scene::RobotScene, all: &[Configuration], threads| {
                scene.in_collision_batch(all, &options, threads)
            };
        let query = |scene: &mut superovoid_robot::scene::RobotScene, q: &Configuration| {
            scene.in_collision(q, &options)
        };
        let found = self.batch(py, &of, threads, batch, query)?;
        array(py, &of.all.axes, &[], found)
    }

    /// Returns whether the straight lines between configurations are free, among the obstacles where they are and among
    /// the links, with a proof and not by samples. The arguments are those of `Robot.edge_free`.
    #[pyo3(signature = (start, end, *, min_separation = 0.0, first_contact = true))]
    fn edge_free(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        min_separation: f64,
        first_contact: bool,
    ) -> PyResult<Edges> {
        let options = EdgeOptions::default()
            .with_min_separation(min_separation)
            .with_first_contact(first_contact);
        let mut scene = self.lock(py).clone();
        let of = Configurations::new(scene.robot(), &[(start, "start"), (end, "end")])?;
        let edges = of.lists[0].iter().zip(&of.lists[1]);
        let found: Result<Vec<Edge>, _> = py.detach(|| {
            let judged = edges.enumerate().map(|(index, (from, to))| {
                let answer = scene.edge_free(from, to, &options);
                answer
                    .map(Edge::from)
                    .map_err(|error| Failed { index, error })
            });
            judged.collect()
        });
        let all = found.map_err(|failed| of.all.error(failed.index, &failed.error))?;
        let axes = of.all.axes;
        Ok(Edges { axes, all })
    }

    /// Returns an independent scene with the same ids.
    fn copy(&self, py: Python<'_>) -> Self {
        let scene = Mutex::new(self.lock(py).clone());
        RobotScene { scene }
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let scene = self.lock(py);
        let robot = scene.robot();
        let obstacles = scene.scene().len() - robot.collision_body_count();
        format!(
            "<RobotScene of {:?} and {obstacles} obstacles>",
            robot.name()
        )
    }
}

impl RobotScene {
    fn known(&self, py: Python<'_>, known: bool, a: &str, b: &str) -> PyResult<()> {
        if known {
            return Ok(());
        }
        let scene = self.lock(py);
        let missing = if scene.scene().find_group(a).is_none() {
            a
        } else {
            b
        };
        let problem = format!("there is no link or obstacle {missing:?}");
        Err(PyValueError::new_err(problem))
    }

    fn configurations(
        &self,
        py: Python<'_>,
        argument: (&Bound<'_, PyAny>, &str),
    ) -> PyResult<Configurations> {
        Configurations::new(self.lock(py).robot(), &[argument])
    }
}
