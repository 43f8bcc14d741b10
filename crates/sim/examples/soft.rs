//! Prints the figures of the paper on ray-traced contact (Hermann, Faure, Raffin 2008), and what more is asked of them.
//!
//!     cargo run --release -p superovoid-sim --example soft --features rayon -- friction
//!
//! | word | figure | what |
//! | --- | --- | --- |
//! | `friction` | 7, 8 | worst ratio of tangential to normal force of a cylinder in a plane |
//! | `separation` | 10 | two rings that begin in one another, rays and proximity, both schemes |
//! | `steps` | 11 | longest step at which two rings still part |
//! | `chain` | 12 | sag and overlap of a hanging chain over 5 s |
//! | `count` | 13 | time of 200 steps against the number of rings |
//! | `threads` | | the same with one and two threads |

use std::f64::consts::TAU;
use std::time::Instant;
use superovoid_sim::scene::{RayTree, SoftContact, SoftScheme};
use superovoid_sim::soft::SolidMesh;
use superovoid_sim::soft::internals::{RayEnd, StillMesh, cast};
use superovoid_sim::{Scene, World, judge, scenes};

const RAYS: SoftContact = SoftContact::Rays { stiffness: 1e6 };
const PUBLISHED_RAYS: SoftContact = SoftContact::RaysAsPublished { stiffness: 200.0 };
const PROXIMITY: SoftContact = SoftContact::Proximity {
    threshold: 0.01,
    stiffness: 200.0,
};
const IMPLICIT: SoftScheme = SoftScheme::ImplicitEuler {
    iterations: 200,
    tolerance: 1e-4,
};

/// The methods that are compared.
const METHODS: [(&str, SoftContact, SoftScheme); 4] = [
    ("rays, published scheme", PUBLISHED_RAYS, IMPLICIT),
    ("proximity, published scheme", PROXIMITY, IMPLICIT),
    ("rays, XPBD", RAYS, SoftScheme::Xpbd),
    ("proximity, XPBD", PROXIMITY, SoftScheme::Xpbd),
];

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("friction") => friction(),
        Some("separation") => separation(),
        Some("steps") => steps(),
        Some("chain") => chain(),
        Some("count") => count(),
        Some("threads") => threads(),
        _ => eprintln!("friction, separation, steps, chain, count or threads"),
    }
}

fn still(mesh: &SolidMesh) -> StillMesh {
    StillMesh::new(&mesh.vertices, &mesh.triangles).expect("the mesh is closed")
}

/// A prism of n sides about the y axis, with a ring of vertices in its middle; with n = 4 and 45° it is a block.
fn prism(n: usize, radius: f64, turn: f64) -> SolidMesh {
    let mut mesh = SolidMesh::default();
    for y in [-90.0, 0.0, 90.0] {
        for k in 0..n {
            let (sin, cos) = (turn + TAU * k as f64 / n as f64).sin_cos();
            mesh.vertices.push([radius * sin, y, -radius * cos]);
        }
    }
    mesh.vertices.extend([[0.0, -90.0, 0.0], [0.0, 90.0, 0.0]]);
    let at = |ring: usize, k: usize| (ring * n + k % n) as u32;
    for k in 0..n {
        for ring in 0..2 {
            let [a, b, c, d] = [
                at(ring, k),
                at(ring, k + 1),
                at(ring + 1, k + 1),
                at(ring + 1, k),
            ];
            mesh.triangles.extend([[a, c, b], [a, d, c]]);
        }
        let ends = [3 * n as u32, 3 * n as u32 + 1];
        mesh.triangles.push([at(0, k), at(0, k + 1), ends[0]]);
        mesh.triangles.push([at(2, k + 1), at(2, k), ends[1]]);
    }
    mesh
}

fn friction() {
    println!("worst |tangential|/normal over 100 turns, %: plain and weighted by cos α\n");
    println!("| sides | c = 0 | weighted | c = 0.1 | weighted | c = 0.5 | weighted |");
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for n in [10, 20, 30, 50, 70, 100, 150] {
        print!("| {n} |");
        for c in [0.0, 0.1, 0.5] {
            let mut block = prism(4, 200.0, TAU / 8.0);
            let top = 200.0 * (TAU / 8.0).cos();
            block.vertices.iter_mut().for_each(|v| v[2] -= top + c);
            let ground = still(&block);
            let mut worst = [0.0f64; 2];
            for turn in 0..100 {
                let cylinder = still(&prism(n, 1.0, f64::from(turn) * 0.01 * TAU / n as f64));
                let mut sums = [[0.0; 2]; 2];
                for v in n..2 * n {
                    let end = cast(&cylinder.at(), v as u32, &ground.at());
                    if let RayEnd::Kept(ray) = end {
                        for (sum, weight) in sums.iter_mut().zip([1.0, ray.cosine]) {
                            sum[0] += ray.direction.x * ray.depth * weight;
                            sum[1] += ray.direction.z * ray.depth * weight;
                        }
                    }
                }
                for (worst, [tangential, normal]) in worst.iter_mut().zip(sums) {
                    *worst = worst.max((tangential / normal).abs());
                }
            }
            print!(" {:.3} | {:.4} |", 100.0 * worst[0], 100.0 * worst[1]);
        }
        println!();
    }
}

/// A scene with a method; the published scheme makes one step a frame.
fn with(mut scene: Scene, (_, contact, scheme): (&str, SoftContact, SoftScheme)) -> Scene {
    scene.settings.soft.contact = contact;
    scene.settings.soft.scheme = scheme;
    if scheme != SoftScheme::Xpbd {
        scene.settings.substeps = 1;
        scene.settings.soft.tree = RayTree::Octree;
    }
    scene
}

fn separation() {
    println!(
        "two rings in one another, 60 frames of 1/60 s: overlap (cm³), contacts, ms a frame\n"
    );
    println!("| method | at the start | after 0.25 s | 0.5 s | 1 s | contacts then | ms a frame |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for method in METHODS {
        let scene = with(scenes::rings_in_one_another(2), method);
        let mut world = World::new(&scene).expect("a ready scene is valid");
        let overlap =
            |world: &World| 1e6 * judge::overlap_volume(&scene, world.state(), [0, 1], 100);
        print!("| {} | {:.1} |", method.0, overlap(&world));
        let mut time = 0.0;
        for frame in 1..=60 {
            let start = Instant::now();
            world.step().expect("nothing diverges");
            time += start.elapsed().as_secs_f64();
            if [15, 30, 60].contains(&frame) {
                print!(" {:.1} |", overlap(&world));
            }
        }
        println!(
            " {} | {:.1} |",
            world.solid_contacts()[0],
            1e3 * time / 60.0
        );
    }
}

/// Two rings above each other that begin in one another, or 30 mm apart and approach at a speed.
fn two(overlapping: bool, speed: f64) -> Scene {
    let mut scene = scenes::rings_in_one_another(0);
    let [_, tube] = scenes::RING;
    let height = if overlapping {
        0.045
    } else {
        2.0 * tube + 0.03
    };
    scene.solids = vec![
        scenes::ring("low", [0.0; 3]),
        scenes::ring("high", [0.015, 0.0, height]),
    ];
    scene.solids[1].velocity = [0.0, 0.0, -speed];
    scene.solids.iter_mut().for_each(|s| s.substance.air = 0.0);
    scene
}

/// Whether two rings are apart after 20 steps, in the order in which they began.
fn part(mut scene: Scene, step: f64) -> &'static str {
    scene.settings.frame = step;
    let mut world = World::new(&scene).expect("the scene is valid");
    for _ in 0..20 {
        if world.step().is_err() {
            return "diverged";
        }
    }
    let mean = |k: usize| {
        let at = &world.state().solids[k].positions;
        at.iter().map(|p| p[2]).sum::<f64>() / at.len() as f64
    };
    let volume = judge::overlap_volume(&scene, world.state(), [0, 1], 60);
    match (volume > 1e-7, mean(1) > mean(0)) {
        (false, true) => "apart",
        (false, false) => "through",
        (true, _) => "in",
    }
}

fn steps() {
    let steps = [0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0];
    println!("after 20 steps, XPBD with 20 substeps a step\n");
    print!("| start | method |");
    steps.iter().for_each(|step| print!(" {step} s |"));
    println!("\n| --- | --- |{}", " --- |".repeat(steps.len()));
    for (start, overlapping, speed) in [
        ("approach at 0.1 m/s", false, 0.1),
        ("in one another", true, 0.0),
    ] {
        for method in METHODS {
            print!("| {start} | {} |", method.0);
            for step in steps {
                print!(" {} |", part(with(two(overlapping, speed), method), step));
            }
            println!();
        }
    }
}

fn chain() {
    println!(
        "| method | time, s | sag of the last ring, mm | overlap of neighbours, cm³ | linked |"
    );
    println!("| --- | ---: | ---: | ---: | --- |");
    let rays = SoftContact::Rays { stiffness: 2e7 };
    let near = SoftContact::Proximity {
        threshold: 0.01,
        stiffness: 2000.0,
    };
    for method in [
        ("rays, XPBD", rays, SoftScheme::Xpbd),
        ("proximity, XPBD", near, SoftScheme::Xpbd),
    ] {
        let scene = with(scenes::chain(4), method);
        let mut world = World::new(&scene).expect("a ready scene is valid");
        let low = |p: &[[f64; 3]]| p.iter().map(|p| p[2]).fold(f64::INFINITY, f64::min);
        let start = low(&scene.solids[3].vertices);
        for second in 1..=5 {
            for _ in 0..60 {
                if let Err(error) = world.step() {
                    println!("| {} | {error} |", method.0);
                    return;
                }
            }
            let state = world.state();
            let pair = |k: usize| judge::overlap_volume(&scene, state, [k, k + 1], 60);
            let core = |k: usize| &state.solids[k].positions[448..];
            let linked =
                |k: usize| (judge::linking_number(core(k), core(k + 1)).abs() - 1.0).abs() < 1e-6;
            println!(
                "| {} | {second} | {:.1} | {:.2} | {} |",
                method.0,
                1e3 * (start - low(&state.solids[3].positions)),
                1e6 * (0..3).map(pair).sum::<f64>(),
                if (0..3).all(linked) { "yes" } else { "no" },
            );
        }
    }
}

/// The seconds for which this thread has had a processor, where the system says so (Linux).
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(1e-9 * nanoseconds)
}

/// The seconds that 200 steps of 1/600 s take: of one thread those in which it had a processor.
fn time(count: usize, threads: usize) -> (f64, World) {
    let mut scene = scenes::rings_in_one_another(count);
    scene.settings.frame = 1.0 / 600.0;
    scene.settings.substeps = 1;
    let mut world = World::new(&scene).expect("a ready scene is valid");
    world.set_threads(threads);
    let before = processor_time();
    let start = Instant::now();
    for _ in 0..200 {
        world.step().expect("nothing diverges");
    }
    let wall = start.elapsed().as_secs_f64();
    let busy = processor_time()
        .zip(before)
        .map(|(now, before)| now - before);
    (
        if threads == 1 {
            busy.unwrap_or(wall)
        } else {
            wall
        },
        world,
    )
}

fn count() {
    println!("| rings | seconds for 200 steps |\n| ---: | ---: |");
    let mut points = Vec::new();
    for count in [2, 4, 8, 16, 32] {
        let (seconds, _) = time(count, 1);
        println!("| {count} | {seconds:.3} |");
        points.push((count as f64, seconds));
    }
    let n = points.len() as f64;
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (mx, my) = (mean(&|p| p.0), mean(&|p| p.1));
    let (xy, xx) = (
        mean(&|p| (p.0 - mx) * (p.1 - my)),
        mean(&|p| (p.0 - mx).powi(2)),
    );
    let yy = mean(&|p| (p.1 - my).powi(2));
    println!(
        "slope {:.4} s a ring, intercept {:.4} s, R² = {:.5}",
        xy / xx,
        my - mx * xy / xx,
        xy * xy / (xx * yy)
    );
}

fn threads() {
    let ((one, first), (two, second)) = (time(16, 1), time(16, 2));
    let same = first.state() == second.state();
    println!(
        "16 rings, 200 steps: {one:.3} s of a processor with one thread, {two:.3} s with two; the same bits: {same}"
    );
}
