//! The separating-axis test of two boxes (Gottschalk, Lin and Manocha 1996) at eight relative poses at once.

use crate::poses::PoseVectors;
use superovoid::internals::Lanes;
use superovoid::internals::fused::dot;

/// Two boxes: half their edges, and the rotations of the bodies in whose frames the edges are.
pub(super) struct Boxes<V> {
    pub half: [[V; 3]; 2],
    pub poses: [PoseVectors<V>; 2],
    /// The middle of B's box relative to that of A's, in the world.
    pub between: [V; 3],
}

impl<V: Lanes> Boxes<V> {
    /// Returns where the boxes are proven to be farther apart than a distance (not less than 0). Along a product of
    /// two edges, which is no longer than 1, the boxes' gap is no longer than along its direction.
    #[inline(always)]
    pub fn are_beyond(&self, within: V) -> V::Mask {
        let [pose_a, pose_b] = &self.poses;
        let [half_a, half_b] = &self.half;
        let t = pose_a.rotate_back(&self.between);
        let r = pose_a.relative_rotation(pose_b);
        let size = [
            [r[0][0].abs(), r[0][1].abs(), r[0][2].abs()],
            [r[1][0].abs(), r[1][1].abs(), r[1][2].abs()],
            [r[2][0].abs(), r[2][1].abs(), r[2][2].abs()],
        ];
        let mut beyond = within.lt(within);
        for k in 0..3 {
            let radius = half_a[k] + dot(&size[k], half_b);
            beyond = beyond | (radius + within).lt(t[k].abs());
            let radius = half_b[k] + dot(&[size[0][k], size[1][k], size[2][k]], half_a);
            let along = dot(&[r[0][k], r[1][k], r[2][k]], &t);
            beyond = beyond | (radius + within).lt(along.abs());
        }
        if V::all(beyond) {
            return beyond;
        }
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let along = t[i2].mul_sub(r[i1][j], t[i1] * r[i2][j]).abs();
                let reach_a = half_a[i1].mul_add(size[i2][j], half_a[i2] * size[i1][j]);
                let reach_b = half_b[j1].mul_add(size[i][j2], half_b[j2] * size[i][j1]);
                beyond = beyond | (reach_a + reach_b + within).lt(along);
            }
        }
        beyond
    }
}
