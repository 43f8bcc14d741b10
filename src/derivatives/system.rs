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

use super::side::Side;
use nalgebra::{Matrix2, Matrix2x4, Matrix4, Vector2, Vector4};

/// The inverse of the system, as the linear maps that are needed of it.
pub(super) struct System {
    /// The signed distance d.
    pub distance: f64,
    inverse: Matrix4<f64>,
    /// u − c_A, X_A y_A and X_B y_B, from the right side.
    pub normal: Matrix2x4<f64>,
    pub slide: [Matrix2x4<f64>; 2],
}

impl System {
    /// Returns `None` where the system is singular to rounding.
    pub fn new(a: &Side, b: &Side, distance: f64) -> Option<System> {
        let inverse = inverse(&matrix(a, b, distance))?;
        let (y_a, y_b) = (inverse.fixed_rows::<2>(0), inverse.fixed_rows::<2>(2));
        Some(System {
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

fn matrix(a: &Side, b: &Side, distance: f64) -> Matrix4<f64> {
    let mut m = Matrix4::zeros();
    let put = |m: &mut Matrix4<f64>, i, j, block: Matrix2<f64>| {
        m.fixed_view_mut::<2, 2>(i, j).copy_from(&block);
    };
    put(&mut m, 0, 0, a.normal);
    put(&mut m, 0, 2, b.normal);
    put(&mut m, 2, 0, -(a.point + a.normal * distance));
    put(&mut m, 2, 2, b.point);
    m
}

/// The inverse, by elimination with full pivoting on rows and columns of the same size. `None` if a pivot vanishes to
/// rounding.
fn inverse(m: &Matrix4<f64>) -> Option<Matrix4<f64>> {
    /// The smallest pivot, beside entries of about 1, of a matrix that counts as regular.
    const REGULAR: f64 = 1e-11;
    let largest = |entries: [f64; 4]| entries.into_iter().fold(0.0, |l: f64, x| l.max(x.abs()));
    let mut scaled = *m;
    let (mut rows, mut columns) = ([1.0; 4], [1.0; 4]);
    for j in 0..4 {
        let size = largest(std::array::from_fn(|i| scaled[(i, j)]));
        if size == 0.0 || !size.is_finite() {
            return None;
        }
        columns[j] = 1.0 / size;
        scaled.column_mut(j).scale_mut(columns[j]);
    }
    for i in 0..4 {
        let size = largest(std::array::from_fn(|j| scaled[(i, j)]));
        if size < REGULAR {
            return None;
        }
        rows[i] = 1.0 / size;
        scaled.row_mut(i).scale_mut(rows[i]);
    }
    let mut inverse = eliminate(scaled, REGULAR)?;
    for i in 0..4 {
        for j in 0..4 {
            inverse[(i, j)] *= columns[i] * rows[j];
        }
    }
    Some(inverse)
}

/// Gauss and Jordan's elimination with full pivoting; `None` if a pivot is below `least`.
fn eliminate(mut m: Matrix4<f64>, least: f64) -> Option<Matrix4<f64>> {
    let mut inverse = Matrix4::identity();
    let mut order = [0, 1, 2, 3];
    for k in 0..4 {
        let (mut row, mut column, mut pivot) = (k, k, 0.0_f64);
        for j in k..4 {
            for i in k..4 {
                if m[(i, j)].abs() > pivot {
                    (row, column, pivot) = (i, j, m[(i, j)].abs());
                }
            }
        }
        if pivot < least {
            return None;
        }
        m.swap_rows(k, row);
        inverse.swap_rows(k, row);
        m.swap_columns(k, column);
        order.swap(k, column);
        let per_pivot = 1.0 / m[(k, k)];
        for j in 0..4 {
            m[(k, j)] *= per_pivot;
            inverse[(k, j)] *= per_pivot;
        }
        for i in (0..4).filter(|&i| i != k) {
            let factor = m[(i, k)];
            for j in 0..4 {
                m[(i, j)] -= factor * m[(k, j)];
                inverse[(i, j)] -= factor * inverse[(k, j)];
            }
        }
    }
    let mut ordered = Matrix4::zeros();
    for (from, &to) in order.iter().enumerate() {
        ordered.set_row(to, &inverse.row(from));
    }
    Some(ordered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_are_inverses_and_singular_matrices_have_none() {
        let m = Matrix4::new(
            1e-9, 2e-9, 0.0, 1e-9, 3e-9, -1e-9, 2e-9, 0.0, 1.0, 0.5, 2.0, 1.0, -1.0, 2.0, 0.3, 4.0,
        );
        let inverse = inverse(&m).expect("regular");
        assert!((m * inverse - Matrix4::identity()).norm() < 1e-6);
        assert!((inverse * m - Matrix4::identity()).norm() < 1e-6);
        let mut singular = m;
        singular.set_row(3, &(m.row(2) * 2.0));
        assert!(super::inverse(&singular).is_none());
        assert!(super::inverse(&Matrix4::zeros()).is_none());
    }
}
