//! Surfaces and contact answers, judged by an oracle that shares no code with the library.
//!
//! One program, so that the oracle is compiled once and the batteries share the processors.

mod bounding;
mod culls;
mod ellipsoids;
mod judge;
mod oracle;
mod oracle_selftest;
mod pair_batch;
mod pair_battery;
mod pair_properties;
mod planar;
mod plane;
mod point;
mod polytope;
mod ray;
mod regressions;
mod schemes;
mod sets;
mod surface;
