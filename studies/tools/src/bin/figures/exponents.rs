//! Figures 32 to 39 of the thesis: the iterative method over the domain of the exponents, and the curvature-aware step
//! that the thesis proposes after them.

use crate::grid::{Errors, points, shape};
use anyhow::Result;
use indicatif::ProgressBar;
use std::fmt::Write;
use std::path::Path;
use superovoid::published::{curvature_aware_vertex_contact, iterative_vertex_contact};
use superovoid::{VertexOptions, vertex_contact};
use superovoid_tools::plot::{Curves, Panel};

/// Distances from the surface along the semi-axes, metres, and the figure of the thesis, of equal exponents.
const EQUAL: [(f64, u32); 3] = [(0.05, 32), (0.01, 33), (-0.01, 34)];
/// The first exponent, and the figure of the thesis, where only the second one varies.
const FIRST: [(f64, u32); 5] = [(0.3, 35), (0.65, 36), (1.0, 37), (1.35, 38), (1.7, 39)];
const SIDES: [f64; 2] = [0.05, -0.01];
/// The exponents 0.1 to 1.9.
const COUNT: usize = 19;
pub const STEPS: usize = COUNT * (EQUAL.len() + FIRST.len() * SIDES.len());

struct Row {
    plain: Errors,
    curved: Errors,
    exact: Errors,
}

fn row(side: usize, offset: f64, e: [f64; 2]) -> Row {
    let (body, points) = (shape(e), points(side, 1.0 + offset, e));
    let options = VertexOptions::default().with_max_iterations(30); // as in the thesis
    let of = |method| Errors::of(&body, &points, method, &options);
    Row {
        plain: of(iterative_vertex_contact),
        curved: of(curvature_aware_vertex_contact),
        exact: of(vertex_contact),
    }
}

/// Returns the row of each exponent.
fn sweep(side: usize, offset: f64, first: Option<f64>, progress: &ProgressBar) -> Vec<(f64, Row)> {
    (1..=COUNT)
        .map(|k| {
            let e2 = 0.1 * k as f64;
            let found = row(side, offset, [first.unwrap_or(e2), e2]);
            progress.inc(1);
            (e2, found)
        })
        .collect()
}

fn table(rows: &[(f64, Row)]) -> String {
    let mut text = String::from(HEAD);
    for (
        e,
        Row {
            plain,
            curved,
            exact,
        },
    ) in rows
    {
        let _ = writeln!(
            text,
            "| {e:.1} | {:.3} | {:.2} % | {} | {:.2} | {:.1} | {:.3} | {:.2} % | {} | {:.2} | {:.1} | {:.0e} | {:.2} |",
            plain.error.mean(),
            plain.failing(),
            plain.missed.cell(2),
            plain.microseconds,
            plain.iterations.mean(),
            curved.error.mean(),
            curved.failing(),
            curved.missed.cell(2),
            curved.microseconds,
            curved.iterations.mean(),
            exact.error.mean(),
            exact.microseconds,
        );
    }
    text
}

const HEAD: &str = "
| e | iterative: error mm | failing | their error mm | µs | steps | curvature-aware: error mm | failing | their error mm | µs | steps | exact: error mm | µs |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";

/// A panel of one number over the exponents, a curve each for some sweeps.
fn panel<'a>(axis: &'a str, sweeps: &[Vec<(f64, Row)>], of: fn(&Row) -> f64) -> Panel<'a> {
    let curve = |rows: &Vec<(f64, Row)>| rows.iter().map(|(e, row)| (*e, of(row))).collect();
    Panel {
        axis,
        curves: sweeps.iter().map(curve).collect(),
        height: 220,
        zero: false,
    }
}

fn draw(
    title: &str,
    axis: &str,
    names: Vec<String>,
    sweeps: &[Vec<(f64, Row)>],
    path: &Path,
) -> Result<()> {
    Curves {
        title,
        axis,
        marks: Vec::new(),
        names,
        panels: vec![
            panel("error, mm", sweeps, |row| row.plain.error.mean()),
            panel("failing, %", sweeps, |row| row.plain.failing()),
            panel("curvature-aware: failing, %", sweeps, |row| {
                row.curved.failing()
            }),
            panel("µs", sweeps, |row| row.plain.microseconds),
            panel("exact: µs", sweeps, |row| row.exact.microseconds),
        ],
    }
    .draw(path)
}

/// Returns the section, and writes its plots.
pub fn section(side: usize, output: &Path, progress: &ProgressBar) -> Result<String> {
    let mut text = String::from(TEXT);
    let equal: Vec<_> = EQUAL
        .map(|(offset, _)| sweep(side, offset, None, progress))
        .into();
    for ((offset, figure), rows) in EQUAL.iter().zip(&equal) {
        let _ = write!(
            text,
            "\n### e1 = e2, {offset:+} m (figure {figure})\n{}",
            table(rows)
        );
    }
    let names = EQUAL
        .iter()
        .map(|(offset, _)| format!("{offset:+} m"))
        .collect();
    draw(
        "Equal exponents",
        "e1 = e2",
        names,
        &equal,
        &output.join("papers_equal_exponents.svg"),
    )?;
    text += "\n![Equal exponents](papers_equal_exponents.svg)\n";
    for (offset, name) in SIDES.iter().zip(["outside", "inside"]) {
        let sweeps: Vec<_> = FIRST
            .map(|(e1, _)| sweep(side, *offset, Some(e1), progress))
            .into();
        for ((e1, figure), rows) in FIRST.iter().zip(&sweeps) {
            let _ = write!(
                text,
                "\n### e1 = {e1}, {offset:+} m (figure {figure})\n{}",
                table(rows)
            );
        }
        let names = FIRST.iter().map(|(e1, _)| format!("e1 = {e1}")).collect();
        let file = format!("papers_exponents_{name}.svg");
        draw(
            &format!("Unequal exponents, {offset:+} m"),
            "e2",
            names,
            &sweeps,
            &output.join(&file),
        )?;
        let _ = write!(text, "\n![Unequal exponents, {name}]({file})\n");
    }
    Ok(text)
}

const TEXT: &str = "
## The iterative method over the exponents

Figures 32 to 39 of the thesis: its method with at most 30 steps. *Error* is its (7), |surface point + distance · normal −
point|, in the mean; *failing* is the share of points whose error is above 1 mm, and *their error* the mean of those, which
the thesis draws as the error *when diverge*. Theirs: good everywhere but at high exponents 0.05 m from the surface, and
all but flawless nearer to it.

The *curvature-aware* step is what the thesis proposes against this, as this library understands it
(`published::curvature_aware_vertex_contact`): a sphere stands for the surface, with the radius that two guesses tell. It halves
the error of box-like shapes, and does not help at ridges. *exact* is the library's own query, whose answers are certified; at
ridges, e ≥ 1.7, the normal turns by more than degrees within the rounding of its point, so that (7), which measures the
normal there, does not measure the point.
";
