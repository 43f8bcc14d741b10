//! The iterative method, ended after a few steps, as a cheap bound of the distance: what the thesis proposes for broad
//! phases, beside the other cheap distances.

use crate::grid::{MILLIMETRES, best_of_rounds, points, shape, timed};
use indicatif::ProgressBar;
use nalgebra::{Isometry3, Point3};
use std::fmt::Write;
use superovoid::published::{iterative_vertex_contact, radial_vertex_contact};
use superovoid::{Contact, Superovoid, VertexOptions, vertex_contact};
use superovoid_tools::statistics::Summary;

const EXPONENTS: [f64; 5] = [0.3, 0.65, 1.0, 1.35, 1.7];
/// Distances of the points from the surface along the semi-axes, metres.
const OFFSETS: [f64; 2] = [0.05, 0.5];
/// Steps of the iterative method.
const STEPS_ALLOWED: [u32; 4] = [0, 1, 2, 4];
pub const STEPS: usize = EXPONENTS.len() * OFFSETS.len();

/// A cheap distance: how far above the true one it is, at least, in the mean and at most, and the time.
struct Cheap {
    name: String,
    over: Summary,
    least: f64,
    most: f64,
    microseconds: f64,
}

fn cheap(name: String, distances: &[f64], exact: &[Contact], microseconds: f64) -> Cheap {
    let mut cheap = Cheap {
        name,
        over: Summary::default(),
        least: f64::INFINITY,
        most: f64::NEG_INFINITY,
        microseconds,
    };
    for (distance, exact) in distances.iter().zip(exact) {
        let over = (distance - exact.distance) * MILLIMETRES;
        cheap.over.add(over);
        (cheap.least, cheap.most) = (cheap.least.min(over), cheap.most.max(over));
    }
    cheap
}

fn rows(body: &Superovoid, points: &[Point3<f64>]) -> Vec<Cheap> {
    let options = VertexOptions::default();
    let (exact, time) = timed(body, points, vertex_contact, &options);
    let distances = |answers: &[Contact]| answers.iter().map(|x| x.distance).collect::<Vec<_>>();
    let mut rows = vec![cheap("exact".into(), &distances(&exact), &exact, time)];
    for max_iterations in STEPS_ALLOWED {
        let options = options.with_max_iterations(max_iterations);
        let (found, time) = timed(body, points, iterative_vertex_contact, &options);
        rows.push(cheap(
            format!("iterative, {max_iterations} steps"),
            &distances(&found),
            &exact,
            time,
        ));
    }
    let (found, time) = timed(body, points, radial_vertex_contact, &options);
    rows.push(cheap("radial".into(), &distances(&found), &exact, time));
    let bounds = body.aabb(&Isometry3::identity());
    let (found, time) = best_of_rounds(points, |x| {
        let beyond = |axis: usize| {
            (x[axis] - bounds.max[axis])
                .max(bounds.min[axis] - x[axis])
                .max(0.0)
        };
        (0..3).map(|axis| beyond(axis).powi(2)).sum::<f64>().sqrt()
    });
    rows.push(cheap("box".into(), &found, &exact, time));
    let radius = body.bounding_sphere().radius;
    let (found, time) = best_of_rounds(points, |x| x.coords.norm() - radius);
    rows.push(cheap("bounding sphere".into(), &found, &exact, time));
    rows
}

/// Returns the section.
pub fn section(side: usize, progress: &ProgressBar) -> String {
    let mut text = String::from(TEXT);
    for offset in OFFSETS {
        for e in EXPONENTS {
            let points = points(side, 1.0 + offset, [e; 2]);
            for Cheap {
                name,
                over,
                least,
                most,
                microseconds,
            } in rows(&shape([e; 2]), &points)
            {
                let _ = writeln!(
                    text,
                    "| {offset} | {e} | {name} | {:.3} | {least:.3} | {most:.3} | {microseconds:.3} |",
                    over.mean()
                );
            }
            progress.inc(1);
        }
    }
    text
}

const TEXT: &str = "
## Few steps as a cheap distance

The thesis proposes its method, ended early, as a distance for broad phases. *Over* is how far a distance is above the true
one: what is never below 0 is an upper bound, what is never above 0 a lower one. Every surface point gives an upper bound, so
the iterative and the radial distance may keep bodies in a list too briefly, never too long; box and sphere are lower bounds,
which is what a cull needs. The last column is the mean time of a call.

| outside by m | e1 = e2 | distance | over mm, mean | least | most | µs |
| ---: | ---: | --- | ---: | ---: | ---: | ---: |
";
