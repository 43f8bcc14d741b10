//! Strokes, edits and exports of figures, by oracles that share no code with them.

mod changes;
mod common;
#[path = "../drawn/mod.rs"]
mod drawn;
mod edits;
mod exports;
mod peers;
mod ragdolls;
mod strokes;
