//! The separating-axis test of two boxes.
//!
//! Two convex bodies are disjoint when their projections onto some axis L are. For boxes, with the
//! centre difference t, axes A_i, B_j and half extents a_i, b_j, that is
//!
//! ```text
//! |t·L| > Σ a_i |A_i·L| + Σ b_j |B_j·L|
//! ```
//!
//! and it suffices to try the 15 axes A_i, B_j and A_i × B_j (Gottschalk, Lin and Manocha 1996).
//! In A's frame, with R = AᵀB, they are
//!
//! ```text
//! A_i:        |t_i|                              > a_i + Σ_j |R_ij| b_j
//! B_j:        |Σ_i t_i R_ij|                     > b_j + Σ_i a_i |R_ij|
//! A_i × B_j:  |t_(i+2) R_(i+1)j − t_(i+1) R_(i+2)j| >
//!                a_(i+1) |R_(i+2)j| + a_(i+2) |R_(i+1)j| + b_(j+1) |R_i(j+2)| + b_(j+2) |R_i(j+1)|
//! ```
//!
//! with indices modulo 3. Three axes are tested together, in the lanes of a vector, and all 15 without a branch
//! except the one between faces and edges.
//!
//! The inequality proves separation for *every* vector L, also for the nearly vanishing cross
//! product of nearly parallel edges, as long as rounding does not make it true. Its rounding error
//! is proportional to |t| and the half extents and not to |L|, so a fixed slack covers every axis.
//!
//! A vector (x, y, z) is stored as (x, y, z, x), so that its cyclic permutations are shifts.

use super::obb::Obb;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x4};
use nalgebra::Vector3;

/// Two boxes in the frame of the first.
pub(super) struct Gaps<S: Simd> {
    /// The half extents.
    a: Vector3<f64>,
    b: Vector3<f64>,
    /// The centre of the second box.
    t: f64x4<S>,
    /// The rows of R.
    rows: [f64x4<S>; 3],
    /// The columns of |R|.
    columns: [f64x4<S>; 3],
    /// The slack in three lanes; it is infinite in the last one, which thereby has no gap.
    slack: f64x4<S>,
}

impl<S: Simd> Gaps<S> {
    /// Makes the problem of two boxes. With the quaternions p and q of the boxes, p̄q = (w, v) is the rotation of the
    /// second box in the frame of the first:
    ///
    /// ```text
    /// R = (w² − v·v) 1 + 2 v vᵀ + 2 w [v]×
    /// ```
    #[inline(always)]
    pub fn new(simd: S, a: &Obb, b: &Obb, between: &Between) -> Gaps<S> {
        let splat = |x: f64| f64x4::splat(simd, x);
        let lanes = |x: [f64; 4]| f64x4::simd_from(simd, x);
        let (p, q) = (a.rotation.coords, b.rotation.coords);
        let p_vector = cyclic(simd, &p.xyz());
        let (q_vector, offset) = (cyclic(simd, &q.xyz()), cyclic(simd, &between.offset));
        let p_next = next(p_vector);
        let w = p.dot(&q);
        let turned = cross(p_next, next(q_vector));
        let v = q_vector.mul_sub(splat(p.w), p_vector.mul_add(splat(q.w), turned));
        // The vector t = offset + 2 p_w u + 2 u × p_v with u = offset × p_v is the offset in the frame of the first
        // box.
        let u = cross(next(offset), p_next) * 2.0;
        let t = u.mul_add(splat(p.w), offset) + cross(next(u), p_next);

        let [x, y, z, _] = v.to_array();
        let [after, before] = next(v);
        let (after, before) = (after * (2.0 * w), before * (2.0 * w));
        let k = w * w - (x * x + y * y + z * z);
        let symmetric = [
            v.mul_add(splat(2.0 * x), lanes([k, 0.0, 0.0, k])),
            v.mul_add(splat(2.0 * y), lanes([0.0, k, 0.0, 0.0])),
            v.mul_add(splat(2.0 * z), lanes([0.0, 0.0, k, 0.0])),
        ];
        // The rows of 2 w [v]× are (0, −z, y), (z, 0, −x), (−y, x, 0).
        let row =
            |plus: [f64; 4], minus: [f64; 4]| before.mul_sub(lanes(plus), after * lanes(minus));
        let skew = [
            row([0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0]),
            row([1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]),
            row([0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0]),
        ];
        let [s0, s1, s2] = symmetric;
        let [k0, k1, k2] = skew;
        let slack = between.slack;
        Gaps {
            a: a.half_extents,
            b: b.half_extents,
            t,
            rows: [s0 + k0, s1 + k1, s2 + k2],
            columns: [(s0 - k0).abs(), (s1 - k1).abs(), (s2 - k2).abs()],
            slack: lanes([slack, slack, slack, f64::INFINITY]),
        }
    }

    /// Whether no axis has a gap.
    #[inline(always)]
    pub fn none(&self) -> bool {
        if some(self.faces()) {
            return false;
        }
        let edges = [self.edges(0), self.edges(1), self.edges(2)];
        !some(edges[0].max(edges[1]).max(edges[2]))
    }

    /// Returns the widest gap, 0 if there is none.
    #[inline(always)]
    pub fn widest(&self) -> f64 {
        // Nearly parallel edges leave an axis of rounding, which the bound does not need.
        let least = self.splat(1e-12);
        let zero = self.splat(0.0);
        let mut widest = self.faces().max(zero);
        for i in 0..3 {
            let gaps = self.edges(i);
            if some(gaps) {
                // This is |A_i × B_j|², from the two components that do not cancel.
                let (y, z) = (self.rows[(i + 1) % 3], self.rows[(i + 2) % 3]);
                let squared = y.mul_add(y, z * z);
                let gaps = squared.simd_gt(least).select(gaps / squared.sqrt(), zero);
                widest = widest.max(gaps);
            }
        }
        let [x, y, z, _] = widest.to_array();
        x.max(y).max(z)
    }

    /// Returns the wider gap of A_i and B_i in lane i, less the slack.
    #[inline(always)]
    fn faces(&self) -> f64x4<S> {
        let splat = |x: f64| self.splat(x);
        let (a, b) = (&self.a, &self.b);
        let (half_a, half_b) = (cyclic(self.slack.simd, a), cyclic(self.slack.simd, b));
        let [c0, c1, c2] = self.columns;
        let radius = c0.mul_add(
            splat(b.x),
            c1.mul_add(splat(b.y), c2.mul_add(splat(b.z), half_a)),
        );
        let of_a = self.t.abs() - radius;
        let [r0, r1, r2] = self.rows;
        let [t0, t1, t2, _] = self.t.to_array();
        let along = r0.mul_add(splat(t0), r1.mul_add(splat(t1), r2 * t2));
        let radius = (r0.abs()).mul_add(
            splat(a.x),
            r1.abs()
                .mul_add(splat(a.y), r2.abs().mul_add(splat(a.z), half_b)),
        );
        of_a.max(along.abs() - radius) - self.slack
    }

    /// Returns the gap of A_i × B_j in lane j, multiplied by |A_i × B_j| and less the slack.
    #[inline(always)]
    fn edges(&self, i: usize) -> f64x4<S> {
        let splat = |x: f64| self.splat(x);
        // These are the other two axes of each box, in cyclic order.
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let (r1, r2) = (self.rows[i1], self.rows[i2]);
        let t = self.t.to_array();
        let across = r1.mul_sub(splat(t[i2]), r2 * t[i1]);
        let radius_a = r2.abs().mul_add(splat(self.a[i1]), r1.abs() * self.a[i2]);
        let [after, before] = next(self.rows[i].abs());
        let [b_after, b_before] = next(cyclic(self.slack.simd, &self.b));
        let radius = b_after.mul_add(before, b_before.mul_add(after, radius_a));
        across.abs() - radius - self.slack
    }

    #[inline(always)]
    fn splat(&self, x: f64) -> f64x4<S> {
        f64x4::splat(self.slack.simd, x)
    }
}

#[inline(always)]
fn some<S: Simd>(gaps: f64x4<S>) -> bool {
    gaps.simd_gt(f64x4::splat(gaps.simd, 0.0)).any_true()
}

/// Returns (x, y, z, x).
#[inline(always)]
fn cyclic<S: Simd>(simd: S, v: &Vector3<f64>) -> f64x4<S> {
    f64x4::simd_from(simd, [v.x, v.y, v.z, v.x])
}

/// Returns (y, z, x, y) and (z, x, y, z).
#[inline(always)]
fn next<S: Simd>(v: f64x4<S>) -> [f64x4<S>; 2] {
    let after = v.slide::<1>(v.slide::<1>(v));
    [after, v.slide::<2>(after)]
}

/// Returns u × v, from [`next`] of both.
#[inline(always)]
fn cross<S: Simd>(u: [f64x4<S>; 2], v: [f64x4<S>; 2]) -> f64x4<S> {
    u[0].mul_sub(v[1], u[1] * v[0])
}

/// The quantities between two boxes, in the world frame.
pub(super) struct Between {
    /// The vector between their centres.
    pub offset: Vector3<f64>,
    /// The change of a gap that rounding of centres and half extents, and of a few operations on them, can cause.
    pub slack: f64,
    squared_length: f64,
    /// The sum of the radii of the largest spheres inside.
    inner_radii: f64,
    /// The sum of the squares of the half diagonals; the square of their sum is at most twice that.
    squared_diagonals: f64,
}

impl Between {
    #[inline(always)]
    pub fn new(a: &Obb, b: &Obb) -> Between {
        let larger = |x: f64, y: f64| if x > y { x } else { y };
        let largest = |v: &Vector3<f64>| larger(larger(v.x.abs(), v.y.abs()), v.z.abs());
        let smaller = |x: f64, y: f64| if x < y { x } else { y };
        let least = |v: &Vector3<f64>| smaller(smaller(v.x, v.y), v.z);
        let (a_half, b_half) = (&a.half_extents, &b.half_extents);
        let centers = largest(&a.center.coords) + largest(&b.center.coords);
        let offset = b.center - a.center;
        Between {
            squared_length: offset.norm_squared(),
            slack: 32.0 * f64::EPSILON * (centers + largest(a_half) + largest(b_half)),
            offset,
            inner_radii: least(a_half) + least(b_half),
            squared_diagonals: a_half.norm_squared() + b_half.norm_squared(),
        }
    }

    #[inline(always)]
    pub fn inner_balls_meet(&self) -> bool {
        // The spheres decide nothing where both numbers have left the number range.
        self.squared_length < self.inner_radii * self.inner_radii
    }

    /// Whether the spheres around the boxes are apart: the sum of the half diagonals is at most `√(2 (|a|² + |b|²))`.
    #[inline(always)]
    pub fn outer_balls_are_apart(&self) -> bool {
        let radius = (2.0 * self.squared_diagonals).sqrt() + self.slack;
        self.squared_length > radius * radius
    }
}
