//! Superovoids against segments, triangles, boxes and hulls of points.

use crate::array_input::RowReader;
use crate::array_input::Rows;
use crate::bodies::{BoxSet, TriMesh};
use crate::body_contact::{Convex, ConvexArgument};
use crate::broadcast::{Broadcast, answers, each};
use crate::contacts::Contacts;
use crate::options::query_options;
use crate::poses::Poses;
use crate::shapes::SuperovoidsArgument;
use nalgebra::{Isometry3, Point3};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use superovoid::bvh::{PartContact, tree_contacts as parts_within};
use superovoid::convex::{ConvexShape, convex_contact};
use superovoid::polytope::{ConvexHull, Cuboid, Polytope, Segment, Triangle, polytope_contact};
use superovoid::{Contact, QueryOptions};

/// Returns the signed distance of bodies from segments, with witness points, normal and a bracket.
///
/// A segment has no interior: its depth is the length of the least translation that separates it from the body.
///
/// Parameters
/// ----------
/// shape : Superovoids or array_like, shape (..., 7), or ConvexShape
///     The bodies A.
/// pose : array_like, shape (..., 7) or (..., 4, 4)
///     Their poses.
/// segments : array_like, shape (..., 2, 3)
///     The two ends of each segment B, metres, in the world. They may coincide.
/// tolerance, max_iterations, max_distance, depth, threads
///     As those of `contact`.
///
/// Returns
/// -------
/// Contacts
///     One answer for each element of the broadcast.
#[pyfunction]
#[pyo3(signature = (shape, pose, segments, *, tolerance = 0.0, max_iterations = 30, max_distance = f64::INFINITY,
    depth = "fast", threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn segment_contact(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    segments: &Bound<'_, PyAny>,
    tolerance: f64,
    max_iterations: u32,
    max_distance: f64,
    depth: &str,
    threads: Option<usize>,
) -> PyResult<Contacts> {
    let options = query_options(tolerance, max_iterations, max_distance, depth)?;
    let points = corners::<3>(segments, "segments", Some(2))?;
    against_points(
        py,
        (shape, pose),
        (points, "segments"),
        &options,
        threads,
        |ends| Segment::new(ends[0], ends[1]),
    )
}

/// Returns the signed distance of bodies from two-sided triangles, with witness points, normal and a bracket.
///
/// Parameters
/// ----------
/// shape : Superovoids or array_like, shape (..., 7), or ConvexShape
///     The bodies A.
/// pose : array_like, shape (..., 7) or (..., 4, 4)
///     Their poses.
/// triangles : array_like, shape (..., 3, 3)
///     The three corners of each triangle B, metres, in the world; a triangle may be degenerate.
/// tolerance, max_iterations, max_distance, depth, threads
///     As those of `contact`.
///
/// Returns
/// -------
/// Contacts
///     One answer for each element of the broadcast.
///
/// Notes
/// -----
/// Many triangles of one mesh are answered by `contact` with a `TriMesh`, which leaves out those that are far away.
#[pyfunction]
#[pyo3(signature = (shape, pose, triangles, *, tolerance = 0.0, max_iterations = 30, max_distance = f64::INFINITY,
    depth = "fast", threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn triangle_contact(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    triangles: &Bound<'_, PyAny>,
    tolerance: f64,
    max_iterations: u32,
    max_distance: f64,
    depth: &str,
    threads: Option<usize>,
) -> PyResult<Contacts> {
    let options = query_options(tolerance, max_iterations, max_distance, depth)?;
    let points = corners::<3>(triangles, "triangles", Some(3))?;
    against_points(
        py,
        (shape, pose),
        (points, "triangles"),
        &options,
        threads,
        |corners| Triangle::new([corners[0], corners[1], corners[2]]),
    )
}

/// Returns the signed distance of bodies from convex hulls of points, with witness points, normal and a bracket.
///
/// Parameters
/// ----------
/// shape : Superovoids or array_like, shape (..., 7), or ConvexShape
///     The bodies A.
/// pose : array_like, shape (..., 7) or (..., 4, 4)
///     Their poses.
/// points : array_like, shape (..., n, 3)
///     The points of each hull B, metres, in the world; points inside the hull only cost time.
/// tolerance, max_iterations, max_distance, depth, threads
///     As those of `contact`.
///
/// Returns
/// -------
/// Contacts
///     One answer for each element of the broadcast.
#[pyfunction]
#[pyo3(signature = (shape, pose, points, *, tolerance = 0.0, max_iterations = 30, max_distance = f64::INFINITY,
    depth = "fast", threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn hull_contact(
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
    let options = query_options(tolerance, max_iterations, max_distance, depth)?;
    let corners = corners::<3>(points, "points", None)?;
    against_points(
        py,
        (shape, pose),
        (corners, "points"),
        &options,
        threads,
        |points| ConvexHull::new(points.to_vec()),
    )
}

/// Returns the signed distance of bodies from boxes, with witness points, normal and a bracket.
///
/// Parameters
/// ----------
/// shape : Superovoids or array_like, shape (..., 7), or ConvexShape
///     The bodies A.
/// pose : array_like, shape (..., 7) or (..., 4, 4)
///     Their poses.
/// half_extents : array_like, shape (..., 3)
///     Half the edge lengths of the boxes B, metres, at least 0.
/// box_pose : array_like, shape (..., 7) or (..., 4, 4)
///     The poses of the boxes: their centres and the directions of their edges.
/// tolerance, max_iterations, max_distance, depth, threads
///     As those of `contact`.
///
/// Returns
/// -------
/// Contacts
///     One answer for each element of the broadcast.
#[pyfunction]
#[pyo3(signature = (shape, pose, half_extents, box_pose, *, tolerance = 0.0, max_iterations = 30,
    max_distance = f64::INFINITY, depth = "fast", threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn box_contact(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    half_extents: &Bound<'_, PyAny>,
    box_pose: &Bound<'_, PyAny>,
    tolerance: f64,
    max_iterations: u32,
    max_distance: f64,
    depth: &str,
    threads: Option<usize>,
) -> PyResult<Contacts> {
    let options = query_options(tolerance, max_iterations, max_distance, depth)?;
    let shapes = ConvexArgument::new(shape, "shape")?;
    let poses = Poses::new(pose, "pose")?;
    let extents = Rows::of_width(half_extents, "half_extents", 3)?;
    let box_poses = Poses::new(box_pose, "box_pose")?;
    let all = Broadcast::of(&[
        ("shape", shapes.lead()),
        ("pose", poses.lead()),
        ("half_extents", extents.lead()),
        ("box_pose", box_poses.lead()),
    ])?;
    let (body, poses) = (shapes.reader(&all.axes), poses.reader(&all.axes));
    let (extents, box_poses) = (extents.reader(&all.axes), box_poses.reader(&all.axes));
    let single = |k: usize| -> Result<Contact, String> {
        let cuboid = Cuboid::new(extents.row(k)).map_err(|error| error.to_string())?;
        let (pose, box_pose) = (poses.pose(k)?, box_poses.pose(k)?);
        let found = match body(k) {
            Convex::Superovoid(body) => polytope_contact(body, &pose, &cuboid, &box_pose, &options),
            Convex::Shape(body) => {
                // A box may be flat.
                let hull = ConvexShape::hull(cuboid.vertices());
                let hull = hull.map_err(|error| error.to_string())?;
                convex_contact(body, &pose, &hull, &box_pose, &options)
            }
        };
        found.map_err(|error| error.to_string())
    };
    let found = answers(py, threads, all.count, |first, part| {
        each(first, part, single)
    })?
    .map_err(|failed| all.error(failed.index, &failed.error))?;
    Ok(Contacts::new(all.axes, found))
}

/// Returns the contacts of one superovoid with every part of a tree that is within a distance.
///
/// Parameters
/// ----------
/// shape : Superovoids or array_like, shape (7,)
///     The body A.
/// pose : array_like, shape (7,) or (4, 4)
///     Its pose.
/// tree : TriMesh or BoxSet
///     The triangles or boxes B.
/// tree_pose : array_like, shape (7,) or (4, 4)
///     The pose of the tree.
/// margin : float
///     The greatest signed distance, metres; it may be negative or infinite.
///
/// Returns
/// -------
/// Contacts
///     One row for each part within the margin, by the index of the part, which ``part_b`` holds.
#[pyfunction]
pub fn tree_contacts(
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    tree: &Bound<'_, PyAny>,
    tree_pose: &Bound<'_, PyAny>,
    margin: f64,
) -> PyResult<Contacts> {
    let shapes = SuperovoidsArgument::new(shape, "shape")?;
    let [body] = &shapes.get().bodies[..] else {
        return Err(PyValueError::new_err("shape: one body is wanted"));
    };
    let (pose, tree_pose) = (
        Poses::one(pose, "pose")?,
        Poses::one(tree_pose, "tree_pose")?,
    );
    let mut found: Vec<PartContact> = Vec::new();
    let options = QueryOptions::default();
    let keep = |part| {
        found.push(part);
        true
    };
    let done = if let Ok(mesh) = tree.cast::<TriMesh>() {
        let mesh = &*mesh.get().mesh;
        parts_within(body, &pose, mesh, &tree_pose, margin, &options, keep)
    } else if let Ok(boxes) = tree.cast::<BoxSet>() {
        let boxes = &*boxes.get().boxes;
        parts_within(body, &pose, boxes, &tree_pose, margin, &options, keep)
    } else {
        let kind = tree.get_type();
        let problem = format!("tree is a {kind}; a TriMesh or a BoxSet is wanted");
        return Err(PyTypeError::new_err(problem));
    };
    done.map_err(|error| PyValueError::new_err(error.to_string()))?;
    found.sort_by_key(|part| part.part);
    let parts = found.iter().map(|found| i64::from(found.part)).collect();
    let contacts = found.iter().map(|found| found.contact).collect();
    Ok(Contacts {
        parts: [None, Some(parts)],
        ..Contacts::new(vec![found.len()], contacts)
    })
}

/// Takes an argument of the shape (..., count, N).
pub fn corners<'py, const N: usize>(
    value: &Bound<'py, PyAny>,
    name: &str,
    count: Option<usize>,
) -> PyResult<Rows<'py>> {
    let rows = Rows::new(value, name, 2)?;
    let wanted = count.map_or_else(|| "n".to_owned(), |count| count.to_string());
    match rows.element() {
        [n, width] if *width == N && count.is_none_or(|count| count == *n) => Ok(rows),
        element => Err(PyValueError::new_err(format!(
            "{name} has the last two axes {element:?}; (..., {wanted}, {N}) is wanted"
        ))),
    }
}

/// Answers for polytopes that are arrays of corners in the world.
fn against_points<P: Polytope>(
    py: Python<'_>,
    (shape, pose): (&Bound<'_, PyAny>, &Bound<'_, PyAny>),
    (points, name): (Rows, &str),
    options: &QueryOptions,
    threads: Option<usize>,
    polytope: impl Fn(&[Point3<f64>]) -> Result<P, superovoid::polytope::PolytopeError> + Sync,
) -> PyResult<Contacts> {
    let shapes = ConvexArgument::new(shape, "shape")?;
    let poses = Poses::new(pose, "pose")?;
    let all = Broadcast::of(&[
        ("shape", shapes.lead()),
        ("pose", poses.lead()),
        (name, points.lead()),
    ])?;
    let count = points.element()[0];
    let (body, poses) = (shapes.reader(&all.axes), poses.reader(&all.axes));
    let points: RowReader = points.reader(&all.axes);
    let world = Isometry3::identity();
    let single = |k: usize| -> Result<Contact, String> {
        let corners: Vec<_> = (0..count)
            .map(|i| Point3::from(points.row_of(k, i)))
            .collect();
        let pose = poses.pose(k)?;
        let found = match body(k) {
            Convex::Superovoid(body) => {
                let polytope = polytope(&corners).map_err(|error| format!("{name}: {error}"))?;
                polytope_contact(body, &pose, &polytope, &world, options)
            }
            Convex::Shape(body) => {
                let hull = ConvexShape::hull(&corners);
                let hull = hull.map_err(|error| format!("{name}: {error}"))?;
                convex_contact(body, &pose, &hull, &world, options)
            }
        };
        found.map_err(|error| error.to_string())
    };
    let found = answers(py, threads, all.count, |first, part| {
        each(first, part, single)
    })?
    .map_err(|failed| all.error(failed.index, &failed.error))?;
    Ok(Contacts::new(all.axes, found))
}
