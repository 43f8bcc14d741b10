//! The answers of the library without WebAssembly, for the studio's tests. The input is pairs of 28 numbers each (body
//! and pose of A, body and pose of B); each line of the output is `distance lower upper`, the points of A and B and the
//! normal. With an argument the pairs are answered as many times, and the last line is the mean time of one in
//! nanoseconds.

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use std::error::Error;
use std::hint::black_box;
use std::io::Read;
use std::time::Instant;
use superovoid::{QueryOptions, Superovoid, contact};

fn body(n: &[f64]) -> Result<(Superovoid, Isometry3<f64>), Box<dyn Error>> {
    let shape = Superovoid::new([n[0], n[1], n[2]], [n[3], n[4]], [n[5], n[6]])?;
    let rotation = UnitQuaternion::new_normalize(Quaternion::new(n[13], n[10], n[11], n[12]));
    let at = Translation3::new(n[7], n[8], n[9]);
    Ok((shape, Isometry3::from_parts(at, rotation)))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let numbers = text
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<Vec<f64>, _>>()?;
    let (pairs, rest) = numbers.as_chunks::<28>();
    if !rest.is_empty() {
        return Err(format!("{} numbers are left over", rest.len()).into());
    }
    for pair in pairs {
        let ((a, at), (b, bt)) = (body(&pair[..14])?, body(&pair[14..])?);
        let found = contact(&a, &at, &b, &bt, &QueryOptions::default(), None)?;
        let (p, q, n) = (found.point_a, found.point_b, found.normal);
        let bracket = [found.distance, found.lower, found.upper];
        let vectors = [p.x, p.y, p.z, q.x, q.y, q.z, n.x, n.y, n.z];
        let words = bracket.iter().chain(&vectors).map(|x| format!("{x:e}"));
        println!("{}", words.collect::<Vec<_>>().join(" "));
    }
    if let Some(times) = std::env::args().nth(1) {
        let times: u32 = times.parse()?;
        // The same function as in WebAssembly: the bodies are made, too.
        let start = Instant::now();
        for _ in 0..times {
            let distances = superovoid_studio::pair_distances(black_box(&numbers), false);
            black_box(distances.map_err(|thrown| thrown.0)?);
        }
        let queries = f64::from(times) * pairs.len() as f64;
        println!("{:e}", start.elapsed().as_secs_f64() * 1e9 / queries);
    }
    Ok(())
}
