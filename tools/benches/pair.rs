//! Cold and warm pair queries on the battery of Gonçalves et al. (2017), against parry's GJK and
//! EPA with the same support function, in one process on the same pairs.
//!
//! First a table: how often each peer fails or is wrong, its errors, its mean time per query and
//! the ratio to ours. Then criterion's measurements of the same queries. One command does both:
//!
//! ```text
//! cargo bench -p superovoid-tools --bench pair -- --quick
//! ```
//!
//! Bodies at (0, 0, 0) and (0, 2.21, 0), semi-axes 1, exponents in [0.3, 1.1], orientations
//! uniform. A distance is *wrong* if it is more than 1e-6 outside the bracket that a certified
//! query proves; pairs whose bracket is open (wider than 2e-6) are counted apart and not judged.
//! That judges parry; our own distances it only compares with ourselves. The independent check of
//! those is the oracle in `tests/`.

use criterion::Criterion;
use nalgebra::{Isometry3, Quaternion, Translation3, Unit, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::details::contact_support_map_support_map_with_params;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::shape::SupportMap;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::hint::black_box;
use std::time::Instant;
use superovoid::{DepthMode, Outcome, PairCache, QueryOptions, Superovoid, contact};

const PAIRS: usize = 10_000;
/// Runs over all pairs of a set that the mean time is taken from.
const PASSES: usize = 3;
/// Greatest error of a distance that is not wrong, for semi-axes of 1.
const WRONG: f64 = 1e-6;
/// Motions between the query that fills the cache and the one that is timed: translation in
/// units of the semi-axes, and rotation in radians.
const STEPS: [f64; 2] = [0.001, 0.01];

/// One question: two bodies where they are.
struct Pair {
    a: Superovoid,
    b: Superovoid,
    pose_a: Isometry3<f64>,
    pose_b: Isometry3<f64>,
    /// What earlier queries at a pose of B nearby have left.
    cache: PairCache,
    /// The same for parry: its last normal in the frame of A.
    last_normal: Option<Vector>,
    /// Pose of B seen from A, as parry wants it.
    relative: Pose,
    /// Certified bracket of the distance.
    bracket: [f64; 2],
}

fn parry_pose(pose: &Isometry3<f64>) -> Pose {
    let (t, q) = (pose.translation.vector, pose.rotation.coords);
    Pose::from_parts(
        Vector::new(t.x, t.y, t.z),
        Rotation::from_xyzw(q.x, q.y, q.z, q.w),
    )
}

/// The support function of the library, as parry calls it.
struct Supported(Superovoid);

impl SupportMap for Supported {
    fn local_support_point(&self, direction: Vector) -> Vector {
        let direction = Vector3::new(direction.x, direction.y, direction.z);
        let point = self.0.support(&direction).point;
        Vector::new(point.x, point.y, point.z)
    }
}

fn ours(pair: &Pair, mut cache: PairCache) -> Option<f64> {
    let options = QueryOptions::default();
    let Pair {
        a,
        b,
        pose_a,
        pose_b,
        ..
    } = pair;
    let answer = contact(a, pose_a, b, pose_b, &options, Some(&mut cache)).ok()?;
    (answer.outcome != Outcome::NotConverged).then_some(answer.distance)
}

/// Signed distance and normal in the frame of A; `None` if parry gives up.
fn parry(pair: &Pair, first_direction: Option<Vector>) -> Option<(f64, Vector)> {
    let simplex = &mut VoronoiSimplex::new();
    let result = contact_support_map_support_map_with_params(
        &pair.relative,
        &Supported(pair.a),
        &Supported(pair.b),
        f64::MAX,
        simplex,
        first_direction,
    );
    match result {
        GJKResult::ClosestPoints(a, b, normal) => {
            let distance = (b - a).dot(normal);
            distance.is_finite().then_some((distance, normal))
        }
        _ => None,
    }
}

/// A peer: its name and its answer to a pair.
type Peer = (&'static str, fn(&Pair) -> Option<f64>);

const COLD: [Peer; 2] = [
    ("superovoid, cold", |pair| ours(pair, PairCache::default())),
    ("parry GJK + EPA, cold", |pair| Some(parry(pair, None)?.0)),
];
const WARM: [Peer; 2] = [
    ("superovoid, warm", |pair| ours(pair, pair.cache)),
    ("parry GJK + EPA, warm", |pair| {
        Some(parry(pair, pair.last_normal)?.0)
    }),
];

#[derive(Clone, Copy)]
enum Tapers {
    None,
    /// tx = ty in [−0.4, 0.4], where the body is convex. (Unequal tapers are never convex for
    /// e2 < 1, so drawing them apart would leave next to nothing of the battery.)
    Convex,
    /// tx and ty in [−0.4, 0.4] apart, as in the paper: most bodies are not convex.
    Any,
}

fn random_shape(rng: &mut ChaCha8Rng, tapers: Tapers) -> Superovoid {
    loop {
        let exponents = [0; 2].map(|_| rng.random_range(0.3..1.1));
        let [tx, ty] = [0; 2].map(|_| rng.random_range(-0.4..0.4));
        let tapers_drawn = match tapers {
            Tapers::None => [0.0, 0.0],
            Tapers::Convex => [tx, tx],
            Tapers::Any => [tx, ty],
        };
        let shape = Superovoid::new([1.0; 3], exponents, tapers_drawn).expect("in the domain");
        if shape.is_convex() || matches!(tapers, Tapers::Any) {
            return shape;
        }
    }
}

/// Uniform on the unit sphere of N dimensions, by rejection from the cube.
fn random_unit<const N: usize>(rng: &mut ChaCha8Rng) -> [f64; N] {
    loop {
        let v = [0.0; N].map(|_| rng.random_range(-1.0..1.0));
        let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (0.1..1.0).contains(&length) {
            return v.map(|x| x / length);
        }
    }
}

fn random_pose(rng: &mut ChaCha8Rng, position: [f64; 3]) -> Isometry3<f64> {
    let [w, i, j, k] = random_unit(rng);
    let rotation = UnitQuaternion::new_normalize(Quaternion::new(w, i, j, k));
    Isometry3::from_parts(Translation3::from(position), rotation)
}

/// The pairs of the battery; with a `step`, B has moved by it since the caches were filled.
fn battery(tapers: Tapers, step: Option<f64>, count: usize) -> Vec<Pair> {
    let mut rng = ChaCha8Rng::seed_from_u64(2017);
    let mut pairs = Vec::with_capacity(count);
    for _ in 0..count {
        let (a, b) = (
            random_shape(&mut rng, tapers),
            random_shape(&mut rng, tapers),
        );
        let pose_a = random_pose(&mut rng, [0.0; 3]);
        let pose_b = random_pose(&mut rng, [0.0, 2.21, 0.0]);
        let mut pair = Pair {
            a,
            b,
            pose_a,
            pose_b,
            cache: PairCache::default(),
            last_normal: None,
            relative: parry_pose(&pose_a.inv_mul(&pose_b)),
            bracket: [f64::NEG_INFINITY, f64::INFINITY],
        };
        if let Some(step) = step {
            let options = QueryOptions::default();
            contact(&a, &pose_a, &b, &pose_b, &options, Some(&mut pair.cache))
                .expect("finite poses");
            pair.last_normal = parry(&pair, None).map(|(_, normal)| normal);
            let shift = Vector3::from(random_unit(&mut rng)) * step;
            let axis = Unit::new_unchecked(Vector3::from(random_unit(&mut rng)));
            let turn = UnitQuaternion::from_axis_angle(&axis, step);
            pair.pose_b = Isometry3::from_parts(
                Translation3::from(pose_b.translation.vector + shift),
                turn * pose_b.rotation,
            );
            pair.relative = parry_pose(&pose_a.inv_mul(&pair.pose_b));
        }
        let certified = QueryOptions {
            depth: DepthMode::Certified,
            ..QueryOptions::default()
        };
        let answer = contact(&a, &pose_a, &b, &pair.pose_b, &certified, None);
        let answer = answer.expect("finite poses");
        pair.bracket = [answer.lower, answer.upper];
        pairs.push(pair);
    }
    pairs
}

/// Separated pairs and the others.
fn apart_and_overlapping(pairs: Vec<Pair>) -> [(&'static str, Vec<Pair>); 2] {
    let (apart, overlapping) = pairs.into_iter().partition(|pair| pair.bracket[0] > 0.0);
    [("separated", apart), ("overlapping", overlapping)]
}

fn mean_nanoseconds(pairs: &[Pair], peer: fn(&Pair) -> Option<f64>) -> f64 {
    let run = || {
        for pair in pairs {
            black_box(peer(black_box(pair)));
        }
    };
    run();
    let start = Instant::now();
    (0..PASSES).for_each(|_| run());
    start.elapsed().as_nanos() as f64 / (PASSES * pairs.len()) as f64
}

/// One row of the table for each peer.
fn report(set: &str, pairs: &[Pair], peers: [Peer; 2]) {
    if pairs.is_empty() {
        return;
    }
    let reference = mean_nanoseconds(pairs, peers[0].1);
    for (k, (name, peer)) in peers.into_iter().enumerate() {
        let [mut failed, mut wrong, mut open] = [0; 3];
        let mut errors = Vec::new();
        for pair in pairs {
            let [lower, upper] = pair.bracket;
            match peer(pair) {
                None => failed += 1,
                Some(_) if upper - lower > 2.0 * WRONG => open += 1,
                Some(distance) => {
                    let error = (lower - distance).max(distance - upper).max(0.0);
                    wrong += usize::from(error > WRONG);
                    errors.push(error);
                }
            }
        }
        let greatest = errors.iter().copied().fold(0.0, f64::max);
        let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
        let time = if k == 0 {
            reference
        } else {
            mean_nanoseconds(pairs, peer)
        };
        println!(
            "| {set} | {name} | {} | {failed} | {wrong} | {open} | {greatest:.1e} | {mean:.1e} | {:.2} | {:.1} |",
            pairs.len(),
            time / 1e3,
            time / reference
        );
    }
}

fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model.map(|rest| rest.trim_start_matches([' ', '\t', ':']));
    model.unwrap_or("unknown processor").to_owned()
}

fn table(count: usize) {
    println!("One thread of: {}\n", cpu());
    println!(
        "| pairs | solver | number | not converged | wrong | not judged | greatest error | mean error | µs | ratio |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (tapers, name) in [
        (Tapers::None, "untapered"),
        (Tapers::Convex, "tapered, convex"),
        (Tapers::Any, "tapered, any"),
    ] {
        for (side, pairs) in apart_and_overlapping(battery(tapers, None, count)) {
            report(&format!("{name}, {side}"), &pairs, COLD);
        }
    }
    for step in STEPS {
        for (side, pairs) in apart_and_overlapping(battery(Tapers::None, Some(step), count)) {
            let set = format!("untapered, {side}, moved by {} %", 100.0 * step);
            report(&set, &pairs, WARM);
        }
    }
    println!();
}

fn measure(criterion: &mut Criterion, count: usize) {
    let runs = [(None, COLD), (Some(STEPS[0]), WARM), (Some(STEPS[1]), WARM)];
    for (step, peers) in runs {
        for (side, pairs) in apart_and_overlapping(battery(Tapers::None, step, count)) {
            let moved = step.map_or(String::new(), |s| format!(", moved by {} %", 100.0 * s));
            let mut group = criterion.benchmark_group(format!("untapered, {side}{moved}"));
            for (name, peer) in peers {
                let mut cycle = pairs.iter().cycle();
                group.bench_function(name, |bencher| {
                    bencher.iter(|| cycle.next().map(|pair| peer(black_box(pair))));
                });
            }
        }
    }
}

fn main() {
    // `cargo test` runs benches with `--test`: enough pairs to see that they run.
    let trial = std::env::args().any(|argument| argument == "--test");
    let count = if trial { 100 } else { PAIRS };
    table(count);
    let mut criterion = Criterion::default().configure_from_args();
    measure(&mut criterion, count.min(1_000));
    criterion.final_summary();
}
