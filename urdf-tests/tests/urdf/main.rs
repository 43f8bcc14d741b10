//! The URDF reader against what may be put before it.

mod corpus;
mod files;
mod fuzz;
mod hostile;
mod peers;
mod properties;
