//! Problems of motion planning: robots with their meshes as they are, among boxes, spheres and cylinders. Whether states
//! are free, beside coal and FCL, whose exact meshes are the truth.

mod edges;
mod model;
mod paths;
mod problems;
mod solve;
mod states;
mod tables;

use crate::machine;
use crate::planner::foreign::{self, Engine};
use crate::report::number;
use anyhow::{Context, Result, bail, ensure};
use edges::Edges;
use model::{Model, SOURCES, Source};
use paths::GivenPath;
use problems::Problem;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use solve::Plans;
use states::{Peers, Tally};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;
use superovoid_robot::Configuration;

/// The greatest distance of two states on a path, radians.
const SPACING: f64 = 1.0 / 32.0;

/// The random states of each problem.
const RANDOM: usize = 64;

/// How far random edges go along each joint.
const NEAR: f64 = 0.25;

/// What is asked for.
pub struct Wanted {
    pub folder: PathBuf,
    /// The problems of each robot, evenly from all.
    pub problems: usize,
    pub rounds: usize,
    /// Only robots whose titles begin so.
    pub robot: Option<String>,
    pub seed: u64,
    /// For the plan of one problem.
    pub max_time: Duration,
    /// Paths to be judged; nothing else is asked then.
    pub paths: Option<PathBuf>,
}

/// The report, in Markdown.
///
/// # Errors
/// What is wrong with a problem, or with the folder of robots.
pub fn page(wanted: &Wanted) -> Result<String> {
    let Some(robots) = std::env::var_os("SUPEROVOID_URDF_DIR").map(PathBuf::from) else {
        bail!(
            "SUPEROVOID_URDF_DIR names no folder of robots (example-robot-data, with its meshes)"
        );
    };
    let given = wanted.paths.as_deref().map(paths::read).transpose()?;
    let mut missing = Vec::new();
    let mut engines = Vec::new();
    for (name, engine) in foreign::engines() {
        match engine {
            Ok(engine) => engines.push((name, engine)),
            // The first one is the truth.
            Err(error) if engines.is_empty() => return Err(error.context(name)),
            Err(error) => missing.push(format!("{name}: {error}")),
        }
    }
    let mut text = heading(wanted);
    let mut asked = 0;
    for source in &SOURCES {
        let only = wanted.robot.as_ref();
        let is_asked = only.is_none_or(|only| source.title.starts_with(only.as_str()));
        if !is_asked || given.as_ref().is_some_and(|given| !are_of(given, source)) {
            continue;
        }
        let loaded = model::problem_file(&wanted.folder, source.robot).and_then(|problems| {
            let folder = model::find(&robots, source.urdf)
                .with_context(|| format!("no {} in SUPEROVOID_URDF_DIR", source.urdf))?;
            Ok((problems, Model::load(source, &folder)?))
        });
        let (path, model) = match loaded {
            Ok(loaded) => loaded,
            Err(error) => {
                missing.push(format!("{}: {error:#}", source.title));
                continue;
            }
        };
        asked += 1;
        let problems = problems::read(&path, source.joints.len())?;
        let mut course = Course {
            model,
            problems,
            engines: &engines,
            wanted,
        };
        text += &match &given {
            Some(given) => course.judged(given)?,
            None => {
                course.problems = evenly(course.problems, wanted.problems);
                course.measured()?
            }
        };
    }
    ensure!(asked > 0, "no robot: {}", missing.join("; "));
    for line in &missing {
        let line = line.lines().next().unwrap_or_default();
        let _ = writeln!(text, "\nNot here: {line}.");
    }
    Ok(text)
}

fn heading(wanted: &Wanted) -> String {
    format!(
        "# Problems of motion planning\n\n`cargo run --release -p superovoid-compare -- plans FOLDER --problems {} --rounds \
         {} --seed {}`, {}; load {}. Problems in {}. One thread. Robots with their collision meshes as they are, less the \
         pairs that their SRDF files disable, among boxes, spheres and cylinders. Ours begin with the configurations (forward \
         kinematics); coal and FCL are given the poses of the bodies, and their obstacles stand in a tree of their own. All \
         end at the first collision of a state. Times are the fastest of the rounds, summed over all problems.\n",
        wanted.problems,
        wanted.rounds,
        wanted.seed,
        machine::processor(),
        machine::load(),
        wanted.folder.file_name().unwrap_or_default().display(),
    )
}

/// Whether paths have a position for each joint of a robot.
fn are_of(paths: &[GivenPath], source: &Source) -> bool {
    let mut points = paths.iter().flat_map(|path| &path.points);
    points.all(|point| point.len() == source.joints.len())
}

/// So many of the problems, from all of them.
fn evenly(problems: Vec<Problem>, count: usize) -> Vec<Problem> {
    let step = problems.len().div_ceil(count.max(1)).max(1);
    problems.into_iter().step_by(step).collect()
}

/// States on the straight line between two configurations, both ends included.
fn line(model: &Model, [from, to]: [&[f64]; 2], spacing: f64) -> Result<Vec<Configuration>> {
    let length: f64 = from.iter().zip(to).map(|(a, b)| (b - a).powi(2)).sum();
    let count = (length.sqrt() / spacing).ceil().max(1.0) as usize;
    let at = |k: usize| {
        let t = k as f64 / count as f64;
        let between = from.iter().zip(to).map(|(a, b)| (1.0 - t) * a + t * b);
        model.configuration(&between.collect::<Vec<f64>>())
    };
    (0..=count).map(at).collect()
}

/// A robot and the problems that are asked of it.
struct Course<'a> {
    model: Model,
    problems: Vec<Problem>,
    engines: &'a [(&'static str, Engine)],
    wanted: &'a Wanted,
}

impl Course<'_> {
    /// States, edges and plans of the problems.
    fn measured(&self) -> Result<String> {
        let (model, wanted) = (&self.model, self.wanted);
        let mut peers = Peers::new(self.engines, model)?;
        let mut tallies =
            ["straight lines", "found paths", "random"].map(|t| Tally::new(t, &peers));
        let mut edges = ["of found paths", "at random near them"].map(Edges::new);
        let mut plans = [
            Plans::new("with proof", true),
            Plans::new("without proof", false),
        ];
        let mut rng = ChaCha8Rng::seed_from_u64(wanted.seed);
        let mut outside = 0;
        for problem in &self.problems {
            let random = (0..RANDOM).map(|_| self.random(&mut rng));
            let random = random.collect::<Result<Vec<_>>>()?;
            let Ok(straight) = line(model, [&problem.start, &problem.goal], SPACING) else {
                outside += 1;
                continue;
            };
            let place = (model, problem);
            let mut scene = model.among(problem)?;
            peers.stand(problem)?;
            let path = plans[0].solve(place, &scene, &mut peers, wanted)?;
            plans[1].solve(place, &scene, &mut peers, wanted)?;
            let on_path = self.states(&path)?;
            for (tally, states) in tallies.iter_mut().zip([straight, on_path, random]) {
                tally.ask(place, &scene, &mut peers, &states, wanted.rounds)?;
            }
            for ends in path.windows(2) {
                let ends = [&ends[0][..], &ends[1][..]];
                edges[0].ask(place, &mut scene, &mut peers, ends, wanted.rounds)?;
                let near = [ends[0], &self.near(ends[0], &mut rng)];
                edges[1].ask(place, &mut scene, &mut peers, near, wanted.rounds)?;
            }
        }
        let text = self.title(outside) + &tables::states(&tallies, &peers);
        Ok(text + &tables::edges(&edges) + &tables::plans(&plans))
    }

    /// Given paths, as far as they are of these problems and this robot.
    fn judged(&self, paths: &[GivenPath]) -> Result<String> {
        let model = &self.model;
        let mut peers = Peers::new(self.engines, model)?;
        let mut tally = [Tally::new("given paths", &peers)];
        let mut edges = [Edges::new("of given paths")];
        let (mut known, mut outside, mut proven, mut touching) = (0, 0, 0, 0);
        for given in paths {
            let of = |p: &&Problem| p.scenario == given.scenario && p.index == given.index;
            let Some(problem) = self.problems.iter().find(of) else {
                continue;
            };
            known += 1;
            let place = (model, problem);
            let mut scene = model.among(problem)?;
            peers.stand(problem)?;
            let Ok(states) = self.states(&given.points) else {
                outside += 1;
                continue;
            };
            tally[0].ask(place, &scene, &mut peers, &states, self.wanted.rounds)?;
            let (mut free, before) = (true, edges[0].touching);
            for ends in given.points.windows(2) {
                let ends = [&ends[0][..], &ends[1][..]];
                free &= edges[0].ask(place, &mut scene, &mut peers, ends, self.wanted.rounds)?;
            }
            proven += usize::from(free);
            touching += usize::from(edges[0].touching > before);
        }
        let mut text = self.title(0);
        let _ = writeln!(
            text,
            "\n{known} given paths, of which {outside} leave the limits of the joints; {touching} touch by coal at states 1e-3 rad apart, {proven} are proven free by us.",
        );
        Ok(text + &tables::states(&tally, &peers) + &tables::edges(&edges))
    }

    fn title(&self, outside: usize) -> String {
        let model = &self.model;
        let count = self.problems.len();
        let obstacles: usize = self.problems.iter().map(|p| p.obstacles.len()).sum();
        let mut text = format!(
            "\n## {}\n\n`{}`: {} bodies of {} triangles, {} pairs of them; {count} problems with {} obstacles on average",
            model.source.title,
            model.source.urdf,
            model.body_count(),
            model.triangles(),
            model.pairs.len(),
            number(obstacles as f64 / count as f64),
        );
        if outside > 0 {
            let _ = write!(
                text,
                ", {outside} with an end outside of the joints' limits"
            );
        }
        text + ".\n"
    }

    /// States along the edges of a path.
    fn states(&self, path: &[Vec<f64>]) -> Result<Vec<Configuration>> {
        let mut states = Vec::new();
        for ends in path.windows(2) {
            states.extend(line(&self.model, [&ends[0], &ends[1]], SPACING)?);
        }
        Ok(states)
    }

    fn random(&self, rng: &mut ChaCha8Rng) -> Result<Configuration> {
        let limits = self.model.limits.iter();
        let positions = limits.map(|&[lower, upper]| rng.random_range(lower..=upper));
        self.model.configuration(&positions.collect::<Vec<f64>>())
    }

    /// A point at most [`NEAR`] from another one along each joint.
    fn near(&self, point: &[f64], rng: &mut ChaCha8Rng) -> Vec<f64> {
        let moved = point.iter().zip(&self.model.limits);
        let moved = moved
            .map(|(q, [lower, upper])| (q + rng.random_range(-NEAR..=NEAR)).clamp(*lower, *upper));
        moved.collect()
    }
}
