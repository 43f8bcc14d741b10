//! How long the least depth of overlapping bodies takes, and how often it is not the least:
//! `cargo run --release -p superovoid-compare --example overlap_times [pairs]`.
//!
//! The classes of the comparison with other engines: deep overlaps, box-like bodies, the iCub hands and the whole
//! convex domain, cold. The best of several rounds counts. What is not the least is counted against
//! certified depths, which are searched for to the end.

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Instant;
use superovoid::{DepthMode, QueryOptions, Superovoid, contact};
use superovoid_robot::Robot;

const ROUNDS: usize = 5;

type Pair = [(Superovoid, Isometry3<f64>); 2];

struct Draw(ChaCha8Rng);

impl Draw {
    fn between(&mut self, [low, high]: [f64; 2]) -> f64 {
        if low < high {
            self.0.random_range(low..high)
        } else {
            low
        }
    }

    fn rotation(&mut self) -> UnitQuaternion<f64> {
        loop {
            let v = [0.0; 4].map(|_| self.between([-1.0, 1.0]));
            let length = v.iter().map(|x| x * x).sum::<f64>();
            if (0.01..1.0).contains(&length) {
                return UnitQuaternion::new_normalize(Quaternion::new(v[0], v[1], v[2], v[3]));
            }
        }
    }

    fn shape(&mut self, axes: [f64; 2], exponents: [f64; 2], taper: f64) -> Superovoid {
        loop {
            let a = [0.0; 3].map(|_| self.between(axes));
            let e = [0.0; 2].map(|_| self.between(exponents));
            let t = self.between([-taper, taper]);
            match Superovoid::new(a, e, [t, t]) {
                Ok(shape) if shape.is_convex() => return shape,
                _ => {}
            }
        }
    }

    fn pair(&mut self, axes: [f64; 2], exponents: [f64; 2], taper: f64, apart: f64) -> Pair {
        [0.0, apart].map(|y| {
            let place = Translation3::new(0.0, y, 0.0);
            let shape = self.shape(axes, exponents, taper);
            (shape, Isometry3::from_parts(place, self.rotation()))
        })
    }

    fn boxes(&mut self, parallel: bool) -> Pair {
        let mut pair = self.pair([1.0, 1.0], [0.02, 0.2], 0.0, 2.21);
        if parallel {
            let place = [[-0.5, 0.5], [1.8, 2.2], [-0.5, 0.5]].map(|range| self.between(range));
            pair[0].1 = Isometry3::identity();
            pair[1].1 = Isometry3::from(Vector3::from(place));
        }
        pair
    }
}

fn answer(pair: &Pair, depth: DepthMode) -> Result<superovoid::Contact, superovoid::QueryError> {
    let [(a, pose_a), (b, pose_b)] = pair;
    let options = QueryOptions::default().with_depth(depth);
    contact(a, pose_a, b, pose_b, &options, None)
}

fn overlaps(pair: &Pair) -> bool {
    answer(pair, DepthMode::Fast).is_ok_and(|found| found.distance < 0.0)
}

/// Overlapping bodies of both hands in random configurations.
fn hands(draw: &mut Draw, count: usize) -> Result<Vec<Pair>, Box<dyn std::error::Error>> {
    let robot = Robot::from_urdf_file("urdf/icub_hands.urdf")?;
    let bodies = robot.superovoid_bodies();
    let mut pairs = Vec::new();
    while pairs.len() < count {
        let mut configuration = robot.neutral();
        for joint in robot.joints() {
            if let Some(range) = joint.range().filter(|_| joint.mimic.is_none()) {
                configuration.set(&joint.name, draw.between(range))?;
            }
        }
        let links = robot.forward_kinematics(&configuration)?;
        for _ in 0..200 {
            let pair = [0, 1].map(|_| {
                let body = &bodies[draw.0.random_range(0..bodies.len())];
                (body.link, (body.shape, links[body.link] * body.pose))
            });
            let [(one, a), (other, b)] = pair;
            if one != other && overlaps(&[a, b]) {
                pairs.push([a, b]);
            }
        }
    }
    pairs.truncate(count);
    Ok(pairs)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args()
        .nth(1)
        .map_or(Ok(1000), |text| text.parse())?;
    let seed = std::env::args()
        .nth(2)
        .map_or(Ok(2017), |text| text.parse())?;
    let mut draw = Draw(ChaCha8Rng::seed_from_u64(seed));
    let drawn = |draw: &mut Draw, of: &dyn Fn(&mut Draw, usize) -> Pair| {
        let mut pairs = Vec::new();
        let mut k = 0;
        while pairs.len() < count {
            let pair = of(draw, k);
            if overlaps(&pair) {
                pairs.push(pair);
            }
            k += 1;
        }
        pairs
    };
    let classes = [
        (
            "deep",
            drawn(&mut draw, &|d, _| d.pair([1.0, 1.0], [0.3, 1.1], 0.0, 1.0)),
        ),
        ("box-like", drawn(&mut draw, &|d, k| d.boxes(k % 4 == 0))),
        (
            "box-like, deep",
            drawn(&mut draw, &|d, _| d.pair([1.0, 1.0], [0.02, 0.2], 0.0, 1.0)),
        ),
        ("hands", hands(&mut draw, count)?),
        (
            "domain",
            drawn(&mut draw, &|d, _| {
                d.pair([0.1, 1.0], [0.02, 1.98], 0.4, 1.0)
            }),
        ),
        (
            "blunt domain",
            drawn(&mut draw, &|d, _| {
                d.pair([0.1, 1.0], [0.02, 1.25], 0.4, 1.0)
            }),
        ),
        (
            "concentric",
            drawn(&mut draw, &|d, _| {
                d.pair([0.1, 1.0], [0.02, 1.98], 0.4, 0.0)
            }),
        ),
    ];
    println!("| class | µs | steps and directions | not the least | not certified or converged |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for (name, pairs) in &classes {
        let mut best = f64::INFINITY;
        let mut steps = 0;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            steps = 0;
            for pair in pairs {
                steps += answer(pair, DepthMode::Fast)?.iterations;
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        let (mut worse, mut open) = (0, 0);
        for pair in pairs {
            let fast = answer(pair, DepthMode::Fast)?;
            let least = answer(pair, DepthMode::Certified)?;
            let size = pair.iter().map(|(shape, _)| shape.bounding_sphere().radius);
            let size = size.fold(0.0, f64::max);
            worse += usize::from(fast.distance < least.distance - 1.2e-5 * size);
            open += usize::from(fast.outcome == superovoid::Outcome::NotConverged);
        }
        println!(
            "| {name} | {:.2} | {:.1} | {worse} | {open} |",
            best * 1e6 / pairs.len() as f64,
            f64::from(steps) / pairs.len() as f64,
        );
    }
    Ok(())
}
