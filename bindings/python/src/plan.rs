//! Motions of robots among obstacles.

use crate::array_output::array;
use crate::configurations::{Configurations, one_configuration};
use crate::fit::Progress;
use crate::options::time_limit;
use crate::robot_scene::RobotScene;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::time::{Duration, Instant};
use superovoid_plan::{
    Plan, PlanError, PlanOptions, PlanProblem, PlanStatistics, Reason, Touching, plan_with_progress,
};

/// A pair that touches: two names, and the distance in metres.
type Pair = (String, String, f64);

/// The fields of `superovoid.Plan`, in its order.
type Fields<'py> = (
    Bound<'py, PyAny>,
    Vec<String>,
    bool,
    Option<usize>,
    Option<String>,
    Vec<Pair>,
    Bound<'py, PyDict>,
);

#[pyfunction]
#[pyo3(name = "_plan")]
#[allow(clippy::too_many_arguments)]
pub fn plan<'py>(
    py: Python<'py>,
    scene: &Bound<'py, RobotScene>,
    start: &Bound<'py, PyAny>,
    goals: &Bound<'py, PyAny>,
    joints: Option<Vec<String>>,
    seed: u64,
    spacing: f64,
    max_step: f64,
    max_samples: usize,
    max_time: Option<f64>,
    shortcuts: usize,
    prove: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Fields<'py>> {
    let scene = scene.get();
    let robot = &*scene.robot;
    let start = one_configuration(robot, (start, "start"))?;
    let goals = Configurations::new(robot, &[(goals, "goals")])?;
    let goals = goals.lists.into_iter().flatten().collect();
    let mut problem = PlanProblem::new(start, goals);
    problem.joints = joints;
    let options = PlanOptions::default()
        .with_seed(seed)
        .with_spacing(spacing)
        .with_max_step(max_step)
        .with_max_samples(max_samples)
        .with_max_time(time_limit(max_time)?)
        .with_shortcuts(shortcuts)
        .with_prove(prove);
    let progress = Progress::new(progress);
    let mut asked = Instant::now();
    let mut goes_on = |work: &PlanStatistics| {
        // Without a callback there is Ctrl-C alone.
        if progress.callback.is_none() && asked.elapsed() < SIGNALS_EVERY {
            return true;
        }
        asked = Instant::now();
        progress.call(|py, callback| callback.call1(py, (told(py, work)?,)))
    };
    let found = if progress.callback.is_some() {
        // A callback may ask the scene, which is free meanwhile.
        let mut copy = scene.lock(py)?.clone();
        py.detach(|| plan_with_progress(&mut copy, &problem, &options, &mut goes_on))
    } else {
        let scene = &mut *scene.lock(py)?;
        py.detach(|| plan_with_progress(scene, &problem, &options, &mut goes_on))
    };
    if let Some(raised) = progress.raised() {
        return Err(raised);
    }
    let found = found.map_err(|error: PlanError| PyValueError::new_err(error.to_string()))?;
    let names = robot.joints().iter().enumerate().flat_map(|(k, joint)| {
        let numbers = robot.position_range(k).unwrap_or_default();
        numbers.map(|_| joint.name.clone())
    });
    let names: Vec<String> = names.collect();
    let (path, proven, goal, reason, statistics) = match found {
        Plan::Found {
            path,
            goal,
            proven,
            statistics,
        } => (path, proven, Some(goal), None, statistics),
        Plan::NotFound { reason, statistics } => {
            (Vec::new(), false, None, Some(reason), statistics)
        }
    };
    let numbers = path.iter().flat_map(|configuration| configuration.to_vec());
    let path = array(
        py,
        &[path.len()],
        &[names.len()],
        numbers.collect::<Vec<f64>>(),
    )?;
    let touching = reason.as_ref().map_or_else(Vec::new, touching);
    let reason = reason.map(|reason| reason.to_string());
    let statistics = told(py, &statistics)?;
    Ok((path, names, proven, goal, reason, touching, statistics))
}

/// The time between two looks for Ctrl-C.
const SIGNALS_EVERY: Duration = Duration::from_millis(100);

/// Returns the pairs that keep the start or the goals from being free.
fn touching(reason: &Reason) -> Vec<Pair> {
    let pair = |of: &Touching| (of.a.clone(), of.b.clone(), of.contact.contact.distance);
    match reason {
        Reason::StartInCollision(of) => vec![pair(of)],
        Reason::GoalsInCollision(all) => all.iter().map(pair).collect(),
        _ => Vec::new(),
    }
}

fn told<'py>(py: Python<'py>, statistics: &PlanStatistics) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (name, count) in [
        ("samples", statistics.samples),
        ("states_checked", statistics.states_checked),
        ("edges_checked", statistics.edges_checked),
        ("edges_proven", statistics.edges_proven),
        ("edges_refused", statistics.edges_refused),
        ("rounds", statistics.rounds),
    ] {
        all.set_item(name, count)?;
    }
    for (name, time) in [
        ("search", statistics.search),
        ("shortcutting", statistics.shortcutting),
        ("proof", statistics.proof),
    ] {
        all.set_item(name, time.as_secs_f64())?;
    }
    Ok(all)
}
