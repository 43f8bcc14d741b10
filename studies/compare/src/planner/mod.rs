//! What a planner asks: is this configuration free, and how close is the closest pair? Both for many configurations, to
//! the library and to coal and FCL with their own broad phases, on convex hulls, meshes, and the spheres, boxes and
//! capsules that people write by hand.

pub mod foreign;
pub mod workload;

use crate::report::number;
use anyhow::Result;
use foreign::{Engine, Shapes};
use indicatif::ProgressBar;
use std::fmt::Write;
use std::time::Instant;
use superovoid_robot::scene::SceneOptions;
use workload::Workload;

/// The configurations that meshes are asked: they take a hundred times as long.
const FEW: usize = 32;
/// The questions.
const QUESTIONS: u32 = 2;

/// The times and verdicts of a checker on a workload.
struct Row {
    name: String,
    /// Microseconds a configuration of each question, the fastest of the rounds; NaN: not asked.
    times: [f64; QUESTIONS as usize],
    /// Collisions of the true bodies that are called free, and the reverse.
    wrong: [usize; 2],
    /// Without an answer.
    failed: usize,
    asked: usize,
}

/// The tables of all workloads.
pub struct Planner {
    tables: Vec<(Workload, Vec<Row>)>,
    missing: Vec<String>,
}

/// Steps of the progress bar.
pub const STEPS: u64 = 4;

/// # Errors
/// What is wrong with a model or an answer of the library.
pub fn run(count: usize, rounds: usize, seed: u64, progress: &ProgressBar) -> Result<Planner> {
    let engines = foreign::engines();
    let mut missing = Vec::new();
    let mut tables = Vec::new();
    for workload in workload::all(count, seed)? {
        let mut rows = ours(&workload, rounds)?;
        for (name, engine) in &engines {
            let Ok(engine) = engine else { continue };
            for (shapes, what) in [
                (Shapes::Hulls, "hulls of 266 vertices"),
                (Shapes::Primitives, "spheres, boxes, capsules"),
                (Shapes::Meshes, "meshes of 266 vertices"),
            ] {
                match theirs(&workload, engine, shapes, rounds) {
                    Ok((row, way)) => rows.push(Row {
                        name: format!("{name}, {what}{way}"),
                        ..row
                    }),
                    Err(error) => missing.push(format!("{name}, {what}: {error}")),
                }
            }
        }
        progress.inc(1);
        tables.push((workload, rows));
    }
    for (name, engine) in &engines {
        if let Err(error) = engine {
            missing.push(format!("{name}: {error}"));
        }
    }
    Ok(Planner { tables, missing })
}

/// Microseconds an element of the fastest round.
fn fastest(rounds: usize, count: usize, mut ask: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut least = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        ask()?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    Ok(1e6 * least / count as f64)
}

fn ours(workload: &Workload, rounds: usize) -> Result<Vec<Row>> {
    let options = SceneOptions::default();
    let states = &workload.configurations;
    let count = states.len();
    let mut scene = workload.scene.clone();
    let mut collides = Vec::new();
    let batch = fastest(rounds, count, || {
        collides = scene.in_collision_batch(states, &options, 1)?;
        Ok(())
    })?;
    let clearance = fastest(rounds, count, || {
        scene.clearance_batch(states, &options, 1)?;
        Ok(())
    })?;
    let deepest = fastest(rounds, count, || {
        scene.closest_batch(states, &options, 1)?;
        Ok(())
    })?;
    let single = fastest(rounds, count, || {
        for state in states {
            scene.in_collision(state, &options)?;
        }
        Ok(())
    })?;
    let single_closest = fastest(rounds, count, || {
        for state in states {
            scene.closest(state, &options)?;
        }
        Ok(())
    })?;
    let row = |name: &str, times| Row {
        name: name.to_owned(),
        times,
        wrong: wrong(&workload.collides, collides.iter().copied()),
        failed: 0,
        asked: count,
    };
    Ok(vec![
        row("superovoid, batches in lanes", [batch, clearance]),
        row("superovoid, batches, the deepest pair", [f64::NAN, deepest]),
        row(
            "superovoid, one by one, warm, the deepest pair",
            [single, single_closest],
        ),
    ])
}

/// The faster of the engine's two ways for each question.
fn theirs(
    workload: &Workload,
    engine: &Engine,
    shapes: Shapes,
    rounds: usize,
) -> Result<(Row, String)> {
    let all = workload.collides.len();
    let (count, rounds) = match shapes {
        Shapes::Meshes => (FEW.min(all), rounds.min(3)),
        _ => (all, rounds),
    };
    let numbers = 12 * workload.shapes.len();
    let poses = &workload.poses[..count * numbers];
    let mut row = Row {
        name: String::new(),
        times: [f64::INFINITY; QUESTIONS as usize],
        wrong: [0; 2],
        failed: 0,
        asked: count,
    };
    let mut ways = [0; QUESTIONS as usize];
    let mut answers = vec![f64::NAN; count];
    for way in 0..2 {
        let mut checker = engine.checker(workload, shapes, way)?;
        for question in (0..QUESTIONS).rev() {
            for _ in 0..rounds {
                let microseconds = checker.ask(poses, question, &mut answers) / 1e3 / count as f64;
                let place = &mut row.times[question as usize];
                if microseconds < *place {
                    (*place, ways[question as usize]) = (microseconds, way);
                }
            }
        }
    }
    row.failed = answers.iter().filter(|answer| answer.is_nan()).count();
    row.wrong = wrong(
        &workload.collides[..count],
        answers.iter().map(|answer| *answer > 0.0),
    );
    let names = ways.map(|way| ["pairs", "tree"][way as usize]);
    Ok((row, format!(" ({} / {})", names[0], names[1])))
}

fn wrong(truth: &[bool], verdicts: impl Iterator<Item = bool>) -> [usize; 2] {
    let mut wrong = [0; 2];
    for (truth, verdict) in truth.iter().zip(verdicts) {
        wrong[0] += usize::from(*truth && !verdict);
        wrong[1] += usize::from(!*truth && verdict);
    }
    wrong
}

/// The section of the report.
pub fn markdown(planner: &Planner) -> String {
    let mut text = String::from(
        "\n## What a planner asks\n\nWhether a configuration is free, and how far apart its closest pair is, for \
         configurations without an order. Ours begin with the configurations (forward kinematics); coal and FCL are given \
         the poses of the bodies, and answer twice: in a loop over the pairs whose axis-aligned boxes meet, and by their \
         dynamic trees of boxes, of which the faster counts (*pairs* or *tree*, for the two questions). All end at the first \
         collision; the closest pair ends at the first overlap as well, but in the rows *the deepest pair*. Their bodies are \
         the hull or the mesh of 266 vertices of each body, or the smallest of the sphere, the box and the capsule around \
         it; spheres are spheres. *Missed*: bodies that touch, called free; *false alarms*: the reverse. One thread; the \
         fastest of the rounds.\n",
    );
    for (workload, rows) in &planner.tables {
        let collisions = workload.collides.iter().filter(|found| **found).count();
        let _ = write!(
            text,
            "\n### {}\n\n{} {} configurations, {collisions} in collision; {} pairs.\n\n\
             | checker | free? µs | times ours | closest µs | times ours | missed | false alarms | failed |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
            workload.title,
            workload.note,
            workload.collides.len(),
            workload.pairs.len(),
        );
        for row in rows {
            let ratio = |question: usize| number(row.times[question] / rows[0].times[question]);
            let of = |count: usize| match (count, row.asked == workload.collides.len()) {
                (0, true) => "0".to_owned(),
                (count, true) => format!("**{count}**"),
                (count, false) => format!("{count} of {}", row.asked),
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} | {} |",
                row.name,
                number(row.times[0]),
                ratio(0),
                number(row.times[1]),
                ratio(1),
                of(row.wrong[0]),
                of(row.wrong[1]),
                row.failed,
            );
        }
    }
    for line in &planner.missing {
        let line = line.lines().next().unwrap_or_default();
        let _ = writeln!(text, "\nNot here: {line}.");
    }
    text
}
