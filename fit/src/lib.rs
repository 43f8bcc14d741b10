//! Fits.
mod body;
mod bounding;
mod chart;
mod error;
mod fit;
mod hull;
mod least_squares;
mod options;
mod points;
mod robust;
mod search;
mod starts;
pub use error::FitError;
pub use fit::{Fit, fit};
pub use options::{Aim, Axis, Family, FitOptions, Loss, Progress};
