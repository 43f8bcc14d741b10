//! Runs of this library's simulation: times by stage, and what the judges say.

use anyhow::{Context, Result};
use std::time::Instant;
use superovoid_sim::scene::{ClothContact, Scene};
use superovoid_sim::{Scheme, Stage, State, World, judge};

/// What a run left.
pub struct Run {
    /// The time of every frame, milliseconds.
    pub times: Vec<f64>,
    /// The mean time of a frame in each of [`Stage::ALL`], milliseconds.
    pub stages: [f64; 5],
    /// The last state.
    pub state: State,
    /// For each frame, how many bodies were not asleep in the end; what is static never sleeps.
    pub awake: Vec<usize>,
}

impl Run {
    /// The mean time of a frame, milliseconds.
    pub fn mean(&self) -> f64 {
        mean(&self.times)
    }
}

/// The mean; NaN of no numbers.
pub fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}

/// The longest time.
pub fn worst(times: &[f64]) -> f64 {
    times.iter().copied().fold(0.0, f64::max)
}

/// Runs a scene and calls `judge` with the state once a second.
///
/// # Errors
/// A scene that is refused, or a state that diverges.
pub fn ours(scene: &Scene, frames: usize, judge: &mut dyn FnMut(&State)) -> Result<Run> {
    until(scene, frames, 60, &mut |state| {
        judge(state);
        true
    })
}

/// Runs a scene, calls `judge` with the state of every `every`th frame and of the last, and ends where it returns false.
///
/// # Errors
/// A scene that is refused, or a state that diverges.
pub fn until(
    scene: &Scene,
    frames: usize,
    every: usize,
    judge: &mut dyn FnMut(&State) -> bool,
) -> Result<Run> {
    let mut world = World::new(scene).with_context(|| scene.name.clone())?;
    let mut times = Vec::new();
    let mut stages = [0.0; 5];
    let mut awake = Vec::new();
    for frame in 1..=frames {
        let start = Instant::now();
        let mut last = (Stage::Collision, start);
        let mut enter = |stage: Stage| {
            let now = Instant::now();
            stages[last.0 as usize] += (now - last.1).as_secs_f64() * 1e3;
            last = (stage, now);
        };
        let step = world.step_with(&mut enter);
        enter(Stage::VelocityUpdate);
        step.with_context(|| scene.name.clone())?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
        let bodies = &world.state().bodies;
        awake.push(bodies.iter().filter(|body| !body.asleep).count());
        let judged = frame % every == 0 || frame == frames;
        if judged && !judge(world.state()) {
            break;
        }
    }
    stages
        .iter_mut()
        .for_each(|time| *time /= times.len() as f64);
    Ok(Run {
        times,
        stages,
        state: world.state().clone(),
        awake,
    })
}

/// A way to simulate a cloth, ours or published.
pub struct Mode {
    /// For the head of a column.
    pub name: &'static str,
    /// What happens in time.
    pub scheme: Scheme,
    /// The substeps of a frame.
    pub substeps: u32,
    /// How bodies are met.
    pub contact: ClothContact,
    /// Whether this is a published method, whose cloth neither meets itself nor is kept from getting through.
    pub pierces: bool,
}

/// The published scheme with ten iterations.
pub const PUBLISHED: Scheme = Scheme::Pbd {
    iterations: 10,
    velocity_iterations: 1,
    stretch: 0.9,
    bend: 0.1,
    per_iteration: false,
};

/// Ours, and the published modes: one step a frame, ten iterations.
pub fn modes() -> Vec<Mode> {
    let iterative = ClothContact::Iterative {
        tolerance: 1e-3,
        iterations: 10,
    };
    let published = |name, contact| Mode {
        name,
        scheme: PUBLISHED,
        substeps: 1,
        contact,
        pierces: contact != ClothContact::Exact,
    };
    vec![
        Mode {
            name: "XPBD, exact",
            scheme: Scheme::Xpbd,
            substeps: 10,
            contact: ClothContact::Exact,
            pierces: false,
        },
        published("PBD, exact", ClothContact::Exact),
        published("PBD, iterative (thesis)", iterative),
        published("PBD, radial push (2015)", ClothContact::RadialPush),
    ]
}

/// A run of a cloth with what the judges say.
pub struct ClothRun {
    /// The run, up to where the cloth has left the body.
    pub run: Run,
    /// The deepest penetration in all frames.
    pub depth: judge::ClothDepth,
    /// The most edges of the cloth that cross its own triangles at the end of a second.
    pub crossings: usize,
    /// The largest strain in all frames.
    pub strain: f64,
    /// When the cloth has left the body, seconds: no vertex is as high as the middle of any body.
    pub left: Option<f64>,
}

/// Runs a scene of one cloth in a mode.
///
/// # Errors
/// A scene that is refused, or a state that diverges.
pub fn cloth(scene: &Scene, mode: &Mode, frames: usize) -> Result<ClothRun> {
    let mut scene = scene.clone();
    scene.settings.scheme = mode.scheme;
    scene.settings.substeps = mode.substeps;
    scene.cloths[0].contact = mode.contact;
    scene.cloths[0].self_contact &= !mode.pierces;
    let mut depth = judge::ClothDepth::default();
    let (mut strain, mut crossings, mut left) = (f64::NEG_INFINITY, 0, None);
    let run = until(&scene, frames, 1, &mut |state| {
        strain = strain.max(judge::largest_strain(&scene, state, 0));
        depth = judge::cloth_depth_over(depth, &scene, state, 0, 4);
        if state.frame.is_multiple_of(60) {
            crossings = crossings.max(judge::cloth_crossings(&scene, state, 0).own);
        }
        let heights = state.cloths[0].positions.iter().map(|p| p[2]);
        let highest = heights.fold(f64::NEG_INFINITY, f64::max);
        let fallen = state.bodies.iter().all(|body| highest < body.position[2]);
        if fallen && !state.bodies.is_empty() {
            left = Some(state.time);
        }
        left.is_none()
    })?;
    Ok(ClothRun {
        run,
        depth,
        crossings,
        strain,
        left,
    })
}
