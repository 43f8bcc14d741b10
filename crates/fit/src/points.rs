//! Points to be fitted: checked, and centred and scaled without the farthest of them.

use crate::FitError;
use nalgebra::{Matrix3, Point3, SymmetricEigen, Vector3};

/// Points whose smallest principal spread is less than this part of the largest lie in a plane.
const FLAT: f64 = 1e-6;
/// Fewest points: one for each unknown.
const FEWEST: usize = 13;
/// Part of the points, the farthest, that the principal axes leave out.
const TRIMMED: f64 = 0.25;

/// Points about their centre, in units of their root mean square distance from it.
#[derive(Clone, Debug)]
pub(crate) struct Cloud {
    pub points: Vec<Vector3<f64>>,
    pub center: Vector3<f64>,
    pub scale: f64,
    /// Principal axes as columns of a rotation, the longest first.
    pub axes: Matrix3<f64>,
}

/// Refuses points of which one is not finite, and too few of them.
pub(crate) fn checked(points: &[Point3<f64>]) -> Result<(), FitError> {
    if let Some(index) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(FitError::NonFinitePoint { index });
    }
    if points.len() < FEWEST {
        return Err(FitError::TooFewPoints {
            found: points.len(),
            needed: FEWEST,
        });
    }
    Ok(())
}

impl Cloud {
    /// Of points in the frame of their shape.
    pub fn new(points: &[Point3<f64>]) -> Result<Cloud, FitError> {
        checked(points)?;
        let points: Vec<Vector3<f64>> = points.iter().map(|p| p.coords).collect();
        let (variances, _) = principal_axes(&points);
        let [long, middle, short] = variances.map(|v| v.max(0.0).sqrt());
        if middle < FLAT * long {
            return Err(FitError::Straight);
        }
        if short < FLAT * long {
            return Err(FitError::Flat);
        }
        let kept = without_farthest(&points);
        let axes = principal_axes(&kept).1;
        let middle = mean(&kept);
        let scale = (kept
            .iter()
            .map(|p| (p - middle).norm_squared())
            .sum::<f64>()
            / kept.len() as f64)
            .sqrt();
        Ok(Cloud {
            points: points.iter().map(|p| (p - middle) / scale).collect(),
            center: middle,
            scale,
            axes,
        })
    }

    /// About `count` of the points, spread over their list.
    pub fn some(&self, count: usize) -> Vec<Vector3<f64>> {
        let n = self.points.len();
        if n <= count {
            return self.points.clone();
        }
        // Neighbours in a list are often neighbours in space: a step prime to most lengths mixes them.
        let step = (n as f64 * 0.618_033_988_749_895) as usize;
        let step = (step..).find(|&s| gcd(s, n) == 1).unwrap_or(1);
        (0..count).map(|k| self.points[k * step % n]).collect()
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

pub(crate) fn mean(points: &[Vector3<f64>]) -> Vector3<f64> {
    points.iter().sum::<Vector3<f64>>() / points.len().max(1) as f64
}

/// Variances along the principal axes, largest first, and the axes as columns of a rotation.
pub(crate) fn principal_axes(points: &[Vector3<f64>]) -> ([f64; 3], Matrix3<f64>) {
    let center = mean(points);
    let covariance = points
        .iter()
        .map(|p| (p - center) * (p - center).transpose())
        .sum::<Matrix3<f64>>()
        / points.len().max(1) as f64;
    let eigen = SymmetricEigen::new(covariance);
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| eigen.eigenvalues[j].total_cmp(&eigen.eigenvalues[i]));
    let first: Vector3<f64> = eigen.eigenvectors.column(order[0]).into_owned();
    let second: Vector3<f64> = eigen.eigenvectors.column(order[1]).into_owned();
    let axes = Matrix3::from_columns(&[first, second, first.cross(&second)]);
    (order.map(|k| eigen.eigenvalues[k]), axes)
}

/// The points but for the part of them that is farthest away, in units of the standard deviations.
fn without_farthest(points: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
    let mut kept = points.to_vec();
    for _ in 0..4 {
        let center = mean(&kept);
        let (variances, axes) = principal_axes(&kept);
        let far = |p: &Vector3<f64>| {
            let y = axes.tr_mul(&(p - center));
            (0..3)
                .map(|k| y[k] * y[k] / variances[k].max(1e-30))
                .sum::<f64>()
        };
        let mut ranked: Vec<(f64, Vector3<f64>)> = points.iter().map(|p| (far(p), *p)).collect();
        let keep = points.len() - (TRIMMED * points.len() as f64) as usize;
        ranked.sort_by(|p, q| p.0.total_cmp(&q.0));
        ranked.truncate(keep);
        kept = ranked.into_iter().map(|(_, p)| p).collect();
    }
    kept
}
