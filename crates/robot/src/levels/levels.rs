//! The levels of a shape, made once.

use super::hull::Hull;
use super::inner::{corners, inner_balls};
use super::pieces::{Piece, pieces};
use nalgebra::Point3;
use std::sync::OnceLock;
use superovoid::{BoundingSphere, Shape};

/// The levels of a shape, all in its frame.
#[derive(Default)]
pub(crate) struct Levels {
    hull: OnceLock<Option<Hull>>,
    inner: OnceLock<Vec<BoundingSphere>>,
    corners: OnceLock<Vec<Point3<f64>>>,
    pieces: OnceLock<Vec<Piece>>,
}

impl Levels {
    /// Returns the hull; `None` if there is none that is bounded.
    pub fn hull(&self, shape: &Shape) -> Option<&Hull> {
        self.hull.get_or_init(|| Hull::of(shape)).as_ref()
    }

    /// Takes a hull and balls inside that were made for the same shape, if there are none yet.
    pub fn keep(&self, hull: Option<Hull>, inner: Vec<BoundingSphere>) {
        if hull.is_some() {
            self.hull.get_or_init(|| hull);
            self.inner.get_or_init(|| inner);
        }
    }

    /// Returns balls inside the shape.
    pub fn inner_balls(&self, shape: &Shape) -> &[BoundingSphere] {
        self.inner.get_or_init(|| {
            let cover = self.hull(shape).map_or(&[][..], Hull::balls);
            inner_balls(shape, cover)
        })
    }

    /// Returns corners of the shape, if it has any.
    pub fn corners(&self, shape: &Shape) -> &[Point3<f64>] {
        self.corners.get_or_init(|| corners(shape))
    }

    /// Returns the pieces of a mesh; none of another shape.
    pub fn pieces(&self, shape: &Shape) -> &[Piece] {
        self.pieces.get_or_init(|| pieces(shape))
    }
}

impl std::fmt::Debug for Levels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Levels").finish_non_exhaustive()
    }
}
