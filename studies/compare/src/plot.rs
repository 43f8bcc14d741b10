//! Two pictures: the mean times of all peers on three workloads, and the tails on the battery.

use crate::measure::{Measured, Side};
use crate::report::number;
use crate::statistics::quantile;
use anyhow::{Result, anyhow};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::path::Path;

type Drawn = Result<(), Box<dyn std::error::Error>>;

const OURS: RGBColor = RGBColor(0x22, 0x5e, 0xa8);
const THEIRS: RGBColor = RGBColor(0x9a, 0x9a, 0x9a);
const LINES: [RGBColor; 7] = [
    OURS,
    RGBColor(0xe0, 0x7b, 0x39),
    RGBColor(0x3a, 0x9a, 0x5b),
    RGBColor(0xb0, 0x3a, 0x48),
    RGBColor(0x7a, 0x5a, 0xa6),
    RGBColor(0x8c, 0x6d, 0x46),
    RGBColor(0x2a, 0xa8, 0xb0),
];
/// Height of a bar, and of a chart's title and axis, pixels.
const BAR: u32 = 20;
const FRAME: u32 = 90;
const WIDTH: u32 = 900;

fn ours(name: &str) -> bool {
    name.starts_with("superovoid")
}

/// Horizontal bars on a logarithmic axis, a chart for each workload, one below the other.
///
/// # Errors
/// A file that cannot be written.
pub fn means(path: &Path, measured: &[Measured]) -> Result<()> {
    let shown = [
        "battery",
        "ellipsoids-apart",
        "ellipsoids-overlapping",
        "points",
    ];
    let shown: Vec<&Measured> = measured
        .iter()
        .filter(|m| shown.contains(&m.workload.name))
        .collect();
    if shown.is_empty() {
        return Ok(());
    }
    let failed = |error: Box<dyn std::error::Error>| anyhow!("{}: {error}", path.display());
    draw_means(path, &shown).map_err(failed)
}

fn draw_means(path: &Path, shown: &[&Measured]) -> Drawn {
    let height = |m: &Measured| FRAME + BAR * m.rows.len() as u32;
    let total = shown.iter().map(|m| height(m)).sum();
    let mut rest = SVGBackend::new(path, (WIDTH, total)).into_drawing_area();
    rest.fill(&WHITE)?;
    for measured in shown {
        let (area, below) = rest.split_vertically(height(measured));
        bars(&area, measured)?;
        rest = below;
    }
    rest.present()?;
    Ok(())
}

/// Where the axes of all charts begin, microseconds.
const FROM: f64 = 0.01;

fn bars(area: &DrawingArea<SVGBackend, plotters::coord::Shift>, measured: &Measured) -> Drawn {
    let times: Vec<(&str, f64)> = measured
        .rows
        .iter()
        .filter_map(|row| {
            let summary = measured.summary(row, Side::All)?;
            Some((row.name.as_str(), summary.mean / 1e3))
        })
        .collect();
    let largest = times
        .iter()
        .fold(1.0, |most: f64, (_, time)| most.max(*time));
    let count = times.len() as f64;
    let mut chart = ChartBuilder::on(area)
        .caption(
            format!("{}: mean time", measured.workload.title),
            ("sans-serif", 18),
        )
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(240)
        .build_cartesian_2d((FROM..3.0 * largest).log_scale(), 0.0..count)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(0)
        .x_desc("µs")
        .x_label_formatter(&|x| format!("{x}"))
        .draw()?;
    for (k, (name, time)) in times.iter().enumerate() {
        let bottom = count - 1.0 - k as f64;
        let colour = if ours(name) { OURS } else { THEIRS };
        chart.draw_series([Rectangle::new(
            [(FROM, bottom + 0.15), (*time, bottom + 0.85)],
            colour.filled(),
        )])?;
        let (x, y) = chart.backend_coord(&(FROM, bottom + 0.85));
        let (left, top) = area.get_base_pixel();
        let style = ("sans-serif", 13).into_font().color(&BLACK);
        let label = style.clone().pos(Pos::new(HPos::Right, VPos::Top));
        let name = (*name).to_owned();
        area.draw(&Text::new(name, (x - left - 6, y - top), label))?;
        let (x, y) = chart.backend_coord(&(*time, bottom + 0.85));
        let value = number(*time);
        area.draw(&Text::new(value, (x - left + 6, y - top), style))?;
    }
    Ok(())
}

/// How many queries of the battery take longer than a time: both axes logarithmic.
///
/// # Errors
/// A file that cannot be written.
pub fn tail(path: &Path, measured: &[Measured]) -> Result<()> {
    let Some(battery) = measured.iter().find(|m| m.workload.name == "battery") else {
        return Ok(());
    };
    let failed = |error: Box<dyn std::error::Error>| anyhow!("{}: {error}", path.display());
    draw_tail(path, battery).map_err(failed)
}

fn draw_tail(path: &Path, measured: &Measured) -> Drawn {
    let shown = |name: &str| {
        ours(name)
            || name.contains("injected")
            || name == "quad-implicit, differences"
            || name == "coal, hull of 266 vertices"
    };
    let rows: Vec<_> = measured
        .rows
        .iter()
        .filter(|row| shown(&row.name))
        .collect();
    let count = measured.reference.len() as f64;
    let sorted = |times: &[f64]| {
        let mut times: Vec<f64> = times.iter().map(|t| t / 1e3).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let times: Vec<Vec<f64>> = rows.iter().map(|row| sorted(&row.fastest)).collect();
    let least = times
        .iter()
        .map(|t| quantile(t, 0.0))
        .fold(f64::INFINITY, f64::min);
    let most = times.iter().map(|t| quantile(t, 1.0)).fold(0.0, f64::max);
    let root = SVGBackend::new(path, (WIDTH, 460)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(
            "Battery, untapered: share of the queries that take longer",
            ("sans-serif", 18),
        )
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(
            (0.7 * least.max(1e-3)..8.0 * most).log_scale(),
            (0.5 / count..2.0).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_desc("µs")
        .y_desc("share")
        .x_label_formatter(&|x| format!("{x}"))
        .y_label_formatter(&|y| format!("{y}"))
        .draw()?;
    for (k, (row, times)) in rows.iter().zip(&times).enumerate() {
        let colour = LINES[k % LINES.len()];
        let points = times
            .iter()
            .enumerate()
            .map(|(i, time)| (time.max(1e-3), 1.0 - i as f64 / count));
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
            .label(&row.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(3)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(THEIRS)
        .label_font(("sans-serif", 13))
        .draw()?;
    root.present()?;
    Ok(())
}
