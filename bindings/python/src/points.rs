//! Points against superovoids.

use crate::array_input::Rows;
use crate::broadcast::{Broadcast, Failed, answers};
use crate::contacts::Contacts;
use crate::options::depth_mode;
use crate::placed_shapes::PlacedShapes;
use crate::poses::Poses;
use crate::shapes::SuperovoidsArgument;
use nalgebra::Point3;
use pyo3::prelude::*;
use superovoid::{Contact, VertexOptions, vertex_contact_batch};

/// Returns the signed distance of points from superovoids, with the nearest surface point and a bracket that proves it.
///
/// Parameters
/// ----------
/// shape : Superovoids or array_like, shape (..., 7)
///     The bodies A.
/// pose : array_like, shape (..., 7) or (..., 4, 4)
///     Their poses.
/// points : array_like, shape (..., 3)
///     The points B, metres, in the world.
/// tolerance, max_iterations, max_distance, depth, threads
///     As those of `contact`; the tolerance 0 means 1e-10 of the largest semi-axis.
///
/// Returns
/// -------
/// Contacts
///     One answer for each element of the broadcast; ``point_b`` is the point.
///
/// Notes
/// -----
/// Many points against one body, shapes (7,), (7,) and (n, 3), are solved together, several times as fast. With a finite
/// ``max_distance`` 64 neighbours that are farther away than that are then answered by their common box.
#[pyfunction(name = "vertex_contact")]
#[pyo3(signature = (shape, pose, points, *, tolerance = 0.0, max_iterations = 50, max_distance = f64::INFINITY,
    depth = "fast", threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn vertex_contact(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    points: &Bound<'_, PyAny>,
    tolerance: f64,
    max_iterations: u32,
    max_distance: f64,
    depth: &str,
    threads: Option<usize>,
) -> PyResult<Contacts> {
    let options = VertexOptions::default()
        .with_tolerance(tolerance)
        .with_max_iterations(max_iterations)
        .with_max_distance(max_distance)
        .with_depth(depth_mode(depth)?);
    let shapes = SuperovoidsArgument::new(shape, "shape")?;
    let poses = Poses::new(pose, "pose")?;
    let points = Rows::of_width(points, "points", 3)?;
    let broadcast = Broadcast::of(&[
        ("shape", &shapes.get().axes),
        ("pose", poses.lead()),
        ("points", points.lead()),
    ])?;
    let bodies = PlacedShapes::new(shapes.get(), &poses, &broadcast.axes);
    let points = points.reader(&broadcast.axes);
    let point = |index: usize| Point3::from(points.row::<3>(index));
    let one_body = shapes.get().bodies.len() == 1 && poses.lead().iter().product::<usize>() == 1;
    let failed = |index: usize, error: String| Failed { index, error };
    let single = |index: usize| -> Result<Contact, String> {
        let pose = bodies.pose(index)?;
        superovoid::vertex_contact(bodies.body(index), &pose, &point(index), &options)
            .map_err(|error| error.to_string())
    };
    let all = answers(py, threads, broadcast.count, |first, part| {
        if !one_body {
            return crate::broadcast::each(first, part, single);
        }
        let pose = bodies.pose(first).map_err(|error| failed(first, error))?;
        let near: Vec<Point3<f64>> = (first..first + part.len()).map(point).collect();
        vertex_contact_batch(bodies.body(first), &pose, &near, part, &options).map_err(|error| {
            // The batch does not say which point it was.
            let refused = |index: &usize| single(*index).is_err();
            let index = (first..first + near.len()).find(refused).unwrap_or(first);
            failed(index, error.to_string())
        })
    })?
    .map_err(|failed| broadcast.error(failed.index, &failed.error))?;
    Ok(Contacts::new(broadcast.axes, all))
}
