//! Curves over a common axis, panels one above the other.

use super::{COLOURS, PALE, named};
use anyhow::Result;
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
        named(path, self.try_draw(path))
    }

    fn try_draw<'b>(&'b self, path: &'b Path) -> Result<(), Box<dyn std::error::Error + 'b>> {
        let height = TITLE + self.panels.iter().map(|panel| panel.height).sum::<u32>();
        let root = SVGBackend::new(path, (WIDTH, height)).into_drawing_area();
        root.fill(&WHITE)?;
        root.draw_text(
            self.title,
            &("sans-serif", 20).into_text_style(&root),
            (70, 12),
        )?;
        let (_, mut rest) = root.split_vertically(TITLE);
        for (k, panel) in self.panels.iter().enumerate() {
            let (area, below) = rest.split_vertically(panel.height);
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
            .margin(8)
            .margin_right(20)
            .x_label_area_size(if last { 44 } else { 16 })
            .y_label_area_size(62)
            .build_cartesian_2d(x[0]..x[1], y[0]..y[1])?;
        let mut mesh = chart.configure_mesh();
        mesh.max_light_lines(1)
            .bold_line_style(PALE.mix(0.5))
            .y_label_formatter(&number)
            .x_labels(12)
            .y_labels(8)
            .y_desc(panel.axis)
            .axis_desc_style(("sans-serif", 15))
            .label_style(("sans-serif", 13));
        if last {
            mesh.x_desc(self.axis).x_label_formatter(&number);
        } else {
            mesh.x_label_formatter(&|_| String::new());
        }
        mesh.draw()?;
        if panel.zero {
            let ends = [(x[0], 0.0), (x[1], 0.0)];
            chart.draw_series(LineSeries::new(ends, BLACK.stroke_width(1)))?;
        }
        for &(at, what) in &self.marks {
            let grey = COLOURS[6].stroke_width(1);
            chart.draw_series(DashedLineSeries::new([(at, y[0]), (at, y[1])], 4, 4, grey))?;
            if first {
                let style = ("sans-serif", 14).into_text_style(area);
                let top = y[1] - 0.02 * (y[1] - y[0]);
                let text = Text::new(what.to_owned(), (at + 0.006 * (x[1] - x[0]), top), style);
                chart.draw_series([text])?;
            }
        }
        for (k, (name, points)) in self.names.iter().zip(&panel.curves).enumerate() {
            let colour = COLOURS[k % COLOURS.len()];
            let style = colour.stroke_width(WIDTHS[k.min(WIDTHS.len() - 1)]);
            let curve = chart.draw_series(LineSeries::new(points.iter().copied(), style))?;
            if first {
                curve
                    .label(name.as_str())
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
            }
        }
        if first {
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::LowerLeft)
                .background_style(WHITE.mix(0.85))
                .border_style(PALE)
                .label_font(("sans-serif", 14))
                .draw()?;
        }
        Ok(())
    }
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
