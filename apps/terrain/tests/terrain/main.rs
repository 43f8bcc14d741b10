//! Tests of terrains through their public surface.

mod common;
mod documents;
mod extremes;
mod refusals;
mod sessions;
mod walking;
