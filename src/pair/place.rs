//! Poses in lanes: from the world to A's frame, and back.
//!
//! No operation here is fused with another: then what cancels, of bodies with equal rotations say, does so to the
//! last bit, and plain numbers and lanes of every width agree.

use crate::lanes::{Lanes, Narrowing};
use crate::pair::UNIT;
use nalgebra::Isometry3;

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
    /// Whether both are valid beyond doubt, as nearly all poses are: finite, with quaternions of unit length.
    #[inline(always)]
    pub fn are_surely_valid(&self, other: &Self) -> V::Mask {
        let doubt = self.doubt() + other.doubt();
        doubt.less(doubt.all(UNIT))
    }

    /// How far the quaternion's square is off 1. NaN for numbers that are not finite, or exceed the number range in
    /// sum.
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
    /// Unit vector.
    pub normal: [V; 3],
}

/// The way from a frame about A's centre to the world.
pub(crate) trait ToWorld<V: Lanes> {
    /// One of its vectors in the world's frame.
    fn turn(&self, v: &[V; 3]) -> [V; 3];
    /// One of its points, metres, in the world's frame.
    fn apply(&self, x: &[V; 3]) -> [V; 3];

    /// From an answer in units of `unit` metres and this frame: the witness of A, the unit normal, and the distance
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

/// From A's own frame.
impl<V: Lanes> ToWorld<V> for Pose<V> {
    #[inline(always)]
    fn turn(&self, v: &[V; 3]) -> [V; 3] {
        let [i, j, k, w] = self.quaternion;
        turned(&[i, j, k], w, v)
    }

    #[inline(always)]
    fn apply(&self, x: &[V; 3]) -> [V; 3] {
        sum(&self.turn(x), &self.center)
    }
}

/// From the frame of the world's directions.
#[derive(Clone, Copy)]
pub(crate) struct Centered<V>(pub [V; 3]);

impl<V: Lanes> ToWorld<V> for Centered<V> {
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

/// Body B in A's frame.
pub(crate) struct Relative<V> {
    pub center: [V; 3],
    /// Distance of the centres.
    pub apart: V,
    /// B's axes.
    pub axes: [[V; 3]; 3],
}

impl<V: Lanes> Relative<V> {
    /// In units of 1/`per_unit` metres.
    #[inline(always)]
    pub fn new(a: &Pose<V>, b: &Pose<V>, per_unit: V) -> Self {
        let [i, j, k, w] = a.quaternion;
        let back = [-i, -j, -k];
        let center = turned(&back, w, &offset(a, b, per_unit));
        let quaternion = product(&back, w, &b.quaternion);
        Relative {
            center,
            apart: length(&center),
            axes: axes(&quaternion, &quaternion),
        }
    }
}

impl<V: Narrowing> Relative<V> {
    /// Two groups as one, in single precision.
    #[inline(always)]
    pub fn narrow([one, other]: [&Self; 2]) -> Relative<V::Narrow> {
        Relative {
            center: V::narrow3([&one.center, &other.center]),
            apart: V::narrow([one.apart, other.apart]),
            axes: [
                V::narrow3([&one.axes[0], &other.axes[0]]),
                V::narrow3([&one.axes[1], &other.axes[1]]),
                V::narrow3([&one.axes[2], &other.axes[2]]),
            ],
        }
    }
}

/// From A's centre to B's in the world, in units of 1/`per_unit` metres.
#[inline(always)]
pub(super) fn offset<V: Lanes>(a: &Pose<V>, b: &Pose<V>, per_unit: V) -> [V; 3] {
    let [x, y, z] = half_offset(a, b);
    let doubled = per_unit * 2.0;
    [x * doubled, y * doubled, z * doubled]
}

/// Of a vector, not fused.
#[inline(always)]
pub(super) fn length<V: Lanes>([x, y, z]: &[V; 3]) -> V {
    (*x * *x + *y * *y + *z * *z).sqrt()
}

/// Half the way from A's centre to B's, so that it does not overflow for centres of any finite size.
#[inline(always)]
fn half_offset<V: Lanes>(a: &Pose<V>, b: &Pose<V>) -> [V; 3] {
    [
        b.center[0] * 0.5 - a.center[0] * 0.5,
        b.center[1] * 0.5 - a.center[1] * 0.5,
        b.center[2] * 0.5 - a.center[2] * 0.5,
    ]
}

/// The largest coordinate of half the way between the centres.
#[inline(always)]
pub(crate) fn half_as_far<V: Lanes>(a: &Pose<V>, b: &Pose<V>) -> V {
    let [x, y, z] = half_offset(a, b);
    x.abs().max(y.abs()).max(z.abs())
}

/// A vector turned by the unit quaternion with vector part r and scalar part w:
/// `v + 2w (r × v) + 2 r × (r × v)`.
#[inline(always)]
fn turned<V: Lanes>(r: &[V; 3], w: V, v: &[V; 3]) -> [V; 3] {
    let [x, y, z] = cross(r, v);
    let t = [x + x, y + y, z + z];
    let [x, y, z] = cross(r, &t);
    [
        v[0] + w * t[0] + x,
        v[1] + w * t[1] + y,
        v[2] + w * t[2] + z,
    ]
}

/// The product of the quaternion with vector part r and scalar part w, and another.
#[inline(always)]
fn product<V: Lanes>(r: &[V; 3], w: V, [i, j, k, v]: &[V; 4]) -> [V; 4] {
    let (i, j, k, v) = (*i, *j, *k, *v);
    let [x, y, z] = cross(r, &[i, j, k]);
    [
        w * i + v * r[0] + x,
        w * j + v * r[1] + y,
        w * k + v * r[2] + z,
        w * v - (r[0] * i + r[1] * j + r[2] * k),
    ]
}

/// The axes of the frame that a unit quaternion turns to, given twice; negated, where once with each sign.
#[inline(always)]
pub(super) fn axes<V: Lanes>(quaternion: &[V; 4], signed: &[V; 4]) -> [[V; 3]; 3] {
    let [i, j, k, w] = *quaternion;
    let [si, sj, sk, sw] = *signed;
    let (ii, jj, kk, ww) = (si * i, sj * j, sk * k, sw * w);
    let (i2, j2, k2) = (si + si, sj + sj, sk + sk);
    let (ij, ik, jk) = (i2 * j, i2 * k, j2 * k);
    let (wi, wj, wk) = (i2 * w, j2 * w, k2 * w);
    [
        [ww + ii - jj - kk, ij + wk, ik - wj],
        [ij - wk, ww - ii + jj - kk, jk + wi],
        [ik + wj, jk - wi, ww - ii - jj + kk],
    ]
}

#[inline(always)]
fn cross<V: Lanes>(a: &[V; 3], b: &[V; 3]) -> [V; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Point3, Vector3};

    #[test]
    fn poses_are_those_of_nalgebra() {
        let a = Isometry3::new(Vector3::new(0.3, -2.0, 7.0), Vector3::new(0.4, 1.9, -0.7));
        let b = Isometry3::new(Vector3::new(1.5, 0.1, 6.0), Vector3::new(-2.1, 0.2, 1.1));
        let relative = Relative::new(&Pose::from(&a), &Pose::from(&b), 4.0);
        let right = a.inv_mul(&b);
        let near = |ours: [f64; 3], right: Vector3<f64>| {
            assert!((Vector3::from(ours) - right).norm() < 1e-14, "{ours:?}");
        };
        near(relative.center, right.translation.vector * 4.0);
        for k in 0..3 {
            near(relative.axes[k], right.rotation * Vector3::ith(k, 1.0));
        }
        let x = [0.2, -0.9, 1.7];
        near(Pose::from(&a).apply(&x), (a * Point3::from(x)).coords);
        near(Pose::from(&a).turn(&x), a.rotation * Vector3::from(x));
    }
}
