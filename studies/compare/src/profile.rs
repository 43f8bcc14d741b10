//! Where the instructions of a query go, counted by callgrind instruction by instruction.
//!
//! Nearly everything is inlined into a few functions, so functions tell nothing. The debug information names the
//! source line of every instruction and the lines that it was inlined at (`addr2line --inlines`); an instruction
//! belongs to the innermost of these that lies in the library and is not a mere operation on lanes. The file, and in
//! some files the function, say which part of the query that is.

use crate::instructions::{ASKING, place};
use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const PATHS: [&str; 6] = [
    "pair, cold, apart",
    "pair, cold, overlapping",
    "pair, warm (moved by 0.1 %)",
    "pair of a batch",
    "point, outside",
    "point of a slice, outside",
];

/// What a query consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Checks,
    SetUp,
    Powers,
    Evaluation,
    Newton,
    Proof,
    Fallbacks,
    Lanes,
    Back,
    Outside,
}

const PARTS: [(Part, &str); 10] = [
    (Part::Checks, "checks of poses, options and answers"),
    (
        Part::SetUp,
        "entry; units and frame: `query`, `PairProblem`, `WorldFrame`",
    ),
    (Part::Powers, "evaluations: powers"),
    (
        Part::Evaluation,
        "evaluations: the rest of surface points, normals and derivatives; the guess",
    ),
    (Part::Newton, "Newton's method: system, step, its control"),
    (Part::Proof, "bracket, witnesses, cache"),
    (Part::Fallbacks, "other solvers that the query may need"),
    (Part::Lanes, "batches: into and out of lanes"),
    (Part::Back, "back to metres and the world"),
    (
        Part::Outside,
        "the calling program; the C library; what is not attributed",
    ),
];

/// The parts of the files of `src`, by the beginning of their paths; the first that fits counts.
const FILES: [(&str, Part); 33] = [
    ("lanes/power.rs", Part::Powers),
    ("query/validation.rs", Part::Checks),
    ("query/options.rs", Part::Checks),
    ("query/error.rs", Part::Checks),
    ("query/answer.rs", Part::Back),
    ("query/contact.rs", Part::Back),
    ("query/", Part::SetUp),
    ("shape.rs", Part::SetUp),
    ("traits.rs", Part::SetUp),
    ("pair/pair_contact.rs", Part::SetUp),
    ("pair/input.rs", Part::SetUp),
    ("pair/problem.rs", Part::SetUp),
    ("pair/frames.rs", Part::SetUp),
    ("pair/fast_path.rs", Part::SetUp),
    ("pair/world_certificate.rs", Part::SetUp),
    ("pair/newton/", Part::Newton),
    ("pair/batch/lockstep.rs", Part::Newton),
    ("pair/batch/single_precision.rs", Part::Newton),
    ("pair/batch/", Part::Lanes),
    ("pair/slabs.rs", Part::Fallbacks),
    ("pair/convex_pair.rs", Part::Fallbacks),
    ("pair/", Part::Proof),
    ("vertex/newton", Part::Newton),
    ("vertex/batch.rs", Part::Lanes),
    ("vertex/soa.rs", Part::Lanes),
    ("surface/curvature.rs", Part::Fallbacks),
    ("vertex/exact.rs", Part::Proof),
    ("vertex/bracket.rs", Part::Proof),
    ("vertex/vertex_contact.rs", Part::SetUp),
    ("vertex/problem.rs", Part::SetUp),
    ("vertex/vertex_options.rs", Part::Checks),
    ("shape/", Part::Evaluation),
    ("surface/", Part::Evaluation),
];

/// The part that a function of a file of `src` belongs to. The result is `None` for a helper, which belongs to what
/// calls it.
fn part(file: &str, function: &str) -> Option<Part> {
    let has = |names: &[&str]| names.iter().any(|name| function.contains(name));
    let is_check = has(&[
        "validate",
        "is_unit",
        "all_finite",
        "within_number_range",
        "is_finite",
    ]) || has(&["are_surely_valid", "doubt"]);
    if file.starts_with("lanes/") {
        let is_power = file == "lanes/power.rs" || has(&["abs_pow", "log2", "exp2"]);
        return is_power.then_some(Part::Powers);
    }
    Some(match file {
        _ if is_check => Part::Checks,
        _ if has(&["in_world", "to_world", "witnesses", "finish"]) => Part::Back,
        "pair/frames.rs"
            if has(&["center", "to_bodies", "vector_from_a", "points", "combined"]) =>
        {
            Part::Newton
        }
        "pair/world_certificate.rs" if has(&["answers"]) => Part::Proof,
        "vertex/newton_lanes.rs" if has(&["certify", "slack"]) => Part::Proof,
        _ => FILES
            .iter()
            .find(|(start, _)| file.starts_with(start))
            .map_or(Part::Fallbacks, |&(_, part)| part),
    })
}

/// The page.
///
/// # Errors
/// No valgrind or addr2line, or a program that fails under them.
pub fn page(queries: usize) -> Result<String> {
    let progress = ProgressBar::new(PATHS.len() as u64);
    let mut columns = Vec::new();
    for name in PATHS {
        columns.push(counted(name, queries)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(markdown(&columns, queries))
}

/// Instructions a query, by part; and how many evaluations of both bodies a query makes.
struct Column {
    name: &'static str,
    parts: BTreeMap<Part, f64>,
    evaluations: f64,
}

impl Column {
    fn total(&self) -> f64 {
        self.parts.values().sum()
    }

    fn of(&self, part: Part) -> f64 {
        self.parts.get(&part).copied().unwrap_or(0.0)
    }

    /// Of Newton's method, from the guess to the bracket.
    fn kernel(&self) -> f64 {
        [Part::Powers, Part::Evaluation, Part::Newton, Part::Proof]
            .map(|part| self.of(part))
            .iter()
            .sum()
    }

    /// Of one surface point of each body with normal and derivatives.
    fn one_evaluation(&self) -> f64 {
        (self.of(Part::Powers) + self.of(Part::Evaluation)) / self.evaluations
    }
}

fn counted(name: &'static str, queries: usize) -> Result<Column> {
    let index = place(name).with_context(|| format!("no path {name}"))?;
    let program = std::env::current_exe()?;
    let file = std::env::temp_dir().join(format!("superovoid-profile-{}", std::process::id()));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--dump-instr=yes", "--compress-pos=no"])
        .args(ASKING.map(|function| format!("--toggle-collect={function}*")))
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(&program)
        .args(["instructions", "--ask", "--queries", &queries.to_string()])
        .args(["--path", &index.to_string()])
        .output()
        .context("valgrind does not run (Debian: valgrind)")?;
    if !output.status.success() {
        bail!(
            "under valgrind: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let dump = std::fs::read_to_string(&file);
    let _ = std::fs::remove_file(&file);
    let text = String::from_utf8_lossy(&output.stdout);
    let iterations = text
        .lines()
        .find_map(|line| line.strip_prefix("iterations "));
    let iterations: f64 = iterations
        .context("the program names no iterations")?
        .parse()?;
    let costs = costs(&dump?, &program);
    let parts = attributed(&costs, &program)?;
    let a_query = |(part, cost): (Part, u64)| (part, cost as f64 / queries as f64);
    Ok(Column {
        name,
        parts: parts.into_iter().map(a_query).collect(),
        // A step leads from one evaluation to the next.
        evaluations: 1.0 + iterations / queries as f64,
    })
}

/// Instructions by address, of the program itself; those of other objects at address 0.
fn costs(dump: &str, program: &Path) -> HashMap<u64, u64> {
    let program = program.to_string_lossy();
    let mut costs = HashMap::new();
    let (mut own, mut names, mut of_call) = (false, HashMap::new(), false);
    for line in dump.lines() {
        if let Some(object) = line.strip_prefix("ob=") {
            // "(3) /path" the first time, "(3)" from then on.
            let (id, name) = object.split_once(' ').unwrap_or((object, ""));
            if !name.is_empty() {
                names.insert(id.to_owned(), name == program);
            }
            own = names.get(id).copied().unwrap_or(false);
        } else if let Some(object) = line.strip_prefix("cob=") {
            if let Some((id, name)) = object.split_once(' ') {
                names.insert(id.to_owned(), name == program);
            }
        } else if line.starts_with("calls=") {
            // The next line has the cost of what was called.
            of_call = true;
        } else if line.starts_with("0x") {
            let mut words = line.split(' ');
            let address = words
                .next()
                .and_then(|x| u64::from_str_radix(&x[2..], 16).ok());
            let cost = words.nth(1).and_then(|x| x.parse::<u64>().ok());
            if let (false, Some(address), Some(cost)) = (of_call, address, cost) {
                *costs.entry(if own { address } else { 0 }).or_insert(0) += cost;
            }
            of_call = false;
        }
    }
    costs
}

fn attributed(costs: &HashMap<u64, u64>, program: &Path) -> Result<BTreeMap<Part, u64>> {
    let mut parts = BTreeMap::new();
    let addresses: Vec<u64> = costs
        .keys()
        .copied()
        .filter(|&address| address != 0)
        .collect();
    *parts.entry(Part::Outside).or_insert(0) += costs.get(&0).copied().unwrap_or(0);
    let mut tool = Command::new("addr2line")
        .args([
            "--inlines",
            "--functions",
            "--demangle",
            "--addresses",
            "--exe",
        ])
        .arg(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("addr2line does not run (Debian: binutils)")?;
    let mut questions = String::new();
    for address in &addresses {
        let _ = writeln!(questions, "{:x}", address);
    }
    let mut input = tool.stdin.take().context("addr2line")?;
    // Its answers fill a pipe meanwhile.
    let writer = std::thread::spawn(move || input.write_all(questions.as_bytes()));
    let output = tool.wait_with_output()?;
    writer.join().map_err(|_| anyhow::anyhow!("addr2line"))??;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut places: Vec<Option<Part>> = Vec::new();
    let mut function = "";
    for line in text.lines() {
        if line.starts_with("0x") {
            places.push(None);
        } else if let Some((_, file)) = line.split_once("/src/").filter(|_| is_place(line)) {
            let file = file.split(':').next().unwrap_or_default();
            let own = is_own(line);
            if let Some(place) = places.last_mut().filter(|place| place.is_none() && own) {
                *place = part(file, function);
            }
        } else if !is_place(line) {
            function = line;
        }
    }
    if places.len() != addresses.len() {
        bail!(
            "addr2line answers {} of {} questions",
            places.len(),
            addresses.len()
        );
    }
    for (address, place) in addresses.iter().zip(places) {
        *parts.entry(place.unwrap_or(Part::Outside)).or_insert(0) += costs[address];
    }
    Ok(parts)
}

/// `/a/file.rs:12` or `??:0`, not the name of a function.
fn is_place(line: &str) -> bool {
    let end = line.split(" (").next().unwrap_or(line);
    let Some((file, number)) = end.rsplit_once(':') else {
        return false;
    };
    file.ends_with(".rs") || file == "??" || (number.parse::<u32>().is_ok() && file.contains('.'))
}

/// Of the library: not of a dependency, of the standard library or of this member.
fn is_own(place: &str) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    let root = root.map_or(String::new(), |root| format!("{}/src/", root.display()));
    place.starts_with(&root)
}

const TEXT: &str = "
Instructions a query, counted by valgrind's callgrind (whose processor has AVX2), and the part of the query that each
belongs to, by the debug information of inlined code. Powers are counted by themselves, whoever takes them. *One
evaluation* is that of a surface point, its normal and their derivatives for both bodies (points: for the one body),
the mean over all that the query makes: the bracket at the solution needs one in any case. The *kernel* is Newton's
method, from the guess to the bracket: evaluations, steps and proof. The lines below the table say how many times as
much the whole query costs, and why.
";

fn markdown(columns: &[Column], queries: usize) -> String {
    let mut text = String::from("# Where the instructions go\n\n");
    let _ = writeln!(
        text,
        "    cargo run --profile profiling -p superovoid-compare -- profile --output docs/reports/profile.md --queries {queries}\n{TEXT}"
    );
    let heads: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let _ = writeln!(text, "| part | {} |", heads.join(" | "));
    let _ = writeln!(text, "| --- |{}", " ---: |".repeat(columns.len()));
    let row = |name: &str, cell: &dyn Fn(&Column) -> String| {
        let cells: Vec<String> = columns.iter().map(cell).collect();
        format!("| {name} | {} |\n", cells.join(" | "))
    };
    for (part, name) in PARTS {
        text += &row(name, &|column| {
            let share = 100.0 * column.of(part) / column.total();
            format!("{:.0} ({share:.0} %)", column.of(part))
        });
    }
    text += &row("**all**", &|column| format!("**{:.0}**", column.total()));
    text += &row("all, to the kernel's", &|column| {
        format!("{:.2}", column.total() / column.kernel())
    });
    text += &row("evaluations", &|column| {
        format!("{:.2}", column.evaluations)
    });
    text += &row("one evaluation", &|column| {
        format!("{:.0}", column.one_evaluation())
    });
    text.push('\n');
    for column in columns {
        let share = |part| 100.0 * column.of(part) / column.total();
        let evaluations = share(Part::Powers) + share(Part::Evaluation);
        let newton = share(Part::Newton);
        let _ = writeln!(
            text,
            "- *{}*: {:.1} times one evaluation. It makes {:.1} ({evaluations:.0} % of the instructions), the steps \
             between them take {newton:.0} %, and what is done once the remaining {:.0} %.",
            column.name,
            column.total() / column.one_evaluation(),
            column.evaluations,
            100.0 - evaluations - newton,
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_is_one_of_those_that_are_counted() {
        for name in PATHS {
            assert!(place(name).is_some(), "{name}");
        }
    }

    #[test]
    fn costs_are_those_of_the_program_without_what_it_calls() {
        let dump = "ob=(1) /p\nfn=(1) f\n0x10 1 5\ncalls=1 0x20 3\n0x12 1 100\n0x14 2 7\n\
                    ob=(2) /libm.so\n0x90 1 3\nob=(1)\n0x10 1 2\n";
        let costs = costs(dump, Path::new("/p"));
        assert_eq!(costs, HashMap::from([(0x10, 7), (0x14, 7), (0, 3)]));
    }

    #[test]
    fn every_file_of_the_list_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src");
        for (start, _) in FILES {
            let (folder, name) = start.rsplit_once('/').unwrap_or(("", start));
            let mut files = std::fs::read_dir(root.join(folder)).expect(start);
            let fits = |file: &str| file.starts_with(name);
            assert!(
                files.any(|file| file.is_ok_and(|file| fits(&file.file_name().to_string_lossy()))),
                "no file of src begins with {start}"
            );
        }
    }

    #[test]
    fn parts_follow_from_file_and_function() {
        assert_eq!(part("lanes/power.rs", "log2"), Some(Part::Powers));
        assert_eq!(part("lanes/two.rs", "mul_add"), None);
        assert_eq!(part("pair/mod.rs", "validate_pose"), Some(Part::Checks));
        assert_eq!(part("pair/mod.rs", "in_world"), Some(Part::Back));
        assert_eq!(
            part("surface/primal_dual/step.rs", "advance"),
            Some(Part::Evaluation)
        );
        assert_eq!(part("pair/certificate.rs", "certify"), Some(Part::Proof));
        assert_eq!(
            part("narrowphase/ascent.rs", "ascend"),
            Some(Part::Fallbacks)
        );
        assert!(is_place("/a/b.rs:12 (discriminator 3)") && is_place("??:0"));
        assert!(!is_place("core::ops::Add::add"));
    }
}
