//! What pickles and copies hold: the arguments of a function that makes the object again, as tables of numbers. A number
//! that is a code or a count fits into a float64 without rounding; ids do not, and have tables of their own.

use crate::array_input::{Rows, whole_numbers};
use crate::array_output::array;
use crate::codes;
use nalgebra::{Unit, Vector3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
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

/// Returns a table of numbers, shape (n, N).
pub fn table<'py, T: numpy::Element + Copy, const N: usize>(
    py: Python<'py>,
    rows: impl Iterator<Item = [T; N]>,
) -> PyResult<Bound<'py, PyAny>> {
    let numbers: Vec<T> = rows.flatten().collect();
    array(py, &[numbers.len() / N], &[N], numbers)
}

/// Returns the rows of a table of float64.
pub fn rows<const N: usize>(value: &Bound<'_, PyAny>) -> PyResult<Vec<[f64; N]>> {
    let rows = Rows::list_of_width(value, "state", N)?;
    let reader = rows.reader(rows.lead());
    Ok((0..rows.lead()[0]).map(|k| reader.row(k)).collect())
}

/// Returns the rows of a table of whole numbers.
pub fn whole_rows<const N: usize>(value: &Bound<'_, PyAny>) -> PyResult<Vec<[i64; N]>>
where
    [i64; N]: Copy,
{
    whole_numbers::<i64, N>(value, "state")
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
pub fn contact(numbers: &[f64]) -> PyResult<Contact> {
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
    ] = numbers
    else {
        return Err(odd());
    };
    let mut contact = Contact::default();
    [contact.distance, contact.lower, contact.upper] = [distance, lower, upper];
    contact.point_a = [ax, ay, az].into();
    contact.point_b = [bx, by, bz].into();
    contact.normal = Unit::new_unchecked(Vector3::new(x, y, z));
    contact.outcome = codes::outcome(outcome).ok_or_else(odd)?;
    contact.iterations = u32::try_from(whole(iterations)?).map_err(|_| odd())?;
    Ok(contact)
}

/// Returns the contacts of a table.
pub fn contacts(value: &Bound<'_, PyAny>) -> PyResult<Vec<Contact>> {
    let rows = rows::<CONTACT>(value)?;
    rows.iter().map(|row| contact(row)).collect()
}
