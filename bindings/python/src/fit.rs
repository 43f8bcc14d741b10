//! Superovoids fitted to points, meshes and robots.

use crate::array_input::whole_numbers;
use crate::array_output::array;
use crate::bodies::{TriMesh, point_list};
use crate::keep_free::Poses;
use crate::poses::numbers;
use crate::robot::refuse_text;
use crate::shapes::Superovoids;
use nalgebra::{Point3, Unit, Vector3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use superovoid_fit as fit;
use superovoid_fit::{
    Aim, Axis, Fallback, Family, FitOptions, Loss, MeshOptions, PartsOptions, ReadLimits, Report,
    RobotOptions, Target,
};

/// A superovoid that was fitted, with its pose.
#[pyclass(frozen, module = "superovoid")]
#[derive(Clone)]
pub struct Fit {
    fit: fit::Fit,
    report: Option<Report>,
}

#[pymethods]
impl Fit {
    /// The body, a single shape.
    #[getter]
    fn shape(&self) -> Superovoids {
        Superovoids {
            axes: Vec::new(),
            bodies: vec![self.fit.shape],
        }
    }

    /// Its pose in the frame of the points, shape (7,).
    #[getter]
    fn pose<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &[7], &[], numbers(&self.fit.pose).to_vec())
    }

    /// How well the body follows the mesh, metres and shares; None for a fit to points.
    ///
    /// The keys are ``mesh_to_body_rms``, ``mesh_to_body_p95``, ``mesh_to_body_max``, the same of ``body_to_mesh``, and, where
    /// the mesh has a volume, ``volume_to_mesh`` and ``volume_to_hull``.
    #[getter]
    fn report(&self) -> Option<BTreeMap<String, f64>> {
        let report = self.report?;
        let mut all = BTreeMap::new();
        let sides = [
            ("mesh_to_body", report.mesh_to_body),
            ("body_to_mesh", report.body_to_mesh),
        ];
        for (side, distances) in sides {
            all.insert(format!("{side}_rms"), distances.rms);
            all.insert(format!("{side}_p95"), distances.p95);
            all.insert(format!("{side}_max"), distances.max);
        }
        let volumes = [
            ("volume_to_mesh", report.volume_to_mesh),
            ("volume_to_hull", report.volume_to_hull),
        ];
        for (name, share) in volumes {
            all.extend(share.map(|share| (name.to_owned(), share)));
        }
        Some(all)
    }

    /// The time that the fit took, seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.fit.time.as_secs_f64()
    }

    fn __repr__(&self) -> String {
        let shape = &self.fit.shape;
        let ([a1, a2, a3], [e1, e2], [tx, ty]) =
            (shape.semi_axes(), shape.exponents(), shape.tapers());
        format!("<Fit: [{a1}, {a2}, {a3}, {e1}, {e2}, {tx}, {ty}]>")
    }
}

impl From<(fit::Fit, Option<Report>)> for Fit {
    fn from((fit, report): (fit::Fit, Option<Report>)) -> Self {
        Fit { fit, report }
    }
}

/// A robot whose collision shapes were fitted.
#[pyclass(frozen, module = "superovoid")]
pub struct FittedRobot {
    found: fit::FittedRobot,
    poses: Option<Poses>,
}

#[pymethods]
impl FittedRobot {
    /// The text of the URDF file with superovoids in it.
    #[getter]
    fn urdf(&self) -> &str {
        &self.found.urdf
    }

    /// The fits, in the order of the text.
    #[getter]
    fn fits(&self) -> Vec<Fit> {
        let bodies = self.found.bodies.iter();
        let fits = bodies.map(|body| Fit::from((body.fit, Some(body.report))));
        fits.collect()
    }

    /// The names of the links of the fits.
    #[getter]
    fn links(&self) -> Vec<&str> {
        let link = |body: &fit::RobotBody| &*self.found.robot.links()[body.link].name;
        self.found.bodies.iter().map(link).collect()
    }

    /// The names of the links that have collision shapes which stay as they are, a name for each such shape.
    #[getter]
    fn untouched(&self) -> Vec<&str> {
        let link = |shape: &fit::Untouched| &*self.found.robot.links()[shape.link].name;
        self.found.untouched.iter().map(link).collect()
    }

    /// What was kept free; None for a fit without ``keep_free`` and ``srdf``.
    ///
    /// ``poses`` has the names of the configurations, those of ``keep_free`` first. ``pairs`` has the pairs of links that come within
    /// 0.05 m in a configuration in which they are free, the nearest first: ``link_a`` and ``link_b``, the ``pose`` in which they are
    /// nearest (an index into ``poses``), and their distances there, metres, negative where they overlap: ``as_is``, of the
    /// collision shapes as they are, and ``fitted``; the pair loses the difference. ``colliding`` has the same of the pairs that
    /// are not proven free as they are, which are not kept free. ``raised`` has the collision shapes with more bodies than
    /// without the configurations: ``link``, the index ``collision`` among those of the link, and their numbers of bodies,
    /// ``from`` and ``bodies``. ``warnings`` are of meshes that were not read and of links that the robot does not have.
    #[getter]
    fn kept<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let kept = self.poses.as_ref().zip(self.found.kept.as_ref());
        kept.map(|(poses, kept)| poses.told(py, &self.found, kept))
            .transpose()
    }

    fn __repr__(&self) -> String {
        format!("<FittedRobot: {} superovoids>", self.found.bodies.len())
    }
}

/// What a fit is asked for, from arguments.
struct Wanted {
    family: Family,
    aim: Aim,
    loss: Loss,
    axis: Option<Axis>,
    progress: Progress,
}

/// A callback of Python, called from work that does not hold the interpreter.
pub struct Progress {
    pub callback: Option<Py<PyAny>>,
    /// What the callback, or Ctrl-C, raised.
    raised: Mutex<Option<PyErr>>,
}

impl Progress {
    pub fn new(callback: Option<Py<PyAny>>) -> Self {
        let raised = Mutex::new(None);
        Progress { callback, raised }
    }

    /// Tells how far the work is. Returns whether it goes on: not after Ctrl-C, an exception or False.
    fn tell(&self, stage: &str, done: usize, steps: usize) -> bool {
        self.call(|py, callback| callback.call1(py, (stage, done, steps)))
    }

    /// Calls the callback. Returns whether the work goes on.
    pub fn call(&self, call: impl FnOnce(Python<'_>, &Py<PyAny>) -> PyResult<Py<PyAny>>) -> bool {
        let told = Python::attach(|py| -> PyResult<bool> {
            py.check_signals()?;
            let Some(callback) = &self.callback else {
                return Ok(true);
            };
            let said = call(py, callback)?;
            Ok(!said.bind(py).eq(false)?)
        });
        told.unwrap_or_else(|error| {
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            false
        })
    }

    /// Returns what was raised.
    pub fn raised(&self) -> Option<PyErr> {
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        raised.take()
    }

    /// Returns what was raised, or else the error of the work.
    fn error(&self, error: &dyn std::fmt::Display) -> PyErr {
        self.raised()
            .unwrap_or_else(|| PyValueError::new_err(error.to_string()))
    }
}

impl Wanted {
    fn new(
        family: &str,
        aim: &str,
        loss: &str,
        axis: Option<[f64; 3]>,
        axis_point: Option<[f64; 3]>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let axis = match (axis, axis_point) {
            (None, None) => None,
            (None, Some(_)) => {
                let problem = "axis_point: a point alone is no axis; give axis as well";
                return Err(PyValueError::new_err(problem));
            }
            (Some(direction), through) => {
                let direction = Vector3::from(direction);
                let direction = Unit::try_new(direction, 0.0).ok_or_else(|| {
                    PyValueError::new_err("axis: a direction must be finite and not 0")
                })?;
                let through = through.map(Point3::from);
                Some(Axis { direction, through })
            }
        };
        Ok(Wanted {
            family: one_of(
                "family",
                family,
                &[
                    ("convex", Family::Convex),
                    ("superellipsoid", Family::Superellipsoid),
                    ("any", Family::Any),
                ],
            )?,
            aim: one_of(
                "aim",
                aim,
                &[
                    ("best", Aim::Best),
                    ("enclosing", Aim::Enclosing),
                    ("inscribed", Aim::Inscribed),
                ],
            )?,
            loss: one_of(
                "loss",
                loss,
                &[("robust", Loss::Robust), ("squares", Loss::Squares)],
            )?,
            axis,
            progress: Progress::new(progress),
        })
    }

    /// Runs the work with the options, without the interpreter.
    fn run<T: Send, E: std::fmt::Display + Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(FitOptions) -> Result<T, E> + Send,
    ) -> PyResult<T> {
        let found = py.detach(|| {
            let tell = |at: fit::Progress| self.progress.tell(at.stage, at.done, at.steps);
            work(
                FitOptions::default()
                    .with_family(self.family)
                    .with_aim(self.aim)
                    .with_loss(self.loss)
                    .with_axis(self.axis)
                    .with_progress(Some(&tell)),
            )
        });
        found.map_err(|error| self.progress.error(&error))
    }
}

/// Returns what a name stands for.
fn one_of<T: Copy>(argument: &str, name: &str, all: &[(&str, T)]) -> PyResult<T> {
    let found = all.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<_> = all.iter().map(|(name, _)| format!("{name:?}")).collect();
        let known = known.join(", ");
        PyValueError::new_err(format!("{argument} = {name:?}: one of {known}"))
    })
}

/// Fits a superovoid to points on or near its surface.
///
/// First-order distances are minimised by Levenberg-Marquardt from many starts. The result is deterministic: the best of the
/// local minima that the starts lead to.
///
/// Parameters
/// ----------
/// points : array_like, shape (n, 3)
///     At least 13 points, metres.
/// family : {"convex", "superellipsoid", "any"}
///     Which bodies are allowed.
/// aim : {"best", "enclosing", "inscribed"}
///     As near as possible, of least volume with all points inside, or of largest volume with none.
/// loss : {"robust", "squares"}
///     Whether outliers count little, for scans, or as all points do.
/// axis, axis_point : sequence of 3 floats, optional
///     The direction of the body's z axis, and a point that it goes through, metres.
/// progress : callable, optional
///     Called with a stage, the steps done and all steps; the fit ends with an error when it returns False.
///
/// Returns
/// -------
/// Fit
///     The body and its pose.
///
/// Examples
/// --------
/// >>> import superovoid
/// >>> egg = superovoid.Superovoids([0.02, 0.025, 0.03, 1.0, 0.8, 0.2, 0.2])
/// >>> vertices, _ = egg.tessellate(24)
/// >>> found = superovoid.fit(vertices)
/// >>> round(float(found.shape.mass_properties().volume / egg.mass_properties().volume), 6)
/// 1.0
#[pyfunction(name = "fit")]
#[pyo3(signature = (points, *, family = "convex", aim = "best", loss = "robust", axis = None, axis_point = None,
    progress = None))]
#[allow(clippy::too_many_arguments)]
pub fn fit_points(
    py: Python<'_>,
    points: &Bound<'_, PyAny>,
    family: &str,
    aim: &str,
    loss: &str,
    axis: Option<[f64; 3]>,
    axis_point: Option<[f64; 3]>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Fit> {
    let wanted = Wanted::new(family, aim, loss, axis, axis_point, progress)?;
    let points = point_list(points, "points")?;
    let found = wanted.run(py, |options| fit::fit(&points, &options))?;
    Ok(Fit::from((found, None)))
}

/// Fits superovoids to a triangle mesh, and measures how well they follow it.
///
/// Parameters
/// ----------
/// vertices : array_like, shape (v, 3)
///     Metres.
/// triangles : array_like of whole numbers, shape (t, 3)
///     Indices of vertices, from 0, anticlockwise seen from outside.
/// most : int, default 1
///     The most bodies: more than one divide a concave mesh into convex parts, one body for each.
/// target : {"hull", "surface"}
///     Whether a single body follows the convex hull or the surface as it is.
/// samples : int, default 2000
///     The number of points that are spread over it.
/// family, aim, axis, axis_point, progress
///     As those of `fit`.
/// loss : {"squares", "robust"}
///     As that of `fit`.
///
/// Returns
/// -------
/// list of Fit
///     The bodies, each with its report.
#[pyfunction]
#[pyo3(signature = (vertices, triangles, *, most = 1, target = "hull", samples = 2000, family = "convex", aim = "best",
    loss = "squares", axis = None, axis_point = None, progress = None))]
#[allow(clippy::too_many_arguments)]
pub fn fit_mesh(
    py: Python<'_>,
    vertices: &Bound<'_, PyAny>,
    triangles: &Bound<'_, PyAny>,
    most: u32,
    target: &str,
    samples: usize,
    family: &str,
    aim: &str,
    loss: &str,
    axis: Option<[f64; 3]>,
    axis_point: Option<[f64; 3]>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Fit>> {
    let wanted = Wanted::new(family, aim, loss, axis, axis_point, progress)?;
    let target = one_of(
        "target",
        target,
        &[("hull", Target::Hull), ("surface", Target::Surface)],
    )?;
    if !(1..=1_000_000).contains(&samples) {
        let problem = format!("samples = {samples}: from 1 to 1000000");
        return Err(PyValueError::new_err(problem));
    }
    if !(1..=1024).contains(&most) {
        let problem = format!("most = {most}: from 1 to 1024");
        return Err(PyValueError::new_err(problem));
    }
    let vertices = point_list(vertices, "vertices")?;
    let triangles = whole_numbers::<u32, 3>(triangles, "triangles")?;
    let mesh = fit::Mesh::new(vertices, triangles);
    let mesh = mesh.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let found = wanted.run(py, |fit| {
        let options = PartsOptions::default()
            .with_mesh(
                MeshOptions::default()
                    .with_fit(fit)
                    .with_target(target)
                    .with_samples(samples),
            )
            .with_most(most);
        fit::fit_reported(&mesh, &options)
    })?;
    let fits = found.into_iter().map(|one| (one.fit, Some(one.report)));
    Ok(fits.map(Fit::from).collect())
}

/// Puts superovoids beside the collision shapes of a robot, in the text of its URDF file.
///
/// The rest of the text stays as it is. Meshes of the same file and scale are fitted once.
///
/// Parameters
/// ----------
/// path : path-like
///     The URDF file.
/// most : int, default 1
///     The most superovoids for a mesh.
/// family, aim, loss
///     As those of `fit_mesh`.
/// fallback : {"tightest", "sphere"}
///     What programs see that know no superovoids.
/// edge_exponent : float, default 0.02
///     The exponent of the edges of boxes and cylinders, from 0.004 (sharp) to 1.
/// package_paths : sequence of path-like
///     Folders that are packages or hold packages.
/// keep_free : array_like, shape (..., position_count), optional
///     Configurations, metres and radians, in which the pairs of links that are free as they are stay free: where the bodies
///     of two links meet, their meshes get the fewest bodies together that do not.
/// srdf : path-like, optional
///     An SRDF file. Its group states are kept free as those configurations are, and the pairs that it disables are not compared.
/// keep_parts : int, default 8
///     The most superovoids for a mesh of a pair that would be lost, from 1 to 64.
/// progress : callable, optional
///     Called with the name of a link, the shapes done and all shapes, before each shape; the work ends with an error when
///     it returns False.
///
/// Returns
/// -------
/// FittedRobot
///     The text, and the fits with their reports; ``kept`` tells what the pairs lose.
///
/// Raises
/// ------
/// ValueError
///     The error names a file or a shape with what is wrong with it; a configuration that the robot cannot have; that there is
///     none; or the pairs that no allowed number of bodies keeps free, with the configuration and both distances.
#[pyfunction]
#[pyo3(signature = (path, *, most = 1, family = "convex", aim = "best", loss = "squares", fallback = "tightest",
    edge_exponent = 0.02, package_paths = Vec::new(), keep_free = None, srdf = None, keep_parts = 8, progress = None))]
#[allow(clippy::too_many_arguments)]
pub fn fit_robot(
    py: Python<'_>,
    path: PathBuf,
    most: u32,
    family: &str,
    aim: &str,
    loss: &str,
    fallback: &str,
    edge_exponent: f64,
    package_paths: Vec<PathBuf>,
    keep_free: Option<&Bound<'_, PyAny>>,
    srdf: Option<PathBuf>,
    keep_parts: u32,
    progress: Option<Py<PyAny>>,
) -> PyResult<FittedRobot> {
    let told = Progress::new(progress);
    let wanted = Wanted::new(family, aim, loss, None, None, None)?;
    let fallback = one_of(
        "fallback",
        fallback,
        &[
            ("tightest", Fallback::Tightest),
            ("sphere", Fallback::Sphere),
        ],
    )?;
    if !(1..=64).contains(&keep_parts) {
        let problem = format!("keep_parts = {keep_parts}: from 1 to 64");
        return Err(PyValueError::new_err(problem));
    }
    let poses = Poses::read(py, &path, &package_paths, keep_free, srdf.as_deref())?;
    let found = wanted.run(py, |fit| {
        let tell = |at: fit::RobotProgress| told.tell(at.link, at.done, at.steps);
        let mut options = RobotOptions::default()
            .with_edge_exponent(edge_exponent)
            .with_fallback(fallback)
            .with_package_paths(package_paths)
            .with_keep_free(poses.as_ref().map(|poses| poses.keep(keep_parts)))
            .with_progress(Some(&tell));
        options.parts.most = most;
        options.parts.mesh.fit = fit;
        let found = fit::fit_robot(&path, &options);
        // What the callback raised comes first.
        found.map_err(|error| told.error(&format!("{}: {error}", path.display())))
    })?;
    Ok(FittedRobot { found, poses })
}

/// Reads a mesh file: STL, OBJ or COLLADA, by the ending of its name.
///
/// All surface that the file holds is read, polygons as triangles that keep their boundary; what is not read is an error
/// with the file's name and the line, byte or element. Lines and points are no surface.
///
/// Parameters
/// ----------
/// path : path-like
///     The file.
///
/// Returns
/// -------
/// TriMesh
///     The mesh, in the units of the file; those of COLLADA become metres, and its up axis z.
#[pyfunction]
pub fn read_mesh(py: Python<'_>, path: PathBuf) -> PyResult<TriMesh> {
    refuse_text(&path, "XML", "the path of a file")?;
    let read = py.detach(|| fit::read_mesh(&path, &ReadLimits::default()));
    // The error names the file.
    let mesh = read.map_err(|error| PyValueError::new_err(error.to_string()))?;
    TriMesh::of(mesh.into(), false)
}
