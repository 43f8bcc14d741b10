//! Superhyperboloids and supertoroids, compared with an oracle that shares no code with the library.

mod oracle;
mod pairs;
mod points;
mod rays;
mod surface;
#[cfg(feature = "bvh")]
mod trees;
