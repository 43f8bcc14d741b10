//! Superovoids of a broadcast at their poses.

use crate::array_input::Index;
use crate::poses::{PoseReader, Poses};
use crate::shapes::Shapes;
use nalgebra::Isometry3;
use superovoid::Superovoid;

/// Reads bodies at their poses.
pub struct PlacedShapes<'a> {
    bodies: &'a [Superovoid],
    index: Index,
    poses: PoseReader<'a>,
}

impl<'a> PlacedShapes<'a> {
    pub fn new(shapes: &'a Shapes, poses: &'a Poses, to: &[usize]) -> Self {
        PlacedShapes {
            bodies: &shapes.bodies,
            index: shapes.index(to),
            poses: poses.reader(to),
        }
    }

    #[inline]
    pub fn body(&self, index: usize) -> &'a Superovoid {
        &self.bodies[self.index.offset(index) as usize]
    }

    #[inline]
    pub fn pose(&self, index: usize) -> Result<Isometry3<f64>, String> {
        self.poses.pose(index)
    }
}
