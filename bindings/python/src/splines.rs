//! `Spline`: a motion by piecewise polynomials.

use crate::array_input::Rows;
use crate::array_output::array;
use crate::state::{Reduced, reduced};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use superovoid_robot::SplineError;

/// A motion by piecewise polynomials of the numbers of a configuration, continuous in time.
///
/// `cubic` and `quintic` make it from positions, velocities and accelerations, as a ROS ``JointTrajectory`` means them,
/// `polynomials` from coefficients, as Drake's ``PiecewisePolynomial``, `b_spline` from knots and control points, and `bezier`
/// from Bezier points. `RobotScene.spline_free` judges whether a robot may move along it.
///
/// Examples
/// --------
/// >>> import superovoid
/// >>> spline = superovoid.Spline.cubic([0, 2], [[0.0], [1.0]], [[0.0], [0.0]])   # from rest to rest in two seconds
/// >>> spline.position([0, 1, 2]).tolist()
/// [[0.0], [0.5], [1.0]]
#[pyclass(frozen, module = "superovoid")]
pub struct Spline {
    pub spline: superovoid_robot::Spline,
    /// The class method that makes it, and copies of its arguments.
    made: (&'static str, Py<PyTuple>),
}

#[pymethods]
impl Spline {
    /// Makes cubic pieces from the positions and velocities at times.
    ///
    /// Parameters
    /// ----------
    /// times : array_like, shape (m,)
    ///     Times that grow, seconds, at least two.
    /// positions, velocities : array_like, shape (m, position_count)
    ///     Radians and metres, and these for a second.
    #[classmethod]
    fn cubic(
        class: &Bound<'_, PyType>,
        times: &Bound<'_, PyAny>,
        positions: &Bound<'_, PyAny>,
        velocities: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let py = class.py();
        let times = Table::of(times, "times", 0, 1)?;
        let positions = Table::of(positions, "positions", 1, 1)?;
        let velocities = Table::of(velocities, "velocities", 1, 1)?;
        let spline =
            superovoid_robot::Spline::cubic(&times.numbers(), &positions.rows, &velocities.rows);
        let arguments = (times.copy(py)?, positions.copy(py)?, velocities.copy(py)?);
        Spline::new(spline, "cubic", arguments.into_pyobject(py)?)
    }

    /// Makes quintic pieces from the positions, velocities and accelerations at times. The shapes are those of `cubic`.
    #[classmethod]
    fn quintic(
        class: &Bound<'_, PyType>,
        times: &Bound<'_, PyAny>,
        positions: &Bound<'_, PyAny>,
        velocities: &Bound<'_, PyAny>,
        accelerations: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let py = class.py();
        let times = Table::of(times, "times", 0, 1)?;
        let positions = Table::of(positions, "positions", 1, 1)?;
        let velocities = Table::of(velocities, "velocities", 1, 1)?;
        let accelerations = Table::of(accelerations, "accelerations", 1, 1)?;
        let spline = superovoid_robot::Spline::quintic(
            &times.numbers(),
            &positions.rows,
            &velocities.rows,
            &accelerations.rows,
        );
        let arguments = (
            times.copy(py)?,
            positions.copy(py)?,
            velocities.copy(py)?,
            accelerations.copy(py)?,
        );
        Spline::new(spline, "quintic", arguments.into_pyobject(py)?)
    }

    /// Makes polynomials of one degree, from 1 to 15: number i on piece k is the sum of
    /// ``coefficients[k, j, i] * (t - times[k])**j``.
    ///
    /// Parameters
    /// ----------
    /// times : array_like, shape (m + 1,)
    ///     The ends of the pieces, seconds.
    /// coefficients : array_like, shape (m, degree + 1, position_count)
    ///     Those of every piece, the constant ones first. The numbers must not jump from one piece to the next.
    #[classmethod]
    fn polynomials(
        class: &Bound<'_, PyType>,
        times: &Bound<'_, PyAny>,
        coefficients: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let py = class.py();
        let times = Table::of(times, "times", 0, 1)?;
        let coefficients = Table::of(coefficients, "coefficients", 1, 2)?;
        let powers = coefficients.axes[1];
        if powers < 2 {
            return Err(refused(SplineError::Degree {
                degree: powers.saturating_sub(1),
            }));
        }
        let pieces: Vec<&[Vec<f64>]> = coefficients.rows.chunks(powers).collect();
        let spline = superovoid_robot::Spline::polynomials(&times.numbers(), &pieces);
        let arguments = (times.copy(py)?, coefficients.copy(py)?);
        Spline::new(spline, "polynomials", arguments.into_pyobject(py)?)
    }

    /// Makes a B-spline of a degree from 1 to 15.
    ///
    /// Parameters
    /// ----------
    /// degree : int
    ///     The degree.
    /// knots : array_like, shape (n + degree + 1,)
    ///     Knots that do not fall, seconds; the spline runs from knot `degree` to the last but `degree`.
    /// points : array_like, shape (n, position_count)
    ///     The control points.
    #[classmethod]
    fn b_spline(
        class: &Bound<'_, PyType>,
        degree: usize,
        knots: &Bound<'_, PyAny>,
        points: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let py = class.py();
        let knots = Table::of(knots, "knots", 0, 1)?;
        let points = Table::of(points, "points", 1, 1)?;
        let spline = superovoid_robot::Spline::b_spline(degree, &knots.numbers(), &points.rows);
        let arguments = (degree, knots.copy(py)?, points.copy(py)?);
        Spline::new(spline, "b_spline", arguments.into_pyobject(py)?)
    }

    /// Makes Bezier pieces of a degree from 1 to 15.
    ///
    /// Parameters
    /// ----------
    /// degree : int
    ///     The degree.
    /// times : array_like, shape (m + 1,)
    ///     The ends of the pieces, seconds.
    /// points : array_like, shape (m * degree + 1, position_count)
    ///     The points of the pieces, of which neighbours share one.
    #[classmethod]
    fn bezier(
        class: &Bound<'_, PyType>,
        degree: usize,
        times: &Bound<'_, PyAny>,
        points: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let py = class.py();
        let times = Table::of(times, "times", 0, 1)?;
        let points = Table::of(points, "points", 1, 1)?;
        let spline = superovoid_robot::Spline::bezier(degree, &times.numbers(), &points.rows);
        let arguments = (degree, times.copy(py)?, points.copy(py)?);
        Spline::new(spline, "bezier", arguments.into_pyobject(py)?)
    }

    /// The ends of the pieces, seconds, shape (m + 1,).
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let times = self.spline.times();
        array(py, &[times.len()], &[], times.to_vec())
    }

    /// The degree of the pieces.
    #[getter]
    fn degree(&self) -> usize {
        self.spline.degree()
    }

    /// The number of numbers of a configuration.
    #[getter]
    fn position_count(&self) -> usize {
        self.spline.position_count()
    }

    /// Returns the configurations at times, array_like of the shape (...), as an array of the shape (..., position_count);
    /// before the first and after the last time they are those there.
    fn position<'py>(
        &self,
        py: Python<'py>,
        time: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = Rows::new(time, "time", 0)?;
        let (lead, reader) = (rows.lead(), rows.reader(rows.lead()));
        let count = lead.iter().product();
        let mut numbers = Vec::new();
        for time in (0..count).map(|k| reader.number(k)) {
            if !time.is_finite() {
                let problem = format!("time = {time}: it must be finite");
                return Err(PyValueError::new_err(problem));
            }
            numbers.extend(self.spline.position(time));
        }
        array(py, lead, &[self.spline.position_count()], numbers)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (make, arguments) = &slf.get().made;
        reduced(slf, make, arguments.bind(slf.py()).clone())
    }

    fn __repr__(&self) -> String {
        let times = self.spline.times();
        format!(
            "<Spline of degree {} from {} s to {} s>",
            self.spline.degree(),
            times[0],
            times[times.len() - 1]
        )
    }
}

impl Spline {
    fn new(
        spline: Result<superovoid_robot::Spline, SplineError>,
        make: &'static str,
        arguments: Bound<'_, PyTuple>,
    ) -> PyResult<Self> {
        let spline = spline.map_err(refused)?;
        let made = (make, arguments.unbind());
        Ok(Spline { spline, made })
    }
}

fn refused(error: SplineError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An array: rows of its last axis, or numbers.
struct Table {
    axes: Vec<usize>,
    own: Vec<usize>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    /// Takes an array whose rows have `own` axes and that has `lead` more.
    fn of(value: &Bound<'_, PyAny>, name: &str, own: usize, lead: usize) -> PyResult<Self> {
        let rows = Rows::new(value, name, own)?;
        let axes = rows.lead().to_vec();
        if axes.len() != lead {
            let (there, wanted) = (axes.len() + own, lead + own);
            let problem = format!("{name} has {there} axes; {wanted} are wanted");
            return Err(PyValueError::new_err(problem));
        }
        let reader = rows.reader(&axes);
        let row = |k: usize| match rows.element() {
            [width] => reader.numbers(k, *width),
            _ => vec![reader.number(k)],
        };
        Ok(Table {
            rows: (0..axes.iter().product()).map(row).collect(),
            own: rows.element().to_vec(),
            axes,
        })
    }

    fn numbers(&self) -> Vec<f64> {
        self.rows.concat()
    }

    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.axes, &self.own, self.numbers())
    }
}
