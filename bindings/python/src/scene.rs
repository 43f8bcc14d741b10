//! `Scene`: bodies and obstacles that come, move and go, and the contacts among them.

use crate::array_input::{Index, whole_numbers};
use crate::array_output::array;
use crate::arrow::{Column, stream, table};
use crate::bodies::{BoxSet, ConvexShape, HalfSpace, HeightField, Superquadric, TriMesh};
use crate::body_contact::BodyArgument;
use crate::broadcast::{Broadcast, place};
use crate::contacts::Contacts;
use crate::options::depth_mode;
use crate::poses::{Poses, numbers};
use crate::shapes::Superovoids;
use crate::state::{self, CONTACT, Reduced, Table, reduced};
use nalgebra::Isometry3;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyCapsule, PyType};
use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};
use superovoid::pose::from_quaternion;
use superovoid::{QueryOptions, Shape};
use superovoid_robot::scene::{BodyId, SceneContact, SceneError, SceneOptions};

/// Bodies and obstacles that come, move and go, and the contacts among them.
///
/// Each belongs to a group, a name such as that of a link or an object. Bodies are compared with all bodies and obstacles of
/// other groups, obstacles with bodies only. A broad phase leaves out pairs that are too far apart, and warm starts are kept
/// for the pairs that stay close; neither changes what is proven. Ids are whole numbers and are never used twice.
///
/// Examples
/// --------
/// >>> import superovoid
/// >>> scene = superovoid.Scene()
/// >>> ground = scene.add_obstacle("table", superovoid.HalfSpace([0, 0, 1], 0), [0, 0, 0, 0, 0, 0, 1])
/// >>> egg = scene.add("egg", [0.02, 0.02, 0.03, 1, 1, 0.2, 0.2], [0, 0, 0.035, 0, 0, 0, 1])
/// >>> round(float(scene.closest().contacts.distance[0]), 9)
/// 0.005
/// >>> scene.move_to(egg, [0, 0, 0.02, 0, 0, 0, 1])
/// >>> scene.in_collision()
/// True
#[pyclass(frozen, module = "superovoid")]
pub struct Scene {
    scene: Mutex<superovoid_robot::scene::Scene>,
}

/// Adds what two arguments broadcast to, all of it or nothing, and returns the ids.
pub fn add_all<'py, S: Clone, E: Display>(
    py: Python<'py>,
    scene: &mut S,
    shape: &Bound<'py, PyAny>,
    pose: &Bound<'py, PyAny>,
    add: impl Fn(&mut S, Shape, Isometry3<f64>) -> Result<BodyId, E>,
) -> PyResult<Bound<'py, PyAny>> {
    let shapes = BodyArgument::new(shape, "shape")?;
    let poses = Poses::new(pose, "pose")?;
    let all = Broadcast::of(&[("shape", shapes.lead()), ("pose", poses.lead())])?;
    let index = Index::of_list(shapes.lead(), &all.axes);
    let reader = poses.reader(&all.axes);
    let add_to = |scene: &mut S, k: usize| {
        let shape = shapes.shape(index.offset(k) as usize);
        let added = reader.pose(k).and_then(|pose| {
            let added = add(scene, shape, pose);
            added.map_err(|error| error.to_string())
        });
        added.map_err(|error| all.error(k, &error))
    };
    let ids = if all.count == 1 {
        vec![add_to(scene, 0)?]
    } else {
        let mut next = scene.clone();
        let ids = (0..all.count).map(|k| add_to(&mut next, k));
        let ids = ids.collect::<PyResult<Vec<_>>>()?;
        *scene = next;
        ids
    };
    let numbers = ids.iter().map(|id| id.number() as i64).collect();
    array(py, &all.axes, &[], numbers)
}

/// Moves bodies, all of them or none.
pub fn move_all<S, E: Display>(
    scene: &mut S,
    ids: &Ids,
    moves: &[(BodyId, Isometry3<f64>)],
    pose: impl Fn(&S, BodyId) -> Option<Isometry3<f64>>,
    move_to: impl Fn(&mut S, BodyId, Isometry3<f64>) -> Result<(), E>,
) -> PyResult<()> {
    let mut before = Vec::with_capacity(moves.len());
    for (k, &(id, to)) in moves.iter().enumerate() {
        let from = pose(scene, id);
        if let Err(error) = move_to(scene, id, to) {
            // A body that is moved twice goes back to where it was first.
            for (id, pose) in before.into_iter().rev() {
                // It was at this pose.
                let _ = move_to(scene, id, pose);
            }
            let problem = format!("{}{error}", place(&ids.axes, k));
            return Err(PyValueError::new_err(problem));
        }
        before.extend(from.map(|pose| (id, pose)));
    }
    Ok(())
}

/// A body as it is pickled: its id, the index of its group, its shape, its pose, and whether it is an obstacle.
type KeptBody<'py> = (u64, usize, Bound<'py, PyAny>, [f64; 7], bool);

/// An argument of ids, with the axes of its array.
pub struct Ids {
    pub axes: Vec<usize>,
    pub all: Vec<BodyId>,
}

impl Ids {
    pub fn new(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let numpy = value.py().import("numpy")?;
        let axes: Vec<usize> = numpy.call_method1("shape", (value,))?.extract()?;
        let flat = numpy.call_method1("reshape", (value, (-1, 1)))?;
        let numbers = whole_numbers::<u64, 1>(&flat, "id")?;
        let all = numbers
            .iter()
            .map(|[id]| BodyId::from_number(*id))
            .collect();
        Ok(Ids { axes, all })
    }

    /// Pairs the ids with poses that broadcast with them. A single pose serves all ids.
    pub fn with_poses(&self, pose: &Bound<'_, PyAny>) -> PyResult<Vec<(BodyId, Isometry3<f64>)>> {
        let poses = Poses::new(pose, "pose")?;
        let all = Broadcast::of(&[("id", &self.axes), ("pose", poses.lead())])?;
        if all.axes != self.axes {
            let problem = format!("pose has the axes {:?}, more than id", poses.lead());
            return Err(PyValueError::new_err(problem));
        }
        let reader = poses.reader(&all.axes);
        let pair = |k: usize| {
            let pose = reader.pose(k).map_err(|error| all.error(k, &error))?;
            Ok((self.all[k], pose))
        };
        (0..all.count).map(pair).collect()
    }
}

/// Returns the options of a query of scenes.
pub fn scene_options(max_distance: f64, tolerance: f64, depth: &str) -> PyResult<SceneOptions> {
    Ok(SceneOptions::default()
        .with_max_distance(max_distance)
        .with_query(
            QueryOptions::default()
                .with_tolerance(tolerance)
                .with_depth(depth_mode(depth)?),
        ))
}

/// The contacts of a scene: a row for each pair, closest or deepest first.
#[pyclass(frozen, module = "superovoid")]
pub struct SceneContacts {
    all: Vec<SceneContact>,
}

impl SceneContacts {
    fn columns(&self) -> PyResult<Vec<Column>> {
        let ids = |name: &str, of: fn(&SceneContact) -> BodyId| {
            Column::whole(name, self.all.iter().map(|row| of(row).number() as i64))
        };
        let mut columns = vec![ids("a", |row| row.a), ids("b", |row| row.b)];
        columns.extend(self.contacts().columns()?);
        Ok(columns)
    }
}

#[pymethods]
impl SceneContacts {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (me, py) = (slf.get(), slf.py());
        let ids = |row: &SceneContact| {
            let part = row.part.map_or(-1, i64::from);
            [row.a.number() as i64, row.b.number() as i64, part]
        };
        let ids = state::table(py, me.all.iter().map(ids))?;
        let contacts = me.all.iter().map(|row| state::of_contact(&row.contact));
        reduced(slf, "_restored", (ids, state::table(py, contacts)?))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(
        _: &Bound<'_, PyType>,
        ids: Table<3, i64>,
        contacts: Table<CONTACT>,
    ) -> PyResult<Self> {
        let all = ids.with(&contacts, |&[a, b, part], contact| {
            let [a, b] = [a, b].map(|id| BodyId::from_number(id as u64));
            let (part, contact) = (u32::try_from(part).ok(), state::contact(contact)?);
            Ok(SceneContact::new(a, b, part, contact))
        })?;
        Ok(SceneContacts { all })
    }

    /// The ids of the bodies A, int64, shape (rows,).
    #[getter]
    fn a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ids(py, |row| row.a)
    }

    /// The ids of the bodies B, which may be obstacles, int64, shape (rows,).
    #[getter]
    fn b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ids(py, |row| row.b)
    }

    /// The contacts of the rows, in the world; ``part_b`` is the triangle or box of B.
    #[getter]
    fn contacts(&self) -> Contacts {
        let part = |row: &SceneContact| row.part.map_or(-1, i64::from);
        Contacts {
            parts: [None, Some(self.all.iter().map(part).collect())],
            ..Contacts::new(
                vec![self.all.len()],
                self.all.iter().map(|row| row.contact).collect(),
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

    fn __repr__(&self) -> String {
        match self.all.first() {
            Some(row) => format!(
                "<SceneContacts: {} pairs, the least distance {}>",
                self.all.len(),
                row.contact.distance
            ),
            None => "<SceneContacts: none>".to_owned(),
        }
    }
}

impl SceneContacts {
    fn ids<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&SceneContact) -> BodyId,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ids = self.all.iter().map(|row| of(row).number() as i64).collect();
        array(py, &[self.all.len()], &[], ids)
    }
}

/// Returns the shape of an obstacle as an object of this package.
fn of_obstacle<'py>(py: Python<'py>, shape: &Shape) -> PyResult<Bound<'py, PyAny>> {
    Ok(match shape {
        Shape::Superovoid(body) => {
            let (axes, bodies) = (Vec::new(), vec![*body]);
            Bound::new(py, Superovoids { axes, bodies })?.into_any()
        }
        Shape::Convex(shape) => {
            let shape = shape.clone();
            Bound::new(py, ConvexShape { shape })?.into_any()
        }
        Shape::HalfSpace(half_space) => {
            let half_space = *half_space;
            Bound::new(py, HalfSpace { half_space })?.into_any()
        }
        Shape::Superquadric(body) => {
            let body = *body;
            Bound::new(py, Superquadric { body })?.into_any()
        }
        Shape::Mesh(mesh) => {
            let mesh = mesh.clone();
            Bound::new(py, TriMesh { mesh })?.into_any()
        }
        Shape::Boxes(boxes) => {
            let boxes = boxes.clone();
            Bound::new(py, BoxSet { boxes })?.into_any()
        }
        Shape::HeightField(field) => {
            let field = field.clone();
            Bound::new(py, HeightField { field })?.into_any()
        }
        _ => return Err(state::odd()),
    })
}

fn refused(error: SceneError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

impl Scene {
    /// Locks the scene. Whoever waits for it lets go of the interpreter meanwhile: another thread may hold the scene and
    /// wait for the interpreter.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, superovoid_robot::scene::Scene> {
        let locked = self.scene.lock_py_attached(py);
        locked.unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the scene on a thread that does not hold the interpreter.
    fn detached(&self) -> MutexGuard<'_, superovoid_robot::scene::Scene> {
        self.scene.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of_scene(scene: superovoid_robot::scene::Scene) -> Self {
        let scene = Mutex::new(scene);
        Scene { scene }
    }

    fn groups(
        &self,
        py: Python<'_>,
        a: &str,
        b: &str,
    ) -> PyResult<[superovoid_robot::scene::Group; 2]> {
        let scene = self.lock(py);
        let group = |name: &str| {
            let group = scene.find_group(name);
            group.ok_or_else(|| PyValueError::new_err(format!("the scene has no group {name:?}")))
        };
        Ok([group(a)?, group(b)?])
    }
}

#[pymethods]
impl Scene {
    #[new]
    fn new() -> Self {
        Scene::of_scene(superovoid_robot::scene::Scene::new())
    }

    /// Adds bodies: they are compared with all other bodies and with all obstacles, of other groups.
    ///
    /// Parameters
    /// ----------
    /// group : str
    ///     The name of their group; bodies of one group are never compared.
    /// shape : Superovoids or array_like, shape (..., 7), ConvexShape, TriMesh, BoxSet, HeightField or Superquadric
    ///     The shapes.
    /// pose : array_like, shape (..., 7) or (..., 4, 4)
    ///     Their poses in the world.
    ///
    /// Returns
    /// -------
    /// ndarray of int64, shape (...)
    ///     Their ids.
    fn add<'py>(
        &self,
        py: Python<'py>,
        group: &str,
        shape: &Bound<'py, PyAny>,
        pose: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut scene = self.lock(py);
        let group = scene.group(group);
        add_all(py, &mut *scene, shape, pose, |scene, shape, pose| {
            scene.add(group, shape, pose)
        })
    }

    /// Adds obstacles: they are compared with all bodies of other groups, and not with other obstacles.
    ///
    /// Parameters
    /// ----------
    /// group, pose
    ///     As those of `add`.
    /// shape : Superovoids or array_like, shape (..., 7), ConvexShape, TriMesh, BoxSet, HeightField, Superquadric or HalfSpace
    ///     The shapes.
    ///
    /// Returns
    /// -------
    /// ndarray of int64, shape (...)
    ///     Their ids.
    fn add_obstacle<'py>(
        &self,
        py: Python<'py>,
        group: &str,
        shape: &Bound<'py, PyAny>,
        pose: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut scene = self.lock(py);
        let group = scene.group(group);
        add_all(py, &mut *scene, shape, pose, |scene, shape, pose| {
            scene.add_obstacle(group, shape, pose)
        })
    }

    /// Moves bodies or obstacles. If one of them is refused, none is moved.
    ///
    /// Parameters
    /// ----------
    /// id : array_like of whole numbers, shape (...)
    ///     Their ids.
    /// pose : array_like, shape (..., 7) or (..., 4, 4)
    ///     Their new poses, one for each id or one for all.
    fn move_to(
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
            |scene, id| scene.pose(id).ok(),
            |scene, id, pose| scene.move_to(id, pose),
        )
    }

    /// Removes bodies or obstacles by their ids, array_like of whole numbers. If one is not there, none is removed.
    fn remove(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids = Ids::new(id)?;
        let mut scene = self.lock(py);
        for &id in &ids.all {
            scene.pose(id).map_err(refused)?;
        }
        let mut all = ids.all;
        all.sort();
        all.dedup();
        all.into_iter()
            .try_for_each(|id| scene.remove(id))
            .map_err(refused)
    }

    /// Returns the poses of bodies or obstacles, shape (..., 7), by their ids.
    fn pose<'py>(&self, py: Python<'py>, id: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let ids = Ids::new(id)?;
        let scene = self.lock(py);
        let poses = ids.all.iter().map(|&id| scene.pose(id).map_err(refused));
        let poses = poses.collect::<PyResult<Vec<_>>>()?;
        array(
            py,
            &ids.axes,
            &[7],
            poses.iter().flat_map(numbers).collect(),
        )
    }

    /// Returns the name of the group of a body or an obstacle.
    fn group_of(&self, py: Python<'_>, id: u64) -> PyResult<String> {
        let scene = self.lock(py);
        let group = scene.group_of(BodyId::from_number(id)).map_err(refused)?;
        Ok(scene.group_name(group).unwrap_or_default().to_owned())
    }

    /// Lets two groups, by their names, collide: they are not compared.
    fn allow(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<()> {
        let [a, b] = self.groups(py, a, b)?;
        self.lock(py).allowed_mut().allow(a, b);
        Ok(())
    }

    /// Compares two groups again, by their names.
    fn forbid(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<()> {
        let [a, b] = self.groups(py, a, b)?;
        self.lock(py).allowed_mut().forbid(a, b);
        Ok(())
    }

    /// Returns the contact of every pair that is not proven to be farther apart than the maximum distance, closest first.
    ///
    /// Parameters
    /// ----------
    /// max_distance : float, default inf
    ///     Metres.
    /// tolerance : float, default 0
    ///     As that of `contact`.
    /// depth : {"fast", "certified", "any"}
    ///     As that of `contact`.
    ///
    /// Returns
    /// -------
    /// SceneContacts
    ///     A row for each pair.
    #[pyo3(signature = (*, max_distance = f64::INFINITY, tolerance = 0.0, depth = "fast"))]
    fn contacts(
        &self,
        py: Python<'_>,
        max_distance: f64,
        tolerance: f64,
        depth: &str,
    ) -> PyResult<SceneContacts> {
        let options = scene_options(max_distance, tolerance, depth)?;
        let all = py
            .detach(|| self.detached().contacts(&options))
            .map_err(refused)?;
        Ok(SceneContacts { all })
    }

    /// Returns the first of the contacts alone, faster: a single row, or none if no pair is within the maximum distance.
    #[pyo3(signature = (*, max_distance = f64::INFINITY, tolerance = 0.0, depth = "fast"))]
    fn closest(
        &self,
        py: Python<'_>,
        max_distance: f64,
        tolerance: f64,
        depth: &str,
    ) -> PyResult<SceneContacts> {
        let options = scene_options(max_distance, tolerance, depth)?;
        let found = py
            .detach(|| self.detached().closest(&options))
            .map_err(refused)?;
        let all = found.into_iter().collect();
        Ok(SceneContacts { all })
    }

    /// Returns whether any pair touches or overlaps: False is proven for every pair, and what is undecided counts as a
    /// collision.
    fn in_collision(&self, py: Python<'_>) -> PyResult<bool> {
        let options = SceneOptions::default();
        py.detach(|| self.detached().in_collision(&options))
            .map_err(refused)
    }

    /// Returns an independent scene with the same ids.
    fn copy(&self, py: Python<'_>) -> Self {
        Scene::of_scene(self.lock(py).clone())
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy(py)
    }

    /// A pickle keeps ids, groups and what may collide; warm starts are left behind.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let py = slf.py();
        let scene = slf.get().lock(py).clone();
        let groups: Vec<&str> = scene.group_names().collect();
        let pairs = scene.allowed().pairs();
        let pairs: Vec<_> = pairs
            .map(|(a, b, allowed)| (a.index(), b.index(), allowed))
            .collect();
        let body = |id: BodyId| {
            let group = scene.group_of(id).map_err(refused)?.index();
            let shape = of_obstacle(py, scene.shape(id).map_err(refused)?)?;
            let pose = numbers(&scene.pose(id).map_err(refused)?);
            let obstacle = scene.is_obstacle(id).map_err(refused)?;
            Ok((id.number(), group, shape, pose, obstacle))
        };
        let bodies = scene.ids().map(body).collect::<PyResult<Vec<_>>>()?;
        let free: Vec<u64> = scene.free_ids().map(BodyId::number).collect();
        reduced(slf, "_restored", (groups, pairs, bodies, free))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(
        _: &Bound<'_, PyType>,
        groups: Vec<String>,
        pairs: Vec<(usize, usize, bool)>,
        bodies: Vec<KeptBody<'_>>,
        free: Vec<u64>,
    ) -> PyResult<Self> {
        let ids: Vec<_> = bodies
            .iter()
            .map(|body| BodyId::from_number(body.0))
            .collect();
        let free: Vec<_> = free.into_iter().map(BodyId::from_number).collect();
        let scene = superovoid_robot::scene::Scene::with_ids(&ids, &free);
        let mut scene = scene.ok_or_else(state::odd)?;
        let groups: Vec<_> = groups.iter().map(|name| scene.group(name)).collect();
        let group = |index: usize| groups.get(index).copied().ok_or_else(state::odd);
        for (a, b, allowed) in pairs {
            let (a, b) = (group(a)?, group(b)?);
            if allowed {
                scene.allowed_mut().allow(a, b);
            } else {
                scene.allowed_mut().forbid(a, b);
            }
        }
        for (_, index, shape, [x, y, z, qx, qy, qz, qw], obstacle) in bodies {
            let shape = match BodyArgument::new(&shape, "shape")? {
                BodyArgument::Superovoids(shapes) if shapes.get().bodies.len() != 1 => {
                    return Err(state::odd());
                }
                shape => shape.shape(0),
            };
            let pose = from_quaternion([x, y, z], [qx, qy, qz, qw]).map_err(|_| state::odd())?;
            let added = if obstacle {
                scene.add_obstacle(group(index)?, shape, pose)
            } else {
                scene.add(group(index)?, shape, pose)
            };
            added.map_err(refused)?;
        }
        Ok(Scene::of_scene(scene))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.lock(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Scene of {} bodies and obstacles>", self.lock(py).len())
    }
}
