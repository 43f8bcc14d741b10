//! Residuals of points, and how much each counts.
//!
//! The residual is the distance to first order, `(g − 1)/|∇g|`. Its denominator and the outlier weight are held
//! fixed while the least-squares solver runs, and renewed between runs (iteratively reweighted least
//! squares): the residuals `w_i (g_i − 1)` then have the simple derivatives of the gauge.
//!
//! Outliers are weighed down by Cauchy's loss `ln(1 + (d/cσ)²)`, whose weight never becomes zero: parts of
//! the surface that do not fit yet are not given up. The scale σ comes from the nearest 70 % of the points
//! and starts large.

use crate::body::{Body, NATURAL};
use crate::chart::Chart;
use crate::least_squares::Residuals;
use nalgebra::{RowSVector, Vector3};

/// Cauchy's constant: 95 % efficiency for normal noise of standard deviation 1.
const CAUCHY: f64 = 1.0;
/// Part of the points that the scale of the noise is read from.
const TRUSTED: f64 = 0.7;
/// Deviation, in standard deviations, that this part of normal noise stays under.
const TRUSTED_DEVIATION: f64 = 1.036;

/// Points with a weight each, in a chart.
pub(crate) struct Weighted<'a> {
    pub points: &'a [Vector3<f64>],
    pub weights: Vec<f64>,
    pub chart: Chart,
}

impl<'a> Weighted<'a> {
    /// Weights at `body`: with a scale those of Cauchy's loss, without one only those of the geometry.
    pub fn at(
        body: &Body,
        points: &'a [Vector3<f64>],
        chart: Chart,
        scale: Option<f64>,
    ) -> Weighted<'a> {
        let weight = |point: &Vector3<f64>| {
            let gauge = body.gauge(point);
            let steepness = gauge.ln.exp() * gauge.gradient.norm();
            let robust = scale.map_or(1.0, |s| {
                let d = gauge.distance() / (CAUCHY * s);
                1.0 / (1.0 + d * d)
            });
            let weight = robust / steepness;
            if weight.is_finite() { weight } else { 0.0 }
        };
        Weighted {
            points,
            weights: points.iter().map(weight).collect(),
            chart,
        }
    }
}

impl Residuals for Weighted<'_> {
    fn count(&self) -> usize {
        self.points.len()
    }

    fn evaluate(&self, unknowns: &[f64], residuals: &mut [f64], jacobian: &mut [f64]) {
        let (body, chain) = self.chart.body_and_derivatives(unknowns);
        let (rows, columns) = (self.points.len(), unknowns.len());
        for (i, (point, weight)) in self.points.iter().zip(&self.weights).enumerate() {
            let gauge = body.gauge(point);
            let g = gauge.ln.exp();
            residuals[i] = weight * (g - 1.0);
            let natural: RowSVector<f64, NATURAL> = gauge.natural.transpose() * (weight * g);
            for k in 0..columns {
                jacobian[k * rows + i] = natural.tr_dot(&chain.fixed_view::<NATURAL, 1>(0, k));
            }
        }
    }
}

/// First-order distances of points, without their sign.
pub(crate) fn distances(body: &Body, points: &[Vector3<f64>]) -> Vec<f64> {
    points.iter().map(|p| body.first_order_distance(p).abs()).collect()
}

/// Standard deviation of the noise as the nearest points show it.
pub(crate) fn scale(mut distances: Vec<f64>) -> f64 {
    let k = (TRUSTED * (distances.len() - 1) as f64) as usize;
    *distances.select_nth_unstable_by(k, f64::total_cmp).1 / TRUSTED_DEVIATION
}

/// Cauchy's loss of a body, a mean over the points.
pub(crate) fn loss(distances: &[f64], scale: Option<f64>) -> f64 {
    let each = |&d: &f64| match scale {
        None => d * d,
        Some(s) => {
            let x = (d / (CAUCHY * s)).powi(2);
            x / (1.0 + x) * s * s
        }
    };
    distances.iter().map(each).sum::<f64>() / distances.len() as f64
}
