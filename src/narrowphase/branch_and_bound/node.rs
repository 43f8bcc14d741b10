//! A direction that was evaluated.

use nalgebra::Vector3;

/// A direction that was evaluated: the unit vector m, and `z = x_B − x_A` of its support points, in this order, so that
/// vectors take them at once.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub m: Vector3<f64>,
    pub z: Vector3<f64>,
}
