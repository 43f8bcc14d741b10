//! The queries of superovoid for JavaScript. What goes in and out has its type in `types` or beside its query, from which the
//! page's TypeScript is made; a wrong input is an exception with the library's message.

mod mesh;
mod obstacles;
mod pong;
mod queries;
mod robot;
mod simulation;
mod sketch;
mod terrain;
mod types;

// For the programs that answer without WebAssembly.
pub use queries::pair_distances;
pub use simulation::bumps;
