//! `Motions`: an array of motions of bodies.

use crate::array_input::{Index, Rows};
use crate::array_output::array;
use crate::broadcast::Broadcast;
use crate::poses::{Poses, numbers};
use crate::state::{Reduced, Table, odd, reduced_to_rows};
use nalgebra::{Isometry3, Vector3};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use superovoid::QueryError;
use superovoid::motion::Motion;

/// An array of motions of bodies over t in [0, 1].
#[pyclass(frozen, module = "superovoid")]
pub struct Motions {
    pub axes: Vec<usize>,
    pub all: Vec<Motion>,
}

impl Motions {
    pub fn index(&self, to: &[usize]) -> Index {
        Index::of_list(&self.axes, to)
    }

    fn make(
        all: &Broadcast,
        motion: impl Fn(usize) -> Result<Motion, String>,
    ) -> PyResult<Motions> {
        let one = |k: usize| motion(k).map_err(|error| all.error(k, &error));
        Ok(Motions {
            axes: all.axes.clone(),
            all: (0..all.count).map(one).collect::<PyResult<_>>()?,
        })
    }

    fn by_velocities(
        start: &Bound<'_, PyAny>,
        linear: &Bound<'_, PyAny>,
        angular: &Bound<'_, PyAny>,
        make: impl Fn(Isometry3<f64>, Vector3<f64>, Vector3<f64>) -> Result<Motion, QueryError>,
    ) -> PyResult<Motions> {
        let start = Poses::new(start, "start")?;
        let (linear, angular) = (
            Rows::of_width(linear, "linear", 3)?,
            Rows::of_width(angular, "angular", 3)?,
        );
        let all = Broadcast::of(&[
            ("start", start.lead()),
            ("linear", linear.lead()),
            ("angular", angular.lead()),
        ])?;
        let (start, linear, angular) = (
            start.reader(&all.axes),
            linear.reader(&all.axes),
            angular.reader(&all.axes),
        );
        Motions::make(&all, |k| {
            let (v, w) = (
                Vector3::from(linear.row::<3>(k)),
                Vector3::from(angular.row::<3>(k)),
            );
            make(start.pose(k)?, v, w).map_err(|error| error.to_string())
        })
    }

    fn between(
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        make: impl Fn(Isometry3<f64>, Isometry3<f64>) -> Result<Motion, QueryError>,
    ) -> PyResult<Motions> {
        let (start, end) = (Poses::new(start, "start")?, Poses::new(end, "end")?);
        let all = Broadcast::of(&[("start", start.lead()), ("end", end.lead())])?;
        let (start, end) = (start.reader(&all.axes), end.reader(&all.axes));
        Motions::make(&all, |k| {
            make(start.pose(k)?, end.pose(k)?).map_err(|error| error.to_string())
        })
    }
}

#[pymethods]
impl Motions {
    /// Bodies that rest at poses, shape (..., 7) or (..., 4, 4).
    #[classmethod]
    fn still(_: &Bound<'_, PyType>, pose: &Bound<'_, PyAny>) -> PyResult<Self> {
        Motions::between(pose, pose, |pose, _| Motion::still(pose))
    }

    /// Screws of constant twist: the origin starts with the velocity ``linear`` (metres, world axes), and the body turns
    /// with the angular velocity ``angular`` (radians, world axes), both shape (..., 3).
    #[classmethod]
    fn screw(
        _: &Bound<'_, PyType>,
        start: &Bound<'_, PyAny>,
        linear: &Bound<'_, PyAny>,
        angular: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        Motions::by_velocities(start, linear, angular, Motion::screw)
    }

    /// Screws from one pose to another, by the smaller angle.
    #[classmethod]
    fn screw_between(
        _: &Bound<'_, PyType>,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        Motions::between(start, end, Motion::screw_between)
    }

    /// The motion in which the origin moves on a straight line and the body turns by the smaller angle about a fixed axis,
    /// both steadily, from one pose to another: the interpolation of FCL and parry.
    #[classmethod]
    fn line_spin(
        _: &Bound<'_, PyType>,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        Motions::between(start, end, Motion::line_spin)
    }

    /// The motion in which the body's origin has the constant velocity ``linear`` and the body turns about it with
    /// ``angular`` (radians, more than half a turn too), world axes, shape (..., 3).
    #[classmethod]
    fn line_spin_about_origin(
        _: &Bound<'_, PyType>,
        start: &Bound<'_, PyAny>,
        linear: &Bound<'_, PyAny>,
        angular: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let center = nalgebra::Point3::origin();
        Motions::by_velocities(start, linear, angular, |start, v, w| {
            Motion::line_spin_about(start, center, v, w)
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let me = slf.get();
        reduced_to_rows(slf, &me.axes, me.all.iter().map(Motion::to_numbers))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(_: &Bound<'_, PyType>, axes: Vec<usize>, rows: Table<16>) -> PyResult<Self> {
        let all = rows.each(&axes, |row| Motion::from_numbers(row).map_err(|_| odd()))?;
        Ok(Motions { axes, all })
    }

    /// Returns the poses at an instant, shape (..., 7).
    fn pose<'py>(&self, py: Python<'py>, t: f64) -> PyResult<Bound<'py, PyAny>> {
        let numbers = |motion: &Motion| numbers(&motion.pose(t));
        array(
            py,
            &self.axes,
            &[7],
            self.all.iter().flat_map(numbers).collect(),
        )
    }

    /// The axes of the array of motions.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.axes)
    }
}
