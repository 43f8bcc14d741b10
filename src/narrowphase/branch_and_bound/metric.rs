//! Angles between directions as they are after the bodies are made round.

use nalgebra::{Matrix3, Vector3};

/// Angles between directions as they are after the bodies are made round: those between the vectors `Lᵀm`, `L Lᵀ` the
/// matrix of an ellipsoid of about the size and shape of the bodies' difference.
///
/// The support points of a needle, or of a plate, all turn within a narrow belt of directions, or about a pole. Cells
/// whose edges are split where they are longest by these angles fit that, and their plane sides stay plane.
pub(super) struct Metric {
    /// The rows of Lᵀ.
    pub rows: [Vector3<f64>; 3],
}

impl Metric {
    /// Returns `None` where the bodies' difference is nearly round, so that a metric would change little.
    pub fn new(spread: &Matrix3<f64>) -> Option<Self> {
        /// The ratio of the mean of the squares of the ellipsoid's semi-axes to their geometric mean, cubed.
        const NEARLY_ROUND: f64 = 3.0;
        /// The share of the mean that counts as the least: flatter bodies are taken to be as flat as a millionth.
        const FLATTEST: f64 = 1e-12;
        let mean = spread.trace() / 3.0;
        if mean.powi(3) < NEARLY_ROUND * spread.determinant() {
            return None;
        }
        let spread = spread + Matrix3::from_diagonal_element(FLATTEST * mean);
        let factor = spread.cholesky()?.l();
        let rows = [0, 1, 2].map(|k| factor.column(k).into_owned());
        Some(Metric { rows })
    }

    fn transform(&self, m: &Vector3<f64>) -> Vector3<f64> {
        Vector3::from(self.rows.each_ref().map(|row| row.dot(m)))
    }

    /// Returns the unit vector that stands for a direction.
    pub fn of(&self, m: &Vector3<f64>) -> Vector3<f64> {
        self.transform(m).normalize()
    }
}
