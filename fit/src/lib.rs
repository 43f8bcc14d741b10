//! Fits.
mod body;
mod chart;
mod least_squares;
