//! Bodies of a broadcast at their poses.

use crate::array_input::{Index, Rows};
use crate::broadcast::{Broadcast, answers, each};
use crate::contacts::Contacts;
use crate::poses::{PoseReader, Poses};
use crate::shapes::Superovoids;
use nalgebra::Isometry3;
use pyo3::prelude::*;
use superovoid::{Contact, QueryError, Superovoid};

/// An array of bodies: its axes, and the bodies one after the other.
pub type Bodies<'a, B> = (&'a [usize], &'a [B]);

/// Reads bodies at their poses.
pub struct PlacedShapes<'a, B = Superovoid> {
    bodies: &'a [B],
    index: Index,
    poses: PoseReader<'a>,
}

impl<'a> PlacedShapes<'a> {
    pub fn new(shapes: &'a Superovoids, poses: &'a Poses, to: &[usize]) -> Self {
        PlacedShapes::of(shapes.list(), poses, to)
    }
}

impl<'a, B> PlacedShapes<'a, B> {
    pub fn of((axes, bodies): Bodies<'a, B>, poses: &'a Poses, to: &[usize]) -> Self {
        PlacedShapes {
            bodies,
            index: Index::of_list(axes, to),
            poses: poses.reader(to),
        }
    }

    #[inline]
    pub fn body(&self, index: usize) -> &'a B {
        &self.bodies[self.index.offset(index) as usize]
    }

    #[inline]
    pub fn pose(&self, index: usize) -> Result<Isometry3<f64>, String> {
        self.poses.pose(index)
    }
}

/// Answers for bodies at poses and rows of `N` numbers, such as points and planes, that broadcast together.
pub fn against_rows<B: Sync, const N: usize>(
    py: Python<'_>,
    shapes: Bodies<B>,
    pose: &Bound<'_, PyAny>,
    (rows, name): (&Bound<'_, PyAny>, &str),
    threads: Option<usize>,
    query: impl Fn(&B, &Isometry3<f64>, [f64; N]) -> Result<Contact, QueryError> + Sync,
) -> PyResult<Contacts> {
    let poses = Poses::new(pose, "pose")?;
    let rows = Rows::of_width(rows, name, N)?;
    let all = Broadcast::of(&[
        ("shape", shapes.0),
        ("pose", poses.lead()),
        (name, rows.lead()),
    ])?;
    let bodies = PlacedShapes::of(shapes, &poses, &all.axes);
    let rows = rows.reader(&all.axes);
    let single = |k: usize| -> Result<Contact, String> {
        let found = query(bodies.body(k), &bodies.pose(k)?, rows.row(k));
        found.map_err(|error| error.to_string())
    };
    let found = answers(py, threads, all.count, |first, part| {
        each(first, part, single)
    })?
    .map_err(|failed| all.error(failed.index, &failed.error))?;
    Ok(Contacts::new(all.axes, found))
}
