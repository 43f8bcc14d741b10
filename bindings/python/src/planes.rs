//! Superovoids and planes.

use crate::array_input::Rows;
use crate::broadcast::{Broadcast, answers, each};
use crate::contacts::Contacts;
use crate::placed_shapes::PlacedShapes;
use crate::poses::Poses;
use crate::shapes::ShapesArgument;
use nalgebra::Vector3;
use pyo3::prelude::*;
use superovoid::{Contact, HalfSpace, Plane};

/// Returns the signed distance of superovoids from thin planes ``n . x = offset``.
///
/// A body that straddles a plane overlaps it: the distance is minus the smaller of the two translations that clear it.
///
/// Parameters
/// ----------
/// shape : Shapes or array_like, shape (..., 7)
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
    let query = |body: &_, pose: &_, n: Vector3<f64>, offset| {
        Plane::new(n, offset).and_then(|plane| superovoid::plane_contact(body, pose, &plane))
    };
    against_planes(py, shape, pose, (planes, "planes"), threads, query)
}

/// Returns the signed distance of superovoids from half-spaces ``n . x <= offset``.
///
/// Parameters
/// ----------
/// shape : Shapes or array_like, shape (..., 7)
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
    let query = |body: &_, pose: &_, n: Vector3<f64>, offset| {
        HalfSpace::new(n, offset).and_then(|side| superovoid::half_space_contact(body, pose, &side))
    };
    against_planes(
        py,
        shape,
        pose,
        (half_spaces, "half_spaces"),
        threads,
        query,
    )
}

fn against_planes(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    (planes, name): (&Bound<'_, PyAny>, &str),
    threads: Option<usize>,
    query: impl Fn(
        &superovoid::Superovoid,
        &nalgebra::Isometry3<f64>,
        Vector3<f64>,
        f64,
    ) -> Result<Contact, superovoid::QueryError>
    + Sync,
) -> PyResult<Contacts> {
    let shapes = ShapesArgument::new(shape, "shape")?;
    let poses = Poses::new(pose, "pose")?;
    let planes = Rows::of_width(planes, name, 4)?;
    let broadcast = Broadcast::of(&[
        ("shape", &shapes.get().axes),
        ("pose", poses.lead()),
        (name, planes.lead()),
    ])?;
    let bodies = PlacedShapes::new(shapes.get(), &poses, &broadcast.axes);
    let planes = planes.reader(&broadcast.axes);
    let single = |index: usize| -> Result<Contact, String> {
        let [x, y, z, offset] = planes.row(index);
        query(
            bodies.body(index),
            &bodies.pose(index)?,
            Vector3::new(x, y, z),
            offset,
        )
        .map_err(|error| error.to_string())
    };
    let all = answers(py, threads, broadcast.count, |first, part| {
        each(first, part, single)
    })?
    .map_err(|failed| broadcast.error(failed.index, &failed.error))?;
    Ok(Contacts::new(broadcast.axes, all))
}
