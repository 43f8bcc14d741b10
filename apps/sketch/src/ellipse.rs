//! The ellipse through points by direct least squares (Fitzgibbon, Pilu and Fisher 1999, in the form of Halíř and
//! Flusser 1998).
//!
//! Of all conics a x² + b xy + c y² + d x + e y + f = 0 with 4ac − b² = 1, which are ellipses, the one is sought whose
//! sum of squared residuals is least. With u = (a, b, c), v = (d, e, f), D1 the rows (x², xy, y²) and D2 the rows (x, y,
//! 1), v = −S3⁻¹ S2ᵀ u minimises it for given u (S1 = D1ᵀD1, S2 = D1ᵀD2, S3 = D2ᵀD2), and what is left is
//!
//! ```text
//! M u = λ C u,   M = S1 − S2 S3⁻¹ S2ᵀ,   uᵀ C u = 4ac − b² = 1,   C = [0 0 2; 0 −1 0; 2 0 0]
//! ```
//!
//! M is positive (semi-)definite. With M = L Lᵀ and w = Lᵀ u it becomes L⁻¹ C L⁻ᵀ w = w/λ, a symmetric problem. C has one
//! positive eigenvalue, and by Sylvester's law so has that matrix: its eigenvector is the ellipse. Of points on an exact
//! ellipse M is singular, so that its diagonal is raised by 1e-13 of its trace, which moves u as little.

use nalgebra::{Matrix2, Matrix3, Point2, Vector2, Vector3};

/// An ellipse in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    /// The centre.
    pub center: Point2<f64>,
    /// The semi-axes, the longer one first.
    pub semi_axes: [f64; 2],
    /// The angle from x to the longer axis, from −π/2 to π/2.
    pub angle: f64,
}

impl Ellipse {
    /// Returns a point in the ellipse's own coordinates, in which it is the unit circle.
    pub fn local(&self, point: Point2<f64>) -> Vector2<f64> {
        let (s, c) = self.angle.sin_cos();
        let r = point - self.center;
        Vector2::new(
            (c * r.x + s * r.y) / self.semi_axes[0],
            (c * r.y - s * r.x) / self.semi_axes[1],
        )
    }

    /// Returns the root mean square of |local| − 1 of points: how far they lie from the ellipse, in parts of its size.
    pub fn misfit(&self, points: &[Point2<f64>]) -> f64 {
        let squares = points
            .iter()
            .map(|&p| (self.local(p).norm() - 1.0).powi(2))
            .sum::<f64>();
        (squares / points.len() as f64).sqrt()
    }
}

/// Returns the ellipse of least squares through points; `None` if they lie on a line or are fewer than five.
pub fn fit_ellipse(points: &[Point2<f64>]) -> Option<Ellipse> {
    if points.len() < 5 {
        return None;
    }
    let n = points.len() as f64;
    let middle = points.iter().map(|p| p.coords).sum::<Vector2<f64>>() / n;
    let spread = points
        .iter()
        .map(|p| (p.coords - middle).norm_squared())
        .sum::<f64>();
    let size = (spread / n).sqrt();
    if size.is_nan() || size <= 0.0 {
        return None;
    }
    let [s1, s2, s3] = scatter(points.iter().map(|p| (p.coords - middle) / size));
    // The determinant is that of the covariance: below 1e-12 the points lie on a line.
    if s3.determinant() < 1e-12 * n.powi(3) {
        return None;
    }
    let v_of_u = -(s3.try_inverse()? * s2.transpose());
    let m = s1 + s2 * v_of_u;
    let m = 0.5 * (m + m.transpose()) + Matrix3::identity() * (1e-13 * m.trace());
    let c = Matrix3::new(0.0, 0.0, 2.0, 0.0, -1.0, 0.0, 2.0, 0.0, 0.0);
    let lower = m.cholesky()?.l();
    let inverse = lower.try_inverse()?;
    let problem = inverse * c * inverse.transpose();
    let eigen = (0.5 * (problem + problem.transpose())).symmetric_eigen();
    let largest = eigen.eigenvalues.imax();
    let u = inverse.transpose() * eigen.eigenvectors.column(largest);
    let ellipse = of_conic(u, v_of_u * u)?;
    Some(Ellipse {
        center: Point2::from(middle + ellipse.center.coords * size),
        semi_axes: ellipse.semi_axes.map(|a| a * size),
        angle: ellipse.angle,
    })
}

fn scatter(points: impl Iterator<Item = Vector2<f64>>) -> [Matrix3<f64>; 3] {
    let mut sums = [Matrix3::zeros(); 3];
    for p in points {
        let quadratic = Vector3::new(p.x * p.x, p.x * p.y, p.y * p.y);
        let linear = Vector3::new(p.x, p.y, 1.0);
        sums[0] += quadratic * quadratic.transpose();
        sums[1] += quadratic * linear.transpose();
        sums[2] += linear * linear.transpose();
    }
    sums
}

/// Centre and axes of a conic: with Q = [a b/2; b/2 c] the centre is −Q⁻¹(d, e)/2, and an axis along an eigenvector of
/// eigenvalue μ has the square −F/μ, F the value of the conic at the centre.
fn of_conic(u: Vector3<f64>, v: Vector3<f64>) -> Option<Ellipse> {
    let q = Matrix2::new(u.x, 0.5 * u.y, 0.5 * u.y, u.z);
    let linear = Vector2::new(v.x, v.y);
    let center = -0.5 * (q.try_inverse()? * linear);
    let at_center = v.z + 0.5 * linear.dot(&center);
    let eigen = q.symmetric_eigen();
    let squares = eigen.eigenvalues.map(|mu| -at_center / mu);
    let longer = squares.imax();
    let semi_axes = [squares[longer].sqrt(), squares[1 - longer].sqrt()];
    let axis = eigen.eigenvectors.column(longer);
    let angle = axis.y.atan2(axis.x);
    let half = std::f64::consts::FRAC_PI_2;
    let angle = if angle >= half {
        angle - 2.0 * half
    } else if angle < -half {
        angle + 2.0 * half
    } else {
        angle
    };
    let valid = semi_axes.iter().all(|a| *a > 0.0 && a.is_finite());
    valid.then_some(Ellipse {
        center: Point2::from(center),
        semi_axes,
        angle,
    })
}
