//! Arrays as results.

use numpy::ndarray::{ArrayD, IxDyn};
use numpy::{Element, IntoPyArray, PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;

/// Returns an array of the axes `lead` then `own` from its numbers in order; a single number if there are no axes.
pub fn array<'py, T: Element>(
    py: Python<'py>,
    lead: &[usize],
    own: &[usize],
    numbers: Vec<T>,
) -> PyResult<Bound<'py, PyAny>> {
    let axes: Vec<usize> = lead.iter().chain(own).copied().collect();
    let array = ArrayD::from_shape_vec(IxDyn(&axes), numbers)
        .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
    finished(array.into_pyarray(py))
}

/// Returns the array, made read-only, or the number that it holds if it has no axes.
pub fn finished<'py, T: Element>(array: Bound<'py, PyArrayDyn<T>>) -> PyResult<Bound<'py, PyAny>> {
    let array = array.readwrite().make_nonwriteable().as_any().clone();
    array.get_item(pyo3::types::PyTuple::empty(array.py()))
}
