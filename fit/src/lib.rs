//! Fits.
mod body;
mod chart;
mod error;
mod least_squares;
mod points;
mod robust;
mod search;
pub use error::FitError;
pub use search::trial;
