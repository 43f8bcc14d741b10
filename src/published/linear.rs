//! Small linear systems that may be singular, by Gaussian elimination with complete pivoting.

/// Solves `matrix · x = right` by elimination with complete pivoting; the matrix is given by rows.
///
/// Unknowns are measured in units of their columns, so that an angle next to a quarter turn, at which a surface point
/// moves infinitely fast, is as good as any other. Where the matrix does not have full rank (bodies of revolution on
/// one axis may turn about it) the undetermined unknowns stay 0.
pub(super) fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    /// The pivot, relative to the first one, that counts as rounding.
    const RANK: f64 = 1e-14;
    let scale: [f64; N] = std::array::from_fn(|j| {
        let most = (0..N).fold(0.0_f64, |most, i| most.max(matrix[i][j].abs()));
        if most > 0.0 { 1.0 / most } else { 0.0 }
    });
    for row in &mut matrix {
        for j in 0..N {
            row[j] *= scale[j];
        }
    }
    let mut order: [usize; N] = std::array::from_fn(|j| j);
    let mut rank = N;
    let mut first = 0.0;
    for k in 0..N {
        let (mut at, mut most) = ((k, k), -1.0);
        for i in k..N {
            for j in k..N {
                if matrix[i][j].abs() > most {
                    (at, most) = ((i, j), matrix[i][j].abs());
                }
            }
        }
        if k == 0 {
            first = most;
        }
        let determined = most > RANK * first && most > 0.0;
        if !determined {
            rank = k;
            break;
        }
        matrix.swap(k, at.0);
        right.swap(k, at.0);
        for row in &mut matrix {
            row.swap(k, at.1);
        }
        order.swap(k, at.1);
        for i in k + 1..N {
            let factor = matrix[i][k] / matrix[k][k];
            for j in k..N {
                matrix[i][j] -= factor * matrix[k][j];
            }
            right[i] -= factor * right[k];
        }
    }
    let mut y = [0.0; N];
    for i in (0..rank).rev() {
        let known: f64 = (i + 1..rank).map(|j| matrix[i][j] * y[j]).sum();
        y[i] = (right[i] - known) / matrix[i][i];
    }
    let mut x = [0.0; N];
    for i in 0..N {
        x[order[i]] = y[i] * scale[order[i]];
    }
    x
}
