//! Tests of the simulation through its public surface.

mod bodies;
mod cloth;
mod common;
mod contacts;
mod gimbal;
mod guide;
mod joints;
mod passing;
mod pull;
mod recordings;
mod refusals;
mod same_bits;
mod soft;
