//! Problems of motion planning: robots with their meshes as they are, among boxes, spheres and cylinders. Whether states
//! are free, beside coal and FCL, whose exact meshes are the truth.

mod course;
mod edges;
mod model;
mod paths;
mod problems;
mod solve;
mod sources;
mod states;
mod tables;

use crate::machine;
use crate::planner::foreign;
use anyhow::{Context, Result, bail, ensure};
use course::Course;
use model::Model;
use paths::GivenPath;
use problems::Problem;
use sources::{SOURCES, Source};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

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
        let loaded = sources::problem_file(&wanted.folder, source.robot).and_then(|problems| {
            let folder = sources::find(&robots, source.urdf)
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
            rounds: wanted.rounds,
            seed: wanted.seed,
            max_time: wanted.max_time,
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
         {} --seed {} --max-time {}`, {}; load {}. Problems in {}. One thread. Robots with their collision meshes as they are, less the \
         pairs that their SRDF files disable, among boxes, spheres and cylinders. Ours begin with the configurations (forward \
         kinematics); coal and FCL are given the poses of the bodies, and their obstacles stand in a tree of their own. All \
         end at the first collision of a state. Times are the fastest of the rounds, summed over all problems.\n",
        wanted.problems,
        wanted.rounds,
        wanted.seed,
        wanted.max_time.as_secs_f64(),
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
