//! Problems of motion planning: robots with their meshes as they are, among boxes, spheres and cylinders. Whether states
//! are free, beside coal and FCL, whose exact meshes are the truth.

mod model;
mod problems;
mod states;

use crate::machine;
use crate::planner::foreign;
use crate::report::number;
use anyhow::{Context, Result, bail};
use model::{Model, SOURCES};
use problems::Problem;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use states::{OURS, Peers, Tally};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;
use superovoid_plan::{Plan, PlanOptions, PlanProblem, plan};
use superovoid_robot::Configuration;

/// The greatest distance of two states on a path, radians.
const SPACING: f64 = 1.0 / 32.0;

/// The random states of each problem.
const RANDOM: usize = 64;

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
    let mut missing = Vec::new();
    let mut engines = Vec::new();
    for (name, engine) in foreign::engines() {
        match engine {
            Ok(engine) => engines.push((name, engine)),
            Err(error) => missing.push(format!("{name}: {error}")),
        }
    }
    let mut text = heading(wanted);
    for source in &SOURCES {
        let only = wanted.robot.as_ref();
        if only.is_some_and(|only| !source.title.starts_with(only.as_str())) {
            continue;
        }
        let loaded = model::find(&robots, source.urdf)
            .with_context(|| format!("no {} in SUPEROVOID_URDF_DIR", source.urdf))
            .and_then(|folder| Model::load(source, &folder));
        let model = match loaded {
            Ok(model) => model,
            Err(error) => {
                missing.push(format!("{}: {error:#}", source.title));
                continue;
            }
        };
        let path = model::problem_file(&wanted.folder, source.robot)?;
        let problems = problems::read(&path, source.joints.len())?;
        text += &section(&model, &evenly(problems, wanted.problems), &engines, wanted)?;
    }
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

fn section(
    model: &Model,
    problems: &[Problem],
    engines: &[(&'static str, foreign::Engine)],
    wanted: &Wanted,
) -> Result<String> {
    let mut peers = Peers::new(engines, model)?;
    let mut tallies = STATES.map(|title| Tally::new(title, &peers));
    let mut rng = ChaCha8Rng::seed_from_u64(wanted.seed);
    let mut outside = 0;
    for problem in problems {
        let random = (0..RANDOM).map(|_| {
            let position = |&[lower, upper]: &[f64; 2]| rng.random_range(lower..=upper);
            model.configuration(&model.limits.iter().map(position).collect::<Vec<f64>>())
        });
        let random = random.collect::<Result<Vec<_>>>()?;
        let ends = [&problem.start[..], &problem.goal[..]];
        let Ok(straight) = line(model, ends, SPACING) else {
            outside += 1;
            continue;
        };
        let scene = model.among(problem)?;
        peers.stand(problem)?;
        let path = path(model, problem, &scene, wanted)?;
        let mut on_path = Vec::new();
        for edge in path.windows(2) {
            on_path.extend(line(model, [&edge[0], &edge[1]], SPACING)?);
        }
        for (tally, states) in tallies.iter_mut().zip([straight, on_path, random]) {
            tally.ask((model, problem), &scene, &mut peers, &states, wanted.rounds)?;
        }
    }
    let obstacles: usize = problems.iter().map(|problem| problem.obstacles.len()).sum();
    let mut text = format!(
        "\n## {}\n\n`{}`: {} bodies of {} triangles, {} pairs of them; {} problems with {} obstacles on average",
        model.source.title,
        model.source.urdf,
        model.body_count(),
        model.triangles(),
        model.pairs.len(),
        problems.len(),
        number(obstacles as f64 / problems.len() as f64),
    );
    if outside > 0 {
        let _ = write!(
            text,
            ", of which {outside} have an end outside of the joints' limits"
        );
    }
    let _ = writeln!(text, ".\n");
    text += &states_table(&tallies, &peers);
    Ok(text)
}

/// The kinds of states.
const STATES: [&str; 3] = ["straight lines", "found paths", "random"];

/// The points of a path that the plan finds, without proof; none where it finds none.
fn path(
    model: &Model,
    problem: &Problem,
    scene: &superovoid_robot::scene::RobotScene,
    wanted: &Wanted,
) -> Result<Vec<Vec<f64>>> {
    let [start, goal] = [&problem.start, &problem.goal].map(|end| model.configuration(end));
    let asked = PlanProblem::new(start?, vec![goal?]).with_joints(model.source.joints.to_vec());
    let options = PlanOptions::default()
        .with_seed(wanted.seed)
        .with_prove(false)
        .with_max_time(Some(wanted.max_time));
    match plan(&mut scene.clone(), &asked, &options)? {
        Plan::Found { path, .. } => path.iter().map(|point| model.positions(point)).collect(),
        Plan::NotFound { .. } => Ok(Vec::new()),
    }
}

fn states_table(tallies: &[Tally], peers: &Peers) -> String {
    let mut text = String::from(
        "### States\n\nStates at most 1/32 rad apart on the straight lines from start to goal and on the paths that `plan` finds \
         without proof, and random ones within the limits.\n\n*Missed*: colliding by coal and free by us; *false alarms*: the reverse; *enclosed*: false \
         alarms where a body lies wholly in a closed mesh, which coal takes for a surface (by winding numbers, Van Oosterom and \
         Strackee 1983).\n\n| states | count | colliding | missed | false alarms | of these within 1e-6 m | enclosed | coal failed |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for tally in tallies {
        let [missed, alarms] = tally.wrong;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {missed} | {alarms} | {} / {} | {} | {} |",
            tally.title,
            tally.states,
            tally.colliding,
            tally.touching[0],
            tally.touching[1],
            tally.enclosed,
            tally.failed,
        );
    }
    for told in tallies.iter().flat_map(|tally| &tally.told) {
        let _ = writeln!(text, "\n- {told}");
    }
    text += "\n| checker | ";
    for tally in tallies {
        let _ = write!(text, "{}, µs a state | times ours | ", tally.title);
    }
    let _ = writeln!(text, "\n| --- |{}", " ---: | ---: |".repeat(tallies.len()));
    let names = OURS
        .iter()
        .map(ToString::to_string)
        .chain(peers.names.iter().cloned());
    for (k, name) in names.enumerate() {
        let _ = write!(text, "| {name} | ");
        for tally in tallies {
            let (time, ours) = (tally.mean(k), tally.mean(1));
            let _ = write!(text, "{} | {} | ", number(time), number(time / ours));
        }
        text.push('\n');
    }
    text
}
