//! Where the two bodies of a pair are, in a frame that they have in common.
//!
//! Solvers need no more of a frame than vectors and points to and from the bodies' own coordinates. So it may be A's,
//! [`Relative`], or that of the world's directions, [`Parallel`]. One pair by itself, whose lanes are the bodies, is
//! better off with the second: both rotation matrices come from their quaternions side by side, and normals are the
//! world's as they are found. Pairs in lanes, each body with lanes of its own, are with the first: A's matrix is 1.

use crate::lanes::{Lanes, Paired, dot};
use crate::pair::place::{Pose, Relative, axes, length, offset};
use crate::surface::good::both;
use fearless_simd::{Simd, SimdInto, f64x2};

/// Vectors of the common frame are the same in all lanes, where a group's lanes are more than that group.
pub(crate) trait Placement<V: Paired> {
    /// From A's centre to B's.
    fn center(&self) -> &[V::Group; 3];
    /// The length of that.
    fn apart(&self) -> V::Group;
    /// A vector in A's coordinates and, negated, in B's.
    fn in_both(&self, v: &[V::Group; 3]) -> [V; 3];
    /// A vector of A's, from its coordinates.
    fn vector_of_a(&self, v: &[V::Group; 3]) -> [V::Group; 3];
    /// From points in the coordinates of their bodies: x_A as seen from A's centre, and x_B − x_A.
    fn points(&self, x: &[V; 3]) -> [[V::Group; 3]; 2];
}

impl<G: Lanes, V: Paired<Group = G>> Placement<V> for Relative<G> {
    #[inline(always)]
    fn center(&self) -> &[G; 3] {
        &self.center
    }

    #[inline(always)]
    fn apart(&self) -> G {
        self.apart
    }

    #[inline(always)]
    fn in_both(&self, v: &[G; 3]) -> [V; 3] {
        let [i, j, k] = &self.axes;
        [
            V::paired(v[0], -dot(i, v)),
            V::paired(v[1], -dot(j, v)),
            V::paired(v[2], -dot(k, v)),
        ]
    }

    #[inline(always)]
    fn vector_of_a(&self, v: &[G; 3]) -> [G; 3] {
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

/// Both bodies, a lane for each, about A's centre in the directions of the world.
pub(super) struct Parallel<S: Simd> {
    center: [f64x2<S>; 3],
    apart: f64x2<S>,
    /// A's axes, and B's, negated.
    axes: [[f64x2<S>; 3]; 3],
}

impl<S: Simd> Parallel<S> {
    /// In units of 1/`per_unit` metres.
    #[inline(always)]
    pub fn new(simd: S, a: &Pose<f64>, b: &Pose<f64>, per_unit: f64) -> Self {
        let center = offset(a, b, per_unit);
        let center = both(simd, &center, &center);
        let ([ai, aj, ak, aw], [bi, bj, bk, bw]) = (a.quaternion, b.quaternion);
        let lanes = |a: f64, b: f64| -> f64x2<S> { [a, b].simd_into(simd) };
        Parallel {
            apart: length(&center),
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

impl<S: Simd> Placement<f64x2<S>> for Parallel<S> {
    #[inline(always)]
    fn center(&self) -> &[f64x2<S>; 3] {
        &self.center
    }

    #[inline(always)]
    fn apart(&self) -> f64x2<S> {
        self.apart
    }

    #[inline(always)]
    fn in_both(&self, v: &[f64x2<S>; 3]) -> [f64x2<S>; 3] {
        let [i, j, k] = &self.axes;
        [dot(i, v), dot(j, v), dot(k, v)]
    }

    #[inline(always)]
    fn vector_of_a(&self, [x, y, z]: &[f64x2<S>; 3]) -> [f64x2<S>; 3] {
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
        // B's axes are negated: the sum is what the difference lacks to the centre.
        let d = [
            c[0] - (x + x.swapped()),
            c[1] - (y + y.swapped()),
            c[2] - (z + z.swapped()),
        ];
        [[x, y, z], d]
    }
}

/// The vector with these components along the axes.
#[inline(always)]
pub(super) fn combined<V: Lanes>([i, j, k]: &[[V; 3]; 3], v: &[V; 3]) -> [V; 3] {
    [
        i[0].mul_add(v[0], j[0].mul_add(v[1], k[0] * v[2])),
        i[1].mul_add(v[0], j[1].mul_add(v[1], k[1] * v[2])),
        i[2].mul_add(v[0], j[2].mul_add(v[1], k[2] * v[2])),
    ]
}
