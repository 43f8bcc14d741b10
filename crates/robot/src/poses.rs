//! Poses in lanes.

use fearless_simd::Simd;
use nalgebra::{Isometry3, Quaternion, Translation3, Unit};
use superovoid::internals::fused::cross;
use superovoid::internals::{Lanes, MAX_LANES, SoaLanes};

/// A number in each lane.
pub(crate) type Column = [f64; MAX_LANES];

/// A pose in each lane: quaternions i, j, k, w and translations x, y, z.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct PoseLanes {
    rotation: [Column; 4],
    translation: [Column; 3],
}

/// The same in vectors.
#[derive(Clone, Copy)]
pub(crate) struct PoseVectors<V> {
    pub rotation: [V; 4],
    pub translation: [V; 3],
}

impl PoseLanes {
    pub const IDENTITY: Self = PoseLanes {
        rotation: [
            [0.0; MAX_LANES],
            [0.0; MAX_LANES],
            [0.0; MAX_LANES],
            [1.0; MAX_LANES],
        ],
        translation: [[0.0; MAX_LANES]; 3],
    };

    /// Returns the same pose in every lane.
    pub fn splat(pose: &Isometry3<f64>) -> Self {
        let mut lanes = Self::IDENTITY;
        for lane in 0..MAX_LANES {
            lanes.set(lane, pose);
        }
        lanes
    }

    /// Sets the pose in a lane.
    pub fn set(&mut self, lane: usize, pose: &Isometry3<f64>) {
        let rotation = pose.rotation.coords.iter();
        for (column, x) in self.rotation.iter_mut().zip(rotation) {
            column[lane] = *x;
        }
        for (column, x) in self.translation.iter_mut().zip(&pose.translation.vector) {
            column[lane] = *x;
        }
    }

    /// Whether all translations are finite: where they are, so are the rotations, which are of unit length.
    pub fn has_finite_translation(&self) -> bool {
        let numbers = self.translation.iter().flatten();
        // Zero times what is not finite is NaN.
        numbers.fold(0.0, |sum, x| sum + x * 0.0) == 0.0
    }

    /// Returns the pose in a lane.
    pub fn get(&self, lane: usize) -> Isometry3<f64> {
        let [i, j, k, w] = self.rotation.map(|column| column[lane]);
        let [x, y, z] = self.translation.map(|column| column[lane]);
        Isometry3::from_parts(
            Translation3::new(x, y, z),
            Unit::new_unchecked(Quaternion::new(w, i, j, k)),
        )
    }

    #[inline(always)]
    pub fn load<S: Simd, V: SoaLanes<S>>(&self, simd: S, first: usize) -> PoseVectors<V> {
        let [i, j, k, w] = &self.rotation;
        let [x, y, z] = &self.translation;
        PoseVectors {
            rotation: [
                V::load_from(simd, i, first),
                V::load_from(simd, j, first),
                V::load_from(simd, k, first),
                V::load_from(simd, w, first),
            ],
            translation: [
                V::load_from(simd, x, first),
                V::load_from(simd, y, first),
                V::load_from(simd, z, first),
            ],
        }
    }

    #[inline(always)]
    pub fn store<S: Simd, V: SoaLanes<S>>(&mut self, pose: &PoseVectors<V>, first: usize) {
        let [i, j, k, w] = &mut self.rotation;
        pose.rotation[0].store_to(i, first);
        pose.rotation[1].store_to(j, first);
        pose.rotation[2].store_to(k, first);
        pose.rotation[3].store_to(w, first);
        store3(&pose.translation, &mut self.translation, first);
    }
}

impl<V: Lanes> PoseVectors<V> {
    /// Returns the same pose in all lanes of the kind of `like`.
    #[inline(always)]
    pub fn splat(like: V, pose: &Isometry3<f64>) -> Self {
        let q = &pose.rotation;
        let t = &pose.translation;
        PoseVectors {
            rotation: [
                like.splat(q.i),
                like.splat(q.j),
                like.splat(q.k),
                like.splat(q.w),
            ],
            translation: [like.splat(t.x), like.splat(t.y), like.splat(t.z)],
        }
    }

    /// Returns the rotated vector, `v + w t + u × t` with `t = 2 u × v`.
    #[inline(always)]
    pub fn rotate(&self, v: &[V; 3]) -> [V; 3] {
        let [i, j, k, w] = self.rotation;
        let u = [i, j, k];
        let half = cross(&u, v);
        let t = [half[0] + half[0], half[1] + half[1], half[2] + half[2]];
        let turned = cross(&u, &t);
        [
            w.mul_add(t[0], turned[0]) + v[0],
            w.mul_add(t[1], turned[1]) + v[1],
            w.mul_add(t[2], turned[2]) + v[2],
        ]
    }

    /// Returns the vector, rotated backwards.
    #[inline(always)]
    pub fn rotate_back(&self, v: &[V; 3]) -> [V; 3] {
        self.conjugate().rotate(v)
    }

    /// Returns the point in the frame in which the pose is.
    #[inline(always)]
    pub fn transform(&self, p: &[V; 3]) -> [V; 3] {
        let r = self.rotate(p);
        let [x, y, z] = self.translation;
        [r[0] + x, r[1] + y, r[2] + z]
    }

    /// Returns the product of poses: `other` in the frame of this one.
    #[inline(always)]
    pub fn times(&self, other: &Self) -> Self {
        PoseVectors {
            rotation: product(&self.rotation, &other.rotation),
            translation: self.transform(&other.translation),
        }
    }

    /// Returns the matrix of the rotation, by columns.
    #[inline(always)]
    pub fn columns(&self) -> [[V; 3]; 3] {
        let [i, j, k, w] = self.rotation;
        let (i2, j2, k2) = (i + i, j + j, k + k);
        let one = i.splat(1.0);
        let (ii, jj, kk) = (i * i2, j * j2, k * k2);
        let (wi, wj, wk) = (w * i2, w * j2, w * k2);
        let (ij, ik, jk) = (i * j2, i * k2, j * k2);
        [
            [one - jj - kk, ij + wk, ik - wj],
            [ij - wk, one - ii - kk, jk + wi],
            [ik + wj, jk - wi, one - ii - jj],
        ]
    }

    /// Returns the rotation of `other` relative to this one, as the rows of a matrix.
    #[inline(always)]
    pub fn relative_rotation(&self, other: &Self) -> [[V; 3]; 3] {
        let relative = PoseVectors {
            rotation: product(&self.conjugate().rotation, &other.rotation),
            translation: self.translation,
        };
        let [x, y, z] = relative.columns();
        [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]]
    }

    /// Returns the pose with the opposite rotation.
    #[inline(always)]
    fn conjugate(&self) -> Self {
        let [i, j, k, w] = self.rotation;
        PoseVectors {
            rotation: [-i, -j, -k, w],
            translation: self.translation,
        }
    }

    /// Returns the pose with a quaternion that is nearer to unit length: one step of Newton's method, as nalgebra's
    /// `renormalize_fast` takes it.
    #[inline(always)]
    pub fn renormalized(self) -> Self {
        let [i, j, k, w] = self.rotation;
        let square = i.mul_add(i, j.mul_add(j, k.mul_add(k, w * w)));
        let scale = (-square) * 0.5 + 1.5;
        PoseVectors {
            rotation: [i * scale, j * scale, k * scale, w * scale],
            translation: self.translation,
        }
    }
}

/// Returns the product of two quaternions i, j, k, w.
#[inline(always)]
pub(crate) fn product<V: Lanes>(a: &[V; 4], b: &[V; 4]) -> [V; 4] {
    let [ai, aj, ak, aw] = *a;
    let [bi, bj, bk, bw] = *b;
    [
        aw.mul_add(bi, ai.mul_add(bw, aj.mul_sub(bk, ak * bj))),
        aw.mul_add(bj, aj.mul_add(bw, ak.mul_sub(bi, ai * bk))),
        aw.mul_add(bk, ak.mul_add(bw, ai.mul_sub(bj, aj * bi))),
        aw.mul_sub(bw, ai.mul_add(bi, aj.mul_add(bj, ak * bk))),
    ]
}

/// Loads three columns.
#[inline(always)]
pub(crate) fn load3<S: Simd, V: SoaLanes<S>>(
    simd: S,
    columns: &[Column; 3],
    first: usize,
) -> [V; 3] {
    let [x, y, z] = columns;
    [
        V::load_from(simd, x, first),
        V::load_from(simd, y, first),
        V::load_from(simd, z, first),
    ]
}

/// Stores a vector in three columns.
#[inline(always)]
pub(crate) fn store3<S: Simd, V: SoaLanes<S>>(v: &[V; 3], columns: &mut [Column; 3], first: usize) {
    let [x, y, z] = columns;
    v[0].store_to(x, first);
    v[1].store_to(y, first);
    v[2].store_to(z, first);
}

/// Returns the vector that is the same in all lanes of the kind of `like`.
#[inline(always)]
pub(crate) fn splat3<V: Lanes>(like: V, v: &[f64; 3]) -> [V; 3] {
    [like.splat(v[0]), like.splat(v[1]), like.splat(v[2])]
}

/// Returns the largest size of a component.
#[inline(always)]
pub(crate) fn largest<V: Lanes>(v: &[V; 3]) -> V {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}
