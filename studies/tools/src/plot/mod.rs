//! Plots as SVG.

mod bars;
mod curves;
mod ridges;

pub use bars::Bars;
pub use curves::{Curves, Panel};
pub use ridges::{Ridge, Ridges};

use anyhow::{Result, anyhow};
use plotters::style::RGBColor;
use std::path::Path;

/// The colours of series, in their order.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0x22, 0x5e, 0xa8),
    RGBColor(0xe0, 0x7b, 0x39),
    RGBColor(0x3a, 0x9a, 0x5b),
    RGBColor(0xb0, 0x3a, 0x48),
    RGBColor(0x7a, 0x5a, 0xa6),
    RGBColor(0x8c, 0x6d, 0x46),
    RGBColor(0x70, 0x70, 0x70),
    RGBColor(0x2a, 0xa8, 0xb0),
];
/// Frames of legends, and lines that only guide the eye.
const PALE: RGBColor = RGBColor(0xc0, 0xc0, 0xc0);

/// What the library that draws says, with the name of the file.
fn named(path: &Path, result: Result<(), Box<dyn std::error::Error + '_>>) -> Result<()> {
    result.map_err(|e| anyhow!("{}: {e}", path.display()))
}
