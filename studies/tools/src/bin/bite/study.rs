//! The molars, their scans and fits, and every frame by every method.

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use nalgebra::{Isometry3, Translation3};
use rayon::prelude::*;
use std::time::Instant;
use superovoid::{CollisionStatus, DepthMode, QueryOptions, TriangleMesh, contact};
use superovoid_bite::{
    Bite, Closing, FittedTooth, Frame, FrameOptions, Molar, Path, SchemeFrame, SchemeRun, Surfaces,
    Tooth, ToothOptions, fit_tooth, scan, union_mesh_of,
};
use superovoid_fit::Mesh;

/// The noise of a scan, metres.
pub const NOISE: f64 = 5e-5;
/// Triangles of a scan and of the meshes that bite.
pub const TRIANGLES: [usize; 2] = [6200, 24_000];
/// Of the times of a frame the least of this many counts, for what takes microseconds.
const REPEATS: usize = 7;

/// One tooth on its way from parameters to bodies.
pub struct Made {
    /// The parameters as bodies.
    pub designed: Tooth,
    /// Its mesh with noise.
    pub scan: TriangleMesh,
    /// What was fitted to it.
    pub fitted: FittedTooth,
    /// Seconds of the fit.
    pub fit_time: f64,
    /// The meshes of the fitted bodies, with as many triangles as asked for.
    pub meshes: Vec<TriangleMesh>,
}

/// A method over all frames.
pub struct Curve {
    /// What it is called.
    pub name: &'static str,
    /// The distance at each frame, metres; `None` where the method has none.
    pub distances: Vec<Option<f64>>,
    /// Seconds a frame.
    pub times: Vec<f64>,
    /// Pairs asked and not solved, in all frames together.
    pub asked: usize,
    pub unsolved: usize,
}

/// The upper molar on its way down to first contact, from so far above that no boxes meet.
pub struct Descent {
    /// Metres a frame, and frames.
    pub step: f64,
    pub frames: usize,
    /// The distance at the first frame, and at the first one that the gate lets through; metres.
    pub start: f64,
    pub opened: f64,
    /// The largest changes of the certified distance and of the gated one, metres.
    pub changes: [f64; 2],
}

/// All that was found.
pub struct Study {
    pub closing: Closing,
    pub lower: Made,
    pub upper: Made,
    pub path: Path,
    /// The certified answers.
    pub frames: Vec<Frame>,
    /// How many lifts were proven by a query of every pair just above them.
    pub lifts_proven: usize,
    /// The certified answers first, then the same with fast depths, cold and warm, the published scheme with its gate and
    /// without, the meshes.
    pub curves: Vec<Curve>,
    /// A descent from far above: where the gate opens.
    pub descent: Descent,
    /// Seconds of the parts of the study.
    pub seconds: Vec<(&'static str, f64)>,
}

impl Study {
    /// Runs it.
    pub fn run() -> Result<Self> {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}")?;
        let bar = ProgressBar::new(10).with_style(style);
        let mut seconds = Vec::new();
        let mut start = Instant::now();
        let mut next = |done: &'static str| {
            seconds.push((done, start.elapsed().as_secs_f64()));
            start = Instant::now();
            bar.set_message(done);
            bar.inc(1);
        };
        let (lower, upper) = rayon::join(
            || Made::new("lower", &Molar::lower(), 1),
            || Made::new("upper", &Molar::upper(), 2),
        );
        let (lower, upper) = (lower?, upper?);
        next("both molars, a thread each: mesh, scan, fit, meshes");
        let closing = Closing::default();
        let teeth = [&lower.fitted.tooth, &upper.fitted.tooth];
        let path = Path::closing(teeth[0], teeth[1], &closing)?;
        Bite::new(teeth[0], teeth[1]).check_start(&path)?;
        let certified = FrameOptions::default();
        let (frames, mut first) = exact("certified, with lift", teeth, &path, certified, 1)?;
        first.unsolved = frames.iter().filter(|f| !f.certified).count();
        next("certified distances and lifts");
        let lifts_proven = lifts_proven(teeth, &path, &frames)?;
        next("proof of the lifts");
        let mut curves = vec![first];
        for (name, warm) in [("exact, cold", false), ("exact, warm", true)] {
            let options = FrameOptions {
                depth: DepthMode::Fast,
                warm,
                lift: false,
            };
            curves.push(exact(name, teeth, &path, options, REPEATS)?.1);
        }
        next("exact, cold and warm");
        curves.push(scheme("quadImplicit, gated", teeth, &path, true)?);
        next("quadImplicit with its gate");
        curves.push(scheme("quadImplicit, no gate", teeth, &path, false)?);
        next("quadImplicit without");
        for (k, name) in ["meshes, 6,200", "meshes, 24,000"].into_iter().enumerate() {
            curves.push(meshes(name, [&lower.meshes[k], &upper.meshes[k]], &path)?);
            next(name);
        }
        let descent = descent(teeth, &path, &closing)?;
        next("descent from far above");
        bar.finish_and_clear();
        Ok(Study {
            closing,
            lower,
            upper,
            path,
            frames,
            lifts_proven,
            curves,
            descent,
            seconds,
        })
    }
}

impl Made {
    fn new(name: &str, molar: &Molar, seed: u64) -> Result<Self> {
        let designed = molar.tooth()?;
        let scan = scan(&union_mesh_of(&designed, TRIANGLES[0])?, NOISE, seed);
        let mesh = Mesh::try_from(scan.clone())?;
        let start = Instant::now();
        let fitted = fit_tooth(name, &mesh, &ToothOptions::default())
            .with_context(|| format!("the {name} molar"))?;
        let fit_time = start.elapsed().as_secs_f64();
        let meshes = TRIANGLES.map(|count| union_mesh_of(&fitted.tooth, count));
        Ok(Made {
            designed,
            scan,
            fitted,
            fit_time,
            meshes: meshes.into_iter().collect::<Result<_, _>>()?,
        })
    }
}

/// All frames in their order; of each the least time of `repeats` runs over the whole path.
fn exact(
    name: &'static str,
    [lower, upper]: [&Tooth; 2],
    path: &Path,
    options: FrameOptions,
    repeats: usize,
) -> Result<(Vec<Frame>, Curve)> {
    let mut times = vec![f64::INFINITY; path.poses().len()];
    let mut frames = Vec::new();
    for _ in 0..repeats {
        let mut bite = Bite::new(lower, upper);
        frames.clear();
        for (pose, time) in path.poses().iter().zip(&mut times) {
            let start = Instant::now();
            let frame = bite.frame(pose, &options)?;
            *time = time.min(start.elapsed().as_secs_f64());
            frames.push(frame);
        }
    }
    let curve = Curve {
        name,
        distances: frames.iter().map(|f| Some(f.distance)).collect(),
        times,
        asked: frames.iter().map(|f| f.asked).sum(),
        unsolved: 0,
    };
    Ok((frames, curve))
}

/// Asks every pair just above every lift.
fn lifts_proven([lower, upper]: [&Tooth; 2], path: &Path, frames: &[Frame]) -> Result<usize> {
    /// Metres: what poses of this size are rounded by, and more.
    const ABOVE: f64 = 1e-9;
    let mut proven = 0;
    for (frame, pose) in frames.iter().zip(path.poses()) {
        let Some(lift) = frame.lift else { continue };
        let pose = Translation3::new(0.0, 0.0, lift.upper + ABOVE) * pose;
        let mut free = true;
        for a in lower.bodies() {
            for b in upper.bodies() {
                let (at, options) = (pose * b.pose, QueryOptions::default());
                let found = contact(&a.shape, &a.pose, &b.shape, &at, &options, None)?;
                free &= found.status() == CollisionStatus::Free;
            }
        }
        proven += usize::from(free);
    }
    Ok(proven)
}

fn descent([lower, upper]: [&Tooth; 2], path: &Path, closing: &Closing) -> Result<Descent> {
    const STEP: f64 = 5e-5;
    const FRAMES: usize = 160;
    let contact = Translation3::new(0.0, 0.0, closing.depth(0)) * path.poses()[0];
    let (mut bite, run) = (Bite::new(lower, upper), SchemeRun::default());
    let (mut exact, mut gated) = (Curve::new("exact"), Curve::new("gated"));
    let options = FrameOptions {
        lift: false,
        ..FrameOptions::default()
    };
    for k in (1..=FRAMES).rev() {
        let pose = Translation3::new(0.0, 0.0, STEP * k as f64) * contact;
        exact
            .distances
            .push(Some(bite.frame(&pose, &options)?.distance));
        let found = run.frame(lower, upper, &pose)?.nearest;
        gated.distances.push(found.map(|n| n.contact.distance));
    }
    let opened = gated.distances.iter().position(Option::is_some);
    let at = |k: usize| exact.distances[k].unwrap_or(0.0);
    Ok(Descent {
        step: STEP,
        frames: FRAMES,
        start: at(0),
        opened: opened.map_or(0.0, at),
        changes: [exact.largest_change(), gated.largest_change()],
    })
}

fn scheme(
    name: &'static str,
    [lower, upper]: [&Tooth; 2],
    path: &Path,
    gate: bool,
) -> Result<Curve> {
    let run = SchemeRun {
        gate,
        ..SchemeRun::default()
    };
    let mut curve = Curve::new(name);
    for pose in path.poses() {
        let start = Instant::now();
        let SchemeFrame {
            nearest,
            asked,
            unsolved,
        } = run.frame(lower, upper, pose)?;
        curve.times.push(start.elapsed().as_secs_f64());
        curve.distances.push(nearest.map(|n| n.contact.distance));
        curve.asked += asked;
        curve.unsolved += unsolved;
    }
    Ok(curve)
}

/// The frames by all threads, as they take the time of the study: each by one thread, from the nearest triangles of the
/// frame before.
fn meshes(name: &'static str, meshes: [&TriangleMesh; 2], path: &Path) -> Result<Curve> {
    let surface = |mesh: &TriangleMesh| Surfaces::new(&mesh.vertices, &mesh.triangles);
    let [a, b] = meshes.map(surface);
    let (a, b) = a.zip(b).context("a mesh without triangles")?;
    let run = |poses: &[Isometry3<f64>]| -> Result<Vec<(f64, f64)>> {
        let mut hint = None;
        let mut frame = |pose| {
            let start = Instant::now();
            let nearest = a.nearest(&b, pose, hint)?;
            hint = nearest.triangles.or(hint);
            Ok((nearest.distance, start.elapsed().as_secs_f64()))
        };
        poses.iter().map(&mut frame).collect()
    };
    let share = path.poses().len().div_ceil(rayon::current_num_threads());
    let runs: Vec<_> = path
        .poses()
        .par_chunks(share)
        .map(run)
        .collect::<Result<_>>()?;
    let frames = runs.concat();
    let mut curve = Curve::new(name);
    curve.asked = frames.len();
    (curve.distances, curve.times) = frames.iter().map(|&(d, t)| (Some(d), t)).unzip();
    Ok(curve)
}

impl Curve {
    fn new(name: &'static str) -> Self {
        Curve {
            name,
            distances: Vec::new(),
            times: Vec::new(),
            asked: 0,
            unsolved: 0,
        }
    }

    /// The largest change between two frames that both have a distance, metres.
    pub fn largest_change(&self) -> f64 {
        let two = self.distances.windows(2);
        two.filter_map(|w| Some((w[1]? - w[0]?).abs()))
            .fold(0.0, f64::max)
    }
}
