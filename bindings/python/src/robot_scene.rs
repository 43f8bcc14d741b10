//! `RobotScene`: a robot among obstacles.

use crate::array_output::array;
use crate::attached::AttachedBody;
use crate::broadcast::{Failed, check_threads};
use crate::configurations::{Configurations, one_configuration};
use crate::edges::{Edge, Edges};
use crate::manifolds::one_body;
use crate::options::time_limit;
use crate::poses::{Poses, numbers};
use crate::regions::FreeRegion;
use crate::robot::{Robot, refuse_text};
use crate::robot_contacts::RobotContacts;
use crate::scene::{Ids, add_all, move_all, scene_options};
use crate::shared::{InUse, Shared};
use crate::splines::Spline;
use crate::step_counts::{Counts, counts, sums};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use superovoid_robot::scene::{RobotSceneError, SceneOptions};
use superovoid_robot::{Configuration, EdgeOptions, RegionOptions, Srdf};

/// A robot among obstacles.
///
/// Every link is compared with every other link and with every obstacle, except adjacent links and the pairs that `allow` or
/// an SRDF file leave out. Configurations are arrays of the shape (..., position_count), as those of `Robot`; many of them
/// are answered in one call, on all processors. The answers do not depend on the number of threads.
///
/// A scene remembers from call to call what tells bodies apart, which makes calls on neighbouring configurations faster. Threads
/// may share a scene: its calls come one after the other. To work at once, each thread takes a `copy`.
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
    /// The robot of the scene, by which arguments are read before the scene is in use.
    pub robot: Arc<superovoid_robot::Robot>,
    scene: Shared<superovoid_robot::scene::RobotScene>,
    /// What the steps had decided before the scene was replaced by a clone, which counts from 0.
    earlier: Mutex<Counts>,
}

fn edge_options(
    min_separation: f64,
    first_contact: bool,
    max_time: Option<f64>,
) -> PyResult<EdgeOptions> {
    Ok(EdgeOptions::default()
        .with_min_separation(min_separation)
        .with_first_contact(first_contact)
        .with_max_time(time_limit(max_time)?))
}

fn refused(error: RobotSceneError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

impl RobotScene {
    fn of(robot: Arc<superovoid_robot::Robot>, scene: superovoid_robot::scene::RobotScene) -> Self {
        RobotScene {
            robot,
            scene: Shared::new(scene),
            earlier: Mutex::default(),
        }
    }

    /// Takes the scene for a call. An error says that a call of the same thread has not returned.
    pub fn lock(&self, py: Python<'_>) -> PyResult<InUse<'_, superovoid_robot::scene::RobotScene>> {
        self.scene.take(py, "RobotScene")
    }

    /// Runs a query on clones of a scene for all configurations.
    fn map<T: Send>(
        scene: &superovoid_robot::scene::RobotScene,
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
    /// Runs a batch on a scene for all configurations. Where it fails, single queries tell which of them has the error.
    fn batch<T: Send>(
        scene: &mut superovoid_robot::scene::RobotScene,
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
        match py.detach(|| batch(&mut *scene, &of.lists[0], threads.unwrap_or(0))) {
            Ok(found) => Ok(found),
            Err(_) => Self::map(scene, py, of, threads, query),
        }
    }
}

#[pymethods]
impl RobotScene {
    #[new]
    fn new(robot: &Bound<'_, Robot>) -> PyResult<Self> {
        let robot = Arc::clone(&robot.get().robot);
        let scene = superovoid_robot::scene::RobotScene::new(Arc::clone(&robot));
        Ok(RobotScene::of(robot, scene.map_err(refused)?))
    }

    /// The pose of the root link in the world, shape (7,).
    #[getter]
    fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let base = self.lock(py)?.base();
        array(py, &[7], &[], numbers(&base).to_vec())
    }

    /// Sets the pose of the root link, array_like of the shape (7,) or (4, 4).
    fn set_base(&self, py: Python<'_>, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        let pose = Poses::one(pose, "pose")?;
        self.lock(py)?.set_base(pose).map_err(refused)
    }

    /// Sets whether answers may leave out the collision shapes that cannot be checked; otherwise they are an error.
    fn set_allow_unchecked(&self, py: Python<'_>, allow_unchecked: bool) -> PyResult<()> {
        self.lock(py)?.set_allow_unchecked(allow_unchecked);
        Ok(())
    }

    /// Adds obstacles, which are compared with the robot and not with each other.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name of their group; it must not be that of a link or an attached object.
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
        let mut scene = self.lock(py)?;
        let before = counts(&scene);
        let added = add_all(py, &mut *scene, shape, pose, |scene, shape, pose| {
            scene.add_obstacle(name, shape, pose)
        });
        // Several are added to a clone first.
        if counts(&scene) != before {
            let mut earlier = self.earlier.lock().unwrap_or_else(PoisonError::into_inner);
            *earlier = std::array::from_fn(|k| earlier[k] + before[k]);
        }
        added
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
        let mut scene = self.lock(py)?;
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
        self.lock(py)?.remove_obstacle(id).map_err(refused)
    }

    /// Lets two links, attached objects or obstacles, by their names, collide: they are not compared.
    fn allow(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<()> {
        let known = self.lock(py)?.allow(a, b);
        self.known(py, known.then_some(()), a, b)
    }

    /// Compares two links, attached objects or obstacles, by their names, also if they are adjacent links, or an object and
    /// one of its touch links.
    fn forbid(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<()> {
        let known = self.lock(py)?.forbid(a, b);
        self.known(py, known.then_some(()), a, b)
    }

    /// Returns whether two links, attached objects or obstacles, by their names, may collide, and so are not compared.
    fn is_allowed(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<bool> {
        let known = self.lock(py)?.is_allowed(a, b);
        self.known(py, known, a, b)
    }

    /// Sets whether a link, an attached object or an obstacle, by its name, may collide in pairs for which nothing else is set;
    /// None, the initial value, is no default.
    #[pyo3(signature = (name, allowed))]
    fn set_default(&self, py: Python<'_>, name: &str, allowed: Option<bool>) -> PyResult<()> {
        let known = self.lock(py)?.set_default(name, allowed);
        self.known(py, known.then_some(()), name, name)
    }

    /// Attaches a body to a link, such as what a gripper holds: it moves with it in all queries.
    ///
    /// It is compared with all obstacles, links and attached objects, but for its link, what else is attached to that, and
    /// its touch links. An object of several bodies is added as an obstacle first, and then attached with `attach_obstacle`.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name of the object, which nothing else may have.
    /// link : str
    ///     The name of the link.
    /// shape : Superovoids or array_like, shape (7,), ConvexShape, TriMesh, BoxSet, HeightField or Superquadric
    ///     The body.
    /// pose : array_like, shape (7,) or (4, 4)
    ///     Its pose in the frame of the link.
    /// touch_links : sequence of str
    ///     The names of other links and attached objects that it may touch.
    ///
    /// Returns
    /// -------
    /// int
    ///     Its id, which contacts name as ``attached_a`` or ``attached_b``.
    #[pyo3(signature = (name, link, shape, pose, *, touch_links = Vec::new()))]
    fn attach(
        &self,
        py: Python<'_>,
        name: &str,
        link: &str,
        shape: &Bound<'_, PyAny>,
        pose: &Bound<'_, PyAny>,
        touch_links: Vec<String>,
    ) -> PyResult<i64> {
        let (shape, pose) = (one_body(shape, "shape")?, Poses::one(pose, "pose")?);
        let touching: Vec<&str> = touch_links.iter().map(String::as_str).collect();
        let id = self.lock(py)?.attach(name, link, shape, pose, &touching);
        Ok(id.map_err(refused)?.number() as i64)
    }

    /// Attaches all obstacles of a name to a link, at the poses relative to the link that they have in a configuration, shape
    /// (position_count,). Their ids stay.
    #[pyo3(signature = (name, link, configuration, *, touch_links = Vec::new()))]
    fn attach_obstacle(
        &self,
        py: Python<'_>,
        name: &str,
        link: &str,
        configuration: &Bound<'_, PyAny>,
        touch_links: Vec<String>,
    ) -> PyResult<()> {
        let at = self.one((configuration, "configuration"))?;
        let touching: Vec<&str> = touch_links.iter().map(String::as_str).collect();
        let attached = self.lock(py)?.attach_obstacle(name, link, &touching, &at);
        attached.map_err(refused)
    }

    /// Detaches an object. With a configuration, shape (position_count,), its bodies are obstacles from then on, where they are
    /// in it, with the same ids; without one they are removed. Its touch links and its padding end.
    #[pyo3(signature = (name, left_at = None))]
    fn detach(
        &self,
        py: Python<'_>,
        name: &str,
        left_at: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let left_at = left_at.map(|at| self.one((at, "left_at"))).transpose()?;
        self.lock(py)?
            .detach(name, left_at.as_ref())
            .map_err(refused)
    }

    /// The attached bodies, those that were attached first first.
    #[getter]
    fn attached(&self, py: Python<'_>) -> PyResult<Vec<AttachedBody>> {
        let scene = self.lock(py)?;
        Ok(scene.attached().map(AttachedBody::from).collect())
    }

    /// Pads a link or an attached object: its bodies are taken to be larger by so many metres on all sides. All its pairs
    /// count it: their distances are less by the paddings of both. 0 ends it.
    fn set_padding(&self, py: Python<'_>, name: &str, metres: f64) -> PyResult<()> {
        self.lock(py)?.set_padding(name, metres).map_err(refused)
    }

    /// Returns the padding of a link or an attached object, metres.
    fn padding(&self, py: Python<'_>, name: &str) -> PyResult<f64> {
        let padding = self.lock(py)?.padding(name);
        self.known(py, padding, name, name)
    }

    /// Pads a pair in addition to the paddings of both: two links or attached objects, or one of them and an obstacle.
    fn set_pair_padding(&self, py: Python<'_>, a: &str, b: &str, metres: f64) -> PyResult<()> {
        self.lock(py)?
            .set_pair_padding(a, b, metres)
            .map_err(refused)
    }

    /// Returns the padding of a pair in addition to the paddings of both, metres.
    fn pair_padding(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<f64> {
        let padding = self.lock(py)?.pair_padding(a, b);
        self.known(py, padding, a, b)
    }

    /// Multiplies the collision shapes of a link by a factor, each about the origin of its own frame; 1 are those of the robot
    /// again. Objects that are attached to the link are not scaled.
    fn set_scale(&self, py: Python<'_>, link: &str, factor: f64) -> PyResult<()> {
        self.lock(py)?.set_scale(link, factor).map_err(refused)
    }

    /// Leaves out the pairs that an SRDF file disables. Returns warnings, of links that the robot does not have.
    fn apply_srdf(&self, py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
        refuse_text(&path, "SRDF", "a file with that text")?;
        let srdf = Srdf::from_srdf_file(&path)
            .map_err(|error| PyValueError::new_err(format!("{}: {error}", path.display())))?;
        let warnings = self.lock(py)?.apply_srdf(&srdf);
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
        let of = self.asked(configurations)?;
        // Several threads clone the scene for their parts, and other calls come meanwhile.
        let scene = self.lock(py)?.clone();
        let found = Self::map(&scene, py, &of, threads, |scene, q| {
            scene.contacts(q, &options)
        })?;
        let rows = found.into_iter().enumerate();
        let rows = rows.flat_map(|(k, rows)| rows.into_iter().map(move |row| (k, row)));
        Ok(RobotContacts::new(&scene, rows))
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
        let of = self.asked(configurations)?;
        let mut scene = self.lock(py)?;
        let batch = |scene: &mut superovoid_robot::scene::RobotScene,
                     all: &[Configuration],
                     threads| { scene.closest_batch(all, &options, threads) };
        let found = Self::batch(&mut scene, py, &of, threads, batch, |scene, q| {
            scene.closest(q, &options)
        })?;
        let rows = found.into_iter().enumerate();
        let rows = rows.filter_map(|(k, row)| row.map(|row| (k, row)));
        Ok(RobotContacts::new(&scene, rows))
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
        let of = self.asked(configurations)?;
        let mut scene = self.lock(py)?;
        let batch = |scene: &mut superovoid_robot::scene::RobotScene,
                     all: &[Configuration],
                     threads| { scene.clearance_batch(all, &options, threads) };
        let query = |scene: &mut superovoid_robot::scene::RobotScene, q: &Configuration| {
            let one = scene.clearance_batch(std::slice::from_ref(q), &options, 1)?;
            Ok(one[0])
        };
        let found = Self::batch(&mut scene, py, &of, threads, batch, query)?;
        drop(scene);
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
        let of = self.asked(configurations)?;
        let mut scene = self.lock(py)?;
        let batch =
            |scene: &mut superovoid_robot::scene::RobotScene, all: &[Configuration], threads| {
                scene.in_collision_batch(all, &options, threads)
            };
        let query = |scene: &mut superovoid_robot::scene::RobotScene, q: &Configuration| {
            scene.in_collision(q, &options)
        };
        let found = Self::batch(&mut scene, py, &of, threads, batch, query)?;
        drop(scene);
        array(py, &of.all.axes, &[], found)
    }

    /// Returns the index of a configuration, shape (n, position_count), that is in collision, for instance of the states along a
    /// path; None if every one is proven to be free, which says nothing about those between them. The ends and the middle are
    /// asked first, then the quarters and so on, and the query ends with the first eight of which one is in collision.
    fn find_collision(
        &self,
        py: Python<'_>,
        configurations: &Bound<'_, PyAny>,
    ) -> PyResult<Option<usize>> {
        let of = self.asked(configurations)?;
        let options = SceneOptions::default();
        let scene = &mut *self.lock(py)?;
        let found = py.detach(|| scene.find_collision(&of.lists[0], &options));
        found.map_err(refused)
    }

    /// Returns the number k, from 1 to count, of a state that is in collision among those at k/count of the straight line between
    /// two configurations, shape (position_count,); None if every one is proven to be free. The start is not among them, and
    /// otherwise it is like `find_collision`, faster.
    fn find_collision_between(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        count: usize,
    ) -> PyResult<Option<usize>> {
        let start = self.one((start, "start"))?;
        let end = self.one((end, "end"))?;
        let options = SceneOptions::default();
        let scene = &mut *self.lock(py)?;
        let found = py.detach(|| scene.find_collision_between(&start, &end, count, &options));
        found.map_err(refused)
    }

    /// Returns whether the straight lines between configurations are free, among the obstacles where they are and among
    /// the links, with a proof and not by samples. The arguments are those of `Robot.edge_free`; where max_time, seconds, ends, the
    /// edges that are left are undecided.
    #[pyo3(signature = (start, end, *, min_separation = 0.0, first_contact = true, max_time = None, threads = None))]
    #[allow(clippy::too_many_arguments)]
    fn edge_free(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        min_separation: f64,
        first_contact: bool,
        max_time: Option<f64>,
        threads: Option<usize>,
    ) -> PyResult<Edges> {
        let options = edge_options(min_separation, first_contact, max_time)?;
        threads.map_or(Ok(()), check_threads)?;
        let of = Configurations::new(&self.robot, &[(start, "start"), (end, "end")])?;
        let [starts, ends] = [&of.lists[0], &of.lists[1]];
        let scene = &mut *self.lock(py)?;
        let found = py.detach(|| {
            let edges = starts.iter().zip(ends);
            let edges: Vec<_> = edges.map(|(a, b)| [a.clone(), b.clone()]).collect();
            let found = scene.edge_free_batch(&edges, &options, threads.unwrap_or(0));
            let Err(error) = found else {
                return found.map_err(|error| Failed { index: 0, error });
            };
            // Single edges tell which of them has the error.
            let mut edges = edges.iter().enumerate();
            Err(edges
                .find_map(|(index, [a, b])| {
                    let error = scene.edge_free(a, b, &options).err()?;
                    Some(Failed { index, error })
                })
                .unwrap_or(Failed { index: 0, error }))
        });
        let found = found.map_err(|failed| of.all.error(failed.index, &failed.error))?;
        let all = found.into_iter().map(|answer| Edge::of(scene, answer));
        Ok(Edges {
            all: all.collect(),
            axes: of.all.axes,
        })
    }

    /// Returns whether the motion along a `Spline` is free, as `edge_free` does for a straight line; ``safe`` and ``touching`` are
    /// times of the spline. Planar and floating joints must rest.
    #[pyo3(signature = (spline, *, min_separation = 0.0, first_contact = true, max_time = None))]
    fn spline_free(
        &self,
        py: Python<'_>,
        spline: &Bound<'_, Spline>,
        min_separation: f64,
        first_contact: bool,
        max_time: Option<f64>,
    ) -> PyResult<Edges> {
        let options = edge_options(min_separation, first_contact, max_time)?;
        let spline = &spline.get().spline;
        let scene = &mut *self.lock(py)?;
        let found = py.detach(|| scene.spline_free(spline, &options));
        let all = vec![Edge::of(scene, found.map_err(refused)?)];
        let axes = Vec::new();
        Ok(Edges { axes, all })
    }

    /// Returns a box of configurations around a free one, in all of which every pair is proven to be farther apart than the minimum
    /// separation. It is as large as was found.
    ///
    /// Parameters
    /// ----------
    /// configuration : array_like, shape (position_count,)
    ///     Metres and radians.
    /// min_separation : float, default 0
    ///     The distance (metres) that every pair must keep.
    /// resolution : float, default 1e-3
    ///     The motion (metres) of the bodies below which a face is not moved farther.
    /// max_states : int, default 20000
    ///     The number of configurations after which the region is not grown farther.
    ///
    /// Returns
    /// -------
    /// FreeRegion
    ///     The range of each joint within its limits; a joint that turns without limits goes at most half a turn each way.
    #[pyo3(signature = (configuration, *, min_separation = 0.0, resolution = 1e-3, max_states = 20_000))]
    fn free_region(
        &self,
        py: Python<'_>,
        configuration: &Bound<'_, PyAny>,
        min_separation: f64,
        resolution: f64,
        max_states: usize,
    ) -> PyResult<FreeRegion> {
        let options = RegionOptions::default()
            .with_min_separation(min_separation)
            .with_resolution(resolution)
            .with_max_states(max_states);
        let at = self.one((configuration, "configuration"))?;
        let scene = &mut *self.lock(py)?;
        let found = py.detach(|| scene.free_region(&at, &options));
        Ok(found.map_err(refused)?.into())
    }

    /// Returns how many configurations each step of `in_collision`, `find_collision`, `find_collision_between` and `plan` has
    /// decided since the scene was made or copied. The verdict is the same whichever step gives it.
    ///
    /// Returns
    /// -------
    /// dict of str to int
    ///     ``bounds``: balls around and inside the bodies, and boxes; ``directions`` that separate the bodies; ``hulls``: distances
    ///     of the hulls of the bodies; ``pieces``: directions and hulls of pieces of meshes; ``contacts`` of the bodies as they are.
    ///     Configurations are decided eight at a time, and each counts for the most expensive step that was asked in its eight.
    ///     Where they are answered one by one, because there are very many obstacles, they count none; nor do those of a `plan`
    ///     with ``progress``, which works on a copy.
    fn step_counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let scene = self.lock(py)?;
        let earlier = *self.earlier.lock().unwrap_or_else(PoisonError::into_inner);
        sums(py, counts(&scene), earlier)
    }

    /// Returns an independent scene with the same ids.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let scene = self.lock(py)?.clone();
        Ok(RobotScene::of(Arc::clone(&self.robot), scene))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (scene, robot) = (self.lock(py)?, &self.robot);
        let of_robot = robot.collision_body_count() + scene.attached().count();
        let obstacles = scene.scene().len() - of_robot;
        Ok(format!(
            "<RobotScene of {:?} and {obstacles} obstacles>",
            robot.name()
        ))
    }
}

impl RobotScene {
    /// Returns what is known of two names, or the error of the one that nothing has.
    fn known<T>(&self, py: Python<'_>, known: Option<T>, a: &str, b: &str) -> PyResult<T> {
        if let Some(known) = known {
            return Ok(known);
        }
        let scene = self.lock(py)?;
        let missing = if scene.scene().find_group(a).is_none() {
            a
        } else {
            b
        };
        let problem = format!("there is no link, attached object or obstacle {missing:?}");
        Err(PyValueError::new_err(problem))
    }

    /// Returns what the scene is asked about.
    fn asked(&self, configurations: &Bound<'_, PyAny>) -> PyResult<Configurations> {
        Configurations::new(&self.robot, &[(configurations, "configurations")])
    }

    /// Returns one configuration.
    fn one(&self, argument: (&Bound<'_, PyAny>, &str)) -> PyResult<Configuration> {
        one_configuration(&self.robot, argument)
    }
}
