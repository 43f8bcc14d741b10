//! Every two kinds of shape beside FCL, coal and parry: distances, and yes or no.

mod body;
mod foreign;
mod program;
mod race;
mod truth;

use crate::machine;
use crate::peer::driver;
use crate::report::number;
use anyhow::{Context, Result};
use body::{Body, Kind, MESHES, direction};
use foreign::{Engine, Handle, Question};
use indicatif::ProgressBar;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query;
use race::{Ask, Timed, race};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;
use std::time::{Duration, Instant};
use superovoid::{Contact, DepthMode, QueryOptions};
use truth::{COAL, COLUMNS, FCL, PARRY, TIGHT, TOLERANCE, Truth, same_depth};

type Poses = [Isometry3<f64>; 2];

/// Poses nearer to touching are not asked, metres.
const MARGIN: f64 = 1e-5;

/// The drivers: of the C interface, FCL, coal.
const DRIVERS: usize = 3;

/// A body with the shapes of the drivers.
struct Placed<'a> {
    body: &'a Body,
    shapes: Vec<Option<Handle<'a>>>,
}

impl<'a> Placed<'a> {
    fn new(body: &'a Body, engines: &'a [Result<Engine>]) -> Self {
        let shape = |engine: &'a Result<Engine>| engine.as_ref().ok()?.shape(body);
        Placed {
            body,
            shapes: engines.iter().map(shape).collect(),
        }
    }
}

/// What the library and a peer have answered of one question.
struct Peer {
    /// Nanoseconds: the library's over the same poses, and the peer's.
    times: [f64; 2],
    asked: usize,
    wrong: usize,
    /// Differ by more than the tolerance from ours, within the bracket.
    undecided: usize,
}

struct Row {
    pair: String,
    verdict: bool,
    overlapping: bool,
    /// Nanoseconds.
    ours: f64,
    /// Answers whose bracket is wider than the tolerance, or verdicts that are wrong.
    open: usize,
    asked: usize,
    peers: Vec<Option<Peer>>,
    /// Two peers agree on an answer outside of our bracket, and nobody agrees with us.
    against_us: usize,
}

fn turn(rng: &mut ChaCha8Rng) -> UnitQuaternion<f64> {
    loop {
        let [x, y, z, w]: [f64; 4] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        let q = Quaternion::new(w, x, y, z);
        if q.norm() > 1e-2 && q.norm() < 1.0 {
            return UnitQuaternion::from_quaternion(q);
        }
    }
}

/// The yes-or-no question; of bodies farther apart than the limit there is no answer.
fn verdict_options(limit: f64) -> QueryOptions {
    QueryOptions::default()
        .with_depth(DepthMode::Any)
        .with_max_distance(limit)
}

fn contact(
    a: &Body,
    b: &Body,
    [at_a, at_b]: &Poses,
    options: &QueryOptions,
) -> Result<Option<Contact>> {
    Ok(a.ours
        .contact(at_a, &b.ours, at_b, options)?
        .map(|found| found.contact))
}

/// Poses of two bodies that are proven to be apart, or to overlap, by a margin.
fn poses(a: &Body, b: &Body, overlapping: bool, seed: u64) -> Result<Vec<Poses>> {
    let wanted = match (a.has_parts(), b.has_parts()) {
        (false, false) => 1_000,
        (true, true) => 60,
        _ => 200,
    };
    let reach = a.reach + b.reach;
    // Not in the space that a surface encloses.
    let range = match (b.has_parts(), overlapping) {
        (true, false) => 0.9 * reach..2.5 * reach,
        (true, true) => 0.4 * reach..reach,
        (false, false) => 0.0..2.5 * reach,
        (false, true) => 0.0..reach,
    };
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // A verdict is not asked how deep an overlap is.
    let depth = if b.has_parts() {
        DepthMode::Any
    } else {
        DepthMode::Fast
    };
    let options = verdict_options(MARGIN).with_depth(depth);
    let mut found = Vec::new();
    let start = Instant::now();
    while found.len() < wanted && (found.len() < 20 || start.elapsed() < Duration::from_secs(2)) {
        let at = Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0));
        let from = at + direction(&mut rng) * rng.random_range(range.clone());
        let pose = [from, at].map(|x| Isometry3::from_parts(Translation3::from(x), turn(&mut rng)));
        let known = contact(a, b, &pose, &options)?;
        let fits = match known {
            None => !overlapping,
            Some(known) if overlapping => known.upper <= if b.has_parts() { 0.0 } else { -MARGIN },
            Some(known) => known.lower > MARGIN,
        };
        if fits {
            found.push(pose);
        }
        anyhow::ensure!(
            start.elapsed() < Duration::from_secs(60),
            "no poses of {} and {}",
            a.name,
            b.name
        );
    }
    Ok(found)
}

fn ours<'a>(a: &'a Body, b: &'a Body, poses: &'a [Poses], verdict: bool) -> Ask<'a> {
    let options = if verdict {
        verdict_options(0.0)
    } else {
        QueryOptions::default()
    };
    Box::new(move |range, answers| {
        for (pose, answer) in poses[range].iter().zip(answers) {
            *answer = match contact(a, b, pose, &options) {
                Ok(found) if verdict => {
                    f64::from(u8::from(found.is_some_and(|found| found.upper <= 0.0)))
                }
                Ok(Some(found)) => found.distance,
                _ => f64::NAN,
            };
        }
    })
}

fn parry<'a>(
    a: &'a Body,
    b: &'a Body,
    poses: &[Poses],
    verdict: bool,
    overlapping: bool,
) -> Option<Ask<'a>> {
    let ((shape_a, local_a), (shape_b, local_b)) = (a.parry.as_ref()?, b.parry.as_ref()?);
    // Minutes for one answer.
    if a.name == MESHES[2].0 {
        return None;
    }
    let placed = |pose: &Isometry3<f64>, local: &Pose| {
        let (t, q) = (pose.translation.vector, pose.rotation.coords);
        Pose::from_parts(
            Vector::new(t.x, t.y, t.z),
            Rotation::from_xyzw(q.x, q.y, q.z, q.w),
        ) * *local
    };
    let place = |pose: &Poses| [placed(&pose[0], local_a), placed(&pose[1], local_b)];
    let poses: Vec<[Pose; 2]> = poses.iter().map(place).collect();
    Some(Box::new(move |range, answers| {
        for ([at_a, at_b], answer) in poses[range].iter().zip(answers) {
            let found = if verdict {
                query::intersection_test(at_a, &**shape_a, at_b, &**shape_b)
                    .map(|found| f64::from(u8::from(found.intersecting)))
            } else if overlapping {
                // A distance has no sign there.
                let found = query::contact(at_a, &**shape_a, at_b, &**shape_b, 0.0);
                found.map(|found| found.map_or(f64::INFINITY, |found| found.dist))
            } else {
                query::distance(at_a, &**shape_a, at_b, &**shape_b).map(|found| found.distance)
            };
            *answer = found.unwrap_or(f64::NAN);
        }
    }))
}

/// One question about poses of two bodies.
fn row(
    a: &Placed,
    b: &Placed,
    poses: &[Poses],
    verdict: bool,
    overlapping: bool,
    plan: &Plan,
) -> Result<Row> {
    let driver = |k: usize, question: Question| -> Option<Ask> {
        let shapes = [a, b].map(|body| body.shapes.get(k)?.as_ref());
        let [Some(of_a), Some(of_b)] = shapes else {
            return None;
        };
        of_a.ask(of_b, poses, question, overlapping)
    };
    let question = if verdict {
        Question::Verdict
    } else {
        Question::Distance
    };
    let mut engines = vec![
        Some(ours(a.body, b.body, poses, verdict)),
        driver(0, question),
        driver(1, question),
        driver(2, question),
        if verdict {
            None
        } else {
            driver(2, Question::Tight)
        },
        parry(a.body, b.body, poses, verdict, overlapping),
    ];
    let mut found = race(&mut engines, poses.len(), plan.pass, plan.clock).into_iter();
    drop(engines);
    let ours = found.next().flatten().context("an answer of ours")?;
    let peers: Vec<Option<Timed>> = found.collect();
    let known = peers
        .iter()
        .flatten()
        .map(|peer| peer.answers.len())
        .chain([ours.answers.len()])
        .max();
    let truth = |pose: &Poses| -> Result<Truth> {
        if verdict {
            return Ok(Truth::Verdict(overlapping));
        }
        let known = contact(a.body, b.body, pose, &QueryOptions::default())?;
        Ok(Truth::Distance(known.context("a distance")?))
    };
    let truth = poses[..known.unwrap_or(0)]
        .iter()
        .map(truth)
        .collect::<Result<Vec<_>>>()?;
    let open = |(truth, &answer): (&Truth, &f64)| match truth {
        Truth::Distance(known) => known.upper - known.lower > TOLERANCE,
        truth => truth.wrong(answer),
    };
    let judged = |peer: usize| verdict || !overlapping || same_depth(a.body, b.body, peer);
    // The library's C interface is no witness of its own, and coal at its two tolerances is one against us, since at the
    // wider one it shares an error of GJK with FCL.
    let against_us = |k: &usize| {
        let answers = |of: &[usize]| -> Vec<f64> {
            let answer = |&peer: &usize| peers[peer].as_ref()?.answers.get(*k).copied();
            of.iter()
                .filter(|peer| judged(**peer))
                .filter_map(answer)
                .collect()
        };
        let near = |x: f64, y: f64| (x - y).abs() <= 0.01 * TOLERANCE;
        let of_us = ours.answers.get(*k).copied().unwrap_or(f64::NAN);
        if answers(&[FCL, COAL, TIGHT, PARRY])
            .iter()
            .any(|&x| near(x, of_us))
        {
            return false;
        }
        let mut outside = answers(&[FCL, COAL, PARRY]);
        outside.retain(|&answer| truth[*k].wrong(answer));
        let before = |(i, &x): (usize, &f64)| outside[..i].iter().any(|&y| near(x, y));
        outside.iter().enumerate().any(before)
    };
    let against_us = (0..truth.len()).filter(against_us).count();
    let judge = |(k, peer): (usize, &Timed)| {
        let known = |known: &Truth| if judged(k) { *known } else { Truth::Another };
        let truth = truth.iter().map(known).collect::<Vec<_>>();
        let pairs = || truth.iter().zip(&peer.answers);
        let wrong = pairs()
            .filter(|(truth, answer)| truth.wrong(**answer))
            .count();
        Peer {
            times: [ours.beside(peer), peer.beside(&ours)],
            asked: peer.answers.len(),
            wrong,
            undecided: pairs()
                .filter(|(truth, answer)| truth.differs(**answer))
                .count()
                .saturating_sub(wrong),
        }
    };
    Ok(Row {
        pair: format!("{}, {}", a.body.name, b.body.name),
        verdict,
        overlapping,
        ours: ours.beside(&ours),
        open: truth
            .iter()
            .zip(&ours.answers)
            .filter(|&pair| open(pair))
            .count(),
        asked: ours.answers.len(),
        peers: (0..)
            .zip(&peers)
            .map(|(k, peer)| Some(judge((k, peer.as_ref()?))))
            .collect(),
        against_us,
    })
}

/// How a run goes.
struct Plan {
    pass: Duration,
    clock: f64,
}

/// What a table of kinds is asked for.
pub struct Wanted {
    pub output: String,
    /// Only pairs with a kind whose name begins so.
    pub only: Option<String>,
    /// Seconds.
    pub pass: f64,
    pub seed: u64,
}

impl Wanted {
    fn wants(&self, pair: [&str; 2]) -> bool {
        let only = self.only.as_deref().unwrap_or("");
        pair.iter().any(|name| name.starts_with(only))
    }
}

/// All four tables' rows of two bodies.
fn rows(
    a: &Placed,
    b: &Placed,
    wanted: &Wanted,
    plan: &Plan,
    bar: &ProgressBar,
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    if !wanted.wants([&a.body.name, &b.body.name]) {
        return Ok(rows);
    }
    bar.set_message(format!("{}, {}", a.body.name, b.body.name));
    for overlapping in [false, true] {
        let poses = poses(a.body, b.body, overlapping, wanted.seed)?;
        for verdict in [false, true] {
            rows.push(row(a, b, &poses, verdict, overlapping, plan)?);
        }
    }
    bar.inc(1);
    Ok(rows)
}

/// The report.
///
/// # Errors
/// A shape or a query that the library refuses.
pub fn page(wanted: &Wanted) -> Result<String> {
    let load = machine::load();
    let of_ours = foreign::flags_of_ours();
    let engines: [Result<Engine>; DRIVERS] = [
        of_ours.and_then(|flags| {
            Engine::load(
                "superovoid",
                include_str!("../../cpp/kinds_superovoid.cpp"),
                &flags,
            )
        }),
        driver::flags("fcl", "Debian: libfcl-dev")
            .and_then(|flags| Engine::load("fcl", include_str!("../../cpp/kinds_fcl.cpp"), &flags)),
        driver::flags("coal", "set SOVO_COAL_PREFIX").and_then(|flags| {
            Engine::load("coal", include_str!("../../cpp/kinds_coal.cpp"), &flags)
        }),
    ];
    let plan = Plan {
        pass: Duration::from_secs_f64(wanted.pass),
        clock: machine::clock_overhead(),
    };
    let convex = body::convex()?;
    let placed: Vec<Placed> = convex
        .iter()
        .map(|body| Placed::new(body, &engines))
        .collect();
    let flat = |body: &Body| matches!(body.kind, Kind::HalfSpace | Kind::Plane);
    let bar = ProgressBar::no_length().with_style(indicatif::ProgressStyle::with_template(
        "{elapsed} {pos} {msg}",
    )?);
    let mut found = Vec::new();
    for (k, b) in placed.iter().enumerate() {
        for a in placed[..=k]
            .iter()
            .filter(|a| !flat(a.body) || !flat(b.body))
        {
            found.extend(rows(a, b, wanted, &plan, &bar)?);
        }
    }
    let few = |a: &Placed| {
        matches!(
            a.body.kind,
            Kind::Ball | Kind::Capsule | Kind::Box | Kind::Hull
        )
    };
    for (size, (name, ..)) in MESHES.iter().enumerate() {
        let others = || placed.iter().map(|a| a.body.name.as_str());
        let extra = || ["boxes", "height field"].into_iter().filter(|_| size == 0);
        if !others()
            .chain([*name])
            .chain(extra())
            .any(|other| wanted.wants([name, other]))
        {
            continue;
        }
        let mesh = body::mesh(size)?;
        let mesh = Placed::new(&mesh, &engines);
        for a in placed.iter().chain([&mesh]) {
            found.extend(rows(a, &mesh, wanted, &plan, &bar)?);
        }
        if size == 0 {
            for tree in [body::boxes()?, body::height_field()?] {
                let tree = Placed::new(&tree, &engines);
                for a in placed.iter().filter(|a| few(a)).chain([&mesh]) {
                    found.extend(rows(a, &tree, wanted, &plan, &bar)?);
                }
            }
        }
    }
    bar.finish_and_clear();
    let missing = ["The C interface", "FCL", "coal"].iter().zip(&engines);
    let missing =
        missing.filter_map(|(name, engine)| Some(format!("{name}: {:#}", engine.as_ref().err()?)));
    text(wanted, &load, &found, &missing.collect::<Vec<_>>())
}

fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        x if x < 1e3 => format!("{} ns", number(x)),
        x if x < 1e6 => format!("{} µs", number(x / 1e3)),
        x => format!("{} ms", number(x / 1e6)),
    }
}

/// The library's time over the peer's, and how many of the peer's answers are wrong.
fn field(peer: &Option<Peer>) -> String {
    let Some(peer) = peer else {
        return "–".to_owned();
    };
    let ratio = number(peer.times[0] / peer.times[1]);
    let few = if peer.asked < 10 { "\\*" } else { "" };
    match (peer.wrong, peer.undecided) {
        (0, 0) => format!("{ratio}{few}"),
        (wrong, 0) => format!("{ratio}{few} ({wrong}/{})", peer.asked),
        (wrong, undecided) => format!("{ratio}{few} ({wrong}+{undecided}/{})", peer.asked),
    }
}

const TABLES: [(&str, bool, bool); 4] = [
    ("Distance, apart", false, false),
    ("Distance, overlapping", false, true),
    ("Yes or no, apart", true, false),
    ("Yes or no, overlapping", true, true),
];

fn text(wanted: &Wanted, load: &str, rows: &[Row], missing: &[String]) -> Result<String> {
    let mut page = String::new();
    let only = wanted
        .only
        .as_ref()
        .map_or(String::new(), |only| format!(" --only '{only}'"));
    writeln!(
        page,
        "# Every two kinds of shape beside FCL, coal and parry\n\n    \
         cargo build --release -p superovoid-capi\n    \
         cargo run --release -p superovoid-compare -- kinds --output {} --pass {} --seed {}{only}\n\n\
         {}, load {load} before, {} after.\n",
        wanted.output,
        wanted.pass,
        wanted.seed,
        machine::processor(),
        machine::load()
    )?;
    writeln!(page, "{HEAD}")?;
    let against: usize = rows.iter().map(|row| row.against_us).sum();
    writeln!(
        page,
        "Every other answer of a peer is judged. Two peers that agree with each other where no peer agrees with us would speak against us: {}.",
        match against {
            0 => "there is no such pose".to_owned(),
            count => format!("{count} poses"),
        }
    )?;
    for (title, verdict, overlapping) in TABLES {
        let chosen = rows
            .iter()
            .filter(|row| row.verdict == verdict && row.overlapping == overlapping);
        writeln!(page, "\n## {title}\n")?;
        let unasked = |column: &&str| !(verdict && *column == "coal 1e-9");
        let columns: Vec<&str> = COLUMNS.into_iter().filter(unasked).collect();
        writeln!(page, "| pair | superovoid | {} |", columns.join(" | "))?;
        writeln!(page, "| --- | ---: |{}", " ---: |".repeat(columns.len()))?;
        for row in chosen {
            let mut line = format!("| {} | {}", row.pair, time(row.ours));
            if row.open > 0 {
                line += &format!(" ({}/{})", row.open, row.asked);
            }
            for (column, peer) in COLUMNS
                .iter()
                .zip(&row.peers)
                .filter(|(column, _)| unasked(column))
            {
                let own = |peer: &Peer| {
                    let wrong = if peer.wrong > 0 {
                        format!(" ({}/{})", peer.wrong, peer.asked)
                    } else {
                        String::new()
                    };
                    format!("{}{wrong}", time(peer.times[1]))
                };
                let text = match (*column, peer) {
                    ("C", Some(peer)) => own(peer),
                    _ => field(peer),
                };
                line += &format!(" | {text}");
            }
            writeln!(page, "{line} |")?;
        }
    }
    slower(&mut page, rows)?;
    if wanted.only.is_none() {
        match program::section() {
            Ok(section) => page += &section,
            Err(error) => writeln!(
                page,
                "\nLeft out: a program of FCL with one line added ({error:#})."
            )?,
        }
    }
    for line in missing {
        writeln!(page, "\nLeft out, not found: {line}.")?;
    }
    Ok(page)
}

/// What coal is faster at where it is as tight: of distances at the library's tolerance.
fn slower(page: &mut String, rows: &[Row]) -> Result<()> {
    let ratio = |peer: &Peer| peer.times[0] / peer.times[1];
    let as_tight = |row: &Row| row.peers[if row.verdict { COAL } else { TIGHT }].is_some();
    let mut slower: Vec<(f64, &Row, &Peer)> = rows
        .iter()
        .filter_map(|row| {
            let peer = row.peers[if row.verdict { COAL } else { TIGHT }].as_ref()?;
            Some((ratio(peer), row, peer))
        })
        .filter(|(ratio, ..)| *ratio > 1.0)
        .collect();
    slower.sort_by(|x, y| y.0.total_cmp(&x.0));
    let asked = rows.iter().filter(|row| as_tight(row)).count();
    writeln!(
        page,
        "\n## Slower than coal\n\nIn {} of {asked} fields of coal at the library's own tolerance of 1e-9, for distances; the last column is beside coal\n\
         at its default, where that is another.\n\n| pair | question | superovoid | coal | ratio | ratio, default |\n| --- | --- | ---: | ---: | ---: | ---: |",
        slower.len()
    )?;
    for (value, row, peer) in slower {
        let question = TABLES.iter().find(|(_, verdict, overlapping)| {
            *verdict == row.verdict && *overlapping == row.overlapping
        });
        let wrong = if peer.wrong > 0 {
            format!(" ({}/{} wrong)", peer.wrong, peer.asked)
        } else {
            String::new()
        };
        let default = match &row.peers[COAL] {
            Some(peer) if !row.verdict => number(ratio(peer)),
            _ => "–".to_owned(),
        };
        writeln!(
            page,
            "| {} | {} | {} | {}{wrong} | {} | {default} |",
            row.pair,
            question.map_or("", |(title, ..)| title),
            time(peer.times[0]),
            time(peer.times[1]),
            number(value)
        )?;
    }
    Ok(())
}

const HEAD: &str = "\
One process and one thread, in which all take turns on the same poses. *superovoid*, *C*: the time of an answer through
`Shape::contact` and `sovo_body_contact`; the other columns: superovoid's time over the peer's on the poses that both have
answered, so that less than 1 is faster. Times are medians over batches of poses, each the median of three passes; a star: of
fewer than ten poses, since a pass is ended after a while. –: there is no such pair, or no such question.

In brackets: answers that are wrong, of those asked for. A verdict is wrong where the bracket proves the other one; a distance is wrong
where it lies more than 1e-6 m outside of our bracket, *wrong+undecided* where it differs from ours by as much within a bracket that
is open. In the column of superovoid: brackets wider than that, or wrong verdicts.

- **Distance**, apart: with nearest points, at default options: our tolerance is 1e-9 of the larger body, that of FCL and coal
  1e-6, and *coal 1e-9* has GJK's and EPA's tolerance set to that, with up to 1000 iterations.
- **Distance**, overlapping: the depth; FCL with `enable_signed_distance`, parry by `contact`. Of bodies with parts (meshes,
  boxes, height fields) it is the greatest depth of a part, for FCL and coal that of all contacts of `collide`: their
  distance ends at the first part that touches. Depths that are defined otherwise are timed and not judged: FCL's and parry's of
  bodies with parts, coal's of two meshes and of height fields (along the normal of a triangle) and of meshes and boxes
  across a plane (of one triangle; ours is that of the whole body).
- **Yes or no**: ours with `DepthMode::Any` and a `max_distance` of 0, `collide` without contacts of FCL and coal,
  `intersection_test` of parry.
- Bodies reach 0.25 to 0.5 m, meshes are spheres of 1 m with bumps and surfaces for everyone, *overlapping* is for them *crossing*, and the octree
  has cells of 0.1 m. FCL has no distance to planes and half-spaces, no triangle by itself, and a collision of a hull and a plane ends the program; parry has no ellipsoid and no plane, and
  its meshes of 1e6 triangles are not asked about each other, which would take minutes an answer. Parry's contact with a half-space
  as the second shape takes the pose the wrong way round.
- At their default tolerance FCL and coal are often off by little more than 1e-6 m, which counts as wrong here. At 1e-9 coal is right
  about bodies that are apart, and its EPA gives up more often.
";

#[cfg(test)]
mod tests {
    use super::*;

    /// Parry shares no code with these queries.
    #[test]
    fn a_ball_and_a_box_are_answered_without_faults() -> Result<()> {
        let bodies = body::convex()?;
        let placed: Vec<Placed> = bodies.iter().map(|body| Placed::new(body, &[])).collect();
        let plan = Plan {
            pass: Duration::from_millis(1),
            clock: 0.0,
        };
        for overlapping in [false, true] {
            let poses = poses(&bodies[0], &bodies[4], overlapping, 1)?;
            for verdict in [false, true] {
                let row = row(&placed[0], &placed[4], &poses, verdict, overlapping, &plan)?;
                let parry = row.peers[PARRY].as_ref().context("parry has both")?;
                assert!(row.open == 0 && row.against_us == 0 && row.ours > 0.0);
                assert!(parry.asked > 0 && parry.wrong == 0 && parry.undecided == 0);
            }
        }
        Ok(())
    }
}
