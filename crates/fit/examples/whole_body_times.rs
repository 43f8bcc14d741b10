//! Times the self-collision queries of a robot over the rows of a CSV file of configurations, on one thread, and writes
//! the answers. `studies/compare/whole_body.py` calls it and does the same with coal.
//!
//! ```text
//! cargo run --release -p superovoid-fit --example whole_body_times -- ROBOT.urdf PAIRS.srdf ROWS.csv ANSWERS.csv [PACKAGES]
//! ```

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use superovoid_fit::{ReadLimits, load_collision_meshes};
use superovoid_robot::scene::{RobotScene, SceneOptions};
use superovoid_robot::{Configuration, Robot, Srdf};

/// Each query takes this many turns over all rows; the fastest counts.
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [robot, srdf, rows, answers, packages @ ..] = &arguments[..] else {
        return Err("arguments: ROBOT.urdf PAIRS.srdf ROWS.csv ANSWERS.csv [PACKAGES]".into());
    };
    let packages: Vec<PathBuf> = packages.iter().map(PathBuf::from).collect();
    let path = Path::new(robot);
    let robot = Robot::from_urdf_file(path)?;
    let loaded = load_collision_meshes(robot, path, &packages, &ReadLimits::default())?;
    if let Some(problem) = loaded.problems.first() {
        return Err(format!("{}: {}", problem.filename, problem.problem).into());
    }
    let rows = configurations(&loaded.robot, &fs::read_to_string(rows)?)?;
    let bodies = loaded.robot.collision_body_count();
    let mut scene = RobotScene::new(loaded.robot)?;
    scene.apply_srdf(&Srdf::from_srdf_file(srdf)?);
    let options = SceneOptions::default();
    let (collision, hits) = timed(&mut scene, &rows, |scene, row| {
        scene.in_collision(row, &options)
    })?;
    let (closest, distances) = timed(&mut scene, &rows, |scene, row| scene.closest(row, &options))?;
    let mut text = String::from("collision,distance\n");
    for (hit, found) in hits.iter().zip(&distances) {
        let distance = found.map_or(f64::INFINITY, |found| found.contact.distance);
        text += &format!("{},{distance:e}\n", u8::from(*hit));
    }
    fs::write(answers, text)?;
    println!("{bodies} {collision:.2} {closest:.2}");
    Ok(())
}

/// Returns the time of a query in microseconds, and the answers.
fn timed<T, E>(
    scene: &mut RobotScene,
    rows: &[Configuration],
    query: impl Fn(&mut RobotScene, &Configuration) -> Result<T, E>,
) -> Result<(f64, Vec<T>), E> {
    let mut fastest = f64::INFINITY;
    let mut answers = Vec::new();
    for _ in 0..ROUNDS {
        // Rows that follow each other are no path: nothing is warm.
        let start = Instant::now();
        let mut found = Vec::with_capacity(rows.len());
        for row in rows {
            scene.clear_warm_starts();
            found.push(query(scene, row)?);
        }
        fastest = fastest.min(start.elapsed().as_secs_f64());
        answers = found;
    }
    Ok((fastest / rows.len() as f64 * 1e6, answers))
}

fn configurations(robot: &Robot, text: &str) -> Result<Vec<Configuration>, Box<dyn Error>> {
    let mut lines = text.lines();
    let joints: Vec<&str> = lines
        .next()
        .ok_or("the rows have no header")?
        .split(',')
        .collect();
    let mut rows = Vec::new();
    for line in lines {
        let mut row = robot.neutral();
        for (joint, word) in joints.iter().zip(line.split(',')) {
            row.set(joint, word.parse::<f64>()?)?;
        }
        rows.push(row);
    }
    Ok(rows)
}
