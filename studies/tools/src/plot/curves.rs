//! Curves over a common axis, panels one above the other.

use super::{COLOURS, PALE, named};
use anyhow::{Context, Result};
use plotters::prelude::*;
use std::path::Path;

/// Panels that share their horizontal axis and the names and colours of their curves.
pub struct Curves<'a> {
    /// Above the plot.
    pub title: &'a str,
    /// Of the horizontal axis, with its unit.
    pub axis: &'a str,
    /// Where something happens on the horizontal axis, and what.
    pub marks: Vec<(f64, &'a str)>,
    /// Names of the curves.
    pub names: Vec<String>,
    /// From top to bottom.
    pub panels: Vec<Panel<'a>>,
}

/// One panel.
pub struct Panel<'a> {
    /// Of the vertical axis, with its unit.
    pub axis: &'a str,
    /// The points of each curve, as many curves as there are names.
    pub curves: Vec<Vec<(f64, f64)>>,
    /// Its height, pixels.
    pub height: u32,
    /// Whether a line marks zero.
    pub zero: bool,
}

/// Units a pixel: the library that draws rounds to whole units, which pixels are too coarse for.
const FINE: u32 = 4;
/// Pixels, as all that follows.
const WIDTH: u32 = 1000;
const TITLE: u32 = 36;
/// Lines that lie on each other stay visible: the first ones are wider.
const WIDTHS: [u32; 5] = [5, 3, 2, 2, 1];

impl Curves<'_> {
    /// Writes the plot.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn draw(&self, path: &Path) -> Result<()> {
        let height = TITLE + self.panels.iter().map(|panel| panel.height).sum::<u32>();
        let mut svg = String::new();
        named(path, self.try_draw(height, &mut svg))?;
        let size = |unit: u32| format!("width=\"{}\" height=\"{}\"", unit * WIDTH, unit * height);
        let svg = svg.replacen(&size(FINE), &size(1), 1);
        std::fs::write(path, svg).with_context(|| path.display().to_string())
    }

    fn try_draw<'b>(
        &'b self,
        height: u32,
        svg: &'b mut String,
    ) -> Result<(), Box<dyn std::error::Error + 'b>> {
        let root = SVGBackend::with_string(svg, (FINE * WIDTH, FINE * height)).into_drawing_area();
        root.fill(&WHITE)?;
        root.draw_text(
            self.title,
            &font(20).into_text_style(&root),
            (pixels(70), pixels(12)),
        )?;
        let (_, mut rest) = root.split_vertically(FINE * TITLE);
        for (k, panel) in self.panels.iter().enumerate() {
            let (area, below) = rest.split_vertically(FINE * panel.height);
            self.panel(panel, k == 0, k + 1 == self.panels.len(), &area)?;
            rest = below;
        }
        root.present()?;
        Ok(())
    }

    fn panel<'b>(
        &'b self,
        panel: &'b Panel,
        first: bool,
        last: bool,
        area: &DrawingArea<SVGBackend<'b>, plotters::coord::Shift>,
    ) -> Result<(), Box<dyn std::error::Error + 'b>> {
        let (x, y) = (range(panel, |p| p.0, 0.0), range(panel, |p| p.1, 0.06));
        let mut chart = ChartBuilder::on(area)
            .margin(FINE * 8)
            .margin_right(FINE * 20)
            .x_label_area_size(FINE * if last { 44 } else { 16 })
            .y_label_area_size(FINE * 62)
            .build_cartesian_2d(x[0]..x[1], y[0]..y[1])?;
        let mut mesh = chart.configure_mesh();
        mesh.max_light_lines(1)
            .bold_line_style(PALE.mix(0.5).stroke_width(FINE))
            .y_label_formatter(&number)
            .x_labels(12)
            .y_labels(8)
            .y_desc(panel.axis)
            .set_all_tick_mark_size(FINE * 5)
            .axis_style(COLOURS[6].stroke_width(FINE))
            .axis_desc_style(font(15))
            .label_style(font(13));
        if last {
            mesh.x_desc(self.axis).x_label_formatter(&number);
        } else {
            mesh.x_label_formatter(&|_| String::new());
        }
        mesh.draw()?;
        if panel.zero {
            let ends = [(x[0], 0.0), (x[1], 0.0)];
            chart.draw_series(LineSeries::new(ends, BLACK.stroke_width(FINE)))?;
        }
        for &(at, what) in &self.marks {
            let grey = COLOURS[6].stroke_width(FINE);
            chart.draw_series(DashedLineSeries::new(
                [(at, y[0]), (at, y[1])],
                FINE * 4,
                FINE * 4,
                grey,
            ))?;
            if first {
                let style = font(14).into_text_style(area);
                let top = y[1] - 0.02 * (y[1] - y[0]);
                let text = Text::new(what.to_owned(), (at + 0.006 * (x[1] - x[0]), top), style);
                chart.draw_series([text])?;
            }
        }
        for (k, (name, points)) in self.names.iter().zip(&panel.curves).enumerate() {
            let colour = COLOURS[k % COLOURS.len()];
            let style = colour.stroke_width(FINE * WIDTHS[k.min(WIDTHS.len() - 1)]);
            let curve = chart.draw_series(LineSeries::new(points.iter().copied(), style))?;
            if first {
                curve
                    .label(name.as_str())
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + pixels(18), y)], style));
            }
        }
        if first {
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::LowerLeft)
                .background_style(WHITE.mix(0.85))
                .border_style(PALE.stroke_width(FINE))
                .margin(FINE * 8)
                .legend_area_size(FINE * 28)
                .label_font(font(14))
                .draw()?;
        }
        Ok(())
    }
}

fn font(pixels: u32) -> (&'static str, u32) {
    ("sans-serif", FINE * pixels)
}

fn pixels(count: u32) -> i32 {
    (FINE * count).cast_signed()
}

/// Without the digits that rounding leaves behind.
fn number(x: &f64) -> String {
    format!("{}", (x * 1e6).round() / 1e6 + 0.0)
}

/// From the least to the greatest coordinate, and a share of that more on both sides.
fn range(panel: &Panel, coordinate: impl Fn(&(f64, f64)) -> f64, more: f64) -> [f64; 2] {
    let all = panel.curves.iter().flatten().map(coordinate);
    let [low, high] = all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
        [low.min(x), high.max(x)]
    });
    if low < high {
        [low - more * (high - low), high + more * (high - low)]
    } else {
        [low.min(0.0), high.max(1.0)]
    }
}
