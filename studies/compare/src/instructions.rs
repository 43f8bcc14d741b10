//! Instructions a query, counted by callgrind: a figure that does not depend on what else the machine does.
//!
//! Each path is a number of fixed questions. The program runs itself twice under valgrind, once without asking and
//! once asking, and the difference of the totals is that of the queries. Valgrind's processor has AVX2 but no AVX-512,
//! and so have the counts.

use crate::culls::{self, CULLS};
use crate::threads;
use crate::workload::{Draw, Other, Workload, make};
use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use nalgebra::{Isometry3, Point3};
use std::hint::black_box;
use std::ops::Range;
use std::process::Command;
use superovoid::{
    Contact, DepthMode, Pair, PairCache, QueryOptions, Superovoid, VertexOptions, contact,
    contact_batch, vertex_contact, vertex_contact_batch,
};

/// Which queries of a workload are counted.
#[derive(Clone, Copy, PartialEq)]
enum Cases {
    All,
    /// Our own answer says so.
    Apart,
    Overlapping,
}

/// A path through the library.
struct Path {
    name: &'static str,
    workload: &'static str,
    cases: Cases,
    options: fn() -> QueryOptions,
    /// In one call.
    together: bool,
}

const fn path(name: &'static str, workload: &'static str, cases: Cases) -> Path {
    Path {
        name,
        workload,
        cases,
        options: QueryOptions::default,
        together: false,
    }
}

fn certified() -> QueryOptions {
    QueryOptions::default().with_depth(DepthMode::Certified)
}

const PATHS: [Path; 14] = [
    path("pair, cold, apart", "battery", Cases::Apart),
    path("pair, cold, overlapping", "battery", Cases::Overlapping),
    path("tapered pair, cold, apart", "tapered", Cases::Apart),
    path(
        "tapered pair, cold, overlapping",
        "tapered",
        Cases::Overlapping,
    ),
    path("ellipsoids, apart", "ellipsoids-apart", Cases::All),
    path(
        "ellipsoids, overlapping",
        "ellipsoids-overlapping",
        Cases::All,
    ),
    path("pair, warm (moved by 0.1 %)", "warm", Cases::All),
    path("hands, warm (1 mm a step)", "hands-1mm", Cases::All),
    Path {
        options: certified,
        ..path("pair, certified depth", "battery", Cases::Overlapping)
    },
    path("deep overlap, cold", "deep", Cases::All),
    path("point, outside", "points", Cases::Apart),
    Path {
        together: true,
        ..path("pair of a batch", "battery", Cases::All)
    },
    Path {
        together: true,
        ..path("point of a slice, outside", "points", Cases::Apart)
    },
    path("point, inside", "points", Cases::Overlapping),
];

/// The table of all paths, as Markdown.
///
/// # Errors
/// No valgrind, or a program that fails under it.
pub fn table(queries: usize) -> Result<String> {
    let mut text = String::from("| path | instructions a query |\n| --- | ---: |\n");
    let names = PATHS.iter().map(|path| path.name);
    let names: Vec<&str> = names.chain(CULLS.iter().map(|cull| cull.name)).collect();
    let progress = ProgressBar::new(names.len() as u64);
    for (index, name) in names.into_iter().enumerate() {
        let [without, with] = [false, true].map(|ask| collected(index, queries, ask));
        let a_query = (with? - without?) as f64 / queries as f64;
        text += &format!("| {name} | {a_query:.0} |\n");
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(text)
}

/// Instructions of the program that prepares a path, and asks or does not.
fn collected(index: usize, queries: usize, ask: bool) -> Result<i64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["instructions", "--queries", &queries.to_string()])
        .args(["--path", &index.to_string()])
        .args(ask.then_some("--ask"))
        .output()
        .context("valgrind does not run (Debian: valgrind)")?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("under valgrind: {text}");
    }
    let line = text
        .lines()
        .find_map(|line| line.split("Collected :").nth(1));
    let count = line.context("callgrind names no number of instructions")?;
    Ok(count.trim().parse()?)
}

/// Prepares the questions of a path and, if told to, asks them.
///
/// # Errors
/// No such path, or a question that is refused.
pub fn run(index: usize, queries: usize, ask: bool) -> Result<()> {
    let iterations = run_here(index, queries, ask)?;
    println!("iterations {iterations}");
    Ok(())
}

/// The solver iterations of all queries.
fn run_here(index: usize, queries: usize, ask: bool) -> Result<u64> {
    let Some(path) = PATHS.get(index) else {
        return culls::run(index - PATHS.len(), queries, ask).map(|()| 0);
    };
    let workload = questions(path, queries)?;
    let options = (path.options)();
    if path.together {
        let asked = if ask { 0..workload.cases.len() } else { 0..0 };
        // On one thread. Other paths do without a pool, whose threads add a little to what is counted.
        return threads::pool(1)?.install(|| together(&workload, asked, &options));
    }
    let mut caches = vec![PairCache::default(); workload.cases.len()];
    for (k, cache) in caches.iter_mut().enumerate() {
        for poses in &workload.cases[k].before {
            query(&workload, k, poses, &options, Some(cache), |_| ())?;
        }
    }
    if ask {
        one_by_one(&workload, &mut caches, &options)
    } else {
        Ok(0)
    }
}

/// What is counted. Not inlined, so that callgrind can be told to count nothing else.
#[inline(never)]
fn one_by_one(
    workload: &Workload,
    caches: &mut [PairCache],
    options: &QueryOptions,
) -> Result<u64> {
    let mut iterations = 0;
    for (k, cache) in caches.iter_mut().enumerate() {
        let case = &workload.cases[k];
        let cache = (!case.before.is_empty()).then_some(cache);
        iterations += u64::from(query(workload, k, &case.poses, options, cache, |found| {
            found.iterations
        })?);
    }
    Ok(iterations)
}

/// These cases in one call: pairs, or points of the first one's body, again and again.
fn together(workload: &Workload, asked: Range<usize>, options: &QueryOptions) -> Result<u64> {
    let cases = &workload.cases;
    let first = cases.first().context("no questions")?;
    let (mut pairs, mut points) = (Vec::new(), Vec::new());
    for case in cases {
        let [pose_a, pose_b] = &case.poses;
        match case.b {
            Other::Shape(b) => pairs.push(Pair {
                a: &workload.shapes[case.a],
                pose_a,
                b: &workload.shapes[b],
                pose_b,
            }),
            Other::Point if case.a == first.a => points.push(pose_b.translation.vector.into()),
            Other::Point => {}
        }
    }
    let mut found = vec![Contact::default(); asked.len()];
    if pairs.is_empty() {
        let points: Vec<_> = points.into_iter().cycle().take(cases.len()).collect();
        let shape = &workload.shapes[first.a];
        all_points(shape, &first.poses[0], &points[asked], &mut found)?;
    } else {
        all_pairs(&pairs[asked], &mut found, options)?;
    }
    let iterations = found.iter().map(|found| u64::from(found.iterations));
    Ok(iterations.sum())
}

/// As [`one_by_one`].
#[inline(never)]
fn all_pairs(pairs: &[Pair], found: &mut [Contact], options: &QueryOptions) -> Result<()> {
    Ok(contact_batch(pairs, found, options)?)
}

/// As [`one_by_one`].
#[inline(never)]
fn all_points(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    points: &[Point3<f64>],
    found: &mut [Contact],
) -> Result<()> {
    Ok(vertex_contact_batch(
        shape,
        pose,
        points,
        found,
        &VertexOptions::default(),
    )?)
}

/// The functions that ask and do nothing else.
pub const ASKING: [&str; 3] = [
    "superovoid_compare::instructions::one_by_one",
    "superovoid_compare::instructions::all_pairs",
    "superovoid_compare::instructions::all_points",
];

/// The place of a path among all.
pub fn place(name: &str) -> Option<usize> {
    PATHS.iter().position(|path| path.name == name)
}

type Poses = [Isometry3<f64>; 2];

/// What `of` tells of a case's answer, which is looked at where it was written: copies of it are not the library's.
fn query<T>(
    workload: &Workload,
    k: usize,
    poses: &Poses,
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
    of: impl Fn(&Contact) -> T,
) -> Result<T> {
    let case = &workload.cases[k];
    let a = &workload.shapes[case.a];
    let found = match case.b {
        Other::Shape(b) => contact(a, &poses[0], &workload.shapes[b], &poses[1], options, cache),
        Other::Point => {
            let point = poses[1].translation.vector.into();
            vertex_contact(a, &poses[0], &point, &VertexOptions::default())
        }
    };
    match black_box(&found) {
        Ok(found) => Ok(of(found)),
        Err(error) => Err((*error).into()),
    }
}

/// That many questions of the path's kind.
fn questions(path: &Path, queries: usize) -> Result<Workload> {
    // The smaller side of every workload is more than an eighth of it.
    let workload = make(path.workload, 8 * queries, 1)?.context("there is no such workload")?;
    let mut chosen = Vec::new();
    let mut draw = Draw::new(2);
    let mut left: Vec<usize> = (0..workload.cases.len()).collect();
    while chosen.len() < queries && !left.is_empty() {
        let k = left.swap_remove(draw.below(left.len()));
        let poses = workload.cases[k].poses;
        let apart = query(
            &workload,
            k,
            &poses,
            &QueryOptions::default(),
            None,
            |found| found.distance,
        )? > 0.0;
        let wanted = match path.cases {
            Cases::All => true,
            Cases::Apart => apart,
            Cases::Overlapping => !apart,
        };
        if wanted {
            chosen.push(k);
        }
    }
    if chosen.len() < queries {
        bail!("{}: only {} questions", path.name, chosen.len());
    }
    Ok(workload.reordered(&chosen))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_has_its_questions_and_answers_them() {
        for index in 0..PATHS.len() {
            run(index, 10, true).expect(PATHS[index].name);
        }
        assert!(run(PATHS.len() + CULLS.len(), 10, true).is_err());
    }
}
