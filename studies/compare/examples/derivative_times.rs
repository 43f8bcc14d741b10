//! What the derivatives of a contact cost beside the contact: `cargo run --release -p superovoid-compare --example derivative_times`.
//!
//! Cold pairs of the papers' battery (convex), each set apart and overlapping by itself. The contact alone and with each
//! kind of derivatives take turns over the same pairs, the best of several rounds counts, and the ratios are those of one
//! run. With the argument of a set's number and a kind's number that work alone is done, for callgrind.

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use rand::{RngExt, SeedableRng};
use std::f64::consts::TAU;
use std::hint::black_box;
use std::time::Instant;
use superovoid::derivatives::{
    ContactDerivatives, contact_derivatives_into, distance_gradient, pose_gradient,
};
use superovoid::{Contact, QueryOptions, Superovoid, contact};

const PAIRS: usize = 1000;
const ROUNDS: usize = 25;
const KINDS: [&str; 4] = [
    "contact",
    "contact and pose_gradient",
    "contact and distance_gradient",
    "contact and contact_derivatives_into",
];

type Pair = (Superovoid, Isometry3<f64>, Superovoid, Isometry3<f64>);

fn rotation(rng: &mut impl rand::Rng) -> UnitQuaternion<f64> {
    let u: f64 = rng.random_range(0.0..1.0);
    let (s1, c1) = rng.random_range(0.0..TAU).sin_cos();
    let (s2, c2) = rng.random_range(0.0..TAU).sin_cos();
    let (r1, r2) = ((1.0 - u).sqrt(), u.sqrt());
    UnitQuaternion::new_normalize(Quaternion::new(r2 * c2, r1 * s1, r1 * c1, r2 * s2))
}

/// Pairs of the battery with tapers up to `taper` (0, or as strong as stays convex), on one side of touching.
fn battery(taper: f64, apart: bool, distance: f64) -> Vec<Pair> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(2017);
    let mut pairs = Vec::new();
    while pairs.len() < PAIRS {
        let mut shape = || loop {
            let e = [0; 2].map(|_| rng.random_range(0.3..1.1));
            let t = rng.random_range(-1.0..1.0) * taper;
            let shape = Superovoid::new([1.0; 3], e, [t, t]).expect("valid");
            if shape.is_convex() {
                return shape;
            }
        };
        let (a, b) = (shape(), shape());
        let pose = |y: f64, turn| Isometry3::from_parts(Translation3::new(0.0, y, 0.0), turn);
        let (pose_a, pose_b) = (
            pose(0.0, rotation(&mut rng)),
            pose(distance, rotation(&mut rng)),
        );
        let pair = (a, pose_a, b, pose_b);
        if (solve(&pair).distance > 0.0) == apart {
            pairs.push(pair);
        }
    }
    pairs
}

fn solve((a, pose_a, b, pose_b): &Pair) -> Contact {
    contact(a, pose_a, b, pose_b, &QueryOptions::default(), None).expect("valid")
}

fn work(kind: usize, pair: &Pair, place: &mut ContactDerivatives) {
    let (a, pose_a, b, pose_b) = pair;
    let here = black_box(solve(pair));
    match kind {
        0 => {}
        1 => drop(black_box(pose_gradient(pose_a, pose_b, &here))),
        2 => drop(black_box(distance_gradient(a, pose_a, b, pose_b, &here))),
        _ => {
            let exist = contact_derivatives_into(a, pose_a, b, pose_b, &here, place);
            let _ = black_box((exist, place));
        }
    }
}

fn main() {
    let sets = [
        ("apart, untapered", battery(0.0, true, 2.21)),
        ("apart, tapered", battery(0.4, true, 2.21)),
        ("overlapping, tapered", battery(0.4, false, 2.21)),
        ("deep, tapered", battery(0.4, false, 1.0)),
    ];
    let mut place = ContactDerivatives::default();
    let numbers: Vec<usize> = std::env::args()
        .skip(1)
        .map(|x| x.parse().expect("a number"))
        .collect();
    if let [set, kind] = numbers[..] {
        sets[set]
            .1
            .iter()
            .for_each(|pair| work(kind, pair, &mut place));
        return;
    }
    println!("| {PAIRS} cold pairs | | mean, ns | to the contact |");
    println!("| --- | --- | ---: | ---: |");
    for (name, pairs) in &sets {
        let mut best = [f64::INFINITY; KINDS.len()];
        for _ in 0..ROUNDS {
            for (kind, best) in best.iter_mut().enumerate() {
                let start = Instant::now();
                pairs.iter().for_each(|pair| work(kind, pair, &mut place));
                *best = best.min(start.elapsed().as_nanos() as f64 / PAIRS as f64);
            }
        }
        for (kind, time) in KINDS.iter().zip(best) {
            println!("| {name} | {kind} | {time:.0} | {:.2} |", time / best[0]);
        }
    }
}
