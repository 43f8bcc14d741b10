//! Scenes say what asking every pair says, whatever was asked before.
#![cfg(all(feature = "bvh", feature = "urdf"))]

mod brute_force;
mod changes;
mod obstacles;
mod refusals;
mod robot;
mod srdf;
