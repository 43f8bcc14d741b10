//! Figures as files.

pub mod collada;
pub mod json;
pub mod meshes;
pub mod srdf;
pub mod urdf;
