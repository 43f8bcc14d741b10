//! Tests of terrains through their public surface.

mod common;
mod sessions;
