//! The peer of `bindings/python/benchmarks/million_pairs.py`: the time of `contact_batch` for the pairs of a file.
//!
//! `cargo run --release --example batch_file -- FILE`, a file of float64 in the machine's order, 28 for each pair: the shape and
//! the pose (x y z qx qy qz qw) of A and of B. It prints the least seconds of seven rounds, and the sum of the
//! distances; `RAYON_NUM_THREADS=1` keeps it to one thread where the feature `rayon` is on.

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use std::time::Instant;
use superovoid::{Contact, Pair, QueryOptions, Superovoid, contact_batch};

fn body(numbers: &[f64]) -> (Superovoid, Isometry3<f64>) {
    let [a1, a2, a3, e1, e2, tx, ty, x, y, z, qx, qy, qz, qw] = *numbers else {
        panic!("28 numbers for each pair");
    };
    let shape = Superovoid::new([a1, a2, a3], [e1, e2], [tx, ty]).expect("a shape");
    let turn = UnitQuaternion::new_unchecked(Quaternion::new(qw, qx, qy, qz));
    let pose = Isometry3::from_parts(Translation3::new(x, y, z), turn);
    (shape, pose)
}

fn main() {
    let path = std::env::args().nth(1).expect("a file of pairs");
    let bytes = std::fs::read(path).expect("the file");
    let number = |eight: &[u8]| f64::from_ne_bytes(eight.try_into().expect("eight bytes"));
    let numbers: Vec<f64> = bytes.chunks_exact(8).map(number).collect();
    let bodies: Vec<_> = numbers.chunks_exact(14).map(body).collect();
    let pair = |two: &'static [(Superovoid, Isometry3<f64>)]| Pair {
        a: &two[0].0,
        pose_a: &two[0].1,
        b: &two[1].0,
        pose_b: &two[1].1,
    };
    let pairs: Vec<Pair> = Vec::leak(bodies).chunks_exact(2).map(pair).collect();
    let mut least = f64::INFINITY;
    let mut sum = 0.0;
    for _ in 0..7 {
        let start = Instant::now();
        let mut answers = vec![Contact::default(); pairs.len()];
        contact_batch(&pairs, &mut answers, &QueryOptions::default()).expect("valid pairs");
        least = least.min(start.elapsed().as_secs_f64());
        sum = answers.iter().map(|answer| answer.distance).sum();
    }
    println!("{least} {sum:.17e}");
}
