//! Poses in lanes, and the way back from a frame about A's centre to the world.
//!
//! No operation here is fused with another: then what cancels, of bodies with equal rotations say, does so to the
//! last bit, and single numbers and lanes of every width agree.

use crate::lanes::Lanes;
use crate::lanes::unfused::cross;
use nalgebra::Isometry3;

/// The deviation from 1 that the length of a quaternion may have: far more than rounding leaves after many products,
/// and more than single precision does; far less than a mistake.
pub(crate) const UNIT_TOLERANCE: f64 = 1e-6;

/// The deviation of its square that rounding leaves; solvers take it as it is.
const UNIT_ROUNDING: f64 = 1e-14;

/// A body's pose: its centre, and the quaternion (i, j, k, w) of its rotation.
#[derive(Clone, Copy)]
pub(crate) struct Pose<V> {
    pub center: [V; 3],
    pub quaternion: [V; 4],
}

impl From<&Isometry3<f64>> for Pose<f64> {
    #[inline(always)]
    fn from(pose: &Isometry3<f64>) -> Self {
        Pose {
            center: pose.translation.vector.into(),
            quaternion: pose.rotation.coords.into(),
        }
    }
}

impl<V: Lanes> Pose<V> {
    /// Whether both are valid beyond doubt, as nearly all poses are: finite, with quaternions of unit length to rounding.
    #[inline(always)]
    pub fn are_surely_valid(&self, other: &Self) -> V::Mask {
        let doubt = self.doubt() + other.doubt();
        doubt.lt(doubt.splat(UNIT_ROUNDING))
    }

    /// Returns the deviation of the quaternion's square from 1; NaN for numbers that are not finite, or exceed the
    /// number range in sum.
    #[inline(always)]
    fn doubt(&self) -> V {
        let ([x, y, z], [i, j, k, w]) = (self.center, self.quaternion);
        (i * i + j * j + k * k + w * w - 1.0).abs() + (x + y + z) * 0.0
    }
}

/// Witness points in metres and the world's frame.
pub(crate) struct Witnesses<V> {
    pub distance: V,
    pub point_a: [V; 3],
    pub point_b: [V; 3],
    /// The unit normal.
    pub normal: [V; 3],
}

/// The way from a frame about A's centre to the world.
pub(crate) trait ToWorld<V: Lanes> {
    /// Returns a vector of the frame in world axes.
    fn turn(&self, v: &[V; 3]) -> [V; 3];
    /// Returns a point of the frame, metres, in the world.
    fn apply(&self, x: &[V; 3]) -> [V; 3];

    /// Converts an answer in units of `unit` metres and this frame: the witness of A, the unit normal, and the distance
    /// along it.
    #[inline(always)]
    fn witnesses(&self, unit: V, xa: &[V; 3], normal: &[V; 3], distance: V) -> Witnesses<V> {
        let normal = self.turn(normal);
        let point_a = self.apply(&[xa[0] * unit, xa[1] * unit, xa[2] * unit]);
        let distance = distance * unit;
        let point_b = [
            point_a[0] + normal[0] * distance,
            point_a[1] + normal[1] * distance,
            point_a[2] + normal[2] * distance,
        ];
        Witnesses {
            distance,
            point_a,
            point_b,
            normal,
        }
    }
}

/// The way from A's own frame.
impl<V: Lanes> ToWorld<V> for Pose<V> {
    #[inline(always)]
    fn turn(&self, v: &[V; 3]) -> [V; 3] {
        let [i, j, k, w] = self.quaternion;
        rotate(&[i, j, k], w, v)
    }

    #[inline(always)]
    fn apply(&self, x: &[V; 3]) -> [V; 3] {
        sum(&self.turn(x), &self.center)
    }
}

/// The way from the frame of the world's directions.
#[derive(Clone, Copy)]
pub(crate) struct WorldAtA<V>(pub [V; 3]);

impl<V: Lanes> ToWorld<V> for WorldAtA<V> {
    #[inline(always)]
    fn turn(&self, v: &[V; 3]) -> [V; 3] {
        *v
    }

    #[inline(always)]
    fn apply(&self, x: &[V; 3]) -> [V; 3] {
        sum(x, &self.0)
    }
}

#[inline(always)]
fn sum<V: Lanes>(a: &[V; 3], b: &[V; 3]) -> [V; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Returns half the way from A's centre to B's, so that it does not overflow for centres of any finite size.
#[inline(always)]
pub(crate) fn half_offset<V: Lanes>(a: &Pose<V>, b: &Pose<V>) -> [V; 3] {
    [
        b.center[0] * 0.5 - a.center[0] * 0.5,
        b.center[1] * 0.5 - a.center[1] * 0.5,
        b.center[2] * 0.5 - a.center[2] * 0.5,
    ]
}

/// Returns the largest coordinate of half the way between the centres.
#[inline(always)]
pub(crate) fn half_as_far<V: Lanes>(a: &Pose<V>, b: &Pose<V>) -> V {
    let [x, y, z] = half_offset(a, b);
    x.abs().max(y.abs()).max(z.abs())
}

/// Returns a vector rotated by the unit quaternion with vector part r and scalar part w: `v + 2w (r × v) + 2 r × (r ×
/// v)`.
#[inline(always)]
pub(crate) fn rotate<V: Lanes>(r: &[V; 3], w: V, v: &[V; 3]) -> [V; 3] {
    let [x, y, z] = cross(r, v);
    let t = [x + x, y + y, z + z];
    let [x, y, z] = cross(r, &t);
    [
        v[0] + w * t[0] + x,
        v[1] + w * t[1] + y,
        v[2] + w * t[2] + z,
    ]
}
