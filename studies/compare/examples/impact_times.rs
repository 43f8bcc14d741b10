//! What a time of impact costs beside a distance: `cargo run --release -p superovoid-compare --example impact_times`.
//!
//! Two superellipsoids (semi-axes 0.3 to 1 m, exponents 0.2 to 1.3) some diameters apart: both origins move on straight
//! lines past or into one another, and both bodies turn by up to 3 rad. Motions and cold distances at their starts take
//! turns, and the best of several rounds counts. With the argument of a number that set alone is done once, for callgrind.

use nalgebra::{Isometry3, Point3, Quaternion, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::TAU;
use std::hint::black_box;
use std::time::Instant;
use superovoid::motion::{Motion, TimeOfImpact, TimeOfImpactOptions, time_of_impact};
use superovoid::{QueryOptions, Superovoid, contact};

const MOTIONS: usize = 1000;
const ROUNDS: usize = 15;
/// Radians.
const TURN: f64 = 3.0;

struct Moving {
    shape: Superovoid,
    start: Isometry3<f64>,
    motion: Motion,
}

fn direction(rng: &mut ChaCha8Rng) -> Vector3<f64> {
    let z: f64 = rng.random_range(-1.0..1.0);
    let (sin, cos) = rng.random_range(0.0..TAU).sin_cos();
    let r = (1.0 - z * z).sqrt();
    Vector3::new(r * cos, r * sin, z)
}

fn rotation(rng: &mut ChaCha8Rng) -> UnitQuaternion<f64> {
    let u: f64 = rng.random_range(0.0..1.0);
    let (s1, c1) = rng.random_range(0.0..TAU).sin_cos();
    let (s2, c2) = rng.random_range(0.0..TAU).sin_cos();
    let (r1, r2) = ((1.0 - u).sqrt(), u.sqrt());
    UnitQuaternion::new_normalize(Quaternion::new(r2 * c2, r1 * s1, r1 * c1, r2 * s2))
}

fn moving(rng: &mut ChaCha8Rng, at: Vector3<f64>, velocity: Vector3<f64>) -> Moving {
    let axes = [0; 3].map(|_| rng.random_range(0.3..1.0));
    let exponents = [0; 2].map(|_| rng.random_range(0.2..1.3));
    let start = Isometry3::from_parts(at.into(), rotation(rng));
    let turn = direction(rng) * rng.random_range(0.0..TURN);
    Moving {
        shape: Superovoid::superellipsoid(axes, exponents).expect("valid"),
        start,
        motion: Motion::line_spin_about(start, Point3::origin(), velocity, turn).expect("valid"),
    }
}

fn pair(rng: &mut ChaCha8Rng) -> [Moving; 2] {
    let away = direction(rng) * rng.random_range(2.2..5.0);
    let aim = direction(rng) * rng.random_range(0.0..4.0);
    let velocity = (aim - away) * rng.random_range(0.5..2.0);
    [
        moving(rng, Vector3::zeros(), aim * 0.5),
        moving(rng, away, velocity),
    ]
}

fn impact([a, b]: &[Moving; 2]) -> TimeOfImpact {
    let options = TimeOfImpactOptions::default();
    time_of_impact(&a.shape, &a.motion, &b.shape, &b.motion, &options).expect("valid")
}

fn distance([a, b]: &[Moving; 2]) -> f64 {
    let options = QueryOptions::default();
    contact(&a.shape, &a.start, &b.shape, &b.start, &options, None)
        .expect("valid")
        .distance
}

fn mean_of(pairs: &[[Moving; 2]], work: impl Fn(&[Moving; 2])) -> f64 {
    let start = Instant::now();
    pairs.iter().for_each(work);
    start.elapsed().as_nanos() as f64 / pairs.len() as f64
}

fn main() {
    let mut rng = ChaCha8Rng::seed_from_u64(2017);
    let mut sets = [("hit", Vec::new()), ("free", Vec::new())];
    while sets.iter().any(|(_, set)| set.len() < MOTIONS) {
        let pair = pair(&mut rng);
        let set = match impact(&pair) {
            TimeOfImpact::Hit { .. } => &mut sets[0].1,
            TimeOfImpact::Free { .. } => &mut sets[1].1,
            other => panic!("neither hit nor free: {other:?}"),
        };
        if set.len() < MOTIONS {
            set.push(pair);
        }
    }
    if let Some(set) = std::env::args().nth(1) {
        let set = &sets[set.parse::<usize>().expect("a number")].1;
        set.iter().for_each(|pair| {
            let _ = black_box(impact(pair));
        });
        return;
    }
    println!(
        "| {MOTIONS} motions | a time of impact, ns | a cold distance at the start, ns | ratio |"
    );
    println!("| --- | ---: | ---: | ---: |");
    for (name, set) in &sets {
        let mut best = [f64::INFINITY; 2];
        for _ in 0..ROUNDS {
            best[0] = best[0].min(mean_of(set, |pair| {
                let _ = black_box(impact(pair));
            }));
            best[1] = best[1].min(mean_of(set, |pair| {
                let _ = black_box(distance(pair));
            }));
        }
        let [impact, distance] = best;
        println!(
            "| {name} | {impact:.0} | {distance:.0} | {:.1} |",
            impact / distance
        );
    }
}
