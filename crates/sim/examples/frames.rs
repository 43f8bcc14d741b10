//! Runs a ready scene and prints the times of its frames by stage, and what it looks like at the end.
//!
//!     cargo run --release -p superovoid-sim --example frames -- tablecloth 10
//!     cargo run --release -p superovoid-sim --example frames -- bowl:50:7 15 60
//!
//! The second form is a bowl with a number of bodies and a seed; the last number is that of frames between two lines.

use std::collections::HashMap;
use std::time::Instant;
use superovoid_sim::{BodyState, Scene, Stage, World, scenes};

fn scene(name: &str) -> Option<Scene> {
    let Some(bowl) = name.strip_prefix("bowl:") else {
        return scenes::ready(name);
    };
    let (count, seed) = bowl.split_once(':')?;
    Some(scenes::bowl(count.parse().ok()?, seed.parse().ok()?))
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let name = arguments.get(1).map_or("tablecloth", String::as_str);
    let seconds: f64 = arguments
        .get(2)
        .and_then(|s| s.parse().ok())
        .unwrap_or(10.0);
    let every: u64 = arguments.get(3).and_then(|s| s.parse().ok()).unwrap_or(60);
    let scene = scene(name).expect("a ready scene of this name");
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
            let size = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            let fastest = |speeds: &mut dyn Iterator<Item = f64>| {
                let numbered = speeds.enumerate();
                let fastest = numbered.max_by(|a, b| a.1.total_cmp(&b.1));
                fastest.unwrap_or((0, 0.0))
            };
            let speed = |body: &BodyState| size(&body.velocity) + size(&body.angular_velocity);
            let (body, bodies) = fastest(&mut state.bodies.iter().map(speed));
            let cloths = state.cloths.iter().flat_map(|cloth| &cloth.velocities);
            let (_, vertices) = fastest(&mut cloths.map(size));
            let place = state.bodies.get(body).map_or([0.0; 3], |b| b.position);
            let last = &times[times.len().saturating_sub(every as usize)..];
            println!(
                "{:5.1} s  {:6.3} ms  asleep {asleep}  fastest body {body} ({bodies:.4} m/s and rad/s, at {place:.3?}), \
                 vertex {vertices:.4} m/s",
                state.time,
                last.iter().sum::<f64>() / every as f64
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
