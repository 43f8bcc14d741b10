//! Runs a ready scene and prints the times of its frames by stage, and what it looks like at the end.
//!
//!     cargo run --release -p superovoid-sim --example frames -- tablecloth 10

use std::collections::HashMap;
use std::time::Instant;
use superovoid_sim::{Stage, World, scenes};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let name = arguments.get(1).map_or("tablecloth", String::as_str);
    let seconds: f64 = arguments
        .get(2)
        .and_then(|s| s.parse().ok())
        .unwrap_or(10.0);
    let every: u64 = arguments.get(3).and_then(|s| s.parse().ok()).unwrap_or(60);
    let scene = scenes::ready(name).expect("a ready scene of this name");
    let mut world = World::new(&scene).expect("a ready scene is valid");
    let frames = (seconds / scene.settings.frame).round() as usize;
    let mut times = Vec::new();
    let mut stages: HashMap<Stage, f64> = HashMap::new();
    for _ in 0..frames {
        let start = Instant::now();
        let mut last = (Stage::Collision, start);
        let mut enter = |stage| {
            let now = Instant::now();
            *stages.entry(last.0).or_default() += (now - last.1).as_secs_f64();
            last = (stage, now);
        };
        if let Err(error) = world.step_with(&mut enter) {
            println!("{error}");
            break;
        }
        enter(Stage::VelocityUpdate);
        times.push(start.elapsed().as_secs_f64() * 1e3);
        let state = world.state();
        if state.frame.is_multiple_of(every) {
            let asleep = state.bodies.iter().filter(|body| body.asleep).count();
            let fastest = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            let bodies = state
                .bodies
                .iter()
                .map(|body| fastest(&body.velocity))
                .fold(0.0, f64::max);
            let vertices = state
                .cloths
                .iter()
                .flat_map(|cloth| &cloth.velocities)
                .map(fastest)
                .fold(0.0, f64::max);
            let lowest = state
                .bodies
                .iter()
                .map(|body| body.position[2])
                .fold(f64::INFINITY, f64::min);
            let last = state.bodies.last().map_or([0.0; 3], |body| body.position);
            println!(
                "{:5.1} s  {:6.3} ms  asleep {asleep}  fastest body {bodies:.4} m/s, vertex {vertices:.4} m/s  lowest {lowest:.3}  last {last:.4?}",
                state.time,
                times[times.len().saturating_sub(every as usize)..]
                    .iter()
                    .sum::<f64>()
                    / every as f64
            );
        }
    }
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "mean {mean:.3} ms, p50 {:.3}, p95 {:.3}, worst {:.3}",
        at(0.5),
        at(0.95),
        at(1.0)
    );
    for stage in Stage::ALL {
        println!(
            "  {stage:?}: {:.3} ms",
            stages.get(&stage).unwrap_or(&0.0) * 1e3 / times.len() as f64
        );
    }
}
