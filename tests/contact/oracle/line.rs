//! A straight line through a body: the gauge along it, by dense sampling and refinement.

use super::body::Body;
use super::minimise::maximise_on_interval;
use nalgebra::{Isometry3, Point3, Vector3};

/// A line in the world, with a body in its way.
pub struct Line<'a> {
    pub body: &'a Body,
    pub pose: Isometry3<f64>,
    pub origin: Point3<f64>,
    pub direction: Vector3<f64>,
}

const SAMPLES: usize = 240;

impl Line<'_> {
    pub fn point(&self, t: f64) -> Point3<f64> {
        self.origin + self.direction * t
    }

    pub fn gauge(&self, t: f64) -> f64 {
        self.gauge_at(&self.point(t))
    }

    pub fn gauge_at(&self, x: &Point3<f64>) -> f64 {
        let offset = x - self.pose.translation.vector;
        self.body
            .gauge(&self.pose.rotation.inverse_transform_vector(&offset.coords))
    }

    /// What rounding of the line can change in the gauge, and in it an error of 1e-12 of its own.
    pub fn tolerance(&self) -> f64 {
        let shape = &self.body.shape;
        let far = (self.origin - Point3::from(self.pose.translation.vector)).norm();
        let coordinates = self.origin.coords.amax() + self.pose.translation.vector.amax();
        let thinnest = [0, 1]
            .map(|i| shape.a[i] * (1.0 - shape.t[i].abs()))
            .into_iter()
            .fold(shape.a[2], f64::min);
        1e-12 + 32.0 * f64::EPSILON * (far + coordinates + shape.size()) / thinnest
    }

    /// The stretch of t ≥ 0 near the body: within the ball around its box.
    pub fn stretch(&self) -> [f64; 2] {
        let shape = &self.body.shape;
        let reach =
            Vector3::from_fn(|i, _| shape.a[i] * (1.0 + shape.t.get(i).map_or(0.0, |t| t.abs())));
        let centre = Point3::from(self.pose.translation.vector);
        let speed = self.direction.norm();
        let nearest = (centre - self.origin).dot(&(self.direction / speed)) / speed;
        let half = 1.01 * reach.norm() / speed;
        [(nearest - half).max(0.0), (nearest + half).max(0.0)]
    }

    /// Least gauge over t in [from, to].
    pub fn least(&self, from: f64, to: f64) -> f64 {
        -self.largest_of(from, to, |t| -self.gauge(t))
    }

    /// Largest gauge over t in [from, to].
    pub fn most(&self, from: f64, to: f64) -> f64 {
        self.largest_of(from, to, |t| self.gauge(t))
    }

    fn largest_of(&self, from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
        let at = |k: usize| {
            let share = k as f64 / SAMPLES as f64;
            from * (1.0 - share) + to * share
        };
        let values: Vec<f64> = (0..=SAMPLES).map(|k| f(at(k))).collect();
        let mut most = values[0].max(values[SAMPLES]);
        for k in 1..SAMPLES {
            most = most.max(values[k]);
            // Only peaks that could matter are worth a closer look.
            let peak = values[k] >= values[k - 1] && values[k] >= values[k + 1];
            if peak {
                let t = maximise_on_interval(at(k - 1), at(k + 1), &f);
                most = most.max(f(t));
            }
        }
        most
    }
}
