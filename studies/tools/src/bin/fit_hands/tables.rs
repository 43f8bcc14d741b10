//! The tables of `docs/reports/icub_hands.md`, between the page's markers.

use crate::fits::{LinkFit, Rounded};
use crate::model::Version;
use anyhow::{Context, Result, ensure};
use superovoid_fit::Distances;

type Table = fn(&[LinkFit]) -> String;

const TABLES: [(&str, Table); 4] = [
    ("versions", versions),
    ("superovoids", superovoids),
    ("superellipsoids", superellipsoids),
    ("enclosing", enclosing),
];

/// The page with its tables replaced.
pub fn written_into(page: &str, fits: &[LinkFit]) -> Result<String> {
    let mut page = page.to_owned();
    for (name, table) in TABLES {
        let (begin, end) = (
            format!("<!-- {name}: begin -->"),
            format!("<!-- {name}: end -->"),
        );
        let found = page.split_once(&begin).and_then(|(before, rest)| {
            let (_, after) = rest.split_once(&end)?;
            Some(format!("{before}{begin}\n{}{end}{after}", table(fits)))
        });
        page = found.with_context(|| {
            format!(
                "docs/reports/icub_hands.md must have the lines {begin} and {end} around a table"
            )
        })?;
        ensure!(page.matches(&begin).count() == 1, "{begin} stands twice");
    }
    Ok(page)
}

fn heading(columns: &[&str]) -> String {
    let names = columns.join(" | ");
    let lines = vec!["---:"; columns.len() - 1].join(" | ");
    format!("| {names} |\n| --- | {lines} |\n")
}

fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// Millimetres, both ways.
fn both(body: &Rounded, which: fn(&Distances) -> f64) -> String {
    let report = &body.report;
    let [there, back] = [report.mesh_to_body, report.body_to_mesh].map(|d| 1e3 * which(&d));
    format!("{there:.2} / {back:.2}")
}

fn errors(body: &Rounded) -> [String; 4] {
    [
        both(body, |d| d.rms),
        both(body, |d| d.p95),
        both(body, |d| d.max),
        format!("{:.3}", body.report.volume_to_hull.unwrap_or(f64::NAN)),
    ]
}

fn parameters(body: &Rounded) -> Vec<String> {
    let shape = &body.shape;
    let axes = shape.semi_axes().map(|a| format!("{:.2}", 1e3 * a));
    let mut cells = axes.to_vec();
    cells.extend(shape.exponents().map(|e| e.to_string()));
    cells
}

fn superovoids(fits: &[LinkFit]) -> String {
    let mut text = heading(&[
        "link",
        "a1",
        "a2",
        "a3",
        "e1",
        "e2",
        "tx",
        "ty",
        "rms",
        "95 %",
        "max",
        "volume",
        "other hand",
    ]);
    for fit in fits {
        let body = &fit.superovoid;
        let mut cells = vec![format!("`{}`", fit.name)];
        cells.extend(parameters(body));
        cells.extend(body.shape.tapers().map(|t| t.to_string()));
        cells.extend(errors(body));
        cells.push(asymmetry(fit, fits).map_or(String::new(), |d| format!("{:.2}", 1e3 * d)));
        text += &row(&cells);
    }
    text
}

/// Largest difference of the sorted semi-axes to those of the same link of the other hand.
fn asymmetry(fit: &LinkFit, fits: &[LinkFit]) -> Option<f64> {
    let other = fits
        .iter()
        .find(|other| other.name[1..] == fit.name[1..] && other.name != fit.name)?;
    let [own, others] = [fit, other].map(|f| {
        let mut axes = f.superovoid.shape.semi_axes();
        axes.sort_by(f64::total_cmp);
        axes
    });
    (0..3).map(|k| (own[k] - others[k]).abs()).reduce(f64::max)
}

fn superellipsoids(fits: &[LinkFit]) -> String {
    let mut text = heading(&[
        "link", "a1", "a2", "a3", "e1", "e2", "rms", "95 %", "max", "volume",
    ]);
    for fit in fits {
        let mut cells = vec![format!("`{}`", fit.name)];
        cells.extend(parameters(&fit.superellipsoid));
        cells.extend(errors(&fit.superellipsoid));
        text += &row(&cells);
    }
    text
}

/// Errors of the finger links of each version, and of the palms.
fn versions(fits: &[LinkFit]) -> String {
    let mut text = heading(&[
        "model",
        "mean rms",
        "largest rms",
        "largest distance",
        "rms of the palms",
    ]);
    let is_palm = |fit: &&LinkFit| fit.finger == "palm";
    for version in Version::ALL {
        // Over all finger links, both ways.
        let of_fingers = |which: fn(&Distances) -> f64| -> Vec<f64> {
            let fingers = fits.iter().filter(|fit| !is_palm(fit));
            let reports = fingers.map(|fit| version.body(fit).report);
            reports
                .flat_map(|r| [r.mesh_to_body, r.body_to_mesh].map(|d| 1e3 * which(&d)))
                .collect()
        };
        let rms = of_fingers(|d| d.rms);
        let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
        let palms = fits.iter().filter(is_palm);
        let palms: Vec<String> = palms
            .map(|fit| both(version.body(fit), |d| d.rms))
            .collect();
        text += &row(&[
            format!("`{}`", version.file()),
            format!("{:.3}", rms.iter().sum::<f64>() / rms.len().max(1) as f64),
            format!("{:.3}", largest(&rms)),
            format!("{:.2}", largest(&of_fingers(|d| d.max))),
            palms.join(", "),
        ]);
    }
    text
}

fn enclosing(fits: &[LinkFit]) -> String {
    let mut text = heading(&["link", "corners", "superovoid", "superellipsoid"]);
    for fit in fits {
        let [superovoid, superellipsoid] = fit.enclosing.map(|ratio| format!("{ratio:.3}"));
        let corners = fit.hull.vertices().len().to_string();
        text += &row(&[
            format!("`{}`", fit.name),
            corners,
            superovoid,
            superellipsoid,
        ]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let markers =
            TABLES.map(|(name, _)| format!("<!-- {name}: begin -->old<!-- {name}: end -->"));
        let page = format!("before {} after", markers.join(" between "));
        let written = written_into(&page, &[]).unwrap();
        assert!(written.starts_with("before ") && written.ends_with(" after"));
        assert!(!written.contains("old") && written.contains("| link |"));
        assert_eq!(written_into(&written, &[]).unwrap(), written);
        assert!(written_into("no markers", &[]).is_err());
    }
}
