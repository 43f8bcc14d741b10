//! Points about shapes of semi-axes 1 m, and the answers of methods for them.

use nalgebra::{Isometry3, Point3, Vector3};
use std::f64::consts::{FRAC_PI_2, PI};
use std::time::Instant;
use superovoid::{Contact, QueryError, Superovoid, VertexOptions};
use superovoid_tools::statistics::Summary;

/// What the thesis counts as converged, metres.
pub const TARGET: f64 = 1e-3;
pub const MILLIMETRES: f64 = 1e3;

pub type VertexQuery =
    fn(&Superovoid, &Isometry3<f64>, &Point3<f64>, &VertexOptions) -> Result<Contact, QueryError>;

/// Returns a superellipsoid with semi-axes of 1 m.
pub fn shape(e: [f64; 2]) -> Superovoid {
    Superovoid::superellipsoid([1.0; 3], e).expect("the exponents are valid")
}

/// Returns `side × side` points of an even grid of surface angles on the shape with these semi-axes.
pub fn points(side: usize, semi_axis: f64, [e1, e2]: [f64; 2]) -> Vec<Point3<f64>> {
    let power = |x: f64, e: f64| x.abs().powf(e).copysign(x);
    let middle = |k: usize| (k as f64 + 0.5) / side as f64;
    let point = |i: usize, j: usize| {
        let phi1 = PI * (2.0 * middle(i) - 1.0);
        let phi2 = FRAC_PI_2 * (2.0 * middle(j) - 1.0);
        let rho = power(phi2.cos(), e2);
        let [x, y] = [phi1.cos(), phi1.sin()].map(|x| rho * power(x, e1));
        Point3::from(Vector3::new(x, y, power(phi2.sin(), e2)) * semi_axis)
    };
    (0..side * side)
        .map(|k| point(k / side, k % side))
        .collect()
}

/// Returns answers for points, and the mean time of one, microseconds: the best of a few rounds, as other programs share
/// the processor.
pub fn best_of_rounds<T, A>(points: &[T], ask: impl Fn(&T) -> A) -> (Vec<A>, f64) {
    const ROUNDS: usize = 3;
    let (mut answers, mut best) = (Vec::new(), f64::INFINITY);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        answers = points.iter().map(&ask).collect();
        best = best.min(start.elapsed().as_secs_f64());
    }
    (answers, best * 1e6 / points.len() as f64)
}

/// Returns the answers of a query for points, and the mean time of one, microseconds.
pub fn timed(
    shape: &Superovoid,
    points: &[Point3<f64>],
    query: VertexQuery,
    options: &VertexOptions,
) -> (Vec<Contact>, f64) {
    let pose = Isometry3::identity();
    best_of_rounds(points, |x| {
        query(shape, &pose, x, options).expect("the points are finite")
    })
}

/// Returns the error (7) of the thesis, metres: how far the point is from its distance along the normal.
pub fn projection_error(shape: &Superovoid, x: &Point3<f64>, found: &Contact) -> f64 {
    let normal = shape.gradient(&found.point_a).normalize();
    let length = (x - found.point_a).norm().copysign(found.distance);
    (found.point_a + normal * length - x).norm()
}

/// What a method makes of points: its errors (7), those beyond the target once more, its steps and its time.
#[derive(Default)]
pub struct Errors {
    pub error: Summary,
    pub missed: Summary,
    pub iterations: Summary,
    pub microseconds: f64,
}

impl Errors {
    pub fn of(
        shape: &Superovoid,
        points: &[Point3<f64>],
        query: VertexQuery,
        options: &VertexOptions,
    ) -> Errors {
        let (answers, microseconds) = timed(shape, points, query, options);
        let mut errors = Errors {
            microseconds,
            ..Errors::default()
        };
        for (x, found) in points.iter().zip(&answers) {
            let error = projection_error(shape, x, found);
            errors.error.add(error * MILLIMETRES);
            if error > TARGET {
                errors.missed.add(error * MILLIMETRES);
            }
            errors.iterations.add(f64::from(found.iterations));
        }
        errors
    }

    /// Returns the share of answers that miss the target, per cent.
    pub fn failing(&self) -> f64 {
        100.0 * self.missed.count() as f64 / self.error.count() as f64
    }
}
