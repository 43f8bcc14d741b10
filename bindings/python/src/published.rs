//! `superovoid.published`: the contact methods of the literature, for comparison.

use crate::array_output::array;
use crate::broadcast::{answers, each};
use crate::contacts::Contacts;
use crate::options::named;
use crate::pairs::PairArguments;
use crate::placed_shapes::against_rows;
use crate::shapes::SuperovoidsArgument;
use crate::state::table;
use nalgebra::{Isometry3, Point3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use superovoid::published::{
    self, Attempt, CellExtent, Division, GuessCell, Iterate, Jacobian, Scheme, SchemeOptions,
};
use superovoid::{Contact, QueryError, Superovoid, VertexOptions};

/// Returns the options of a scheme by their names.
fn scheme_options(
    [scheme, jacobian, division]: [&str; 3],
    tolerance: f64,
    as_published: bool,
    max_iterations: u32,
    max_distance: f64,
) -> PyResult<SchemeOptions> {
    let jacobians = [
        ("analytic", Jacobian::Analytic),
        ("forward-differences", Jacobian::ForwardDifferences),
    ];
    let divisions = [
        ("surface-angles", Division::SurfaceAngles),
        ("polar-angles", Division::PolarAngles),
    ];
    let schemes = Scheme::ALL.map(|scheme| (scheme.name(), scheme));
    Ok(SchemeOptions {
        scheme: named("scheme", scheme, &schemes)?,
        jacobian: named("jacobian", jacobian, &jacobians)?,
        division: named("division", division, &divisions)?,
        tolerance,
        as_published,
        max_iterations,
        max_distance,
    })
}

/// Returns the signed distance of pairs of superovoids by one of the four schemes of Gonçalves, Bernardino, Jorge and Lopes
/// (2017), with witness points, normal and a bracket that is true whatever the scheme found.
///
/// `superovoid.contact` is faster, leaves nothing unsolved and proves its distances.
///
/// Parameters
/// ----------
/// a, pose_a, b, pose_b, threads
///     As those of `superovoid.contact`; the bodies are superovoids.
/// scheme : {"oct-implicit", "quad-implicit", "quad-parametric", "ntb-parametric"}
///     The scheme, by the name that it has on the command line.
/// jacobian : {"analytic", "forward-differences"}
///     Where the Jacobian matrix comes from: closed form, or differences as in the papers.
/// division : {"surface-angles", "polar-angles"}
///     The steps in which quadtrees divide the surface; octrees do not use it.
/// tolerance : float, default 0
///     The widest bracket (metres) of an answer that counts as certified; 0 means 1e-6 of the largest semi-axis.
/// as_published : bool, default False
///     Whether the scheme runs as its authors published it: one pair of cells kept on a level, whole steps, one guess, and
///     the answer believed. Then only the bracket, that of the bounding spheres, is true, and need not contain the distance.
/// max_iterations : int, default 30
///     The number of Newton iterations of one guess; more than 1000 count as 1000.
/// max_distance : float, default inf
///     A query stops where the bodies are proven to be farther apart than this (metres).
///
/// Returns
/// -------
/// Contacts
///     One answer for each pair.
///
/// Raises
/// ------
/// ValueError, TypeError
///     The error names the argument and the element that is refused.
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, *, scheme = "quad-implicit", jacobian = "analytic", division = "surface-angles",
    tolerance = 0.0, as_published = false, max_iterations = 30, max_distance = f64::INFINITY, threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn scheme_contact(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    pose_a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pose_b: &Bound<'_, PyAny>,
    scheme: &str,
    jacobian: &str,
    division: &str,
    tolerance: f64,
    as_published: bool,
    max_iterations: u32,
    max_distance: f64,
    threads: Option<usize>,
) -> PyResult<Contacts> {
    let names = [scheme, jacobian, division];
    let options = scheme_options(names, tolerance, as_published, max_iterations, max_distance)?;
    let arguments = PairArguments::new(a, pose_a, b, pose_b)?;
    let pairs = arguments.reader();
    let single = |k: usize| -> Result<Contact, String> {
        let (a, pose_a, b, pose_b) = pairs.pair(k)?;
        let found = published::scheme_contact(a, &pose_a, b, &pose_b, &options, None);
        found.map_err(|error| error.to_string())
    };
    let all = answers(py, threads, arguments.all.count, |first, part| {
        each(first, part, single)
    })?
    .map_err(|failed| arguments.all.error(failed.index, &failed.error))?;
    Ok(Contacts::new(arguments.all.axes, all))
}

/// Returns the answer of `scheme_contact` for one pair, and how the scheme has come to it.
///
/// Parameters
/// ----------
/// a, pose_a, b, pose_b, scheme, jacobian, division, tolerance, as_published, max_iterations, max_distance
///     As those of `scheme_contact`, without axes that count pairs.
///
/// Returns
/// -------
/// contact : Contacts
///     The answer, to the bit that of `scheme_contact`.
/// attempts : list of dict
///     The guesses that were made, in turn; none where bounds decided the query. ``opposed`` tells whether the guess looked
///     for the largest gap between opposed normals instead of the nearest cells. ``levels`` has a dict for each level of the
///     two trees, with the n pairs of cells that were kept, the best first: ``point``, shape (n, 2, 3), the points of A's and
///     B's cell by which they are ranked, metres, in the world, and what the cells cover: ``center`` and ``half_widths``,
///     shape (n, 2, 3), metres, in the frame of each body, for octrees, ``phi1`` and ``phi2``, shape (n, 2, 2), ranges of the
///     surface angles, radians, for quadtrees. ``iterates`` has the m iterates, the first of which is the guess: ``point_a``
///     and ``point_b``, shape (m, 3), metres, in the world, ``residual``, shape (m,), the deviation from a common normal and
///     from the surfaces, and ``step``, shape (m,), the share of Newton's step that led there.
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, *, scheme = "quad-implicit", jacobian = "analytic", division = "surface-angles",
    tolerance = 0.0, as_published = false, max_iterations = 30, max_distance = f64::INFINITY))]
#[allow(clippy::too_many_arguments)]
pub fn scheme_trace<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_b: &Bound<'py, PyAny>,
    scheme: &str,
    jacobian: &str,
    division: &str,
    tolerance: f64,
    as_published: bool,
    max_iterations: u32,
    max_distance: f64,
) -> PyResult<(Contacts, Bound<'py, PyList>)> {
    let names = [scheme, jacobian, division];
    let options = scheme_options(names, tolerance, as_published, max_iterations, max_distance)?;
    let arguments = PairArguments::new(a, pose_a, b, pose_b)?;
    if !arguments.all.axes.is_empty() {
        let axes = &arguments.all.axes;
        let problem = format!("the arguments have the axes {axes:?}: one pair is wanted");
        return Err(PyValueError::new_err(problem));
    }
    let refused = |error: QueryError| PyValueError::new_err(error.to_string());
    let pair = arguments.reader().pair(0);
    let (a, pose_a, b, pose_b) = pair.map_err(PyValueError::new_err)?;
    let trace = published::scheme_trace(a, &pose_a, b, &pose_b, &options).map_err(refused)?;
    let attempts = trace.attempts.iter().map(|attempt| attempt_of(py, attempt));
    let attempts = PyList::new(py, attempts.collect::<PyResult<Vec<_>>>()?)?;
    Ok((Contacts::new(vec![], vec![trace.contact]), attempts))
}

fn attempt_of<'py>(py: Python<'py>, attempt: &Attempt) -> PyResult<Bound<'py, PyDict>> {
    let levels = attempt.levels.iter().map(|level| level_of(py, level));
    let iterates = PyDict::new(py);
    let all = || attempt.iterates.iter();
    let points = |of: fn(&Iterate) -> Point3<f64>| table::<f64, 3>(py, all().map(|x| of(x).into()));
    let numbers = |of: fn(&Iterate) -> f64| array(py, &[all().len()], &[], all().map(of).collect());
    iterates.set_item("point_a", points(|x| x.point_a)?)?;
    iterates.set_item("point_b", points(|x| x.point_b)?)?;
    iterates.set_item("residual", numbers(|x| x.residual)?)?;
    iterates.set_item("step", numbers(|x| x.step)?)?;
    let found = PyDict::new(py);
    found.set_item("opposed", attempt.opposed)?;
    found.set_item("levels", levels.collect::<PyResult<Vec<_>>>()?)?;
    found.set_item("iterates", iterates)?;
    Ok(found)
}

/// Returns the pairs of cells of a level. All cells of a tree are of one kind, that of the first.
fn level_of<'py>(py: Python<'py>, level: &[[GuessCell; 2]]) -> PyResult<Bound<'py, PyDict>> {
    let cells = level.as_flattened();
    let mut boxes: Vec<[[f64; 3]; 2]> = vec![];
    let mut angles: Vec<[[f64; 2]; 2]> = vec![];
    for cell in cells {
        match cell.extent {
            CellExtent::Box {
                center,
                half_widths,
            } => boxes.push([center.into(), half_widths.into()]),
            CellExtent::Angles { phi1, phi2 } => angles.push([phi1, phi2]),
        }
    }
    let found = PyDict::new(py);
    let pairs = [level.len(), 2];
    let points = cells.iter().flat_map(|cell| <[f64; 3]>::from(cell.point));
    found.set_item("point", array(py, &pairs, &[3], points.collect())?)?;
    for (name, k) in [("center", 0), ("half_widths", 1)] {
        if !boxes.is_empty() {
            let numbers = boxes.iter().flat_map(|extent| extent[k]).collect();
            found.set_item(name, array(py, &pairs, &[3], numbers)?)?;
        }
    }
    for (name, k) in [("phi1", 0), ("phi2", 1)] {
        if !angles.is_empty() {
            let numbers = angles.iter().flat_map(|extent| extent[k]).collect();
            found.set_item(name, array(py, &pairs, &[2], numbers)?)?;
        }
    }
    Ok(found)
}

/// A published query of a superovoid and a vertex.
type VertexQuery =
    fn(&Superovoid, &Isometry3<f64>, &Point3<f64>, &VertexOptions) -> Result<Contact, QueryError>;

fn vertex_contact(
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    points: &Bound<'_, PyAny>,
    (tolerance, max_iterations, max_distance): (f64, u32, f64),
    threads: Option<usize>,
    query: VertexQuery,
) -> PyResult<Contacts> {
    let options = VertexOptions::default()
        .with_tolerance(tolerance)
        .with_max_iterations(max_iterations)
        .with_max_distance(max_distance);
    let shapes = SuperovoidsArgument::new(shape, "shape")?;
    let (shapes, points) = (shapes.get().list(), (points, "points"));
    let query = |body: &Superovoid, pose: &Isometry3<f64>, point: [f64; 3]| {
        query(body, pose, &Point3::from(point), &options)
    };
    against_rows(shape.py(), shapes, pose, points, threads, query)
}

/// Returns the signed distance of points from superovoids by the iterative method for superellipsoids and vertices of an MSc
/// thesis (after 2017, for cloth and rigid bodies), extended to tapers.
///
/// It is approximate: an answer is converged where the normal points to the vertex within the tolerance, otherwise it is not
/// converged. The bracket is true either way.
///
/// Parameters
/// ----------
/// shape : Superovoids or array_like, shape (..., 7)
///     The bodies A.
/// pose : array_like, shape (..., 7) or (..., 4, 4)
///     Their poses.
/// points : array_like, shape (..., 3)
///     The points B, metres, in the world.
/// tolerance : float, default 0
///     The error at which the method ends, metres; 0 means 1e-3 of the largest semi-axis.
/// max_iterations : int, default 50
///     The number of iterations; the thesis allowed 30.
/// max_distance, threads
///     As those of `superovoid.vertex_contact`.
///
/// Returns
/// -------
/// Contacts
///     One answer for each element of the broadcast.
#[pyfunction]
#[pyo3(signature = (shape, pose, points, *, tolerance = 0.0, max_iterations = 50, max_distance = f64::INFINITY,
    threads = None))]
pub fn iterative_vertex_contact(
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    points: &Bound<'_, PyAny>,
    tolerance: f64,
    max_iterations: u32,
    max_distance: f64,
    threads: Option<usize>,
) -> PyResult<Contacts> {
    let options = (tolerance, max_iterations, max_distance);
    let query = published::iterative_vertex_contact;
    vertex_contact(shape, pose, points, options, threads, query)
}

/// Returns what `iterative_vertex_contact` returns, by the method with a step that takes the curvature into account, which
/// the thesis proposes but does not describe. The arguments are the same.
#[pyfunction]
#[pyo3(signature = (shape, pose, points, *, tolerance = 0.0, max_iterations = 50, max_distance = f64::INFINITY,
    threads = None))]
pub fn curvature_aware_vertex_contact(
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    points: &Bound<'_, PyAny>,
    tolerance: f64,
    max_iterations: u32,
    max_distance: f64,
    threads: Option<usize>,
) -> PyResult<Contacts> {
    let options = (tolerance, max_iterations, max_distance);
    let query = published::curvature_aware_vertex_contact;
    vertex_contact(shape, pose, points, options, threads, query)
}

/// Returns the contacts at the surface points on the rays from the centres through points, the radial distance of Jaklič,
/// Leonardis and Solina (2000), extended to tapers: an upper bound of distance and depth.
///
/// Parameters
/// ----------
/// shape, pose, points, max_distance, threads
///     As those of `iterative_vertex_contact`.
///
/// Returns
/// -------
/// Contacts
///     One answer for each element of the broadcast, not converged, with a true bracket; the normal is the direction of the
///     ray.
#[pyfunction]
#[pyo3(signature = (shape, pose, points, *, max_distance = f64::INFINITY, threads = None))]
pub fn radial_vertex_contact(
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    points: &Bound<'_, PyAny>,
    max_distance: f64,
    threads: Option<usize>,
) -> PyResult<Contacts> {
    let options = (0.0, 1, max_distance);
    let query = published::radial_vertex_contact;
    vertex_contact(shape, pose, points, options, threads, query)
}
