//! How a stationary pair of witness points moves: the implicit function theorem on Newton's system.
//!
//! Let y_A, y_B be steps along the surfaces (see [`side`](super::side)), u the change of the normal from A to B in the
//! tangent plane, and let an input (a pose or a shape number) by itself, at fixed surface coordinates, change the normal
//! of A by c_A and the opposite of B's normal by c_B, and the witness points by g_A and g_B, all in the tangent plane.
//! The normals stay opposed and the difference of the points stays d n:
//!
//! ```text
//! u = N_A y_A + c_A = −N_B y_B + c_B
//! X_B y_B + g_B − X_A y_A − g_A = d u
//!
//! ⎡      N_A         N_B ⎤ ⎡ y_A ⎤   ⎡      c_B − c_A      ⎤
//! ⎣ −(X_A + d N_A)   X_B ⎦ ⎣ y_B ⎦ = ⎣ d c_A + g_A − g_B   ⎦
//! ```
//!
//! With H = X N⁻¹ this is the system (H_A + H_B + d) u = … of the support functions, without their infinities. It is
//! singular where both sides are flat in a common direction, and where the summed radii of curvature are −d: for
//! touching ridges, and for overlaps whose depth is not a strict local least.

use super::side::ContactSide;
use nalgebra::{Matrix2x4, Matrix4, Vector2, Vector4};

/// The least pivot with which derivatives are right to some 1e-7. The powers of coordinates that vanish are not less than
/// 2^-52 (see [`crate::lanes`]), so that between two nearly flat faces what a smaller pivot divides by has no digits left.
const REGULAR_PIVOT: f64 = 1e-8;

/// The inverse of the system, as the linear maps that are needed of it.
pub(super) struct ImplicitSystem {
    /// Whether no pivot vanishes beside its row and column; otherwise the inverse serves for steps of Newton's method
    /// alone.
    pub is_regular: bool,
    /// The largest entry of the inverse: how far the surface coordinates move for what the normals or the points lack.
    pub amplification: f64,
    /// The signed distance d.
    pub distance: f64,
    inverse: Matrix4<f64>,
    /// u − c_A, X_A y_A and X_B y_B, from the right side.
    pub normal: Matrix2x4<f64>,
    pub slide: [Matrix2x4<f64>; 2],
}

impl ImplicitSystem {
    /// Returns `None` where the system is singular to rounding.
    #[inline(always)]
    pub fn new(a: &ContactSide, b: &ContactSide, distance: f64) -> Option<ImplicitSystem> {
        let (inverse, least_pivot) = inverse(&matrix(a, b, distance))?;
        let (y_a, y_b) = (inverse.fixed_rows::<2>(0), inverse.fixed_rows::<2>(2));
        Some(ImplicitSystem {
            is_regular: least_pivot >= REGULAR_PIVOT,
            amplification: inverse.amax(),
            distance,
            inverse,
            normal: a.normal * y_a,
            slide: [a.point * y_a, b.point * y_b],
        })
    }

    /// The steps y_A, y_B of Newton's method that cancel what the normals and the points leave: `normals` is the sum of
    /// the outward normals and `offset` the difference of the points, both in the tangent plane of A's normal.
    pub fn newton_step(&self, normals: &Vector2<f64>, offset: &Vector2<f64>) -> Vector4<f64> {
        -self.inverse * Vector4::new(normals.x, normals.y, offset.x, offset.y)
    }
}

#[inline(always)]
fn matrix(a: &ContactSide, b: &ContactSide, distance: f64) -> Matrix4<f64> {
    let mut m = Matrix4::zeros();
    for i in 0..2 {
        for j in 0..2 {
            m[(i, j)] = a.normal[(i, j)];
            m[(i, 2 + j)] = b.normal[(i, j)];
            m[(2 + i, j)] = -(a.point[(i, j)] + a.normal[(i, j)] * distance);
            m[(2 + i, 2 + j)] = b.point[(i, j)];
        }
    }
    m
}

/// The inverse, by Gauss and Jordan's elimination with full pivoting on rows and columns of the same size. With it
/// comes the least pivot, relative to the first; `None` if that vanishes to rounding.
///
/// It works on the transpose, whose rows are the columns of `m`, with the identity beside it, so that its loops run along
/// eight numbers that lie one after the other.
#[inline(always)]
fn inverse(m: &Matrix4<f64>) -> Option<(Matrix4<f64>, f64)> {
    /// The smallest pivot, beside entries of about 1, of a matrix that counts as regular.
    const REGULAR: f64 = 1e-11;
    let mut work = [[0.0; 8]; 4];
    let (mut columns, mut rows) = ([0.0; 4], [0.0_f64; 4]);
    for j in 0..4 {
        let mut size = 0.0_f64;
        for i in 0..4 {
            size = size.max(m[(i, j)].abs());
        }
        if size == 0.0 || !size.is_finite() {
            return None;
        }
        columns[j] = 1.0 / size;
        for i in 0..4 {
            work[j][i] = m[(i, j)] * columns[j];
            rows[i] = rows[i].max(work[j][i].abs());
        }
        work[j][4 + j] = 1.0;
    }
    if rows.iter().any(|&size| size.is_nan() || size < REGULAR) {
        return None;
    }
    for i in 0..4 {
        rows[i] = 1.0 / rows[i];
        for j in 0..4 {
            work[j][i] *= rows[i];
        }
    }
    let (order, least_pivot) = eliminate(&mut work, REGULAR)?;
    let mut inverse = Matrix4::zeros();
    for k in 0..4 {
        let i = order[k];
        for j in 0..4 {
            inverse[(j, i)] = work[k][4 + j] * columns[j] * rows[i];
        }
    }
    Some((inverse, least_pivot))
}

/// Makes a permutation of the identity of the left half, and returns which column the 1 of each row was in, and the least
/// pivot; `None` if one is below `least`.
#[inline(always)]
fn eliminate(work: &mut [[f64; 8]; 4], least: f64) -> Option<([usize; 4], f64)> {
    let (mut order, mut least_pivot) = ([0, 1, 2, 3], f64::INFINITY);
    for k in 0..4 {
        let (mut row, mut column, mut pivot) = (k, k, 0.0_f64);
        for i in k..4 {
            for j in k..4 {
                if work[i][j].abs() > pivot {
                    (row, column, pivot) = (i, j, work[i][j].abs());
                }
            }
        }
        if pivot < least {
            return None;
        }
        least_pivot = least_pivot.min(pivot);
        work.swap(k, row);
        for line in work.iter_mut() {
            line.swap(k, column);
        }
        order.swap(k, column);
        let per_pivot = 1.0 / work[k][k];
        for j in 0..8 {
            work[k][j] *= per_pivot;
        }
        let pivots = work[k];
        for i in 0..4 {
            if i != k {
                let factor = work[i][k];
                for j in 0..8 {
                    work[i][j] -= factor * pivots[j];
                }
            }
        }
    }
    Some((order, least_pivot))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_are_inverses_and_singular_matrices_have_none() {
        let m = Matrix4::new(
            1e-9, 2e-9, 0.0, 1e-9, 3e-9, -1e-9, 2e-9, 0.0, 1.0, 0.5, 2.0, 1.0, -1.0, 2.0, 0.3, 4.0,
        );
        let (inverse, _) = inverse(&m).expect("regular");
        assert!((m * inverse - Matrix4::identity()).norm() < 1e-6);
        assert!((inverse * m - Matrix4::identity()).norm() < 1e-6);
        let mut singular = m;
        singular.set_row(3, &(m.row(2) * 2.0));
        assert!(super::inverse(&singular).is_none());
        assert!(super::inverse(&Matrix4::zeros()).is_none());
    }
}
