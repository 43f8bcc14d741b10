//! How long a point takes by itself and in a slice: `cargo run --release -p superovoid-compare --example point_times`.
//!
//! The seven shapes of the iterative geometric method, 10,000 points of the parametric surface of each
//! with semi-axes changed by +0.05 (outside) and −0.015 (inside). Singles and slices take turns, the best
//! of several rounds counts, and the ratio is that of one run.

use nalgebra::{Isometry3, Point3, Vector3};
use std::f64::consts::{PI, TAU};
use std::time::Instant;
use superovoid::{
    Contact, Outcome, Superovoid, VertexOptions, vertex_contact, vertex_contact_batch,
};

const SHAPES: [[f64; 2]; 7] = [
    [0.3, 0.3],
    [0.65, 0.65],
    [1.0, 1.0],
    [1.35, 1.35],
    [1.7, 1.7],
    [1.0, 0.3],
    [1.0, 1.6],
];
const ROUNDS: usize = 9;

/// 100 × 100 points, evenly spaced in the angles of the parametric surface.
fn grid(semi_axis: f64, [e1, e2]: [f64; 2], pose: &Isometry3<f64>) -> Vec<Point3<f64>> {
    let power = |x: f64, e: f64| x.abs().powf(e).copysign(x);
    let point = |k: usize| {
        let around = -PI + TAU * (k / 100) as f64 / 100.0;
        let up = -0.5 * PI + PI * (k % 100) as f64 / 99.0;
        let radius = power(up.cos(), e2);
        let x = radius * power(around.cos(), e1);
        let y = radius * power(around.sin(), e1);
        pose * Point3::new(
            x * semi_axis,
            y * semi_axis,
            power(up.sin(), e2) * semi_axis,
        )
    };
    (0..10_000).map(point).collect()
}

/// Nanoseconds a point.
fn timed(points: usize, work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_nanos() as f64 / points as f64
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pose = Isometry3::new(Vector3::new(0.3, -0.2, 0.5), Vector3::new(0.4, 0.7, -0.3));
    let options = VertexOptions::default();
    println!("|  e1, e2   | offset | single, ns | slice, ns | ratio | certified | steps |");
    println!("| --------- | -----: | ---------: | --------: | ----: | --------: | ----: |");
    for offset in [0.05, -0.015] {
        for e in SHAPES {
            let shape = Superovoid::superellipsoid([1.0; 3], e)?;
            let points = grid(1.0 + offset, e, &pose);
            let mut answers = vec![Contact::default(); points.len()];
            let (mut single, mut slice) = (f64::INFINITY, f64::INFINITY);
            for _ in 0..ROUNDS {
                single = single.min(timed(points.len(), || {
                    for (point, answer) in points.iter().zip(&mut answers) {
                        *answer = vertex_contact(&shape, &pose, point, &options)
                            .expect("the input is valid");
                    }
                }));
                slice = slice.min(timed(points.len(), || {
                    vertex_contact_batch(&shape, &pose, &points, &mut answers, &options)
                        .expect("the input is valid");
                }));
            }
            let certified = answers
                .iter()
                .filter(|answer| answer.outcome == Outcome::Certified)
                .count();
            let steps: u32 = answers.iter().map(|answer| answer.iterations).sum();
            println!(
                "| {:4}, {:4} | {offset:+6} | {single:10.0} | {slice:9.0} | {:5.1} | {:8.1}% | {:5.2} |",
                e[0],
                e[1],
                single / slice,
                certified as f64 / 100.0,
                f64::from(steps) / 1e4
            );
        }
    }
    Ok(())
}
