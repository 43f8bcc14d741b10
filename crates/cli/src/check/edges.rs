//! The straight lines between the rows of a trajectory, proven free or not.

use super::found::{FoundPair, Side};
use crate::output::{progress_bar, write_whole};
use anyhow::{Context, Result, anyhow, ensure};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use superovoid_robot::scene::{RobotContact, RobotScene, RobotSceneError};
use superovoid_robot::{Configuration, EdgeAnswer, EdgeOptions, EdgeStatus, Robot};

/// An edge from one row to the next, with the pair that touches or is undecided.
pub struct Edge {
    answer: EdgeAnswer<RobotContact>,
    pair: Option<FoundPair>,
}

/// What is said of an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Free,
    Hit,
    Undecided,
    /// Free as far as it was checked.
    Unchecked,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Verdict::Free => "free",
            Verdict::Hit => "hit",
            Verdict::Undecided => "undecided",
            Verdict::Unchecked => "unchecked",
        }
    }
}

impl Edge {
    fn verdict(&self) -> Verdict {
        match self.answer.status {
            EdgeStatus::Free => Verdict::Free,
            EdgeStatus::Hit => Verdict::Hit,
            EdgeStatus::Undecided if self.answer.unchecked > 0 && self.answer.safe == Some(1.0) => {
                Verdict::Unchecked
            }
            EdgeStatus::Undecided => Verdict::Undecided,
        }
    }

    /// Whether every pair that is checked is proven free.
    pub fn is_free(&self) -> bool {
        matches!(self.verdict(), Verdict::Free | Verdict::Unchecked)
    }
}

/// Judges the edges between the rows, on all threads.
pub fn check(scene: &RobotScene, rows: &[Configuration]) -> Result<Vec<Edge>> {
    ensure!(
        rows.len() > 1,
        "--edges needs a trajectory of at least two rows"
    );
    let bar = progress_bar(rows.len() - 1, "edges")?;
    let mut answers: Vec<Option<Result<Edge, RobotSceneError>>> = Vec::new();
    answers.resize_with(rows.len() - 1, || None);
    let work = Mutex::new(rows.windows(2).zip(answers.iter_mut()));
    let next = || work.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        let mut scene = scene.clone();
        while let Some((ends, answer)) = next() {
            *answer = Some(judged(&mut scene, &ends[0], &ends[1]));
            bar.inc(1);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // A thread that cannot be started leaves its work to the others.
            let _ = std::thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    bar.finish_and_clear();
    let edges = (1..).zip(answers).map(|(row, answer)| {
        let answer = answer.ok_or_else(|| anyhow!("no answer"));
        let edge = answer.and_then(|found| found.map_err(anyhow::Error::from));
        edge.with_context(|| format!("the edge from row {row} to row {}", row + 1))
    });
    edges.collect()
}

fn judged(
    scene: &mut RobotScene,
    from: &Configuration,
    to: &Configuration,
) -> Result<Edge, RobotSceneError> {
    let answer = scene.edge_free(from, to, &EdgeOptions::default())?;
    let pair = answer
        .contact
        .as_ref()
        .map(|found| FoundPair::of(scene, found));
    Ok(Edge { answer, pair })
}

/// Writes a row for every edge. Where an edge is safe and where it touches are shares of the way, from 0 to 1.
pub fn write(path: &Path, robot: &Robot, edges: &[Edge]) -> Result<()> {
    write_whole(path, |out| {
        writeln!(out, "from,to,status,safe,touching,a,b")?;
        for (row, edge) in (1..).zip(edges) {
            write_row(out, robot, row, edge)?;
        }
        Ok(())
    })
}

fn write_row(out: &mut dyn Write, robot: &Robot, row: usize, edge: &Edge) -> io::Result<()> {
    let number = |t: Option<f64>| t.map_or_else(String::new, |t| format!("{t:.16e}"));
    let [safe, touching] = [edge.answer.safe, edge.answer.touching].map(number);
    let [a, b] = names(robot, edge).map(|name| crate::fit_options::quoted(&name));
    let status = edge.verdict().name();
    writeln!(out, "{row},{},{status},{safe},{touching},{a},{b}", row + 1)
}

/// Returns the names of the pair; empty where there is none.
fn names(robot: &Robot, edge: &Edge) -> [String; 2] {
    edge.pair.as_ref().map_or_else(Default::default, |pair| {
        [
            Side::Link(pair.a.0, pair.a.1).label(robot),
            pair.b.label(robot),
        ]
    })
}

/// Returns the first edges that are not free, a line each, and a line about all.
pub fn summary(robot: &Robot, edges: &[Edge]) -> String {
    const LISTED: usize = 10;
    let mut text = String::new();
    let bad = (1..).zip(edges).filter(|(_, edge)| !edge.is_free());
    for (row, edge) in bad.clone().take(LISTED) {
        text += &line(robot, row, edge);
    }
    let more = bad.count().saturating_sub(LISTED);
    if more > 0 {
        text += &format!("{more} more that are not free\n");
    }
    let counted = [
        (Verdict::Hit, "HIT"),
        (Verdict::Undecided, "UNDECIDED"),
        (Verdict::Unchecked, "NOT CHECKED"),
        (Verdict::Free, "proven free"),
    ];
    let parts = counted.iter().filter_map(|(verdict, name)| {
        let count = edges
            .iter()
            .filter(|edge| edge.verdict() == *verdict)
            .count();
        (count > 0).then(|| format!("{count} {name}"))
    });
    let parts: Vec<String> = parts.collect();
    let left_out = super::report::left_out(robot);
    let (name, count) = (robot.name(), edges.len());
    text + &format!("{name}: of {count} edges {}{left_out}\n", parts.join(", "))
}

fn line(robot: &Robot, row: usize, edge: &Edge) -> String {
    let [a, b] = names(robot, edge);
    let pair = if a.is_empty() {
        String::new()
    } else {
        format!(" {a} and {b}")
    };
    let next = row + 1;
    let safe = edge.answer.safe;
    match (edge.verdict(), safe, edge.answer.touching) {
        (Verdict::Hit, Some(safe), Some(t)) => {
            format!(
                "rows {row} to {next}: HIT{pair}, free up to {safe:.6} of the way, touching at {t:.6}\n"
            )
        }
        (Verdict::Hit, ..) => format!("rows {row} to {next}: HIT{pair} at the beginning\n"),
        (_, Some(safe), _) => {
            format!("rows {row} to {next}: UNDECIDED{pair}, free up to {safe:.6} of the way\n")
        }
        (_, None, _) => format!("rows {row} to {next}: UNDECIDED{pair} from the beginning\n"),
    }
}
