//! `superovoid.planar`: a superellipse and segments, in two dimensions.

use crate::array_input::Rows;
use crate::array_output::array;
use crate::broadcast::{Broadcast, each, fill};
use crate::codes;
use crate::polytopes::corners;
use crate::state::{self, Reduced, Table, reduced_to_new, reduced_to_rows};
use nalgebra::{Isometry2, Point2, Unit, Vector2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use superovoid::planar::{self, PlanarContact};

/// A superellipse ``|x/a1|^(2/e) + |y/a2|^(2/e) <= 1`` in its own frame.
///
/// It is one body; queries broadcast it against arrays of poses and segments.
///
/// Parameters
/// ----------
/// semi_axes : sequence of 2 floats
///     ``a1 a2``, metres, greater than 0.
/// e : float
///     The exponent, strictly between 0 and 2: 1 is an ellipse, towards 0 a rectangle, towards 2 a rhombus.
///
/// Raises
/// ------
/// ValueError
///     The error names the parameter, ``a1``, ``a2`` or ``e1``, and its value.
#[pyclass(frozen, module = "superovoid.planar")]
pub struct Superellipse {
    shape: planar::Superellipse,
}

#[pymethods]
impl Superellipse {
    #[new]
    fn new(semi_axes: [f64; 2], e: f64) -> PyResult<Self> {
        let shape = planar::Superellipse::new(semi_axes, e);
        let shape = shape.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Superellipse { shape })
    }

    /// The semi-axes a1 and a2, metres, shape (2,).
    #[getter]
    fn semi_axes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &[2], &[], self.shape.semi_axes().to_vec())
    }

    /// The exponent.
    #[getter]
    fn exponent(&self) -> f64 {
        self.shape.exponent()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let shape = &slf.get().shape;
        reduced_to_new(slf, (shape.semi_axes(), shape.exponent()))
    }

    fn __repr__(&self) -> String {
        let (a, e) = (self.shape.semi_axes(), self.shape.exponent());
        format!("Superellipse({a:?}, {e:?})")
    }
}

/// The answers of `segment_contact`, shape ``(...)``. World frame, metres.
#[pyclass(frozen, module = "superovoid.planar")]
pub struct PlanarContacts {
    axes: Vec<usize>,
    all: Vec<PlanarContact>,
}

impl PlanarContacts {
    fn numbers<'py, T: numpy::Element, const N: usize>(
        &self,
        py: Python<'py>,
        own: &[usize],
        of: impl Fn(&PlanarContact) -> [T; N],
    ) -> PyResult<Bound<'py, PyAny>> {
        let numbers = self.all.iter().flat_map(of).collect();
        array(py, &self.axes, own, numbers)
    }
}

#[pymethods]
impl PlanarContacts {
    /// The signed distances, shape (...): positive apart, 0 touching, negative the least translation that separates.
    #[getter]
    fn distance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, &[], |found| [found.distance])
    }

    /// The witness points on the superellipse, shape (..., 2).
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, &[2], |found| <[f64; 2]>::from(found.point_a))
    }

    /// The witness points on the segment, ``point_a + distance * normal``, shape (..., 2).
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, &[2], |found| <[f64; 2]>::from(found.point_b))
    }

    /// The unit normals from the superellipse to the segment, shape (..., 2).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, &[2], |found| <[f64; 2]>::from(*found.normal))
    }

    /// What the true signed distances are at least, shape (...).
    #[getter]
    fn lower<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, &[], |found| [found.lower])
    }

    /// What the true signed distances are at most, shape (...).
    #[getter]
    fn upper<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, &[], |found| [found.upper])
    }

    /// How the queries ended, uint8, shape (...), see `superovoid.Outcome`.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, &[], |found| [codes::of_outcome(found.outcome)])
    }

    /// The numbers of evaluations of surface points, uint32, shape (...).
    #[getter]
    fn iterations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, &[], |found| [found.iterations])
    }

    /// The axes of the answers.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.axes)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let numbers = |found: &PlanarContact| {
            let (a, b, n) = (found.point_a, found.point_b, found.normal);
            let outcome = f64::from(codes::of_outcome(found.outcome));
            let iterations = f64::from(found.iterations);
            let (lower, upper) = (found.lower, found.upper);
            [
                found.distance,
                a.x,
                a.y,
                b.x,
                b.y,
                n.x,
                n.y,
                lower,
                upper,
                outcome,
                iterations,
            ]
        };
        let me = slf.get();
        reduced_to_rows(slf, &me.axes, me.all.iter().map(numbers))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(_: &Bound<'_, PyType>, axes: Vec<usize>, rows: Table<11>) -> PyResult<Self> {
        let all = rows.each(&axes, |row| {
            let &[
                distance,
                ax,
                ay,
                bx,
                by,
                nx,
                ny,
                lower,
                upper,
                outcome,
                iterations,
            ] = row;
            let iterations = state::whole(iterations)?;
            Ok(PlanarContact {
                distance,
                point_a: Point2::new(ax, ay),
                point_b: Point2::new(bx, by),
                normal: Unit::new_unchecked(Vector2::new(nx, ny)),
                lower,
                upper,
                outcome: codes::outcome(outcome).ok_or_else(state::odd)?,
                iterations: u32::try_from(iterations).map_err(|_| state::odd())?,
            })
        })?;
        Ok(PlanarContacts { axes, all })
    }

    fn __len__(&self) -> PyResult<usize> {
        let first = self.axes.first().copied();
        first.ok_or_else(|| PyTypeError::new_err("a single contact has no length"))
    }

    fn __repr__(&self) -> String {
        format!(
            "<PlanarContacts: {} of axes {:?}>",
            self.all.len(),
            self.axes
        )
    }
}

/// Returns the signed distance between a superellipse (A) and segments (B) in the plane, with the nearest points, the normal
/// from A to B and a bracket. Where they overlap, the distance is minus the length of the least translation that separates
/// them, and the normal its direction for the segment.
///
/// Parameters
/// ----------
/// shape : Superellipse
///     The body A.
/// pose : array_like, shape (..., 3)
///     Its poses: x y (metres) and the angle (radians, anticlockwise).
/// segments : array_like, shape (..., 2, 2)
///     The two ends of each segment, metres, in the world; equal ends are a point.
/// threads : int, optional
///     As that of `superovoid.contact`.
///
/// Returns
/// -------
/// PlanarContacts
///     One answer for each element of the broadcast. The bracket is about 1e-12 of the larger semi-axis wide, plus the
///     rounding of the coordinates; for exponents within 1e-6 of 0 or 2 it is that of the circle around the superellipse,
///     and nothing is certified.
///
/// Raises
/// ------
/// ValueError, TypeError
///     The error names the argument and the element that is refused.
#[pyfunction]
#[pyo3(signature = (shape, pose, segments, *, threads = None))]
pub fn planar_segment_contact(
    shape: &Bound<'_, Superellipse>,
    pose: &Bound<'_, PyAny>,
    segments: &Bound<'_, PyAny>,
    threads: Option<usize>,
) -> PyResult<PlanarContacts> {
    let (py, shape) = (shape.py(), &shape.get().shape);
    let poses = Rows::of_width(pose, "pose", 3)?;
    let segments = corners::<2>(segments, "segments", Some(2))?;
    let all = Broadcast::of(&[("pose", poses.lead()), ("segments", segments.lead())])?;
    let (poses, segments) = (poses.reader(&all.axes), segments.reader(&all.axes));
    let single = |k: usize| -> Result<Option<PlanarContact>, String> {
        let [x, y, angle] = poses.row(k);
        let pose = Isometry2::new(Vector2::new(x, y), angle);
        let [p, q] = [0, 1].map(|end| Point2::from(segments.row_of::<2>(k, end)));
        let found = planar::segment_contact(shape, &pose, &p, &q);
        found.map(Some).map_err(|error| error.to_string())
    };
    let mut found = vec![None; all.count];
    fill(py, threads, &mut found, |first, part| {
        each(first, part, single)
    })?
    .map_err(|failed| all.error(failed.index, &failed.error))?;
    Ok(PlanarContacts {
        axes: all.axes,
        all: found.into_iter().flatten().collect(),
    })
}
