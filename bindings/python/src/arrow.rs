//! Answers as Arrow record batches, through the Arrow PyCapsule interface: `pyarrow.table(answers)`,
//! `polars.DataFrame(answers)` and others take them without a package that joins the two.

use crate::codes;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, FixedSizeListArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator,
    UInt8Array, UInt32Array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;
use superovoid::Contact;

/// A column of a record batch.
pub struct Column {
    name: String,
    values: ArrayRef,
    /// Whether a row may have no value.
    nullable: bool,
}

impl Column {
    pub fn floats(name: &str, values: impl IntoIterator<Item = f64>) -> Self {
        Column::of(name, Arc::new(Float64Array::from_iter_values(values)))
    }

    /// Three numbers in each row.
    fn vectors(name: &str, values: impl IntoIterator<Item = [f64; 3]>) -> PyResult<Self> {
        let numbers = Float64Array::from_iter_values(values.into_iter().flatten());
        Column::lists(name, 3, numbers)
    }

    /// `width` numbers in each row.
    pub fn lists(name: &str, width: usize, numbers: Float64Array) -> PyResult<Self> {
        let width = i32::try_from(width).map_err(|error| failed(&error))?;
        let item = Arc::new(Field::new("item", DataType::Float64, false));
        let lists = FixedSizeListArray::try_new(item, width, Arc::new(numbers), None);
        let lists = lists.map_err(|error| failed(&error))?;
        Ok(Column::of(name, Arc::new(lists)))
    }

    pub fn whole(name: &str, values: impl IntoIterator<Item = i64>) -> Self {
        Column::of(name, Arc::new(Int64Array::from_iter_values(values)))
    }

    /// Indices, of which those below 0 are missing.
    pub fn indices(name: &str, values: impl IntoIterator<Item = i64>) -> Self {
        let some = values.into_iter().map(|k| (k >= 0).then_some(k));
        Column {
            nullable: true,
            ..Column::of(name, Arc::new(Int64Array::from_iter(some)))
        }
    }

    fn of(name: &str, values: ArrayRef) -> Self {
        Column {
            name: name.to_owned(),
            values,
            nullable: false,
        }
    }
}

fn failed(error: &dyn std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// Returns the columns of contacts: what `Contacts` has, a row for each.
pub fn contact_columns(all: &[Contact]) -> PyResult<Vec<Column>> {
    let outcome = |contact: &Contact| codes::of_outcome(contact.outcome);
    let outcomes = UInt8Array::from_iter_values(all.iter().map(outcome));
    let iterations = UInt32Array::from_iter_values(all.iter().map(|contact| contact.iterations));
    Ok(vec![
        Column::floats("distance", all.iter().map(|contact| contact.distance)),
        Column::vectors("point_a", all.iter().map(|c| c.point_a.coords.into()))?,
        Column::vectors("point_b", all.iter().map(|c| c.point_b.coords.into()))?,
        Column::vectors("normal", all.iter().map(|c| c.normal.into_inner().into()))?,
        Column::floats("lower", all.iter().map(|contact| contact.lower)),
        Column::floats("upper", all.iter().map(|contact| contact.upper)),
        Column::of("outcome", Arc::new(outcomes)),
        Column::of("iterations", Arc::new(iterations)),
    ])
}

/// Returns the capsule `arrow_array_stream` of one record batch.
pub fn stream<'py>(py: Python<'py>, columns: Vec<Column>) -> PyResult<Bound<'py, PyCapsule>> {
    let field = |c: &Column| Field::new(&c.name, c.values.data_type().clone(), c.nullable);
    let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
    let values = columns.into_iter().map(|column| column.values).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), values);
    let batches: [Result<RecordBatch, ArrowError>; 1] = [batch];
    if let [Err(error)] = &batches {
        return Err(failed(error));
    }
    let reader = RecordBatchIterator::new(batches, schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(reader));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// Returns a `pyarrow.Table` of an object that has `__arrow_c_stream__`.
pub fn table<'py>(answers: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = answers.py();
    let pyarrow = py.import("pyarrow").map_err(|error| {
        let problem = "to_arrow() makes a table of pyarrow: `pip install pyarrow`, or give the answers themselves to \
                       polars, DuckDB or another library that takes Arrow streams";
        let missing = pyo3::exceptions::PyImportError::new_err(problem);
        missing.set_cause(py, Some(error));
        missing
    })?;
    pyarrow.call_method1("table", (answers,))
}
