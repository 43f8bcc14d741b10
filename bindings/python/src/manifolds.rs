//! Contact manifolds of any two bodies.

use crate::array_output::array;
use crate::body_contact::BodyArgument;
use crate::contacts::Contacts;
use crate::poses::Poses;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use superovoid::{Manifold, ManifoldPoint, QueryOptions, Shape};

/// The arrays of `superovoid.Manifolds`, in its order.
type Arrays<'py> = (
    Contacts,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
);

/// Takes an argument that is one body.
pub fn one_body(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Shape> {
    let argument = BodyArgument::new(value, name)?;
    if argument.lead().iter().product::<usize>() != 1 {
        return Err(PyValueError::new_err(format!("{name}: one body is wanted")));
    }
    Ok(argument.shape(0))
}

#[pyfunction]
#[pyo3(name = "_manifolds")]
pub fn manifolds<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    pose_a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_b: &Bound<'py, PyAny>,
    margin: f64,
) -> PyResult<Arrays<'py>> {
    let (a, b) = (one_body(a, "a")?, one_body(b, "b")?);
    let (pose_a, pose_b) = (Poses::one(pose_a, "pose_a")?, Poses::one(pose_b, "pose_b")?);
    let mut found: Vec<Manifold> = Vec::new();
    let keep = |manifold: &Manifold| {
        found.push(*manifold);
        true
    };
    let done = a.manifolds(&pose_a, &b, &pose_b, margin, &QueryOptions::default(), keep);
    done.map_err(|error| PyValueError::new_err(error.to_string()))?;
    found.sort_by_key(|manifold| manifold.found.parts);
    let parts = [&a, &b].map(|shape| shape.as_ref().has_parts());
    let parts = std::array::from_fn(|k| {
        let of_body = found.iter().map(|m| i64::from(m.found.parts[k]));
        parts[k].then(|| of_body.collect())
    });
    let contacts = found.iter().map(|m| m.found.contact).collect();
    let contacts = Contacts {
        parts,
        ..Contacts::new(vec![found.len()], contacts)
    };
    let lead = [found.len()];
    let each = |of: fn(&ManifoldPoint) -> [f64; 3], own: usize| {
        let numbers = found.iter().flat_map(|manifold| {
            (0..Manifold::MOST).flat_map(move |k| {
                let point = manifold.points().get(k).map_or([f64::NAN; 3], of);
                point.into_iter().take(own)
            })
        });
        numbers.collect::<Vec<f64>>()
    };
    let points = [Manifold::MOST, 3];
    let ids = found.iter().flat_map(|manifold| {
        (0..Manifold::MOST).map(move |k| manifold.points().get(k).map_or(0, |p| p.id))
    });
    Ok((
        contacts,
        array(
            py,
            &lead,
            &[],
            found.iter().map(|m| m.points().len() as i64).collect(),
        )?,
        array(py, &lead, &points, each(|p| p.point_a.into(), 3))?,
        array(py, &lead, &points, each(|p| p.point_b.into(), 3))?,
        array(py, &lead, &points[..1], each(|p| [p.distance; 3], 1))?,
        array(py, &lead, &points[..1], ids.collect::<Vec<u64>>())?,
    ))
}
