//! Tables 1 and 2 of Gonçalves et al. 2017: the schemes on random pairs of superovoids.
//!
//! Bodies at (0, 0, 0) and (0, 2.21, 0), semi-axes 1, exponents in [0.3, 1.1], tapers in [-0.4, 0.4],
//! all drawn independently, orientations uniform.

use crate::published;
use indicatif::ProgressBar;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use parry3d_f64::math::Vector;
use parry3d_f64::shape::ConvexPolyhedron;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;
use std::time::Instant;
use superovoid::published::{Jacobian, Scheme, SchemeOptions, scheme_contact};
use superovoid::{Contact, Outcome, QueryOptions, Superovoid, contact};
use superovoid_tools::parry;
use superovoid_tools::plot::Bars;
use superovoid_tools::statistics::Summary;

/// A distance within this of the reference is right (semi-axes are 1, the schemes stop at 1e-6).
const RIGHT: f64 = 1e-5;
/// Edges around a ring of the mesh: 266 vertices, the nearest to the papers' 290.
const SEGMENTS: usize = 24;

struct Pair {
    shapes: [Superovoid; 2],
    poses: [Isometry3<f64>; 2],
    /// Signed distance by the exact method.
    reference: f64,
    meshes: Option<[ConvexPolyhedron; 2]>,
}

/// Which taper a set of pairs has.
#[derive(Clone, Copy, PartialEq)]
pub enum Tapers {
    None,
    Convex,
    Any,
}

/// How one method fared on one side, pairs apart or overlapping.
#[derive(Default)]
pub struct Score {
    pub pairs: usize,
    pub right: usize,
    /// Labelled not converged, though the distance is right.
    pub unproven: usize,
    pub not_converged: usize,
    /// A stationary depth of an overlap, but a larger one than the least.
    pub not_least: usize,
    pub wrong: usize,
    pub iterations: Summary,
    pub microseconds: Summary,
    /// Time with no iterations allowed: both guesses, and the judgement of them; as published, the guess.
    pub guess: Summary,
}

impl Score {
    /// The mean time of an iteration as published, without the guess, microseconds.
    fn iteration(&self) -> f64 {
        (self.microseconds.mean() - self.guess.mean()) / self.iterations.mean()
    }
}

pub struct Row {
    pub name: String,
    pub method: &'static str,
    pub jacobian: &'static str,
    /// As published.
    pub plain: bool,
    /// Apart, overlapping.
    pub sides: [Score; 2],
}

fn draw(rng: &mut impl Rng, tapers: Tapers) -> Superovoid {
    loop {
        let e = [0; 2].map(|_| rng.random_range(0.3..1.1));
        let t = [0; 2].map(|_| match tapers {
            Tapers::None => 0.0,
            _ => rng.random_range(-0.4..0.4),
        });
        let shape = Superovoid::new([1.0; 3], e, t).expect("the draws are in the domain");
        if tapers == Tapers::Any || shape.is_convex() {
            return shape;
        }
    }
}

/// Even over all rotations (Shoemake).
fn rotation(rng: &mut impl Rng) -> UnitQuaternion<f64> {
    let u: f64 = rng.random_range(0.0..1.0);
    let (s1, c1) = rng.random_range(0.0..std::f64::consts::TAU).sin_cos();
    let (s2, c2) = rng.random_range(0.0..std::f64::consts::TAU).sin_cos();
    let (r1, r2) = ((1.0 - u).sqrt(), u.sqrt());
    UnitQuaternion::new_normalize(Quaternion::new(r2 * c2, r1 * s1, r1 * c1, r2 * s2))
}

fn pairs(seed: u64, count: usize, tapers: Tapers) -> Vec<Pair> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let one = |_| {
        let shapes = [0; 2].map(|_| draw(&mut rng, tapers));
        let poses = [0.0, 2.21]
            .map(|y| Isometry3::from_parts(Translation3::new(0.0, y, 0.0), rotation(&mut rng)));
        let mut pair = Pair {
            shapes,
            poses,
            reference: 0.0,
            meshes: None,
        };
        pair.reference = ask(&pair, None).distance;
        let mesh = |shape: &Superovoid| {
            let vertices = shape.tessellate(SEGMENTS).vertices;
            let points: Vec<Vector> = vertices.iter().map(parry::vector).collect();
            ConvexPolyhedron::from_convex_hull(&points)
        };
        if let (Some(a), Some(b)) = (mesh(&shapes[0]), mesh(&shapes[1])) {
            pair.meshes = Some([a, b]);
        }
        pair
    };
    (0..count).map(one).collect()
}

/// The answer of a scheme, or for `None` of the exact method.
fn ask(pair: &Pair, scheme: Option<&SchemeOptions>) -> Contact {
    let [a, b] = &pair.shapes;
    let [pose_a, pose_b] = &pair.poses;
    match scheme {
        None => contact(a, pose_a, b, pose_b, &QueryOptions::default(), None),
        Some(options) => scheme_contact(a, pose_a, b, pose_b, options, None),
    }
    .expect("the pairs are valid")
}

fn score(pairs: &[Pair], scheme: Option<SchemeOptions>, progress: &ProgressBar) -> [Score; 2] {
    let mut sides = [Score::default(), Score::default()];
    let no_steps = scheme.map(|options| SchemeOptions {
        max_iterations: 0,
        ..options
    });
    for pair in pairs {
        let start = Instant::now();
        let answer = ask(pair, scheme.as_ref());
        let microseconds = start.elapsed().as_secs_f64() * 1e6;
        let side = &mut sides[usize::from(pair.reference < 0.0)];
        side.pairs += 1;
        side.microseconds.add(microseconds);
        side.iterations.add(f64::from(answer.iterations));
        if no_steps.is_some() {
            let start = Instant::now();
            std::hint::black_box(ask(pair, no_steps.as_ref()));
            side.guess.add(start.elapsed().as_secs_f64() * 1e6);
        }
        let right = (answer.distance - pair.reference).abs() <= RIGHT;
        // The points may be right where the label, and with it the distance, stays on the safe side.
        let gap = (answer.point_b - answer.point_a).dot(&answer.normal);
        let unproven = (gap - pair.reference).abs() <= RIGHT;
        match answer.outcome {
            Outcome::NotConverged if right || unproven => side.unproven += 1,
            Outcome::NotConverged => side.not_converged += 1,
            _ if right => side.right += 1,
            _ if answer.distance < pair.reference && pair.reference < 0.0 => side.not_least += 1,
            _ => side.wrong += 1,
        }
        progress.inc(1);
    }
    sides
}

/// The hulls of the meshes, by parry's GJK and EPA.
fn score_meshes(pairs: &[Pair], progress: &ProgressBar) -> [Score; 2] {
    let mut sides = [Score::default(), Score::default()];
    for pair in pairs {
        progress.inc(1);
        let side = &mut sides[usize::from(pair.reference < 0.0)];
        side.pairs += 1;
        let Some([a, b]) = &pair.meshes else {
            side.not_converged += 1;
            continue;
        };
        let relative = pair.poses[0].inv_mul(&pair.poses[1]);
        let relative = parry::pose(&relative);
        let start = Instant::now();
        let found = parry::hull_distance(&relative, a, b);
        side.microseconds.add(start.elapsed().as_secs_f64() * 1e6);
        match found {
            Some(distance) if (distance - pair.reference).abs() <= RIGHT => side.right += 1,
            Some(_) => side.wrong += 1,
            None => side.not_converged += 1,
        }
    }
    sides
}

/// Steps of the progress bar that a set takes.
pub fn steps(count: usize) -> usize {
    count * (1 + 3 * 4 + 1)
}

pub fn run(seed: u64, count: usize, tapers: Tapers, progress: &ProgressBar) -> Vec<Row> {
    let pairs = pairs(seed, count, tapers);
    let mut rows = Vec::new();
    let mut add = |name: String, method, jacobian, plain, sides| {
        rows.push(Row {
            name,
            method,
            jacobian,
            plain,
            sides,
        });
    };
    let exact = score(&pairs, None, progress);
    add("exact".to_owned(), "exact", "", false, exact);
    for scheme in Scheme::ALL {
        for (jacobian, label, as_published) in [
            (Jacobian::Analytic, "analytic", false),
            (Jacobian::ForwardDifferences, "differences", false),
            (Jacobian::ForwardDifferences, "differences", true),
        ] {
            let options = SchemeOptions {
                scheme,
                jacobian,
                as_published,
                ..SchemeOptions::default()
            };
            let sides = score(&pairs, Some(options), progress);
            let name = format!(
                "{scheme}{}",
                if as_published { ", as published" } else { "" }
            );
            add(name, scheme.name(), label, as_published, sides);
        }
    }
    let name = "mesh hull, 266 vertices (parry)".to_owned();
    add(name, "mesh", "", false, score_meshes(&pairs, progress));
    rows
}

pub fn markdown(rows: &[Row], side: usize) -> String {
    let mut text = String::from(
        "| method | Jacobian | right | right, unproven | not converged | not the least depth | wrong | \
         iterations | guess µs | total µs | total σ | µs an iteration | published: guess µs | total µs | iterations | \
         µs an iteration |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for row in rows {
        let s = &row.sides[side];
        let share = |n: usize| format!("{:.2} %", 100.0 * n as f64 / s.pairs.max(1) as f64);
        let published = match (row.method, published::pair(row.method)) {
            ("mesh", _) => format!(" | {:.0} (FCL, 290) |  | ", published::PAIR_MESH[side]),
            (_, Some(p)) if row.plain => format!(
                "{:.0} | {:.0} | {:.1} | {:.1}",
                published::PAIR_GUESS,
                p.microseconds[side],
                p.iterations[side],
                p.iteration[side]
            ),
            _ => " |  |  | ".to_owned(),
        };
        let iteration = if row.plain {
            format!("{:.1}", s.iteration())
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1} | {:.1} | {iteration} | {published} |",
            row.name,
            row.jacobian,
            share(s.right),
            s.unproven,
            s.not_converged,
            s.not_least,
            s.wrong,
            s.iterations.cell(1),
            s.guess.cell(1),
            s.microseconds.mean(),
            s.microseconds.deviation(),
        );
    }
    text
}

/// Time a query and the share of right answers, for the plots; of the schemes, closed forms and as published.
pub fn bars(rows: &[Row]) -> [Bars<'static>; 2] {
    let shown = |row: &&Row| row.plain || row.jacobian != "differences";
    let rows: Vec<&Row> = rows.iter().filter(shown).collect();
    let name = |row: &&Row| match row.method {
        "mesh" => "mesh\nhull".to_owned(),
        method if row.plain => format!("{} (p)", method.replace('-', "\n")),
        method => method.replace('-', "\n"),
    };
    let groups: Vec<String> = rows.iter().map(name).collect();
    let column = |f: &dyn Fn(&Row) -> f64| rows.iter().map(|row| f(row)).collect::<Vec<f64>>();
    let published = |side: usize| {
        column(&|row| match row.method {
            "mesh" => published::PAIR_MESH[side],
            method if row.plain => {
                published::pair(method).map_or(f64::NAN, |p| p.microseconds[side])
            }
            _ => f64::NAN,
        })
    };
    let time = |side: usize| column(&|row| row.sides[side].microseconds.mean());
    let right = |side: usize| {
        column(&|row| {
            let s = &row.sides[side];
            100.0 * s.right as f64 / s.pairs.max(1) as f64
        })
    };
    [
        Bars {
            title: "Any tapers: time a query; (p): as published",
            axis: "µs",
            groups: groups.clone(),
            series: vec![
                ("apart".to_owned(), time(0)),
                ("overlapping".to_owned(), time(1)),
                ("apart, published".to_owned(), published(0)),
                ("overlapping, published".to_owned(), published(1)),
            ],
            logarithmic_from: Some(0.1),
        },
        Bars {
            title: "Any tapers: answers that are right and say so; (p): as published",
            axis: "% of the pairs",
            groups,
            series: vec![
                ("apart".to_owned(), right(0)),
                ("overlapping".to_owned(), right(1)),
            ],
            logarithmic_from: None,
        },
    ]
}
