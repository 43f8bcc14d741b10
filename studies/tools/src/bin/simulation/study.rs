//! What the report measures, section by section.

use crate::peers::{Form, Peer, mujoco};
use crate::pictures::{picture, view};
use crate::rapier;
use crate::runs::{ClothRun, Mode, PUBLISHED, Run, cloth, modes, ours};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use superovoid_sim::scene::{BodyContact, ClothContact, Scene, Shape};
use superovoid_sim::{Scheme, State, judge, scenes};

/// How much is done.
pub struct Extent {
    /// The short form, for a check that all of it works.
    pub short: bool,
    /// Python with MuJoCo, if it is to be asked.
    pub python: Option<PathBuf>,
    /// Where pictures go.
    pub output: PathBuf,
}

impl Extent {
    /// The frames of so many seconds, fewer in the short form.
    pub fn frames(&self, seconds: usize) -> usize {
        if self.short { 150 } else { 60 * seconds }
    }
}

/// A cloth in all modes.
pub struct ClothStudy {
    /// Its numbers of vertices and triangles.
    pub counts: [usize; 2],
    /// The modes with their runs.
    pub runs: Vec<(Mode, ClothRun)>,
}

/// Tables 5 and 6, figures 41 to 44: the tablecloth of so many columns and rows.
///
/// # Errors
/// A state that diverges, or a picture that cannot be written.
pub fn tablecloth(extent: &Extent, columns: usize, rows: usize) -> Result<ClothStudy> {
    let scene = scenes::tablecloth(columns, rows);
    let mut runs = Vec::new();
    for mode in modes() {
        let run = cloth(&scene, &mode, extent.frames(10))?;
        if runs.is_empty() && columns == 60 {
            let end = &run.run.state;
            let seen = view([9.0, -14.0, 9.0], [0.0, 0.0, 0.2], 9.5);
            let path = extent.output.join("simulation_tablecloth.png");
            picture(&scene, end, &seen, 1.0, None, &path)?;
        }
        runs.push((mode, run));
    }
    let cloth = &scene.cloths[0];
    Ok(ClothStudy {
        counts: [cloth.vertices.len(), cloth.triangles.len()],
        runs,
    })
}

/// Figure 6.2 of 2015: 441 vertices, with the first stage alone and with all three; the deepest point of a triangle.
///
/// # Errors
/// A state that diverges.
pub fn coarse(extent: &Extent) -> Result<Vec<(&'static str, f64)>> {
    let contacts = [
        ("vertices alone", ClothContact::Vertices),
        ("vertices, sweeps, triangles", ClothContact::Exact),
    ];
    let run = |(name, contact)| {
        let mode = Mode {
            name,
            scheme: Scheme::Xpbd,
            substeps: 10,
            contact,
            pierces: false,
        };
        let run = cloth(&scenes::tablecloth(21, 21), &mode, extent.frames(5))?;
        Ok((name, run.depth.triangles))
    };
    contacts.into_iter().map(run).collect()
}

/// The stretch of the strip where its springs are in balance, and in the runs by name and substeps.
pub struct Stretch {
    /// In balance, metres.
    pub balance: f64,
    /// The name of a scheme and the stretch for each of [`SUBSTEPS`].
    pub rows: Vec<(String, Vec<f64>)>,
}

/// The substeps of a frame in the stretch study.
pub const SUBSTEPS: [u32; 4] = [1, 10, 60, 120];

/// The stretch of a hanging strip against iterations and substeps.
///
/// # Errors
/// A state that diverges.
pub fn stretch() -> Result<Stretch> {
    let last = |positions: &[[f64; 3]]| positions[40][1] - 0.5;
    let balance = judge::hanging_balance(&scenes::hanging_strip(Scheme::Xpbd, 1), 0);
    let pbd = |iterations| Scheme::Pbd {
        iterations,
        velocity_iterations: 0,
        stretch: 0.2,
        bend: 0.0,
        per_iteration: false,
    };
    let mut schemes = vec![("XPBD".to_owned(), Scheme::Xpbd)];
    schemes.extend([1, 5, 20, 50].map(|n| (format!("PBD, k = 0.2, {n} iterations"), pbd(n))));
    let mut rows = Vec::new();
    for (name, scheme) in schemes {
        let run = |n: u32| -> Result<f64> {
            let run = ours(&scenes::hanging_strip(scheme, n), 240, &mut |_| {})?;
            Ok(last(&run.state.cloths[0].positions))
        };
        let lengths: Result<Vec<f64>> = SUBSTEPS.into_iter().map(run).collect();
        rows.push((name, lengths?));
    }
    Ok(Stretch {
        balance: last(&balance.context("the strip has no balance")?),
        rows,
    })
}

/// A heap in the bowl.
pub struct BowlStudy {
    /// The number of bodies.
    pub count: usize,
    /// The run.
    pub run: Run,
    /// The deepest penetration at the ends of the seconds, metres.
    pub depth: f64,
    /// The least height of a centre within 1 m of the pole over it at the end of a second, metres.
    pub over_pole: f64,
    /// The largest rise of the energy from one second to the next, joules, and the energy at the start.
    pub rise: [f64; 2],
    /// How many sleep in the end, and how many have left the bowl.
    pub ended: [usize; 2],
}

impl BowlStudy {
    /// For how many seconds a body was awake, in the mean; the floor and the bowl never sleep.
    pub fn awake(&self) -> f64 {
        let frames: usize = self.run.awake.iter().map(|awake| awake - 2).sum();
        frames as f64 / (60 * self.count) as f64
    }

    /// The time of a frame over the bodies, and of all frames over those awake, microseconds.
    pub fn shares(&self) -> [f64; 2] {
        let share = 1e3 * self.run.mean() / self.count as f64;
        let seconds = self.run.times.len() as f64 / 60.0;
        [share, share * seconds / self.awake()]
    }
}

/// Table 7, figures 45 to 47. Of more than fifty bodies the depth is judged every five seconds, as that takes long.
///
/// # Errors
/// A state that diverges, or a picture that cannot be written.
pub fn bowl(extent: &Extent, count: usize, seconds: usize) -> Result<BowlStudy> {
    let scene = scenes::bowl(count, 1);
    let study = heap(extent, &scene, count, seconds)?;
    let name = match count {
        50 => "simulation_bowl.png",
        1000 => "simulation_bowl_1000.png",
        _ => return Ok(study),
    };
    let radius = bowl_radius(&scene);
    let eye = [0.2 * radius, -3.6 * radius, 2.2 * radius];
    let seen = view(eye, [0.0, 0.0, -0.2 * radius], 2.5 * radius);
    let (path, cut) = (extent.output.join(name), Some(-0.3 * radius));
    picture(&scene, &study.run.state, &seen, 4.0 * radius, cut, &path)?;
    Ok(study)
}

/// Fifty bodies with the contact and the scheme of the thesis: its tolerance as the skin, one step a frame.
///
/// # Errors
/// A state that diverges.
pub fn published_bowl(extent: &Extent, seconds: usize) -> Result<BowlStudy> {
    let mut scene = scenes::bowl(50, 1);
    let settings = &mut scene.settings;
    (settings.skin, settings.substeps, settings.scheme) = (0.015, 1, PUBLISHED);
    settings.body_contact = BodyContact::Iterative {
        tolerance: 1e-3,
        iterations: 10,
    };
    heap(extent, &scene, 50, seconds)
}

fn heap(extent: &Extent, scene: &Scene, count: usize, seconds: usize) -> Result<BowlStudy> {
    let radius = bowl_radius(scene);
    let (mut depth, mut over_pole, mut rise) = (0.0f64, f64::INFINITY, 0.0f64);
    let start = judge::energy(scene, superovoid_sim::World::new(scene)?.state()).total();
    let mut energy = start;
    let run = ours(scene, extent.frames(seconds), &mut |state| {
        if count <= 50 || state.frame.is_multiple_of(300) {
            let points = if count <= 50 { 200 } else { 50 };
            depth = depth.max(judge::body_depth(scene, state, points));
        }
        for body in &state.bodies[2..] {
            let [x, y, z] = body.position;
            if x.hypot(y) < 1.0 {
                over_pole = over_pole.min(z + radius);
            }
        }
        let now = judge::energy(scene, state).total();
        rise = rise.max(now - energy);
        energy = now;
    })?;
    let bodies = &run.state.bodies[2..];
    let outside = |b: &&superovoid_sim::BodyState| {
        b.position.iter().map(|x| x * x).sum::<f64>() > radius * radius
    };
    let ended = [
        bodies.iter().filter(|body| body.asleep).count(),
        bodies.iter().filter(outside).count(),
    ];
    Ok(BowlStudy {
        count,
        run,
        depth,
        over_pole,
        rise: [rise, start],
        ended,
    })
}

fn bowl_radius(scene: &Scene) -> f64 {
    match &scene.bodies[1].shape {
        Shape::Mesh { vertices, .. } => -vertices[vertices.len() - 1][2],
        _ => 0.0,
    }
}

/// The scene with ellipsoids in the place of its bodies.
fn with_ellipsoids(mut scene: Scene) -> Scene {
    for body in &mut scene.bodies {
        if let Shape::Superovoid { exponents, .. } = &mut body.shape {
            *exponents = [1.0; 2];
        }
    }
    scene
}

/// A row of the comparison with the peers.
pub struct PeerRow {
    /// The scene, and who simulated it.
    pub scene: &'static str,
    /// Who, how, and the steps of a frame.
    pub who: String,
    /// The times of the frames, milliseconds.
    pub times: Vec<f64>,
    /// The deepest penetration of the exact bodies every five seconds, metres.
    pub depth: f64,
    /// The kinetic energy in the end, joules.
    pub kinetic: f64,
    /// How far the highest body has moved to the side and how far down, metres.
    pub drift: [f64; 2],
    /// How many bodies have left the bowl.
    pub lost: usize,
}

/// The stack as the peers get it: its boxes touch, where this library keeps them apart by its skin.
fn closed(mut scene: Scene) -> Scene {
    for (k, body) in scene.bodies.iter_mut().enumerate().skip(1) {
        body.position[2] -= k as f64 * scene.settings.skin;
    }
    scene
}

/// The bowl with ellipsoids and with superellipsoids, and the stack: ours, Rapier and MuJoCo.
///
/// # Errors
/// A state of ours that diverges, or MuJoCo that does not run.
pub fn peers(extent: &Extent) -> Result<Vec<PeerRow>> {
    let heap = if extent.short { 10 } else { 50 };
    let cases = [
        (
            "bowl, 50 ellipsoids",
            with_ellipsoids(scenes::bowl(heap, 1)),
            Form::Ellipsoid,
            15,
        ),
        (
            "bowl, 50 superellipsoids",
            scenes::bowl(heap, 1),
            Form::Hull,
            15,
        ),
        ("stack of 10 boxes", scenes::stack(10), Form::Box, 60),
    ];
    let mut rows = Vec::new();
    for (name, scene, form, seconds) in cases {
        let frames = extent.frames(seconds);
        let mut depth = 0.0f64;
        let mut judged = |state: &State| depth = depth.max(seldom(&scene, state));
        let run = ours(&scene, frames, &mut judged)?;
        let peer = Peer {
            times: run.times,
            state: run.state,
        };
        rows.push(row(
            name,
            "superovoid, exact, substeps: 10".into(),
            &scene,
            peer,
            depth,
        ));
        let scene = if form == Form::Box {
            closed(scene)
        } else {
            scene
        };
        for substeps in [1, 10] {
            let mut depth = 0.0f64;
            let mut judged = |state: &State| depth = depth.max(seldom(&scene, state));
            // Rapier has no ellipsoids.
            let taken = if form == Form::Ellipsoid {
                Form::Hull
            } else {
                form
            };
            let peer = rapier::run(&scene, taken, frames, substeps, &mut judged);
            let who = format!("Rapier, {}, steps: {substeps}", named(taken));
            rows.push(row(name, who, &scene, peer, depth));
        }
        if let Some(python) = &extent.python {
            let mut depth = 0.0f64;
            let mut judged = |state: &State| depth = depth.max(seldom(&scene, state));
            let peer = mujoco(python, &scene, form, [frames, 10], &mut judged)?;
            let who = format!("MuJoCo, {}, steps: 10", named(form));
            rows.push(row(name, who, &scene, peer, depth));
        }
    }
    Ok(rows)
}

/// The deepest of 50 points of each body, every five seconds (and at the end of the short form), as
/// the judge is slow where much overlaps; 0 in between.
fn seldom(scene: &Scene, state: &State) -> f64 {
    if state.frame.is_multiple_of(300) || state.frame == 150 {
        judge::body_depth(scene, state, 50)
    } else {
        0.0
    }
}

fn named(form: Form) -> &'static str {
    match form {
        Form::Ellipsoid => "ellipsoids",
        Form::Hull => "convex hulls",
        Form::Box => "boxes",
    }
}

fn row(name: &'static str, who: String, scene: &Scene, peer: Peer, depth: f64) -> PeerRow {
    let (last, top) = (scene.bodies.len() - 1, &peer.state.bodies);
    let [from, to] = [scene.bodies[last].position, top[last].position];
    let radius = if scene.bodies.len() > 1 {
        bowl_radius(scene)
    } else {
        0.0
    };
    let outside = |b: &&superovoid_sim::BodyState| {
        let distance = b.position.iter().map(|x| x * x).sum::<f64>().sqrt();
        radius > 0.0 && (distance.is_nan() || distance >= radius)
    };
    PeerRow {
        scene: name,
        who,
        depth,
        kinetic: judge::energy(scene, &peer.state).kinetic,
        drift: [(to[0] - from[0]).hypot(to[1] - from[1]), from[2] - to[2]],
        lost: top.iter().skip(2).filter(outside).count(),
        times: peer.times,
    }
}

/// The stack for a minute that never sleeps: how far its top moved to the side and down, metres.
///
/// # Errors
/// A state that diverges, or a picture that cannot be written.
pub fn stack(extent: &Extent) -> Result<[f64; 2]> {
    let mut scene = scenes::stack(10);
    scene.settings.sleep_speed = 0.0;
    let run = ours(&scene, extent.frames(60), &mut |_| {})?;
    let seen = view([5.0, -8.0, 4.0], [0.0, 0.0, 2.0], 5.0);
    let path = extent.output.join("simulation_stack.png");
    picture(&scene, &run.state, &seen, 3.0, None, &path)?;
    let [from, to] = [scene.bodies[10].position, run.state.bodies[10].position];
    Ok([(to[0] - from[0]).hypot(to[1] - from[1]), from[2] - to[2]])
}

/// A cloth that never sleeps: how far its mean and its fastest vertex moved in the minute after its first 30 s, and in the
/// one after its first 60 s, metres.
///
/// # Errors
/// A state that diverges.
pub fn creep(extent: &Extent) -> Result<[[f64; 2]; 2]> {
    let mut scene = scenes::tablecloth(60, 54);
    scene.settings.sleep_speed = 0.0;
    let mut seconds: Vec<Vec<[f64; 3]>> = Vec::new();
    let frames = if extent.short { 240 } else { 60 * 120 };
    ours(&scene, frames, &mut |state| {
        seconds.push(state.cloths[0].positions.clone());
    })?;
    let quarter = seconds.len() / 4;
    let from = |k: usize| moved(&seconds[k * quarter - 1], &seconds[(k + 2) * quarter - 1]);
    Ok([from(1), from(2)])
}

/// How far the mean and the fastest of points moved, metres.
fn moved(from: &[[f64; 3]], to: &[[f64; 3]]) -> [f64; 2] {
    let ways = from.iter().zip(to).map(|(a, b)| {
        let [a, b] = [a, b].map(|&p| nalgebra::Vector3::from(p));
        b - a
    });
    let ways: Vec<_> = ways.collect();
    let mean = ways.iter().sum::<nalgebra::Vector3<f64>>().norm() / ways.len() as f64;
    [mean, ways.iter().map(|d| d.norm()).fold(0.0, f64::max)]
}

/// The hands that take a cloth.
pub struct Hands {
    /// The run.
    pub cloth: ClothRun,
    /// How far the thumbs drew from second 2 to second 4, and by how much the vertex between them lagged then, metres.
    pub drawn: [f64; 2],
}

/// The hands that take a cloth and draw it.
///
/// # Errors
/// A state that diverges, or a picture that cannot be written.
pub fn hands(extent: &Extent) -> Result<Hands> {
    let scene = scenes::hands_and_cloth();
    let thumb = scene.bodies.iter().position(|b| b.name.contains("thumb"));
    let thumb = thumb.context("the hands have thumbs")?;
    let (mut depth, mut strain, mut crossings) = (judge::ClothDepth::default(), 0.0f64, 0);
    let output: &Path = &extent.output;
    let (mut picture_made, mut places) = (Ok(()), Vec::new());
    let frames = extent.frames(5);
    let run = ours(&scene, frames, &mut |state| {
        let found = judge::cloth_depth(&scene, state, 0, 3);
        depth.vertices = depth.vertices.max(found.vertices);
        depth.triangles = depth.triangles.max(found.triangles);
        strain = strain.max(judge::largest_strain(&scene, state, 0));
        crossings = crossings.max(judge::cloth_crossings(&scene, state, 0).own);
        let vertex = state.cloths[0].positions[scenes::PINCHED];
        places.push([state.bodies[thumb].position, vertex].map(nalgebra::Vector3::from));
        if state.frame == 240 || (extent.short && state.frame as usize == frames) {
            let seen = view([0.45, -0.9, 0.3], [0.04, 0.0, 0.03], 0.42);
            let path = output.join("simulation_hands.png");
            picture_made = picture(&scene, state, &seen, 1.0, None, &path);
        }
    })?;
    picture_made?;
    // The places at the ends of the seconds.
    let (from, to) = (places[1], places[places.len().min(4) - 1]);
    let [way, moved] = [to[0] - from[0], to[1] - from[1]];
    Ok(Hands {
        cloth: ClothRun {
            run,
            depth,
            crossings,
            strain,
            left: None,
        },
        drawn: [way.norm(), (moved - way).norm()],
    })
}
