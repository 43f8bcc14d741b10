//! The report: Markdown with every table, and the figures of the workloads as CSV.

use crate::culls::CULLS;
use crate::full_check::FullCheck;
use crate::machine;
use crate::measure::{Measured, Side, Summary};
use crate::threads::Threads;
use anyhow::Result;
use std::fmt::Write;
use std::path::Path;

/// What the report says of the run as a whole.
pub struct Run {
    pub command: String,
    pub machine: Option<String>,
    /// Load averages before and after.
    pub load: [String; 2],
    pub rounds: usize,
    /// Nanoseconds.
    pub clock: f64,
    pub missing: Vec<String>,
}

const METHOD: &str = "
Every table is of one process and one thread in which all peers took turns, so that the ratios hold whatever else the
machine did; times of different machines, or of different runs, do not compare.

- *mean*: of blocks of at most 64 cases (512 points), whole vectors of a batch, one reading of the clock before and after each, each block with its fastest
  time of the rounds. *apart*, *overlapping*: the same of these cases alone.
- *p50* to *slowest*: of single cases, each with its fastest time of the rounds, less what the clock itself takes.
  The fastest, because an interruption only ever makes something slower: the tail is that of the cases. (A slice of
  points has one time for all.) Peers slower than 50 µs take part in two of the rounds only.
  Mean and quantiles are of bodies that lie in the processor's caches.
- *evaluations*: of the support function of one body; of the library and the papers' schemes: iterations. Not counted
  for meshes and for the peers' own shapes.
- *error*: of the signed distance, against an oracle with its own support functions and a search of the whole sphere,
  which shares no code with the library; of the answers that are no failures.
- *failed*: no answer, an exception, or one that the peer itself labels as not converged. Timed as the others.
- *wrong side*: apart called overlapping, or the reverse, by more than 1e-6 of the size. *no depth*: overlaps found
  without one.
- *times ours*: mean relative to the first row's; of the cases apart / overlapping in brackets.

**Peers.** *injected*: the closed support function of the body, the same code for all, written for this
comparison (tapered bodies: the library's); through parry's `SupportMap`, FCL's `detail::GJKSignedDistance` (libccd) and coal's
`MinkowskiDiff::getSupportFunc`, with GJK's first direction the centre line in coal. Tolerances are the peers' defaults,
1e-6 for FCL and coal, where not said otherwise. *hull*, *mesh*: the convex hull of the library's tessellation with 266
vertices, the nearest to the 290 of the papers. *oct-implicit* to *ntb-parametric*: the schemes of the 2017 paper as the
library implements them, with its analytic Jacobian or with the paper's finite differences.
";

/// Three digits.
pub fn number(x: f64) -> String {
    match x {
        x if x.is_nan() => "–".to_owned(),
        x if x >= 99.5 => format!("{x:.0}"),
        x if x >= 9.95 => format!("{x:.1}"),
        x if x >= 0.995 => format!("{x:.2}"),
        x => format!("{x:.3}"),
    }
}

fn error(x: f64) -> String {
    if x.is_nan() {
        "–".to_owned()
    } else {
        format!("{x:.0e}")
    }
}

fn some(count: usize) -> String {
    if count == 0 {
        "0".to_owned()
    } else {
        format!("**{count}**")
    }
}

/// The whole report.
pub fn markdown(run: &Run, measured: &[Measured], check: Option<&FullCheck>) -> String {
    let mut text = String::from("# Superovoid contact against other engines\n\n");
    let _ = write!(
        text,
        "    {}\n\n{}{}. Load averages before the run {}, after it {}. {} rounds; a reading of the clock takes {:.0} ns.\n",
        run.command,
        run.machine
            .as_ref()
            .map_or(String::new(), |name| format!("{name}: ")),
        machine::processor(),
        run.load[0],
        run.load[1],
        run.rounds,
        run.clock,
    );
    text += &warnings(measured, check);
    if !run.missing.is_empty() {
        text += "\n**Not found**, and so not in the tables:\n\n";
        for line in &run.missing {
            // The first line: a compiler has many more to say.
            let _ = writeln!(text, "- {}", line.lines().next().unwrap_or_default());
        }
    }
    text += METHOD;
    text += "\n![Mean time](comparison_mean.svg)\n\n![Tail](comparison_tail.svg)\n";
    for measured in measured {
        text += &section(measured);
    }
    if let Some(check) = check {
        text += &full_check(check);
    }
    text
}

/// Which figures are noise.
pub fn warnings(measured: &[Measured], check: Option<&FullCheck>) -> String {
    let mut lines = Vec::new();
    for measured in measured {
        let noisy = measured.noisy();
        let worst = noisy.iter().max_by(|x, y| x.1.total_cmp(&y.1));
        if let Some((name, spread)) = worst {
            lines.push(format!(
                "{}: {} of {} rows, most {name} with {:.0} %",
                measured.workload.title,
                noisy.len(),
                measured.rows.len(),
                100.0 * spread
            ));
        }
    }
    for row in check.iter().flat_map(|check| &check.rows) {
        if row.spread() > machine::NOISE {
            let percent = 100.0 * row.spread();
            lines.push(format!("Full check: {}: {percent:.0} %", row.name));
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let percent = 100.0 * machine::NOISE;
    let mut text = format!(
        "\n**The machine was noisy**: the rounds of some rows differ by more than {percent:.0} % of their median.\n\n"
    );
    for line in lines {
        let _ = writeln!(text, "- {line}");
    }
    text
}

fn section(measured: &Measured) -> String {
    let workload = &measured.workload;
    let overlapping = measured.reference.len() - measured.apart;
    let mut text = format!(
        "\n## {}\n\n{} {} cases: {} apart, {overlapping} overlapping.\n\n",
        workload.title,
        workload.note,
        measured.reference.len(),
        measured.apart
    );
    text += "| peer | mean µs | apart µs | overlapping µs | p50 | p99 | p99.9 | slowest | evaluations | error p99 m | \
             largest m | failed | wrong side | no depth | times ours |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for row in &measured.rows {
        let Some(all) = measured.summary(row, Side::All) else {
            continue;
        };
        let [apart, overlapping] = [Side::Apart, Side::Overlapping].map(|side| {
            let mean = measured.summary(row, side).map_or(f64::NAN, |s| s.mean);
            (mean / 1e3, measured.ratio(row, side))
        });
        let [p50, p99, p999, slowest] = all.quantiles.map(|t| number(t / 1e3));
        let evaluations = if all.evaluations > 0.0 {
            format!("{:.1}", all.evaluations)
        } else {
            "–".to_owned()
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {p50} | {p99} | {p999} | {slowest} | {evaluations} | {} | {} | {} | {} | {} | {} ({} / {}) |",
            row.name,
            number(all.mean / 1e3),
            number(apart.0),
            number(overlapping.0),
            error(all.errors[0]),
            error(all.errors[1]),
            some(all.failed),
            some(all.wrong_side),
            some(all.no_depth),
            number(measured.ratio(row, Side::All)),
            number(apart.1),
            number(overlapping.1),
        );
    }
    for line in &measured.missing {
        let _ = writeln!(text, "\nNot here: {line}.");
    }
    text
}

fn full_check(check: &FullCheck) -> String {
    let mut text = format!(
        "\n## Full check of both hands\n\nThe distances of all {} pairs of bodies that are not adjacent, per \
         configuration: {} of them along the path of *Hands*. Nobody culls, but for the last two rows of ours, which \
         are what a planner asks for. Ours begins with the configuration (forward kinematics), the peers with poses. \
         Warm: after a query 1 mm before. The error is that of the least clearance.\n\n\
         | check | mean µs | slowest µs | a pair µs | error m | failed pairs | wrong side | times ours, cold | warm |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        check.pairs,
        check.reference.len()
    );
    let warm = check
        .rows
        .iter()
        .find(|row| row.name.contains("contacts") && row.name.contains("warm"));
    for row in &check.rows {
        let (largest, wrong) = check.errors(row);
        let mean = row.mean();
        let ratio = |other: Option<f64>| number(other.map_or(f64::NAN, |other| mean / other));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.name,
            number(mean),
            number(row.slowest()),
            number(mean / check.pairs as f64),
            error(largest),
            some(row.failed),
            some(wrong),
            ratio(check.rows.first().map(|row| row.mean())),
            ratio(warm.map(|row| row.mean())),
        );
    }
    for line in &check.missing {
        let _ = writeln!(text, "\nNot here: {line}.");
    }
    text
}

/// Of all [`CULLS`], nanoseconds.
pub fn culls(times: &[f64]) -> String {
    let mut text = String::from(
        "\n## Culls\n\nSemi-axes in [0.2, 1], e in [0.1, 1.9], orientations uniform. *Balls apart*: centres 5 apart. *Boxes \
         apart*, *meeting*: centres 1.3 apart, by what the oriented boxes are; the balls meet. In a loop over 500 pairs, the \
         fastest of many rounds, less what the loop takes.\n\n| test | ns |\n| --- | ---: |\n",
    );
    for (cull, time) in CULLS.iter().zip(times) {
        let _ = writeln!(text, "| {} | {time:.1} |", cull.name);
    }
    text
}

pub fn threads(threads: &Threads) -> String {
    let mut text = format!(
        "\n## Threads\n\nPairs of the untapered battery and points about one body, in one call, on pools of rayon's of one \
         thread and of {} that take turns; the fastest of the rounds.\n\n| batch | elements | one thread, 1/s | {} threads, \
         1/s | ratio | rounds differ by |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
        threads.count, threads.count
    );
    for row in &threads.rows {
        let [one, all] = row.seconds;
        let _ = writeln!(
            text,
            "| `{}` | {} | {:.3e} | {:.3e} | {:.2} | {:.0} % |",
            row.name,
            row.count,
            row.count as f64 / one,
            row.count as f64 / all,
            one / all,
            100.0 * row.spread,
        );
    }
    text
}

const COLUMNS: [&str; 18] = [
    "workload",
    "peer",
    "side",
    "cases",
    "mean_us",
    "p50_us",
    "p99_us",
    "p99_9_us",
    "slowest_us",
    "evaluations",
    "error_p99_m",
    "error_largest_m",
    "failed",
    "wrong_side",
    "no_depth",
    "times_ours",
    "spread",
    "of",
];

/// One row a peer, workload and side.
///
/// # Errors
/// A file that cannot be written.
pub fn csv(path: &Path, measured: &[Measured], check: Option<&FullCheck>) -> Result<()> {
    let mut file = csv::Writer::from_path(path)?;
    file.write_record(COLUMNS)?;
    for measured in measured {
        for row in &measured.rows {
            for (side, name) in [
                (Side::All, "all"),
                (Side::Apart, "apart"),
                (Side::Overlapping, "overlapping"),
            ] {
                let Some(summary) = measured.summary(row, side) else {
                    continue;
                };
                let head = [measured.workload.name, &row.name, name];
                file.write_record(record(head, &summary, measured.ratio(row, side)))?;
            }
        }
    }
    for (check, row) in check
        .iter()
        .flat_map(|check| check.rows.iter().map(move |row| (check, row)))
    {
        let (largest, wrong) = check.errors(row);
        let nothing = String::new;
        let ours = check.rows[0].mean();
        file.write_record([
            "full-check".to_owned(),
            row.name.clone(),
            "all".to_owned(),
            row.times.len().to_string(),
            row.mean().to_string(),
            nothing(),
            nothing(),
            nothing(),
            row.slowest().to_string(),
            nothing(),
            nothing(),
            figure(largest),
            row.failed.to_string(),
            wrong.to_string(),
            nothing(),
            (row.mean() / ours).to_string(),
            row.spread().to_string(),
            format!("a configuration of {} pairs", check.pairs),
        ])?;
    }
    file.flush()?;
    Ok(())
}

/// Empty for NaN.
fn figure(x: f64) -> String {
    if x.is_nan() {
        String::new()
    } else {
        x.to_string()
    }
}

fn record([workload, peer, side]: [&str; 3], summary: &Summary, ratio: f64) -> Vec<String> {
    let mut record: Vec<String> = [workload, peer, side].map(str::to_owned).into();
    record.push(summary.cases.to_string());
    let [p50, p99, p999, slowest] = summary.quantiles;
    record.extend([summary.mean, p50, p99, p999, slowest].map(|t| figure(t / 1e3)));
    record.push(figure(summary.evaluations));
    record.extend(summary.errors.map(figure));
    record.extend([summary.failed, summary.wrong_side, summary.no_depth].map(|n| n.to_string()));
    record.extend([figure(ratio), figure(summary.spread), "a query".to_owned()]);
    record
}
