//! Grouped bars.

use super::{COLOURS, PALE, named};
use anyhow::Result;
use plotters::prelude::*;
use std::path::Path;

/// Bars of several series side by side in labelled groups.
pub struct Bars<'a> {
    /// Above the plot.
    pub title: &'a str,
    /// Of the vertical axis, with its unit.
    pub axis: &'a str,
    /// Names, of one line or two.
    pub groups: Vec<String>,
    /// Name and one value a group; NaN leaves a gap.
    pub series: Vec<(String, Vec<f64>)>,
    /// Logarithmic from this value up; linear from 0 if None.
    pub logarithmic_from: Option<f64>,
}

const SIZE: (u32, u32) = (1000, 420);
/// Height of the axis relative to the highest bar: room for the legend.
const FREE: f64 = 1.4;
/// Share of a group's width that its bars take.
const FILLED: f64 = 0.8;

impl Bars<'_> {
    /// Writes the plot.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn draw(&self, path: &Path) -> Result<()> {
        named(path, self.try_draw(path))
    }

    fn try_draw(&self, path: &Path) -> Result<(), Box<dyn std::error::Error + '_>> {
        let root = SVGBackend::new(path, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        // Heights are drawn as logarithms where asked for, with labels to match.
        let height = |v: f64| match self.logarithmic_from {
            Some(least) => (v / least).log10().max(0.0),
            None => v,
        };
        let values = self.series.iter().flat_map(|(_, v)| v.iter().copied());
        let top = values
            .filter(|v| v.is_finite())
            .fold(0.0, |m: f64, v| m.max(height(v)));
        let mut chart = ChartBuilder::on(&root)
            .caption(self.title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..self.groups.len() as f64, 0.0..top * FREE)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .y_desc(self.axis)
            .x_labels(self.groups.len())
            .disable_x_axis()
            // Decades, if logarithmic.
            .y_labels(if self.logarithmic_from.is_some() {
                top.ceil() as usize + 1
            } else {
                8
            })
            .y_max_light_lines(1)
            .y_label_formatter(&|y| match self.logarithmic_from {
                _ if *y > 1.001 * top.ceil() => String::new(),
                Some(least) => format!("{}", least * 10f64.powi(y.round() as i32)),
                None => format!("{y:.0}"),
            })
            .draw()?;
        let width = FILLED / self.series.len() as f64;
        for (k, (name, values)) in self.series.iter().enumerate() {
            let colour = COLOURS[k % COLOURS.len()];
            let bars = values.iter().enumerate().filter(|(_, v)| v.is_finite());
            let bar = |(group, v): (usize, &f64)| {
                let left = group as f64 + 0.5 * (1.0 - FILLED) + width * k as f64;
                Rectangle::new(
                    [(left, 0.0), (left + 0.92 * width, height(*v))],
                    colour.filled(),
                )
            };
            chart
                .draw_series(bars.map(bar))?
                .label(name.as_str())
                .legend(move |(x, y)| {
                    Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled())
                });
        }
        for (group, name) in self.groups.iter().enumerate() {
            let (x, y) = chart.backend_coord(&(group as f64 + 0.5, 0.0));
            let style = ("sans-serif", 14).into_text_style(&root);
            for (line, text) in name.lines().enumerate() {
                let half = 3 * text.chars().count() as i32;
                root.draw_text(text, &style, (x - half, y + 8 + 15 * line as i32))?;
            }
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.8))
            .border_style(PALE)
            .label_font(("sans-serif", 13))
            .draw()?;
        root.present()?;
        Ok(())
    }
}
