//! Problems of motion planning as text, plain or packed with gzip: those of MotionBenchMaker (Chamzas et al. 2022), or one's
//! own.
//!
//! ```text
//! P scenario index objects
//! S start, a position for each joint
//! G goal
//! O name kind a b c x y z qx qy qz qw       as often as there are objects
//! ```
//!
//! Kinds: 0 sphere (a radius), 1 box (half extents a b c), 2 cylinder (a radius, b height). Metres and radians.

use anyhow::{Context, Result, anyhow, ensure};
use flate2::read::GzDecoder;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// A shape as people write it by hand, its middle at the origin, its axis z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    Sphere { radius: f64 },
    Box { half: [f64; 3] },
    Cylinder { radius: f64, length: f64 },
}

pub struct Obstacle {
    pub name: String,
    pub solid: Solid,
    pub pose: Isometry3<f64>,
}

pub struct Problem {
    pub scenario: String,
    pub index: u32,
    pub start: Vec<f64>,
    pub goal: Vec<f64>,
    pub obstacles: Vec<Obstacle>,
}

/// Reads the problems of a robot with so many joints.
///
/// # Errors
/// What is wrong, with file and line.
pub fn read(path: &Path, joints: usize) -> Result<Vec<Problem>> {
    let mut problems: Vec<Problem> = Vec::new();
    let mut missing = 0;
    lines(path, |words| {
        let (key, words) = words.split_first().context("no text")?;
        if *key == "P" {
            ensure!(missing == 0, "the problem before lacks {missing} objects");
            ends(problems.last(), joints)?;
            let [scenario, index, objects] = words else {
                return Err(anyhow!("expected P scenario index objects"));
            };
            let whole = |text: &str| {
                text.parse()
                    .with_context(|| format!("{text:?}: not a count"))
            };
            missing = whole(objects)?;
            problems.push(Problem {
                scenario: (*scenario).to_owned(),
                index: whole(index)?,
                start: Vec::new(),
                goal: Vec::new(),
                obstacles: Vec::new(),
            });
            return Ok(());
        }
        let problem = problems
            .last_mut()
            .context("expected P, the first of a problem")?;
        match *key {
            "S" | "G" => {
                let end = if *key == "S" {
                    &mut problem.start
                } else {
                    &mut problem.goal
                };
                ensure!(end.is_empty(), "a second {key}");
                *end = numbers(words)?;
                let count = end.len();
                ensure!(count == joints, "{count} positions; expected {joints}");
            }
            "O" => {
                ensure!(missing > 0, "more objects than P says");
                missing -= 1;
                problem.obstacles.push(obstacle(words)?);
            }
            _ => return Err(anyhow!("{key:?}: expected P, S, G or O")),
        }
        Ok(())
    })?;
    let end = || path.display().to_string();
    ends(problems.last(), joints).with_context(end)?;
    ensure!(
        missing == 0,
        "{}: the last problem lacks {missing} objects",
        end()
    );
    ensure!(!problems.is_empty(), "{}: no problems", end());
    Ok(problems)
}

fn ends(problem: Option<&Problem>, joints: usize) -> Result<()> {
    let lacks = problem.is_some_and(|p| p.start.len() != joints || p.goal.len() != joints);
    ensure!(!lacks, "the problem before lacks its start or its goal");
    Ok(())
}

/// Gives the words of every line that is not empty.
///
/// # Errors
/// Those of `take`, with file and line.
pub fn lines(path: &Path, mut take: impl FnMut(&[&str]) -> Result<()>) -> Result<()> {
    let name = path.display();
    let file = File::open(path).with_context(|| name.to_string())?;
    let text: Box<dyn Read> = match path.extension() {
        Some(ending) if ending == "gz" => Box::new(GzDecoder::new(file)),
        _ => Box::new(file),
    };
    for (k, line) in (1..).zip(BufReader::new(text).lines()) {
        let line = line.with_context(|| format!("{name}:{k}"))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        if !words.is_empty() {
            take(&words).with_context(|| format!("{name}:{k}"))?;
        }
    }
    Ok(())
}

/// # Errors
/// What is not a finite number.
pub fn numbers(words: &[&str]) -> Result<Vec<f64>> {
    let number = |word: &&str| {
        let number = word.parse().ok().filter(|number: &f64| number.is_finite());
        number.with_context(|| format!("{word:?}: not a finite number"))
    };
    words.iter().map(number).collect()
}

fn obstacle(words: &[&str]) -> Result<Obstacle> {
    let (name, words) = words.split_first().context("an object without a name")?;
    let numbers = numbers(words)?;
    let [kind, a, b, c, x, y, z, qx, qy, qz, qw] = numbers[..] else {
        let count = numbers.len();
        return Err(anyhow!(
            "{count} numbers; expected kind a b c x y z qx qy qz qw"
        ));
    };
    let rotation = Quaternion::new(qw, qx, qy, qz);
    ensure!(
        (rotation.norm() - 1.0).abs() < 1e-6,
        "a quaternion of length {}",
        rotation.norm()
    );
    let (solid, sizes) = match kind {
        0.0 => (Solid::Sphere { radius: a }, &[a][..]),
        1.0 => (Solid::Box { half: [a, b, c] }, &[a, b, c][..]),
        2.0 => (
            Solid::Cylinder {
                radius: a,
                length: b,
            },
            &[a, b][..],
        ),
        _ => return Err(anyhow!("kind {kind}: expected 0, 1 or 2")),
    };
    ensure!(
        sizes.iter().all(|size| *size > 0.0),
        "a size that is not above 0"
    );
    Ok(Obstacle {
        name: (*name).to_owned(),
        solid,
        pose: Isometry3::from_parts(
            Translation3::new(x, y, z),
            UnitQuaternion::from_quaternion(rotation),
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> Result<Vec<Problem>> {
        let name = format!("superovoid-problems-{:?}.txt", std::thread::current().id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text)?;
        let found = read(&path, 2);
        std::fs::remove_file(&path)?;
        found
    }

    #[test]
    fn problems_are_read_and_errors_name_the_line() {
        let good = "P shelf 1 1\nS 0 1\nG 1 0\nO can 2 0.1 0.3 0 1 2 3 0 0 0 1\n\n";
        let problems = problem(&format!("{good}{good}")).expect("two problems");
        let obstacle = &problems[1].obstacles[0];
        assert_eq!(problems.len(), 2);
        assert_eq!(
            obstacle.solid,
            Solid::Cylinder {
                radius: 0.1,
                length: 0.3
            }
        );
        assert_eq!(obstacle.pose, Isometry3::translation(1.0, 2.0, 3.0));
        for (from, to, complaint) in [
            ("S 0 1", "S 0 1 2", ":2: 3 positions; expected 2"),
            ("G 1 0", "G 1 x", ":3: \"x\": not a finite number"),
            ("G 1 0\n", "", "lacks its start or its goal"),
            ("can 2", "can 3", ":4: kind 3"),
            ("0 0 0 1", "0 0 1 1", ":4: a quaternion"),
            ("0.1 0.3", "0.1 0", ":4: a size"),
            ("shelf 1 1", "shelf 1 2", "lacks 1 objects"),
            ("shelf 1 1", "shelf 1 0", ":4: more objects"),
            ("shelf 1 1", "shelf 1", ":1: expected P scenario"),
            ("P", "Q", ":1: expected P"),
        ] {
            let error = problem(&good.replacen(from, to, 1)).err();
            let error = format!("{:#}", error.expect(complaint));
            assert!(error.contains(complaint), "{complaint}: {error}");
        }
    }
}
