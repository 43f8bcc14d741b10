//! Large batches on one thread and on all.

use crate::statistics::spread;
use crate::workload::{Battery, Draw, Other, Workload};
use anyhow::{Context, Result};
use nalgebra::{Isometry3, Point3};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::time::Instant;
use superovoid::{
    Contact, Pair, QueryOptions, Superovoid, VertexOptions, contact_batch, vertex_contact_batch,
};

const PAIRS: usize = 100_000;
const POINTS: usize = 1_000_000;

/// A batch on one thread and on all.
pub struct Row {
    pub name: &'static str,
    pub count: usize,
    /// Seconds of the fastest round.
    pub seconds: [f64; 2],
    /// How much the rounds differ, the larger of both.
    pub spread: f64,
}

/// Those rows, and how many threads "all" are.
pub struct Threads {
    pub count: usize,
    pub rows: Vec<Row>,
}

/// A pool of that many threads; 0: one for each processor.
pub fn pool(threads: usize) -> Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.context("threads")
}

/// On all processors, whatever pool this is called from.
pub fn on_all<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match pool(0) {
        Ok(pool) => pool.install(work),
        // Slower, and no less right.
        Err(_) => work(),
    }
}

/// # Errors
/// Threads that cannot be started, a batch that is refused.
pub fn run(rounds: usize) -> Result<Threads> {
    let pools = [pool(1)?, pool(0)?];
    let workload = Draw::new(2017).battery(PAIRS, &Battery::default());
    let pairs: Vec<Pair> = workload
        .cases
        .iter()
        .filter_map(|case| pair(&workload, case))
        .collect();
    let body = Superovoid::superellipsoid([1.0; 3], [0.4, 0.7])?;
    let points = points(&body);
    let mut found = vec![Contact::default(); POINTS];
    let here = Isometry3::identity();
    let of_pairs = compare("contact_batch", PAIRS, rounds, &pools, || {
        Ok(contact_batch(
            &pairs,
            &mut found[..PAIRS],
            &QueryOptions::default(),
        )?)
    })?;
    let of_points = compare("vertex_contact_batch", POINTS, rounds, &pools, || {
        let options = VertexOptions::default();
        Ok(vertex_contact_batch(
            &body, &here, &points, &mut found, &options,
        )?)
    })?;
    Ok(Threads {
        count: pools[1].current_num_threads(),
        rows: vec![of_pairs, of_points],
    })
}

fn pair<'a>(workload: &'a Workload, case: &'a crate::workload::Case) -> Option<Pair<'a>> {
    let Other::Shape(b) = case.b else { return None };
    Some(Pair {
        a: &workload.shapes[case.a],
        pose_a: &case.poses[0],
        b: &workload.shapes[b],
        pose_b: &case.poses[1],
    })
}

/// A cloth that lies on the body, up to a twentieth of its size above the surface.
fn points(body: &Superovoid) -> Vec<Point3<f64>> {
    let mut draw = Draw::new(2017);
    let point = |_| {
        let direction = draw.direction();
        body.support(&direction).point + direction * draw.between(0.0, 0.05)
    };
    (0..POINTS).map(point).collect()
}

/// The pools take turns.
fn compare(
    name: &'static str,
    count: usize,
    rounds: usize,
    pools: &[ThreadPool; 2],
    mut ask: impl FnMut() -> Result<()> + Send,
) -> Result<Row> {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        for (pool, times) in pools.iter().zip(&mut times) {
            let start = Instant::now();
            pool.install(&mut ask)?;
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let fastest = |times: &Vec<f64>| times.iter().copied().fold(f64::INFINITY, f64::min);
    Ok(Row {
        name,
        count,
        seconds: [fastest(&times[0]), fastest(&times[1])],
        spread: spread(&times[0]).max(spread(&times[1])),
    })
}
