//! `Contacts`: the answers of queries, kept as the library gives them, and arrays that are views of them.

#![allow(unsafe_code)] // views of the answers

use crate::array_output::{array, finished};
use crate::arrow::{Column, contact_columns, stream, table};
use crate::codes;
use crate::state::{self, CONTACT, Reduced, Table, reduced};
use numpy::ndarray::{ArrayView, IxDyn, ShapeBuilder};
use numpy::{Element, PyArray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple, PyType};
use std::mem::offset_of;
use superovoid::{Contact, Outcome};

/// The answers of a query: frozen, one for each element of the broadcast of its arguments, shape ``(...)``.
///
/// The arrays are read-only views of the answers, strided, without a copy; those of a single answer are numbers. World
/// frame, metres.
///
/// Attributes
/// ----------
/// distance : ndarray, shape (...)
///     The signed distance: positive apart, 0 touching, negative the least penetration.
/// point_a, point_b : ndarray, shape (..., 3)
///     The witness points on A and B; ``point_b = point_a + distance * normal``.
/// normal : ndarray, shape (..., 3)
///     The unit normal from A to B.
/// lower, upper : ndarray, shape (...)
///     The bracket that proves the answer: the true signed distance lies between them.
/// outcome : ndarray of uint8, shape (...)
///     How the query ended, see `superovoid.Outcome`.
/// iterations : ndarray of uint32, shape (...)
///     The number of solver iterations.
/// part_a, part_b : ndarray of int64, shape (...), or None
///     The triangle of a mesh or the box of a set that the contact is with, -1 where there is none within the maximum
///     distance; None for a body without parts.
#[pyclass(frozen, module = "superovoid")]
pub struct Contacts {
    pub axes: Vec<usize>,
    pub all: Vec<Contact>,
    /// The parts of A and B, for bodies that have parts.
    pub parts: [Option<Vec<i64>>; 2],
}

const WORD: usize = size_of::<f64>();
const _: () = assert!(size_of::<Contact>().is_multiple_of(WORD));

impl Contacts {
    /// Makes the answers of bodies without parts.
    pub fn new(axes: Vec<usize>, all: Vec<Contact>) -> Self {
        let parts = [None, None];
        Contacts { axes, all, parts }
    }

    fn part<'py>(&self, py: Python<'py>, body: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        let parts = self.parts[body].clone();
        parts
            .map(|parts| array(py, &self.axes, &[], parts))
            .transpose()
    }

    /// Returns a view of the numbers that begin at an offset of each answer.
    fn view<'py, T: Element>(
        slf: &Bound<'py, Self>,
        offset: usize,
        own: &[usize],
    ) -> PyResult<Bound<'py, PyAny>> {
        let me = slf.get();
        let step = size_of::<Contact>() / size_of::<T>();
        let axes: Vec<usize> = me.axes.iter().chain(own).copied().collect();
        let mut strides = vec![1; axes.len()];
        let mut next = step;
        for k in (0..me.axes.len()).rev() {
            strides[k] = next;
            next *= me.axes[k].max(1);
        }
        // SAFETY: the answers live as long as this object, which the array keeps alive, and nothing changes them; the
        // strides are those of the answers.
        let array = unsafe {
            let start = me.all.as_ptr().cast::<u8>().add(offset).cast::<T>();
            let shape = IxDyn(&axes).strides(IxDyn(&strides));
            let view = ArrayView::from_shape_ptr(shape, start);
            PyArray::borrow_from_array(&view, slf.clone().into_any())
        };
        finished(array)
    }
}

impl Contacts {
    /// Returns the columns of an Arrow stream.
    pub fn columns(&self) -> PyResult<Vec<Column>> {
        let mut columns = contact_columns(&self.all)?;
        for (name, parts) in ["part_a", "part_b"].into_iter().zip(&self.parts) {
            columns.extend(
                parts
                    .as_ref()
                    .map(|parts| Column::indices(name, parts.iter().copied())),
            );
        }
        Ok(columns)
    }
}

#[pymethods]
impl Contacts {
    #[getter]
    fn distance<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Contacts::view::<f64>(slf, offset_of!(Contact, distance), &[])
    }

    #[getter]
    fn point_a<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Contacts::view::<f64>(slf, offset_of!(Contact, point_a), &[3])
    }

    #[getter]
    fn point_b<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Contacts::view::<f64>(slf, offset_of!(Contact, point_b), &[3])
    }

    #[getter]
    fn normal<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Contacts::view::<f64>(slf, offset_of!(Contact, normal), &[3])
    }

    #[getter]
    fn lower<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Contacts::view::<f64>(slf, offset_of!(Contact, lower), &[])
    }

    #[getter]
    fn upper<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Contacts::view::<f64>(slf, offset_of!(Contact, upper), &[])
    }

    #[getter]
    fn iterations<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Contacts::view::<u32>(slf, offset_of!(Contact, iterations), &[])
    }

    #[getter]
    fn part_a<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.part(py, 0)
    }

    #[getter]
    fn part_b<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.part(py, 1)
    }

    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let code = |contact: &Contact| codes::of_outcome(contact.outcome);
        array(py, &self.axes, &[], self.all.iter().map(code).collect())
    }

    /// What the brackets prove, an array of uint8 of shape (...), see `superovoid.CollisionStatus`.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let code = |contact: &Contact| codes::of_collision(contact.status());
        array(py, &self.axes, &[], self.all.iter().map(code).collect())
    }

    /// The axes of the answers.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.axes)
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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (me, py) = (slf.get(), slf.py());
        let contacts = state::table(py, me.all.iter().map(state::of_contact))?;
        let parts = |of: usize| {
            let parts = me.parts[of].as_ref();
            parts.map(|parts| state::table(py, parts.iter().map(|&part| [part])))
        };
        let (a, b) = (parts(0).transpose()?, parts(1).transpose()?);
        reduced(slf, "_restored", (me.axes.clone(), contacts, a, b))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(
        _: &Bound<'_, PyType>,
        axes: Vec<usize>,
        contacts: Table<CONTACT>,
        part_a: Option<Table<1, i64>>,
        part_b: Option<Table<1, i64>>,
    ) -> PyResult<Self> {
        let all = contacts.each(&axes, state::contact)?;
        let parts = |of: Option<Table<1, i64>>| of.map(|of| of.column(&axes)).transpose();
        let parts = [parts(part_a)?, parts(part_b)?];
        Ok(Contacts { axes, all, parts })
    }

    fn __len__(&self) -> PyResult<usize> {
        let first = self.axes.first().copied();
        first.ok_or_else(|| PyTypeError::new_err("a single contact has no length"))
    }

    fn __repr__(&self) -> String {
        match &self.all[..] {
            [contact] if self.axes.is_empty() => format!(
                "<Contact: distance {} in [{}, {}], {:?}>",
                contact.distance, contact.lower, contact.upper, contact.outcome
            ),
            all => {
                let of = |outcome| all.iter().filter(|c| c.outcome == outcome).count();
                format!(
                    "<Contacts: {} of axes {:?}, {} certified, {} converged, {} not converged, {} beyond>",
                    all.len(),
                    self.axes,
                    of(Outcome::Certified),
                    of(Outcome::Converged),
                    of(Outcome::NotConverged),
                    of(Outcome::Beyond)
                )
            }
        }
    }
}
