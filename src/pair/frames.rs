//! The frame that the two bodies of a pair have in common.
//!
//! Of a frame, solvers need only the conversion of vectors and points to and from the bodies' own coordinates. So the
//! frame may be A's, [`FrameOfA`], or one with the world's directions, [`WorldFrame`]. A single pair, whose lanes are
//! the bodies, is faster with the second: both rotation matrices come from their quaternions side by side, and
//! normals are found in world directions. Pairs in lanes, where each body has lanes of its own, are faster with the
//! first, in which A's matrix is the identity.

use crate::lanes::fused::dot;
use crate::lanes::unfused::cross;
use crate::lanes::{Lanes, Paired, ToSingle};
use crate::query::pose::{Pose, half_offset, rotate};
use crate::surface::primal_dual::both;
use fearless_simd::{Simd, SimdInto, f64x2};

/// The pose of body B in A's frame.
pub(crate) struct FrameOfA<V> {
    pub center: [V; 3],
    /// The distance of the centres.
    pub center_distance: V,
    /// The axes of B.
    pub axes: [[V; 3]; 3],
}

impl<V: Lanes> FrameOfA<V> {
    /// Returns the pose in units of 1/`per_unit` metres.
    #[inline(always)]
    pub fn new(a: &Pose<V>, b: &Pose<V>, per_unit: V) -> Self {
        let [i, j, k, w] = a.quaternion;
        let back = [-i, -j, -k];
        let center = rotate(&back, w, &offset(a, b, per_unit));
        let quaternion = product(&back, w, &b.quaternion);
        FrameOfA {
            center,
            center_distance: length(&center),
            axes: axes(&quaternion, &quaternion),
        }
    }
}

impl<V: ToSingle> FrameOfA<V> {
    /// Joins two groups into one, in single precision.
    #[inline(always)]
    pub fn to_f32([one, other]: [&Self; 2]) -> FrameOfA<V::Single> {
        FrameOfA {
            center: V::vector_to_f32([&one.center, &other.center]),
            center_distance: V::to_f32([one.center_distance, other.center_distance]),
            axes: [
                V::vector_to_f32([&one.axes[0], &other.axes[0]]),
                V::vector_to_f32([&one.axes[1], &other.axes[1]]),
                V::vector_to_f32([&one.axes[2], &other.axes[2]]),
            ],
        }
    }
}

/// Returns the vector from A's centre to B's in the world, in units of 1/`per_unit` metres.
#[inline(always)]
pub(crate) fn offset<V: Lanes>(a: &Pose<V>, b: &Pose<V>, per_unit: V) -> [V; 3] {
    let [x, y, z] = half_offset(a, b);
    let doubled = per_unit * 2.0;
    [x * doubled, y * doubled, z * doubled]
}

/// Returns the length of a vector, not fused.
#[inline(always)]
pub(crate) fn length<V: Lanes>([x, y, z]: &[V; 3]) -> V {
    (*x * *x + *y * *y + *z * *z).sqrt()
}

/// Returns the product of the quaternion with vector part r and scalar part w, and another quaternion.
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

/// Returns the axes of the frame to which a unit quaternion rotates. The quaternion is given twice; where one copy is
/// negated, so are the axes.
#[inline(always)]
fn axes<V: Lanes>(quaternion: &[V; 4], signed: &[V; 4]) -> [[V; 3]; 3] {
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

/// A frame in which vectors are the same for all lanes of a group.
pub(crate) trait PairFrame<V: Paired> {
    /// Returns the vector from A's centre to B's.
    fn center(&self) -> &[V::Group; 3];
    /// Returns the length of that vector.
    fn center_distance(&self) -> V::Group;
    /// Converts a vector to A's coordinates and, negated, to B's.
    fn to_bodies(&self, v: &[V::Group; 3]) -> [V; 3];
    /// Converts a vector from A's coordinates.
    fn vector_from_a(&self, v: &[V::Group; 3]) -> [V::Group; 3];
    /// Converts points from the coordinates of their bodies: returns x_A relative to A's centre, and x_B − x_A.
    fn points(&self, x: &[V; 3]) -> [[V::Group; 3]; 2];
}

impl<G: Lanes, V: Paired<Group = G>> PairFrame<V> for FrameOfA<G> {
    #[inline(always)]
    fn center(&self) -> &[G; 3] {
        &self.center
    }

    #[inline(always)]
    fn center_distance(&self) -> G {
        self.center_distance
    }

    #[inline(always)]
    fn to_bodies(&self, v: &[G; 3]) -> [V; 3] {
        let [i, j, k] = &self.axes;
        [
            V::paired(v[0], -dot(i, v)),
            V::paired(v[1], -dot(j, v)),
            V::paired(v[2], -dot(k, v)),
        ]
    }

    #[inline(always)]
    fn vector_from_a(&self, v: &[G; 3]) -> [G; 3] {
        *v
    }

    #[inline(always)]
    fn points(&self, [x, y, z]: &[V; 3]) -> [[G; 3]; 2] {
        let xa = [x.of_a(), y.of_a(), z.of_a()];
        let xb = [x.swapped().of_a(), y.swapped().of_a(), z.swapped().of_a()];
        let turned = combined(&self.axes, &xb);
        let c = &self.center;
        let d = [
            turned[0] + (c[0] - xa[0]),
            turned[1] + (c[1] - xa[1]),
            turned[2] + (c[2] - xa[2]),
        ];
        [xa, d]
    }
}

/// A frame about A's centre with the directions of the world, and both bodies in it, a lane for each.
pub(super) struct WorldFrame<S: Simd> {
    center: [f64x2<S>; 3],
    center_distance: f64x2<S>,
    /// The axes of A, and those of B negated.
    axes: [[f64x2<S>; 3]; 3],
}

impl<S: Simd> WorldFrame<S> {
    /// Returns the frame in units of 1/`per_unit` metres.
    #[inline(always)]
    pub fn new(simd: S, a: &Pose<f64>, b: &Pose<f64>, per_unit: f64) -> Self {
        let center = offset(a, b, per_unit);
        let center = both(simd, &center, &center);
        let ([ai, aj, ak, aw], [bi, bj, bk, bw]) = (a.quaternion, b.quaternion);
        let lanes = |a: f64, b: f64| -> f64x2<S> { [a, b].simd_into(simd) };
        WorldFrame {
            center_distance: length(&center),
            axes: axes(
                &[lanes(ai, bi), lanes(aj, bj), lanes(ak, bk), lanes(aw, bw)],
                &[
                    lanes(ai, -bi),
                    lanes(aj, -bj),
                    lanes(ak, -bk),
                    lanes(aw, -bw),
                ],
            ),
            center,
        }
    }
}

impl<S: Simd> PairFrame<f64x2<S>> for WorldFrame<S> {
    #[inline(always)]
    fn center(&self) -> &[f64x2<S>; 3] {
        &self.center
    }

    #[inline(always)]
    fn center_distance(&self) -> f64x2<S> {
        self.center_distance
    }

    #[inline(always)]
    fn to_bodies(&self, v: &[f64x2<S>; 3]) -> [f64x2<S>; 3] {
        let [i, j, k] = &self.axes;
        [dot(i, v), dot(j, v), dot(k, v)]
    }

    #[inline(always)]
    fn vector_from_a(&self, [x, y, z]: &[f64x2<S>; 3]) -> [f64x2<S>; 3] {
        let [x, y, z] = combined(&self.axes, &[*x, *y, *z]);
        [
            Paired::paired(x, x),
            Paired::paired(y, y),
            Paired::paired(z, z),
        ]
    }

    #[inline(always)]
    fn points(&self, x: &[f64x2<S>; 3]) -> [[f64x2<S>; 3]; 2] {
        let [x, y, z] = combined(&self.axes, x);
        let c = &self.center;
        // As B's axes are negated, the sum is the difference without the centre's part.
        let d = [
            c[0] - (x + x.swapped()),
            c[1] - (y + y.swapped()),
            c[2] - (z + z.swapped()),
        ];
        [[x, y, z], d]
    }
}

/// Returns the vector with these components along the axes.
#[inline(always)]
pub(crate) fn combined<V: Lanes>([i, j, k]: &[[V; 3]; 3], v: &[V; 3]) -> [V; 3] {
    [
        i[0].mul_add(v[0], j[0].mul_add(v[1], k[0] * v[2])),
        i[1].mul_add(v[0], j[1].mul_add(v[1], k[1] * v[2])),
        i[2].mul_add(v[0], j[2].mul_add(v[1], k[2] * v[2])),
    ]
}

/// Returns the unit vectors of the centre lines.
#[inline(always)]
pub(super) fn unit_center_line<V: Lanes>(center: &[V; 3]) -> [V; 3] {
    let per_length = dot(center, center).sqrt().recip();
    [
        center[0] * per_length,
        center[1] * per_length,
        center[2] * per_length,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::pose::ToWorld;
    use nalgebra::{Isometry3, Point3, Vector3};

    #[test]
    fn poses_are_those_of_nalgebra() {
        let a = Isometry3::new(Vector3::new(0.3, -2.0, 7.0), Vector3::new(0.4, 1.9, -0.7));
        let b = Isometry3::new(Vector3::new(1.5, 0.1, 6.0), Vector3::new(-2.1, 0.2, 1.1));
        let relative = FrameOfA::new(&Pose::from(&a), &Pose::from(&b), 4.0);
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
