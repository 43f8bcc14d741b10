//! Superovoids and planes.

use crate::contacts::Contacts;
use crate::placed_shapes::against_rows;
use crate::shapes::SuperovoidsArgument;
use nalgebra::{Isometry3, Vector3};
use pyo3::prelude::*;
use superovoid::{HalfSpace, Plane, Superovoid};

/// Returns the signed distance of superovoids from thin planes ``n . x = offset``.
///
/// A body that straddles a plane overlaps it: the distance is minus the smaller of the two translations that clear it.
///
/// Parameters
/// ----------
/// shape : Superovoids or array_like, shape (..., 7)
///     The bodies A.
/// pose : array_like, shape (..., 7) or (..., 4, 4)
///     Their poses.
/// planes : array_like, shape (..., 4)
///     The planes B: nx ny nz (normalised here), and the offset, metres.
/// threads : int, optional
///     As that of `contact`.
///
/// Returns
/// -------
/// Contacts
///     One answer for each element of the broadcast.
#[pyfunction]
#[pyo3(signature = (shape, pose, planes, *, threads = None))]
pub fn plane_contact(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    planes: &Bound<'_, PyAny>,
    threads: Option<usize>,
) -> PyResult<Contacts> {
    let query = |body: &Superovoid, pose: &Isometry3<f64>, [x, y, z, offset]: [f64; 4]| {
        let plane = Plane::new(Vector3::new(x, y, z), offset)?;
        superovoid::plane_contact(body, pose, &plane)
    };
    let shapes = SuperovoidsArgument::new(shape, "shape")?;
    let planes = (planes, "planes");
    against_rows(py, shapes.get().list(), pose, planes, threads, query)
}

/// Returns the signed distance of superovoids from half-spaces ``n . x <= offset``.
///
/// Parameters
/// ----------
/// shape : Superovoids or array_like, shape (..., 7)
///     The bodies A.
/// pose : array_like, shape (..., 7) or (..., 4, 4)
///     Their poses.
/// half_spaces : array_like, shape (..., 4)
///     The half-spaces B: nx ny nz of the outward normal (normalised here), and the offset, metres.
/// threads : int, optional
///     As that of `contact`.
///
/// Returns
/// -------
/// Contacts
///     One answer for each element of the broadcast.
#[pyfunction]
#[pyo3(signature = (shape, pose, half_spaces, *, threads = None))]
pub fn half_space_contact(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    half_spaces: &Bound<'_, PyAny>,
    threads: Option<usize>,
) -> PyResult<Contacts> {
    let query = |body: &Superovoid, pose: &Isometry3<f64>, [x, y, z, offset]: [f64; 4]| {
        let half_space = HalfSpace::new(Vector3::new(x, y, z), offset)?;
        superovoid::half_space_contact(body, pose, &half_space)
    };
    let shapes = SuperovoidsArgument::new(shape, "shape")?;
    let half_spaces = (half_spaces, "half_spaces");
    against_rows(py, shapes.get().list(), pose, half_spaces, threads, query)
}
