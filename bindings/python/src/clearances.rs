//! `Clearances`: the distances of the links of a robot in configurations.

use crate::array_output::array;
use crate::arrow::{Column, stream, table};
use crate::contacts::Contacts;
use crate::state::{self, CONTACT, Reduced, Table, reduced};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyType};
use superovoid_robot::Clearance;

/// The clearances of pairs of collision shapes in configurations, one after the other.
#[pyclass(frozen, module = "superovoid")]
pub struct Clearances {
    /// The configuration (its index in the flattened array) and the pair.
    pub all: Vec<(usize, Clearance)>,
    /// The rows of the gradients, if they were asked for.
    pub gradient: Option<Vec<f64>>,
    pub velocity_count: usize,
    pub free: Vec<bool>,
    pub axes: Vec<usize>,
}

impl Clearances {
    fn numbers<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&Clearance) -> usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let all = self.all.iter().map(|(_, pair)| of(pair) as u64);
        array(py, &[self.all.len()], &[], all.collect())
    }
}

impl Clearances {
    fn columns(&self) -> PyResult<Vec<Column>> {
        let whole = |name: &str, of: fn(&Clearance) -> usize| {
            Column::whole(name, self.all.iter().map(|(_, pair)| of(pair) as i64))
        };
        let mut columns = vec![
            Column::whole("configuration", self.all.iter().map(|(k, _)| *k as i64)),
            whole("link_a", |pair| pair.link_a),
            whole("link_b", |pair| pair.link_b),
            whole("collision_a", |pair| pair.collision_a),
            whole("collision_b", |pair| pair.collision_b),
        ];
        columns.extend(self.contacts().columns()?);
        if let Some(gradient) = &self.gradient {
            let numbers = gradient.clone().into();
            columns.push(Column::lists("gradient", self.velocity_count, numbers)?);
        }
        Ok(columns)
    }
}

#[pymethods]
impl Clearances {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (me, py) = (slf.get(), slf.py());
        let ids = |(index, pair): &(usize, Clearance)| {
            [
                *index,
                pair.link_a,
                pair.collision_a,
                pair.link_b,
                pair.collision_b,
            ]
            .map(|k| k as i64)
        };
        let ids = state::table(py, me.all.iter().map(ids))?;
        let contacts = me
            .all
            .iter()
            .map(|(_, pair)| state::of_contact(&pair.contact));
        let contacts = state::table(py, contacts)?;
        let gradient = me.gradient.clone();
        let gradient = gradient.map(|numbers| array(py, &[numbers.len()], &[1], numbers));
        let (gradient, count) = (gradient.transpose()?, me.velocity_count);
        let rest = (gradient, count, me.free.clone(), me.axes.clone());
        reduced(
            slf,
            "_restored",
            (ids, contacts, rest.0, rest.1, rest.2, rest.3),
        )
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(
        _: &Bound<'_, PyType>,
        ids: Table<5, i64>,
        contacts: Table<CONTACT>,
        gradient: Option<Table<1>>,
        velocity_count: usize,
        free: Vec<bool>,
        axes: Vec<usize>,
    ) -> PyResult<Self> {
        state::check(&axes, free.len())?;
        let count = [ids.0.len(), velocity_count];
        let gradient = gradient.map(|numbers| numbers.column(&count)).transpose()?;
        let all = ids.with(&contacts, |ids, contact| {
            let at = |k: usize| usize::try_from(ids[k]).map_err(|_| state::odd());
            let contact = state::contact(contact)?;
            let pair = Clearance::new(at(1)?, at(2)?, at(3)?, at(4)?, contact);
            Ok((at(0)?, pair))
        })?;
        Ok(Clearances {
            all,
            gradient,
            velocity_count,
            free,
            axes,
        })
    }

    /// The configuration of each row, its index in the flattened array, shape (rows,).
    #[getter]
    fn configuration<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = self.all.iter().map(|(index, _)| *index as u64);
        array(py, &[self.all.len()], &[], all.collect())
    }

    /// The index of the link of body A, shape (rows,).
    #[getter]
    fn link_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, |pair| pair.link_a)
    }

    /// The index of the link of body B, shape (rows,).
    #[getter]
    fn link_b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, |pair| pair.link_b)
    }

    /// The index of body A among the collisions of its link, shape (rows,).
    #[getter]
    fn collision_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, |pair| pair.collision_a)
    }

    /// The index of body B among the collisions of its link, shape (rows,).
    #[getter]
    fn collision_b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, |pair| pair.collision_b)
    }

    /// The contacts of the rows, in the frame of the root link.
    #[getter]
    fn contacts(&self) -> Contacts {
        Contacts::new(
            vec![self.all.len()],
            self.all.iter().map(|(_, pair)| pair.contact).collect(),
        )
    }

    /// The derivatives of the distances by the velocities, shape (rows, velocity_count); None unless gradients were asked
    /// for, NaN where a contact is not converged.
    #[getter]
    fn gradient<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let numbers = self.gradient.as_ref();
        let axes = [self.all.len(), self.velocity_count];
        numbers
            .map(|numbers| array(py, &axes, &[], numbers.clone()))
            .transpose()
    }

    /// Whether each configuration is proven to be free, shape (...).
    #[getter]
    fn free<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.axes, &[], self.free.clone())
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

    fn __len__(&self) -> usize {
        self.all.len()
    }
}
