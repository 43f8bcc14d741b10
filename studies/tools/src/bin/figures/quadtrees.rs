//! The quadtrees of Gonçalves et al. 2017 in equal steps of the surface angles, as published, beside equal steps of polar
//! angles, the non-uniform tree that the paper leaves as future work: guesses, answers and times.

use crate::grid::best_of_rounds;
use crate::pair_meshes::poses;
use indicatif::ProgressBar;
use nalgebra::Isometry3;
use std::fmt::Write;
use superovoid::published::{Division, Scheme, SchemeOptions, scheme_contact, scheme_trace};
use superovoid::{Outcome, QueryOptions, Superovoid, contact};
use superovoid_tools::statistics::Summary;

const EXPONENTS: [f64; 7] = [0.05, 0.1, 0.3, 0.65, 1.0, 1.35, 1.7];
const SEMI_AXES: [f64; 3] = [1.0, 1.1, 1.3];
const SCHEMES: [Scheme; 2] = [Scheme::QuadImplicit, Scheme::NtbParametric];
const DIVISIONS: [Division; 2] = [Division::SurfaceAngles, Division::PolarAngles];
/// Poses of B; those in which the bodies overlap are left out.
const POSES: usize = 2_000;
pub const STEPS: usize = EXPONENTS.len();

/// Two bodies of these exponents, the poses in which they are apart, and their distances, metres.
struct Pairs {
    bodies: [Superovoid; 2],
    apart: Vec<Isometry3<f64>>,
    distances: Vec<f64>,
}

fn pairs(e: f64) -> Pairs {
    let [a1, a2, a3] = SEMI_AXES;
    let bodies = [[a1, a2, a3], [a3, a1, a2]]
        .map(|a| Superovoid::superellipsoid(a, [e; 2]).expect("the shapes are valid"));
    let (here, options) = (Isometry3::identity(), QueryOptions::default());
    let (apart, distances) = poses(POSES)
        .into_iter()
        .filter_map(|there| {
            let found = contact(&bodies[0], &here, &bodies[1], &there, &options, None)
                .expect("the poses are valid");
            (found.lower > 0.0).then_some((there, found.distance))
        })
        .unzip();
    Pairs {
        bodies,
        apart,
        distances,
    }
}

/// Returns how much longer than the distance the guess is, millimetres, the share of certified answers, per cent, the
/// iterations and the time, microseconds, in the mean.
fn row(pairs: &Pairs, scheme: Scheme, division: Division) -> [f64; 4] {
    let options = SchemeOptions {
        scheme,
        division,
        ..SchemeOptions::default()
    };
    let ([a, b], here) = (&pairs.bodies, Isometry3::identity());
    let (found, microseconds) = best_of_rounds(&pairs.apart, |there| {
        scheme_contact(a, &here, b, there, &options, None).expect("the poses are valid")
    });
    let (mut beyond, mut iterations) = (Summary::default(), Summary::default());
    for (there, exact) in pairs.apart.iter().zip(&pairs.distances) {
        let trace = scheme_trace(a, &here, b, there, &options).expect("the poses are valid");
        let guess = trace
            .attempts
            .first()
            .and_then(|first| first.iterates.first());
        let guess =
            guess.expect("bodies that are apart are not told by bounds alone, and guessed at once");
        beyond.add((guess.point_a - guess.point_b).norm() - exact);
    }
    let right = found
        .iter()
        .filter(|answer| answer.outcome == Outcome::Certified)
        .count();
    for answer in &found {
        iterations.add(f64::from(answer.iterations));
    }
    [
        beyond.mean() * 1e3,
        100.0 * right as f64 / found.len() as f64,
        iterations.mean(),
        microseconds,
    ]
}

/// Returns the section.
pub fn section(progress: &ProgressBar) -> String {
    let mut text = String::from(TEXT);
    for e in EXPONENTS {
        let pairs = pairs(e);
        for scheme in SCHEMES {
            let [published, polar] = DIVISIONS.map(|division| row(&pairs, scheme, division));
            let both = |k: usize, digits: usize| {
                format!("{:.digits$} | {:.digits$}", published[k], polar[k])
            };
            let _ = writeln!(
                text,
                "| {e} | {scheme} | {} | {} | {} | {} | {} |",
                pairs.apart.len(),
                both(0, 1),
                both(1, 2),
                both(2, 2),
                both(3, 1)
            );
        }
        progress.inc(1);
    }
    text
}

const TEXT: &str = "
## A non-uniform quadtree

Two superellipsoids with semi-axes of 1, 1.1 and 1.3 m, e1 = e2, in 2,000 poses 3 to 4 m from each other, of which those
apart count. The paper's quadtrees take equal steps of the surface angles, which crowd the cells at the edges of square bodies,
whose faces they hardly reach, and at the ridges of pointed ones, where most contacts are; a non-uniform tree is its future
work. *Polar* takes equal steps of the polar angles of the points on both circles (`Division::PolarAngles`): it pays where
faces are flat. *Guess* is how much longer than the
distance the guess is, in the mean; *certified* are answers proven to 1e-6 of the body.

| e1 = e2 | scheme | pairs | guess mm | polar | certified % | polar | steps | polar | µs | polar |
| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";
