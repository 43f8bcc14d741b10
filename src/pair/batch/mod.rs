//! Many pairs at once, as many in the lanes of the processor's vectors as these hold.
//!
//! `solve` hands out the pairs and assembles the answers, `soa` holds the numbers of several pairs as a structure of
//! arrays, `single_precision` takes the first Newton steps in single precision, and `lockstep` takes the others.

mod lockstep;
mod single_precision;
mod soa;
mod solve;

pub use solve::{PAIRS_PER_BATCH, solve_batch};
pub use solve::{PairError, contact_batch};
