//! Residuals of points, and how much each counts.
//!
//! The residual is the distance from the surface to first order, `(g − 1)/|∇g|` with the gauge g of
//! [`crate::body`]. Its denominator and the weight of the point are held fixed while the least-squares
//! solver runs, and renewed between runs (iteratively reweighted least squares): so the residuals
//! `w_i (g_i − 1)` have the simple derivatives of the gauge.
//!
//! Outliers are weighed down by the loss of Geman and McClure, `x²/(1 + x²)` with x = d/s: its weight
//! `1/(1 + x²)²` falls fast but never becomes zero, so that parts of the surface which do not fit yet are
//! not given up. The scale s is a multiple of the noise that the nearest 70 % of the points show, and at
//! first not less than a part of the size.

use crate::body::{Body, NATURAL};
use crate::chart::Chart;
use crate::least_squares::Residuals;
use nalgebra::{RowSVector, Vector3};

/// Part of the points that the noise is read from.
const TRUSTED: f64 = 0.7;
/// Deviation, in standard deviations, that this part of normal noise stays under.
const TRUSTED_DEVIATION: f64 = 1.036;

/// The error of one distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scale {
    /// Its square.
    Infinite,
    /// Geman and McClure's, with this s.
    Of(f64),
}

impl Scale {
    /// Square root of the weight of a distance.
    fn weight(self, distance: f64) -> f64 {
        match self {
            Scale::Infinite => 1.0,
            Scale::Of(s) => 1.0 / (1.0 + (distance / s).powi(2)),
        }
    }

    /// Mean loss of distances, for small ones their mean square.
    pub fn loss(self, distances: &[f64]) -> f64 {
        let each = |d: &f64| match self {
            Scale::Infinite => d * d,
            Scale::Of(s) => d * d / (1.0 + (d / s).powi(2)),
        };
        distances.iter().map(each).sum::<f64>() / distances.len().max(1) as f64
    }
}

/// Points with a weight each, in a chart.
pub(crate) struct Weighted<'a> {
    points: &'a [Vector3<f64>],
    weights: Vec<f64>,
    chart: Chart,
}

impl<'a> Weighted<'a> {
    /// Weights as they are at `body`.
    pub fn at(body: &Body, points: &'a [Vector3<f64>], chart: Chart, scale: Scale) -> Weighted<'a> {
        let weight = |point: &Vector3<f64>| {
            let gauge = body.gauge(point);
            let steepness = gauge.ln.exp() * gauge.gradient.norm();
            let weight = scale.weight(gauge.distance()) / steepness;
            // The centre, where the gauge has no gradient.
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
        let rows = self.points.len();
        for (i, (point, weight)) in self.points.iter().zip(&self.weights).enumerate() {
            let gauge = body.gauge(point);
            let g = gauge.ln.exp();
            residuals[i] = weight * (g - 1.0);
            let natural: RowSVector<f64, NATURAL> = gauge.natural.transpose() * (weight * g);
            for k in 0..unknowns.len() {
                jacobian[k * rows + i] = natural.tr_dot(&chain.fixed_view::<NATURAL, 1>(0, k));
            }
        }
    }
}

/// First-order distances of points, without their sign.
pub(crate) fn distances(body: &Body, points: &[Vector3<f64>]) -> Vec<f64> {
    let distance = |p| body.gauge(p).distance().abs();
    points.iter().map(distance).collect()
}

/// Standard deviation of the noise as the nearest points show it.
pub(crate) fn noise(distances: &[f64]) -> f64 {
    let mut distances = distances.to_vec();
    let k = (TRUSTED * (distances.len() - 1) as f64) as usize;
    *distances.select_nth_unstable_by(k, f64::total_cmp).1 / TRUSTED_DEVIATION
}
