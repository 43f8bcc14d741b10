//! Times of impact against other engines: who misses a hit, who invents one, how long it takes.
//!
//! The motions are those that all engines know: origins on straight lines, steady turns about them. Other engines have
//! convex hulls of the bodies, so that a motion counts only where the truth is clear of the difference: a hit where the
//! bodies become deeper than [`MARGIN`], a miss where they stay farther apart.

#[cfg(feature = "box3d")]
mod box3d;
mod course;
mod foreign;
mod truth;

use crate::machine;
use crate::mesh::Mesh;
use crate::workload::{Battery, Draw};
use anyhow::{Context, Result};
use course::{Course, Found, MARGIN};
use foreign::{Driver, Kind};
use indicatif::ProgressBar;
use nalgebra::Isometry3;
use parry3d_f64::query::cast_shapes_nonlinear;
use parry3d_f64::shape::ConvexPolyhedron;
use std::fmt::Write;
use std::time::Instant;
use superovoid::motion::{TimeOfImpact, TimeOfImpactOptions, time_of_impact};
use truth::{Truth, judge};

/// Later than the first contact by more than this share of the motion is too late.
const LATE: f64 = 0.02;
/// The turn of a body, radians: less than π, beyond which FCL takes the shorter way round.
const TURN: f64 = 3.0;

/// What came of an engine's answers.
#[derive(Default)]
struct Row {
    missed: usize,
    invented: usize,
    late: usize,
    unknown: usize,
    nanoseconds: Vec<f64>,
}

impl Row {
    fn add(&mut self, truth: Truth, found: Found, nanoseconds: f64) {
        self.nanoseconds.push(nanoseconds);
        match (truth, found) {
            (_, Found::Unknown) => self.unknown += 1,
            (Truth::Hit { .. }, Found::Free) => self.missed += 1,
            (Truth::Hit { clear }, Found::Hit(t)) => self.late += usize::from(t > clear + LATE),
            (Truth::Free, Found::Hit(_)) => self.invented += 1,
            (Truth::Free, Found::Free) | (Truth::Unclear, _) => {}
        }
    }
}

/// Draws motions of which about two thirds hit: bodies of the battery some diameters apart, moving past one another.
fn draw(draw: &mut Draw) -> [Course; 2] {
    let battery = Battery {
        axes: [0.3, 1.0],
        exponents: [0.2, 1.3],
        ..Battery::default()
    };
    let workload = draw.battery(1, &battery);
    let [a, b] = workload.cases[0].poses;
    let away = draw.direction() * draw.between(2.2, 5.0);
    let aim = draw.direction() * draw.between(0.0, 4.0);
    let speed = draw.between(0.5, 2.0);
    let mut turn = || draw.direction() * TURN * draw.between(0.0, 1.0);
    let (spin_a, spin_b) = (turn(), turn());
    let place = Isometry3::from_parts(away.into(), b.rotation);
    [
        Course {
            shape: workload.shapes[0],
            start: a,
            linear: aim * 0.5,
            angular: spin_a,
        },
        Course {
            shape: workload.shapes[1],
            start: place,
            linear: (aim - away) * speed,
            angular: spin_b,
        },
    ]
}

fn ours(courses: &[Course; 2]) -> Result<(Found, f64)> {
    let (a, b) = (courses[0].motion()?, courses[1].motion()?);
    let options = TimeOfImpactOptions::default();
    let start = Instant::now();
    let found = time_of_impact(&courses[0].shape, &a, &courses[1].shape, &b, &options)?;
    let nanoseconds = start.elapsed().as_nanos() as f64;
    let found = match found {
        TimeOfImpact::Free { .. } => Found::Free,
        TimeOfImpact::Hit { safe, .. } => Found::Hit(safe),
        TimeOfImpact::Overlapping { .. } => Found::Hit(0.0),
        TimeOfImpact::Undecided { .. } => Found::Unknown,
    };
    Ok((found, nanoseconds))
}

fn parry(courses: &[Course; 2], meshes: &[Mesh; 2]) -> Result<(Found, f64)> {
    let hull = |mesh: &Mesh| {
        ConvexPolyhedron::from_convex_mesh(mesh.points(), &mesh.triangles).context("parry's hull")
    };
    let (a, b) = (hull(&meshes[0])?, hull(&meshes[1])?);
    let (on_a, on_b) = (courses[0].for_parry(), courses[1].for_parry());
    let start = Instant::now();
    let found = cast_shapes_nonlinear(&on_a, &a, &on_b, &b, 0.0, 1.0, true);
    let nanoseconds = start.elapsed().as_nanos() as f64;
    let found = match found {
        Ok(None) => Found::Free,
        Ok(Some(hit)) => Found::Hit(hit.time_of_impact),
        Err(_) => Found::Unknown,
    };
    Ok((found, nanoseconds))
}

/// A motion with its truth, and the hulls for the others.
struct Question {
    courses: [Course; 2],
    meshes: [Mesh; 2],
    truth: Truth,
}

/// Runs all engines on `count` motions, one engine after the other, and returns the page.
///
/// # Errors
/// A body that is refused, or has no hull.
pub fn page(count: usize, seed: u64) -> Result<String> {
    let driver = Driver::load();
    let mut random = Draw::new(seed);
    let progress = ProgressBar::new(count as u64);
    let mut questions = Vec::new();
    for _ in 0..count {
        let courses = draw(&mut random);
        questions.push(Question {
            truth: judge(&courses)?,
            meshes: [
                Mesh::hull(&courses[0].shape)?,
                Mesh::hull(&courses[1].shape)?,
            ],
            courses,
        });
        progress.inc(1);
    }
    let mut rows = vec![
        row("superovoid, proven", &questions, |q| ours(&q.courses))?,
        row("parry, hulls", &questions, |q| parry(&q.courses, &q.meshes))?,
    ];
    if let Ok(driver) = &driver {
        for (kind, name) in Kind::ALL {
            let ask = |q: &Question| Ok(driver.run(kind, &q.courses, &q.meshes));
            rows.push(row(name, &questions, ask)?);
        }
    }
    #[cfg(feature = "box3d")]
    rows.push(box3d_row(&questions)?);
    progress.finish_and_clear();
    let missing = driver.err().map(|error| format!("{error:#}"));
    text(count, seed, &questions, &rows, missing)
}

#[cfg(feature = "box3d")]
fn box3d_row(questions: &[Question]) -> Result<(&'static str, Row)> {
    row("Box3D, hulls, in four parts", questions, |q| {
        let clouds = [
            box3d::Cloud::new(&q.courses[0].shape)?,
            box3d::Cloud::new(&q.courses[1].shape)?,
        ];
        Ok(box3d::ask(&q.courses, &clouds))
    })
}

/// Asks an engine everything.
fn row(
    name: &'static str,
    questions: &[Question],
    mut ask: impl FnMut(&Question) -> Result<(Found, f64)>,
) -> Result<(&'static str, Row)> {
    let mut row = Row::default();
    for question in questions {
        let (found, nanoseconds) = ask(question)?;
        row.add(question.truth, found, nanoseconds);
    }
    Ok((name, row))
}

fn text(
    count: usize,
    seed: u64,
    questions: &[Question],
    rows: &[(&str, Row)],
    missing: Option<String>,
) -> Result<String> {
    let number = |is: fn(&Truth) -> bool| questions.iter().filter(|q| is(&q.truth)).count();
    let hits = number(|truth| matches!(truth, Truth::Hit { .. }));
    let free = number(|truth| *truth == Truth::Free);
    let mut page = String::new();
    writeln!(
        page,
        "# Times of impact against other engines\n\n    cargo run --release -p superovoid-compare --features box3d -- impacts --output \
         docs/reports/comparison_impacts.md --motions {count} --seed {seed}\n\n{}, load {}.\n",
        machine::processor(),
        machine::load()
    )?;
    writeln!(
        page,
        "{count} motions of two superellipsoids (semi-axes 0.3 to 1 m, exponents 0.2 to 1.3): both origins move on straight\n\
         lines and both bodies turn by up to {TURN} rad. The others have the convex hulls of the bodies, of some 266 vertices.\n\
         Of these motions {hits} hit (the bodies become deeper than {MARGIN} m), {free} are free (they stay farther apart than\n\
         that), and the rest counts for times only. The truth is the least of our own certified distances at 2,000\n\
         instants. *missed*: called free and hit; *invented*: called a hit and free; *late*: found more than {LATE} of the motion after\n\
         the bodies are {MARGIN} m deep; *unknown*: says so, or would end the program by an assertion.\n"
    )?;
    writeln!(
        page,
        "| | missed | invented | late | unknown | mean, µs | median, µs | slowest, µs |\n| --- | --- | --- | --- | --- | --- | --- | --- |"
    )?;
    for (name, row) in rows {
        let mut times = row.nanoseconds.clone();
        times.sort_by(f64::total_cmp);
        let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] / 1e3;
        writeln!(
            page,
            "| {name} | {} | {} | {} | {} | {:.2} | {:.2} | {:.1} |",
            row.missed,
            row.invented,
            row.late,
            row.unknown,
            mean / 1e3,
            at(0.5),
            at(1.0)
        )?;
    }
    if missing.is_none() {
        writeln!(
            page,
            "\nBy conservative advancement of meshes FCL 0.7 calls even a box free that passes straight through another one.\n\
             Bullet is in single precision, as Debian builds it."
        )?;
    }
    if cfg!(feature = "box3d") {
        writeln!(
            page,
            "\nBox3D is in single precision, takes at most 128 vertices (114 here) and interpolates orientations linearly, so that it is\n\
             asked a motion in four parts up to the first hit. A hit is for it a distance of 5 mm."
        )?;
    }
    writeln!(
        page,
        "\nWhat is proven of the library's answers is in [motion.md](../guides/motion.md); a\n\
         million motions are judged by an oracle of its own in `tests/contact/time_of_impact.rs`."
    )?;
    if let Some(missing) = missing {
        writeln!(page, "\nLeft out, not found: FCL and Bullet ({missing}).")?;
    }
    if cfg!(not(feature = "box3d")) {
        writeln!(page, "\nLeft out: Box3D (`--features box3d`).")?;
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;
    use superovoid::Superovoid;

    /// A blade that sweeps through a ball within half a turn, free at both ends: moveit#2889 and parry#317 are of this
    /// kind.
    #[test]
    fn a_swept_ball_is_a_hit_for_the_truth_and_for_us() {
        let blade = Course {
            shape: Superovoid::superellipsoid([1.0, 0.05, 0.3], [0.2, 0.2]).expect("valid"),
            start: Isometry3::identity(),
            linear: Vector3::zeros(),
            angular: Vector3::new(0.0, 0.0, 2.9),
        };
        let ball = Course {
            shape: Superovoid::sphere(0.1).expect("valid"),
            start: Isometry3::translation(0.1, 0.7, 0.0),
            linear: Vector3::zeros(),
            angular: Vector3::zeros(),
        };
        let courses = [blade, ball];
        assert!(matches!(judge(&courses).expect("valid"), Truth::Hit { .. }));
        assert!(matches!(ours(&courses).expect("valid").0, Found::Hit(_)));
    }

    #[test]
    fn a_short_page_has_a_row_of_ours_without_faults() {
        let page = page(40, 7).expect("a page");
        let row = page
            .lines()
            .find(|line| line.starts_with("| superovoid"))
            .expect("a row");
        assert!(
            row.starts_with("| superovoid, proven | 0 | 0 | 0 |"),
            "{page}"
        );
    }
}
