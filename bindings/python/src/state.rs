//! What pickles and copies hold: the arguments of a function that makes the object again, as tables of numbers. A number
//! that is a code or a count fits into a float64 without rounding; ids do not, and have tables of their own.

use crate::array_input::{Rows, whole_numbers};
use crate::array_output::array;
use crate::codes;
use nalgebra::{Unit, Vector3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use superovoid::Contact;

/// What `__reduce__` returns: a callable and its arguments.
pub type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// Returns what makes an object again: a class method, by its name, and its arguments.
pub fn reduced<'py, T, A>(
    object: &Bound<'py, T>,
    make: &str,
    arguments: A,
) -> PyResult<Reduced<'py>>
where
    A: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>>,
    PyErr: From<A::Error>,
{
    let make = object.as_any().get_type().getattr(make)?;
    Ok((make, arguments.into_pyobject(object.py())?))
}

/// Returns what makes an object again: its class and the arguments of that.
pub fn reduced_to_new<'py, T, A>(object: &Bound<'py, T>, arguments: A) -> PyResult<Reduced<'py>>
where
    A: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>>,
    PyErr: From<A::Error>,
{
    let class: Bound<'py, PyType> = object.as_any().get_type();
    Ok((class.into_any(), arguments.into_pyobject(object.py())?))
}

/// Returns what makes the answers of a broadcast again, `_restored` of their class: their axes, and a row of numbers for
/// each, which it takes as a [`Table`].
pub fn reduced_to_rows<'py, T, const N: usize>(
    object: &Bound<'py, T>,
    axes: &[usize],
    rows: impl Iterator<Item = [f64; N]>,
) -> PyResult<Reduced<'py>> {
    let rows = table(object.py(), rows)?;
    reduced(object, "_restored", (axes, rows))
}

/// Returns a table of numbers, shape (n, N).
pub fn table<'py, T: numpy::Element + Copy, const N: usize>(
    py: Python<'py>,
    rows: impl Iterator<Item = [T; N]>,
) -> PyResult<Bound<'py, PyAny>> {
    let numbers: Vec<T> = rows.flatten().collect();
    array(py, &[numbers.len() / N], &[N], numbers)
}

/// A table of `N` columns, an argument of `_restored`.
pub struct Table<const N: usize, T = f64>(pub Vec<[T; N]>);

impl<const N: usize> FromPyObject<'_, '_> for Table<N> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let rows = Rows::list_of_width(&value, "state", N)?;
        let reader = rows.reader(rows.lead());
        Ok(Table((0..rows.lead()[0]).map(|k| reader.row(k)).collect()))
    }
}

impl<const N: usize> FromPyObject<'_, '_> for Table<N, i64> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        Ok(Table(whole_numbers::<i64, N>(&value, "state")?))
    }
}

impl<const N: usize, T> Table<N, T> {
    /// Returns what the rows are, of which there must be as many as the axes count.
    pub fn each<A>(
        &self,
        axes: &[usize],
        one: impl Fn(&[T; N]) -> PyResult<A>,
    ) -> PyResult<Vec<A>> {
        check(axes, self.0.len())?;
        self.0.iter().map(one).collect()
    }

    /// Returns what the rows are together with those of another table, of which there must be as many.
    pub fn with<const M: usize, U, A>(
        &self,
        other: &Table<M, U>,
        one: impl Fn(&[T; N], &[U; M]) -> PyResult<A>,
    ) -> PyResult<Vec<A>> {
        check(&[self.0.len()], other.0.len())?;
        let rows = self.0.iter().zip(&other.0);
        rows.map(|(row, other)| one(row, other)).collect()
    }
}

impl<T> Table<1, T> {
    /// Returns the numbers of the only column, of which there must be as many as the axes count.
    pub fn column(self, axes: &[usize]) -> PyResult<Vec<T>> {
        check(axes, self.0.len())?;
        Ok(self.0.into_flattened())
    }
}

/// Returns the error for a state that is none.
pub fn odd() -> PyErr {
    PyValueError::new_err("the state of a pickle is not one that this version writes")
}

/// Refuses axes that do not count as many elements as there are.
pub fn check(axes: &[usize], count: usize) -> PyResult<()> {
    let product = axes.iter().try_fold(1usize, |n, &axis| n.checked_mul(axis));
    if product == Some(count) {
        Ok(())
    } else {
        Err(odd())
    }
}

/// Returns a number that is whole and not negative.
pub fn whole(number: f64) -> PyResult<usize> {
    let fits = (0.0..1e15).contains(&number) && number.fract() == 0.0;
    fits.then_some(number as usize).ok_or_else(odd)
}

/// The numbers of a contact.
pub const CONTACT: usize = 14;

/// Returns the numbers of a contact.
pub fn of_contact(contact: &Contact) -> [f64; CONTACT] {
    let (a, b, n) = (&contact.point_a, &contact.point_b, &contact.normal);
    let outcome = f64::from(codes::of_outcome(contact.outcome));
    let iterations = f64::from(contact.iterations);
    [
        contact.distance,
        a.x,
        a.y,
        a.z,
        b.x,
        b.y,
        b.z,
        n.x,
        n.y,
        n.z,
        contact.lower,
        contact.upper,
        outcome,
        iterations,
    ]
}

/// Returns the contact of its numbers.
pub fn contact(numbers: &[f64; CONTACT]) -> PyResult<Contact> {
    let &[
        distance,
        ax,
        ay,
        az,
        bx,
        by,
        bz,
        x,
        y,
        z,
        lower,
        upper,
        outcome,
        iterations,
    ] = numbers;
    let mut contact = Contact::default();
    [contact.distance, contact.lower, contact.upper] = [distance, lower, upper];
    contact.point_a = [ax, ay, az].into();
    contact.point_b = [bx, by, bz].into();
    contact.normal = Unit::new_unchecked(Vector3::new(x, y, z));
    contact.outcome = codes::outcome(outcome).ok_or_else(odd)?;
    contact.iterations = u32::try_from(whole(iterations)?).map_err(|_| odd())?;
    Ok(contact)
}
