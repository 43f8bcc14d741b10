//! The readers of URDF and SRDF against what may be put before them.

mod corpus;
mod files;
mod fuzz;
mod hostile;
mod peers;
mod properties;
mod srdf;
