//! Figures of bones, joints and bodies from strokes.

mod ellipse;
mod hull;
mod recogniser;
mod stroke;

pub use ellipse::{Ellipse, fit_ellipse};
pub use recogniser::{Recognised, Refusal, recognise};
pub use stroke::{Stroke, StrokeError};
