//! `FreeRegion`: a box of configurations that is proven free.

use crate::array_input::Rows;
use crate::array_output::array;
use crate::state::{Reduced, reduced};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// A box of configurations that is proven free, both ends included.
///
/// ``HPolyhedron(*region.half_spaces())`` makes it a polyhedron of Drake.
#[pyclass(frozen, module = "superovoid")]
pub struct FreeRegion {
    /// The names of the joints of one degree of freedom that mimic no other one; planar and floating joints stay where they are
    /// in `at`.
    #[pyo3(get)]
    joints: Vec<String>,
    /// The places of their numbers in a configuration.
    places: Vec<usize>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    at: Vec<f64>,
    /// The number of configurations at which the robot was posed.
    #[pyo3(get)]
    states: usize,
}

impl From<superovoid_robot::FreeRegion> for FreeRegion {
    fn from(region: superovoid_robot::FreeRegion) -> Self {
        let joints = region.joints.iter();
        FreeRegion {
            places: joints.clone().map(|joint| joint.number).collect(),
            lower: joints.clone().map(|joint| joint.lower).collect(),
            upper: joints.clone().map(|joint| joint.upper).collect(),
            joints: joints.map(|joint| joint.name.clone()).collect(),
            at: region.at,
            states: region.states,
        }
    }
}

#[pymethods]
impl FreeRegion {
    /// The least position of each joint, radians or metres, shape (joints,).
    #[getter]
    fn lower<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &[self.lower.len()], &[], self.lower.clone())
    }

    /// The greatest position of each joint, shape (joints,).
    #[getter]
    fn upper<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &[self.upper.len()], &[], self.upper.clone())
    }

    /// The configuration around which the region was grown, shape (position_count,).
    #[getter]
    fn at<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &[self.at.len()], &[], self.at.clone())
    }

    /// Returns the region as a polyhedron ``A @ x <= b`` of the positions x of `joints`: A, shape (2 joints, joints), and b,
    /// shape (2 joints,): first ``x <= upper``, then ``-x <= -lower``.
    fn half_spaces<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let count = self.joints.len();
        let mut a = vec![0.0; 2 * count * count];
        for k in 0..count {
            a[k * count + k] = 1.0;
            a[(count + k) * count + k] = -1.0;
        }
        let b = self.upper.iter().copied();
        let b: Vec<f64> = b.chain(self.lower.iter().map(|lower| -lower)).collect();
        Ok((
            array(py, &[2 * count], &[count], a)?,
            array(py, &[2 * count], &[], b)?,
        ))
    }

    /// Returns whether configurations, shape (..., position_count), are in the region, shape (...).
    fn contains<'py>(
        &self,
        py: Python<'py>,
        configurations: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let width = self.at.len();
        let rows = Rows::of_width(configurations, "configurations", width)?;
        let reader = rows.reader(rows.lead());
        let mut ranges: Vec<[f64; 2]> = self.at.iter().map(|&q| [q, q]).collect();
        for (&place, ends) in self.places.iter().zip(self.lower.iter().zip(&self.upper)) {
            ranges[place] = [*ends.0, *ends.1];
        }
        let within = |k: usize| {
            let numbers = reader.numbers(k, width).into_iter().zip(&ranges);
            numbers
                .into_iter()
                .all(|(q, [lower, upper])| q >= *lower && q <= *upper)
        };
        let found = (0..rows.lead().iter().product()).map(within).collect();
        array(py, rows.lead(), &[], found)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (me, py) = (slf.get(), slf.py());
        let ends = (me.lower(py)?, me.upper(py)?, me.at(py)?);
        let state = (&me.joints, &me.places, ends.0, ends.1, ends.2, me.states);
        reduced(slf, "_restored", state)
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(
        _: &Bound<'_, PyType>,
        joints: Vec<String>,
        places: Vec<usize>,
        lower: Vec<f64>,
        upper: Vec<f64>,
        at: Vec<f64>,
        states: usize,
    ) -> PyResult<Self> {
        let count = joints.len();
        let fits = [places.len(), lower.len(), upper.len()] == [count; 3];
        if !fits || places.iter().any(|&place| place >= at.len()) {
            return Err(crate::state::odd());
        }
        Ok(FreeRegion {
            joints,
            places,
            lower,
            upper,
            at,
            states,
        })
    }

    fn __repr__(&self) -> String {
        format!("<FreeRegion of {} joints>", self.joints.len())
    }
}
