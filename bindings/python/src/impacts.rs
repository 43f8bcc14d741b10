//! Times of impact.

use crate::array_input::Rows;
use crate::array_output::array;
use crate::bodies::{BoxSet, HeightField, TriMesh};
use crate::body_contact::{Convex, ConvexArgument};
use crate::broadcast::{Broadcast, each, fill};
use crate::codes;
use crate::contacts::Contacts;
use crate::motion::Motions;
use crate::polytopes::corners;
use crate::shapes::SuperovoidsArgument;
use crate::state::{self, CONTACT, Reduced, Table, reduced};
use nalgebra::{Point3, Vector3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use superovoid::bvh::PolytopeTree;
use superovoid::convex::ConvexShape;
use superovoid::motion::{Motion, PartsTimeOfImpact, TimeOfImpact, TimeOfImpactOptions};
use superovoid::polytope::ConvexHull;
use superovoid::{Contact, HalfSpace, QueryError, motion};

/// When moving bodies touch first, shape ``(...)``.
#[pyclass(frozen, module = "superovoid")]
pub struct TimesOfImpact {
    axes: Vec<usize>,
    all: Vec<TimeOfImpact>,
    /// The part of B, for bodies that have parts.
    part: Option<Vec<i64>>,
}

impl TimesOfImpact {
    fn number<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&TimeOfImpact) -> f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.axes, &[], self.all.iter().map(of).collect())
    }
}

#[pymethods]
impl TimesOfImpact {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (me, py) = (slf.get(), slf.py());
        let numbers = |impact: &TimeOfImpact| {
            let none = (f64::NAN, f64::NAN, Contact::default());
            let (first, second, contact) = match *impact {
                TimeOfImpact::Free { clearance } => (clearance, f64::NAN, none.2),
                TimeOfImpact::Hit {
                    safe,
                    touching,
                    contact,
                } => (safe, touching, contact),
                TimeOfImpact::Overlapping { contact } => (none.0, none.1, contact),
                TimeOfImpact::Undecided { safe, contact } => (safe, none.1, contact),
            };
            let mut row = [f64::from(codes::of_impact(impact)); 3 + CONTACT];
            (row[1], row[2]) = (first, second);
            row[3..].copy_from_slice(&state::of_contact(&contact));
            row
        };
        let rows = state::table(py, me.all.iter().map(numbers))?;
        let part = me.part.as_ref();
        let part = part.map(|part| state::table(py, part.iter().map(|&part| [part])));
        reduced(slf, "_restored", (me.axes.clone(), rows, part.transpose()?))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(
        _: &Bound<'_, PyType>,
        axes: Vec<usize>,
        rows: Table<{ 3 + CONTACT }>,
        part: Option<Table<1, i64>>,
    ) -> PyResult<Self> {
        let all = rows.each(&axes, |&[outcome, first, second, ref contact @ ..]| {
            let contact = state::contact(contact)?;
            Ok(match state::whole(outcome)? {
                1 => TimeOfImpact::Free { clearance: first },
                2 => TimeOfImpact::Hit {
                    safe: first,
                    touching: second,
                    contact,
                },
                3 => TimeOfImpact::Overlapping { contact },
                4 => TimeOfImpact::Undecided {
                    safe: first,
                    contact,
                },
                _ => return Err(state::odd()),
            })
        })?;
        let part = part.map(|part| part.column(&axes)).transpose()?;
        Ok(TimesOfImpact { axes, all, part })
    }

    /// What is proven, uint8, shape (...): see `superovoid.ImpactOutcome`.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(
            py,
            &self.axes,
            &[],
            self.all.iter().map(codes::of_impact).collect(),
        )
    }

    /// The bodies are proven to be apart up to this instant, shape (...): 1 where they are free, NaN where they overlap at
    /// the start.
    #[getter]
    fn safe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.number(py, |impact| match *impact {
            TimeOfImpact::Free { .. } => 1.0,
            TimeOfImpact::Hit { safe, .. } | TimeOfImpact::Undecided { safe, .. } => safe,
            TimeOfImpact::Overlapping { .. } => f64::NAN,
        })
    }

    /// The instants at which the bodies are proven to touch, shape (...): NaN unless they hit, 0 where they overlap at the
    /// start. The first contact is between ``safe`` and this.
    #[getter]
    fn touching<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.number(py, |impact| match *impact {
            TimeOfImpact::Hit { touching, .. } => touching,
            TimeOfImpact::Overlapping { .. } => 0.0,
            _ => f64::NAN,
        })
    }

    /// The proven clearance of motions that are free, metres, shape (...): a lower bound; NaN for the others.
    #[getter]
    fn clearance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.number(py, |impact| match *impact {
            TimeOfImpact::Free { clearance } => clearance,
            _ => f64::NAN,
        })
    }

    /// The contacts at ``safe``, or at the start of bodies that overlap there; not converged for motions that are free.
    #[getter]
    fn contacts(&self) -> Contacts {
        let contact = |impact: &TimeOfImpact| match *impact {
            TimeOfImpact::Free { .. } => Contact::default(),
            TimeOfImpact::Hit { contact, .. }
            | TimeOfImpact::Overlapping { contact }
            | TimeOfImpact::Undecided { contact, .. } => contact,
        };
        Contacts::new(self.axes.clone(), self.all.iter().map(contact).collect())
    }

    /// The triangle of a mesh or the box of a set that is touched, int64, shape (...), -1 where none is; None for a body
    /// without parts.
    #[getter]
    fn part<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let part = self.part.clone();
        part.map(|part| array(py, &self.axes, &[], part))
            .transpose()
    }

    fn __repr__(&self) -> String {
        let free = self
            .all
            .iter()
            .filter(|i| matches!(i, TimeOfImpact::Free { .. }))
            .count();
        let hits = self
            .all
            .iter()
            .filter(|i| matches!(i, TimeOfImpact::Hit { .. }))
            .count();
        format!(
            "<TimesOfImpact: {} motions, {free} free, {hits} hits, axes {:?}>",
            self.all.len(),
            self.axes
        )
    }
}

/// An answer with the part of B that is touched, −1 where there is none.
type Found = (TimeOfImpact, i64);

/// Answers all elements of a broadcast.
fn all_impacts(
    py: Python<'_>,
    threads: Option<usize>,
    all: Broadcast,
    has_parts: bool,
    single: impl Fn(usize) -> Result<Found, String> + Sync,
) -> PyResult<TimesOfImpact> {
    let mut found = vec![(TimeOfImpact::Free { clearance: 0.0 }, -1); all.count];
    fill(py, threads, &mut found, |first, part| {
        each(first, part, &single)
    })?
    .map_err(|failed| all.error(failed.index, &failed.error))?;
    Ok(TimesOfImpact {
        axes: all.axes,
        part: has_parts.then(|| found.iter().map(|(_, part)| *part).collect()),
        all: found.into_iter().map(|(found, _)| found).collect(),
    })
}

/// Convex bodies in motion, an argument of each query.
struct Movers<'py> {
    bodies: ConvexArgument<'py>,
    motions: Bound<'py, Motions>,
}

impl<'py> Movers<'py> {
    fn new(
        bodies: &Bound<'py, PyAny>,
        name: &'static str,
        motions: &Bound<'py, Motions>,
    ) -> PyResult<Self> {
        Ok(Movers {
            bodies: ConvexArgument::new(bodies, name)?,
            motions: motions.clone(),
        })
    }

    /// Returns a function that reads the body and the motion of an element of a broadcast.
    fn reader<'a>(
        &'a self,
        to: &[usize],
    ) -> impl Fn(usize) -> (Convex<'a>, &'a Motion) + Sync + use<'a, 'py> {
        let motions = self.motions.get();
        let (body, moves) = (self.bodies.reader(to), motions.index(to));
        move |k| (body(k), &motions.all[moves.offset(k) as usize])
    }
}

/// Returns the time of impact of two convex bodies.
fn of_convex(
    (a, motion_a): (Convex, &Motion),
    b: &ConvexShape,
    motion_b: &Motion,
    options: &TimeOfImpactOptions,
) -> Result<TimeOfImpact, QueryError> {
    motion::convex_time_of_impact(&a.as_convex(), motion_a, b, motion_b, options)
}

/// The answer of a query whose bodies have no parts.
fn whole(found: Result<TimeOfImpact, QueryError>) -> Result<Found, String> {
    found
        .map(|found| (found, -1))
        .map_err(|error| error.to_string())
}

/// Returns when moving bodies touch first, or the proof that they do not.
///
/// Parameters
/// ----------
/// a : Superovoids or array_like, shape (..., 7), or ConvexShape
///     The bodies A.
/// b : Superovoids or array_like, shape (..., 7), ConvexShape, TriMesh, BoxSet or HeightField
///     The bodies B.
/// motion_a, motion_b : Motions
///     Their motions over t in [0, 1].
/// min_separation : float, default 0
///     The distance (metres) at which the bodies count as touching.
/// tolerance : float, default 0
///     How far the distances at ``safe`` and ``touching`` may be from it (metres); 0 means 1e-9 of the larger body. One
///     below what rounding allows, about 5e-13 of sizes, distances from the origin and paths, is raised to that.
/// max_queries : int, default 100
///     The number of distance queries, after which the search ends.
/// threads : int, optional
///     As that of `contact`.
///
/// Returns
/// -------
/// TimesOfImpact
///     One for each element of the broadcast.
#[pyfunction]
#[pyo3(signature = (a, motion_a, b, motion_b, *, min_separation = 0.0, tolerance = 0.0, max_queries = 100, threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn time_of_impact(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    motion_a: &Bound<'_, Motions>,
    b: &Bound<'_, PyAny>,
    motion_b: &Bound<'_, Motions>,
    min_separation: f64,
    tolerance: f64,
    max_queries: u32,
    threads: Option<usize>,
) -> PyResult<TimesOfImpact> {
    let options = TimeOfImpactOptions::default()
        .with_min_separation(min_separation)
        .with_tolerance(tolerance)
        .with_max_queries(max_queries);
    let a = Movers::new(a, "a", motion_a)?;
    if let Ok(mesh) = b.cast::<TriMesh>() {
        let mesh = &*mesh.get().mesh;
        return with_tree(py, &a, mesh, motion_b.get(), &options, threads);
    }
    if let Ok(boxes) = b.cast::<BoxSet>() {
        let boxes = &*boxes.get().boxes;
        return with_tree(py, &a, boxes, motion_b.get(), &options, threads);
    }
    if let Ok(field) = b.cast::<HeightField>() {
        let field = &*field.get().field;
        return with_tree(py, &a, field, motion_b.get(), &options, threads);
    }
    let b = Movers::new(b, "b", motion_b)?;
    let all = Broadcast::of(&[
        ("a", a.bodies.lead()),
        ("motion_a", &a.motions.get().axes),
        ("b", b.bodies.lead()),
        ("motion_b", &b.motions.get().axes),
    ])?;
    let (a, b) = (a.reader(&all.axes), b.reader(&all.axes));
    all_impacts(py, threads, all, false, |k| {
        let ((a, motion_a), (b, motion_b)) = (a(k), b(k));
        whole(match (a, b) {
            (Convex::Superovoid(a), Convex::Superovoid(b)) => {
                motion::time_of_impact(a, motion_a, b, motion_b, &options)
            }
            _ => of_convex((a, motion_a), &b.as_convex(), motion_b, &options),
        })
    })
}

fn with_tree(
    py: Python<'_>,
    a: &Movers,
    tree: &(impl PolytopeTree + Sync),
    motion_b: &Motions,
    options: &TimeOfImpactOptions,
    threads: Option<usize>,
) -> PyResult<TimesOfImpact> {
    let all = Broadcast::of(&[
        ("a", a.bodies.lead()),
        ("motion_a", &a.motions.get().axes),
        ("motion_b", &motion_b.axes),
    ])?;
    let (a, index) = (a.reader(&all.axes), motion_b.index(&all.axes));
    all_impacts(py, threads, all, true, |k| {
        let (body, motion_a) = a(k);
        let motion_b = &motion_b.all[index.offset(k) as usize];
        let found = match body {
            Convex::Superovoid(body) => {
                motion::tree_time_of_impact(body, motion_a, tree, motion_b, options)
            }
            Convex::Shape(body) => {
                motion::convex_tree_time_of_impact(body, motion_a, tree, motion_b, options)
            }
        };
        let PartsTimeOfImpact { parts, found, .. } = found.map_err(|error| error.to_string())?;
        let free = matches!(found, TimeOfImpact::Free { .. });
        Ok((found, if free { -1 } else { i64::from(parts[1]) }))
    })
}

/// Returns when moving bodies and moving points touch first, or the proof that they do not.
///
/// Parameters
/// ----------
/// shape : Superovoids or array_like, shape (..., 7), or ConvexShape
///     The bodies A.
/// motion, vertex_motion : Motions
///     Their motions, and those of frames whose origins are the points B.
/// min_separation, tolerance, max_queries, threads
///     As those of `time_of_impact`.
///
/// Returns
/// -------
/// TimesOfImpact
///     One for each element of the broadcast.
#[pyfunction]
#[pyo3(signature = (shape, motion, vertex_motion, *, min_separation = 0.0, tolerance = 0.0, max_queries = 100,
    threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn vertex_time_of_impact(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    motion: &Bound<'_, Motions>,
    vertex_motion: &Bound<'_, Motions>,
    min_separation: f64,
    tolerance: f64,
    max_queries: u32,
    threads: Option<usize>,
) -> PyResult<TimesOfImpact> {
    let options = TimeOfImpactOptions::default()
        .with_min_separation(min_separation)
        .with_tolerance(tolerance)
        .with_max_queries(max_queries);
    let a = Movers::new(shape, "shape", motion)?;
    let vertices = vertex_motion.get();
    let all = Broadcast::of(&[
        ("shape", a.bodies.lead()),
        ("motion", &a.motions.get().axes),
        ("vertex_motion", &vertices.axes),
    ])?;
    let (a, index) = (a.reader(&all.axes), vertices.index(&all.axes));
    let point = ConvexShape::hull(&[Point3::origin()]);
    let point = point.map_err(|error| PyValueError::new_err(error.to_string()))?;
    all_impacts(py, threads, all, false, |k| {
        let (body, motion) = a(k);
        let vertex = &vertices.all[index.offset(k) as usize];
        whole(match body {
            Convex::Superovoid(body) => {
                motion::vertex_time_of_impact(body, motion, vertex, &options)
            }
            Convex::Shape(_) => of_convex((body, motion), &point, vertex, &options),
        })
    })
}

/// Returns when moving superovoids and half-spaces that rest touch first, or the proof that they do not.
///
/// Parameters
/// ----------
/// shape : Superovoids or array_like, shape (..., 7)
///     The bodies A.
/// motion : Motions
///     Their motions.
/// half_spaces : array_like, shape (..., 4)
///     The half-spaces B, as those of `half_space_contact`.
/// min_separation, tolerance, max_queries, threads
///     As those of `time_of_impact`.
///
/// Returns
/// -------
/// TimesOfImpact
///     One for each element of the broadcast.
#[pyfunction]
#[pyo3(signature = (shape, motion, half_spaces, *, min_separation = 0.0, tolerance = 0.0, max_queries = 100,
    threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn half_space_time_of_impact(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    motion: &Bound<'_, Motions>,
    half_spaces: &Bound<'_, PyAny>,
    min_separation: f64,
    tolerance: f64,
    max_queries: u32,
    threads: Option<usize>,
) -> PyResult<TimesOfImpact> {
    let options = TimeOfImpactOptions::default()
        .with_min_separation(min_separation)
        .with_tolerance(tolerance)
        .with_max_queries(max_queries);
    SuperovoidsArgument::new(shape, "shape")?;
    let a = Movers::new(shape, "shape", motion)?;
    let rows = Rows::of_width(half_spaces, "half_spaces", 4)?;
    let all = Broadcast::of(&[
        ("shape", a.bodies.lead()),
        ("motion", &a.motions.get().axes),
        ("half_spaces", rows.lead()),
    ])?;
    let (a, rows) = (a.reader(&all.axes), rows.reader(&all.axes));
    all_impacts(py, threads, all, false, |k| {
        let (body, motion) = a(k);
        let [x, y, z, offset] = rows.row(k);
        let half_space = HalfSpace::new(Vector3::new(x, y, z), offset);
        let half_space = half_space.map_err(|error| error.to_string())?;
        whole(match body {
            Convex::Superovoid(body) => {
                motion::half_space_time_of_impact(body, motion, &half_space, &options)
            }
            Convex::Shape(_) => return Err("shape is no superovoid".to_owned()),
        })
    })
}

/// Returns when moving bodies and moving hulls of points touch first, or the proof that they do not.
///
/// Parameters
/// ----------
/// shape : Superovoids or array_like, shape (..., 7), or ConvexShape
///     The bodies A.
/// motion, hull_motion : Motions
///     Their motions, and those of the hulls B.
/// points : array_like, shape (..., n, 3)
///     The points of each hull in its own frame, metres: the corners of a segment, triangle, box or other polytope.
/// min_separation, tolerance, max_queries, threads
///     As those of `time_of_impact`.
///
/// Returns
/// -------
/// TimesOfImpact
///     One for each element of the broadcast.
#[pyfunction]
#[pyo3(signature = (shape, motion, points, hull_motion, *, min_separation = 0.0, tolerance = 0.0, max_queries = 100,
    threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn hull_time_of_impact(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    motion: &Bound<'_, Motions>,
    points: &Bound<'_, PyAny>,
    hull_motion: &Bound<'_, Motions>,
    min_separation: f64,
    tolerance: f64,
    max_queries: u32,
    threads: Option<usize>,
) -> PyResult<TimesOfImpact> {
    let options = TimeOfImpactOptions::default()
        .with_min_separation(min_separation)
        .with_tolerance(tolerance)
        .with_max_queries(max_queries);
    let a = Movers::new(shape, "shape", motion)?;
    let points = corners::<3>(points, "points", None)?;
    let hulls = hull_motion.get();
    let all = Broadcast::of(&[
        ("shape", a.bodies.lead()),
        ("motion", &a.motions.get().axes),
        ("points", points.lead()),
        ("hull_motion", &hulls.axes),
    ])?;
    let count = points.element()[0];
    let (a, index) = (a.reader(&all.axes), hulls.index(&all.axes));
    let points = points.reader(&all.axes);
    all_impacts(py, threads, all, false, |k| {
        let (body, motion) = a(k);
        let corners = (0..count).map(|i| Point3::from(points.row_of(k, i)));
        let corners: Vec<_> = corners.collect();
        let hull_motion = &hulls.all[index.offset(k) as usize];
        let refused = |error: &dyn std::fmt::Display| format!("points: {error}");
        whole(match body {
            Convex::Superovoid(body) => {
                let hull = ConvexHull::new(corners).map_err(|error| refused(&error))?;
                motion::polytope_time_of_impact(body, motion, &hull, hull_motion, &options)
            }
            Convex::Shape(_) => {
                let hull = ConvexShape::hull(&corners).map_err(|error| refused(&error))?;
                of_convex((body, motion), &hull, hull_motion, &options)
            }
        })
    })
}
