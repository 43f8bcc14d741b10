//! Distributions on a common logarithmic axis, one ridge above the other.

use super::{COLOURS, PALE, named};
use crate::statistics::median;
use anyhow::Result;
use plotters::prelude::*;
use std::path::Path;

/// Distributions of positive numbers.
pub struct Ridges<'a> {
    /// Above the plot.
    pub title: &'a str,
    /// Of the horizontal axis, with its unit.
    pub axis: &'a str,
    /// Names of the colours.
    pub series: Vec<String>,
    /// From top to bottom.
    pub ridges: Vec<Ridge>,
}

/// The distributions that share a base line.
pub struct Ridge {
    /// Left of the base line.
    pub name: String,
    /// Index of the series, and the numbers.
    pub values: Vec<(usize, Vec<f64>)>,
}

const WIDTH: u32 = 1000;
/// Title and legend.
const HEAD: u32 = 66;
/// Where the legend is, pixels from the top.
const LEGEND: i32 = 42;
/// Left of the axis.
const LABELS: u32 = 190;
const RIDGE: u32 = 52;
/// Below the last base line.
const FOOT: u32 = 62;
/// Bins a decade.
const BINS: f64 = 16.0;
/// Height of a ridge where all numbers fall into this share of the bins; the distance of base lines is 1.
const TALLEST: f64 = 0.92;

impl Ridges<'_> {
    /// Writes the plot: the share of the numbers in each bin, a ridge scaled to its tallest bin, and a tick
    /// at each median.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn draw(&self, path: &Path) -> Result<()> {
        named(path, self.try_draw(path))
    }

    fn try_draw<'b>(&'b self, path: &'b Path) -> Result<(), Box<dyn std::error::Error + 'b>> {
        let rows = self.ridges.len();
        let height = HEAD + FOOT + RIDGE * u32::try_from(rows)?;
        let root = SVGBackend::new(path, (WIDTH, height)).into_drawing_area();
        root.fill(&WHITE)?;
        let [low, high] = self.decades();
        let title = ("sans-serif", 20).into_text_style(&root);
        root.draw_text(self.title, &title, (LABELS as i32, 14))?;
        let (_, plot) = root.split_vertically(HEAD);
        let mut chart = ChartBuilder::on(&plot)
            .margin(8)
            .margin_right(20)
            .x_label_area_size(44)
            .y_label_area_size(LABELS)
            .build_cartesian_2d(low..high, -0.1..rows as f64)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .x_labels((high - low) as usize + 1)
            .x_label_formatter(&|x| decade(*x))
            .x_desc(self.axis)
            .axis_desc_style(("sans-serif", 15))
            .label_style(("sans-serif", 13))
            .max_light_lines(1)
            .bold_line_style(PALE.mix(0.5))
            .draw()?;
        for (row, ridge) in self.ridges.iter().enumerate() {
            let base = (rows - 1 - row) as f64;
            let line = LineSeries::new([(low, base), (high, base)], PALE);
            chart.draw_series(line)?;
            let histograms: Vec<_> = ridge.values.iter().map(|(_, v)| histogram(v)).collect();
            let all = histograms.iter().flatten().map(|&(_, share)| share);
            let scale = TALLEST / all.fold(f64::MIN_POSITIVE, f64::max);
            for ((series, values), bins) in ridge.values.iter().zip(&histograms) {
                let colour = COLOURS[series % COLOURS.len()];
                let outline: Vec<(f64, f64)> = steps(bins)
                    .into_iter()
                    .map(|(x, share)| (x, base + scale * share))
                    .collect();
                chart.draw_series(
                    AreaSeries::new(outline, base, colour.mix(0.22))
                        .border_style(colour.stroke_width(2)),
                )?;
                let middle = median(values).log10();
                let tick = [(middle, base - 0.08), (middle, base + 0.14)];
                chart.draw_series(LineSeries::new(tick, colour.stroke_width(4)))?;
            }
            // In pixels of the whole picture.
            let (_, y) = chart.backend_coord(&(low, base));
            let style = ("sans-serif", 15).into_text_style(&root);
            root.draw_text(&ridge.name, &style, (14, y - 18))?;
        }
        self.legend(&root)?;
        root.present()?;
        Ok(())
    }

    /// The names of the colours in a row below the title.
    fn legend<'b>(
        &'b self,
        root: &DrawingArea<SVGBackend<'b>, plotters::coord::Shift>,
    ) -> Result<(), Box<dyn std::error::Error + 'b>> {
        /// Pixels: of a letter, about, and of a square with the space around it.
        const LETTER: i32 = 7;
        const SQUARE: i32 = 44;
        let style = ("sans-serif", 14).into_text_style(root);
        let mut x = LABELS as i32;
        for (k, name) in self.series.iter().enumerate() {
            let colour = COLOURS[k % COLOURS.len()];
            let corners = [(x, LEGEND), (x + 12, LEGEND + 10)];
            root.draw(&Rectangle::new(corners, colour.filled()))?;
            root.draw_text(name, &style, (x + 18, LEGEND))?;
            x += LETTER * i32::try_from(name.chars().count())? + SQUARE;
        }
        Ok(())
    }

    /// Whole decades around all numbers.
    fn decades(&self) -> [f64; 2] {
        let ridges = self.ridges.iter().flat_map(|ridge| &ridge.values);
        let all = ridges.flat_map(|(_, values)| values);
        let [low, high] = all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
            [low.min(x.log10()), high.max(x.log10())]
        });
        if low.is_finite() && high.is_finite() {
            [low.floor(), high.ceil().max(low.floor() + 1.0)]
        } else {
            [0.0, 1.0]
        }
    }
}

/// `0.1`, `1`, `10`, …
fn decade(exponent: f64) -> String {
    let digits = (-exponent).max(0.0).ceil() as usize;
    format!("{:.digits$}", 10f64.powf(exponent))
}

/// Left ends of the bins, as decades, and the share of the numbers in each, from the first bin that holds
/// one to the last.
fn histogram(values: &[f64]) -> Vec<(f64, f64)> {
    let bin = |x: &f64| (x.log10() * BINS).floor() as i64;
    let Some(first) = values.iter().map(bin).min() else {
        return Vec::new();
    };
    let last = values.iter().map(bin).max().unwrap_or(first);
    let mut counts = vec![0_usize; usize::try_from(last - first).map_or(1, |n| n + 1)];
    for value in values {
        let place = usize::try_from(bin(value) - first).unwrap_or(0);
        counts[place] += 1;
    }
    let share = |count: usize| count as f64 / values.len() as f64;
    let left = |k: usize| (first as f64 + k as f64) / BINS;
    let shares = counts.into_iter().enumerate();
    shares.map(|(k, count)| (left(k), share(count))).collect()
}

/// The outline of a histogram: two points a bin, and the ends on the base line.
fn steps(bins: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let right = |&(left, share): &(f64, f64)| (left + 1.0 / BINS, share);
    let first = bins.first().map(|&(left, _)| (left, 0.0));
    let last = bins.last().map(|bin| (right(bin).0, 0.0));
    let tops = bins.iter().flat_map(|bin| [*bin, right(bin)]);
    first.into_iter().chain(tops).chain(last).collect()
}
