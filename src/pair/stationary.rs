//! A stationary pair of surface points, in single numbers and in lanes.

use crate::lanes::{Lanes, to_array};
use crate::pair::certificate::WitnessPair;
use crate::surface::primal_dual::SurfaceState;
use fearless_simd::{Simd, f64x2};
use nalgebra::Vector3;

/// The relative error of the circles' normalisation that counts as 0.
const ON_SURFACE: f64 = 1e-13;
/// A stationary pair of points: the normals are opposed, and the difference is parallel to them.
#[derive(Clone, Copy)]
pub(crate) struct Stationary {
    pub xa: Vector3<f64>,
    /// The difference x_B − x_A.
    pub d: Vector3<f64>,
    /// The unit mean of A's normal and B's opposite one.
    pub normal: Vector3<f64>,
    /// The norm |e|, which is at least half the angle between each normal and the mean.
    pub mismatch: f64,
    /// Whether the states are so near their circles that the points are on the surfaces to rounding.
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

    /// Returns the length of the part of x_B − x_A that is perpendicular to the normal.
    pub fn offset(&self) -> f64 {
        (self.d - self.normal * self.d.dot(&self.normal)).norm()
    }
}

/// A stationary pair of points in lanes, in the common frame.
pub(super) struct Found<V> {
    pub xa: [V; 3],
    /// The difference x_B − x_A.
    pub d: [V; 3],
    /// The unit normals.
    pub normal: [V; 3],
    /// The squares of |e| and of how far the coordinates were from their circles.
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

    /// Returns where the coordinates are so near their circles that the points are on the surfaces to rounding.
    #[inline(always)]
    pub fn on_surface(&self) -> V::Mask {
        self.off_circle
            .lt(self.off_circle.splat(ON_SURFACE * ON_SURFACE))
    }
}

impl Stationary {
    /// Makes a stationary pair from the numbers of one lane.
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

/// Returns A's vector.
#[inline(always)]
pub(crate) fn first_lanes<S: Simd>([x, y, z]: &[f64x2<S>; 3]) -> Vector3<f64> {
    Vector3::new(to_array(*x)[0], to_array(*y)[0], to_array(*z)[0])
}

/// Returns the numbers of the first lane.
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
