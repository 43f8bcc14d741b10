//! Arrays as arguments: what converts, and how rows are read from strides.
//!
//! An array of float64 in the machine's byte order is read where it lies, whatever its strides. Arrays of other real or
//! whole numbers, lists and numbers are converted to float64 by NumPy. Everything else (booleans, complex numbers,
//! strings, objects, masked arrays) is refused by name.

#![allow(unsafe_code)] // reads of rows by strides

use numpy::{
    PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::marker::PhantomData;

/// An array that is read as rows: all axes but the last `own` count the elements of a broadcast.
pub struct Rows<'py> {
    array: Bound<'py, PyArrayDyn<f64>>,
    own: usize,
}

impl<'py> Rows<'py> {
    /// Takes an argument whose last axes are those of an element, `own` of them.
    pub fn new(value: &Bound<'py, PyAny>, name: &str, own: usize) -> PyResult<Self> {
        let array = float_array(value, name)?;
        let axes = array.shape().len();
        if axes < own {
            return Err(PyValueError::new_err(format!(
                "{name} has {axes} axes, of at least {own}"
            )));
        }
        Ok(Rows { array, own })
    }

    /// Takes an argument whose last axis has `width` numbers.
    pub fn of_width(value: &Bound<'py, PyAny>, name: &str, width: usize) -> PyResult<Self> {
        let rows = Rows::new(value, name, 1)?;
        if rows.element()[0] == width {
            return Ok(rows);
        }
        Err(PyValueError::new_err(format!(
            "{name} has the shape {:?}, but its last axis must have {width} numbers",
            rows.array.shape()
        )))
    }

    /// Takes an argument that is a list of rows of `width` numbers: two axes, none of them broadcast.
    pub fn list_of_width(value: &Bound<'py, PyAny>, name: &str, width: usize) -> PyResult<Self> {
        let rows = Rows::of_width(value, name, width)?;
        if rows.lead().len() == 1 {
            return Ok(rows);
        }
        Err(PyValueError::new_err(format!(
            "{name} has the shape {:?}; (n, {width}) is wanted",
            rows.array.shape()
        )))
    }

    /// Returns the axes that count elements.
    pub fn lead(&self) -> &[usize] {
        let shape = self.array.shape();
        &shape[..shape.len() - self.own]
    }

    /// Returns the axes of an element.
    pub fn element(&self) -> &[usize] {
        let shape = self.array.shape();
        &shape[shape.len() - self.own..]
    }

    /// Returns a reader of the elements of a broadcast to the axes `to`.
    pub fn reader(&self, to: &[usize]) -> RowReader<'_> {
        const SIZE: isize = size_of::<f64>() as isize;
        let strides: Vec<isize> = self.array.strides().iter().map(|s| s / SIZE).collect();
        let (lead, own) = strides.split_at(strides.len() - self.own);
        RowReader {
            start: self.array.data(),
            index: Index::new(self.lead(), lead, to),
            own: own.to_vec(),
            array: PhantomData,
        }
    }
}

/// Converts an argument to an array of float64.
fn float_array<'py>(
    value: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let plain = |value: &Bound<'py, PyAny>| {
        let array = value.cast_exact::<PyArrayDyn<f64>>().ok()?;
        // Strides of part of a number are those of fields of structured arrays.
        let whole = |s: &isize| s % size_of::<f64>() as isize == 0;
        let aligned = array.data().cast::<f64>().is_aligned() && array.strides().iter().all(whole);
        aligned.then(|| array.clone())
    };
    if let Some(array) = plain(value) {
        return Ok(array);
    }
    let numpy = value.py().import("numpy")?;
    if value.hasattr("mask")? {
        let problem = format!("{name} is a masked array: there is no answer for a masked number");
        return Err(PyTypeError::new_err(problem));
    }
    let array = numpy.call_method1("asarray", (value,))?;
    let dtype = array.cast::<PyUntypedArray>()?.dtype();
    if !matches!(dtype.kind(), b'f' | b'i' | b'u') {
        // Of an object that is no array NumPy makes one without axes, whose dtype says nothing.
        let is_object = dtype.kind() == b'O' && array.getattr("ndim")?.extract::<usize>()? == 0;
        let problem = if is_object {
            let kind = value.get_type();
            format!(
                "{name} is a {}; an array of real numbers is wanted",
                kind.name()?
            )
        } else {
            format!("{name} has the dtype {dtype}; real numbers are wanted")
        };
        return Err(PyTypeError::new_err(problem));
    }
    let array = numpy.call_method1("array", (array, "float64"))?;
    plain(&array).ok_or_else(|| PyTypeError::new_err(format!("{name} is not an array of numbers")))
}

/// Returns the rows of an argument of the shape (n, N) that holds whole numbers of the range of `T`, at least 0 and less
/// than 2⁶³.
pub fn whole_numbers<T: TryFrom<i64> + Copy + Default, const N: usize>(
    value: &Bound<'_, PyAny>,
    name: &str,
) -> PyResult<Vec<[T; N]>> {
    let numpy = value.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (value,))?;
    let untyped = array.cast::<PyUntypedArray>()?;
    let (dtype, shape) = (untyped.dtype(), untyped.shape().to_vec());
    if !matches!(dtype.kind(), b'i' | b'u') {
        return Err(PyTypeError::new_err(format!(
            "{name} has the dtype {dtype}; whole numbers are wanted"
        )));
    }
    if shape.len() != 2 || shape[1] != N {
        return Err(PyValueError::new_err(format!(
            "{name} has the shape {shape:?}; (n, {N}) is wanted"
        )));
    }
    // Numbers of 64 bits without a sign may wrap: no index is as large, and what wraps is negative.
    let array = array.call_method1("astype", ("int64",))?;
    let array = array.cast::<PyArrayDyn<i64>>()?.readonly();
    let mut rows = vec![[T::default(); N]; shape[0]];
    for (index, &number) in array.as_array().iter().enumerate() {
        rows[index / N][index % N] = T::try_from(number).map_err(|_| {
            let (row, column) = (index / N, index % N);
            let problem = format!("{name}[{row}, {column}] = {number} is out of range");
            PyValueError::new_err(problem)
        })?;
    }
    Ok(rows)
}

/// Where the elements of a broadcast lie.
pub struct Index {
    /// Axes of the broadcast and steps along them, the last axis first.
    axes: Vec<(usize, isize)>,
}

impl Index {
    /// `lead` and `strides` are those of an array that broadcasts to the axes `to`.
    pub fn new(lead: &[usize], strides: &[isize], to: &[usize]) -> Self {
        let missing = to.len() - lead.len();
        let step = |k: usize| {
            if k < missing || lead[k - missing] == 1 {
                0
            } else {
                strides[k - missing]
            }
        };
        Index {
            axes: (0..to.len()).rev().map(|k| (to[k], step(k))).collect(),
        }
    }

    /// The elements are those of a list in the order of the axes `lead`.
    pub fn of_list(lead: &[usize], to: &[usize]) -> Self {
        let mut strides = vec![1; lead.len()];
        for k in (1..lead.len()).rev() {
            strides[k - 1] = strides[k] * lead[k] as isize;
        }
        Index::new(lead, &strides, to)
    }

    /// Returns the offset of the element that the broadcast counts as number `index`.
    #[inline]
    pub fn offset(&self, index: usize) -> isize {
        if let [(_, step)] = self.axes[..] {
            return index as isize * step;
        }
        let mut rest = index;
        let mut offset = 0;
        for &(count, step) in &self.axes {
            offset += (rest % count) as isize * step;
            rest /= count;
        }
        offset
    }
}

/// Reads elements of a broadcast, on any thread.
pub struct RowReader<'a> {
    start: *const f64,
    index: Index,
    own: Vec<isize>,
    array: PhantomData<&'a f64>,
}

// SAFETY: it reads numbers of an array that is kept alive. That other threads of Python may write to it meanwhile is
// their affair, as with NumPy's own functions.
unsafe impl Send for RowReader<'_> {}
// SAFETY: as above.
unsafe impl Sync for RowReader<'_> {}

impl RowReader<'_> {
    /// Returns the `N` numbers of an element with one axis.
    #[inline]
    pub fn row<const N: usize>(&self, index: usize) -> [f64; N] {
        let (start, step) = (self.index.offset(index), self.own[0]);
        // SAFETY: the shape of the array was checked; the offset is that of an element.
        std::array::from_fn(|k| unsafe { *self.start.offset(start + k as isize * step) })
    }

    /// Returns the number that an element without an axis is.
    #[inline]
    pub fn number(&self, index: usize) -> f64 {
        // SAFETY: as for `row`.
        unsafe { *self.start.offset(self.index.offset(index)) }
    }

    /// Returns all numbers of an element with one axis.
    pub fn numbers(&self, index: usize, count: usize) -> Vec<f64> {
        let (start, step) = (self.index.offset(index), self.own[0]);
        // SAFETY: `count` is the length of the axis, as for `row`.
        let number = |k: usize| unsafe { *self.start.offset(start + k as isize * step) };
        (0..count).map(number).collect()
    }

    /// Returns row `row` of an element with two axes.
    pub fn row_of<const N: usize>(&self, index: usize, row: usize) -> [f64; N] {
        let start = self.index.offset(index) + row as isize * self.own[0];
        // SAFETY: `row` and `N` are within the axes of the element, as for `row`.
        std::array::from_fn(|k| unsafe { *self.start.offset(start + k as isize * self.own[1]) })
    }

    /// Returns the numbers of an element with two axes.
    pub fn matrix<const R: usize, const C: usize>(&self, index: usize) -> [[f64; C]; R] {
        let start = self.index.offset(index);
        let [down, across] = [self.own[0], self.own[1]];
        let at = |r: usize, c: usize| start + r as isize * down + c as isize * across;
        // SAFETY: as for `row`.
        std::array::from_fn(|r| std::array::from_fn(|c| unsafe { *self.start.offset(at(r, c)) }))
    }
}
