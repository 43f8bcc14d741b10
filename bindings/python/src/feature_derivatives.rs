//! Derivatives of contacts with points, half-spaces and polytopes.

use crate::array_input::Rows;
use crate::broadcast::{Broadcast, Failed, fill};
use crate::contacts::Contacts;
use crate::derivatives::{Derivatives, nothing, same_axes};
use crate::placed_shapes::PlacedShapes;
use crate::polytopes::corners;
use crate::poses::Poses;
use crate::shapes::SuperovoidsArgument;
use nalgebra::{Isometry3, Point3, Vector3};
use pyo3::prelude::*;
use superovoid::derivatives::{
    ContactDerivatives, half_space_contact_derivatives as of_half_space,
    polytope_contact_derivatives as of_polytope, vertex_contact_derivatives as of_vertex,
};
use superovoid::polytope::ConvexHull;
use superovoid::{Contact, HalfSpace, QueryError, Superovoid};

/// Answers all elements of a broadcast.
fn all_derivatives(
    py: Python<'_>,
    (shapes, poses): (&SuperovoidsArgument, &Poses),
    all: Broadcast,
    contacts: &Contacts,
    threads: Option<usize>,
    single: impl Fn(
        usize,
        &Superovoid,
        &Isometry3<f64>,
        &Contact,
    ) -> Result<Option<ContactDerivatives>, QueryError>
    + Sync,
) -> PyResult<Derivatives> {
    same_axes(contacts, &all.axes)?;
    let bodies = PlacedShapes::new(shapes.get(), poses, &all.axes);
    let contacts = &contacts.all;
    let mut found: Vec<_> = (0..all.count).map(|_| Default::default()).collect();
    let one = |k: usize| -> Result<_, String> {
        let found = single(k, bodies.body(k), &bodies.pose(k)?, &contacts[k]);
        let found = found.map_err(|error| error.to_string())?;
        Ok(found.map_or_else(nothing, |found| (Some(found.status), Box::new(found))))
    };
    fill(py, threads, &mut found, |first, part| {
        (first..).zip(part).try_for_each(|(index, place)| {
            *place = one(index).map_err(|error| Failed { index, error })?;
            Ok(())
        })
    })?
    .map_err(|failed: Failed<String>| all.error(failed.index, &failed.error))?;
    Ok(Derivatives {
        axes: all.axes,
        all: found,
    })
}

/// Returns the derivatives at contacts of superovoids and points.
///
/// Parameters
/// ----------
/// shape, pose
///     The arguments of `vertex_contact`.
/// contacts : Contacts
///     What `vertex_contact` returned for them and for the points.
/// threads : int, optional
///     As that of `contact`.
///
/// Returns
/// -------
/// Derivatives
///     By the 26 inputs of `Gradients`: the velocity of B is that of the point, its angular velocity and shape change nothing.
#[pyfunction]
#[pyo3(signature = (shape, pose, contacts, *, threads = None))]
pub fn vertex_contact_derivatives(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    contacts: &Bound<'_, Contacts>,
    threads: Option<usize>,
) -> PyResult<Derivatives> {
    let shapes = SuperovoidsArgument::new(shape, "shape")?;
    let poses = Poses::new(pose, "pose")?;
    let contacts = contacts.get();
    let all = Broadcast::of(&[
        ("shape", &shapes.get().axes),
        ("pose", poses.lead()),
        ("contacts", &contacts.axes),
    ])?;
    all_derivatives(
        py,
        (&shapes, &poses),
        all,
        contacts,
        threads,
        |_, body, pose, contact| of_vertex(body, pose, contact),
    )
}

/// Returns the derivatives at contacts of superovoids and half-spaces.
///
/// Parameters
/// ----------
/// shape, pose, half_spaces
///     The arguments of `half_space_contact`.
/// contacts : Contacts
///     What `half_space_contact` returned for them.
/// threads : int, optional
///     As that of `contact`.
///
/// Returns
/// -------
/// Derivatives
///     By the 26 inputs of `Gradients`: the motion of B is that of the half-space about the origin of the world.
#[pyfunction]
#[pyo3(signature = (shape, pose, half_spaces, contacts, *, threads = None))]
pub fn half_space_contact_derivatives(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    half_spaces: &Bound<'_, PyAny>,
    contacts: &Bound<'_, Contacts>,
    threads: Option<usize>,
) -> PyResult<Derivatives> {
    let shapes = SuperovoidsArgument::new(shape, "shape")?;
    let poses = Poses::new(pose, "pose")?;
    let rows = Rows::of_width(half_spaces, "half_spaces", 4)?;
    let all = Broadcast::of(&[
        ("shape", &shapes.get().axes),
        ("pose", poses.lead()),
        ("half_spaces", rows.lead()),
    ])?;
    let rows = rows.reader(&all.axes);
    let contacts = contacts.get();
    all_derivatives(
        py,
        (&shapes, &poses),
        all,
        contacts,
        threads,
        |k, body, pose, contact| {
            let [x, y, z, offset] = rows.row(k);
            let half_space = HalfSpace::new(Vector3::new(x, y, z), offset)?;
            of_half_space(body, pose, &half_space, contact)
        },
    )
}

/// Returns the derivatives at contacts of superovoids and segments, triangles, boxes or other hulls of points.
///
/// Parameters
/// ----------
/// shape, pose
///     The arguments of `hull_contact`.
/// points : array_like, shape (..., n, 3)
///     The points of each hull B, metres, in the world: of a box its corners, of a mesh the corners of the touched triangle.
/// contacts : Contacts
///     What the query of contacts returned for them.
/// threads : int, optional
///     As that of `contact`.
///
/// Returns
/// -------
/// Derivatives
///     By the 26 inputs of `Gradients`, while the same vertex, edge or face is touched: the motion of B is about the origin of
///     the world.
#[pyfunction]
#[pyo3(signature = (shape, pose, points, contacts, *, threads = None))]
pub fn hull_contact_derivatives(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    points: &Bound<'_, PyAny>,
    contacts: &Bound<'_, Contacts>,
    threads: Option<usize>,
) -> PyResult<Derivatives> {
    let shapes = SuperovoidsArgument::new(shape, "shape")?;
    let poses = Poses::new(pose, "pose")?;
    let points = corners::<3>(points, "points", None)?;
    let all = Broadcast::of(&[
        ("shape", &shapes.get().axes),
        ("pose", poses.lead()),
        ("points", points.lead()),
    ])?;
    let count = points.element()[0];
    let points = points.reader(&all.axes);
    let world = Isometry3::identity();
    let contacts = contacts.get();
    all_derivatives(
        py,
        (&shapes, &poses),
        all,
        contacts,
        threads,
        |k, body, pose, contact| {
            let corners = (0..count).map(|i| Point3::from(points.row_of(k, i)));
            let corners: Vec<_> = corners.collect();
            // Bad points are the error of the query.
            match ConvexHull::new(corners) {
                Ok(hull) => of_polytope(body, pose, &hull, &world, contact),
                Err(superovoid::polytope::PolytopeError::NonFiniteVertex { index, .. }) => {
                    Err(QueryError::NonFiniteVertex { index })
                }
                Err(_) => Err(QueryError::NoVertices),
            }
        },
    )
}
