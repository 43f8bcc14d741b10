//! `World`: scenes of cloth and rigid bodies in motion. `Recording`: what was recorded of one.

use crate::array_output::array;
use crate::world_contacts::{ClothContacts, WorldContacts};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyType;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use superovoid_sim as sim;
use superovoid_sim::recording::{self, RecordingWriter};
use superovoid_sim::{ClothState, State, scenes};

/// A scene of cloth and rigid bodies in motion, by position-based dynamics on exact contacts.
///
/// Parameters
/// ----------
/// scene : str
///     A scene as JSON text, as ``docs/guides/scenes.md`` describes it, or the name of a ready scene, see `ready_scenes`.
/// threads : int, default 1
///     The number of threads; the bits do not depend on it.
///
/// Examples
/// --------
/// >>> import superovoid
/// >>> world = superovoid.World("stack")
/// >>> world.step(60)
/// >>> world.poses.shape, round(world.time, 6)
/// ((11, 7), 1.0)
#[pyclass(frozen, module = "superovoid")]
pub struct World {
    world: Mutex<sim::World>,
    scene: sim::Scene,
}

fn scene_of(text: &str) -> PyResult<sim::Scene> {
    if text.trim_start().starts_with('{') {
        let scene = sim::Scene::from_json(text);
        return scene.map_err(|error| PyValueError::new_err(format!("scene: {error}")));
    }
    scenes::ready(text).ok_or_else(|| {
        let names: Vec<_> = scenes::READY.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        PyValueError::new_err(format!(
            "scene {text:?} is neither JSON nor a ready scene; those are {names}"
        ))
    })
}

/// Returns the names of the ready scenes with a line about each, a dict.
#[pyfunction]
pub fn ready_scenes() -> std::collections::BTreeMap<&'static str, &'static str> {
    scenes::READY.iter().copied().collect()
}

/// Returns a pose in the order of this package from a position and a quaternion w x y z.
fn pose<T: Copy>([x, y, z]: [T; 3], [qw, qx, qy, qz]: [T; 4]) -> [T; 7] {
    [x, y, z, qx, qy, qz, qw]
}

impl World {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, sim::World> {
        let locked = self.world.lock_py_attached(py);
        locked.unwrap_or_else(PoisonError::into_inner)
    }

    fn vectors<'py, T>(
        &self,
        py: Python<'py>,
        of: impl Fn(&State) -> Vec<T>,
        numbers: impl Fn(&T) -> Vec<f64>,
        width: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let all = of(self.lock(py).state());
        let count = all.len();
        array(
            py,
            &[count],
            &[width],
            all.iter().flat_map(numbers).collect(),
        )
    }

    fn cloth<'py>(
        &self,
        py: Python<'py>,
        index: usize,
        of: impl Fn(&ClothState) -> &Vec<[f64; 3]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let all = {
            let world = self.lock(py);
            let cloths = &world.state().cloths;
            let cloth = cloths.get(index).ok_or_else(|| {
                PyIndexError::new_err(format!("cloth {index}: the scene has {}", cloths.len()))
            })?;
            of(cloth).clone()
        };
        array(py, &[all.len()], &[3], all.concat())
    }
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (scene, *, threads = 1))]
    fn new(py: Python<'_>, scene: &str, threads: usize) -> PyResult<Self> {
        crate::broadcast::check_threads(threads)?;
        let scene = scene_of(scene)?;
        let world = py.detach(|| sim::World::new(&scene));
        let mut world = world.map_err(|error| PyValueError::new_err(format!("scene: {error}")))?;
        world.set_threads(threads);
        Ok(World {
            world: Mutex::new(world),
            scene,
        })
    }

    /// The scene as JSON text, with every number to its last bit.
    #[getter]
    fn scene(&self) -> String {
        self.scene.to_json()
    }

    /// The frames made since the start.
    #[getter]
    fn frame(&self, py: Python<'_>) -> u64 {
        self.lock(py).state().frame
    }

    /// The time since the start, seconds.
    #[getter]
    fn time(&self, py: Python<'_>) -> f64 {
        self.lock(py).state().time
    }

    /// The poses of the bodies, in the order of the scene, shape (bodies, 7).
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numbers = |body: &sim::BodyState| pose(body.position, body.orientation).to_vec();
        self.vectors(py, |state| state.bodies.clone(), numbers, 7)
    }

    /// The velocities of the bodies' centres of mass (m/s), then their angular velocities (rad/s), in the world, shape
    /// (bodies, 6).
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numbers = |body: &sim::BodyState| [body.velocity, body.angular_velocity].concat();
        self.vectors(py, |state| state.bodies.clone(), numbers, 6)
    }

    /// The number of cloths.
    #[getter]
    fn cloth_count(&self, py: Python<'_>) -> usize {
        self.lock(py).state().cloths.len()
    }

    /// Returns the vertices of a cloth, metres, shape (vertices, 3).
    #[pyo3(signature = (index = 0))]
    fn cloth_positions<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        self.cloth(py, index, |cloth| &cloth.positions)
    }

    /// Returns the velocities of the vertices of a cloth, m/s, shape (vertices, 3).
    #[pyo3(signature = (index = 0))]
    fn cloth_velocities<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        self.cloth(py, index, |cloth| &cloth.velocities)
    }

    /// Returns the points at which bodies pressed on each other in the last frame: none before the first one. Bodies that sleep
    /// keep the contacts of the frame in which they fell asleep.
    fn contacts(&self, py: Python<'_>) -> WorldContacts {
        let all = self.lock(py).contacts().collect();
        WorldContacts { all }
    }

    /// Returns the vertices of cloths that pressed on bodies in the last frame: none before the first one. Cloths that sleep
    /// keep the contacts of the frame in which they fell asleep.
    fn cloth_contacts(&self, py: Python<'_>) -> ClothContacts {
        let all = self.lock(py).cloth_contacts().collect();
        ClothContacts { all }
    }

    /// Advances the world by frames, without the interpreter's lock; Ctrl-C ends it between frames.
    ///
    /// Raises
    /// ------
    /// RuntimeError
    ///     The error says what diverged; the state is then the last good one.
    #[pyo3(signature = (frames = 1))]
    fn step(&self, py: Python<'_>, frames: u64) -> PyResult<()> {
        for _ in 0..frames {
            let stepped = py.detach(|| {
                let mut world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
                world.step()
            });
            stepped.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            py.check_signals()?;
        }
        Ok(())
    }

    /// Advances the world by frames and writes a recording of them and of the present state.
    ///
    /// Parameters
    /// ----------
    /// path : path-like
    ///     The file, which must not exist. It is there whole or not at all.
    /// frames : int
    ///     The number of frames.
    ///
    /// Raises
    /// ------
    /// OSError, RuntimeError
    ///     The file cannot be written, or the simulation diverges.
    fn record(&self, py: Python<'_>, path: PathBuf, frames: u64) -> PyResult<()> {
        if path.exists() {
            let problem = format!("{}: the file exists", path.display());
            return Err(pyo3::exceptions::PyFileExistsError::new_err(problem));
        }
        let mut part = path.clone().into_os_string();
        part.push(".part");
        let written = File::create(&part)
            .map_err(PyErr::from)
            .and_then(|file| self.record_to(py, file, frames));
        let done = written.and_then(|()| Ok(std::fs::rename(&part, &path)?));
        if done.is_err() {
            // What is left of it is of no use; that it cannot be removed changes nothing about the error.
            let _ = std::fs::remove_file(&part);
        }
        done
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let world = self.lock(py);
        let state = world.state();
        format!(
            "<World: {} bodies, {} cloths, {} s>",
            state.bodies.len(),
            state.cloths.len(),
            state.time
        )
    }
}

impl World {
    fn record_to(&self, py: Python<'_>, file: File, frames: u64) -> PyResult<()> {
        let mut writer = RecordingWriter::new(BufWriter::new(file), &self.scene)?;
        writer.frame(self.lock(py).state())?;
        for _ in 0..frames {
            self.step(py, 1)?;
            writer.frame(self.lock(py).state())?;
        }
        writer.finish()?;
        Ok(())
    }
}

/// A recording of a simulation, read from a file of `World.record` or of ``superovoid simulate``. Its numbers are of single
/// precision.
#[pyclass(frozen, module = "superovoid")]
pub struct Recording {
    recording: recording::Recording,
}

#[pymethods]
impl Recording {
    /// Reads a recording.
    ///
    /// Raises
    /// ------
    /// ValueError, OSError
    ///     The error names the file and what is wrong with it.
    #[classmethod]
    fn read(_: &Bound<'_, PyType>, py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let file = File::open(&path).map_err(|error| {
            std::io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        })?;
        let read = py.detach(|| recording::Recording::read(BufReader::new(file)));
        let recording =
            read.map_err(|error| PyValueError::new_err(format!("{}: {error}", path.display())))?;
        Ok(Recording { recording })
    }

    /// The scene as JSON text.
    #[getter]
    fn scene(&self) -> String {
        self.recording.scene.to_json()
    }

    /// The times of the frames, seconds, shape (frames,).
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = self
            .recording
            .frames
            .iter()
            .map(|frame| frame.time)
            .collect();
        array(py, &[self.recording.frames.len()], &[], all)
    }

    /// The indices in the scene of the bodies that can move, shape (moving,).
    #[getter]
    fn moving<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = self.recording.moving.iter().map(|&k| k as i64).collect();
        array(py, &[self.recording.moving.len()], &[], all)
    }

    /// The poses of these bodies in all frames, float32, shape (frames, moving, 7).
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let frames = &self.recording.frames;
        let bodies = frames.iter().flat_map(|frame| &frame.bodies);
        let numbers = bodies.flat_map(|body| pose(body.position, body.orientation));
        let axes = [frames.len(), self.recording.moving.len()];
        array(py, &axes, &[7], numbers.collect())
    }

    /// Returns the vertices of a cloth in all frames, float32, metres, shape (frames, vertices, 3).
    #[pyo3(signature = (index = 0))]
    fn cloth_positions<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let cloths = &self.recording.scene.cloths;
        let cloth = cloths.get(index).ok_or_else(|| {
            PyIndexError::new_err(format!("cloth {index}: the scene has {}", cloths.len()))
        })?;
        let frames = &self.recording.frames;
        let all = frames
            .iter()
            .flat_map(|frame| &frame.cloths[index].positions);
        let axes = [frames.len(), cloth.vertices.len()];
        array(py, &axes, &[3], all.flatten().copied().collect())
    }

    fn __len__(&self) -> usize {
        self.recording.frames.len()
    }

    fn __repr__(&self) -> String {
        format!("<Recording of {} frames>", self.recording.frames.len())
    }
}
