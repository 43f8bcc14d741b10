//! A stationary pair of surface points, in plain numbers and in lanes.

use crate::lanes::{Lanes, to_array};
use crate::pair::certificate::WitnessPair;
use crate::surface::primal_dual::SurfaceState;
use fearless_simd::{Simd, f64x2};
use nalgebra::Vector3;

/// The relative error of the circles' normalisation that counts as none.
const ON_SURFACE: f64 = 1e-13;
/// A stationary pair of points: normals opposed, difference parallel to them.
#[derive(Clone, Copy)]
pub(crate) struct Stationary {
    pub xa: Vector3<f64>,
    /// x_B − x_A.
    pub d: Vector3<f64>,
    /// Unit mean of A's normal and B's opposite one.
    pub normal: Vector3<f64>,
    /// |e|, which bounds the angle between each normal and the mean from above (times two).
    pub mismatch: f64,
    /// The states are so near their circles that the points are on the surfaces to rounding.
    pub on_surface: bool,
    pub states: [SurfaceState; 2],
}

impl Stationary {
    #[inline(always)]
    pub fn points(&self) -> WitnessPair<f64> {
        WitnessPair {
            xa: self.xa.into(),
            d: self.d.into(),
            normal: self.normal.into(),
            mismatch: self.mismatch,
        }
    }

    pub fn xb(&self) -> Vector3<f64> {
        self.xa + self.d
    }

    /// What is left of x_B − x_A beside the normal.
    pub fn offset(&self) -> f64 {
        (self.d - self.normal * self.d.dot(&self.normal)).norm()
    }
}

/// A stationary pair of points in lanes, in the common frame.
pub(super) struct Found<V> {
    pub xa: [V; 3],
    /// x_B − x_A.
    pub d: [V; 3],
    /// Unit vectors.
    pub normal: [V; 3],
    /// Squares of |e| and of how far the coordinates were from their circles.
    pub mismatch: V,
    pub off_circle: V,
}

impl<V: Lanes> Found<V> {
    #[inline(always)]
    pub fn points(&self) -> WitnessPair<V> {
        WitnessPair {
            xa: self.xa,
            d: self.d,
            normal: self.normal,
            mismatch: self.mismatch.sqrt(),
        }
    }

    /// The coordinates are so near their circles that the points are on the surfaces to rounding.
    #[inline(always)]
    pub fn on_surface(&self) -> V::Mask {
        self.off_circle
            .lt(self.off_circle.splat(ON_SURFACE * ON_SURFACE))
    }
}

impl Stationary {
    /// From the numbers of one lane.
    #[inline(always)]
    pub(super) fn new(lane: &Found<f64>, states: [SurfaceState; 2]) -> Stationary {
        let xa = Vector3::from(lane.xa);
        Stationary {
            xa,
            d: lane.d.into(),
            normal: lane.normal.into(),
            mismatch: lane.mismatch.sqrt(),
            on_surface: lane.on_surface(),
            states,
        }
    }
}

/// A's vector.
#[inline(always)]
pub(crate) fn first_lanes<S: Simd>([x, y, z]: &[f64x2<S>; 3]) -> Vector3<f64> {
    Vector3::new(to_array(*x)[0], to_array(*y)[0], to_array(*z)[0])
}

/// Of the first lane.
#[inline(always)]
pub(crate) fn first_of<S: Simd>(found: &Found<f64x2<S>>) -> Found<f64> {
    Found {
        xa: first_lanes(&found.xa).into(),
        d: first_lanes(&found.d).into(),
        normal: first_lanes(&found.normal).into(),
        mismatch: to_array(found.mismatch)[0],
        off_circle: to_array(found.off_circle)[0],
    }
}
