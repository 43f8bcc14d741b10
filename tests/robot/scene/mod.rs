//! Scenes answer as a query of every pair does, whatever was asked before.

mod attached;
mod batches;
mod brute_force;
mod changes;
mod intervals;
mod levels;
mod obstacles;
mod refusals;
mod robot;
mod srdf;
