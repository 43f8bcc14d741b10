//! Contact of two superovoids as constrained optimisation.

pub mod conic;
pub mod constrained;
mod error;
pub mod random_pairs;
mod scaled;

pub use error::OptimError;
